"""The server: one client, its documents, and the process that reasons about them.

Handlers are coroutines on the event loop that put a question and wait for the answer; so a cancelled request is
answered at once, an edit is passed on while something is computed, and nothing ever waits for a computation that it
does not need.
"""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcContentModified, JsonRpcInternalError
from pygls.lsp.server import LanguageServer

from argon_lang.session.client import WorkerGone
from argon_lang.session.frames import Message
from argon_lang.version import VERSION
from argon_lsp import convert
from argon_lsp.asking import Context, Feature, Json, client_of, told
from argon_lsp.capabilities import NAME, position_encoding, pulls
from argon_lsp.commands import Commands, Means
from argon_lsp.failing import Failing
from argon_lsp.features import will_rename_files, workspace_symbol
from argon_lsp.framing import Garbage
from argon_lsp.lenses import Lenses
from argon_lsp.progress import shown
from argon_lsp.projects import Projects, refusal
from argon_lsp.protocol import ASKED_AT, Protocol
from argon_lsp.publishing import Publisher
from argon_lsp.pulling import Calls, Puller
from argon_lsp.reasoner import Reasoner
from argon_lsp.registry import FEATURES, OPTIONS, PULLED, document_of
from argon_lsp.showing import Shown
from argon_lsp.sync import Documents
from argon_lsp.transport import Inbox, Outbox

WATCHED = ("**/*.ar", "**/ox.toml", "**/scenarios/*.toml")

log = logging.getLogger("argon.lsp")


