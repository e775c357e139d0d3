"""The server: one client, its documents, their projects, and the worker that answers.

Handlers are coroutines on the event loop that hand the question to the worker and wait; so a cancelled request is
answered at once, an edit is taken in while something is computed, and nothing ever waits for a computation that it does
not need.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any, cast

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcContentModified
from pygls.lsp.server import LanguageServer

from argon_lang.queries.database import Cancelled
from argon_lang.text import Encoding
from argon_lang.version import VERSION
from argon_lsp import wire
from argon_lsp.asking import Answer, Question
from argon_lsp.capabilities import NAME, position_encoding
from argon_lsp.features import (
    code_action,
    definition,
    document_highlight,
    document_symbol,
    formatting,
    hover,
    references,
    workspace_symbol,
)
from argon_lsp.framing import Garbage
from argon_lsp.project import Project, Stale
from argon_lsp.projects import Projects
from argon_lsp.protocol import ASKED_AT, Encoded, Protocol
from argon_lsp.publishing import Publisher, places_of, uri_of
from argon_lsp.start import TERMINATED
from argon_lsp.sync import Documents, Opened
from argon_lsp.transport import Inbox, Outbox
from argon_lsp.worker import BACKGROUND, QUESTION, Worker

log = logging.getLogger("argon.lsp")

_FEATURES = (
    code_action,
    definition,
    document_highlight,
    document_symbol,
    formatting,
    hover,
    references,
)
"""Every request about one document."""

_OPTIONS = {lsp.TEXT_DOCUMENT_CODE_ACTION: lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix])}

_NOTHING = b"null"
_STALE = "the document was edited meanwhile"


class Server(LanguageServer):
    """The state of one conversation."""

    protocol: Protocol

    def __init__(self, outbox: Outbox, params: dict[str, Any]) -> None:
        self.outbox = outbox
        self.encoding = cast("Encoding", position_encoding(params))
        self.finished: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self.worker = Worker()
        self.projects = Projects(self.disk_changed)
        self.documents = Documents(self.projects, self.encoding, self.check_soon)
        self.publisher = Publisher(outbox.send, self.encoding)
        self._client = params
        super().__init__(NAME, VERSION, protocol_cls=Protocol)
        self._register()

    def _register(self) -> None:
        for each in _FEATURES:
            self.feature(each.METHOD, _OPTIONS.get(each.METHOD))(self._handler(each.answer))
        self.feature(workspace_symbol.METHOD)(_function(self._workspace_symbols))
        self.feature(lsp.INITIALIZED)(_function(self._initialized))
        self.feature(lsp.TEXT_DOCUMENT_DID_SAVE, lsp.SaveOptions(include_text=False))(_function(self._saved))
        self.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)(_function(self._watched_files_changed))

    # -- questions -----------------------------------------------------------------------------------------------------

    def _handler(self, answer: Answer) -> Callable[[Any], Awaitable[Encoded]]:
        async def handle(params: Any) -> Encoded:
            opened = self.documents.get(params.text_document.uri)
            if opened is None:
                return Encoded(_NOTHING)
            if opened.told > ASKED_AT.get():
                raise JsonRpcContentModified(_STALE)
            return await self._in_worker(partial(self._answer, opened, opened.document.version, answer, params))

        return handle

    async def _in_worker(self, job: Callable[[Callable[[], bool]], bytes]) -> Encoded:
        """Run a question in the worker. A cancelled one is interrupted, and is not begun if it still waits.

        A check in the background gives way; what it has found out is remembered, and it goes on afterwards.
        """
        stopped: list[bool] = []
        future = self.worker.submit(QUESTION, partial(job, lambda: bool(stopped)))
        if self.worker.running == BACKGROUND:
            self._interrupt()
        try:
            return Encoded(await asyncio.wrap_future(future))
        except asyncio.CancelledError:
            stopped.append(True)
            if future.running():
                self._interrupt()
            raise
        except Stale:
            raise JsonRpcContentModified(_STALE) from None

    def _interrupt(self) -> None:
        for project in self.projects:
            project.interrupt()

    def _answer(
        self, opened: Opened, version: int, answer: Answer, params: Any, cancelled: Callable[[], bool]
    ) -> bytes:
        project, path = opened.seat.project, opened.seat.path

        def ask() -> bytes:
            places = places_of(project, self.encoding)
            question = Question(project, project.file(path), places, uri_of(project))
            return wire.dumps(answer(question, params))

        return project.ask(path, version, ask, cancelled)

    async def _workspace_symbols(self, params: lsp.WorkspaceSymbolParams) -> Encoded:
        def answer(cancelled: Callable[[], bool]) -> bytes:
            found = []
            for project in self.projects:
                ask = partial(workspace_symbol.answer, project, self.encoding, params)
                found += project.ask("", None, ask, cancelled)
            return wire.dumps(found)

        return await self._in_worker(answer)

    # -- what happens by itself ----------------------------------------------------------------------------------------

    def check_soon(self, project: Project) -> None:
        """Publish a project's diagnostics when nothing more urgent waits; once, however often it is asked meanwhile."""
        if not project.due:
            project.due = True
            self.worker.submit(BACKGROUND, partial(self._check, project))

    def _check(self, project: Project) -> None:
        project.due = False
        try:
            self.publisher.publish(project)
        except Cancelled:
            self.check_soon(project)
        except Exception as error:
            log.error("a check failed: %s", error, exc_info=error)

    def disk_changed(self, project: Project) -> None:
        """Something on disk may have changed; called from any thread."""
        project.disk_changed()
        self.check_soon(project)

    # -- notifications -------------------------------------------------------------------------------------------------

    async def _initialized(self, _params: lsp.InitializedParams) -> None:
        for folder in self._client.get("workspaceFolders") or ():
            self._open_folder(folder.get("uri"))
        workspace = self._client["capabilities"].get("workspace") or {}
        if (workspace.get("didChangeWatchedFiles") or {}).get("dynamicRegistration"):
            await self._watch_by_client()

    async def _watch_by_client(self) -> None:
        """Let the client tell of changed files as well: it may see what this machine's watcher cannot."""
        patterns = [lsp.FileSystemWatcher(glob_pattern=pattern) for pattern in ("**/*.ar", "**/ox.toml")]
        options = lsp.DidChangeWatchedFilesRegistrationOptions(watchers=patterns)
        registration = lsp.Registration("argon-files", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        try:
            await asyncio.shield(self.client_register_capability_async(lsp.RegistrationParams([registration])))
        except Exception as error:  # noqa: BLE001  (a client may refuse; then our own watcher is all there is)
            log.info("the client does not watch files: %s", error)

    def _open_folder(self, uri: object) -> None:
        project = self.projects.open_folder(uri) if isinstance(uri, str) else None
        if project is not None:
            self.check_soon(project)

    def folders_changed(self, params: lsp.DidChangeWorkspaceFoldersParams) -> None:
        """Folders of the client's workspace came or went; a project that no document needs goes with its folder."""
        for folder in params.event.added:
            self._open_folder(folder.uri)
        for folder in params.event.removed:
            project = self.projects.open_folder(folder.uri)
            if project is not None and not self.documents.of(project):
                self.projects.drop(project)
                self.worker.submit(BACKGROUND, partial(self.publisher.withdraw, project))

    async def _saved(self, params: lsp.DidSaveTextDocumentParams) -> None:
        self.documents.seat_again()
        found = self.documents.get(params.text_document.uri)
        if found is not None:
            # What depends on the saved package has changed with it.
            for project in dict.fromkeys((found.seat.project, *self.projects)):
                self.disk_changed(project)

    async def _watched_files_changed(self, params: lsp.DidChangeWatchedFilesParams) -> None:
        if any(each.uri.endswith("/ox.toml") for each in params.changes):
            self.documents.seat_again()
        for project in self.projects:
            self.disk_changed(project)

    # -- life ----------------------------------------------------------------------------------------------------------

    def receive(self, message: bytes | Garbage | None) -> None:
        """Take the next message from the wire."""
        if message is None:
            self.finish(self.protocol.status)
        elif isinstance(message, Garbage):
            log.warning("skipped bytes that are no message")
        else:
            self.protocol.receive(message)

    def finish(self, status: int) -> None:
        """End the conversation with an exit status."""
        if not self.finished.done():
            self.finished.set_result(status)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Faults are logged: a window that pops up while one types helps nobody."""
        log.error("%s: %s", getattr(source, "__name__", source), error, exc_info=error)


def _function(method: Callable[[Any], Awaitable[Any]]) -> Callable[[Any], Awaitable[Any]]:
    """A function that calls a bound method: pygls marks what it registers, and methods take no marks."""

    async def handle(params: Any) -> Any:
        return await method(params)

    return handle


def run(inbox: Inbox, outbox: Outbox, params: dict[str, Any]) -> int:
    """Serve a client that has been greeted; the exit status."""
    # What is imported lives as long as the process, and trees live for many edits. Looking through them for garbage as
    # often as Python does by default makes every twentieth keystroke slow.
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    return asyncio.run(_serve(inbox, outbox, params))


async def _serve(inbox: Inbox, outbox: Outbox, params: dict[str, Any]) -> int:
    loop = asyncio.get_running_loop()
    server = Server(outbox, params)
    with suppress(NotImplementedError):  # only Unix has it; elsewhere the handler of the start stays
        loop.add_signal_handler(signal.SIGTERM, server.finish, TERMINATED)
    inbox.forward(lambda message: _deliver(loop, server, message))
    return await server.finished


def _deliver(loop: asyncio.AbstractEventLoop, server: Server, message: bytes | Garbage | None) -> None:
    with suppress(RuntimeError):  # the loop has ended: so has the conversation
        loop.call_soon_threadsafe(server.receive, message)
