"""The plugin for Claude Code: its files have the form that the client reads, and what they start works."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from argon_lang.cli.app import COMMANDS
from argon_lang.session.project import Project
from argon_lang.version import VERSION
from argon_mcp.options import Options, options_of
from argon_mcp.toolbox import TOOLS
from tests.support.served_packages import BROKEN, MANIFEST, package, save

PLUGIN = Path(__file__).parents[2] / "editors" / "claude-code"
MANIFEST_KEYS = {
    "$schema",
    "name",
    "displayName",
    "version",
    "description",
    "author",
    "homepage",
    "repository",
    "license",
    "keywords",
}


def read(name: str) -> Any:
    return json.loads((PLUGIN / name).read_text("utf-8"))


def skill() -> str:
    return (PLUGIN / "skills" / "argon" / "SKILL.md").read_text("utf-8")


def test_the_manifest_has_known_keys_a_plain_name_and_our_version() -> None:
    manifest = read(".claude-plugin/plugin.json")
    assert manifest.keys() <= MANIFEST_KEYS
    assert re.fullmatch(r"[a-z][a-z0-9-]*", manifest["name"])
    assert manifest["version"] == VERSION
    assert [each.name for each in (PLUGIN / ".claude-plugin").iterdir()] == ["plugin.json"]


def test_the_marketplace_offers_the_plugin_by_its_name_from_its_folder() -> None:
    root = PLUGIN.parents[1]
    market = json.loads((root / ".claude-plugin" / "marketplace.json").read_text("utf-8"))
    (offered,) = market["plugins"]
    manifest = read(".claude-plugin/plugin.json")
    assert (offered["name"], offered["description"]) == (manifest["name"], manifest["description"])
    assert (root / offered["source"]).resolve() == PLUGIN.resolve()


def test_the_names_of_the_tools_fit_with_the_prefix_that_the_client_gives_them() -> None:
    (server,) = read(".mcp.json")["mcpServers"]
    prefix = f"mcp__plugin_{read('.claude-plugin/plugin.json')['name']}_{server}__"
    assert all(len(prefix + tool.name) <= 64 for tool in TOOLS)


def test_the_servers_are_started_by_commands_that_exist() -> None:
    (mcp,) = read(".mcp.json")["mcpServers"].values()
    (lsp,) = read(".lsp.json").values()
    assert (mcp["command"], lsp["command"]) == ("argon", "argon")
    assert {mcp["args"][0], lsp["args"][0]} <= COMMANDS.keys()
    assert options_of(mcp["args"][1:]) == Options()
    assert lsp["extensionToLanguage"] == {".ar": "argon"}


def test_the_hook_runs_a_command_that_lets_a_sound_package_pass_and_tells_of_a_broken_one(tmp_path: Path) -> None:
    (group,) = read("hooks/hooks.json")["hooks"]["PostToolUse"]
    (hook,) = group["hooks"]
    program, *words = hook["command"].split()
    assert (group["matcher"], hook["type"], program) == ("Write|Edit", "command", "argon")
    root = package(tmp_path)
    call = json.dumps({"tool_name": "Edit", "cwd": str(root), "tool_input": {"file_path": str(root / "root.ar")}})

    def answered() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "argon_lang", *words]
        return subprocess.run(command, input=call, capture_output=True, text=True, check=False)

    assert answered().returncode == 0
    save(root / "root.ar", BROKEN)
    told = answered()
    assert told.returncode == 2
    assert "OE0101" in told.stderr


def test_the_options_that_the_page_shows_are_read() -> None:
    (shown,) = re.findall(r'`(\["mcp", .*?\])`', (PLUGIN / "README.md").read_text("utf-8"))
    options = options_of(json.loads(shown)[1:])
    assert options is not None
    assert options.read_only


def test_the_skill_says_when_to_use_it_in_few_words() -> None:
    found = re.match(r"---\nname: ([a-z-]+)\ndescription: (.+)\n---\n", skill())
    assert found is not None
    assert found[1] == "argon"
    assert 100 < len(found[2]) <= 1_024
    assert len(skill().splitlines()) < 150


def test_the_skill_names_every_tool_and_none_that_does_not_exist() -> None:
    named = set(re.findall(r"`(argon_[a-z_]+)`", skill()))
    assert named == {tool.name for tool in TOOLS}


def test_the_package_in_the_skill_checks_clean_is_in_canonical_form_and_passes_its_test(tmp_path: Path) -> None:
    (text,) = re.findall(r"```argon\n(.*?)```", skill(), re.DOTALL)
    project = Project.open(package(tmp_path, text, MANIFEST))
    assert project.check().diagnostics == ()
    assert [each.diff for each in project.format(write=False)] == [""]
    report = project.test(None)
    assert (report.passed, report.failed, report.errors) == (1, 0, 0)
