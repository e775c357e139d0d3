"""pygls' protocol with its traps mended.

What stays pygls': structuring parameters into `lsprotocol` types, the registry of features, tasks and their
cancellation, requests to the client. What is ours: every request is answered, also one whose parameters are wrong; no
error opens a window in the editor or shows a traceback; the documents are `server.documents`, since pygls' split lines
where no editor does; `exit` tells the right status.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from concurrent.futures import Future
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.protocol import LanguageServerProtocol

from argon_lsp import errors, wire

if TYPE_CHECKING:
    from argon_lsp.server import Server

log = logging.getLogger("argon.lsp")

ASKED_AT: ContextVar[int] = ContextVar("argon_lsp_asked_at", default=0)
"""How many texts the client had told (`Documents.told`) when it sent the request that is being answered.

The task of a request begins after other messages that arrived with it were taken in; its positions are older than they.
"""


class Protocol(LanguageServerProtocol):
    """The dispatcher between the wire and the features."""

    _server: Server

    @property
    def status(self) -> int:
        """The exit status of a conversation that ends now: 0 after `shutdown`."""
        return 0 if self._shutdown else 1

    def receive(self, body: bytes) -> None:
        """Handle one message body. Never raises."""
        try:
            message = wire.loads(body)
        except wire.NotJson:
            self.refuse(None, errors.PARSE_ERROR, "the message is not JSON")
            return
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            number = message.get("id") if isinstance(message, dict) else None
            self.refuse(number, errors.INVALID_REQUEST, "the message is no JSON-RPC 2.0 object")
        elif "method" not in message:
            self._receive_response(message)
        elif "id" in message:
            self._receive_request(message)
        else:
            self._receive_notification(message)

    def _receive_request(self, message: dict[str, Any]) -> None:
        number, method = message["id"], message["method"]
        if isinstance(number, bool) or not isinstance(number, (int, str)):
            self.refuse(None, errors.INVALID_REQUEST, "the id must be a number or a text")
        elif self._shutdown:
            self.refuse(number, errors.INVALID_REQUEST, "the server is shut down")
        elif method == lsp.INITIALIZE:
            self.refuse(number, errors.INVALID_REQUEST, "the server is initialized already")
        elif not self._knows(method):
            self.refuse(number, errors.METHOD_NOT_FOUND, f"this server does not answer {method!r}")
        elif number in self._request_futures:
            self.refuse(number, errors.INVALID_REQUEST, "another request with this id is being answered")
        else:
            ASKED_AT.set(self._server.documents.told)
            self._handle(message)

    def _receive_notification(self, message: dict[str, Any]) -> None:
        method = message["method"]
        if method == lsp.EXIT:
            self._server.finish(self.status)
        elif not self._shutdown and (self._knows(method) or method == lsp.CANCEL_REQUEST):
            self._handle(message)

    def _receive_response(self, message: dict[str, Any]) -> None:
        """The client's answer to a request of ours. One that is no answer, or comes too late, is logged and dropped."""
        future = self._request_futures.get(message.get("id", ""))
        if future is None or future.done():
            log.debug("an answer to nothing: %r", message.get("id"))
            return
        self._handle(message)

    def _handle(self, message: dict[str, Any]) -> None:
        number = message.get("id") if "method" in message else None
        try:
            self.handle_message(self.structure_message(message))
        except JsonRpcInvalidParams:
            self._unfit(message, number)
        except Exception as error:
            log.error("%s could not be handled: %s", message.get("method", "a response"), error, exc_info=error)
            if number is not None:
                self.refuse(number, errors.INVALID_PARAMS, "the parameters do not fit the request")

    def _unfit(self, message: dict[str, Any], number: int | str | None) -> None:
        if number is not None:
            self.refuse(number, errors.INVALID_PARAMS, "the parameters do not fit the request")
        else:
            log.error("%s has parameters that do not fit it", message.get("method", "a response"))

    def _knows(self, method: object) -> bool:
        return isinstance(method, str) and (method in self.fm.features or method in self.fm.builtin_features)

    def refuse(self, number: int | str | None, code: int, message: str, data: Any = None) -> None:
        """Answer a request by an error."""
        error = {"code": code, "message": message} | ({"data": data} if data is not None else {})
        self._post({"jsonrpc": "2.0", "id": number, "error": error})

    def _send_handler_result(self, future: Future[Any], *, msg_id: int | str) -> None:
        """Answer a request by what its handler did."""
        self._request_futures.pop(msg_id, None)
        if future.cancelled():
            self.refuse(msg_id, errors.REQUEST_CANCELLED, "the request was cancelled")
            return
        error = future.exception()
        if error is None:
            self._send_response(msg_id, future.result())
        elif isinstance(error, JsonRpcException):
            self.refuse(msg_id, error.code, error.message, error.data)
        else:
            log.error("request %r failed: %s", msg_id, error, exc_info=error)
            self.refuse(msg_id, errors.INTERNAL_ERROR, "an internal error; the log of the server has it")

    def _send_response(self, msg_id: int | str, result: Any = None, error: Any = None) -> None:
        if error is not None:
            self.refuse(msg_id, error.code, error.message)
        else:
            self._post({"jsonrpc": "2.0", "id": msg_id, "result": result})

    def _send_data(self, data: Any) -> None:
        """Send what pygls made: requests to the client and notifications."""
        self._post(data)

    def _post(self, data: Any) -> None:
        self._server.outbox.send(wire.dumps(data, self._serialize_message))

    def _handle_cancel_notification(self, msg_id: int | str) -> None:
        """Cancel the task of a request; the id of a request to the client is none of the client's to cancel."""
        future: Any = self._request_futures.get(msg_id)
        if isinstance(future, asyncio.Future):
            future.cancel()

    # The documents: pygls' own handlers would keep a second copy that counts lines differently.

    def lsp_text_document__did_open(self, params: lsp.DidOpenTextDocumentParams) -> None:
        """A document was opened."""
        self._server.documents.opened(params)

    def lsp_text_document__did_change(self, params: lsp.DidChangeTextDocumentParams) -> None:
        """A document was edited."""
        self._server.failing.edited(params.text_document.uri)
        self._server.documents.changed(params)

    def lsp_text_document__did_close(self, params: lsp.DidCloseTextDocumentParams) -> None:
        """A document was closed."""
        self._server.documents.closed(params)

    def lsp_workspace__did_change_workspace_folders(self, params: lsp.DidChangeWorkspaceFoldersParams) -> None:
        """Folders came or went."""
        self._server.folders_changed(params)

    def _register_builtin_features(self) -> None:
        """Register the handlers of this class under the names that those they replace are known by."""
        replaced: Mapping[str, Any] = {
            lsp.TEXT_DOCUMENT_DID_OPEN: self.lsp_text_document__did_open,
            lsp.TEXT_DOCUMENT_DID_CHANGE: self.lsp_text_document__did_change,
            lsp.TEXT_DOCUMENT_DID_CLOSE: self.lsp_text_document__did_close,
            lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: self.lsp_workspace__did_change_workspace_folders,
            lsp.INITIALIZED: self.lsp_initialized,
            lsp.SHUTDOWN: self.lsp_shutdown,
            lsp.SET_TRACE: self.lsp_set_trace,
            lsp.WINDOW_WORK_DONE_PROGRESS_CANCEL: self.lsp_work_done_progress_cancel,
        }
        for name, handler in replaced.items():
            self.fm.add_builtin_feature(name, handler)
