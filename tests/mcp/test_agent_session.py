"""An agent at work through the SDK's client, in both eras: what it is told lines up from first to last call."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from tests.support.served_packages import lease, save

ERAS = ("2026-07-28", "legacy")


class Agent:
    """Calls tools and keeps the results; each result was validated by the SDK against the tool's output schema."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        result = await self.client.call_tool(tool, arguments)
        assert not result.is_error, result
        text = result.content[0].text
        assert text
        assert text != json.dumps(result.structured_content)
        content: dict[str, Any] = result.structured_content
        assert (content["schemaVersion"], content["truncated"]) == ("1.0", False)
        return content

    async def read(self, uri: str) -> str:
        found = await self.client.read_resource(uri)
        text: str = found.contents[0].text
        return text


def stdio(root: Path) -> StdioServerParameters:
    environment = {**os.environ, "PYTHONPATH": str(Path.cwd())}
    return StdioServerParameters(
        command=sys.executable, args=["-m", "argon_lang", "mcp", "--project", str(root)], env=environment
    )


async def session(root: Path, era: str) -> None:
    async with Client(stdio(root), mode=era, read_timeout_seconds=60) as client:
        agent = Agent(client)
        source = (root / "root.ar").read_text("utf-8")

        status = await agent.call("argon_status")
        assert status["project"] == {
            "root": root.as_posix(),
            "source": "flag",
            "manifest": True,
            "package": "lease",
        }
        assert (status["sourceDirty"], status["artifact"]["artifactLoaded"]) == (True, False)

        broken = source.replace("in_arrears(t),", "in_arears(t),")
        save(root / "root.ar", broken)
        check = await agent.call("argon_check")
        assert (check["ok"], check["diagnosticCodes"]) == (False, ["OE0101"])
        (found,) = check["diagnostics"]
        assert "in_arears(t)" in found["sourceLine"]
        (remedy,) = check["remediation"]
        assert (remedy["code"], bool(remedy["fixClasses"])) == ("OE0101", True)

        refused = await agent.call("argon_query", name="late_payers")
        assert (refused["error"]["code"], "rows" in refused) == ("DIRTY_WORKSPACE", False)
        assert refused["diagnosticCodes"] == ["DIRTY_WORKSPACE", "OE0101"]
        not_built = await agent.call("argon_build")
        assert (not_built["ok"], not_built["wroteOxbin"]) == (False, False)
        assert [each["code"] for each in not_built["gateFailures"]] == ["OE0101"]

        entry = await agent.call("argon_explain_code", code="OE0101")
        assert (entry["name"], bool(entry["example"]), bool(entry["fix"])) == ("UnresolvedName", True, True)
        assert entry["what"].split()[0] in await agent.read("argon://diagnostics/OE0101")
        assert '"OE0101"' in await agent.read("argon://diagnostics/catalog")

        mended = await agent.call("argon_check", overlay=[{"path": "root.ar", "text": source}])
        assert mended["ok"]
        assert not (await agent.call("argon_check"))["ok"]
        save(root / "root.ar", source)
        clean = await agent.call("argon_check")
        assert (clean["ok"], clean["inputsDigest"]) == (True, mended["inputsDigest"])

        built = await agent.call("argon_build")
        assert (built["ok"], built["wroteOxbin"], built["inputsDigest"]) == (True, True, clean["inputsDigest"])
        again = await agent.call("argon_build")
        assert (again["wroteOxbin"], again["reloaded"], again["moduleHash"]) == (False, False, built["moduleHash"])

        before = await agent.call("argon_query", name="late_payers")
        assert before["moduleHash"] == built["moduleHash"]
        assert [row["values"][0]["label"] for row in before["rows"]] == ["ada"]

        trial = await agent.call("argon_mutate", name="pay", args={"i": "march"}, dryRun=True, includeDerivedDelta=True)
        assert (trial["committed"], trial["generation"]) == (False, before["generation"])
        paid = await agent.call("argon_mutate", name="pay", args={"i": "march"}, idempotencyKey="once")
        assert (paid["committed"], paid["tx"], paid["generation"]) == (True, 1, before["generation"] + 1)
        replayed = await agent.call("argon_mutate", name="pay", args={"i": "march"}, idempotencyKey="once")
        assert (replayed["replayed"], replayed["tx"], replayed["events"]) == (True, 1, paid["events"])

        after = await agent.call("argon_query", name="late_payers")
        assert (after["rows"], after["rowCount"]) == ([], 0)
        why_not = await agent.call("argon_explain_fact", fact="in_arrears(ada)", maxDepth=6)
        assert (why_not["derived"], why_not["whyNot"]["nodes"][0]["kind"]) == (False, "absent")
        proof = await agent.call("argon_explain_fact", fact="answers_for(dora, ada)")
        assert (proof["derived"], proof["truth4"]) == (True, "Is")
        known = {node["id"] for node in proof["tree"]["nodes"]}
        assert proof["tree"]["rootId"] in known
        assert all(node.get("parent", proof["tree"]["rootId"]) in known for node in proof["tree"]["nodes"])
        taken = await agent.call("argon_mutate", name="move_in", args={"t": "ben", "unit": "garden_flat", "rent": "9"})
        assert taken["error"]["code"] == "ARGON_RUNTIME_CHECK_VIOLATION"

        for each in (after, why_not, proof):
            assert each["moduleHash"] == built["moduleHash"]
            assert each["inputsDigest"] == clean["inputsDigest"]
            assert (each["storeId"], each["generation"]) == (paid["storeId"], paid["generation"])
            assert (each["staleArtifact"], each["needsBuild"]) == (False, False)

        status = await agent.call("argon_status")
        assert (status["moduleHash"], status["artifact"]["onDiskHash"]) == (built["moduleHash"],) * 2
        assert (status["storeId"], status["generation"]) == (paid["storeId"], paid["generation"])
        assert (status["sourceDirty"], "nextStep" in status) == (False, False)
        index = json.loads(await agent.read("argon://schema/index"))
        assert index["moduleHash"] == built["moduleHash"]
        assert "reminders(t: Tenant) -> [Reminder]" in [each["signature"] for each in index["queries"]]


@pytest.mark.parametrize("era", ERAS)
def test_check_fix_build_query_mutate_and_explain_line_up(era: str, tmp_path: Path) -> None:
    asyncio.run(session(lease(tmp_path), era))


async def told(root: Path) -> None:
    async with Client(stdio(root), mode="2026-07-28", read_timeout_seconds=60) as client:
        agent = Agent(client)
        first = await agent.call("argon_build")
        uris = ["argon://module", "argon://schema/index"]
        async with client.listen(resource_subscriptions=uris) as events:
            source = (root / "root.ar").read_text("utf-8")
            save(root / "root.ar", source + "\n/// Everybody.\npub query people() -> Person;\n")
            second = await agent.call("argon_build")
            assert second["moduleHash"] != first["moduleHash"]
            heard = [await anext(aiter(events)), await anext(aiter(events))]
            assert sorted(str(each.uri) for each in heard) == uris
        module = json.loads(await agent.read("argon://module"))
        assert module["moduleHash"] == second["moduleHash"]


def test_a_reload_is_told_to_who_listens(tmp_path: Path) -> None:
    asyncio.run(told(lease(tmp_path)))
