"""The compiler and the catalog agree: on codes, on placeholders, on keys. The sources are read, not run."""

from __future__ import annotations

import ast

import pytest

from shared_catalog import load
from shared_catalog.model import FrontMatter
from shared_catalog.template import placeholders
from tests.catalog import emitters

MENTIONED = emitters.mentioned()
FRONTS = {code: load.front(code) for code in load.codes()}
LIVE = [code for code, front in FRONTS.items() if front.status == "live"]


def test_no_code_is_emitted_that_has_no_entry() -> None:
    assert {code: places for code, places in MENTIONED.items() if code not in FRONTS} == {}


def test_no_code_is_emitted_that_its_entry_calls_reserved_or_retired() -> None:
    emitted = {code: places for code, places in MENTIONED.items() if code in FRONTS}
    assert {code: places for code, places in emitted.items() if FRONTS[code].status != "live"} == {}


def test_every_live_code_is_emitted_somewhere() -> None:
    assert [code for code in LIVE if code not in MENTIONED] == []


def test_emitters_give_every_placeholder_of_the_message() -> None:
    short = {
        emission.place: (emission.code, sorted(placeholders(FRONTS[emission.code].message) - emission.values))
        for emission in emitters.emissions()
        if emission.values is not None and emission.code in FRONTS
    }
    assert {place: lack for place, lack in short.items() if lack[1]} == {}


def test_emitters_use_keys_that_the_entry_has_and_give_their_placeholders() -> None:
    wrong = [
        (emission.place, emission.code, table, key)
        for emission in emitters.emissions()
        if emission.code in FRONTS
        for (table, key), values in emission.keyed.items()
        if not _fits(FRONTS[emission.code], table, key, values)
    ]
    assert wrong == []


def test_every_key_belongs_to_some_entry() -> None:
    known = {
        (table, key)
        for front in FRONTS.values()
        for table in ("labels", "notes", "fixes")
        for key in _table(front, table)
    }
    assert [found for found in emitters.literal_keys() if found[:2] not in known] == []


@pytest.mark.parametrize(
    ("source", "values"),
    [
        ('Problem("OE0101", 1, 2, args(kind="x", name=y))', {"kind", "name"}),
        ('Problem("OE0101", 1, 2, args=args(name=y))', {"name"}),
        ('problems.Problem("OE0101", 1, 2)', set()),
        ('Problem("OE0101", 1, 2, args=values)', None),
        ('values = args(name=y)\nProblem("OE0101", 1, 2, values)', {"name"}),
        ('parser.report("OE0101", 1, 2, {"kind": x, "name": y})', {"kind", "name"}),
        ('parser.report("OE0101", 1, 2)', None),
        ('Problem("OE0101", 1, 2, args(**values))', None),
        ('ArgonError("OE0101", args(path=p))', {"path"}),
    ],
)
def test_the_scan_reads_values_off_a_call(
    source: str, values: set[str] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(emitters, "parsed", lambda: ((load.ROOT, ast.parse(source)),))
    assert [emission.values for emission in emitters.emissions()] == [values]
    assert list(emitters.mentioned()) == ["OE0101"]


def _table(front: FrontMatter, table: str) -> dict[str, str]:
    templates: dict[str, str] = getattr(front, table)
    return templates


def _fits(front: FrontMatter, table: str, key: str, values: frozenset[str] | None) -> bool:
    template = _table(front, table).get(key)
    return template is not None and (values is None or placeholders(template) <= values)
