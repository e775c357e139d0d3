"""A request of the client about one document, as a feature defines it: a question to the process that reasons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

Json = Any


@dataclass(frozen=True, slots=True)
class Client:
    """What the client can do with an answer, as it says in `initialize`.

    `snippets`: completions with places to fill in. `recounts`: code lenses are fetched again when it is told to.
    `shows`: it opens documents for us; `fetches_text`: also such as are nowhere on disk. `progress`: it shows work that
    nobody asked for. `commands`: commands of its own that a lens may run.
    """

    snippets: bool = False
    recounts: bool = False
    shows: bool = False
    fetches_text: bool = False
    progress: bool = False
    commands: frozenset[str] = frozenset()


def client_of(params: dict[str, Any]) -> Client:
    """As the client says in the parameters of `initialize`."""
    told = params.get("capabilities")
    commands = _declared(told, "experimental", "commands", "commands")
    return Client(
        snippets=_declared(told, "textDocument", "completion", "completionItem", "snippetSupport") is True,
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
