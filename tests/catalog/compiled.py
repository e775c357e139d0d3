"""Catalog snippets compiled as a project is: manifest and sources, by the gate that every front end runs."""

from __future__ import annotations

from collections.abc import Mapping

from blake3 import blake3

from argon_lang.problems import Diagnostic
from argon_lang.session.compiler import check_inputs
from argon_lang.workspace.sources import InputFile, Inputs, digest_of


def check_files(files: Mapping[str, str]) -> list[Diagnostic]:
    """The diagnostics of these files (relative path → text) as one project."""
    found = [(path, text.encode()) for path, text in sorted(files.items())]
    read = tuple(InputFile(path, data, blake3(data).digest()) for path, data in found)
    return list(check_inputs(Inputs(read, digest_of(read))).diagnostics)
