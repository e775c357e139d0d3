"""A vocabulary package and one that uses it, from check to proof: the loop across two packages in the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.cli import argon, asked

WORDS = """\
pub metatype kind = {};
pub type Thing { called: String }
pub rel near(a: Thing, b: Thing);
pub derive close(a: Thing, b: Thing) :- near(a, b);
pub derive close(a: Thing, b: Thing) :- near(b, a);
pub mutate bring(a: Thing, b: Thing) { insert near(a, b); }
pub query things() -> [Thing] { select t from Thing(t) }
use std::core::{Diagnostic, Severity};
check apart(a: Thing) :- near(a, a) => Diagnostic { severity: Severity::Error, code: "U1", message: "near itself" };
test "of ufo" { assert false; }
"""
HOUSES = """\
kind House <: ufo::Thing { }
fact House(home) { called: "home" };
fact House(barn) { called: "barn" };
fact ufo::near(home, barn);
derive neighbour(h: House) :- ufo::close(h, barn);
test "close" { assert ufo::close(barn, home); ufo::bring(barn, home); assert neighbour(home); }
test "guard" { assert rejects { ufo::bring(home, home); } }
"""


@pytest.fixture
def houses(tmp_path: Path) -> Path:
    """The package that uses the other one."""
    for name, text in {
        "ufo/ox.toml": '[package]\nname = "ufo"\nprelude = ["std::core::{type, rel}"]\n',
        "ufo/root.ar": WORDS,
        "houses/ox.toml": '[package]\nname = "houses"\nprelude = ["ufo::{kind}"]\n'
        '[dependencies]\nufo = { path = "../ufo" }\n',
        "houses/root.ar": HOUSES,
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path / "houses"


def test_what_a_dependency_declares_is_asked_changed_and_explained_by_its_short_names(houses: Path) -> None:
    assert asked("check", cwd=houses)[1]["summary"] == {"errors": 0, "warnings": 0, "infos": 0}
    assert asked("test", cwd=houses)[1]["passed"] == 2
    assert asked("query", "things", cwd=houses)[1]["rowCount"] == 2
    assert asked("derive", "ufo::close", cwd=houses)[1]["rowCount"] == 2
    assert asked("derive", "neighbour", cwd=houses)[1]["rowCount"] == 1
    refused = argon("mutate", "bring", "home", "home", cwd=houses)
    assert refused.status == 1
    assert "apart(home)" in refused.err
    assert argon("mutate", "bring", "barn", "home", cwd=houses).status == 0
    proof = argon("explain-fact", "neighbour(home)", cwd=houses).out
    assert "ufo/root.ar:4" in proof
    assert "ufo/root.ar:5" in proof


def test_an_excerpt_of_a_dependency_shows_its_text(houses: Path) -> None:
    (houses / "root.ar").write_text("struct A { s: ufo::Hidden }\n")
    (houses.parent / "ufo" / "root.ar").write_text(WORDS + "struct Hidden { n: Int }\n")
    shown = argon("check", cwd=houses).out
    assert "error[OE0104]" in shown
    assert "../ufo/root.ar:11" in shown
    assert "struct Hidden { n: Int }" in shown
