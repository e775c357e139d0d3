"""The one exception that crosses rooms: a catalog code and its values, no prose.

A room that cannot go on (a locked project, a damaged artifact, a refused call) raises `ArgonError`. The front end that
catches it renders the message from `shared_catalog`; nothing between the two words anything. What a program can go on
from is a `Problem` in its answer, not an exception.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from argon_lang.problems import Args, Note

_NO_DETAILS: Mapping[str, object] = MappingProxyType({})


class ArgonError(Exception):
    """A refusal with a catalog code.

    `code` names an entry of `shared_catalog`; `args_` fills that entry's message template (`problems.args(…)` builds
    it; the trailing underscore keeps clear of `Exception.args`). `details` is plain data for machines: JSON values
    only. `retryable` says that the same call may succeed later without any change by the caller. `notes` are lines of
    help, by keys of the entry's `notes`.
    """

    def __init__(
        self,
        code: str,
        args_: Args = (),
        *,
        details: Mapping[str, object] = _NO_DETAILS,
        retryable: bool = False,
        notes: tuple[Note, ...] = (),
    ) -> None:
        """Keep the code and its values; `str(error)` is the code with them, for logs and test failures only."""
        super().__init__(code, args_)
        self.code = code
        self.args_: Args = args_
        self.details: Mapping[str, object] = details
        self.retryable = retryable
        self.notes = notes

    def __str__(self) -> str:
        """The code and its values, unworded."""
        values = ", ".join(f"{name}={text}" for name, text in self.args_)
        return f"{self.code}({values})" if values else self.code
