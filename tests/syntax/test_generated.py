"""Generated files are current, and say what the table says."""

from __future__ import annotations

import json
import re
from pathlib import Path

from argon_lang.syntax import generate, generate_editors, kinds, nodes
from argon_lang.syntax.generate_views import FIRST_NODE, expand
from argon_lang.syntax.grammar import CATEGORIES, NODES, TOKEN_CLASSES, TOKENS
from argon_lang.syntax.token_table import KEYWORDS
from argon_lang.syntax.tree import View


def test_generated_files_are_current() -> None:
    assert generate.stale() == []


def test_a_file_that_drifted_is_noticed_and_written_anew(tmp_path: Path) -> None:
    assert set(generate.write(tmp_path)) == set(generate.OUTPUTS)
    (tmp_path / "docs/keywords.md").write_text("old", encoding="utf-8")
    assert generate.stale(tmp_path) == ["docs/keywords.md"]
    assert generate.write(tmp_path) == ["docs/keywords.md"]
    assert generate.stale(tmp_path) == []


def test_every_node_kind_has_a_view_class_with_its_fields() -> None:
    for number, kind in enumerate(NODES, FIRST_NODE):
        view = View.classes[number]
        assert view.__name__ == kind.name
        fields = {name for name in vars(view) if not name.startswith("_") and name != "KIND"}
        assert fields == {field.name for field in kind.fields}
        assert getattr(nodes, kind.name) is view


def test_every_name_in_the_table_is_declared() -> None:
    known = {kind.name for kind in NODES}
    tokens = {kind.name for kind in TOKENS} | set(TOKEN_CLASSES)
    for kind in NODES:
        for field in kind.fields:
            if field.cardinality in ("token", "tokens", "flag"):
                assert set(field.accepts) <= tokens
            else:
                assert set(expand(field)) <= known
    assert all(set(members) <= known for members in CATEGORIES.values())


def test_no_spelling_belongs_to_two_tokens() -> None:
    spellings = [spelling for kind in TOKENS for spelling in kind.spellings]
    assert len(spellings) == len(set(spellings))


def test_trivia_come_before_and_names_after_all_other_tokens() -> None:
    assert all(getattr(kinds, name) >= kinds.IDENT for name in TOKEN_CLASSES["NAME"])
    assert [number for number, kind in enumerate(TOKENS) if kind.group == "trivia"] == list(range(1, kinds.ERROR + 1))
    assert len(kinds.TOKEN_NAMES) < kinds.FIRST_NODE


def test_the_editor_grammars_know_every_keyword() -> None:
    grammar, vim = generate_editors.textmate(), generate_editors.vim_syntax()
    for kind in KEYWORDS:
        word = kind.spellings[0]
        assert re.search(rf"[|:(]{word}[|)]", grammar), word
        assert re.search(rf"^syntax keyword .*\b{word}\b", vim, re.MULTILINE), word


def test_the_patterns_of_the_textmate_grammar_are_regular_expressions() -> None:
    def patterns(value: object) -> list[str]:
        if isinstance(value, dict):
            own = [value[key] for key in ("match", "begin", "end") if key in value]
            return own + [each for child in value.values() for each in patterns(child)]
        return [each for child in value for each in patterns(child)] if isinstance(value, list) else []

    found = patterns(json.loads(generate_editors.textmate()))
    assert len(found) > 20
    for pattern in found:
        assert re.compile(pattern.replace(r"\p{Lu}", "[A-Z]").replace(r"\p{L}", "a-zA-Z").replace(r"\p{N}", "0-9"))


def test_the_language_configuration_is_json() -> None:
    assert json.loads(generate_editors.language_configuration())["comments"]["lineComment"] == "//"
