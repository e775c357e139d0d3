"""`forget`: what was ever logged of some facts goes out of the store, and out of every receipt (language §3.11).

What is forgotten is found in the log, not in a state: facts that hold no more, are only said in some standpoint or in a
fork go, too. Declared facts are not logged (semantics S1.5), so there is nothing of them to erase: they stay declared.
"""

from __future__ import annotations

from dataclasses import dataclass

from argon_lang.ir.names import asserted
from argon_lang.ir.values import Entity, Row, TupleValue, Value
from argon_lang.runtime.envelopes import Receipt
from argon_lang.runtime.fitting import types_of_subject
from argon_lang.runtime.work import Work
from argon_lang.store.protocol import Change

Pattern = tuple[tuple[Value] | None, ...]
"""For each column the value that is asked for, None for any."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Which events are erased: those of the facts of a concept or relation that fit, and of the fields they bear.

    `root` is the relation by which the tuples of a relation are known; empty for a concept. `kept` are the fields of a
    subject that something else declares, of which it is one, too.
    """

    keys: frozenset[str]
    fields: frozenset[str]
    root: str
    pattern: Pattern
    kept: dict[Row, frozenset[str]]

    def __call__(self, change: Change) -> bool:
        if change.key in self.keys:
            return self.fits(change.row)
        if change.key not in self.fields:
            return False
        subject = self._subject(change.row[0])
        return self.fits(subject) and change.key not in self.kept.get(subject, ())

    def fits(self, row: Row) -> bool:
        """Is it one of the facts that are asked for?"""
        same = len(row) == len(self.pattern)
        return same and all(w is None or v == w[0] for v, w in zip(row, self.pattern, strict=True))

    def _subject(self, owner: Value) -> Row:
        """The row by which the bearer of a field is known."""
        match owner:
            case Entity() if not self.root:
                return (owner,)
            case TupleValue(self.root, ends):
                return ends
            case _:
                return ()


def forget(work: Work, path: str, pattern: Pattern) -> None:
    """Erase, with the transaction, what any event says of the facts of a concept or relation that fit a pattern.

    With a tuple or a membership go the fields that nothing else, of which the subject still is one, declares. The gates
    judge the state without all this. Raises `ARGON_RUNTIME_VALIDATION_FAILED` in a fork.
    """
    schema = work.served.schema
    below = schema.descendants(path)
    wanted = _Wanted(
        keys=frozenset((*below, *map(asserted, below))),
        fields=frozenset(field.key for each in below for field in schema.fields_of(each).values()),
        root=schema.tuple_root(path) if path in schema.relations else "",
        pattern=pattern,
        kept={},
    )
    changes = [event.change for each in work.writer.transactions() for event in each.events]
    for row in {change.row for change in changes if change.key in wanted.keys and wanted.fits(change.row)}:
        wanted.kept[row] = _kept(work, path, row)
    work.writer.erase(wanted, scrubbed)
    said = dict.fromkeys((change.key, change.row) for change in changes if wanted(change))
    for key, row in said:
        _unsay(work, key, row)
    # Noted also when all of it was said in forks alone: by this event others see that they are to read anew.
    work.note_erasure(path, len(said))


def _kept(work: Work, path: str, row: Row) -> frozenset[str]:
    schema, below = work.served.schema, work.served.schema.descendants(path)
    subject = TupleValue(schema.tuple_root(path), row) if path in schema.relations else row[0]
    others = (each for each in types_of_subject(work.reading, subject) if each not in below)
    return frozenset(field.key for each in others for field in schema.fields_of(each).values())


def _unsay(work: Work, key: str, row: Row) -> None:
    """Take a fact out of the state that the gates judge; the events that do so are gone with the commit, too."""
    schema, owner = work.served.schema, key.removesuffix("^")
    if not schema.declared_facts(key, row):
        work.unsay(key, row)
    if key != owner and owner in schema.relations:
        work.dropped[owner, TupleValue(schema.tuple_root(owner), row)] = None
    elif key != owner and isinstance(row[0], Entity):
        work.dropped[owner, row[0]] = None


def scrubbed(receipt: bytes) -> bytes:
    """What is left of a receipt that tells of erased facts: that there was one."""
    found = Receipt.model_validate_json(receipt)
    bare = found.model_copy(
        update={"events": [], "minted": [], "derived_delta": None, "diagnostics": [], "emitted": [], "result": None}
    )
    return bare.model_dump_json(by_alias=True).encode()
