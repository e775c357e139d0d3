"""Refactorings: what each makes of a small program, where none is offered, and that no example's meaning changes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from argon_lang.engine.governor import Governor
from argon_lang.engine.model import compile_program, evaluate
from argon_lang.gates.states import valid_at
from argon_lang.ide.actions import offers
from argon_lang.ide.actions.spot import Clause
from argon_lang.ir.module import Module
from argon_lang.problems import Diagnostic
from argon_lang.queries.database import Database
from argon_lang.session.compiler import database_of
from argon_lang.workspace.root import find_project
from argon_lang.workspace.sources import read_inputs
from tests.ide.packages import marked
from tests.ide.test_rename import FOLDERS, applied

SOUND = [each for each in FOLDERS if not each.name.endswith("_broken")]
MOST = int(os.environ.get("ARGON_TEST_REFACTORINGS", "12"))
"""How many refactorings of each example are made, spread over it."""

NOW = datetime(2026, 6, 1, tzinfo=UTC)

PEOPLE = """\
type Person { age: Int }
rel knows(a: Person, b: Person);
fact Person(ann) { age: 30 };
fact Person(bob) { age: 3 };
fact knows(ann, bob);
fact knows(bob, ann);
"""


def made(name: str, source: str, end: bool = False) -> str:
    """The text after an action on mark 0, or on what stands between marks 0 and 1."""
    package = marked(source)
    file, start = package.at(0)
    stop = package.at(1)[1] if end else start
    assert name in [each.name for each in offers.offers_at(package.db, file, start, stop)]
    return applied(package.db, offers.edits_of(package.db, name, file, start, stop))[file]


def offered(source: str, end: bool = False) -> list[str]:
    """The actions at mark 0, or between marks 0 and 1."""
    package = marked(source)
    file, start = package.at(0)
    return [each.name for each in offers.offers_at(package.db, file, start, package.at(1)[1] if end else start)]


# -- extract -----------------------------------------------------------------------------------------------------------


def test_selected_atoms_become_a_predicate_over_what_they_share_with_the_rest() -> None:
    rule = "/// Old enough.\nderive adult_pair(a: Person, b: Person) :- $0knows(a, x), knows(x, b)$1, a.age > 17;\n"
    assert made("extractRule", PEOPLE + rule, end=True) == PEOPLE + (
        "derive extracted(a, b) :- knows(a, x), knows(x, b);\n\n"
        "/// Old enough.\nderive adult_pair(a: Person, b: Person) :- extracted(a, b), a.age > 17;\n"
    )


def test_what_the_selected_atoms_do_not_bind_is_bound_by_its_type() -> None:
    rule = "derive adult(a: Person) :- knows(a, _), $0a.age > 17,$1 a.age < 90;\n"
    assert made("extractRule", PEOPLE + rule, end=True) == PEOPLE + (
        "derive extracted(a) :- a: Person, a.age > 17;\n\n"
        "derive adult(a: Person) :- knows(a, _), extracted(a), a.age < 90;\n"
    )


@pytest.mark.parametrize(
    "rule",
    [
        "derive f(a: Person) :- a: Person, n = a.age, $0n > 17$1;\n",
        "derive f(a: Person) :- knows($0a, x), knows(x, a)$1;\n",
        "derive f(a: Person) :- knows(a, x)$0$1, knows(x, a);\n",
        "derive f(a: Person) :- $0knows(a, x) // why\n, knows(x, a),$1 a.age > oops;\n",
        "query q() -> [Person] { select a from $0knows(a, x), knows(x, a)$1 }\n",
    ],
)
def test_atoms_that_cannot_stand_alone_are_not_extracted(rule: str) -> None:
    assert "extractRule" not in offered(PEOPLE + rule, end=True) or "oops" in rule


# -- inline ------------------------------------------------------------------------------------------------------------


def test_a_read_is_replaced_by_what_the_one_clause_says() -> None:
    rules = "derive friend(p: Person, q: Person) :- knows(p, q), knows(q, p);\n"
    reader = "derive f(a: Person, q: Person) :- knows(a, p), $0friend(p, q);\n"
    assert made("inlineRule", PEOPLE + rules + reader) == PEOPLE + rules + (
        "derive f(a: Person, q: Person) :- knows(a, p), knows(p, q), knows(q, p), p: Person, q: Person;\n"
    )


def test_locals_of_the_clause_get_names_of_their_own() -> None:
    rules = "derive popular(p) :- knows(x, p), n = x.age, n > 1;\n"
    reader = "derive f(n: Person) :- $0popular(n), knows(n, x);\n"
    assert made("inlineRule", PEOPLE + rules + reader) == PEOPLE + rules + (
        "derive f(n: Person) :- knows(x_2, n), n_2 = x_2.age, n_2 > 1, knows(n, x);\n"
    )


def test_a_column_that_the_clause_binds_is_compared_where_it_is_bound_already() -> None:
    rules = "derive aged(p, n) :- p: Person, n = p.age;\n"
    reader = "derive same(a: Person, b: Person) :- aged(a, m), $0aged(b, m);\n"
    assert made("inlineRule", PEOPLE + rules + reader) == PEOPLE + rules + (
        "derive same(a: Person, b: Person) :- aged(a, m), b: Person, m == b.age;\n"
    )


@pytest.mark.parametrize(
    "rules",
    [
        "derive p(x) :- knows(x, _);\nderive p(x) :- knows(_, x);\nderive f(a) :- $0p(a);\n",
        "derive p(x, y) :- knows(x, y);\nderive p(x, y) :- knows(x, z), $0p(z, y);\n",
        "derive p(x, n) :- x: Person, n = count { y from knows(x, y) };\nderive f(a) :- $0p(a, 1);\n",
        "#[default]\nderive p(x) :- knows(x, _);\nderive f(a) :- $0p(a);\n",
        "derive p(x) :- knows(x, _);\nderive f(a) :- a: Person, not $0p(a);\n",
        "derive f(a) :- $0knows(a, _);\n",
    ],
)
def test_what_would_change_its_meaning_is_not_inlined(rules: str) -> None:
    assert "inlineRule" not in offered(PEOPLE + rules)


# -- tests -------------------------------------------------------------------------------------------------------------


def test_a_generated_test_asserts_what_the_declared_facts_derive() -> None:
    rule = "derive $0adult(a: Person, n: Int) :- a: Person, n = a.age, n > 17;\n"
    assert made("generateTest", PEOPLE + rule) == PEOPLE + rule.replace("$0", "") + (
        '\ntest "adult holds" {\n    assert derivable adult(ann, 30);\n}\n'
    )


def test_a_rule_that_derives_nothing_gets_a_small_world_to_be_tried_in() -> None:
    source = (
        "enum Size { Small, Large }\ntype Owner { name: String }\n"
        "type Dog { owner: Owner, size: Size, born: Date, tag: Int? }\n"
        "derive $0big(d: Dog) :- d: Dog, d.size == Size::Large;\n"
    )
    assert made("generateTest", source).endswith(
        'test "big holds" {\n'
        '    let owner = insert Owner { name: "a" };\n'
        "    let dog = insert Dog { owner: owner, size: Size::Small, born: #2026-01-31# };\n"
        "    assert not derivable big(dog);\n"
        "}\n"
    )


# -- imports -----------------------------------------------------------------------------------------------------------


def test_imports_are_merged_sorted_and_rid_of_what_nobody_reads() -> None:
    source = (
        "mod a { pub type B { } pub type C { } pub type D { } }\n"
        "use self::a::{D, B};\n$0use std::math::{larger};\nuse self::a::C;\n"
        "use std::core::{Severity, Diagnostic};\n\ntype E { b: B, c: C }\nfn f(s: Severity) -> Severity = s;\n"
    )
    assert made("organiseImports", source) == (
        "mod a { pub type B { } pub type C { } pub type D { } }\n"
        "use std::core::Severity;\nuse self::a::{B, C};\n\ntype E { b: B, c: C }\nfn f(s: Severity) -> Severity = s;\n"
    )


def test_imports_in_order_are_left_alone() -> None:
    source = "use std::core::{Diagnostic, Severity};\n$0fn f(s: Severity, d: Diagnostic) -> Severity = s;\n"
    assert "organiseImports" not in offered(source)


# -- every example -----------------------------------------------------------------------------------------------------


def _opened(folder: Path) -> Database:
    return database_of(read_inputs(find_project(folder)))[1]


def _spots(db: Database) -> Iterator[tuple[str, str, int, int]]:
    """Each offer of each action: at the head and at every atom of each clause, and over each run of atoms."""
    documents = db.documents()
    for file in db.files_of(db.package):
        for base, tree in zip(documents[file].starts, documents[file].items, strict=True):
            root = tree.root
            if not isinstance(root, Clause) or root.body is None:
                continue
            atoms = root.body.atoms
            places = [(each.start, each.start) for each in (root, *atoms)]
            places += [(a.start, b.end) for i, a in enumerate(atoms) for b in atoms[i:]]
            for start, end in places:
                for each in offers.offers_at(db, file, base + start, base + end):
                    if each.name != offers.ORGANISE:
                        yield each.name, file, base + start, base + end


def _meaning(module: Module) -> dict[str, tuple[object, ...]]:
    model = evaluate(compile_program(module), valid_at(module.facts, NOW), NOW, Governor())
    return {each.key: tuple(model.rows(each.key)) for each in module.predicates}


def _after(fresh: Database, texts: dict[str, str]) -> tuple[list[Diagnostic], Module | None]:
    """What is said of the program with other texts, which it has not after that."""
    known = {file: fresh.text(file) or "" for file in texts}
    fresh.set_files(texts)
    found = list(fresh.diagnostics()), fresh.module()
    fresh.set_files(known)
    return found


@pytest.mark.parametrize("folder", SOUND, ids=lambda folder: folder.name)
def test_no_refactoring_of_an_example_breaks_it_or_changes_what_it_derives(folder: Path) -> None:
    db, fresh = _opened(folder), _opened(folder)
    before, module = list(db.diagnostics()), db.module()
    assert module is not None
    meant = _meaning(module)
    spots = list(_spots(db))
    for spot in spots[:: max(1, len(spots) // MOST)]:
        texts = applied(db, offers.edits_of(db, *spot))
        changed = {file: text for file, text in texts.items() if text != db.text(file)}
        diagnostics, refactored = _after(fresh, changed)
        assert [each for each in diagnostics if each not in before and each.severity == "error"] == [], spot
        assert len(diagnostics) <= len(before), (spot, diagnostics)
        assert refactored is not None, (spot, diagnostics, before)
        rows = _meaning(refactored)
        assert {key: rows[key] for key in meant} == meant, spot


@pytest.mark.parametrize("folder", SOUND, ids=lambda folder: folder.name)
def test_organised_imports_of_an_example_mean_the_same_and_stay_as_they_are(folder: Path) -> None:
    db = _opened(folder)
    before = list(db.diagnostics())
    for file in db.files_of(db.package):
        edits = offers.edits_of(db, offers.ORGANISE, file, 0, 0)
        fresh = _opened(folder)
        fresh.set_file(file, applied(db, edits)[file])
        assert len(fresh.diagnostics()) <= len(before)
        assert offers.edits_of(fresh, offers.ORGANISE, file, 0, 0) == ()
