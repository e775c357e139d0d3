"""What an agent learns of reasons over the wire: suggestions, folded nodes, violations (semantics S6.3, S6.5, S6.6)."""

from __future__ import annotations

from pathlib import Path

from tests.support.mcp_client import Client
from tests.support.served_packages import lease, save

DAY = "2100-01-01"
"""One instant for several reads: ids of nodes rest on it."""


def test_a_suggestion_is_confirmed_by_pasting_it(tmp_path: Path) -> None:
    with Client(lease(tmp_path)) as agent:
        told = agent.call("argon_explain_fact", fact="overdue(april)", suggest=3)
        (first, *_) = told["suggestions"]
        assert (first["source"], first["size"], first["accepted"]) == ("update april set { paid = false };", 1, True)
        agent.call("argon_ad_hoc_mutate", source=first["source"], args=first.get("args", {}))
        assert agent.call("argon_explain_fact", fact="overdue(april)", suggest=3)["derived"]


def test_a_suggestion_that_a_check_refuses_says_so(shared: Client) -> None:
    told = shared.call("argon_explain_fact", fact="lets(ben, garden_flat)", suggest=3)
    (first, *_) = told["suggestions"]
    assert not first["accepted"]
    (broken,) = first["breaks"]
    assert broken["check"].endswith("one_tenant_per_flat")
    assert broken["nodes"][0]["id"] == broken["rootId"]
    text = shared.result("argon_explain_fact", fact="lets(ben, garden_flat)", suggest=3)["content"][0]["text"]
    assert "refused by error" in text
    assert "assumes rent" in text


def test_a_fact_that_holds_needs_no_suggestion(shared: Client) -> None:
    assert "suggestions" not in shared.call("argon_explain_fact", fact="in_arrears(ada)", suggest=3)


def test_a_folded_node_is_opened_by_its_id(shared: Client) -> None:
    told = shared.call("argon_explain_fact", fact="called_upon(dora)", maxDepth=1)
    folded = next(node for node in told["tree"]["nodes"] if node.get("folded"))
    opened = shared.call("argon_expand_proof", nodeId=folded["id"])
    assert (opened["fact"], opened["tree"]["rootId"]) == (folded["fact"], folded["id"])
    assert opened["prose"].startswith(f"`{folded['fact']}` holds")


def test_a_node_of_an_older_state_is_refused_as_stale(tmp_path: Path) -> None:
    with Client(lease(tmp_path)) as agent:
        root = agent.call("argon_explain_fact", fact="called_upon(dora)")["tree"]["rootId"]
        agent.call("argon_mutate", name="pay", args={"i": "march"})
        refused = agent.result("argon_expand_proof", nodeId=root)
        assert not refused["isError"]
        error = refused["structuredContent"]["error"]
        assert error["code"] == "ARGON_RUNTIME_STALE_PROOF"
        assert error["help"] == ["explain the fact again"]


def test_one_of_node_and_fact_is_needed(shared: Client) -> None:
    assert shared.result("argon_expand_proof")["structuredContent"]["error"]["code"] == "MCP-INVALID-INPUT"


def test_violations_are_proved_in_the_shape_of_facts(tmp_path: Path) -> None:
    root = lease(tmp_path)
    world = root / "world.ar"
    save(world, world.read_text("utf-8") + "\nfact lets(ben, garden_flat) { rent: 1.00, start: #2026-01-01# };\n")
    save(root / "root.ar", (root / "root.ar").read_text("utf-8").replace("Severity::Error", "Severity::Warning"))
    with Client(root) as agent:
        told = agent.call("argon_why", check="one_tenant_per_flat", asOf=DAY)
        (only,) = {each["fact"]: each for each in told["violations"]}.values()
        assert only["fact"] == "one_tenant_per_flat(garden_flat)"
        assert only["prose"].startswith("Check `one_tenant_per_flat` is violated")
        assert [node["kind"] for node in only["nodes"] if node["id"] == only["rootId"]] == ["derived"]
        same = agent.call("argon_why", violation="one_tenant_per_flat(garden_flat)", asOf=DAY)
        assert same["violations"] == told["violations"]
        opened = agent.call("argon_expand_proof", nodeId=only["rootId"])
        assert opened["fact"] == only["fact"]
