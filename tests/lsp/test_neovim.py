"""The language server in a real Neovim, driven by a script."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SCRIPT = Path(__file__).with_name("neovim_session.lua")
PATIENCE = 240


def neovim() -> str:
    """The Neovim that is installed beside the tests."""
    found = shutil.which("nvim", path=str(Path(sys.executable).parent))
    assert found is not None, "Neovim is part of the test environment: install argon-lang[test]"
    return found


def test_a_person_writes_mends_and_explores_a_package(lease_root: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    environment = {
        **os.environ,
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_STATE_HOME": str(home / "state"),
        "XDG_DATA_HOME": str(home / "data"),
        "PYTHONPATH": str(ROOT),
    }
    server = [sys.executable, "-m", "argon_lsp"]
    words = [neovim(), "--clean", "--headless", "-u", "NONE", "-l", str(SCRIPT)]
    done = subprocess.run(
        [*words, str(ROOT / "editors" / "neovim"), str(lease_root.resolve()), *server],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    failed = [line for line in done.stdout.splitlines() if not line.startswith("ok ")]
    assert (failed, done.returncode) == ([], 0), done.stdout + done.stderr
