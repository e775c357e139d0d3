"""Signature help: what is being called, and which argument is being written."""

from __future__ import annotations

import pytest

from argon_lang.ide.signature_help import signature_help
from tests.ide.packages import marked

WORLD = """\
type P { }
rel knows(who: P, whom: P);
/// Adds them.
fn add(a: Int, b: Int) -> Int = a + b;
fn one() -> Int = 1;
"""


def shown(source: str) -> tuple[list[str], int] | None:
    """The labels and the number of the active argument at mark 0."""
    package = marked(WORLD + source)
    found = signature_help(package.db, *package.at(0))
    return ([each.label for each in found.signatures], found.active) if found is not None else None


@pytest.mark.parametrize(
    ("source", "label", "active"),
    [
        ("fn f() -> Int = add($0", "add(a: Int, b: Int) -> Int", 0),
        ("fn f() -> Int = add(1, $0", "add(a: Int, b: Int) -> Int", 1),
        ("fn f() -> Int = add(1, $0);", "add(a: Int, b: Int) -> Int", 1),
        ("fn f() -> Int = add(add(1, 2), $03);", "add(a: Int, b: Int) -> Int", 1),
        ("derive d(p: P) :- knows(p, $0", "knows(who: P, whom: P)", 1),
        ("derive d(p: P) :- p: P, P($0", "P(x: P)", 0),
        ("mutate m(p: P) { insert knows(p, $0) }", "knows(who: P, whom: P)", 1),
    ],
)
def test_the_call_around_the_place_is_shown(source: str, label: str, active: int) -> None:
    assert shown(source) == ([label], active)


@pytest.mark.parametrize("source", ["fn f() -> Int = $0", "derive d(p: P) :- p: P, $0;", "type $0Q { }", "// add($0"])
def test_outside_of_brackets_nothing_is_shown(source: str) -> None:
    assert shown(source) is None


def test_the_docs_of_what_is_called_come_along() -> None:
    package = marked(WORLD + "fn f() -> Int = add($0")
    found = signature_help(package.db, *package.at(0))
    assert found is not None
    assert (found.signatures[0].docs, found.signatures[0].parameters) == ("Adds them.", ("a: Int", "b: Int"))
