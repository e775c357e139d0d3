"""One question, one answer: the command line, the MCP server and the language server agree on the saved state.

Each row of the tables is a question; it is asked through every surface that has it. What only one surface adds (a
place's source line, a truth value beside a row that holds) is set aside, the rest must be equal. A new question of a
second surface gets its row here.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.lsp_client import Client as Editor
from tests.support.lsp_client import at
from tests.support.mcp_client import Client as Agent
from tests.support.served_packages import lease, save

Json = Any
PINNED = "2100-01-01"
"""The valid time of every read: one instant for two answers, and later than whatever is written here."""

RESTS_ON = ("moduleHash", "storeId", "generation", "view", "asOf")

MISTAKES = (
    ("root.ar", "in_arrears(t),", "in_arears(t),"),
    ("world.ar", 'name: "Ben"', "name: 5"),
    ("parties.ar", "Inner,", "Inner,\n    Inner,"),
)
"""Texts to spoil, each in a file of its own."""


class Surfaces:
    """The lease example, with an agent's server and an editor's server on it, and the terminal beside."""

    def __init__(self, root: Path, agent: Agent, editor: Editor) -> None:
        self.root, self.agent, self.editor = root, agent, editor

    def terminal(self, *words: str) -> Json:
        """What a command answers with `--json`."""
        command = [sys.executable, "-m", "argon_lang", words[0], "--json", "--project", str(self.root), *words[1:]]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode in (0, 1), done.stderr
        return json.loads(done.stdout)

    def uri(self, file: str) -> str:
        return (self.root / file).as_uri()

    def open(self, file: str) -> str:
        text = (self.root / file).read_text("utf-8")
        self.editor.open(self.uri(file), text)
        return text


@pytest.fixture(scope="module")
def surfaces(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Surfaces]:
    root = lease(tmp_path_factory.mktemp("parity"))
    with Agent(root) as agent, Editor() as editor:
        editor.initialize(root)
        agent.call("argon_build")
        agent.call("argon_mutate", name="bill", args={"t": "ben", "amount": "120.00", "due": "2026-04-20"})
        yield Surfaces(root, agent, editor)


def rows(answer: Json) -> Json:
    shared = ("columns", "rowCount", "hidden", *RESTS_ON)
    return {key: answer[key] for key in shared} | {"values": [row["values"] for row in answer["rows"]]}


def proof(answer: Json) -> Json:
    tree = answer.get("tree") or answer.get("whyNot") or {key: answer[key] for key in ("rootId", "nodes")}
    return {key: answer[key] for key in ("fact", "derived", *RESTS_ON)} | {"truth4": answer.get("truth4"), **tree}


@pytest.mark.parametrize(
    ("name", "args"),
    [("late_payers", {}), ("backers_called", {}), ("reminders", {"t": "ada"}), ("reminders", {"t": "ben"})],
)
def test_rows_of_a_query(surfaces: Surfaces, name: str, args: dict[str, str]) -> None:
    words = [f"{key}={value}" for key, value in args.items()]
    told = surfaces.agent.call("argon_query", name=name, args=args, asOf=PINNED)
    assert rows(told) == rows(surfaces.terminal("query", name, *words, "--as-of", PINNED))


@pytest.mark.parametrize("head", ["in_arrears", "answers_for", "Tenant", "lets", "one_tenant_per_flat"])
def test_rows_of_a_head(surfaces: Surfaces, head: str) -> None:
    told = surfaces.agent.call("argon_derive", head=head, asOf=PINNED)
    assert rows(told) == rows(surfaces.terminal("derive", head, "--as-of", PINNED))


@pytest.mark.parametrize(
    "fact", ["in_arrears(ben)", "called_upon(dora)", "called_upon(ben)", "overdue(april)", 'ada.name == "Ada"']
)
def test_a_proof_or_why_there_is_none(surfaces: Surfaces, fact: str) -> None:
    told = surfaces.agent.call("argon_explain_fact", fact=fact, maxDepth=6, asOf=PINNED)
    assert proof(told) == proof(surfaces.terminal("explain-fact", fact, "--depth", "6", "--as-of", PINNED))


@pytest.mark.parametrize(
    ("tool", "given", "words"),
    [
        ("argon_query", {"name": "late_payer"}, ("query", "late_payer")),
        ("argon_derive", {"head": "arrears"}, ("derive", "arrears")),
        ("argon_query", {"name": "reminders", "args": {"t": "march"}}, ("query", "reminders", "march")),
        ("argon_query", {"name": "reminders"}, ("query", "reminders")),
        ("argon_explain_fact", {"fact": "what?"}, ("explain-fact", "what?")),
        ("argon_query", {"name": "late_payers", "asOf": "soon"}, ("query", "late_payers", "--as-of", "soon")),
        ("argon_mutate", {"name": "pay", "args": {"i": "april"}}, ("mutate", "pay", "april")),
        (
            "argon_mutate",
            {"name": "move_in", "args": {"t": "ben", "unit": "garden_flat", "rent": "7"}},
            ("mutate", "move_in", "ben", "garden_flat", "7"),
        ),
    ],
)
def test_a_refusal(surfaces: Surfaces, tool: str, given: Json, words: tuple[str, ...]) -> None:
    told = surfaces.agent.result(tool, **given)["structuredContent"]["error"]
    said = surfaces.terminal(*words)["error"]
    assert (told["code"], told["message"], told.get("help")) == (said["code"], said["message"], said.get("help"))


def test_a_trial_of_a_write(surfaces: Surfaces) -> None:
    told = surfaces.agent.call(
        "argon_mutate", name="pay", args={"i": "march"}, dryRun=True, includeDerivedDelta=True, principal="user:ada"
    )
    said = surfaces.terminal("mutate", "pay", "march", "--dry-run", "--delta", "--principal", "user:ada")
    for answer in (told, said):
        assert [(each["op"], each["fact"]) for each in answer["events"]] == [
            ("close", "march.paid == false"),
            ("assert", "march.paid == true"),
        ]
    shared = ("dryRun", "generation", "storeId", "derivedDelta", "moduleHash")
    assert {key: told[key] for key in shared} == {key: said[key] for key in shared}


def test_where_things_stand(surfaces: Surfaces) -> None:
    told, said = surfaces.agent.call("argon_status"), surfaces.terminal("status")
    assert told["project"]["root"] == said["project"]["root"]
    assert told["artifact"]["onDiskHash"] == said["artifact"]["moduleHash"]
    assert (told["storeId"], told["generation"], told["store"]["tx"]) == (
        said["store"]["id"],
        said["store"]["generation"],
        said["store"]["tx"],
    )
    assert (told["sourceDirty"], told["inputsDigest"]) == (said["sourceDirty"], said["inputsDigest"])


@pytest.mark.parametrize("code", ["OE0101", "1303", "UnusedImport", "ARGON_RUNTIME_NOT_FOUND"])
def test_what_a_code_means(surfaces: Surfaces, code: str) -> None:
    told = surfaces.agent.call("argon_explain_code", code=code)
    done = subprocess.run(
        [sys.executable, "-m", "argon_lang", "explain", code, "--json"], capture_output=True, text=True, check=True
    )
    said = json.loads(done.stdout)
    same = ("code", "name", "severity", "title", "message", "what", "why", "example", "fix")
    assert {key: told[key] for key in same} == {key: said[key] for key in same}


# -- the program, in the editor too ---------------------------------------------------------------------------------


def of_editor(found: list[Json]) -> list[Json]:
    severities = {1: "error", 2: "warning", 3: "info"}
    return [
        {
            "code": each["code"],
            "severity": severities[each["severity"]],
            "start": each["range"]["start"],
            "end": each["range"]["end"],
        }
        for each in found
    ]


def of_report(report: Json, file: str) -> list[Json]:
    return [
        {
            "code": each["code"],
            "severity": each["severity"],
            "start": each["span"]["start"],
            "end": each["span"]["end"],
        }
        for each in report["diagnostics"]
        if each["span"]["file"] == file
    ]


def test_diagnostics(surfaces: Surfaces) -> None:
    saved = {file: (surfaces.root / file).read_text("utf-8") for file, _, _ in MISTAKES}
    try:
        for file, right, wrong in MISTAKES:
            assert right in saved[file]
            save(surfaces.root / file, saved[file].replace(right, wrong, 1))
        said, told = surfaces.terminal("check"), surfaces.agent.call("argon_check")
        assert told["inputsDigest"] == said["inputsDigest"]
        assert told["summary"] == said["summary"]
        plain = [{key: value for key, value in each.items() if key != "sourceLine"} for each in told["diagnostics"]]
        assert plain == said["diagnostics"]
        assert {each["span"]["file"] for each in plain} == {file for file, _, _ in MISTAKES}
        for file, _, _ in MISTAKES:
            surfaces.open(file)
        for file, _, _ in MISTAKES:
            wanted = of_report(said, file)
            surfaces.editor.codes_until(surfaces.uri(file), [each["code"] for each in wanted])
            assert of_editor(surfaces.editor.diagnostics(surfaces.uri(file))) == wanted
            messages = {each["message"].partition("\n")[0] for each in surfaces.editor.diagnostics(surfaces.uri(file))}
            assert {each["message"] for each in said["diagnostics"] if each["span"]["file"] == file} == messages
    finally:
        for file, text in saved.items():
            save(surfaces.root / file, text)
            surfaces.editor.close(surfaces.uri(file))


def test_a_proof_points_to_where_the_editor_finds_the_rule(surfaces: Surfaces) -> None:
    """The clause that a proof names is the declaration that the editor goes to from its use."""
    told = surfaces.agent.call("argon_explain_fact", fact="in_arrears(ben)", asOf=PINNED)
    clause = told["tree"]["nodes"][0]["derivations"][0]["source"]
    text = surfaces.open("root.ar")
    line = next(number for number, each in enumerate(text.split("\n")) if "    in_arrears(t)," in each)
    found = surfaces.editor.request("textDocument/definition", at(surfaces.uri("root.ar"), line, 5))
    place = found[0] if isinstance(found, list) else found
    span = place.get("range") or place["targetRange"]
    assert (place.get("uri") or place["targetUri"]) == surfaces.uri(clause["file"])
    assert clause["start"]["line"] <= span["start"]["line"] <= clause["end"]["line"]
    surfaces.editor.close(surfaces.uri("root.ar"))
