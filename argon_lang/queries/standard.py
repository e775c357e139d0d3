"""The std packages, read once per process from the installed package and checked as far as they are asked about."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING

from argon_lang.program.view import PackageInfo

if TYPE_CHECKING:
    from argon_lang.queries.database import Database


def sources() -> dict[str, str]:
    """The texts of all std packages by file (`std::core/root.ar`)."""
    found: dict[str, str] = {}
    for package in sorted(files("argon_lang").joinpath("std").iterdir(), key=lambda each: each.name):
        if package.is_dir() and package.joinpath("root.ar").is_file():
            _collect(package, f"std::{package.name}", found)
    return found


def _collect(folder: Traversable, prefix: str, found: dict[str, str]) -> None:
    for each in sorted(folder.iterdir(), key=lambda each: each.name):
        if each.is_dir():
            _collect(each, f"{prefix}/{each.name}", found)
        elif each.name.endswith(".ar"):
            found[f"{prefix}/{each.name}"] = each.read_text(encoding="utf-8")


@cache
def standard() -> Database:
    """The database of the std packages; it never changes."""
    from argon_lang.queries.database import Database

    texts = sources()
    roots = {file.removesuffix("/root.ar"): file for file in texts if re.fullmatch(r"[^/]+/root\.ar", file)}
    found = Database(PackageInfo("std"), roots)
    found.set_files(texts)
    return found
