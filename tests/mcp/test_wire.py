"""The wire, byte by byte: bad lines, bad clients, sudden ends; the server answers or leaves, and never hangs."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.idle import children, until_idle
from tests.support.mcp_client import LEGACY, META, PATIENCE, Client
from tests.support.served_packages import BROKEN, SMALL, endless, save

SOON = 5.0
"""Seconds within which the server must be gone, on a crowded machine; on a quiet one it is less than one."""


def test_lines_that_are_no_messages_are_answered_and_the_stream_goes_on(shared: Client) -> None:
    for line, code in (
        (b"garbage", -32_700),
        (b"\xff\xfe\x00", -32_700),
        (b"[" * 100_000, -32_700),
        (b"[]", -32_600),
        (b"42", -32_600),
        (b'{"jsonrpc": "2.0"}', -32_600),
        (b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]', -32_600),
    ):
        shared.send_bytes(line + b"\n")
        assert shared.stray()["error"]["code"] == code, line[:40]
    shared.send_bytes(b"\n\r\n  \n")
    shared.send_bytes(json.dumps({"jsonrpc": "2.0", "id": "x", "method": 5}).encode() + b"\n")
    assert shared.answer("x")["error"]["code"] == -32_600
    assert shared.call("argon_status")["project"]["package"] == "lease"


def test_unknown_names_are_invalid_parameters(shared: Client) -> None:
    for method, params in (
        ("tools/call", {"name": "argon_nothing", "arguments": {}}),
        ("prompts/get", {"name": "nothing"}),
        ("resources/read", {"uri": "argon://nothing"}),
        ("resources/read", {"uri": "argon://diagnostics/OE9999"}),
        ("tools/list", {"cursor": "further"}),
        ("tools/call", {"name": "argon_query", "arguments": []}),
    ):
        assert shared.error(method, params)["code"] == -32_602, method
    assert shared.error("nothing/at/all")["code"] == -32_601


def test_the_list_of_tools_is_the_same_bytes_every_time(shared: Client) -> None:
    first, second = (json.dumps(shared.request("tools/list")["tools"], separators=(",", ":")) for _ in range(2))
    assert first == second
    assert len(first.encode()) <= 48_000


def test_lists_may_be_kept_by_the_client_and_what_is_read_may_not(shared: Client) -> None:
    assert shared.request("tools/list")["ttlMs"] > 0
    assert shared.request("resources/read", {"uri": "argon://module"})["ttlMs"] == 0


def test_codes_complete_and_nothing_else_does(shared: Client) -> None:
    ref = {"type": "ref/resource", "uri": "argon://diagnostics/{code}"}
    found = shared.request("completion/complete", {"ref": ref, "argument": {"name": "code", "value": "oe010"}})
    assert found["completion"]["values"][:2] == ["OE0101", "OE0102"]
    other = shared.request("completion/complete", {"ref": ref, "argument": {"name": "else", "value": "O"}})
    assert other["completion"]["values"] == []


def test_paths_outside_of_the_project_are_refused(shared: Client) -> None:
    for arguments in (
        {"filePaths": ["../elsewhere.ar"]},
        {"filePaths": ["/etc/passwd"]},
        {"overlay": [{"path": "../elsewhere.ar", "text": ""}]},
    ):
        assert shared.failure("argon_check", **arguments)["code"] == "MCP-PATH-OUTSIDE-PROJECT"


def test_a_long_answer_comes_by_the_page_or_not_at_all(tmp_path: Path, small_root: Path) -> None:
    people = "\n".join(f'fact Person(x{number}) {{ name: "{number:03}" }};' for number in range(30))
    save(small_root / "root.ar", SMALL + people)
    with Client(small_root, "--max-rows", "20") as client:
        refused = client.call("argon_query", name="everyone")
        assert refused["limitExceeded"] == {"limit": 20, "reached": 32, "knob": "maxRows"}
        names: list[str] = []
        page: dict[str, object] = {"size": 15}
        while True:
            found = client.call("argon_query", name="everyone", page=page)
            assert (found["rowCount"], found["truncated"]) == (32, False)
            names += [row["values"][0] for row in found["rows"]]
            if "nextCursor" not in found:
                break
            page = {"size": 15, "cursor": found["nextCursor"]}
        assert len(names) == len(set(names)) == 32
        assert names == sorted(names)
        assert client.failure("argon_derive", head="liked", page=page)["code"] == "ARGON_RUNTIME_INVALID_CURSOR"
        client.call("argon_mutate", name="arrive", args={"name": "zoe"})
        assert client.failure("argon_query", name="everyone", page=page)["code"] == "ARGON_RUNTIME_INVALID_CURSOR"
        assert client.call("argon_query", name="everyone", page={"size": 25})["limitExceeded"]["reached"] == 25


def test_a_flood_is_answered_to_the_last_request(small: Client) -> None:
    numbers = [small.calling("argon_query", name="everyone") for _ in range(150)]
    numbers += [small.ask("tools/list") for _ in range(50)]
    assert all("result" in small.answer(number) for number in numbers)


def test_many_writers_and_readers_at_once_lose_nothing(small: Client) -> None:
    numbers = []
    for number in range(12):
        numbers.append(small.calling("argon_mutate", name="arrive", args={"name": f"n{number:02}"}))
        numbers.append(small.calling("argon_query", name="everyone"))
    answers = [small.answer(number)["result"]["structuredContent"] for number in numbers]
    generations = sorted(each["generation"] for each in answers[::2])
    assert generations == list(range(1, 13))
    for each in answers[1::2]:
        assert each["rowCount"] == 2 + each["generation"]


def test_a_client_of_the_older_era_is_served_and_told_of_reloads(small_root: Path) -> None:
    with Client(small_root, era=LEGACY) as client:
        built = client.call("argon_build")
        client.request("resources/subscribe", {"uri": "argon://module"})
        save(small_root / "root.ar", SMALL + 'fact Person(cid) { name: "Cid" };\n')
        assert client.call("argon_query", name="everyone")["moduleHash"] != built["moduleHash"]
        client.told("notifications/resources/updated", uri="argon://module")
        client.request("resources/unsubscribe", {"uri": "argon://module"})
        assert client.error("tools/call", {"name": "argon_nothing", "arguments": {}})["code"] == -32_602


def test_initialize_after_an_early_discover_is_accepted(small_root: Path) -> None:
    with Client(small_root) as client:
        client.send({"jsonrpc": "2.0", "id": "probe", "method": "server/discover", "params": {"_meta": META}})
        assert client.answer("probe")["result"]["supportedVersions"] == ["2026-07-28"]
        client.era = LEGACY
        assert client.initialize()["serverInfo"]["name"] == "argon"
        assert client.call("argon_status")["project"]["package"] == "small"


def test_cancelling_stops_the_reasoning_and_nothing_is_answered(tmp_path: Path) -> None:
    with Client(endless(tmp_path)) as client:
        client.call("argon_build")
        number = client.reasoning("argon_query", name="hits")
        assert client.call("argon_check")["ok"]
        client.cancel(number)
        again = client.reasoning("argon_query", name="hits")
        client.cancel(again)
        (worker,) = children(client.process.pid)
        until_idle(worker, PATIENCE)
        assert client.call("argon_status")["needsBuild"] is False
        assert children(client.process.pid) == [worker], "it listened, and did not have to be killed"
        assert {number, again}.isdisjoint(client._responses)


@pytest.mark.parametrize("ending", ["eof", signal.SIGTERM, signal.SIGINT])
def test_in_the_middle_of_reasoning_the_end_comes_soon(tmp_path: Path, ending: str | signal.Signals) -> None:
    with Client(endless(tmp_path)) as client:
        client.call("argon_build")
        client.reasoning("argon_query", name="hits")
        begun = time.monotonic()
        if isinstance(ending, signal.Signals):
            client.process.send_signal(ending)
        else:
            client.close_input()
        status = client.exit_status()
        took = time.monotonic() - begun
        # Standard error is inherited by the worker: it ends only when nothing is left of either process.
        client._readers[1].join(PATIENCE)
        gone = time.monotonic() - begun
    assert status == (0 if ending == "eof" else 128 + int(ending))
    assert took < SOON
    assert gone < SOON
    assert not any("Traceback" in line for line in client.log)


def test_a_client_that_leaves_before_it_says_anything_leaves_nothing_behind(small_root: Path) -> None:
    with Client(small_root) as client:
        client.close_input()
        assert client.exit_status() == 0


def test_an_artifact_that_is_deleted_damaged_or_rebuilt_is_noticed(small: Client, small_root: Path) -> None:
    artifact = small_root / "target" / "root.oxbin"
    built = small.call("argon_build")
    assert not small.call("argon_query", name="everyone")["needsBuild"]
    artifact.unlink()
    found = small.call("argon_query", name="everyone")
    assert (found["needsBuild"], found["rowCount"]) == (True, 2)
    save(artifact, "damaged")
    assert "onDiskHash" not in small.call("argon_status")["artifact"]
    assert small.call("argon_build")["moduleHash"] == built["moduleHash"]
    save(small_root / "root.ar", SMALL + 'fact Person(cid) { name: "Cid" };\n')
    command = [sys.executable, "-m", "argon_lang", "build", "--json", "--project", str(small_root)]
    other = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    found = small.call("argon_query", name="everyone")
    assert (found["moduleHash"], found["rowCount"], found["needsBuild"]) == (other["moduleHash"], 3, False)
    assert small.call("argon_status")["artifact"]["loadedHash"] == other["moduleHash"]


def test_a_project_that_is_moved_away_and_a_broken_manifest_are_answered(small: Client, small_root: Path) -> None:
    small.call("argon_query", name="everyone")
    away = small_root.with_name("away")
    small_root.rename(away)
    assert small.failure("argon_query", name="everyone")["code"] == "MCP-PROJECT-NOT-FOUND"
    assert small.failure("argon_build")["code"] == "MCP-PROJECT-NOT-FOUND"
    assert small.call("argon_status")["error"]["code"] == "MCP-PROJECT-NOT-FOUND"
    shutil.move(away, small_root)
    assert small.call("argon_query", name="everyone")["rowCount"] == 2
    manifest = (small_root / "ox.toml").read_text("utf-8")
    save(small_root / "ox.toml", "[package\n")
    refused = small.call("argon_query", name="everyone")
    assert (refused["error"]["code"], "OE1243" in refused["diagnosticCodes"]) == ("DIRTY_WORKSPACE", True)
    assert "ox.toml" in {each["span"]["file"] for each in small.call("argon_check")["diagnostics"]}
    save(small_root / "ox.toml", manifest)
    assert small.call("argon_query", name="everyone")["rowCount"] == 2


def test_where_there_is_no_project_status_says_so_and_the_catalog_is_there(tmp_path: Path) -> None:
    with Client(None, cwd=tmp_path) as client:
        status = client.call("argon_status")
        assert (status["project"]["manifest"], status["error"]["code"]) == (False, "MCP-PROJECT-NOT-FOUND")
        assert client.failure("argon_check")["code"] == "MCP-PROJECT-NOT-FOUND"
        assert client.call("argon_explain_code", code="1303")["code"] == "OE1303"


def test_a_store_that_is_none_is_an_error_of_reads_and_status_still_answers(small: Client, small_root: Path) -> None:
    small.call("argon_mutate", name="arrive", args={"name": "zoe"})
    store = small_root / ".argon" / "store.sqlite3"
    for each in store.parent.glob("store.sqlite3*"):
        each.unlink()
    save(store, "this is no database, and long enough to be looked at as one" * 40)
    assert small.failure("argon_query", name="everyone")["code"] == "ARGON_RUNTIME_STORE_UNAVAILABLE"
    assert small.call("argon_status")["project"]["package"] == "small"
    assert small.call("argon_check")["ok"]


def test_a_fault_in_the_worker_is_told_once_and_both_processes_go_on(small: Client, small_root: Path) -> None:
    small.call("argon_build")
    (small_root / "target" / "root.oxbin").unlink()
    (small_root / "target" / "root.oxbin").mkdir()
    result = small.result("argon_build")
    assert result["structuredContent"]["error"]["message"].count("internal error") <= 1
    assert small.call("argon_query", name="everyone")["rowCount"] == 2


def test_progress_comes_before_the_answer_and_only_for_who_asks(small: Client) -> None:
    small.call("argon_query", name="everyone")
    assert small.notifications == []
    number = small.ask("tools/call", {"name": "argon_query", "arguments": {"name": "everyone"}}, progressToken="p")
    small.answer(number)
    steps = [each["params"] for each in small.notifications]
    assert [each["progressToken"] for each in steps] == ["p"] * len(steps)
    assert [each["progress"] for each in steps] == list(range(1, len(steps) + 1))
    assert steps[-1]["message"] == "reasoning"


def test_a_read_only_server_writes_nothing_at_all(small_root: Path) -> None:
    before = sorted(each.name for each in small_root.iterdir())
    with Client(small_root, "--read-only") as client:
        assert client.call("argon_query", name="everyone")["rowCount"] == 2
        assert client.error("tools/call", {"name": "argon_mutate", "arguments": {}})["code"] == -32_602
        assert client.call("argon_status")["capabilities"] == ["read"]
    assert sorted(each.name for each in small_root.iterdir()) == before


def test_dirty_policies_reach_the_tools(small_root: Path) -> None:
    with Client(small_root, "--dirty", "refuse") as client:
        refused = client.call("argon_query", name="everyone")
        assert (refused["error"]["code"], refused["nextStep"]) == ("NO_ARTIFACT", "argon_build")
        client.call("argon_build")
        save(small_root / "root.ar", BROKEN)
        assert client.call("argon_query", name="everyone")["error"]["code"] == "DIRTY_WORKSPACE"
    with Client(small_root, "--dirty", "serve-stale") as client:
        found = client.call("argon_query", name="everyone")
        assert (found["rowCount"], found["staleArtifact"], found["needsBuild"]) == (2, True, True)


@pytest.fixture
def holder(small_root: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Another process that holds the project until its standard input is closed."""
    code = (
        "import sys\nfrom pathlib import Path\n"
        "from argon_lang.workspace.lock import project_lock\n"
        "from argon_lang.workspace.root import find_project\n"
        "with project_lock(find_project(sys.argv[1]), 'argon migrate'):\n"
        "    print('held', flush=True)\n"
        "    sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", code, str(small_root)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        yield process


def let_go(holder: subprocess.Popen[bytes]) -> None:
    assert holder.stdin is not None
    holder.stdin.close()
    holder.wait()


def test_readers_never_wait_for_a_build_that_waits_for_another_process(
    small: Client, holder: subprocess.Popen[bytes]
) -> None:
    number = small.calling("argon_build")
    assert small.call("argon_query", name="everyone")["rowCount"] == 2
    assert small.call("argon_check")["ok"]
    assert small.call("argon_status")["lockHolder"]["command"] == "argon migrate"
    assert number not in small._responses
    let_go(holder)
    assert small.answer(number)["result"]["structuredContent"]["ok"]


@pytest.mark.long
def test_a_locked_project_names_who_holds_it(small: Client, holder: subprocess.Popen[bytes]) -> None:
    error = small.failure("argon_build")
    assert (error["code"], error["retryable"]) == ("MCP-LOCKED", True)
    assert f"argon migrate (pid {holder.pid})" in error["message"]
    let_go(holder)
    assert small.call("argon_build")["ok"]


def test_modules_in_the_working_folder_are_not_imported(tmp_path: Path, small_root: Path) -> None:
    save(small_root / "json.py", "raise SystemExit('imported from the project')\n")
    save(small_root / "pydantic.py", "raise SystemExit('imported from the project')\n")
    script = Path(sys.executable).with_name("argon")
    command = [str(script)] if script.exists() else [sys.executable, "-P", "-m", "argon_lang"]
    server = subprocess.Popen(
        [*command, "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=small_root,
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
    )
    assert server.stdin is not None
    assert server.stdout is not None
    call = {"name": "argon_query", "arguments": {"name": "everyone"}, "_meta": META}
    server.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}).encode() + b"\n")
    server.stdin.flush()
    answer = json.loads(server.stdout.readline())
    server.stdin.close()
    assert server.wait(PATIENCE) == 0
    server.stdout.close()
    assert answer["result"]["structuredContent"]["rowCount"] == 2
