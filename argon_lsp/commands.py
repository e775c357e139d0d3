"""`workspace/executeCommand`: tests, queries, builds, proofs and catalog pages, asked for by name.

Every command takes the URI of a document first, which says what project is meant; all work on saved files, and say so
where a buffer differs. What is found is answered as data with a document to read, which the client is asked to show
where it can.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from argon_lang.text import Encoding
from argon_lsp import convert
from argon_lsp.asking import Client, Json
from argon_lsp.failing import Failing
from argon_lsp.progress import shown
from argon_lsp.projects import Projects, refusal
from argon_lsp.showing import Shown
from shared_catalog import fast, lookup, render
from shared_catalog.page import as_markdown

Ask = Callable[[str, dict[str, Json]], Awaitable[Json]]
_NOT_FOUND = "ARGON_RUNTIME_NOT_FOUND"
_POINTS: Mapping[str, type] = {"asOf": str, "asOfTx": int, "standpoint": str, "fork": str}
"""The point and view of a read."""

_DEPTHS: Mapping[str, type] = {"maxDepth": int, "maxAlternatives": int}
_DEPTH = 12
_ALTERNATIVES = 3


@dataclass(frozen=True, slots=True)
class Means:
    """What commands work with.

    `ask` puts a question to the process that an editor types against; `say_again` is told the files whose diagnostics
    are others now.
    """

    server: LanguageServer
    client: Client
    encoding: Encoding
    ask: Ask
    projects: Projects
    shown: Shown
    failing: Failing
    say_again: Callable[[set[str]], None]


@dataclass(frozen=True, slots=True)
class Call:
    """One command: its arguments in order, the client's token for its progress."""

    name: str
    arguments: list[Json]
    token: int | str | None

    def text(self, index: int, what: str) -> str:
        """The text at a place. Raises JsonRpcInvalidParams, naming what belongs there."""
        found = self.arguments[index] if index < len(self.arguments) else None
        if not isinstance(found, str):
            raise JsonRpcInvalidParams(f"{self.name}: argument {index + 1} is {what}")
        return found

    def options(self, index: int, known: Mapping[str, type]) -> dict[str, Json]:
        """The object of options at a place, empty when there is none. Raises JsonRpcInvalidParams for what is none."""
        found = self.arguments[index] if index < len(self.arguments) else {}
        if not isinstance(found, dict) or any(type(value) is not known.get(key) for key, value in found.items()):
            listed = ", ".join(f"`{key}`" for key in known)
            raise JsonRpcInvalidParams(f"{self.name}: argument {index + 1} is an object with some of {listed}")
        return found


