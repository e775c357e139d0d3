"""Check a handful of texts as one package: examples of the catalog and of the docs, pasted text, tests."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace

from argon_lang.ir.module import Module
from argon_lang.problems import Diagnostic, Location, PublishedFix, PublishedRelated, Replacement
from argon_lang.program.view import PackageInfo
from argon_lang.queries.database import Database

PRELUDE = ("std::core::{type, rel}",)
"""What a text without a package sees (language.md §2)."""

MANIFEST = "ox.toml"


def check_files(files: Mapping[str, str]) -> list[Diagnostic]:
    """The diagnostics of the `.ar` texts among `files` (relative path → text), at the paths as given.

    With an `ox.toml` among them its package options hold; without one they are a nameless package. Nothing is said of
    the manifest itself. Raises `tomllib.TOMLDecodeError` when it is not TOML.
    """
    db = database_of(files)
    prefix = f"{db.package.name}/" if db.package.name else ""
    return [relative_to(each, prefix) for each in db.diagnostics()]


def module_of(files: Mapping[str, str]) -> Module | None:
    """The lowered module of the same package; None when it has errors."""
    return database_of(files).module()


def database_of(files: Mapping[str, str]) -> Database:
    """A database of the same package."""
    texts = {path: text for path, text in files.items() if path.endswith(".ar")}
    package = package_of(files.get(MANIFEST), tuple(texts))
    db = Database(package)
    prefix = f"{package.name}/" if package.name else ""
    db.set_files({prefix + path: text for path, text in texts.items()})
    return db


def package_of(manifest: str | None, paths: tuple[str, ...]) -> PackageInfo:
    """The package options in a manifest; without one those of a nameless package, whose lone file is its entry."""
    if manifest is None:
        entry = paths[0] if len(paths) == 1 else "root.ar"
        return PackageInfo("", entry=entry, prelude=PRELUDE)
    data = tomllib.loads(manifest)
    table = data.get("package", {})
    return PackageInfo(
        str(table.get("name", "")),
        str(table.get("version", "0.0.0")),
        str(table.get("entry", "root.ar")),
        tuple(map(str, table.get("prelude", ()))),
        str(table.get("default_world", "closed")),
        str(table["max_tier"]) if "max_tier" in table else None,
        tuple(sorted((code, str(level)) for code, level in data.get("lint", {}).items())),
    )


def relative_to(found: Diagnostic, prefix: str) -> Diagnostic:
    """The diagnostic with `prefix` taken off every file name."""
    return renamed(found, lambda file: file.removeprefix(prefix))


def renamed(found: Diagnostic, name: Callable[[str], str]) -> Diagnostic:
    """The diagnostic with every file called what `name` makes of its name."""
    return moved(found, lambda location: replace(location, file=name(location.file)))


def moved(found: Diagnostic, place: Callable[[Location], Location]) -> Diagnostic:
    """The diagnostic with every location where `place` puts it."""

    def fix(each: PublishedFix) -> PublishedFix:
        return replace(each, edits=tuple(Replacement(place(edit.location), edit.text) for edit in each.edits))

    related = tuple(PublishedRelated(each.message, place(each.location)) for each in found.related)
    return replace(found, location=place(found.location), related=related, fixes=tuple(map(fix, found.fixes)))
