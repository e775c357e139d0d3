"""The whole front end over one text: gates, words, layout, and every question that an editor can ask."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress

from blake3 import blake3

from argon_lang.cli.excerpt import Source, draw
from argon_lang.errors import ArgonError
from argon_lang.ide.completion.complete import complete
from argon_lang.ide.definition import definition
from argon_lang.ide.folding import folds
from argon_lang.ide.formatting import format_edits
from argon_lang.ide.hierarchy import (
    implementations,
    incoming,
    outgoing,
    subtypes,
    supertypes,
    symbol_at,
    type_definition,
)
from argon_lang.ide.hover import hover
from argon_lang.ide.inlay import hints
from argon_lang.ide.links import links
from argon_lang.ide.references import highlights, references
from argon_lang.ide.rename import rename
from argon_lang.ide.selection import selections
from argon_lang.ide.signature_help import signature_help
from argon_lang.ide.symbols import index, outline
from argon_lang.ide.tokens import coloured
from argon_lang.problems import Diagnostic
from argon_lang.program.view import PackageInfo
from argon_lang.queries.database import Database
from argon_lang.session.compiler import check_inputs
from argon_lang.session.editing import apply
from argon_lang.syntax.document import Document
from argon_lang.syntax.format import format_document
from argon_lang.text import LineIndex
from argon_lang.workspace.sources import InputFile, Inputs, digest_of

MANIFEST = b'[package]\nname = "bad"\nversion = "0.1.0"\nprelude = ["std::core::{type, rel}"]\n'
FILE = "bad/root.ar"

At = Callable[[Database, str, int], object]
AT: tuple[At, ...] = (
    complete, definition, hover, references, highlights, selections, signature_help, type_definition, implementations,
)  # fmt: skip
"""Questions about a place."""


def checked(data: bytes) -> tuple[Diagnostic, ...]:
    """What the gates say of some bytes as the only source of a package."""
    found = [("ox.toml", MANIFEST), ("root.ar", data)]
    read = tuple(InputFile(path, each, blake3(each).digest()) for path, each in found)
    return check_inputs(Inputs(read, digest_of(read))).diagnostics


def survives(data: bytes, chance: random.Random, places: int = 3) -> tuple[Diagnostic, ...]:
    """Ask everything about some bytes. Raises whatever the front end raises, which should be nothing."""
    diagnostics = checked(data)
    text = data.decode("utf-8-sig", "replace")
    drawn(text, diagnostics)
    canonical(text)
    asked(text, chance, places)
    return diagnostics


def drawn(text: str, diagnostics: tuple[Diagnostic, ...]) -> None:
    """Draw the first diagnostics as a terminal does, and see that all lie in the text."""
    source = Source("root.ar", text, LineIndex(text))
    for each in diagnostics:
        assert 0 <= each.location.start <= each.location.end <= max(len(text), 0), each
        assert each.message
    for each in diagnostics[:50]:
        draw(each, {"root.ar": source}.get)


def canonical(text: str) -> None:
    """Lay the text out; twice is once, and the tokens stay."""
    document = Document.parse(text)
    once = format_document(document)
    assert format_document(Document.parse(once)) == once
    if not document.problems:
        assert not Document.parse(once).problems


def asked(text: str, chance: random.Random, places: int) -> None:
    """Ask an editor's questions about the file and about some places in it."""
    db = Database(PackageInfo("bad", prelude=("std::core::{type, rel}",)))
    db.set_files({FILE: text})
    outline(db, FILE), index(db), folds(db, FILE), links(db, FILE), coloured(db, FILE), hints(db, FILE, 0, len(text))
    edits = format_edits(db, FILE)
    assert apply(text, edits) == format_document(Document.parse(text))
    for _ in range(places):
        offset = chance.randrange(len(text) + 1)
        for question in AT:
            question(db, FILE, offset)
        symbol = symbol_at(db, FILE, offset)
        if symbol is not None:
            supertypes(db, symbol), subtypes(db, symbol), incoming(db, symbol), outgoing(db, symbol)
        with suppress(ArgonError):
            rename(db, FILE, offset, "renamed")
