"""`textDocument/codeLens`: what can be run, and what there is to know, above each declaration.

The words and the command of one lens are fetched when it comes into sight (`codeLens/resolve`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams

from argon_lsp import convert
from argon_lsp.asking import Client, Json
from argon_lsp.projects import Projects
from argon_lsp.protocol import ASKED_AT

SHOW_REFERENCES = "argon.showReferences"
"""A command of the client's own: URI, position, locations."""

_ROW_WORDS = {"check": "violation"}


class Lenses:
    """Resolves lenses. `ask` puts a question to the process that an editor types against."""

    def __init__(
        self, ask: Callable[[str, dict[str, Json]], Awaitable[Json]], projects: Projects, client: Client
    ) -> None:
        self._ask = ask
        self._projects = projects
        self._client = client
        self._counts: dict[tuple[str, str, int | None], str] = {}

    async def listed(self, params: lsp.CodeLensParams) -> Json:
        """The lenses of an open document, without their words; those of rows only for a client that counts again."""
        asked = {"document": params.text_document.uri, "asked": ASKED_AT.get(), "rows": self._client.recounts}
        return [convert.code_lens(each) for each in await self._ask("lenses", asked)]

    async def resolve(self, lens: lsp.CodeLens) -> Json:
        """The lens with its command. Raises JsonRpcInvalidParams for one that is none of ours."""
        data = convert.data(lens, "kind", "symbol")
        resolve = _RESOLVERS.get(str(data.get("kind")))
        if resolve is None:
            raise JsonRpcInvalidParams("the lens carries no data of this server")
        lens.command = await resolve(self, lens, data)
        return lens

    def forget(self, project: str) -> None:
        """The rows of a project may be others now."""
        self._counts = {key: words for key, words in self._counts.items() if key[0] != project}

    async def _test(self, _lens: lsp.CodeLens, data: Json) -> lsp.Command:
        return lsp.Command("▶ Run test", "argon.runTest", arguments=[data["document"], data["symbol"]["path"]])

    async def _query(self, _lens: lsp.CodeLens, data: Json) -> lsp.Command:
        return lsp.Command("▶ Run query", "argon.runQuery", arguments=[data["document"], data["symbol"]["path"]])

    async def _uses(self, lens: lsp.CodeLens, data: Json) -> lsp.Command:
        found = await self._asked("uses", data)
        if found is None:
            return lsp.Command("no longer declared", "")
        if SHOW_REFERENCES not in self._client.commands:
            return lsp.Command(found["words"], "")
        places = [convert.location(each) for each in found["places"]]
        return lsp.Command(
            found["words"], SHOW_REFERENCES, arguments=[data["document"], convert.position(lens.range.start), places]
        )

    async def _violations(self, _lens: lsp.CodeLens, data: Json) -> lsp.Command:
        found = await self._asked("violations", data)
        return lsp.Command("violations are not known" if found is None else found["words"], "")

    async def _asked(self, question: str, data: Json) -> Json:
        return await self._ask(
            question, {"document": data["document"], "asked": ASKED_AT.get(), "symbol": data["symbol"]}
        )

    async def _rows(self, _lens: lsp.CodeLens, data: Json) -> lsp.Command:
        """The rows of the artifact and the store. Counted once for each generation, however often one types."""
        symbol = data["symbol"]
        key = data["project"], symbol["path"], symbol["arity"]
        if key not in self._counts:
            try:
                given = {"head": symbol["path"], "arity": symbol["arity"] if symbol["kind"] == "predicate" else None}
                self._counts[key] = _counted(symbol["kind"], await self._projects.ask(data["project"], "count", given))
            except JsonRpcException as error:
                self._counts[key] = f"not counted: {error.message}"
        return lsp.Command(self._counts[key], "")


def _counted(kind: str, found: Json) -> str:
    count, word = found["count"], _ROW_WORDS.get(kind, "row")
    stale = ", of the sources as they were built" if found["staleArtifact"] else ""
    return f"{count} {word}{'s' * (count != 1)} at generation {found['generation']}{stale}"


_RESOLVERS: Mapping[str, Callable[[Lenses, lsp.CodeLens, Any], Awaitable[lsp.Command]]] = {
    "test": Lenses._test,
    "query": Lenses._query,
    "uses": Lenses._uses,
    "violations": Lenses._violations,
    "rows": Lenses._rows,
}
