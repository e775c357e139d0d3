"""What a valid text means does not depend on where its lines break."""

from __future__ import annotations

from pathlib import Path

import pytest

from argon_lang.syntax import kinds as K
from argon_lang.syntax.document import Document
from argon_lang.syntax.lexer import lex
from benchmarks.generate_source import source

VALID = (Path(__file__).parent / "fixtures" / "valid.ar").read_text(encoding="utf-8")


def relaid(text: str, gap: str) -> str:
    """The text with every stretch of blanks and comments replaced by `gap`; docs go too."""
    tokens, kinds, _ = lex(text)
    parts: list[str] = []
    fresh = True
    for token, kind in zip(tokens, kinds, strict=True):
        if kind > K.ERROR:
            parts.append(token)
            fresh = True
        elif fresh:
            parts.append(gap)
            fresh = False
    return "".join(parts)


@pytest.mark.parametrize("text", [VALID, source(300)], ids=["valid", "generated"])
@pytest.mark.parametrize("gap", ["\n", " ", "\r\n\t", " /* c */ "], ids=["newline", "blank", "return", "comment"])
def test_a_valid_text_has_the_same_trees_in_any_layout(text: str, gap: str) -> None:
    before, after = Document.parse(text), Document.parse(relaid(text, gap))
    assert after.problems == []
    trees = [[item.node_kinds for item in document.items if item.count] for document in (before, after)]
    assert trees[0] == trees[1]
    assert [label for label, _ in before.labels] == [label for label, _ in after.labels]
