"""The answer of a check as a value, and its form in the cache; imports nothing that checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cbor2

from argon_lang.problems import Diagnostic, Location, PublishedFix, PublishedRelated, Replacement
from argon_lang.workspace.manifest import MANIFEST
from argon_lang.workspace.sources import Inputs


@dataclass(frozen=True, slots=True)
class Checked:
    """The answer of a check: diagnostics by relative file path, the texts they rest on, and the digest of both.

    File names in the diagnostics are relative to the root, with `/`.
    """

    diagnostics: tuple[Diagnostic, ...]
    texts: Mapping[str, str]
    inputs_digest: str

    @property
    def ok(self) -> bool:
        """Does no error stand?"""
        return not any(diagnostic.severity == "error" for diagnostic in self.diagnostics)

    def only(self, wanted: Sequence[str]) -> Checked:
        """The diagnostics of these files and folders (relative paths); all of them when none is named."""
        if not wanted:
            return self
        kept = tuple(each for each in self.diagnostics if _within(each.location.file, wanted))
        return Checked(kept, self.texts, self.inputs_digest)


def _within(file: str, wanted: Sequence[str]) -> bool:
    return any(path in (file, ".") or file.startswith(path + "/") for path in wanted)


def texts_of(inputs: Inputs) -> dict[str, str]:
    """The texts of some inputs by relative path, those of dependencies and `ox.toml` among them."""
    packages = inputs.packages()
    return {**{each.path: each.text for each in inputs.all_sources(packages)}, MANIFEST: packages.reading.text}


def kept_form(diagnostics: Sequence[Diagnostic]) -> bytes | None:
    """Diagnostics as CBOR; None where they hold text that is no Unicode."""
    try:
        return cbor2.dumps([_plain(each) for each in diagnostics])
    except (ValueError, cbor2.CBORError):
        return None


def from_kept_form(data: bytes) -> tuple[Diagnostic, ...] | None:
    """The diagnostics of a kept form; None when it is none."""
    try:
        return tuple(map(_diagnostic, cbor2.loads(data)))
    except (ValueError, TypeError, KeyError, IndexError, cbor2.CBORError):
        return None


def _plain(found: Diagnostic) -> list[Any]:
    related = [[each.message, _span(each.location)] for each in found.related]
    fixes = [[fix.title, fix.safe, [[_span(e.location), e.text] for e in fix.edits]] for fix in found.fixes]
    place = _span(found.location)
    return [found.code, found.severity, found.message, place, related, list(found.help), fixes, list(found.tags)]


def _span(location: Location) -> list[Any]:
    return [location.file, location.start, location.end]


def _diagnostic(plain: Any) -> Diagnostic:
    code, severity, message, place, related, helps, fixes, tags = plain
    return Diagnostic(
        code,
        severity,
        message,
        Location(*place),
        tuple(PublishedRelated(text, Location(*at)) for text, at in related),
        tuple(helps),
        tuple(_fix(*each) for each in fixes),
        tuple(tags),
    )


def _fix(title: str, safe: bool, edits: Any) -> PublishedFix:
    return PublishedFix(title, safe, tuple(Replacement(Location(*at), text) for at, text in edits))
