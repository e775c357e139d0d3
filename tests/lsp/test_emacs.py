"""The language server and the major mode in a real Emacs with Eglot, driven by a script."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = Path(__file__).with_name("emacs_session.el")
PATIENCE = 300


@pytest.mark.long
def test_a_person_writes_mends_and_explores_a_package_in_emacs(lease_root: Path, tmp_path: Path) -> None:
    emacs = shutil.which("emacs")
    if emacs is None:
        pytest.skip("no Emacs here: install emacs-nox (and elpa-eglot where Emacs is older than 29)")
    server = [sys.executable, "-m", "argon_lsp"]
    words = [emacs, "--batch", "-l", str(SCRIPT), str(ROOT / "editors" / "emacs"), str(lease_root.resolve())]
    done = subprocess.run(
        [*words, *server],
        env={**os.environ, "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    print(done.stdout)
    failed = [line for line in done.stdout.splitlines() if line.startswith("FAILED")]
    assert (failed, done.returncode) == ([], 0), done.stdout + done.stderr
