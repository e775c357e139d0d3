"""A query or mutation written on the spot: the same gates, the same lowered form, as if the package declared it.

The text is laid behind the saved entry file in an incremental database of the package, so its names mean
there what they mean in the entry file, and what is said of it is what would be said of the declaration; a name that
the entry file does not know and one public declaration of the package has needs no `use`. The text must be one `query`
or `mutate` declaration, or the bare `select …` or statements of one. It is answered from the module that serves, never
from another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from threading import Lock
from typing import Literal

from argon_lang.errors import ArgonError
from argon_lang.ir.module import Module, Mutation, Query
from argon_lang.problems import Diagnostic, Location, args
from argon_lang.queries.database import Database
from argon_lang.queries.snippet import moved
from argon_lang.runtime.envelopes import Json
from argon_lang.runtime.served import Served
from argon_lang.session.compiler import database_of
from argon_lang.session.dirty import dirty_workspace
from argon_lang.session.wire import diagnostic_forms
from argon_lang.workspace.sources import Inputs

Kind = Literal["query", "mutate"]
AD_HOC = "<source>"
"""What diagnostics call the text."""

_WORD = re.compile(r"[^\W\d]\w*")
_DECLARED = re.compile(r"(?:\s|//[^\n]*\n|/\*.*?\*/)*(?:pub\s+)?(query|mutate)\s+(?P<name>[^\W\d]\w*)", re.S)
_HEADS = {"query": "pub query {}() -> [Top] {{\n", "mutate": "pub mutate {}() {{\n"}
_UNKNOWN = frozenset({"OE0101", "OE1303", "OW1305"})
"""What is said of a name that nothing in reach has: it is none, or a variable that nothing binds or reads."""

_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Snippet:
    """A text that the gates let pass: the whole module with it, its path there, and the name it was written under."""

    module: Module
    path: str
    name: str

    def query(self) -> Query:
        """The query of the text."""
        found = next(each for each in self.module.queries if each.path == self.path)
        return replace(found, path=f"pkg::{self.name}")

    def mutation(self) -> Mutation:
        """The mutation of the text."""
        found = next(each for each in self.module.mutations if each.path == self.path)
        return replace(found, path=f"pkg::{self.name}")

    def served_with(self, served: Served) -> Served:
        """The served module, enlarged by whatever the text alone needs (the steps of a relation, say)."""
        known = {rule.id for rule in served.module.rules}, {each.path for each in served.module.functions}
        needed = {rule.id for rule in self.module.rules}, {each.path for each in self.module.functions}
        return served.apart() if known == needed else Served.of(self.module, served.module_hash)


@dataclass(frozen=True, slots=True)
class _Text:
    """A text as it is laid behind the entry file: `shift` is where the written part begins in `laid`."""

    laid: str
    name: str
    written_name: str
    shift: int


class AdHoc:
    """The database of the inputs that were last asked about. Safe to use from many threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._known: tuple[str, Database, str] | None = None

    def compile(self, inputs: Inputs, source: str, kind: Kind) -> Snippet:
        """What the text means in the package of these inputs.

        Raises `ARGON_RUNTIME_VALIDATION_FAILED` with the diagnostics under `details` when a gate refuses the text, and
        `DIRTY_WORKSPACE` when the package itself has errors.
        """
        with self._lock:
            database, entry = self._database(inputs)
            before = database.text(entry) or ""
            try:
                return _Page(database, entry, before, len(database.items(entry)), source, kind).read()
            finally:
                database.set_file(entry, before)

    def _database(self, inputs: Inputs) -> tuple[Database, str]:
        if self._known is None or self._known[0] != inputs.digest:
            packages, database = database_of(inputs)
            root = f"{packages.info.name}/" if packages.info.name else ""
            self._known = (inputs.digest, database, root + packages.info.entry)
        return self._known[1], self._known[2]


