"""A store is brought to another module by name: nothing of its history is lost, and nothing half done is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from argon_lang.engine.governor import Governor
from argon_lang.errors import ArgonError
from argon_lang.runtime.migration import Renames, _Migration, migrate
from argon_lang.runtime.options import PLAIN, WriteOptions
from argon_lang.runtime.service import At
from argon_lang.session.migrating import migrate_project, read_map
from argon_lang.session.project import Project
from argon_lang.store.sqlite import SqliteStore
from tests.runtime.worlds import World
from tests.support.served_packages import SMALL, package, save

OLD = """
pub enum Size { Small, Big }
pub type Person { mut name: String, mut size: Size = Size::Small, nick: String? }
pub rel knows(a: Person, b: Person) { mut since: Int }
fact Person(ann) { name: "Ann" };
pub mutate arrive(name: String) -> Person { let p = insert Person { name: name, nick: "n" }; return p; }
pub mutate rename(p: Person, to: String) { update p set { name = to }; }
pub mutate grow(p: Person) { update p set { size = Size::Big }; }
pub mutate meet(a: Person, b: Person) { insert knows(a, b) { since: 1 }; }
pub mutate part(a: Person, b: Person) { delete knows(a, b); }
"""
NEW = """
pub enum Height { Short, Tall }
pub type Human { mut title: String, mut height: Height = Height::Short }
pub rel met(a: Human, b: Human) { mut year: Int }
fact Human(anna) { title: "Ann" };
pub query titles() -> [String] { select h.title from h: Human order by h.title }
pub mutate greet(a: Human, b: Human) { insert met(a, b) { year: 2 }; }
"""
NAMES = {
    "pkg::Person": "pkg::Human",
    "pkg::Person.name": "pkg::Human.title",
    "pkg::Person.size": "pkg::Human.height",
    "pkg::Size": "pkg::Height",
    "pkg::Size::Small": "pkg::Height::Short",
    "pkg::Size::Big": "pkg::Height::Tall",
    "pkg::knows": "pkg::met",
    "pkg::knows.since": "pkg::met.year",
    "pkg::ann": "pkg::anna",
}
RENAMES = Renames(NAMES, frozenset({"pkg::Person.nick"}))


def written() -> tuple[World, World]:
    """A store with a history under the old module, and the same store under the new one."""
    old = World(OLD)
    bob = old.do("arrive", "Bob").minted[0].entity
    old.clock.advance(days=1)
    old.do("meet", "ann", bob)
    old.do("grow", "ann")
    old.clock.advance(days=1)
    old.do("rename", "ann", "Anna")
    return old, World(NEW, old.clock, old.store)


def run(world: World, renames: Renames, options: WriteOptions = PLAIN) -> Any:
    return migrate(world.service, renames, options, Governor())


def test_what_does_not_fit_is_reported_and_nothing_is_written() -> None:
    old, new = written()
    before = old.state()
    report = run(new, Renames())
    assert (report.ok, report.tx) == (False, None)
    reasons = {each.reason: each.facts for each in report.after}
    assert reasons["`Person.name` is not declared"] == 2
    assert report.before == report.after
    assert old.state() == before


def test_renamed_facts_stand_under_their_new_names_over_the_same_valid_time() -> None:
    _old, new = written()
    report = run(new, RENAMES)
    assert (report.ok, report.tx, report.after) == (True, 5, [])
    assert {each.name: each.facts for each in report.renamed}["pkg::Person.name"] == 2
    assert [(each.name, each.facts) for each in report.dropped] == [("pkg::Person.nick", 1)]
    assert new.ask("titles") == [["Anna"], ["Bob"]]
    assert new.rows("met") == [["anna", "#1.1"]]
    assert [row.values[0] for row in new.service.query("titles", (), At("2026-03-11T18:00:00Z")).rows] == ["Ann", "Bob"]
    heights = new.service.explain("anna.height == Tall")
    assert heights.derived
    new.do("greet", "#1.1", "anna")
    assert new.store.snapshot().module_hash == new.service.served.module_hash


def test_earlier_transaction_times_know_the_old_names() -> None:
    old, new = written()
    run(new, RENAMES)
    snapshot = old.store.snapshot()
    keys = {record.key for record in snapshot.records(4) if record.kind == "fact"}
    assert "pkg::knows^" in keys
    assert "pkg::met^" not in keys
    live = {record.key for record in snapshot.records() if record.kind == "fact" and record.valid_to is None}
    assert not live & {"pkg::knows^", "pkg::Person^", "pkg::Person.name", "pkg::Person.nick"}


def test_a_hidden_declaration_stays_hidden_under_its_new_name() -> None:
    source = (
        "pub type A { mut f: Int }\nfact A(x) { f: 1 };\npub mutate set(a: A, n: Int) { update a set { f = n }; }\n"
    )
    old = World(source)
    old.do("set", "x", 2)
    after = "pub type A { mut g: Int }\nfact A(x) { g: 1 };\npub query gs() -> [Int] { select a.g from a: A }\n"
    new = World(after, old.clock, old.store)
    assert run(new, Renames({"pkg::A.f": "pkg::A.g"})).ok
    assert new.ask("gs") == [[2]]


def test_a_dry_run_says_the_same_and_writes_nothing() -> None:
    old, new = written()
    before = old.state()
    dry = run(new, RENAMES, WriteOptions(dry_run=True))
    assert old.state() == before
    done = run(new, RENAMES)
    assert dry.model_copy(update={"tx": done.tx, "generation": done.generation}) == done


def test_a_map_that_leaves_something_out_writes_nothing() -> None:
    old, new = written()
    before = old.state()
    report = run(new, Renames({name: to for name, to in NAMES.items() if name != "pkg::knows"}, RENAMES.dropped))
    assert not report.ok
    assert {each.reason for each in report.after} >= {"`knows` is not declared"}
    assert old.state() == before


def test_a_store_that_fits_is_brought_to_the_module_and_then_left_alone() -> None:
    old = World(OLD)
    old.do("arrive", "Bob")
    new = World(OLD + "pub query all() -> Person;\n", old.clock, old.store)
    report = run(new, Renames())
    assert (report.ok, report.tx) == (True, 2)
    assert run(new, Renames()).tx is None
    assert old.store.snapshot().head == 2


def test_a_migration_that_is_made_twice_touches_nothing_the_second_time() -> None:
    _, new = written()
    run(new, RENAMES)
    again = run(new, RENAMES)
    assert {each.facts for each in (*again.renamed, *again.dropped)} == {0}


@pytest.mark.parametrize(
    ("key", "renamed"),
    [
        ("pkg::Person^", "pkg::Human^"),
        ("pkg::Person-", "pkg::Human-"),
        ("pkg::Person.name", "pkg::Human.title"),
        ("pkg::Person.nick", "pkg::Human.nick"),
        ("pkg::knows^", "pkg::met^"),
        ("pkg::owes/2", "pkg::owes/2"),
        ("pkg::owes/2-", "pkg::owes/2-"),
        ("pkg::Personal^", "pkg::Personal^"),
    ],
)
def test_a_key_follows_its_path(key: str, renamed: str) -> None:
    assert RENAMES.key(key) == renamed


def test_a_project_is_migrated_by_its_map_file(tmp_path: Path) -> None:
    root = package(tmp_path)
    project = Project.open(root)
    project.runtime(writes=True).mutate("meet", ["bob", "ann"])
    save(root / "root.ar", SMALL.replace("knows", "met_with"))
    with pytest.raises(ArgonError) as caught:
        project.runtime(writes=False)
    assert caught.value.code == "ARGON_RUNTIME_SCHEMA_INCOMPATIBLE"
    save(root / "names.toml", '[rename]\nknows = "met_with"\n')
    report = migrate_project(project, str(root / "names.toml"), dry_run=False, fork=None, policy="build")
    assert (report.ok, report.tx) == (True, 2)
    rows = project.runtime(writes=False).derive("met_with").rows
    assert len(rows) == 2


def test_no_store_is_made_by_a_migration(tmp_path: Path) -> None:
    root = package(tmp_path)
    report = migrate_project(Project.open(root), None, dry_run=False, fork=None, policy="build")
    assert (report.ok, report.tx, (root / ".argon" / "store.sqlite3").exists()) == (True, None, False)


@pytest.mark.parametrize(
    "text",
    [
        "[rename\n",
        "rename = 3\n",
        "[rename]\na = 3\n",
        'drop = "x"\n',
        "other = 1\n",
        '[rename]\na = "c"\nb = "c"\n',
        'drop = ["a"]\n[rename]\na = "b"\n',
    ],
)
def test_a_map_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "m.toml").write_text(text)
    with pytest.raises(ArgonError) as caught:
        read_map(tmp_path, "m.toml")
    assert caught.value.code == "ARGON_RUNTIME_VALIDATION_FAILED"


# -- what is over, and who reads meanwhile ----------------------------------------------------------------------------

ENDED = """
type Person;
rel knows(a: Person, b: Person);
rel aged(p: Person, n: Int);
fact Person(ann);
mutate know(a: Person, b: Person, d: Date, e: Date) { insert knows(a, b) at d until e; }
mutate age(p: Person, n: Int, d: Date, e: Date) { insert aged(p, n) at d until e; }
"""
CHANGED = """
type Person;
rel knows(a: Person, b: Person, since: Int);
rel aged(p: Person, n: Money);
rel met(a: Person, b: Person);
fact Person(ann);
derive known(p: Person) :- met(p, q);
"""


def test_a_read_of_facts_of_another_form_is_refused_whenever_they_held() -> None:
    old = World(ENDED)
    old.do("know", "ann", "ann", "2026-01-01", "2026-02-01")
    old.do("age", "ann", 5, "2026-01-01", "2026-02-01")
    new = World(CHANGED, store=old.store, clock=old.clock)
    assert new.rows("known") == []
    report = migrate(new.service, Renames(), PLAIN, Governor())
    told = {each.reason for each in report.past}
    assert (report.ok, told) == (True, {"`knows` has another arity", "`n` of `aged` has another type"})
    for at in ({"valid": "2026-01-15"}, {"tx": 2, "valid": "2026-01-15"}):
        with pytest.raises(ArgonError) as error:
            new.rows("known", **at)
        assert error.value.code == "ARGON_RUNTIME_SCHEMA_INCOMPATIBLE"
        assert {each["reason"] for each in error.value.details["reasons"]} == told
    assert new.rows("known", valid="2026-02-01") == []


def test_facts_that_are_over_go_by_their_new_names_too() -> None:
    old = World(ENDED.replace("rel aged(p: Person, n: Int);", "").replace("mutate age", "// mutate age"))
    old.do("know", "ann", "ann", "2026-01-01", "2026-02-01")
    new = World(CHANGED, store=old.store, clock=old.clock)
    report = migrate(new.service, Renames({"pkg::knows": "pkg::met"}), PLAIN, Governor())
    assert (report.ok, report.past, [each.facts for each in report.renamed]) == (True, [], [1])
    assert new.rows("known", valid="2026-01-15") == [["ann"]]
    assert new.rows("known", valid="2026-02-01") == []


def test_whoever_reads_during_a_migration_reads_the_state_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "store.sqlite3"
    old = World(OLD, store=SqliteStore(path))
    old.do("arrive", "Bob")
    new = World(NEW, store=SqliteStore(path), clock=old.clock)
    seen: list[Any] = []
    write = _Migration.write

    def read_meanwhile(migration: _Migration, writer: Any, principal: str) -> None:
        write(migration, writer, principal)
        seen.append(len(old.rows("Person")))
        with pytest.raises(ArgonError) as error:
            new.ask("titles")
        seen.append(error.value.code)

    monkeypatch.setattr(_Migration, "write", read_meanwhile)
    report = migrate(new.service, RENAMES, PLAIN, Governor())
    assert (report.ok, seen) == (True, [2, "ARGON_RUNTIME_SCHEMA_INCOMPATIBLE"])
    assert new.ask("titles") == [["Ann"], ["Bob"]]
    with pytest.raises(ArgonError) as error:
        old.rows("Person")
    assert error.value.code == "ARGON_RUNTIME_SCHEMA_INCOMPATIBLE"
    old.store.close()
    new.store.close()
