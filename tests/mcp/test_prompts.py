"""Prompts, their arguments, and what completes: over the wire, on the lease example."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from argon_mcp.promptbox import GUIDES
from argon_mcp.toolbox import TOOLS
from tests.support.mcp_client import Client

FILLED = {
    "argon_investigate_fact": {"fact": "in_arrears(ada)"},
    "argon_diagnose_absence": {"goal": "in_arrears(ben)"},
    "argon_audit_mutation": {"mutation": "pay", "args": '{"i": "march"}'},
    "argon_authoring_loop": {},
}


def prompt(name: str) -> dict[str, str]:
    return {"type": "ref/prompt", "name": name}


def completed(client: Client, ref: dict[str, str], name: str, value: str, **given: str) -> dict[str, Any]:
    context = {"context": {"arguments": given}} if given else {}
    params = {"ref": ref, "argument": {"name": name, "value": value}, **context}
    found: dict[str, Any] = client.request("completion/complete", params)["completion"]
    return found


def test_every_prompt_is_listed_with_what_it_needs(shared: Client) -> None:
    listed = {each["name"]: each for each in shared.request("prompts/list")["prompts"]}
    assert {name: {each["name"] for each in one.get("arguments", [])} for name, one in listed.items()} == {
        name: set(given) for name, given in FILLED.items()
    }
    for each in listed.values():
        assert each["title"]
        assert each["description"]
        assert all(one["required"] and one["description"] for one in each.get("arguments", []))


@pytest.mark.parametrize("name", GUIDES)
def test_a_prompt_holds_what_it_was_given_and_names_tools_and_arguments_that_exist(name: str, shared: Client) -> None:
    (message,) = shared.request("prompts/get", {"name": name, "arguments": FILLED[name]})["messages"]
    text = message["content"]["text"]
    assert all(value in text for value in FILLED[name].values())
    tools = {tool.name: tool for tool in TOOLS}
    named = set(re.findall(r"argon_[a-z_]+", text))
    assert named
    assert named <= tools.keys()
    known = {key for tool in named for key in tools[tool].input_schema["properties"]}
    told = {key for tool in named for key in tools[tool].result.model_json_schema()["properties"]}
    written = set(re.findall(r"`([a-z][A-Za-z0-9]+): ", text))
    assert written <= known | told, written


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("argon_investigate_fact", {}),
        ("argon_investigate_fact", {"fact": ""}),
        ("argon_audit_mutation", {"mutation": "pay"}),
        ("argon_authoring_loop", {"goal": "x"}),
        ("argon_investigate_fact", {"fact": "x", "more": "y"}),
        ("argon_investigate_fact", {"fact": 7}),
        ("argon_investigate_fact", ["x"]),
        ("argon_nothing", {}),
    ],
)
def test_other_arguments_than_it_has_are_invalid_parameters(name: str, given: Any, shared: Client) -> None:
    assert shared.error("prompts/get", {"name": name, "arguments": given})["code"] == -32_602


def test_facts_complete_to_patterns_and_then_to_facts_that_hold(shared: Client) -> None:
    ref = prompt("argon_investigate_fact")
    assert completed(shared, ref, "fact", "in_")["values"] == ["in_arrears(_)"]
    assert "lets(_, _)" in completed(shared, ref, "fact", "")["values"]
    assert "Tenant(_)" in completed(shared, ref, "fact", "ten")["values"]
    facts = completed(shared, ref, "fact", "answers_for(d")
    assert facts["values"] == ["answers_for(dora, ada)", "answers_for(dora, cleo)"]
    assert completed(shared, ref, "fact", "nothing(")["values"] == []


def test_goals_mutations_and_arguments_complete(shared: Client) -> None:
    assert completed(shared, prompt("argon_diagnose_absence"), "goal", "late")["values"] == ["late_payers"]
    audit = prompt("argon_audit_mutation")
    assert completed(shared, audit, "mutation", "p")["values"] == ["pay"]
    assert completed(shared, audit, "args", "", mutation="move_in")["values"] == ['{"t": "", "unit": "", "rent": ""}']
    assert completed(shared, audit, "args", "", mutation="nothing")["values"] == []
    assert completed(shared, audit, "args", "")["values"] == []


def test_declarations_complete_and_are_read_by_path_or_name(shared: Client) -> None:
    ref = {"type": "ref/resource", "uri": "argon://schema/{path}"}
    (path,) = completed(shared, ref, "path", "late_p")["values"]
    for name in (path, "late_payers", path.replace(":", "%3A")):
        (content,) = shared.request("resources/read", {"uri": f"argon://schema/{name}"})["contents"]
        assert json.loads(content["text"])["declaration"]["path"] == path
    error = shared.error("resources/read", {"uri": "argon://schema/nothing"})
    assert (error["code"], error["data"]["uri"]) == (-32_602, "argon://schema/nothing")


def test_a_completion_has_at_most_a_hundred_values_and_says_that_there_are_more(shared: Client) -> None:
    found = completed(shared, {"type": "ref/resource", "uri": "argon://diagnostics/{code}"}, "code", "")
    assert (len(found["values"]), found["hasMore"], found["total"] > 100) == (100, True, True)


def test_what_has_no_completion_has_none(shared: Client) -> None:
    for ref in (prompt("argon_nothing"), prompt("argon_authoring_loop"), {"type": "ref/resource", "uri": "x://{y}"}):
        assert completed(shared, ref, "fact", "")["values"] == []