@dataclass(frozen=True, slots=True)
class _Page:
    """The entry file of a package with a text behind it. `count` are the items of the file alone."""

    database: Database
    entry: str
    before: str
    count: int
    source: str
    kind: Kind

    def read(self) -> Snippet:
        """The meaning of the text. Raises as `AdHoc.compile` does."""
        text, imports = _laid(self.source, self.kind, set(_WORD.findall(self.before))), list[str]()
        while True:
            told = self._told(text, imports)
            more = [path for path in dict.fromkeys(self._elsewhere(told)) if path not in imports]
            if not more and any(each.severity == "error" for each in told):
                raise _refused(told, self.source, self.kind)
            if not more:
                return self._meant(text, len(imports))
            imports += more

    def _told(self, text: _Text, imports: list[str]) -> list[Diagnostic]:
        head = "".join(f"use {path.replace('pkg::', 'self::', 1)};\n" for path in imports)
        self.database.set_file(self.entry, f"{self.before}\n{head}{text.laid}\n")
        begin = len(self.before) + 1 + len(head)
        own = [each for each in self.database.diagnostics(self.entry) if each.location.start >= begin]
        return [_placed(each, self.entry, begin + text.shift, text, self.source) for each in own]

    def _elsewhere(self, told: list[Diagnostic]) -> Iterator[str]:
        """What names that the entry file does not know mean, where one public declaration of the package has them."""
        for each in told:
            name = self.source[each.location.start : each.location.end]
            if each.code in _UNKNOWN and _WORD.fullmatch(name):
                symbols = self.database.all_symbols()
                paths = [path for path in symbols if path.endswith(f"::{name}") and path.startswith("pkg::")]
                if len(paths) == 1 and symbols[paths[0]][0].visibility == "public":
                    yield paths[0]

    def _meant(self, text: _Text, imports: int) -> Snippet:
        module = self.database.module()
        if module is None:
            raise dirty_workspace()
        snippet = Snippet(module, f"pkg::{text.name}", text.written_name)
        paths = {each.path for each in (module.queries if self.kind == "query" else module.mutations)}
        if len(self.database.items(self.entry)) != self.count + imports + 1 or snippet.path not in paths:
            raise _invalid(self.kind, "something else", ())
        return snippet


def _laid(source: str, kind: Kind, taken: set[str]) -> _Text:
    declared = _DECLARED.match(source)
    if declared is None:
        name = next(each for each in _names(len("adhoc"), first="adhoc") if each not in taken)
        head = _HEADS[kind].format(name)
        return _Text(f"{head}{source}\n}}", name, "ad_hoc", len(head))
    written = declared["name"]
    if written not in taken:
        return _Text(source, written, written, 0)
    # A name as long leaves every place of the text where it was.
    name = next(each for each in _names(len(written)) if each not in taken)
    begin, end = declared.span("name")
    return _Text(source[:begin] + name + source[end:], name, written, 0)


def _names(length: int, first: str | None = None) -> Iterator[str]:
    """Names of a length."""
    if first is not None:
        yield first
    for letters in product(_LETTERS, repeat=min(length, 3)):
        yield "".join(letters) + "x" * (length - 3)


def _placed(found: Diagnostic, entry: str, begin: int, text: _Text, source: str) -> Diagnostic:
    """The diagnostic at its place in the text as it was written, under the name that was written."""

    def unnamed(words: str) -> str:
        return re.sub(rf"\b{text.name}\b", text.written_name, words)

    def place(location: Location) -> Location:
        if location.file != entry:
            return location
        start, end = (min(max(each - begin, 0), len(source)) for each in (location.start, location.end))
        return Location(AD_HOC, start, end)

    here = moved(found, place)
    return replace(here, message=unnamed(found.message), help=tuple(map(unnamed, found.help)))


def _refused(told: list[Diagnostic], source: str, kind: Kind) -> ArgonError:
    """The refusal of a text in which a gate found errors."""
    first = next(each for each in told if each.severity == "error")
    forms = diagnostic_forms(told, {AD_HOC: source})
    return _invalid(kind, f"{first.code}: {first.message}", [each.dump() for each in forms])


def _invalid(kind: Kind, found: str, forms: Sequence[Mapping[str, Json]]) -> ArgonError:
    wanted = "one query: `select …`" if kind == "query" else "the statements of a mutation, or one `mutate`"
    codes = sorted({str(each["code"]) for each in forms})
    return ArgonError(
        "ARGON_RUNTIME_VALIDATION_FAILED",
        args(name="source", expected=wanted, found=found),
        details={"argument": "source", "diagnostics": list(forms), "diagnosticCodes": codes},
    )
