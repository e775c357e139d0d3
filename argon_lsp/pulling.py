"""Diagnostics that the client fetches: of one document, or of the workspace as a stream.

What the client was told of a file has an id that says what it was, whoever found it out and when; so what is the same
is said in a word, and what is different is known however it came about. Of what the client does not fetch by itself
(an edit of one file changes what is wrong in another) it learns by the stream, or by being asked to fetch again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcContentModified, JsonRpcException

from argon_lsp import convert, errors, wire
from argon_lsp.asking import Json
from argon_lsp.failing import Failing
from argon_lsp.protocol import ASKED_AT
from argon_lsp.sync import Documents

Ask = Callable[[str, dict[str, Json]], Awaitable[Json]]
QUESTION, SETTLED = "diagnostics", "settled"
_GATHER_SECONDS = 0.02
"""A check tells of many files one after the other; they are passed on together."""

_PATIENCE_SECONDS = 5.0
"""How long a client that was asked to fetch again is not asked once more before it has said that it will."""


@dataclass(frozen=True, slots=True)
class Report:
    """What is wrong in a file, at a version of it when it is open."""

    items: list[Json]
    version: int | None = None
    id: str = field(init=False)

    def __post_init__(self) -> None:
        written = b"".join(sorted(map(wire.dumps, self.items)))
        object.__setattr__(self, "id", blake2b(written, digest_size=9).hexdigest())

    def since(self, known: str | None) -> Json:
        """As the protocol has it, for a client that was told `known`."""
        if known == self.id:
            return {"kind": "unchanged", "resultId": self.id}
        return {"kind": "full", "resultId": self.id, "items": self.items}


CLEAN = Report([])


@dataclass(eq=False, slots=True)
class _Stream:
    """A request about the workspace that stays open: its token, and the ids of what was said by it, by file."""

    token: int | str
    told: dict[str, str]


@dataclass(slots=True)
class Calls:
    """What the puller needs of the conversation.

    `ask` puts a question to the process that reasons, `notify` sends a message's bytes, `refresh` asks the client to
    fetch again.
    """

    ask: Ask
    notify: Callable[[bytes], None]
    refresh: Callable[[], Awaitable[object]]


class Puller:
    """Answers `textDocument/diagnostic` and `workspace/diagnostic`. Belongs to the event loop's thread."""

    def __init__(self, documents: Documents, calls: Calls, failing: Failing, *, related: bool) -> None:
        self._documents = documents
        self._failing = failing
        self._checked: dict[str, tuple[int | None, list[Json]]] = {}
        self._calls = calls
        self._related = related
        self._current: dict[str, Report] = {}
        self._fetched: dict[str, tuple[int, str]] = {}
        self._told: dict[str, str] = {}
        self._hinted: dict[str, str] = {}
        self._streams: list[_Stream] = []
        self._gathering: asyncio.TimerHandle | None = None
        self._refreshing: asyncio.Task[None] | None = None

    # -- what is found out unasked -------------------------------------------------------------------------------------

    def publish(self, told: Any) -> None:
        """Take in `{"file", "version", "diagnostics"}` of a check; the version is null unless the document is open."""
        uri = convert.uri_of(told["file"])
        self._checked[uri] = told["version"], convert.diagnostics(told["diagnostics"])
        self.say_again({uri})

    def say_again(self, uris: Iterable[str]) -> None:
        """Other things are wrong in some files: found by a check, or by tests that ran."""
        for uri in uris:
            self._report(uri)

    def _report(self, uri: str) -> None:
        version, found = self._checked.get(uri, (None, []))
        before = self._current.get(uri, CLEAN)
        report = self._current[uri] = Report([*found, *self._failing.of(uri)], version)
        if before.version is not None and report.version is None:
            # While a document is open a client shows what it fetched of it, not what the stream says.
            for stream in self._streams:
                stream.told[uri] = ""
        self._gather()

    def withdraw(self) -> None:
        """Nothing is known any more of files that are not open: whoever found it out has gone."""
        for uri, (version, _) in list(self._checked.items()):
            if version is None:
                del self._checked[uri]
                self._report(uri)

    def _gather(self) -> None:
        if self._gathering is None:
            self._gathering = asyncio.get_running_loop().call_later(_GATHER_SECONDS, self._pass_on)

    def _pass_on(self) -> None:
        self._gathering = None
        for stream in self._streams:
            self._continue(stream)
        due = dict(self._to_be_fetched())
        if due and self._refreshing is None:
            self._hinted |= due
            self._refreshing = asyncio.ensure_future(self._refresh())

    def _to_be_fetched(self) -> Iterator[tuple[str, str]]:
        """The files of which the client shows what was true before, and will not ask by itself; with the new ids."""
        for uri, report in self._current.items():
            fetched = self._fetched.get(uri)
            if fetched is not None and self._documents.get(uri) is not None:
                stale = fetched[0] == report.version and fetched[1] != report.id
            else:
                stale = not self._streams and self._told.get(uri, CLEAN.id) != report.id
            if stale and self._hinted.get(uri) != report.id:
                yield uri, report.id

    async def _refresh(self) -> None:
        with suppress(Exception):  # a client that refuses fetches when it likes
            await asyncio.wait_for(self._calls.refresh(), _PATIENCE_SECONDS)
        self._refreshing = None
        self._gather()

    # -- what the client asks ------------------------------------------------------------------------------------------

    async def document(self, params: lsp.DocumentDiagnosticParams) -> Json:
        """What is wrong in a document; of one that is not open, what was found last."""
        uri = params.text_document.uri
        opened = self._documents.get(uri)
        if opened is None:
            report = self._current.get(uri, CLEAN)
        else:
            version = opened.version
            report = Report([*convert.diagnostics(await self._found(uri)), *self._failing.of(uri)])
            self._fetched[uri] = version, report.id
        self._told[uri] = report.id
        self._hinted.pop(uri, None)
        found = report.since(params.previous_result_id)
        related = self._related_to(uri) if self._related else {}
        return found | ({"relatedDocuments": related} if related else {})

    async def _found(self, uri: str) -> Json:
        try:
            return await self._calls.ask(QUESTION, {"document": uri, "asked": ASKED_AT.get()})
        except JsonRpcContentModified as error:
            # Not content modified, at which a client may show nothing at all.
            again = {"retriggerRequest": True}
            raise JsonRpcException(error.message, errors.SERVER_CANCELLED, again) from None

    def _related_to(self, uri: str) -> dict[str, Json]:
        """What is different in files that are not open, and that no stream tells of."""
        found = {}
        for other, report in self._current.items() if not self._streams else ():
            if other != uri and self._documents.get(other) is None and self._told.get(other, CLEAN.id) != report.id:
                self._told[other] = report.id
                found[other] = report.since(None)
        return found

    async def workspace(self, params: lsp.WorkspaceDiagnosticParams) -> Json:
        """What is wrong in the workspace.

        A client that takes the answer in parts is told for as long as it listens; any other as soon as all is checked.
        """
        known = {each.uri: each.value for each in params.previous_result_ids}
        token = params.partial_result_token
        if token is None:
            await self._calls.ask(SETTLED, {})
            return {"items": self._reports(known, self._current.keys() | known.keys())}
        stream = _Stream(token, known)
        self._streams.append(stream)
        try:
            self._continue(stream)
            await self._calls.ask(SETTLED, {})
            self._send(stream, self._reports(known, self._current.keys() | known.keys()))
            await asyncio.get_running_loop().create_future()
        finally:
            self._streams.remove(stream)

    def _continue(self, stream: _Stream) -> None:
        """Pass on what is different from what the stream said."""
        different = [uri for uri, each in self._current.items() if stream.told.get(uri, CLEAN.id) != each.id]
        if different:
            self._send(stream, self._reports(stream.told, different))

    def _reports(self, known: Mapping[str, str], files: Any) -> list[Json]:
        found = []
        for uri in sorted(files):
            report = self._current.get(uri, CLEAN)
            if report.items or uri in known:
                found.append({"uri": uri, "version": self._version(uri, report)} | report.since(known.get(uri)))
            self._told[uri] = report.id
        return found

    def _version(self, uri: str, report: Report) -> int | None:
        return report.version if self._documents.get(uri) is not None else None

    def _send(self, stream: _Stream, items: list[Json]) -> None:
        stream.told |= {each["uri"]: each["resultId"] for each in items}
        self._calls.notify(wire.notification("$/progress", {"token": stream.token, "value": {"items": items}}))
