"""What a tool knows of the runtime behind it: questions by name, plain JSON answers.

There is one protocol and, for now, one implementation (`local.py`): no tool knows which it has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

Json = Any
Stage = Callable[[str], None]
Reloaded = Callable[[], None]


class Refused(Exception):
    """The runtime refused: `body` is the wire form of the error (code, message, details, retryable, help)."""

    def __init__(self, body: Mapping[str, Json]) -> None:
        super().__init__(body["code"])
        self.body = body


class RuntimeHandle(Protocol):
    """A runtime to ask. Answers rest on the disk as it is when they are given."""

    async def ask(self, question: str, given: dict[str, Json], stage: Stage) -> dict[str, Json]:
        """The answer to a question of `argon_lang.session.questions`. Raises Refused.

        `stage` is called, on the event loop, with what is being done. Cancelling the task cancels the work.
        """
        ...

    def codes(self) -> tuple[str, ...]:
        """Every diagnostic and run-time code of the catalog that the runtime speaks by, in its order."""
        ...

    def entry(self, query: str, lang: str = "en") -> dict[str, Json] | None:
        """The catalog's entry that a code, number or name denotes; None when it denotes none."""
        ...

    def on_reload(self, reloaded: Reloaded) -> None:
        """Call `reloaded`, on the event loop, whenever another module begins to serve."""
        ...
