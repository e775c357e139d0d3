"""A page of the docs that walks through an example: its commands, what they print, and the sources that it quotes."""

from __future__ import annotations

import re
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path

from tests.support.cli import ROOT, argon

_CONSOLE = re.compile(r"```console\n(.*?)```", re.S)
_QUOTED = re.compile(r"```argon (\S+)\n(.*?)```", re.S)
_NOW = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z(?=  user)")
_HASH = re.compile(r"module [0-9a-f]{16}")


@dataclass(frozen=True)
class Walkthrough:
    """The page `docs/NAME.md` about `examples/NAME`."""

    name: str

    @property
    def example(self) -> Path:
        return ROOT / "examples" / self.name

    @property
    def page(self) -> str:
        return (ROOT / "docs" / f"{self.name}.md").read_text(encoding="utf-8")

    def put(self, folder: Path, version: str = "") -> Path:
        """Copy the sources of the example, or of one version of it, and nothing that was built of them."""
        ignored = shutil.ignore_patterns("target", ".argon", "v1")
        shutil.copytree(self.example / version, folder, ignore=ignored, dirs_exist_ok=True)
        return folder

    def steps(self) -> list[tuple[str, str]]:
        """The commands of the page, each with what it shows below."""
        found: list[tuple[str, str]] = []
        for block in _CONSOLE.findall(self.page):
            parts = re.split(r"^\$ (.*)\n", block, flags=re.M)[1:]
            found += zip(parts[::2], parts[1::2], strict=True)
        return found

    def missing(self) -> list[str]:
        """The parts of the page's quotes that their files do not hold."""
        sources = [(self.example / file, block) for file, block in _QUOTED.findall(self.page)]
        assert sources
        return [
            part
            for file, block in sources
            for part in block.strip().split("\n\n")
            if part not in file.read_text(encoding="utf-8")
        ]


def printed(command: str, folder: Path) -> str:
    """What a command of a page prints, with `(now)` for instants of writes and `(hash)` for that of a module."""
    said = _HASH.sub("module (hash)", _NOW.sub("(now)", argon(*shlex.split(command)[1:], cwd=folder).said))
    return "".join(f"{line.rstrip()}\n" for line in said.splitlines())
