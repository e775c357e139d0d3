"""One editor being served: its open documents, over the packages that they belong to.

What the editor tells and asks is queued in the order of its coming (`turns`); one thread owns documents, packages and
databases, takes the news in, answers, and checks in the background what the news put in question. A check gives way to
a question and goes on afterwards: what it has found out is remembered.
"""

from __future__ import annotations

import gc
import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, cast

from argon_lang.errors import ArgonError
from argon_lang.problems import args
from argon_lang.queries.database import Cancelled
from argon_lang.session.cancellation import Cancellation
from argon_lang.session.editor.announcing import Announcer
from argon_lang.session.editor.asked import Asked, placer_of
from argon_lang.session.editor.edited import Edited, OpenText
from argon_lang.session.editor.seats import Seat, Seats
from argon_lang.session.frames import Message
from argon_lang.session.places import Placer
from argon_lang.session.turns import Job, Turn, Turns
from argon_lang.session.worker import Call
from argon_lang.text import Encoding
from argon_lang.workspace.manifest import MANIFEST
from argon_lang.workspace.root import Project as Root
from argon_lang.workspace.root import find_project

Json = Any
Given = Mapping[str, Json]
log = logging.getLogger("argon.session")

SETTLED = "settled"
"""The question whether everything is checked: answered when it is, with nothing."""

OF_FILES = frozenset({"rename"})
"""Questions whose answer renames files: the disk is looked at first, whose changes may not have been told yet."""

PATIENT = frozenset({SETTLED, "violations"})
"""Questions that the background checks answer: they wait for them, and nothing waits for them."""


@dataclass(frozen=True, slots=True)
class _Document:
    """An open document at its seat. `told` is the number of the text, counted by the client's end."""

    name: str
    path: str | None
    seat: Seat
    told: int
    version: int
    text: str


