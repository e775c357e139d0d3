"""What completion offers, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from argon_lang.problems import Location, Replacement
from argon_lang.program.model import Symbol

Kind = Literal[
    "module", "type", "class", "relation", "struct", "enum", "variant", "function", "predicate", "query", "check",
    "mutation", "individual", "local", "field", "member", "keyword", "snippet",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Candidate:
    """One offer. `insert` takes the place of what is written; as a `snippet` it has `$1`, `${2:name}`, `$0` in it.

    `rank` orders: smaller is better. `edits` are further changes, such as the `use` that brings the name into scope.
    `symbol` leads to the docs, which are fetched when somebody looks.
    """

    label: str
    kind: Kind
    detail: str = ""
    insert: str = ""
    snippet: bool = False
    rank: int = 0
    edits: tuple[Replacement, ...] = ()
    symbol: Symbol | None = None
    docs: str = ""

    @property
    def text(self) -> str:
        """What is put in."""
        return self.insert or self.label


@dataclass(frozen=True, slots=True)
class Completions:
    """Offers for the span that they replace, best first. `incomplete`: more letters may bring others."""

    span: Location
    candidates: tuple[Candidate, ...]
    incomplete: bool = False
