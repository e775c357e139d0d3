"""Questions about source text, saved or pasted: its tree, layout, symbols, references, imports, renames.

A pasted text is a package of its own (language.md §2); a path means the saved file of the project, or of a member of
its workspace. Nothing is ever written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from argon_lang.errors import ArgonError
from argon_lang.ide import find, references, rename, symbols
from argon_lang.ide.imports import imports
from argon_lang.ide.signature import headline
from argon_lang.problems import Diagnostic, Replacement, args
from argon_lang.program.model import Symbol
from argon_lang.queries.database import Database
from argon_lang.queries.snippet import database_of
from argon_lang.session.editing import apply, unified
from argon_lang.session.places import Placer, plain_diagnostic
from argon_lang.session.program import Program
from argon_lang.syntax.document import Document
from argon_lang.syntax.format import format_document
from argon_lang.syntax.outline import outline
from argon_lang.text import LineIndex
from argon_lang.workspace.cache import user_cache
from argon_lang.workspace.dependencies import Packages
from argon_lang.workspace.root import Project as Root
from argon_lang.workspace.root import find_project, members
from argon_lang.workspace.sources import InputMemo, read_inputs

if TYPE_CHECKING:
    from argon_lang.session.questions import Request

T = TypeVar("T")
Json = Any
PASTED = "root.ar"
"""What a pasted text is called in answers."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A package that a question is about. `named` turns a file of the database into the name that answers use."""

    database: Database
    named: Callable[[str], str]

    def file(self, path: str) -> str:
        """The database's name of a file by the name that answers use. Raises `ARGON_INPUT_UNREADABLE`."""
        for each in self.database.files():
            if self.named(each) == path:
                return each
        raise ArgonError("ARGON_INPUT_UNREADABLE", args(path=path, found="no source of the package"))

    def placer(self) -> Placer:
        """Places with the names that answers use; of std packages those of the installed sources."""
        return Placer(self.database.text, "utf-16", self.named)


class Members:
    """The other packages of a project's workspace that were asked about, each with its incremental program."""

    def __init__(self) -> None:
        self._programs: dict[Path, tuple[Program, InputMemo]] = {}

    def of(self, root: Root) -> tuple[Program, InputMemo]:
        """The program of a member, made when first asked for."""
        if root.root not in self._programs:
            self._programs[root.root] = Program(user_cache()), InputMemo()
        return self._programs[root.root]


def _subject(packages: Packages, database: Database) -> Subject:
    return Subject(database, packages.relative)


def _asked(request: Request, question: Callable[[Subject], T]) -> T:
    """Ask about the pasted text, else about the saved sources of the package that `projectRoot` names.

    Raises `ARGON_INPUT_UNREADABLE`, `ARGON_RUNTIME_CANCELLED`.
    """
    pasted = request.given.get("source")
    if pasted is not None:
        return question(Subject(database_of({PASTED: pasted}), lambda file: file))
    session, root = request.session, _root(request)
    own = session.project()
    program, memo = (session.program, own.memo) if root.root == own.root.root else session.members.of(root)
    request.stage("reading the program")
    inputs = read_inputs(root, memo=memo)
    return program.ask(inputs, request.cancellation, lambda *found: question(_subject(*found)))


def _root(request: Request) -> Root:
    """The package that is meant: the server's own, or a member of its workspace by folder or name."""
    own = request.session.project().root
    wanted = request.given.get("projectRoot")
    if wanted is None:
        return own
    known = members(own.root)
    folder = known.get(wanted, own.root / wanted).resolve()
    if folder == own.root.resolve():
        return own
    if folder not in {each.resolve() for each in known.values()}:
        raise ArgonError(
            "ARGON_PATH_OUTSIDE_PROJECT",
            args(path=wanted),
            details={"path": wanted, "root": str(own.root), "candidates": sorted(known)},
        )
    return find_project(str(folder))


def _text(request: Request, subject: Subject) -> tuple[str, str]:
    """The file that is meant, as the database names it, and its text. Raises `ARGON_RUNTIME_VALIDATION_FAILED`."""
    given = request.given
    if given.get("source") is None and given.get("filePath") is None:
        values = args(name="source", expected="a text, or filePath", found="neither")
        raise ArgonError("ARGON_RUNTIME_VALIDATION_FAILED", values)
    root = None if given.get("source") is not None else _root(request)
    path = PASTED if root is None else root.relative(given["filePath"], root.root)
    file = subject.file(path)
    return file, subject.database.text(file) or ""


def _diagnostics(subject: Subject, found: Iterable[Diagnostic]) -> list[Json]:
    placer = subject.placer()
    return [plain_diagnostic(each, placer) for each in found]


# -- text --------------------------------------------------------------------------------------------------------------


def parse(request: Request) -> Json:
    """The tree of a text down to a depth, and what is wrong with the text."""

    def question(subject: Subject) -> Json:
        file, text = _text(request, subject)
        tree = outline(subject.database.documents().get(file) or Document.parse(text), request.given["depth"])
        found, index = _diagnostics(subject, subject.database.diagnostics(file)), LineIndex(text)
        tab = request.given["tabSize"]
        return {"tree": tree, "diagnostics": [_with_line(each, text, index, tab) for each in found]}

    return _asked(request, question)


