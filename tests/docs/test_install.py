"""docs/install.md, run as it is written: in a fresh environment, from the files that are shipped."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from argon_lang.version import VERSION

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "install.md").read_text("utf-8")
BLOCK = re.compile(r"^```sh (\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHIPPED = ("argon_lang", "argon_lsp", "argon_mcp", "shared_catalog")
CACHE = ".cache/argon/"
REMAINS = re.compile(r"^\| `([^`]+)` in each project \|", re.MULTILINE)

pytestmark = pytest.mark.wheel


class Newcomer:
    """Someone with an empty home folder and a clone."""

    def __init__(self, folder: Path) -> None:
        self.home, self.clone = folder / "home", folder / "clone"
        self.home.mkdir()
        self.clone.mkdir()
        for name in SHIPPED:
            shutil.copytree(ROOT / name, self.clone / name, ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("pyproject.toml", "README.md", "CHANGELOG.md", "LICENSE"):
            shutil.copy(ROOT / name, self.clone / name)

    def does(self, block: str) -> str:
        """Run the commands of one block of the page; what they print."""
        script = f"set -e\ncd '{self.clone}'\n{dict(BLOCK.findall(PAGE))[block]}"
        cache = os.environ.get("PIP_CACHE_DIR") or str(Path.home() / ".cache" / "pip")
        path = f"{Path(sys.base_prefix) / 'bin'}{os.pathsep}{os.environ['PATH']}"
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "VIRTUAL_ENV"))}
        env = kept | {
            "HOME": str(self.home),
            "PATH": path,
            "PIP_CACHE_DIR": cache,
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        }
        done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, env=env, check=False, timeout=300)
        assert done.returncode == 0, f"{block}:\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def files(self) -> set[str]:
        """Every file in the home folder."""
        return {path.relative_to(self.home).as_posix() for path in self.home.rglob("*") if not path.is_dir()}


def outside(files: set[str]) -> set[str]:
    """The files that are not of the installation: other programs that pip asks about leave some too."""
    return {path for path in files if not path.startswith(".local/share/argon-lang/")}


@pytest.fixture(scope="module")
def newcomer(tmp_path_factory: pytest.TempPathFactory) -> Newcomer:
    return Newcomer(tmp_path_factory.mktemp("newcomer"))


def test_what_the_page_says_about_installing_trying_upgrading_and_removing_is_so(newcomer: Newcomer) -> None:
    assert newcomer.does("install").splitlines()[-1] == f"argon {VERSION}"
    installed = newcomer.files()
    tried = newcomer.does("try")
    assert "Ben" in tried
    assert "Cleo" in tried
    new = {path for path in outside(newcomer.files() - installed) if not path.startswith(CACHE)}
    assert new == set(), "argon wrote outside its project and its cache"
    newcomer.does("upgrade")
    newcomer.does("uninstall")
    left = {path for path in newcomer.files() - outside(installed) if not path.startswith(CACHE)}
    assert left == set()
    school = newcomer.clone / "school"
    written = {"ox.toml", "root.ar", ".gitignore", ".gitattributes"}
    remaining = {f"{path.name}/" for path in school.iterdir() if path.name not in written}
    assert remaining <= set(REMAINS.findall(PAGE))
    assert (school / "target" / "root.oxbin").exists()


def test_a_wheel_holds_the_packages_their_data_and_nothing_else(newcomer: Newcomer) -> None:
    newcomer.does("wheel")
    (wheel,) = (newcomer.clone / "dist").glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    shipped = {
        path.relative_to(newcomer.clone).as_posix()
        for package in SHIPPED
        for path in (newcomer.clone / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    info = f"argon_lang-{VERSION}.dist-info/"
    assert {name for name in names if not name.startswith(info)} == shipped
    assert {"argon_lang/std/core/root.ar", "argon_lang/workspace/template/root.ar"} <= names
    assert {"shared_catalog/index.json", "shared_catalog/codes/OE1317.md"} <= names
    assert f"{info}licenses/LICENSE" in names
