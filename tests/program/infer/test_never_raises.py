"""Inference answers for any tree: cut, doubled and shuffled sources, and expressions of any depth."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.program.infer import head_types, infer
from argon_lang.program.model import ToBinding
from argon_lang.queries.database import Database
from argon_lang.queries.snippet import database_of
from tests.support.markers import FIXTURES

SOURCES = [path.read_text(encoding="utf-8") for path in sorted(Path(FIXTURES / "check").glob("infer_*.ar"))]
PIECES = [re.findall(r"\w+|\s+|[^\w\s]+", source) for source in SOURCES]


def infer_all(db: Database) -> None:
    """Infer every item, those with syntax errors too, and hold the result to its own promises."""
    for each in db.items("root.ar"):
        item, module = db.tree(each), db.module_of(each)
        if item is None or module is None:
            continue
        found = infer(item, db.scope(module), db.declarations)
        head_types(item, db.scope(module), db.declarations)
        assert [binding.id for binding in found.bindings] == list(range(len(found.bindings)))
        meant = [*found.names.values(), *(use.meaning for use in found.uses)]
        assert all(meaning.id < len(found.bindings) for meaning in meant if isinstance(meaning, ToBinding))
        assert all(0 <= problem.start <= problem.end <= len(item.text) for problem in found.problems)
        assert all(index < len(item.node_kinds) for index in (*found.names, *found.types))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.data())
def test_no_mutated_source_makes_inference_raise(data: st.DataObject) -> None:
    pieces = list(data.draw(st.sampled_from(PIECES)))
    begin = data.draw(st.integers(0, len(pieces) - 1))
    pieces = pieces[begin : begin + 400]
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(pieces) - 1))
        other = data.draw(st.integers(0, len(pieces) - 1))
        match data.draw(st.sampled_from(["drop", "double", "swap", "take"])):
            case "drop" if len(pieces) > 1:
                del pieces[at]
            case "double":
                pieces.insert(at, pieces[at])
            case "swap":
                pieces[at], pieces[other] = pieces[other], pieces[at]
            case _:
                pieces.insert(at, data.draw(st.sampled_from(data.draw(st.sampled_from(PIECES)))))
    infer_all(database_of({"root.ar": "".join(pieces)}))


def test_a_very_long_sum_is_refused_and_not_fatal() -> None:
    db = database_of({"root.ar": f"fn f() -> Int = {' + '.join(['1'] * 3000)};"})
    infer_all(db)
    (item,) = [each for each in db.items("root.ar") if each.label == "fn f"]
    assert [problem.code for problem in db.inference(item).problems] == ["OE0017"]


def test_an_item_with_syntax_errors_keeps_its_meanings_and_reports_nothing() -> None:
    db = database_of({"root.ar": "type T { a: Int }\nderive d(x) :- T(x), nothing(x), x.a > ;"})
    (clause,) = [each for each in db.items("root.ar") if each.label == "derive d/1"]
    item = db.tree(clause)
    assert item is not None
    found = infer(item, db.scope("pkg"), db.declarations)
    assert found.problems == ()
    assert found.bindings[0].name == "x"
