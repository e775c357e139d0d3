"""Rename: every place of one thing and no other; a new name that would be mistaken for something is refused."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from argon_lang.errors import ArgonError
from argon_lang.ide.names import occurrences
from argon_lang.ide.rename import REFUSED, renamable_at, rename, rename_symbol
from argon_lang.problems import Replacement
from argon_lang.program.model import Resolution
from argon_lang.queries.database import Database
from argon_lang.session.compiler import database_of
from argon_lang.workspace.root import find_project
from argon_lang.workspace.sources import read_inputs
from tests.ide.packages import marked

FOLDERS = sorted(each.parent for each in (Path(__file__).parents[2] / "examples").glob("*/ox.toml"))
SOUND = [each for each in FOLDERS if not each.name.endswith("_broken")]
"""Where something is in error, not every name has a meaning to go by."""


def applied(db: Database, edits: tuple[Replacement, ...]) -> dict[str, str]:
    """The texts of the package after disjoint edits."""
    texts = {file: db.text(file) or "" for file in db.files()}
    for each in sorted(edits, key=lambda edit: edit.location.start, reverse=True):
        file, low, high = each.location.file, each.location.start, each.location.end
        texts[file] = texts[file][:low] + each.text + texts[file][high:]
    return texts


def renamed(source: str, new: str, **others: str) -> dict[str, str]:
    """The texts after a rename at mark 0."""
    package = marked(source, **others)
    return applied(package.db, rename(package.db, *package.at(0), new).edits)


def reason(source: str, new: str, **others: str) -> str:
    """Why a rename at mark 0 is refused."""
    package = marked(source, **others)
    with pytest.raises(ArgonError) as refused:
        rename(package.db, *package.at(0), new)
    assert refused.value.code == REFUSED
    return str(refused.value.details["reason"])


def test_a_type_is_renamed_in_every_file() -> None:
    texts = renamed("mod more;\npub type $0A { b: A? }", "Whole", more="use super::{A};\npub type B { a: A }")
    assert texts == {
        "root.ar": "mod more;\npub type Whole { b: Whole? }",
        "more.ar": "use super::{Whole};\npub type B { a: Whole }",
    }


def test_a_name_given_by_use_stays() -> None:
    source = "use self::inner::{A as Other};\nmod inner {\n    pub type $0A { }\n}\npub type B { a: Other }"
    after = "use self::inner::{C as Other};\nmod inner {\n    pub type C { }\n}\npub type B { a: Other }"
    assert renamed(source, "C")["root.ar"] == after


def test_every_clause_of_a_predicate_is_renamed_and_no_other_arity() -> None:
    source = "type P { }\nderive $0d(x: P) :- x: P;\nderive d(x: P, y: P) :- d(x), d(y);\nderive e(x: P) :- d(x, x);"
    after = "type P { }\nderive f(x: P) :- x: P;\nderive d(x: P, y: P) :- f(x), f(y);\nderive e(x: P) :- d(x, x);"
    assert renamed(source, "f")["root.ar"] == after


def test_a_field_that_a_subtype_narrows_is_one_field() -> None:
    source = "type P { }\ntype Q <: P { }\ntype A { $0p: P }\ntype B <: A { p: Q }\nderive d(b: B) :- b: B, b.p == b.p;"
    after = "type P { }\ntype Q <: P { }\ntype A { s: P }\ntype B <: A { s: Q }\nderive d(b: B) :- b: B, b.s == b.s;"
    assert renamed(source, "s")["root.ar"] == after


def test_a_short_initializer_is_written_out() -> None:
    source = "struct S { $0size: Int }\nfn f(size: Int) -> S = S { size };"
    assert renamed(source, "width")["root.ar"] == "struct S { width: Int }\nfn f(size: Int) -> S = S { width: size };"


def test_the_value_of_a_short_initializer_is_written_out() -> None:
    source = "struct S { size: Int }\nfn f($0size: Int) -> S = S { size };"
    assert renamed(source, "width")["root.ar"] == "struct S { size: Int }\nfn f(width: Int) -> S = S { size: width };"


def test_the_same_name_changes_nothing() -> None:
    package = marked("pub type $0A { }")
    assert rename(package.db, *package.at(0), "A").edits == ()


@pytest.mark.parametrize(
    ("source", "new", "why"),
    [
        ("pub type $0A { }\npub type B { }", "B", "taken"),
        ("pub type P { }\nderive $0d(x: P) :- x: P;\nderive e(y: P) :- d(y);", "y", "local"),
        ("pub type P { }\nfact P($0bob);\nderive e(y: P) :- y: P;", "y", "local"),
        ("pub type P { }\nfact P(bob);\nderive e($0y: P) :- y: P;", "bob", "taken"),
        ("pub type P { }\nrel r(a: P, b: P);\nderive e(x: P) :- r(x, $0y), r(y, z), r(z, x);", "z", "local"),
        ("pub type P { $0a: Int }\npub type Q <: P { b: Int }", "b", "taken"),
        ("enum E { $0A, B }", "B", "taken"),
        ("pub type P { }\nrel r($0a: P, b: P);", "b", "taken"),
        ("pub type $0P { }", "for", "word"),
        ("pub type $0P { }", "Int", "word"),
        ("pub type $0P { }", "a b", "form"),
        ("pub type $0P { }", "", "form"),
        ("pub type $0P { }", "1a", "form"),
        ("use std::time::{$0today};\nfn f() -> Date = today();", "now", "foreign"),
        ("type A { a: $0Int }", "Whole", "foreign"),
        ("// $0words\ntype A { }", "b", "nothing"),
    ],
)
def test_what_would_be_mistaken_is_refused(source: str, new: str, why: str) -> None:
    assert reason(source, new) == why


def test_the_name_that_would_be_renamed_is_told_beforehand() -> None:
    package = marked("pub type $0Person { }")
    location, text = renamable_at(package.db, *package.at(0))
    assert (package.text(location), text) == ("Person", "Person")


def test_a_symbol_is_renamed_by_name_as_by_place() -> None:
    package = marked("pub type $0P { }\npub derive d(x: P) :- x: P;")
    symbol = package.db.symbol("pkg::P")
    assert symbol is not None
    assert rename_symbol(package.db, symbol, "Q") == rename(package.db, *package.at(0), "Q")


# -- against the compiler itself ---------------------------------------------------------------------------------------


def opened(root: Path) -> Database:
    """The package of an example."""
    return database_of(read_inputs(find_project(root)))[1]


def places(db: Database) -> dict[Resolution, list[tuple[str, int, int]]]:
    """Where each meaning is named, locals apart: those are numbers that mean something in one item alone."""
    found: dict[Resolution, list[tuple[str, int, int]]] = defaultdict(list)
    for file in sorted(db.files()):
        for item in db.items(file):
            for each in occurrences(db, item):
                where = db.locate(each.place)
                assert where is not None
                found[each.meaning].append((where.file, where.start, where.end))
    return found


def one_of_each(db: Database) -> list[tuple[str, int]]:
    """One place of each meaning that can be renamed."""
    found = []
    for listed in places(db).values():
        file, start, _ = listed[0]
        try:
            renamable_at(db, file, start)
        except ArgonError:
            continue
        found.append((file, start))
    return found


def moved(file: str, moves: tuple[tuple[str, str], ...]) -> str:
    """What a file is called after some renames of files and folders."""
    for old, new in moves:
        if file == old or file.startswith(f"{old}/"):
            return new + file[len(old) :]
    return file


@pytest.mark.parametrize("example", SOUND, ids=lambda each: each.name)
def test_any_name_of_an_example_can_be_renamed_and_means_the_same(example: Path) -> None:
    db = opened(example)
    before = [(each.code, each.location.file) for each in db.diagnostics()]
    counts = sorted(map(len, places(db).values()))
    again = opened(example)
    for file, start in one_of_each(db):
        done = rename(db, file, start, "q_renamed", moves=True)
        texts = {moved(name, done.moves): text for name, text in applied(db, done.edits).items()}
        for name in again.files() - texts.keys():
            again.set_file(name, None)
        again.set_files(texts)
        found = [(each.code, each.location.file) for each in again.diagnostics()]
        assert found == [(code, moved(name, done.moves)) for code, name in before], (file, start, done)
        assert sorted(map(len, places(again).values())) == counts, (file, start, done)
