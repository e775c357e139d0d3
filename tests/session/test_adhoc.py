"""Texts written on the spot go through the gates that declarations go through, and mean the same."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from argon_lang.errors import ArgonError
from argon_lang.ir.module import Module, Query
from argon_lang.queries.database import Database
from argon_lang.runtime.service import RuntimeService
from argon_lang.session.adhoc import AD_HOC, AdHoc
from argon_lang.session.compiler import database_of
from argon_lang.session.project import Project
from tests.runtime.worlds import short
from tests.support.cli import copy
from tests.support.served_packages import MANIFEST, package

EXAMPLES = ("hello", "lease", "clinic", "ufo")
NAME = re.compile(r"query\s+(\w+)")


@pytest.fixture(scope="module")
def lease(tmp_path_factory: pytest.TempPathFactory) -> Project:
    return Project.open(copy("lease", tmp_path_factory.mktemp("adhoc") / "lease"))


@pytest.fixture(scope="module")
def desk() -> AdHoc:
    return AdHoc()


def service(project: Project) -> RuntimeService:
    return project.runtime(writes=False)


def ask(project: Project, desk: AdHoc, source: str, *given: Any) -> list[list[Any]]:
    snippet, asked = desk.compile(project.inputs(), source, "query"), service(project)
    answered = replace(asked, served=snippet.served_with(asked.served)).ask(snippet.query(), given)
    return [[short(value) for value in row.values] for row in answered.rows]


def refused(project: Project, desk: AdHoc, source: str, kind: Any = "query") -> list[tuple[str, int, int]]:
    with pytest.raises(ArgonError) as caught:
        desk.compile(project.inputs(), source, kind)
    assert caught.value.code == "ARGON_RUNTIME_VALIDATION_FAILED"
    forms: Any = caught.value.details["diagnostics"]
    json.dumps(dict(caught.value.details))
    assert {each["span"]["file"] for each in forms} <= {AD_HOC}
    starts = [(each["code"], each["span"]["start"]) for each in forms if each["severity"] == "error"]
    return [(code, start["line"], start["character"]) for code, start in starts]


def declared_queries(database: Database, entry: str) -> list[tuple[str, str]]:
    """The text of each query of the entry file, with its path."""
    text, items = database.text(entry) or "", database.items(entry)
    found = []
    for item in items:
        tree = database.tree(item)
        if tree is not None and item.label.startswith("query "):
            begin = text.index(tree.text)
            found.append((text[begin : begin + len(tree.text)].strip(), f"pkg::{NAME.search(tree.text)[1]}"))  # type: ignore[index]
    return found


def form(module: Module, query: Query) -> Query:
    """A query without what its own name gives: path, and the keys and ids of its rules."""
    rule = replace(query.rule, key="", id="") if query.rule is not None else None
    operands = tuple(replace(each, rule=replace(each.rule, key="", id="")) for each in query.operands)
    optionals = tuple(replace(each, rule=replace(each.rule, key="", id="")) for each in query.optionals)
    return replace(query, path="", rule=rule, operands=operands, optionals=optionals)


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_declared_query_means_the_same_when_it_is_asked_on_the_spot(
    example: str, tmp_path: Path, desk: AdHoc
) -> None:
    copy("ufo", tmp_path / "ufo")
    project = Project.open(copy(example, tmp_path / example) if example != "ufo" else tmp_path / "ufo")
    inputs = project.inputs()
    packages, database = database_of(inputs)
    module = database.module()
    assert module is not None
    entry = f"{packages.info.name}/{packages.info.entry}"
    for source, path in declared_queries(database, entry):
        snippet = desk.compile(inputs, source, "query")
        (declared,) = (each for each in module.queries if each.path == path)
        assert form(snippet.module, snippet.query()) == form(module, declared), path
        spoilt = source.replace("{", "{ nonsense ", 1) if "{" in source else source.replace("->", "-> Nonsense", 1)
        assert diagnostics_on_the_spot(project, desk, spoilt) == diagnostics_declared(project, source, spoilt, entry)


def diagnostics_on_the_spot(project: Project, desk: AdHoc, source: str) -> list[tuple[str, str]]:
    with pytest.raises(ArgonError) as caught:
        desk.compile(project.inputs(), source, "query")
    forms: Any = caught.value.details["diagnostics"]
    return [(each["code"], each["message"]) for each in forms]


def diagnostics_declared(project: Project, source: str, spoilt: str, entry: str) -> list[tuple[str, str]]:
    _, database = database_of(project.inputs())
    text = database.text(entry) or ""
    begin = text.index(source)
    database.set_file(entry, text.replace(source, spoilt, 1))
    end = begin + len(spoilt)
    return [(e.code, e.message) for e in database.diagnostics(entry) if begin <= e.location.start <= end]


def test_a_bare_select_has_the_types_of_what_it_selects(lease: Project, desk: AdHoc) -> None:
    assert ask(lease, desk, "select t.name from t: Tenant order by t.name") == [["Ada"], ["Ben"]]
    snippet = desk.compile(lease.inputs(), "select { who: i.payer.name, amount: i.amount } from i: Invoice", "query")
    assert [(name, str(ty.name)) for name, ty, _ in snippet.query().columns] == [  # type: ignore[attr-defined]
        ("who", "String"),
        ("amount", "Money"),
    ]


def test_a_declaration_takes_arguments(lease: Project, desk: AdHoc) -> None:
    source = "query owed(t: Tenant) -> [Money] { select i.amount from i: Invoice where i.payer == t, i.paid == false }"
    assert ask(lease, desk, source, "ada") == [["850.00"]]


def test_names_of_other_modules_need_no_use_and_private_ones_stay_private(tmp_path: Path, desk: AdHoc) -> None:
    text = "mod other;\npub type Thing { name: String }\npub rel other_of(a: Thing, b: Thing);\n"
    other = """\
