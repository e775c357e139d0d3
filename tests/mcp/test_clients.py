"""Real clients and the public conformance suite, as a person installs them; run by `tasks.py long`, with npm.

They are installed into a folder of their own, once per run, or `ARGON_NPM_CLIENTS` names one in which
`npm install` was done with `tests/mcp/clients/package.json`. Each has a home of its own; none has an account.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.support.served_packages import lease

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
CLIENTS = Path(__file__).parent / "clients"
PLUGIN = ROOT / "editors" / "claude-code"
SECONDS = 300


@dataclass(frozen=True)
class Npm:
    """The installed clients, run in a folder with a home of their own."""

    modules: Path
    folder: Path
    home: Path

    def run(self, program: str, *words: str, **more: str) -> str:
        """What a client says; fails when it fails."""
        done = self.tried(program, *words, **more)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    def tried(self, program: str, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        """What a client says, and its exit status. `program` is a command of the packages, or a script of one."""
        node = self.modules / "node" / "bin" / "node"
        path = self.modules / ".bin" / program
        command = [str(path)] if path.exists() else [str(node), str(self.modules / program)]
        return subprocess.run(
            [*command, *words],
            cwd=self.folder,
            env=self.environment(more),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )

    def environment(self, more: Mapping[str, str]) -> dict[str, str]:
        """Nothing of the person who runs the tests but the way to programs."""
        programs = [self.modules / "node" / "bin", Path(sys.executable).parent]
        return {
            "PATH": os.pathsep.join([*map(str, programs), os.environ["PATH"]]),
            "HOME": str(self.home),
            "CLAUDE_CONFIG_DIR": str(self.home),
            "DISABLE_AUTOUPDATER": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
            **more,
        }


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder `node_modules` with every client."""
    if given := os.environ.get("ARGON_NPM_CLIENTS"):
        return Path(given) / "node_modules"
    folder = tmp_path_factory.mktemp("npm")
    shutil.copy(CLIENTS / "package.json", folder)
    subprocess.run(["npm", "install", "--no-audit", "--no-fund"], cwd=folder, check=True, timeout=SECONDS)
    return folder / "node_modules"


@pytest.fixture
def npm(modules: Path, tmp_path: Path) -> Npm:
    """The clients in a fresh home and a package's folder."""
    home = tmp_path / "home"
    home.mkdir()
    return Npm(modules, lease(tmp_path), home)


# -- Claude Code -------------------------------------------------------------------------------------------------------


def test_claude_code_connects_to_the_server_that_one_command_adds(npm: Npm) -> None:
    npm.run("claude", "mcp", "add", "argon", "--", "argon", "mcp")
    assert "✔ Connected" in npm.run("claude", "mcp", "list")
    told = npm.run("claude", "mcp", "get", "argon")
    assert "✔ Connected" in told
    assert "Type: stdio" in told


def test_claude_code_finds_nothing_wrong_with_plugin_and_marketplace(npm: Npm) -> None:
    for folder in (PLUGIN, ROOT):
        assert "Validation passed" in npm.run("claude", "plugin", "validate", str(folder), "--strict")


def test_claude_code_installs_the_plugin_from_the_marketplace_and_connects_to_its_server(npm: Npm) -> None:
    copy = npm.home / "argon"
    shutil.copytree(ROOT / ".claude-plugin", copy / ".claude-plugin")
    shutil.copytree(PLUGIN, copy / "editors" / "claude-code")
    npm.run("claude", "plugin", "marketplace", "add", str(copy))
    npm.run("claude", "plugin", "install", "argon@argon")
    assert "✔ enabled" in npm.run("claude", "plugin", "list")
    assert "plugin:argon:argon: argon mcp - ✔ Connected" in npm.run("claude", "mcp", "list")


# -- others ------------------------------------------------------------------------------------------------------------


def test_gemini_connects_by_the_configuration_of_the_page(npm: Npm) -> None:
    folder = npm.folder / ".gemini"
    folder.mkdir()
    server = {"command": "argon", "args": ["mcp"], "timeout": 60_000}
    (folder / "settings.json").write_text(json.dumps({"mcpServers": {"argon": server}}), encoding="utf-8")
    assert "argon: argon mcp (stdio) - Connected" in npm.run("gemini", "mcp", "list")


def inspected(npm: Npm, era: str, *words: str) -> Any:
    """What the Inspector gets from the server of the package, with its strict look at the schemas."""
    server = ["argon", "mcp", "--project", str(npm.folder)]
    strict = ["--strict"] if "tools/list" in words else []
    asked = ["--connect-timeout", "120000", "--protocol-era", era, *strict, "--format", "json", *words]
    done = npm.tried("mcp-inspector", "--cli", *server, *asked)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("era", ["modern", "legacy"])
def test_the_inspector_finds_nothing_wrong_with_what_the_server_offers(era: str, npm: Npm) -> None:
    listed = inspected(npm, era, "--method", "tools/list")
    assert "argon_check" in json.dumps(listed)
    called = ["--method", "tools/call", "--tool-name", "argon_query", "--tool-args-json", '{"name": "late_payers"}']
    assert "moduleHash" in json.dumps(inspected(npm, era, *called))
    assert "argon_investigate_fact" in json.dumps(inspected(npm, era, "--method", "prompts/list"))
    assert "argon://module" in json.dumps(inspected(npm, era, "--method", "resources/list"))
    read = ["--method", "resources/read", "--uri", "argon://diagnostics/OE0101"]
    assert "OE0101" in json.dumps(inspected(npm, era, *read))


# -- the conformance suite ---------------------------------------------------------------------------------------------


@pytest.fixture
def conformance_url(tmp_path: Path) -> Iterator[str]:
    """The server over HTTP, with what the suite asks for mounted beside."""
    root = tmp_path / "served"
    root.mkdir()
    command = [sys.executable, "-m", "tests.mcp.conformance_server", "0", str(lease(root))]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as server:
        assert server.stdout is not None
        yield f"http://127.0.0.1:{int(server.stdout.readline())}/mcp"
        server.kill()


SUITES = {
    "2026-07-28": ("@modelcontextprotocol/conformance", "2026-07-28", ("--requirements", "2026-07-28")),
    "2025-11-25": ("@modelcontextprotocol/conformance", "2025-11-25", ("--requirements", "2025-11-25")),
    "2025-06-18": ("conformance-stable", "2025-11-25", ()),
}


@pytest.mark.parametrize("revision", SUITES)
def test_every_scenario_of_the_conformance_suite_that_applies_passes(
    revision: str, npm: Npm, conformance_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    package, baseline, words = SUITES[revision]
    wanted = ["--expected-failures", str(CLIENTS / f"{baseline}.yml"), "-o", str(npm.home / "out")]
    done = npm.tried(f"{package}/dist/index.js", "server", "--url", conformance_url, *words, *wanted)
    with capsys.disabled():
        print(f"\n{_summary(done.stdout)}")
    assert done.returncode == 0, done.stdout + done.stderr


def _summary(said: str) -> str:
    """The lines of the suite's report that name a scenario, without colours."""
    lines = re.sub(r"\x1b\[\d*m", "", said).splitlines()
    return "\n".join(line for line in lines if re.match(r"\s*[✓✗~] |Total", line))
