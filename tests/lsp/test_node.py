"""Microsoft's protocol library on Node, which VS Code's clients are made of, holds a whole session with the server."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.lsp.packages import lease
from tests.support.lsp_client import SERVER

HERE = Path(__file__).parent
PACKAGE = "vscode-languageserver-protocol"
EXTENSION = Path(__file__).parents[2] / "editors" / "vscode" / "node_modules"
VERSION = "3.18.5"


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the library: the extension's, or one that npm fills now."""
    if shutil.which("node") is None:
        pytest.skip("there is no Node.js")
    if (EXTENSION / PACKAGE).is_dir():
        return EXTENSION
    folder = tmp_path_factory.mktemp("node")
    npm = shutil.which("npm")
    words = [str(npm), "install", "--no-audit", "--no-fund", "--prefix", str(folder), f"{PACKAGE}@{VERSION}"]
    if npm is None or subprocess.run(words, capture_output=True, timeout=300).returncode:
        pytest.skip(f"there is no {PACKAGE}, and npm cannot get it")
    return folder / "node_modules"


def test_microsoft_s_protocol_library_holds_a_session(modules: Path, tmp_path: Path) -> None:
    root = lease(tmp_path)
    words = ["node", str(HERE / "node_client.cjs"), str(modules), str(root), *SERVER]
    ran = subprocess.run(words, capture_output=True, timeout=240, cwd=HERE.parents[1])
    assert ran.returncode == 0, ran.stderr.decode()
    seen = json.loads(ran.stdout)
    assert seen["errors"] == []
    assert (seen["pulls"], seen["clean"], seen["mended"]) == (True, [], [])
    assert seen["broken"] == ["OE0101", "OE0101"]
    assert seen["delta"] == 1
    assert "pub derive answers_for(p: Person, debtor: Person)" in seen["hover"]
    assert seen["definitions"] == 2
    assert {"Invoice", "late_fee"} <= set(seen["symbols"])
    assert "use" in seen["lens"]
    assert seen["renamed"] == 2
    assert seen["rows"] == "1 row"
    assert (seen["cancelled"], seen["status"]) == (-32800, 0)