use super::{Thing, other_of};
fact Thing(lamp) { name: "Lamp" };
fact Thing(desk) { name: "Desk" };
fact other_of(lamp, desk);
fn secret(n: Int) -> Int = n;
"""
    project = Project.open(package(tmp_path, text, MANIFEST, other=other))
    assert ask(project, desk, "select t.name from t: Thing where t == lamp") == [["Lamp"]]
    assert ask(project, desk, "select t.name from t: Thing, other_of(t, lamp)") == []
    assert refused(project, desk, "select secret(1) from t: Thing") == [("OE0101", 0, 7)]


def test_steps_that_only_the_text_takes_are_evaluated(lease: Project, desk: AdHoc) -> None:
    rows = ask(lease, desk, "select g.name from g: Person, g.guarantees+(ada) order by g.name")
    assert rows == [["Cleo"], ["Dora"]]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("select t.nam from t: Tenant", [("OE0225", 0, 9)]),
        ("select t.name\nfrom t: Tennant", [("OE0101", 1, 8)]),
        ("query q(t: Tenant) -> [Int] { select t.name from t: Tenant }", [("OE0202", 0, 37)]),
        ("select t.name from t: Tenant where t.name ==", [("OE0001", 1, 0)]),
    ],
)
def test_what_a_gate_refuses_is_told_at_its_place_in_the_text(
    lease: Project, desk: AdHoc, source: str, found: list[tuple[str, int, int]]
) -> None:
    told = refused(lease, desk, source)
    assert [(code, line) for code, line, _ in told] == [
        (code, min(line, source.count("\n"))) for code, line, _ in found
    ]
    if found[0][0] != "OE0001":
        assert told == found


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        (
            'select t from t: Tenant } fact Tenant(zed) { name: "Z" }; query z() -> [Top] { select t from t: Tenant',
            "query",
        ),
        ('fact Tenant(zed) { name: "Z" };', "query"),
        ("derive x(t: Tenant) :- t: Tenant;", "query"),
        ("mutate m() { } mutate n() { }", "mutate"),
        ("query q() -> overdue; query r() -> overdue;", "query"),
        ("query q() -> overdue;", "mutate"),
        ("mutate q() { }", "query"),
        ("", "query"),
        ("}", "mutate"),
        ("\x00", "query"),
        ("(" * 5000, "query"),
    ],
)
def test_nothing_but_one_query_or_mutation_is_taken(lease: Project, desk: AdHoc, source: str, kind: Any) -> None:
    refused(lease, desk, source, kind)
    assert ask(lease, desk, "select t.name from t: Tenant order by t.name") == [["Ada"], ["Ben"]]


def test_statements_run_through_gates_and_guard(lease: Project, desk: AdHoc, tmp_path: Path) -> None:
    project = Project.open(copy("lease", tmp_path / "lease"))
    writing = project.runtime(writes=True)

    def run(source: str, *given: Any) -> Any:
        snippet = desk.compile(project.inputs(), source, "mutate")
        return replace(writing, served=snippet.served_with(writing.served)).run(snippet.mutation(), given)

    made = run("insert lets(ben, loft) { rent: 700.00, start: today() };")
    assert [event.fact for event in made.events][:1] == ["lets(ben, loft)"]
    assert run("mutate double(n: Int) -> Int { return n * 2; }", 4).result == 8
    for source, code in [
        ("insert lets(ben, garden_flat) { rent: 700.00, start: today() };", "ARGON_RUNTIME_CHECK_VIOLATION"),
        ("require 1 > 2;", "ARGON_RUNTIME_WRITE_REFUSED"),
    ]:
        with pytest.raises(ArgonError) as caught:
            run(source)
        assert caught.value.code == code
    assert writing.store.snapshot().head == 2


def test_an_edit_of_the_package_is_seen_by_the_next_text(tmp_path: Path, desk: AdHoc) -> None:
    project = Project.open(copy("lease", tmp_path / "lease"))
    assert refused(project, desk, "select t.phone from t: Tenant")[0][0] == "OE0225"
    path = project.root.root / "parties.ar"
    path.write_text(path.read_text().replace("name: String,", "name: String,\n    phone: String?,", 1))
    assert desk.compile(project.inputs(), "select t.phone from t: Tenant", "query").query().columns[0][0] == "phone"


def test_a_package_with_errors_takes_no_text(tmp_path: Path, desk: AdHoc) -> None:
    project = Project.open(package(tmp_path, "pub type A { b: Nope }\npub type C;\n"))
    with pytest.raises(ArgonError) as caught:
        desk.compile(project.inputs(), "select c from c: C", "query")
    assert caught.value.code == "DIRTY_WORKSPACE"
