"""Why-not trees in wire form: each clause that could have derived a fact, how far it got, and what it lacked (S6.4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from argon_lang.engine.facts import node_id
from argon_lang.engine.whynot import Attempt, ClauseFailure, WhyNot
from argon_lang.ir.names import asserted
from argon_lang.ir.rules import Literal
from argon_lang.program.types import UNKNOWN
from argon_lang.runtime.clauses import Clauses, clauses_of
from argon_lang.runtime.envelopes import ProofNode
from argon_lang.runtime.proofs import distinct
from argon_lang.runtime.reading import Reading
from argon_lang.runtime.shown import Labels, labels_of


@dataclass(frozen=True, slots=True)
class _Wording:
    reading: Reading
    labels: Labels
    clauses: Clauses
    tree: WhyNot
    ids: tuple[str, ...]

    def nodes(self, index: int, parent: str | None) -> Iterator[ProofNode]:
        """An absent atom and everything under it, parents first."""
        node = self.tree.nodes[index]
        yield ProofNode(
            id=self.ids[index],
            parent=parent,
            kind="absent",
            fact=self.labels.fact(node.key, node.row),
            alternatives=len(node.clauses) + node.other_clauses,
            folded=node.folded,
        )
        for number, failure in enumerate(node.clauses):
            if self.reading.served.rules[failure.rule].origin == "subsumption":
                yield from self.subsumption(failure, node.key, self.ids[index])
            else:
                yield from self.clause(failure, self.ids[index], number)

    def subsumption(self, failure: ClauseFailure, key: str, parent: str) -> Iterator[ProofNode]:
        """A step to a subtype is the subtype's absence itself; the lack of an assertion is the absence already said."""
        for attempt in failure.attempts:
            if attempt.missing is not None and self.tree.nodes[attempt.missing].key != asserted(key):
                yield from self.nodes(attempt.missing, parent)

    def clause(self, failure: ClauseFailure, parent: str, number: int) -> Iterator[ProofNode]:
        instance = self.clauses.instance(failure.rule, ())
        own = node_id(parent, "clause", number)
        yield ProofNode(id=own, parent=parent, kind="clause", fact=instance.clause, source=instance.source)
        body = self.reading.served.rules[failure.rule].body
        for place, literal in enumerate(failure.order[: failure.satisfied]):
            yield self.literal(failure, body[literal], own, f"holds{place}", "holds")
        failed = self.literal(failure, body[failure.failing], own, "failed", "failed")
        yield failed
        for place, attempt in enumerate(failure.attempts):
            yield from self.attempt(failure, attempt, failed.id, place)

    def literal(self, failure: ClauseFailure, literal: Literal, parent: str, name: str, kind: str) -> ProofNode:
        return ProofNode.model_validate(
            {
                "id": node_id(parent, name),
                "parent": parent,
                "kind": kind,
                "fact": self.clauses.literal(failure.rule, literal.site, ()),
                "source": self.clauses.place(failure.rule, literal.site),
                "alternatives": failure.tried if kind == "failed" else None,
            }
        )

    def attempt(self, failure: ClauseFailure, attempt: Attempt, parent: str, place: int) -> Iterator[ProofNode]:
        """One binding that was tried: what was missing, what blocked, or what was compared."""
        shown = self.clauses.substitution(failure.rule, attempt.substitution)
        own = node_id(parent, "attempt", place)
        sides = [self.labels.wire(side, UNKNOWN) for side in attempt.sides] if attempt.sides is not None else [None] * 2
        values = ", ".join(
            f"{name} = {self.labels.text(value)}"
            for name, value in self.clauses.named(failure.rule, attempt.substitution)
        )
        yield ProofNode(
            id=own,
            parent=parent,
            kind="attempt",
            fact=values or self.clauses.literal(failure.rule, failure.site, ()),
            substitution=shown,
            left=sides[0],
            right=sides[1],
        )
        for number, row in enumerate(attempt.blocking):
            fact = self.labels.fact(row.key, row.row)
            yield ProofNode(id=node_id(own, "blocking", number), parent=own, kind="blocking", fact=fact)
        if attempt.missing is not None:
            yield from self.nodes(attempt.missing, own)


def absence_forms(reading: Reading, tree: WhyNot) -> list[ProofNode]:
    """All nodes of a why-not tree, parents first."""
    labels = labels_of(reading)
    ids = distinct([node.id for node in tree.nodes])
    return list(_Wording(reading, labels, clauses_of(reading, labels), tree, ids).nodes(0, None))
