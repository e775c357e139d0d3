"""A request of the client about one document, as a feature defines it: a question to the process that reasons."""

from __future__ import annotations

from typing import Any, Protocol

Json = Any


class Feature(Protocol):
    """A module of `features`: one method of the protocol, and one question of `argon_lang.session.asking`."""

    METHOD: str
    QUESTION: str

    def given(self, params: Any) -> dict[str, Json] | None:
        """What is given with the question; None when there is nothing to ask, since the result would be empty."""
        ...

    def result(self, found: Json) -> Json:
        """The result of the request."""
        ...
