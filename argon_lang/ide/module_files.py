"""Modules and the files that they are: `a/x.ar` is `x`, and so is `a/x/mod.ar`."""

from __future__ import annotations

from posixpath import basename, dirname

from argon_lang.queries import program
from argon_lang.queries.database import Database

OWN_FILE = "mod.ar"
"""The file of a module that is a folder."""


def module_of_file(db: Database, file: str) -> str | None:
    """The module that a file of the package is; None for its entry, and for a file that no `mod` opens."""
    found = db.ask(program.module_at, (file, ()))
    return found if found is not None and found.startswith("pkg::") else None


def file_of_module(db: Database, module: str) -> str | None:
    """The file that a module is; None for one that is written inside of a file."""
    found = db.ask(program.modules, None).modules.get(module)
    return found.file if found is not None and not found.inner and found.file else None


def name_in(old: str, new: str) -> str | None:
    """The name that a module has once its file is `new`; None where that is in another folder, or no module."""
    folders = [dirname(dirname(each) if basename(each) == OWN_FILE else each) for each in (old, new)]
    if folders[0] != folders[1] or not new.endswith(".ar"):
        return None
    return basename(dirname(new)) if basename(new) == OWN_FILE else basename(new).removesuffix(".ar")


def file_called(file: str, name: str) -> str:
    """What a module's file is when the module is called `name`; of a `mod.ar`, its folder."""
    place = dirname(file) if basename(file) == OWN_FILE else file
    suffix = "" if basename(file) == OWN_FILE else ".ar"
    return f"{dirname(place)}/{name}{suffix}".lstrip("/")