def _with_line(found: Json, text: str, index: LineIndex, tab: int) -> Json:
    """A diagnostic with its line as it looks, tabs as blanks, and the column where it begins there, from 1."""
    start = found["span"]["start"]
    low, _ = index.line_span(start["line"])
    before = text[low : index.offset(start["line"], start["character"], "utf-16")]
    line = index.line_text(start["line"]).expandtabs(tab)
    return found | {"sourceLine": line, "column": len(before.expandtabs(tab)) + 1}


def layout(request: Request) -> Json:
    """A text in its canonical layout, and the changed hunks as a unified diff."""

    def question(subject: Subject) -> Json:
        file, text = _text(request, subject)
        formatted = format_document(Document.parse(text))
        return {
            "formatted": formatted,
            "changed": formatted != text,
            "hunks": unified(subject.named(file), text, formatted),
        }

    return _asked(request, question)


def list_imports(request: Request) -> Json:
    """What a file imports, and whether each of it is there."""

    def question(subject: Subject) -> Json:
        file, _ = _text(request, subject)
        found = imports(subject.database, file)
        return {
            "imports": [
                {"module": each.module, "items": list(each.items), "isPublic": each.public, "resolved": each.resolved}
                for each in found
            ]
        }

    return _asked(request, question)


# -- names -------------------------------------------------------------------------------------------------------------


def symbol_id(symbol: Symbol) -> str:
    """What tells one declaration from every other: `concept pkg::Lease`, `predicate pkg::owes/2`."""
    arity = f"/{symbol.arity}" if symbol.arity is not None else ""
    return f"{symbol.kind} {symbol.path}{arity}"


def lookup(request: Request) -> Json:
    """Symbols by a few letters of their names, the closest first."""
    kinds = request.given["kinds"]

    def question(subject: Subject) -> Json:
        db, placer = subject.database, subject.placer()
        found = [each for each in symbols.search(db, request.given["query"]) if not kinds or each.symbol.kind in kinds]
        return {
            "symbols": [
                {
                    "symbolId": symbol_id(each.symbol),
                    "name": each.symbol.name,
                    "kind": each.symbol.kind,
                    "path": each.symbol.path,
                    "signature": headline(db, each.symbol),
                    "span": placer.place(each.location),
                }
                for each in found
            ]
        }

    return _asked(request, question)


def list_references(request: Request) -> Json:
    """Every place where a symbol is named, with the line that it stands in."""

    def question(subject: Subject) -> Json:
        db, placer = subject.database, subject.placer()
        symbol = _symbol(db, request.given)
        found = references.references_to(db, symbol)
        lines = {file: LineIndex(db.text(file) or "") for file in dict.fromkeys(each.file for each in found)}
        placed = [(placer.place(each), lines[each.file]) for each in found]
        return {
            "symbolId": symbol_id(symbol),
            "references": [
                {"span": span, "line": text.line_text(span["start"]["line"]).strip()}
                for span, text in placed
                if span is not None
            ],
        }

    return _asked(request, question)


def _symbol(db: Database, given: Mapping[str, Json]) -> Symbol:
    """The symbol that is meant. Raises OE0102 with the candidates, `ARGON_RUNTIME_NOT_FOUND`."""
    wanted = given.get("symbolId")
    if wanted is None:
        return find.find_one(db, given["query"])
    for listed in db.all_symbols().values():
        for each in listed:
            if symbol_id(each) == wanted:
                return each
    raise ArgonError("ARGON_RUNTIME_NOT_FOUND", args(kind="symbol", name=wanted), details={"name": wanted})


# -- rename ------------------------------------------------------------------------------------------------------------


def rename_symbol(request: Request) -> Json:
    """The text, or the diff of the whole package, after a rename. Nothing is written."""

    def question(subject: Subject) -> Json:
        given, db = request.given, subject.database
        if given.get("source") is None:
            symbol = _symbol(
                db, {"symbolId": given["symbol"]} if " " in given["symbol"] else {"query": given["symbol"]}
            )
            return _renamed(subject, rename.rename_symbol(db, symbol, given["newName"]).edits)
        place = _local_place(db, given["oldName"], given.get("scope") or "module")
        edits = rename.rename(db, PASTED, place, given["newName"]).edits
        after = apply(given["source"], edits)
        again = Subject(database_of({PASTED: after}), lambda file: file)
        found = _diagnostics(again, again.database.diagnostics())
        return _renamed(subject, edits) | {"source": after, "diagnostics": found}

    return _asked(request, question)


def _local_place(db: Database, old: str, scope: str) -> int:
    """Where a name stands for the first time in the pasted text: anywhere, or in one item (`item:NAME`)."""
    found = rename.first_place(db, PASTED, old, scope.removeprefix("item:") if scope != "module" else None)
    if found is None:
        raise ArgonError("ARGON_RUNTIME_NOT_FOUND", args(kind="name", name=old), details={"name": old})
    return found


def _renamed(subject: Subject, edits: tuple[Replacement, ...]) -> Json:
    placer, files = subject.placer(), dict.fromkeys(each.location.file for each in edits)
    diff = ""
    for file in files:
        text = subject.database.text(file) or ""
        diff += unified(subject.named(file), text, apply(text, [each for each in edits if each.location.file == file]))
    return {
        "edits": [{"span": placer.place(each.location), "newText": each.text} for each in edits],
        "files": [subject.named(file) for file in files],
        "diff": diff,
    }


QUESTIONS: Mapping[str, Callable[[Request], Json]] = {
    "parse": parse,
    "format": layout,
    "imports": list_imports,
    "symbols": lookup,
    "references": list_references,
    "rename": rename_symbol,
}
"""Every question about sources, by name."""
