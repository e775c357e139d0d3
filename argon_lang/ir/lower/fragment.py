"""What lowering one item yields: its part of the module, and how to get back from its rules to the text."""

from __future__ import annotations

from dataclasses import dataclass, field

from argon_lang.ir.module import Module
from argon_lang.problems import ItemId, Problem
from argon_lang.program.types import Type


@dataclass(frozen=True, slots=True)
class Trace:
    """Where a rule came from. Spans are item-relative.

    `sites[i]` is the place of the literals with site `i`; `names` are (canonical, as written) variables. The last
    `filters` literals of the body come from `x: T` in the head: they test and never bind. `columns` are the head's
    column names and types as far as this clause knows them. `locals` are (canonical variable, binding id).
    """

    rule: str
    key: str
    item: ItemId
    name: str
    start: int
    end: int
    names: tuple[tuple[str, str], ...]
    sites: tuple[tuple[int, int], ...]
    filters: int
    columns: tuple[tuple[str, Type], ...]
    locals: tuple[tuple[str, int], ...] = ()

    def written(self, variable: str) -> str:
        """A canonical variable as the author wrote it."""
        return dict(self.names).get(variable, variable)


@dataclass(frozen=True, slots=True)
class Fragment:
    """One item, lowered. `part` is empty where the item contributes nothing or is not sound.

    `calls` are the functions that its rules call and that linking may have to put in place; `spans` are item-relative
    places of the steps of a test.
    """

    item: ItemId
    part: Module = field(default_factory=lambda: Module("", ""))
    traces: tuple[Trace, ...] = ()
    calls: frozenset[str] = frozenset()
    problems: tuple[Problem, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
