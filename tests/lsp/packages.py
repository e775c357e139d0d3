"""Packages on disk to serve, and positions in their texts."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parents[2] / "examples"
MANIFEST = '[package]\nname = "small"\nversion = "0.1.0"\nprelude = ["std::core::{type, rel}"]\n'


def lease(folder: Path) -> Path:
    """A copy of the lease example."""
    root = folder / "lease"
    shutil.copytree(EXAMPLES / "lease", root, ignore=shutil.ignore_patterns("target", ".argon"))
    return root


def package(folder: Path, **texts: str) -> Path:
    """A package of a few sources, by module name."""
    root = folder / "small"
    root.mkdir()
    (root / "ox.toml").write_text(MANIFEST, encoding="utf-8")
    for name, text in texts.items():
        (root / f"{name}.ar").write_text(text, encoding="utf-8")
    return root


def position(text: str, words: str, after: int = 0) -> tuple[int, int]:
    """Line and UTF-16 column of the first occurrence of some words, `after` letters further."""
    offset = text.index(words) + after
    line_start = text.rfind("\n", 0, offset) + 1
    column = len(text[line_start:offset].encode("utf-16-le")) // 2
    return text.count("\n", 0, offset), column


def covered(text: str, range_: dict[str, Any]) -> str:
    """The text of a UTF-16 range on one line."""
    line = text.split("\n")[range_["start"]["line"]].encode("utf-16-le")
    return line[range_["start"]["character"] * 2 : range_["end"]["character"] * 2].decode("utf-16-le")
