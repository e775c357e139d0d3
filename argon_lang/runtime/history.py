"""The log in the terms of the module: the events of a fact, of an individual, or all of them (semantics S1.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from argon_lang.ir.names import asserted, negative_key
from argon_lang.ir.values import Entity, Row, TupleValue
from argon_lang.runtime.arguments import invalid
from argon_lang.runtime.facts import read_goal
from argon_lang.runtime.reading import Reading
from argon_lang.runtime.reports import event_form
from argon_lang.runtime.schema import Schema
from argon_lang.runtime.shown import Labels, iso, labels_of
from argon_lang.runtime.wires import LogLine, LogReport
from argon_lang.store.protocol import Logged, Reader

Place = tuple[int, int]
"""Transaction and ordinal of an event: where a page of the log leaves off. The log only grows, so it stays right."""


@dataclass(frozen=True, slots=True)
class About:
    """Whose events are wanted: those of an individual, or of rows of some keys; everything when both are None.

    In `row` None stands for any value. With a tuple go the `fields` that it bears.
    """

    individual: Entity | None = None
    keys: frozenset[str] | None = None
    row: Row = ()
    fields: frozenset[str] = frozenset()

    def wants(self, event: Logged) -> bool:
        """Is it about a row that is asked for? (The reader has looked for the individual.)"""
        change = event.event.change
        if self.keys is None:
            return True
        if change.key in self.keys:
            return self._matches(change.row)
        bearer = change.row[0] if change.key in self.fields else None
        return isinstance(bearer, TupleValue) and self._matches(bearer.ends)

    def _matches(self, row: Row) -> bool:
        return len(row) == len(self.row) and all(a is None or a == b for a, b in zip(self.row, row, strict=True))


def history(
    reader: Reader, reading: Reading, about: str | None, *, since_tx: int = 0, after: str | None = None, size: int = 100
) -> LogReport:
    """A page of the log. `about` is a fact as text, or an individual's name or id; `after` the place it continues from.

    Raises what `read_goal` raises, and `ARGON_RUNTIME_VALIDATION_FAILED` for a place that is none.
    """
    begin = _place(after) if after is not None else (0, 0)
    wanted = _about(reading, about)
    labels = labels_of(reading)
    since = max(since_tx, begin[0] - 1)
    found = [each for each in _placed(reader, wanted, since) if each[0] > begin]
    lines = [_line(labels, place, logged) for place, logged in found[:size]]
    return LogReport(
        about=about,
        lines=lines,
        count=len(found),
        next_cursor=lines[-1].place if len(found) > size else None,
        module_hash=reading.served.module_hash,
        store_id=str(reader.store_id),
        generation=reader.generation,
    )


def _placed(reader: Reader, about: About, since: int) -> Iterator[tuple[Place, Logged]]:
    """The wanted events with their places; an ordinal counts all events of its transaction, from 1."""
    ordinals = {e.id: n for t in reader.transactions(since) for n, e in enumerate(t.events, 1)}
    for logged in reader.log(individual=about.individual, since_tx=since):
        if about.wants(logged):
            yield (logged.tx, ordinals[logged.event.id]), logged


def _about(reading: Reading, text: str | None) -> About:
    if text is None:
        return About()
    if not any(mark in text for mark in "(=."):
        return About(individual=Entity(reading.served.schema.individual_id(text.strip())))
    if text.strip().startswith("#") and "(" not in text and "=" not in text:
        return About(individual=Entity(text.strip()))
    goal = read_goal(reading, text)
    schema = reading.served.schema
    return About(None, frozenset(_keys(schema, goal.key)), goal.row, frozenset(_fields(schema, goal.key)))


def _keys(schema: Schema, key: str) -> Iterator[str]:
    """The keys under which events bear on the rows of a key: a fact of a subtype is one of its supertypes too."""
    yield key
    yield negative_key(key)
    if key in schema.concepts or key in schema.relations:
        for path in schema.descendants(key):
            yield from (asserted(path), negative_key(path))


def _fields(schema: Schema, key: str) -> Iterator[str]:
    """The keys of the fields that a relation, or one below it, declares for its tuples."""
    if key in schema.relations:
        owners = {key, *schema.descendants(key)}
        for field in (each for each in schema.fields if each.rpartition(".")[0] in owners):
            yield from (field, negative_key(field))


def _line(labels: Labels, place: Place, logged: Logged) -> LogLine:
    change, form = logged.event.change, event_form(labels, logged.event)
    return LogLine(
        **dict(form),
        place=f"{place[0]}.{place[1]}",
        tx=logged.tx,
        instant=iso(logged.instant),
        principal=change.principal,
        standpoint=change.standpoint,
        fork=change.fork,
    )


def _place(text: str) -> Place:
    tx, _, ordinal = text.partition(".")
    if not (tx.isdecimal() and ordinal.isdecimal() and len(text) < 32):
        raise invalid("after", "a place in the log such as 12.3, as the page before gives it", text)
    return int(tx), int(ordinal)
