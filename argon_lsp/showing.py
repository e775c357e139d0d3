"""Documents that an answer consists of, brought before the reader by whatever means the client has."""

from __future__ import annotations

import asyncio
import re
import tempfile
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote, unquote

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from argon_lsp import convert
from argon_lsp.asking import Client
from argon_lsp.capabilities import PAGES

_SUFFIXES = {"markdown": ".md", "html": ".html"}
_MOST = 50


class Shown:
    """The last documents that were shown, by their URIs. What must lie on disk lies in a folder that goes with us."""

    def __init__(self, server: LanguageServer, client: Client) -> None:
        self._server = server
        self._client = client
        self._texts: dict[str, str] = {}
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._showing = set[asyncio.Task[None]]()

    def show(self, title: str, text: str, form: str) -> str | None:
        """Have the client open a document, a page of HTML by what shows such; its URI, None when no client would."""
        if not self._client.shows:
            return None
        outside = form == "html"
        uri = self._virtual(title, text) if self._client.fetches_text and not outside else self._file(title, text, form)
        self.open(uri, outside=outside)
        return uri

    def open(self, uri: str, *, outside: bool = False) -> None:
        """Have the client open what has a URI. Nobody waits for it: a client may be waiting for us."""
        if self._client.shows:
            params = lsp.ShowDocumentParams(uri=uri, external=outside, take_focus=not outside)
            task = asyncio.ensure_future(self._ask(params))
            self._showing.add(task)
            task.add_done_callback(self._showing.discard)

    def text(self, uri: str) -> str:
        """The text of a document that was shown. Raises JsonRpcInvalidParams for one that was not."""
        try:
            return self._texts[unquote(uri)]
        except KeyError:
            raise JsonRpcInvalidParams("no document of this name was shown, or so many since that it is gone") from None

    def close(self) -> None:
        """Remove what lies on disk."""
        if self._folder is not None:
            self._folder.cleanup()

    def _virtual(self, title: str, text: str) -> str:
        uri = f"{PAGES}:/{quote(_name(title))}.md"
        self._texts.pop(unquote(uri), None)
        self._texts[unquote(uri)] = text
        while len(self._texts) > _MOST:
            self._texts.pop(next(iter(self._texts)))
        return uri

    def _file(self, title: str, text: str, form: str) -> str:
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="argon-", ignore_cleanup_errors=True)
        path = Path(self._folder.name) / f"{_name(title)}{_SUFFIXES[form]}"
        path.write_text(text, encoding="utf-8")
        return convert.to_uri(path)

    async def _ask(self, params: lsp.ShowDocumentParams) -> None:
        with suppress(Exception):  # a client may refuse; the answer has the text anyway
            await asyncio.shield(self._server.window_show_document_async(params))


def _name(title: str) -> str:
    """A title as the name of a file."""
    return re.sub(r"[^\w ().,-]+", "_", title).strip("_ .")[:80] or "page"
