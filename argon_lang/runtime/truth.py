"""The truth values of a predicate's rows in one view (S2), and the tags of rules with exceptions (S5.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from argon_lang.engine.order import SortKey, row_key
from argon_lang.ir.codec import rule_id
from argon_lang.ir.module import Query
from argon_lang.ir.names import negative_key
from argon_lang.ir.rules import Rule
from argon_lang.ir.values import Row, Value
from argon_lang.program.types import Type
from argon_lang.runtime.envelopes import AnswerRow, Hidden
from argon_lang.runtime.questions import ask, at_query, excluded
from argon_lang.runtime.reading import Reading
from argon_lang.runtime.shown import Labels

Truth4 = Literal["Is", "Not", "Can", "Both"]
Tag = Literal["+Δ", "+∂", "-∂", "-Δ"]


@dataclass(frozen=True, slots=True)
class Told:
    """A row with its truth value; `tag` of a predicate that has a clause with exceptions."""

    row: Row
    truth4: Truth4
    tag: Tag | None = None


def told(reading: Reading, key: str) -> list[Told]:
    """Every row of a predicate that has a truth value, in canonical order."""
    against = {row_key(row): row for row in reading.base.of(negative_key(key))}
    rows, doubted = reading.model.rows(key), reading.model.doubted(key)
    tags = Tags.of(reading, key)
    found = [Told(row, "Both" if row_key(row) in against else "Is", tags.of_row(row, held=True)) for row in rows]
    found += [Told(row, "Can") for row in doubted]
    if against:
        held = {row_key(row) for row in rows}
        denied = (row for name, row in against.items() if name not in held)
        found += [Told(row, "Not", tags.of_row(row, held=False)) for row in denied]
    if against or doubted:
        found.sort(key=lambda each: row_key(each.row))
    return found


def answered(reading: Reading, query: Query, arguments: Sequence[Value]) -> tuple[list[Told], int | None]:
    """The rows of a query with their truth values, and how many solutions its groups leave out as being in doubt.

    Rows that only might be there follow those that are. Raises what `ask` raises.
    """
    if query.across:
        from argon_lang.runtime.across import across

        return across(reading, query, arguments), None
    rows = [Told(row, "Is") for row in ask(reading, query, arguments)]
    state = at_query(reading, query, arguments)
    if not state.model.doubtful:
        return rows, None
    if query.grouping is not None or any(each.grouping is not None for each in query.operands):
        return rows, excluded(state, query, arguments)
    whole = replace(query, result="many", limit=None, offset=None, as_of=())
    known = {row_key(row) for row in ask(state, whole, arguments)}
    possible = {row_key(row): row for row in ask(state.upper(), whole, arguments)}
    return rows + [Told(row, "Can") for name, row in possible.items() if name not in known], None


def truth_of(reading: Reading, key: str, row: Row) -> Truth4 | None:
    """The truth value of one row; None for one that nothing supports, which is false."""
    denied = reading.base.holds(negative_key(key), row)
    if reading.model.holds(key, row):
        return "Both" if denied else "Is"
    if denied:
        return "Not"
    return "Can" if reading.model.doubtful and reading.model.upper().holds(key, row) else None


def hidden(rows: Iterable[Told]) -> Hidden:
    """How many rows are not Is."""
    counts = {"Can": 0, "Both": 0, "Not": 0}
    for each in rows:
        if each.truth4 != "Is":
            counts[each.truth4] += 1
    return Hidden.model_validate({name.lower(): count for name, count in counts.items()})


def forms(labels: Labels, rows: Iterable[Told], types: Sequence[Type], *, truth4: bool) -> list[AnswerRow]:
    """The rows in wire form: those that are Is, or all of them with their truth values."""
    shown = [each for each in rows if truth4 or each.truth4 == "Is"]
    return [
        AnswerRow(values=labels.row(each.row, types), truth4=each.truth4 if truth4 else None, tag=each.tag)
        for each in shown
    ]


@dataclass(frozen=True, slots=True)
class Tags:
    """What the clauses of one predicate conclude: rows of strict ones, and bodies of default ones that held.

    None where no clause of it has exceptions.
    """

    strict: frozenset[SortKey] | None
    tried: frozenset[SortKey]

    @classmethod
    def of(cls, reading: Reading, key: str) -> Tags:
        """The tags of a predicate in one state."""
        guards = reading.served.defaults.get(key)
        if guards is None:
            return cls(None, frozenset())
        clauses = [rule for rule in reading.served.module.rules if rule.key == key]
        strict = (rule for rule in clauses if rule.id not in guards)
        plain = (unguarded(rule, guards[rule.id]) for rule in clauses if rule.id in guards)
        return cls(frozenset(_heads(reading, strict)), frozenset(_heads(reading, plain)))

    def of_row(self, row: Row, *, held: bool) -> Tag | None:
        """The first tag that applies; of a row that does not hold, whether a default clause was defeated."""
        name = row_key(row)
        if self.strict is None:
            return None
        if held:
            return "+Δ" if name in self.strict else "+∂"
        return "-∂" if name in self.tried else "-Δ"


def tag_of(reading: Reading, key: str, row: Row, *, held: bool) -> Tag | None:
    """The tag of one row, as `Tags.of_row` has it; only the clauses that could conclude this row are asked."""
    guards = reading.served.defaults.get(key)
    if guards is None:
        return None
    clauses, model = [rule for rule in reading.served.module.rules if rule.key == key], reading.model
    if held:
        strict = (rule for rule in clauses if rule.id not in guards)
        return "+Δ" if any(model.concludes(rule, row, reading.governor) for rule in strict) else "+∂"
    plain = (unguarded(rule, guards[rule.id]) for rule in clauses if rule.id in guards)
    return "-∂" if any(model.concludes(rule, row, reading.governor) for rule in plain) else "-Δ"


def unguarded(rule: Rule, guards: int) -> Rule:
    """A default clause without what may defeat it."""
    body = rule.body[: len(rule.body) - guards]
    return replace(rule, id=rule_id(rule.key, rule.terms, body), body=body)


def _heads(reading: Reading, rules: Iterable[Rule]) -> Iterator[SortKey]:
    for rule in rules:
        for row in reading.model.solve(rule, {}, reading.governor):
            yield row_key(row)