class Server(LanguageServer):
    """The state of one conversation."""

    protocol: Protocol

    def __init__(self, outbox: Outbox, params: dict[str, Any], reasoner: Reasoner) -> None:
        loop = asyncio.get_running_loop()
        self.outbox = outbox
        self.finished: asyncio.Future[int] = loop.create_future()
        self.reasoner = reasoner
        self.documents = Documents(reasoner, position_encoding(params))
        self._client, self._abilities = params, client_of(params)
        self.failing = Failing()
        self.publisher = self._pulled(params) if pulls(params) else Publisher(outbox.send, self.failing)
        self._folders: dict[str, None] = {}
        super().__init__(NAME, VERSION, protocol_cls=Protocol)
        self.projects = Projects(loop, self._rows_changed)
        self.shown = Shown(self, self._abilities)
        self._lenses = Lenses(self._answer, self.projects, self._abilities)
        self._tasks = set[asyncio.Task[Any]]()
        self._register()
        reasoner.attach(loop, self._known, self._told, self.publisher.withdraw)

    def _register(self) -> None:
        for each in FEATURES:
            self.feature(each.METHOD, OPTIONS.get(each.METHOD))(self._handler(each))
        for each in (workspace_symbol, will_rename_files):
            self.feature(each.METHOD, OPTIONS.get(each.METHOD))(self._workspace_handler(each))
        self.feature(lsp.WORKSPACE_SYMBOL_RESOLVE)(_function(self._symbol_resolved))
        self.feature(lsp.TEXT_DOCUMENT_CODE_LENS, lsp.CodeLensOptions(resolve_provider=True))(_function(self._listed))
        self.feature(lsp.CODE_LENS_RESOLVE)(_function(self._lenses.resolve))
        self.feature(lsp.WORKSPACE_EXECUTE_COMMAND)(_function(self._commands().run))
        self.feature(lsp.WORKSPACE_TEXT_DOCUMENT_CONTENT)(_function(self._text_of_page))
        self.feature(lsp.INITIALIZED)(_function(self._initialized))
        self.feature(lsp.TEXT_DOCUMENT_DID_SAVE, lsp.SaveOptions(include_text=False))(_function(self._saved))
        self.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)(_function(self._watched_files_changed))
        if isinstance(self.publisher, Puller):
            self.feature(lsp.TEXT_DOCUMENT_DIAGNOSTIC, PULLED)(_function(self.publisher.document))
            self.feature(lsp.WORKSPACE_DIAGNOSTIC)(_function(self.publisher.workspace))

    def _pulled(self, params: dict[str, Any]) -> Puller:
        def refresh() -> Awaitable[object]:
            return asyncio.shield(self.workspace_diagnostic_refresh_async(None))

        declared = params["capabilities"]["textDocument"]["diagnostic"]
        calls = Calls(self._answer, self.outbox.send, refresh)
        return Puller(self.documents, calls, self.failing, related=declared.get("relatedDocumentSupport") is True)

    def _commands(self) -> Commands:
        return Commands(
            Means(
                server=self,
                client=self._abilities,
                encoding=self.documents.encoding,
                ask=self._answer,
                projects=self.projects,
                shown=self.shown,
                failing=self.failing,
                say_again=self.publisher.say_again,
            )
        )

    def _known(self) -> Iterable[Message]:
        """Everything that a process must be told that begins to reason now."""
        news = [("folders", {"added": list(self._folders), "removed": []}), *self.documents.known()]
        return [{"tell": name, "given": given} for name, given in news]

    def _told(self, event: Message) -> None:
        """What the process that reasons tells unasked."""
        if event["event"] == "diagnostics":
            self.publisher.publish(event)
        elif event["what"] == "colours" and self._abilities.recolours:
            self._begin(asyncio.shield(self.workspace_semantic_tokens_refresh_async(None)))
        elif event["what"] == "hints" and self._abilities.rehints:
            self._begin(asyncio.shield(self.workspace_inlay_hint_refresh_async(None)))

    # -- questions -----------------------------------------------------------------------------------------------------

    def _handler(self, feature: Feature) -> Callable[[Any], Awaitable[Json]]:
        async def handle(params: Any) -> Json:
            uri = document_of(params)
            if self.documents.get(uri) is None:
                return None
            given = feature.given(params)
            if given is None:
                return []
            asked = {"document": uri, "asked": ASKED_AT.get(), **told(self._abilities), **given}
            return feature.result(await self._answer(feature.QUESTION, asked), Context(params, self._abilities))

        return handle

    def _workspace_handler(self, feature: Feature) -> Callable[[Any], Awaitable[Json]]:
        async def handle(params: Any) -> Json:
            given = {"places": not self._abilities.later_places, **(feature.given(params) or {})}
            found = await self._answer(feature.QUESTION, given)
            return feature.result(found, Context(params, self._abilities))

        return handle

    async def _symbol_resolved(self, symbol: lsp.WorkspaceSymbol) -> Json:
        """The symbol with its place in the file."""
        if isinstance(symbol.location, lsp.Location) or not isinstance(symbol.data, dict):
            return symbol
        found = await self._answer("symbolPlace", {"symbol": symbol.data})
        place = convert.location(found) if found is not None else symbol.location
        return {"name": symbol.name, "kind": symbol.kind, "containerName": symbol.container_name, "location": place}

    async def _listed(self, params: lsp.CodeLensParams) -> Json:
        return await self._lenses.listed(params) if self.documents.get(params.text_document.uri) is not None else None

    async def _text_of_page(self, params: lsp.TextDocumentContentParams) -> Json:
        return {"text": self.shown.text(params.uri)}

    async def _answer(self, question: str, given: dict[str, Json]) -> Json:
        """What the reasoner finds; a cancelled question is cancelled there as well."""
        try:
            message = await self.reasoner.ask(question, given)
        except WorkerGone:
            raise JsonRpcInternalError("the process that reasons has ended; ask again") from None
        if "error" in message:
            if message["error"]["code"] != "ARGON_RUNTIME_INTERNAL":
                raise refusal(message["error"])
            raise JsonRpcInternalError("an internal error; the log of the server has it")
        if "stale" in message["answer"]:
            raise JsonRpcContentModified("the document was edited meanwhile")
        return message["answer"]["found"]

    # -- notifications -------------------------------------------------------------------------------------------------

    async def _initialized(self, _params: lsp.InitializedParams) -> None:
        folders = (folder.get("uri") for folder in self._client.get("workspaceFolders") or ())
        self._change_folders([each for each in folders if isinstance(each, str)], [])
        if self._folders:
            self._begin(self._show_checking())
        workspace = self._client["capabilities"].get("workspace") or {}
        if (workspace.get("didChangeWatchedFiles") or {}).get("dynamicRegistration"):
            await self._watch_by_client()

    async def _show_checking(self) -> None:
        """Show that the folders are being checked, until they are."""
        async with shown(self, "Argon: checking", None, creates=self._abilities.progress, cancellable=False):
            await self._answer("settled", {})

    def _rows_changed(self, project: str) -> None:
        """Another artifact serves, or a store was written to: what lenses say of its rows is fetched again."""
        self._lenses.forget(project)
        if self._abilities.recounts:
            self._begin(asyncio.shield(self.workspace_code_lens_refresh_async(None)))

    def _begin(self, work: Awaitable[Any]) -> None:
        """Do something that nobody waits for; what goes wrong with it is logged."""
        task = asyncio.ensure_future(_logged(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _watch_by_client(self) -> None:
        """Let the client tell of changed files as well: it may see what this machine's watcher cannot."""
        patterns = [lsp.FileSystemWatcher(glob_pattern=pattern) for pattern in WATCHED]
        options = lsp.DidChangeWatchedFilesRegistrationOptions(watchers=patterns)
        registration = lsp.Registration("argon-files", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        try:
            await asyncio.shield(self.client_register_capability_async(lsp.RegistrationParams([registration])))
        except Exception as error:  # noqa: BLE001  (a client may refuse; then our own watcher is all there is)
            log.info("the client does not watch files: %s", error)

    def folders_changed(self, params: lsp.DidChangeWorkspaceFoldersParams) -> None:
        """Folders of the client's workspace came or went."""
        self._change_folders([each.uri for each in params.event.added], [each.uri for each in params.event.removed])

    def _change_folders(self, added: Iterable[str], removed: Iterable[str]) -> None:
        come, gone = ([path for uri in uris if (path := convert.to_path(uri)) is not None] for uris in (added, removed))
        self._folders |= dict.fromkeys(come)
        for path in gone:
            self._folders.pop(path, None)
        self.reasoner.tell("folders", {"added": come, "removed": gone})

    async def _saved(self, params: lsp.DidSaveTextDocumentParams) -> None:
        self.reasoner.tell("saved", {"document": params.text_document.uri})

    async def _watched_files_changed(self, params: lsp.DidChangeWatchedFilesParams) -> None:
        self.reasoner.tell("files", {"paths": [convert.to_path(each.uri) or each.uri for each in params.changes]})

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


async def _logged(work: Awaitable[Any]) -> None:
    try:
        await work
    except Exception as error:  # noqa: BLE001  (a client may refuse anything)
        log.info("nobody waited for what failed: %s", error)


def _function(method: Callable[[Any], Awaitable[Any]]) -> Callable[[Any], Awaitable[Any]]:
    """A function that calls a bound method: pygls marks what it registers, and methods take no marks."""

    async def handle(params: Any) -> Any:
        return await method(params)

    return handle


def run(inbox: Inbox, outbox: Outbox, params: dict[str, Any], reasoner: Reasoner) -> int:
    """Serve a client that has been greeted; the exit status."""
    gc.freeze()  # what is imported lives as long as the process
    return asyncio.run(_serve(inbox, outbox, params, reasoner))


async def _serve(inbox: Inbox, outbox: Outbox, params: dict[str, Any], reasoner: Reasoner) -> int:
    loop = asyncio.get_running_loop()
    server = Server(outbox, params, reasoner)
    inbox.forward(lambda message: _deliver(loop, server, message))
    try:
        return await server.finished
    finally:
        server.projects.close()
        server.shown.close()


def _deliver(loop: asyncio.AbstractEventLoop, server: Server, message: bytes | Garbage | None) -> None:
    with suppress(RuntimeError):  # the loop has ended: so has the conversation
        loop.call_soon_threadsafe(server.receive, message)
