"""The VS Code extension built and packaged, and used in a real VS Code; run by `tasks.py long`."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.lsp import vscode_editor

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
GRAMMAR = vscode_editor.EXTENSION / "syntaxes" / "argon.tmLanguage.json"
COLOURS = ROOT / "tests" / "fixtures" / "editors" / "colours.test.ar"
LARGEST = 400_000
PICTURES = {
    "calls", "completion", "error", "failure", "hover", "messages", "outline", "page", "proof", "quickfix", "rename",
    "signature",
}  # fmt: skip
"""What the driver has pictures taken of."""


@pytest.fixture(scope="module")
def vsix() -> Path:
    """The extension as a person builds it: types checked, its own tests run, bundled, packaged."""
    done = subprocess.run([sys.executable, "tasks.py", "vscode"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    return vscode_editor.EXTENSION / "argon.vsix"


def test_the_package_is_small_and_has_what_a_user_needs_and_no_more(vsix: Path) -> None:
    with zipfile.ZipFile(vsix) as packed:
        names = {name.removeprefix("extension/") for name in packed.namelist()}
    assert {"package.json", "dist/extension.js", "icon.png", "readme.md", "LICENSE.txt", "changelog.md"} <= names
    assert {"syntaxes/argon.tmLanguage.json", "snippets/argon.json", "language-configuration.json"} <= names
    assert [name for name in names if name.startswith(("src/", "test/", "node_modules/", "dist/test/"))] == []
    assert vsix.stat().st_size < LARGEST


def test_the_editors_own_engine_colours_the_fixture_as_ours_does(tmp_path: Path) -> None:
    env = vscode_editor.surroundings(vscode_editor.scratch(), tmp_path)
    modules = vscode_editor.packages(vscode_editor.scratch() / "grammar", env, vscode_editor.GRAMMAR_TEST)
    program = modules / "vscode-tmgrammar-test" / "dist" / "unit.js"
    printed = vscode_editor.run("node", program, "-g", GRAMMAR, COLOURS, cwd=ROOT, env=env)
    assert "run success" in printed


def test_a_person_writes_mends_and_explores_a_package_in_vscode(vsix: Path, lease_root: Path, tmp_path: Path) -> None:
    programs = lease_root / ".venv" / "bin"
    programs.mkdir(parents=True)
    log = tmp_path / "server.log"
    (programs / "argon").write_text(f'#!/bin/sh\nexec "{Path(sys.executable).with_name("argon")}" "$@" 2>>"{log}"\n')
    (programs / "argon").chmod(0o755)
    pictures = Path(os.environ.get("ARGON_EDITOR_PICTURES") or tmp_path / "pictures")
    seen = vscode_editor.session(vsix, lease_root.resolve(), tmp_path / "session", pictures)
    for step in seen["steps"]:
        print(f"{'ok' if step['ok'] else 'FAILED'} {step['name']} ({step['milliseconds']} ms)")
    print("VS Code", seen["editor"])
    said = log.read_text("utf-8")
    assert [step for step in seen["steps"] if not step["ok"]] == [], said[-4000:]
    assert "Traceback" not in said
    assert seen["fault"] is None
    assert {path.stem for path in pictures.glob("*.png")} == PICTURES
    assert len(seen["steps"]) > 30
