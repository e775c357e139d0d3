"""A request of the client about one document, as a feature defines it: a question to the process that reasons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

Json = Any


@dataclass(frozen=True, slots=True)
class Client:
    """What the client can do with an answer, as it says in `initialize`.

    `snippets`: completions with places to fill in. `lazy_actions`: it asks for an action's edits when it is taken.
    `moves_files`: an edit may rename files. `recounts`, `recolours`, `rehints`: code lenses, semantic tokens and inlay
    hints are fetched again when it is told to. `later_places`: it asks where a symbol is when somebody goes there.
    `shows`: it opens documents for us; `fetches_text`: also such as are nowhere on disk. `progress`: it shows work that
    nobody asked for. `commands`: commands of its own that a lens may run.
    """

    snippets: bool = False
    lazy_actions: bool = False
    moves_files: bool = False
    recounts: bool = False
    recolours: bool = False
    rehints: bool = False
    later_places: bool = False
    shows: bool = False
    fetches_text: bool = False
    progress: bool = False
    commands: frozenset[str] = frozenset()


def client_of(params: dict[str, Any]) -> Client:
    """As the client says in the parameters of `initialize`."""
    told = params.get("capabilities")
    places = _declared(told, "workspace", "symbol", "resolveSupport", "properties")
    commands = _declared(told, "experimental", "commands", "commands")
    later = _declared(told, "textDocument", "codeAction", "resolveSupport", "properties")
    operations = _declared(told, "workspace", "workspaceEdit", "resourceOperations")
    keeps_data = _declared(told, "textDocument", "codeAction", "dataSupport") is True
    return Client(
        snippets=_declared(told, "textDocument", "completion", "completionItem", "snippetSupport") is True,
        lazy_actions=keeps_data and isinstance(later, list) and "edit" in later,
        moves_files=isinstance(operations, list) and "rename" in operations,
        recolours=_declared(told, "workspace", "semanticTokens", "refreshSupport") is True,
        rehints=_declared(told, "workspace", "inlayHint", "refreshSupport") is True,
        later_places=isinstance(places, list) and "location.range" in places,
        recounts=_declared(told, "workspace", "codeLens", "refreshSupport") is True,
        shows=_declared(told, "window", "showDocument", "support") is True,
        fetches_text=_declared(told, "workspace", "textDocumentContent") is not None,
        progress=_declared(told, "window", "workDoneProgress") is True,
        commands=frozenset(map(str, commands)) if isinstance(commands, list) else frozenset(),
    )


def _declared(found: Any, *names: str) -> Any:
    for name in names:
        found = found.get(name) if isinstance(found, dict) else None
    return found


@dataclass(frozen=True, slots=True)
class Context:
    """The request that is being answered."""

    params: Any
    client: Client


def told(client: Client) -> dict[str, Json]:
    """What the process that reasons must know of the client to answer."""
    return {"lazy": client.lazy_actions, "moves": client.moves_files}


class Feature(Protocol):
    """A module of `features`: one method of the protocol, and one question of `argon_lang.session.editor.questions`."""

    METHOD: str
    QUESTION: str

    def given(self, params: Any) -> dict[str, Json] | None:
        """What is given with the question; None when there is nothing to ask, since the result would be empty."""
        ...

    def result(self, found: Json, context: Context) -> Json:
        """The result of the request. Raises JsonRpcException to refuse it."""
        ...
