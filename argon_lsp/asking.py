"""A request of the client about one document, as a feature defines it: a question to the process that reasons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

Json = Any


@dataclass(frozen=True, slots=True)
class Client:
    """What the client can do with an answer. `snippets`: completions with places to fill in."""

    snippets: bool = False


def client_of(params: dict[str, Any]) -> Client:
    """As the client says in the parameters of `initialize`."""
    found: Any = params.get("capabilities")
    for name in ("textDocument", "completion", "completionItem", "snippetSupport"):
        found = found.get(name) if isinstance(found, dict) else None
    return Client(snippets=found is True)


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
