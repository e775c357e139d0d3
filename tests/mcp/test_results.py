"""From answers and refusals to results: what is an error, what is a result, and what is too large."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from mcp import Client
from mcp.server.lowlevel import Server

from argon_lang.errors import ArgonError
from argon_lang.problems import args
from argon_lang.session.refusals import error_body
from argon_mcp.common import parsed
from argon_mcp.handle import Refused, Reloaded, Stage
from argon_mcp.options import Options
from argon_mcp.results import COULD_NOT_RUN, refusal_of, result_of
from argon_mcp.server import Handlers, make_server
from argon_mcp.tools import check, mutate, query
from shared_catalog import load

ROWS: dict[str, Any] = {
    "schemaVersion": "1.0",
    "columns": [{"name": "p", "type": "Person"}],
    "rows": [{"values": [{"entity": "pkg::ann", "label": "ann"}]}, {"values": [{"money": "12.50"}]}],
    "rowCount": 2,
    "hidden": {"can": 0, "both": 0, "not": 1},
    "moduleHash": "m",
    "storeId": "s",
    "generation": 3,
    "view": "default",
    "asOf": {"valid": "2026-01-31T00:00:00Z"},
    "inputsDigest": "d",
    "staleArtifact": False,
    "needsBuild": False,
}


class Scripted:
    """A runtime that answers or raises what it is told to."""

    def __init__(self, outcome: dict[str, Any] | Exception) -> None:
        self.outcome = outcome
        self.asked: list[tuple[str, dict[str, Any]]] = []

    async def ask(self, question: str, given: dict[str, Any], stage: Stage) -> dict[str, Any]:
        self.asked.append((question, given))
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return json.loads(json.dumps(self.outcome))

    def on_reload(self, reloaded: Reloaded) -> None:
        raise NotImplementedError


def call(outcome: dict[str, Any] | Exception, tool: str, given: dict[str, Any], **options: Any) -> Any:
    """The result that a client of the SDK gets, in this process."""
    handlers = Handlers(Scripted(outcome), Options(**options))
    return asyncio.run(_call(make_server(handlers), tool, given))


async def _call(server: Server[Any], tool: str, given: dict[str, Any]) -> Any:
    async with Client(server) as client:
        return await client.call_tool(tool, given)


def refusal(code: str, values: tuple[tuple[str, str], ...] = (), **details: Any) -> Refused:
    return Refused(error_body(ArgonError(code, values, details=details)))


def test_rows_are_complete_as_data_and_as_text() -> None:
    found = call(ROWS, "argon_query", {"name": "q"})
    assert [row["truth4"] for row in found.structured_content["rows"]] == ["Is", "Is"]
    text = found.content[0].text
    for fact in ("2 rows (p: Person)", "- ann", "- 12.50", "hidden: 1 not", "moduleHash=m", "generation=3"):
        assert fact in text
    assert "{" not in text


def test_only_rows_that_hold_are_asked_for_without_truth_values() -> None:
    found = call(ROWS, "argon_query", {"name": "q", "projectK3": True})
    assert all("truth4" not in row for row in found.structured_content["rows"])


def test_an_answer_over_the_size_is_refused_whole_and_names_the_knob() -> None:
    found = call(ROWS, "argon_query", {"name": "q"}, max_bytes=200)
    content = found.structured_content
    assert not found.is_error
    assert content["limitExceeded"]["knob"] == "maxBytes"
    assert content["limitExceeded"]["reached"] > content["limitExceeded"]["limit"] == 200
    assert ("rows" in content, content["truncated"], content["moduleHash"]) == (False, False, "m")
    assert "page" in content["nextStep"]


def runtime_refusals() -> Iterator[tuple[str, str, bool]]:
    """Code of the runtime, code on this surface, whether the call could not run."""
    for code in sorted(load.codes()):
        if code.startswith("ARGON_RUNTIME_") and load.front(code).status == "live" and code[14:] != "INTERNAL":
            yield code, code, code in COULD_NOT_RUN
    yield "DIRTY_WORKSPACE", "DIRTY_WORKSPACE", False
    yield "NO_ARTIFACT", "NO_ARTIFACT", False
    yield "ARGON_RUNTIME_INTERNAL", "MCP-INTERNAL", True
    yield "ARGON_PROJECT_NOT_FOUND", "MCP-PROJECT-NOT-FOUND", True
    yield "ARGON_PATH_OUTSIDE_PROJECT", "MCP-PATH-OUTSIDE-PROJECT", True
    yield "ARGON_PROJECT_LOCKED", "MCP-LOCKED", True


@pytest.mark.parametrize(("theirs", "ours", "failed"), list(runtime_refusals()))
def test_each_refusal_has_its_code_and_its_flag(theirs: str, ours: str, failed: bool) -> None:
    details = {"path": "x", "waitedMs": 7, "command": "argon build", "pid": "4711"}
    body = {"code": theirs, "message": "words", "details": details, "retryable": False}
    result = refusal_of(query.TOOL, body)
    content = result.structured_content
    assert content is not None
    assert (content["error"]["code"], result.is_error) == (ours, failed)
    assert ours in content["diagnosticCodes"]
    assert ("requestId" in content) is failed
    jsonschema.validate(content, query.TOOL.output_schema)


def test_a_lock_names_its_holder() -> None:
    details = {"command": "argon build", "pid": "4711", "since": "now", "waitedMs": 10_000}
    found = call(
        Refused({"code": "ARGON_PROJECT_LOCKED", "message": "", "details": details, "retryable": True}),
        "argon_build",
        {},
    )
    assert found.structured_content["error"]["message"] == "project is locked by argon build (pid 4711)"
    assert found.structured_content["retryable"] is True


def test_a_fault_of_ours_is_an_error_and_the_next_call_is_answered() -> None:
    handle = Scripted(ValueError("no source for column 2"))
    server = make_server(Handlers(handle, Options()))

    async def twice() -> list[Any]:
        async with Client(server) as client:
            first = await client.call_tool("argon_query", {"name": "q"})
            handle.outcome = ROWS
            return [first, await client.call_tool("argon_query", {"name": "q"})]

    first, second = asyncio.run(twice())
    assert first.is_error
    assert first.structured_content["error"]["code"] == "MCP-INTERNAL"
    assert "no source for column 2" in first.structured_content["error"]["message"]
    assert not second.is_error


def test_text_that_is_no_unicode_does_not_end_the_stream() -> None:
    rows = [{"values": ["\ud800"]}]
    found = call(ROWS | {"rows": rows}, "argon_query", {"name": "q"})
    assert found.structured_content["rows"][0]["values"] == ["?"]


@pytest.mark.parametrize(
    ("tool", "given", "argument", "expected", "help_"),
    [
        (mutate.TOOL, {"name": "pay", "dryrun": True}, "dryrun", "no such argument", "did you mean `dryRun`?"),
        (mutate.TOOL, {"name": "pay", "args": []}, "args", "an object", None),
        (query.TOOL, {}, "name", "a value", None),
        (query.TOOL, {"name": 7}, "name", "a string", None),
        (query.TOOL, {"name": ""}, "name", "a text that is not empty", None),
        (query.TOOL, {"name": "q", "asOfTx": "3"}, "asOfTx", "an integer", None),
        (query.TOOL, {"name": "q", "asOfTx": -1}, "asOfTx", "0 or more", None),
        (query.TOOL, {"name": "q", "page": {"size": 0}}, "page.size", "1 or more", None),
        (query.TOOL, {"name": "q", "page": {"sise": 5, "size": 5}}, "page.sise", "no such argument", "`size`"),
        (check.TOOL, {"mode": "slow"}, "mode", "'full' or 'fast'", None),
        (check.TOOL, {"overlay": [{"path": "root.ar"}]}, "overlay.0.text", "a value", None),
    ],
)
def test_wrong_arguments_are_named_with_what_was_expected(
    tool: Any, given: dict[str, Any], argument: str, expected: str, help_: str | None
) -> None:
    with pytest.raises(Refused) as caught:
        parsed(tool.given, given)
    body = caught.value.body
    assert body["code"] == "MCP-INVALID-INPUT"
    assert body["message"].startswith(f"`{argument}`: expected {expected}, found ")
    assert help_ is None or help_ in " ".join(body["help"])


def test_an_absent_option_may_be_written_as_null() -> None:
    given = parsed(query.TOOL.given, {"name": "q", "asOf": None, "page": None, "fork": None})
    assert given.wire()["asOf"] is None


def test_the_branch_and_the_standpoint_of_a_call_are_handed_to_the_runtime() -> None:
    handle = Scripted(ROWS)
    server = make_server(Handlers(handle, Options()))
    asyncio.run(_call(server, "argon_query", {"name": "q", "fork": "trial", "standpoint": "Court"}))
    ((_, given),) = handle.asked
    assert (given["fork"], given["standpoint"]) == ("trial", "Court")


def test_a_write_happens_now_and_takes_no_other_instant() -> None:
    write = call(ROWS, "argon_mutate", {"name": "pay", "asOf": "2026-01-31"})
    assert write.structured_content["error"]["code"] == "ARGON_RUNTIME_VALIDATION_FAILED"


def test_a_write_is_by_the_agent_unless_it_says_otherwise() -> None:
    handle = Scripted(refusal("ARGON_RUNTIME_WRITE_REFUSED", args(code="OE0731", found="m")))
    server = make_server(Handlers(handle, Options()))

    async def calls() -> None:
        async with Client(server) as client:
            await client.call_tool("argon_mutate", {"name": "pay"})
            await client.call_tool("argon_mutate", {"name": "pay", "principal": "user:ada"})

    asyncio.run(calls())
    first, second = (given["principal"] for _, given in handle.asked)
    assert first.startswith("agent:")
    assert second == "user:ada"


def test_too_many_diagnostics_are_refused_with_their_count_and_codes() -> None:
    place = {"file": "root.ar", "start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}}
    one = {"code": "OE0101", "severity": "error", "message": "m", "span": place, "sourceLine": "x"}
    one |= {"related": [], "fixes": [], "help": [], "tags": []}
    answer = {
        "diagnostics": [one] * 3,
        "summary": {"errors": 3, "warnings": 0, "infos": 0},
        "inputsDigest": "d",
        "needsBuild": True,
    }
    content = call(answer, "argon_check", {"maxDiagnostics": 2}).structured_content
    assert content["limitExceeded"] == {"limit": 2, "reached": 3, "knob": "maxDiagnostics"}
    assert (content["diagnostics"], content["diagnosticCodes"]) == ([], ["OE0101"])
    assert content["summary"]["errors"] == 3
    whole = call(answer, "argon_check", {"maxDiagnostics": 3})
    assert len(whole.structured_content["diagnostics"]) == 3
    assert [each["code"] for each in whole.structured_content["remediation"]] == ["OE0101"]
    assert "root.ar:1:1: error[OE0101]: m" in whole.content[0].text


def test_results_conform_to_their_schemas() -> None:
    body = result_of(query.TOOL, dict(ROWS), 65_536).structured_content
    jsonschema.validate(body, query.TOOL.output_schema)