class Commands:
    """Runs them."""

    def __init__(self, means: Means) -> None:
        self._means = means

    async def run(self, params: lsp.ExecuteCommandParams) -> Json:
        """The answer of a command. Raises JsonRpcException with what is refused."""
        command = _COMMANDS.get(params.command)
        if command is None:
            raise JsonRpcInvalidParams(f"no command {params.command!r}; there are {', '.join(_COMMANDS)}")
        return await command(self, Call(params.command, list(params.arguments or ()), params.work_done_token))

    async def _run_test(self, call: Call) -> Json:
        """URI, and the path of a test; without one all tests of the package, scenarios among them."""
        only = call.text(1, "the path of a test") if len(call.arguments) > 1 else None
        pattern = only.rsplit("::", 1)[-1] if only is not None else None
        asked = {"of": "test", "given": {"pattern": pattern, "run": True}, "only": only}
        place, page = await self._page(call, "Running tests", asked)
        answer = page["answer"]
        ran = [each["name"] for each in answer["tests"]]
        self._means.say_again(self._means.failing.ran(place["root"], ran, page["marks"]))
        good = not answer["failed"] + answer["errors"] + answer["inconclusive"]
        if good:
            told = lsp.ShowMessageParams(lsp.MessageType.Info, page["title"] + _unsaved(place))
            self._means.server.window_show_message(told)
        return self._shown(place, page, show=not good)

    async def _run_query(self, call: Call) -> Json:
        """URI, the path of a query, its arguments (an object by name, or an array in order), and `_POINTS`."""
        given = call.arguments[2] if len(call.arguments) > 2 else {}
        if not isinstance(given, dict | list):
            raise JsonRpcInvalidParams(f"{call.name}: argument 3 is an object or an array with what the query takes")
        asked = {"name": call.text(1, "the path of a query"), "args": given} | call.options(3, _POINTS)
        return self._shown(*await self._page(call, "Running a query", {"of": "query", "given": asked}))

    async def _build(self, call: Call) -> Json:
        """URI."""
        asked = {"of": "build", "given": {"force": False}}
        place, page = await self._page(call, "Building", asked)
        if page["answer"]["ok"]:
            told = lsp.ShowMessageParams(lsp.MessageType.Info, page["title"] + _unsaved(place))
            self._means.server.window_show_message(told)
        return self._shown(place, page, show=not page["answer"]["ok"])

    async def _explain_fact(self, call: Call) -> Json:
        """URI, a fact, and `_POINTS` or `_DEPTHS`: why it holds, or why it does not, as Markdown."""
        return self._shown(*await self._explained(call, "markdown"))

    async def _show_proof(self, call: Call) -> Json:
        """The same as a page of HTML whose nodes open and close."""
        return self._shown(*await self._explained(call, "html"))

    async def _explained(self, call: Call, form: str) -> tuple[Json, Json]:
        fact = call.text(1, "a fact, such as `late(ada)`")
        depth = {"maxDepth": _DEPTH, "maxAlternatives": _ALTERNATIVES}
        given = {"fact": fact, **depth, **call.options(2, {**_POINTS, **_DEPTHS})}
        return await self._page(call, f"Explaining {fact}", {"of": "explain", "given": given, "form": form})

    async def _explain_code(self, call: Call) -> Json:
        """A diagnostic code, or what `argon explain` takes: its page of the catalog."""
        query = call.text(0, "a diagnostic code")
        entry = fast.entry(query)
        if entry is None:
            message = render.message(_NOT_FOUND, (("kind", "diagnostic code"), ("name", query)))
            near = lookup.near(query, fast.index()["entries"])
            help_ = [render.note(_NOT_FOUND, "suggest", (("suggestion", each),)) for each in near]
            raise refusal({"code": _NOT_FOUND, "message": message, "help": help_})
        page = {"title": entry["code"], "text": as_markdown(entry), "form": "markdown", "answer": entry}
        return self._shown({"unsaved": []}, page)

    # -- the parts of every command ------------------------------------------------------------------------------------

    async def _page(self, call: Call, title: str, asked: Json) -> tuple[Json, Json]:
        """Where a command works, and the page that it comes to."""
        means, uri = self._means, call.text(0, "the URI of a document of the project")
        place = await means.ask("place", {"document": uri, "path": convert.to_path(uri)})
        async with shown(means.server, title, call.token, creates=means.client.progress) as report:
            page = await means.projects.ask(place["root"], "page", asked | {"encoding": means.encoding}, report)
        return place, page

    def _shown(self, place: Json, page: Json, *, show: bool = True) -> Json:
        """The answer of a command, shown if it is to be."""
        text = page["text"]
        if place["unsaved"] and page["form"] == "markdown":
            text = f"{text}\n---\n\nNot saved, and so not part of this: {', '.join(place['unsaved'])}.\n"
        uri = self._means.shown.show(page["title"], text, page["form"]) if show else None
        known = {"title": page["title"], "text": text, "form": page["form"], "unsaved": place["unsaved"]}
        return known | {"answer": page["answer"]} | ({"uri": uri} if uri is not None else {})


def _unsaved(place: Json) -> str:
    """What a short message says of buffers that differ."""
    return f" (without what is not saved in {', '.join(place['unsaved'])})" if place["unsaved"] else ""


_COMMANDS: Mapping[str, Callable[[Commands, Call], Awaitable[Json]]] = {
    "argon.runTest": Commands._run_test,
    "argon.runQuery": Commands._run_query,
    "argon.build": Commands._build,
    "argon.explainFact": Commands._explain_fact,
    "argon.showProof": Commands._show_proof,
    "argon.explainCode": Commands._explain_code,
}
