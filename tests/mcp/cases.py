"""Calls of every tool on the lease example, in an order that works: what goes well, what is refused, what cannot run.

`$fork`, `$diffHash` and `$nodeId` stand for what an earlier answer said. The generated page of the tools shows the
first case of each, executed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Json = Any
HAPPY, DOMAIN, ERROR = "happy", "domain", "error"
PINNED = "2100-01-01"
"""Valid time of reads whose answer should not depend on the day."""


@dataclass(frozen=True)
class Case:
    """One call: how it ends, and fields that its structured result must have with these values."""

    tool: str
    outcome: str
    given: dict[str, Json]
    has: dict[str, Json]

    def __str__(self) -> str:
        return f"{self.tool}: {self.outcome}, {json.dumps(self.given, ensure_ascii=False)[:60]}"


@dataclass(frozen=True)
class Edit:
    """The package is changed between two calls."""

    file: str
    old: str
    new: str


def happy(tool: str, given: dict[str, Json] | None = None, **has: Json) -> Case:
    """A call that goes well."""
    return Case(f"argon_{tool}", HAPPY, given or {}, has)


def domain(tool: str, given: dict[str, Json] | None = None, **has: Json) -> Case:
    """A call whose answer is a refusal of the domain, or that there is nothing."""
    return Case(f"argon_{tool}", DOMAIN, given or {}, has)


def error(tool: str, code: str, given: dict[str, Json]) -> Case:
    """A call that cannot run."""
    return Case(f"argon_{tool}", ERROR, given, {"error.code": code})


INVALID, NOT_FOUND = "MCP-INVALID-INPUT", "ARGON_RUNTIME_NOT_FOUND"
TYPO = Edit("root.ar", "in_arrears(t),", "in_arears(t),")
NOTHING = {"nonsense": 1}
TAKEN = {"t": "ben", "unit": "garden_flat", "rent": "9"}

CASES: tuple[Case | Edit, ...] = (
    happy("status", sourceDirty=True, nextStep="argon_check, then argon_build"),
    happy("check", ok=True, nextStep="argon_build"),
    domain("check", {"overlay": [{"path": "root.ar", "text": "pub type P { n: Nope }\n"}]}, ok=False),
    error("check", "MCP-PATH-OUTSIDE-PROJECT", {"filePaths": ["../elsewhere.ar"]}),
    domain("check", {"filePaths": ["nothing.ar"]}, **{"error.code": "ARGON_INPUT_UNREADABLE"}),
    happy("build", ok=True, reloaded=True),
    happy("status", sourceDirty=False),
    error("status", INVALID, NOTHING),
    happy("test", compiled=True, failed=0),
    domain("test", {"pattern": "no test has this in its name"}, tests=[]),
    error("test", INVALID, {"run": "yes"}),
    happy("query", {"name": "late_payers", "asOf": PINNED}, rowCount=1),
    domain("query", {"name": "reminders", "args": {"t": "ben"}, "asOf": PINNED}, rowCount=0),
    error("query", NOT_FOUND, {"name": "nothing"}),
    error("query", "ARGON_RUNTIME_SIGNATURE_MISMATCH", {"name": "late_payers", "args": {"x": 1}}),
    error("query", "ARGON_RUNTIME_VALIDATION_FAILED", {"name": "late_payers", "asOf": "yesterday"}),
    error("query", "ARGON_RUNTIME_INVALID_CURSOR", {"name": "late_payers", "page": {"size": 1, "cursor": "x"}}),
    happy(
        "ad_hoc_query",
        {"source": "select p.name from p: Tenant", "asOf": PINNED},
        hidden={"can": 0, "both": 0, "not": 0},
    ),
    domain("ad_hoc_query", {"source": 'select p.name from p: Tenant where p.name == "Zoe"'}, rowCount=0),
    error("ad_hoc_query", "ARGON_RUNTIME_VALIDATION_FAILED", {"source": "select p.nme from p: Tenant"}),
    happy("derive", {"head": "in_arrears", "asOf": PINNED}, rowCount=1),
    domain("derive", {"head": "one_tenant_per_flat"}, rowCount=0),
    error("derive", NOT_FOUND, {"head": "in_arears"}),
    happy("scenario_run", {"heads": ["answers_for", "called_upon"], "asOf": PINNED}),
    domain("scenario_run", {"heads": ["one_tenant_per_flat"]}, factsDerived=0),
    error("scenario_run", NOT_FOUND, {"heads": ["nothing"]}),
    happy("explain_fact", {"fact": "called_upon(dora)", "maxDepth": 2, "asOf": PINNED}, derived=True, truth4="Is"),
    happy("expand_proof", {"nodeId": "$nodeId", "maxDepth": 2, "asOf": PINNED}, derived=True),
    domain("explain_fact", {"fact": "in_arrears(ben)", "suggest": 2, "asOf": PINNED}, derived=False),
    error("explain_fact", NOT_FOUND, {"fact": "in_arrears(nobody)"}),
    domain("expand_proof", {"fact": "in_arrears(ben)"}, derived=False),
    error("expand_proof", INVALID, {}),
    happy("why", {"asOf": PINNED}, clean=True),
    domain("why", {"check": "one_tenant_per_flat"}, violations=[]),
    error("why", NOT_FOUND, {"check": "nothing"}),
    happy("checks_current", {"asOf": PINNED}, clean=True),
    domain("checks_current", {"check": "one_tenant_per_flat"}, violations=[]),
    error("checks_current", NOT_FOUND, {"check": "nothing"}),
    happy("compute", {"fn": "late_fee", "args": {"amount": "1000", "days_late": 20}}),
    domain("compute", {"fn": "late_fee", "args": {"amount": "1000", "days_late": 2}}),
    error("compute", "ARGON_RUNTIME_SIGNATURE_MISMATCH", {"fn": "late_fee", "args": {}}),
    happy("schema_lookup", {"name": "Invoice"}),
    domain("schema_lookup", {"name": "in_arrears"}),
    error("schema_lookup", NOT_FOUND, {"name": "Nope"}),
    happy("epistemics"),
    domain("epistemics", {"construct": "tiers"}),
    error("epistemics", NOT_FOUND, {"construct": "nothing"}),
    happy(
        "mutate",
        {"name": "pay", "args": {"i": "march"}, "dryRun": True, "includeDerivedDelta": True},
        committed=False,
        dryRun=True,
    ),
    domain("mutate", {"name": "move_in", "args": TAKEN}, **{"error.code": "ARGON_RUNTIME_CHECK_VIOLATION"}),
    error("mutate", "ARGON_RUNTIME_VALIDATION_FAILED", {"name": "pay", "args": {"i": "march"}, "asOf": PINNED}),
    happy("ad_hoc_mutate", {"source": "update march set { paid = true };", "dryRun": True}, committed=False),
    domain("ad_hoc_mutate", {"source": "require march.paid;"}, **{"error.code": "ARGON_RUNTIME_WRITE_REFUSED"}),
    error("ad_hoc_mutate", "ARGON_RUNTIME_VALIDATION_FAILED", {"source": "update march set { payd = true };"}),
    happy("batch", {"steps": [{"name": "pay", "args": {"i": "march"}}], "dryRun": True}, committed=False),
    domain(
        "batch",
        {"steps": [{"name": "pay", "args": {"i": "march"}}, {"name": "move_in", "args": TAKEN}]},
        **{"error.code": "ARGON_RUNTIME_CHECK_VIOLATION"},
    ),
    error("batch", NOT_FOUND, {"steps": [{"name": "nothing"}]}),
    happy("fork_create", {"name": "trial"}),
    domain("fork_create", {"name": "inside", "fork": "f-none"}, **{"error.code": "ARGON_RUNTIME_FORK_NOT_FOUND"}),
    error("fork_create", INVALID, {"name": ""}),
    happy("fork_mutate", {"fork": "$fork", "name": "pay", "args": {"i": "march"}}, committed=True),
    domain("fork_mutate", {"fork": "$fork", "name": "move_in", "args": TAKEN}, committed=None),
    error("fork_mutate", NOT_FOUND, {"fork": "$fork", "name": "nothing"}),
    happy("fork_query", {"fork": "$fork", "name": "late_payers", "asOf": PINNED}, rowCount=0),
    domain("fork_query", {"fork": "f-none", "name": "late_payers"}, **{"error.code": "ARGON_RUNTIME_FORK_NOT_FOUND"}),
    error("fork_query", NOT_FOUND, {"fork": "$fork", "name": "nothing"}),
    happy("fork_derive", {"fork": "$fork", "head": "answers_for", "asOf": PINNED}),
    domain("fork_derive", {"fork": "$fork", "head": "in_arrears", "asOf": PINNED}, rowCount=0),
    error("fork_derive", NOT_FOUND, {"fork": "$fork", "head": "nothing"}),
    happy("fork_explain", {"fork": "$fork", "fact": "in_arrears(ada)", "asOf": PINNED}, derived=False),
    domain("fork_explain", {"fork": "f-none", "fact": "in_arrears(ada)"}, derived=None),
    error("fork_explain", NOT_FOUND, {"fork": "$fork", "fact": "nothing(ada)"}),
    happy("fork_diff", {"fork": "$fork"}, conflicts=[]),
    domain("fork_diff", {"fork": "f-none"}, **{"error.code": "ARGON_RUNTIME_FORK_NOT_FOUND"}),
    error("fork_diff", INVALID, {}),
    happy("fork_promote", {"fork": "$fork", "expectDiffHash": "$diffHash", "dryRun": True}, committed=False),
    domain("fork_promote", {"fork": "f-none", "expectDiffHash": "0"}, **{"error.code": "ARGON_RUNTIME_FORK_NOT_FOUND"}),
    error("fork_promote", "ARGON_RUNTIME_VALIDATION_FAILED", {"fork": "$fork", "expectDiffHash": "0" * 64}),
    happy("fork_abort", {"fork": "$fork"}),
    domain("fork_abort", {"fork": "$fork"}, **{"error.code": "ARGON_RUNTIME_FORK_NOT_FOUND"}),
    error("fork_abort", INVALID, NOTHING),
    happy("parse_source", {"source": "pub type Person { name: String }\n"}, diagnostics=[]),
    domain("parse_source", {"source": "pub type Person { name: }\n"}),
    error("parse_source", INVALID, {}),
    happy("format_source", {"source": "pub type   Person{name:String}\n"}, changed=True),
    domain("format_source", {"source": "pub type Person { name: String }\n"}, changed=False),
    error("format_source", INVALID, {"source": "", "filePath": "root.ar"}),
    happy("lookup_symbol", {"query": "late"}),
    domain("lookup_symbol", {"query": "zzzz"}, symbols=[]),
    error("lookup_symbol", INVALID, {"query": 7}),
    happy("find_references", {"query": "in_arrears"}),
    domain("find_references", {"query": "backers_called"}, **{"error.code": None}),
    error("find_references", NOT_FOUND, {"query": "nothing"}),
    happy("list_imports", {"filePath": "root.ar"}),
    domain("list_imports", {"source": "use nowhere::Nobody;\n"}),
    error("list_imports", "MCP-PATH-OUTSIDE-PROJECT", {"filePath": "../x.ar"}),
    happy("rename_symbol", {"symbol": "late_fee", "newName": "fee_for_delay"}),
    domain("rename_symbol", {"symbol": "late_fee", "newName": "in_arrears"}, diff=None),
    error("rename_symbol", INVALID, {"newName": "x"}),
    happy("explain_code", {"code": "OE0101"}, name="UnresolvedName"),
    domain("explain_code", {"code": "1317"}, code="OE1317"),
    error("explain_code", NOT_FOUND, {"code": "OE9999"}),
    TYPO,
    domain("status", sourceDirty=True),
    domain("build", ok=False, wroteOxbin=False),
    error("build", INVALID, {"force": "no"}),
    domain("query", {"name": "late_payers"}, **{"error.code": "DIRTY_WORKSPACE"}),
    domain("test", {"run": False}, **{"error.code": "DIRTY_WORKSPACE"}),
    domain("mutate", {"name": "pay", "args": {"i": "march"}}, **{"error.code": "DIRTY_WORKSPACE"}),
)


def played(root: Path, call: Callable[[str, dict[str, Json]], Json]) -> Iterator[tuple[Case, Json]]:
    """Each case with its result, in order. `call` gives the result of one call, as the protocol has it."""
    known: dict[str, str] = {}
    for step in CASES:
        if isinstance(step, Edit):
            path = root / step.file
            text = path.read_text("utf-8")
            assert step.old in text
            path.write_text(text.replace(step.old, step.new), encoding="utf-8")
            continue
        given = {key: known.get(value, value) if isinstance(value, str) else value for key, value in step.given.items()}
        result = call(step.tool, given)
        _learn(known, result["structuredContent"])
        yield step, result


def _learn(known: dict[str, str], body: Json) -> None:
    if isinstance(body.get("fork"), dict):
        known["$fork"] = body["fork"]["fork"]
    if "diffHash" in body:
        known["$diffHash"] = body["diffHash"]
    tree = body.get("tree")
    if isinstance(tree, dict) and (folded := [node["id"] for node in tree["nodes"] if node.get("folded")]):
        known["$nodeId"] = folded[0]


def at(body: Json, path: str) -> Json:
    """The value at a path with dots; None where there is none."""
    for step in path.split("."):
        body = body.get(step) if isinstance(body, dict) else None
    return body
