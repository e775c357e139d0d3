"""An agent's loops, by a script that knows the tools and sees their answers alone.

It edits files as an agent does with an editor of its own; everything else that it knows it was told by a tool.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from argon_lang.text import LineIndex
from tests.support.mcp_client import Client
from tests.support.served_packages import lease, package, save

BYTES = Path(__file__).with_name("loop_bytes.json")
MORE = 1.1
"""How much longer an answer may be than the one on record."""

FAULTS = """\
use std::core::{Diagnostic, Severity};
use self::stock::{Shelf};

mod stock;

pub type Person { name: String, born: Date }
pub type Book {
    title: String,
    pages: Int,
    lent: Bool = false,
}
pub enum Colour { Red, Green, Blue }

fact Person(ann) { name: "Ann", born: #2000-01-01# };
fact Book(dune) { title: "Dune", pages: 600 };

pub rel has(who: Person, what: Book);
fact has(ann, dune);

pub derive reader(p: Person) :- haz(p, _);
pub derive thick(b: Book) :- b: Book, b.page > 500;
long(b: Book) :- thick(b);
pub derive old(p: Person) :- p: Persn, p.born < #1950-01-01#;

pub query readers() -> [String] { select p.nme from p: Person where reader(p) order by p.name }
pub query thick_books() -> thikc;
pub query all() -> [Book] { select * from Book }

pub fn mix(c: Colour) -> Int = match c { Colour::Red => 1, Colour::Green => 2 };
pub mutate lend(b: Book) { update b set { lent = true }; }

check titled(b: Book) :- b: Book, b.title = "" => Diagnostic { severity: Severity::Eror, message: "no title" };
"""
"""A package with a fault in each of: a predicate's, a type's, a head's and two fields' names, a rule without `derive`,
`select *`, a `match` without an arm, a field that may not change, `=` for `==`, a variant's name, an unused import."""
STOCK = "pub type Shelf { label: String }\n"


def repaired(agent: Client, root: Path) -> int:
    """Check and mend until no error and no warning stands; how many rounds that took."""
    for number in range(1, 10):
        found = agent.call("argon_check")
        if not found["diagnostics"]:
            return number
        texts = {path.name: path.read_text("utf-8") for path in root.glob("*.ar")}
        mended = {file: mend(text, found["diagnostics"], file) for file, text in texts.items()}
        assert mended != texts, found["diagnostics"]
        overlay = [{"path": file, "text": text} for file, text in mended.items()]
        tried = agent.call("argon_check", overlay=overlay)
        assert tried["inputsDigest"] != found["inputsDigest"]
        for file, text in mended.items():
            save(root / file, text)
    raise AssertionError("it is never mended")


def mend(text: str, diagnostics: list[Any], file: str) -> str:
    """A file after the first fix that each diagnostic offers, and what the help of those without any says."""
    index, edits = LineIndex(text), []
    for each in diagnostics:
        for edit in each["fixes"][0]["edits"] if each["fixes"] else ():
            span = edit["span"]
            if span["file"] == file:
                start, end = (
                    index.offset(span[at]["line"], span[at]["character"], "utf-16") for at in ("start", "end")
                )
                edits.append((start, end, edit["text"]))
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    for name in re.findall(r"declare it `mut (\w+)`", json.dumps([each["help"] for each in diagnostics])):
        text = re.sub(rf"(?m)^(\s+){name}:", rf"\1mut {name}:", text)
    return text


def test_a_package_of_a_dozen_faults_is_repaired_by_what_the_answers_say(tmp_path: Path) -> None:
    root = package(tmp_path, FAULTS, stock=STOCK)
    with Client(root) as agent:
        first = agent.call("argon_check")
        assert len(first["diagnostics"]) >= 10
        assert len(first["diagnosticCodes"]) >= 6
        for code in first["diagnosticCodes"]:
            assert agent.call("argon_explain_code", code=code)["fix"]
        assert repaired(agent, root) <= 6
        assert agent.call("argon_build")["ok"]
        assert [row["values"] for row in agent.call("argon_query", name="readers")["rows"]] == [["Ann"]]
        assert agent.call("argon_query", name="thick_books")["rowCount"] == 1
        assert agent.call("argon_mutate", name="lend", args={"b": "dune"})["committed"]


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with Client(lease(tmp_path_factory.mktemp("loops")), "--allow-promote") as found:
        found.call("argon_build")
        yield found


@pytest.mark.parametrize(
    "fact",
    ["guarantees(ben, dora)", "called_upon(ben)", "answers_for(ben, ada)", "overdue(april)", "lets(ben, loft)"],
)
def test_an_absence_is_diagnosed_down_to_a_change_that_would_bring_it_about(fact: str, agent: Client) -> None:
    before = agent.call("argon_status")["generation"]
    found = agent.call("argon_explain_fact", fact=fact, suggest=3)
    assert not found["derived"]
    (root,) = [node for node in found["whyNot"]["nodes"] if node["id"] == found["whyNot"]["rootId"]]
    assert root["kind"] == "absent"
    change = found["suggestions"][0]
    tried = agent.call(
        "argon_ad_hoc_mutate",
        source=change["source"],
        args=change.get("args", {}),
        dryRun=True,
        includeDerivedDelta=True,
    )
    assert "error" not in tried, tried
    added = [each for delta in tried["derivedDelta"].values() for each in delta["added"]]
    recorded = [event["fact"] for event in tried["events"]]
    assert any(fact in each for each in added + recorded), (added, recorded)
    assert agent.call("argon_status")["generation"] == before, "a person has not confirmed it yet"


def test_three_writes_are_audited_without_being_done(agent: Client) -> None:
    before = agent.call("argon_status")["generation"]
    assert agent.call("argon_checks_current")["clean"]
    audited = {}
    for name, given in (
        ("pay", {"i": "march"}),
        ("move_in", {"t": "ben", "unit": "garden_flat", "rent": "700"}),
        ("pay", {"i": "april"}),
    ):
        params = agent.call("argon_schema_lookup", name=name)["declaration"]["params"]
        assert [each["name"] for each in params] == list(given)
        audited[name, *given.values()] = agent.call(
            "argon_mutate", name=name, args=given, dryRun=True, includeDerivedDelta=True
        )
    accepted, collides, refused = audited.values()
    assert [each for delta in accepted["derivedDelta"].values() for each in delta["removed"]]
    assert collides["error"]["code"] == "ARGON_RUNTIME_CHECK_VIOLATION"
    (violation,) = collides["error"]["details"]["violations"]
    assert violation["check"].endswith("one_tenant_per_flat")
    assert {"ben", "ada"} <= set(re.findall(r"\w+", json.dumps(violation["nodes"])))
    assert refused["error"]["code"] == "ARGON_RUNTIME_WRITE_REFUSED"
    assert "argon_explain_code" in refused["nextStep"]
    assert agent.call("argon_status")["generation"] == before


def test_one_fork_is_promoted_and_two_are_refused(tmp_path: Path) -> None:
    with Client(lease(tmp_path), "--allow-promote") as agent:
        agent.call("argon_build")
        forks = [agent.call("argon_fork_create", name=name)["fork"]["fork"] for name in ("first", "second")]
        for fork in forks:
            assert agent.call("argon_fork_mutate", fork=fork, name="pay", args={"i": "march"})["committed"]
            assert agent.call("argon_fork_query", fork=fork, name="late_payers")["rowCount"] == 0
        assert agent.call("argon_query", name="late_payers")["rowCount"] == 1
        hashes = [agent.call("argon_fork_diff", fork=fork)["diffHash"] for fork in forks]
        wrong = agent.failure("argon_fork_promote", fork=forks[0], expectDiffHash=hashes[0][::-1])
        assert wrong["code"] == "ARGON_RUNTIME_VALIDATION_FAILED"
        promoted = agent.call("argon_fork_promote", fork=forks[0], expectDiffHash=hashes[0])
        assert promoted["promotedTo"] == promoted["tx"]
        assert agent.call("argon_query", name="late_payers")["rowCount"] == 0
        now = agent.call("argon_fork_diff", fork=forks[1])
        assert now["conflicts"]
        refused = agent.call("argon_fork_promote", fork=forks[1], expectDiffHash=now["diffHash"])
        assert refused["error"]["code"] == "ARGON_RUNTIME_FORK_CONFLICT"
        assert "argon_fork_diff" in refused["nextStep"]


def test_promoting_needs_a_server_that_allows_it(tmp_path: Path) -> None:
    with Client(lease(tmp_path)) as agent:
        live = {each["name"]: each for each in agent.call("argon_status")["tools"]}
        assert live["argon_fork_promote"] == {"name": "argon_fork_promote", "live": False, "why": "--allow-promote"}
        fork = agent.call("argon_fork_create", name="trial")["fork"]["fork"]
        refused = agent.call("argon_fork_promote", fork=fork, expectDiffHash="0")
        assert refused["capabilityRequired"] == "promote"
        assert "capabilityRequired" in refused["nextStep"]


# -- what it costs to read ---------------------------------------------------------------------------------------------

LOOP: tuple[tuple[str, dict[str, Any]], ...] = (
    ("argon_status", {}),
    ("argon_check", {"overlay": [{"path": "root.ar", "text": "pub derive late(t: Tenant) :- in_arears(t);\n"}]}),
    ("argon_check", {}),
    ("argon_build", {}),
    ("argon_test", {}),
    ("argon_query", {"name": "late_payers"}),
    ("argon_derive", {"head": "called_upon"}),
    ("argon_explain_fact", {"fact": "called_upon(dora)"}),
    ("argon_explain_fact", {"fact": "in_arrears(ben)", "suggest": 3}),
    ("argon_checks_current", {}),
    ("argon_mutate", {"name": "pay", "args": {"i": "march"}, "dryRun": True, "includeDerivedDelta": True}),
    ("argon_mutate", {"name": "move_in", "args": {"t": "ben", "unit": "garden_flat", "rent": "9"}}),
    ("argon_mutate", {"name": "pay", "args": {"i": "march"}}),
    ("argon_explain_code", {"code": "OE0101"}),
)
"""The loop of an agent on the lease example, one call after the other."""


def measured(client: Client) -> list[dict[str, Any]]:
    """The bytes of each answer of the loop, as data and as text: a client shows its model one of them."""
    rows = []
    for tool, given in LOOP:
        result = client.result(tool, **given)
        data = len(json.dumps(result["structuredContent"], ensure_ascii=False, separators=(",", ":")).encode())
        rows.append({"tool": tool, "data": data, "text": len(result["content"][0]["text"].encode())})
    return rows


def test_no_answer_of_the_loop_is_longer_than_the_one_on_record(tmp_path: Path) -> None:
    known = json.loads(BYTES.read_text("utf-8"))
    with Client(lease(tmp_path)) as client:
        found = measured(client)
    assert [row["tool"] for row in found] == [row["tool"] for row in known]
    for now, then in zip(found, known, strict=True):
        assert now["data"] <= then["data"] * MORE, (now, then)
        assert now["text"] <= then["text"] * MORE, (now, then)