class Desk:
    """Serves one editor. `step` belongs to one thread; `begin`, `tell` and the watchers may come on any other.

    Settings: `encoding`, the units of columns. Every text that is told has a number (`told`) that only grows, and a
    question the number that it was asked at: of a document that was told anew since, the answer is stale.
    """

    def __init__(self, settings: Message, send: Callable[[Message], None]) -> None:
        self.turns = Turns()
        self._send = send
        self._encoding = cast("Encoding", settings["encoding"])
        self._announcer = Announcer(send, self._encoding)
        self._seats = Seats(lambda package: self.turns.tell(partial(self._differs, package)))
        self._documents: dict[str, _Document] = {}
        self._stop = Cancellation()

    def begin(self, question: str, job: Job) -> None:
        """Have a question answered."""
        if question in PATIENT:
            self.turns.settled(job)
        else:
            self.turns.ask(job)

    def tell(self, name: str, given: Given) -> None:
        """Take news in: the editor opened, changed, closed or saved something."""
        self.turns.tell(partial(_NEWS[name], self, given))

    def run(self) -> None:
        """Work for as long as the process lives."""
        # Trees live for many edits: looking through them for garbage as often as Python does by default makes every
        # twentieth keystroke slow.
        gc.set_threshold(50_000, 20, 50)
        while True:
            self.step(self.turns.take())

    def step(self, turn: Turn) -> None:
        """One turn. A fault of it is logged; what was stopped is done again later."""
        self._stop = turn.stop
        for news in turn.news:
            _faults_logged(news)
        if turn.job is not None:
            try:
                _faults_logged(turn.job)
            except Cancelled:
                self.turns.again(turn)

    # -- questions -----------------------------------------------------------------------------------------------------

    def answer(self, name: str, call: Call) -> Json:
        """`{"found": …}`, or `{"stale": true}` when the document was told anew since the question was asked.

        Raises Cancelled when news came meanwhile, `ARGON_RUNTIME_CANCELLED` when nobody waits any more, and KeyError
        for a name that is no question.
        """
        whole = self._WHOLE.get(name)
        ask = partial(whole, self, call.given) if whole is not None else self._question(name, call.given)
        if ask is None:
            return {"stale": True}
        with call.cancellation.then(self._stop.cancel):
            try:
                return {"found": ask()}
            except Cancelled:
                call.cancellation.check()
                raise

    def _question(self, name: str, given: Given) -> Callable[[], Json] | None:
        # Imported by who asks: the first diagnostics do not wait for what they do not need.
        from argon_lang.session.editor.questions import QUESTIONS

        answer, document = QUESTIONS[name], self._documents.get(given["document"])
        if document is None or document.told > given["asked"]:
            return None
        package, path = document.seat.package, document.seat.path
        if name in OF_FILES:
            package.reread()

        def ask() -> Json:
            return answer(Asked(package, package.file(path), placer_of(package, self._encoding), given))

        return lambda: package.ask(ask, self._stop)

    def _symbols(self, given: Given) -> Json:
        found: list[Json] = []
        for package in self._seats:
            ask = partial(self._symbols_of, package, given)
            found += package.ask(ask, self._stop)
        return found

    def _symbols_of(self, package: Edited, given: Given) -> Json:
        from argon_lang.session.editor.questions import symbols_like

        return symbols_like(package, given["letters"], placer_of(package, self._encoding), places=given["places"])

    def _symbol_place(self, given: Given) -> Json:
        """Where a symbol of an earlier answer is."""
        from argon_lang.session.editor.questions import symbol_place

        for package in self._seats:
            ask = partial(symbol_place, package, given["symbol"])
            if (found := package.ask(partial(self._placed, package, ask), self._stop)) is not None:
                return found
        return None

    def _placed(self, package: Edited, ask: Callable[[Placer], Json]) -> Json:
        return ask(placer_of(package, self._encoding))

    def _moved_files(self, given: Given) -> Json:
        found: list[Json] = []
        for package in self._seats:
            package.reread()
            ask = partial(self._moved_in, package, given["files"])
            found += package.ask(ask, self._stop)
        return found

    def _moved_in(self, package: Edited, files: list[list[str]]) -> Json:
        from argon_lang.session.editor.questions import moved_files

        return moved_files(package, files, placer_of(package, self._encoding))

    def _place(self, given: Given) -> Json:
        """`{"root", "unsaved"}`: the project of a document, open or not, and what of it was not saved.

        Raises `ARGON_PROJECT_NOT_FOUND`.
        """
        known, path = self._documents.get(given["document"]), given["path"]
        package = known.seat.package if known is not None else None
        root = package.root if package is not None else _root_of(path)
        if root is None:
            raise ArgonError("ARGON_PROJECT_NOT_FOUND", args(path=path or given["document"]))
        package = package or self._seats.known(str(root.root))
        return {"root": str(root.root), "unsaved": package.unsaved() if package is not None else []}

    _WHOLE: ClassVar[Mapping[str, Callable[[Desk, Given], Json]]] = {
        SETTLED: lambda _desk, _given: None,
        "symbols": _symbols,
        "symbolPlace": _symbol_place,
        "movedFiles": _moved_files,
        "place": _place,
    }
    """The questions that are not about one open document."""

    # -- checks --------------------------------------------------------------------------------------------------------

    def _check_later(self, package: Edited) -> None:
        self.turns.later(package, partial(self._check, package))

    def _check(self, package: Edited) -> None:
        if package in self._seats:
            self._announcer.check(package, self._stop)
            self._tell_stale(package)
        else:
            self._announcer.withdraw(package)

    def _tell_stale(self, package: Edited) -> None:
        """Tell which answers about open documents are others now, though the documents are the same."""
        if package.shown:
            from argon_lang.session.editor.staleness import stale

            for what in package.ask(partial(stale, package, self._encoding), self._stop):
                self._send({"event": "stale", "what": what})

    def _differs(self, package: Edited) -> None:
        """Something on disk may be different."""
        package.reread()
        self._check_later(package)

    # -- news ----------------------------------------------------------------------------------------------------------

    def _opened(self, given: Given) -> None:
        """`{"document", "path", "told", "version", "text"}`. Opened twice, a document begins anew."""
        name, path = given["document"], given["path"]
        self._put(_Document(name, path, self._seats.of(name, path), given["told"], given["version"], given["text"]))
        if path is not None and Path(path).name == MANIFEST:
            self._seat_again()

    def _edited(self, given: Given) -> None:
        """`{"document", "told", "version", "edits": [[start, end, text], …]}`, each edit of what the last one left."""
        known = self._documents[given["document"]]
        text = known.text
        for start, end, new in given["edits"]:
            text = f"{text[:start]}{new}{text[end:]}"
        self._put(replace(known, told=given["told"], version=given["version"], text=text))

    def _closed(self, given: Given) -> None:
        """`{"document"}`."""
        known = self._documents.pop(given["document"], None)
        if known is not None:
            self._leave(known.seat)

    def _saved(self, given: Given) -> None:
        """`{"document"}`. What depends on a saved package has changed with it."""
        self._seat_again()
        if given["document"] in self._documents:
            self._all_differ()

    def _files_changed(self, given: Given) -> None:
        """`{"paths"}`: the editor saw them change on disk."""
        if any(Path(path).name == MANIFEST for path in given["paths"]):
            self._seat_again()
        self._all_differ()

    def _folders(self, given: Given) -> None:
        """`{"added", "removed"}`: folders of the workspace. A package that no document needs goes with its folder."""
        for path in given["added"]:
            package = self._seats.open_folder(path)
            if package is not None:
                self._check_later(package)
        for path in given["removed"]:
            package = self._seats.known(path)
            if package is not None and all(each.seat.package is not package for each in self._documents.values()):
                self._seats.drop(package)
                self._check_later(package)

    def _put(self, document: _Document) -> None:
        self._documents[document.name] = document
        package = document.seat.package
        package.put(document.seat.path, OpenText(document.name, document.version, document.text))
        self._check_later(package)

    def _leave(self, seat: Seat) -> None:
        seat.package.remove(seat.path)
        self._check_later(seat.package)
        if seat.package.root is None:
            self._seats.drop(seat.package)

    def _seat_again(self) -> None:
        """Look up anew where each document belongs: an `ox.toml` came or went."""
        for known in list(self._documents.values()):
            seat = self._seats.of(known.name, known.path)
            if seat.package is not known.seat.package:
                self._leave(known.seat)
                self._put(replace(known, seat=seat))

    def _all_differ(self) -> None:
        for package in self._seats:
            self._differs(package)


_NEWS: Mapping[str, Callable[[Desk, Given], None]] = {
    "opened": Desk._opened,
    "edited": Desk._edited,
    "closed": Desk._closed,
    "saved": Desk._saved,
    "files": Desk._files_changed,
    "folders": Desk._folders,
}
"""What an editor may tell, by name."""


def _root_of(path: str | None) -> Root | None:
    """The package of a file or folder that is not open; None when there is none."""
    if path is None:
        return None
    place = Path(path)
    root = find_project(start=place if place.is_dir() else place.parent)
    return root if root.has_manifest else None


def _faults_logged(job: Job) -> None:
    """Do something; of faults only Cancelled comes out."""
    try:
        job()
    except Cancelled:
        raise
    except Exception as error:
        log.error("a fault at the desk: %s", error, exc_info=error)


def serve(settings: Message, send: Callable[[Message], None]) -> Desk:
    """An editor's desk, with the thread that works at it."""
    desk = Desk(settings, send)
    threading.Thread(target=desk.run, name="argon-desk", daemon=True).start()
    return desk
