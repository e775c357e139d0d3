"""Mutated requests in any number: every one that has an id is answered, nothing but protocol comes out, nothing dies.

500 of them on each run, 10,000 by `tasks.py long`. The seed names the run.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.mcp.cases import CASES, Case
from tests.support.idle import children
from tests.support.mcp_client import LEGACY, META, MODERN, Client
from tests.support.served_packages import package

AT_ONCE = 50
"""Requests that are sent before their answers are awaited."""

ODD: tuple[Any, ...] = (
    None, True, -1, 2**70, 1e308, "", "\x00", "\ud800", "𝕏" * 40, "a" * 20_000, "../../etc/passwd", "'; drop table --",
    [], {}, [[[[]]]], {"a": {"b": {"c": []}}}, "argon://", "pkg::", "_", "f(_, _", {"entity": 7}, {"decimal": "x"},
)  # fmt: skip
METHODS = (
    "tools/list", "tools/call", "resources/list", "resources/templates/list", "resources/read", "prompts/list",
    "prompts/get", "completion/complete", "server/discover", "ping", "logging/setLevel", "tasks/list", "nothing", "",
)  # fmt: skip
SLOW = {"argon_test", "argon_build"}
"""Tools that a mutated call should not run hundreds of times."""


def requests(chance: random.Random, era: str) -> Iterator[Any]:
    """Well-formed requests, one after the other, each a little wrong in some way."""
    calls = [case for case in CASES if isinstance(case, Case) and case.tool not in SLOW]
    while True:
        case = chance.choice(calls)
        params: Any = {"name": case.tool, "arguments": dict(case.given)}
        method = "tools/call"
        match chance.randrange(8):
            case 0:
                method, params = chance.choice(METHODS), chance.choice(ODD)
            case 1:
                method, params = "resources/read", {"uri": chance.choice((*ODD, "argon://module", "argon://schema/x"))}
            case 2:
                name = chance.choice(("argon_investigate_fact", "argon_authoring_loop", *ODD))
                method, params = "prompts/get", {"name": name, "arguments": chance.choice((*ODD, {"fact": "x"}))}
            case 3:
                ref = {"type": chance.choice(("ref/prompt", "ref/resource", "x")), "name": "argon_audit_mutation"}
                params = {"ref": ref, "argument": {"name": "mutation", "value": chance.choice(ODD)}}
                method = "completion/complete"
            case 4:
                params[chance.choice(("name", "arguments", "more"))] = chance.choice(ODD)
            case _:
                arguments = params["arguments"]
                for _ in range(chance.randint(1, 3)):
                    arguments[chance.choice([*arguments, "name", "args", "page", "asOf", "x"])] = chance.choice(ODD)
        if era == MODERN and isinstance(params, dict):
            params["_meta"] = META if chance.random() < 0.95 else chance.choice(ODD)
        yield {"method": method, "params": params}


def broken(chance: random.Random, line: bytes) -> bytes:
    """A line that is probably no message any more, without a line break inside."""
    at = chance.randrange(len(line))
    match chance.randrange(5):
        case 0:
            line = line[:at]
        case 1:
            line = line[:at] + bytes([chance.choice([0, 9, 34, 92, 123, 255])]) + line[at + 1 :]
        case 2:
            line = line[:at] + line[at:] * 2
        case 3:
            line = b"[" * chance.choice([1, 3_000]) + line
        case _:
            line = chance.choice([b"", b"null", b"{}", b"[]", b'{"id": 1}', b"\xef\xbb\xbf" + line, b"\xff\xfe"])
    return line.replace(b"\n", b" ")


def fuzzed(client: Client, chance: random.Random, number: int) -> None:
    """Send so many requests, in bursts, with broken lines between; each request must be answered once."""
    made = requests(chance, client.era)
    for begin in range(0, number, AT_ONCE):
        waiting = []
        for at in range(begin, min(begin + AT_ONCE, number)):
            line = json.dumps({"jsonrpc": "2.0", "id": f"r{at}", **next(made)}).encode()
            if chance.random() < 0.1:
                client.send_bytes(broken(chance, line.replace(f'"r{at}"'.encode(), b'"broken"')) + b"\n")
            client.send_bytes(line + b"\n")
            waiting.append(f"r{at}")
        for name in waiting:
            answer = client.answer(name)
            assert ("result" in answer) != ("error" in answer), answer
    assert not any(isinstance(each, str) and each.startswith("r") for each in client._responses), "answered twice"


def survives(root: Path, era: str, seed: int, number: int) -> None:
    with Client(root, era=era) as client:
        assert client.call("argon_build")["ok"]
        worker = children(client.process.pid)
        fuzzed(client, random.Random(seed), number)
        assert client.call("argon_status")["project"]["package"] == "small"
        assert client.call("argon_query", name="everyone")["rowCount"] >= 2
        assert children(client.process.pid) == worker, "the worker died"
        assert not [line for line in client.log if "Traceback" in line], client.log[-30:]


@pytest.mark.parametrize(("era", "seed"), [(MODERN, 1), (LEGACY, 2)])
def test_five_hundred_mutated_requests_are_all_answered(era: str, seed: int, tmp_path: Path) -> None:
    survives(package(tmp_path), era, seed, 250)


@pytest.mark.long
@pytest.mark.parametrize(("era", "seed"), [(MODERN, 3), (LEGACY, 4)])
def test_ten_thousand_mutated_requests_are_all_answered(era: str, seed: int, tmp_path: Path) -> None:
    survives(package(tmp_path), era, seed, 5_000)
