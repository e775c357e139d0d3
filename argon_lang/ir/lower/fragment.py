"""What lowering one item yields: its part of the module, and how to get back from its rules to the text."""

from __future__ import annotations

from dataclasses import dataclass

from argon_lang.ir.expr import Builtin, CallFn, CallQuery, GetField, Holds
from argon_lang.ir.lower.leading import Leading
from argon_lang.ir.module import Module
from argon_lang.ir.rules import Match, Term
from argon_lang.problems import ItemId, Problem
from argon_lang.program.types import Type
from argon_lang.quick import quick


@quick
@dataclass(frozen=True, slots=True)
class Trace:
    """Where a rule came from. Spans are item-relative.

    `sites[i]` is the place of the literals with site `i`; `names` are (canonical, as written) variables. The last
    `guards` literals of the body are what may defeat the clause; the last `filters` before them come from `x: T` in the
    head: they test and never bind. `columns` are the head's column names and types as far as this clause knows them.
    `locals` are (canonical variable, binding id).
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
    guards: int = 0

    def written(self, variable: str) -> str:
        """A canonical variable as the author wrote it."""
        return dict(self.names).get(variable, variable)


CLOCKS = frozenset({"today", "now"})


@quick
@dataclass(frozen=True, slots=True)
class Summary:
    """What the lowered form of one item needs: predicate keys that it reads, functions that it calls, queries.

    `ticks`: it reads the transaction's clock.
    """

    reads: frozenset[str] = frozenset()
    calls: frozenset[str] = frozenset()
    ticks: bool = False
    asks: frozenset[str] = frozenset()


_NEEDING = Leading((Match, GetField, Holds, CallFn, Builtin, CallQuery))


def summary_of(part: object) -> Summary:
    """The summary of a lowered value; what its functions need in turn is not in it."""
    reads: set[str] = set()
    calls: set[str] = set()
    asks: set[str] = set()
    ticks = False
    pending = [part]
    while pending:
        each = pending.pop()
        inside = _NEEDING[type(each)]
        if inside is None:
            continue
        pending += [below for below in inside(each) if below]
        match each:
            case Match(key) | GetField(_, key) | Holds(key):
                reads.add(key)
            case CallFn(path):
                calls.add(path)
            case Builtin(name):
                ticks = ticks or name in CLOCKS
            case CallQuery(path):
                asks.add(path)
    return Summary(frozenset(reads), frozenset(calls), ticks, frozenset(asks))


@dataclass(frozen=True, slots=True)
class Attack:
    """What an exception says it defeats: the default clauses of `key` (those called `label`, unless it is empty).

    `terms` are the head's columns in the attacker's variables; None is any value. `site` is the place of `#[defeats]`.
    """

    key: str
    label: str
    terms: tuple[Term | None, ...]
    site: int


@dataclass(frozen=True, slots=True)
class Defeasible:
    """How the clause of an item takes part in defeat. `default` is the site of its `#[default]`, None of a strict one.

    `rule` is the content id of the clause as it stands in the fragment.
    """

    rule: str
    default: int | None
    label: str
    attacks: tuple[Attack, ...]


_EMPTY = Module("", "")


@quick
@dataclass(frozen=True, slots=True)
class Fragment:
    """One item, lowered. `part` is empty where the item contributes nothing or is not sound.

    `spans` are item-relative places of the steps of a test. `held` are problems that count only when something reads a
    predicate: why it has no rule here. `on_demand` are predicates whose rules count only then.
    """

    item: ItemId
    part: Module = _EMPTY
    traces: tuple[Trace, ...] = ()
    needs: Summary = Summary()
    problems: tuple[Problem, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    held: tuple[tuple[str, Problem], ...] = ()
    on_demand: tuple[str, ...] = ()
    defeasible: tuple[Defeasible, ...] = ()

    def needing(self, needs: Summary) -> Fragment:
        """The fragment with a summary of what it needs."""
        return Fragment(
            self.item, self.part, self.traces, needs, self.problems, self.spans, self.held, self.on_demand,
            self.defeasible,
        )  # fmt: skip
