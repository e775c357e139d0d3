"""Why-not trees in wire form: each clause that could have derived a fact, how far it got, and what it lacked (S6.4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from argon_lang.engine.facts import node_id
from argon_lang.engine.provenance import explain as prove
from argon_lang.engine.whynot import Attempt, Blocking, ClauseFailure, WhyNot, WhyNotNode
from argon_lang.ir.names import asserted
from argon_lang.ir.rules import STEPS, Literal
from argon_lang.ir.values import Row
from argon_lang.program.types import UNKNOWN
from argon_lang.runtime.clauses import Clauses, clauses_of
from argon_lang.runtime.envelopes import ClauseInstance, ProofNode
from argon_lang.runtime.opening import context
from argon_lang.runtime.proofs import distinct, proof_forms
from argon_lang.runtime.reading import Reading
from argon_lang.runtime.shown import Labels, labels_of
from argon_lang.runtime.truth import truth_of

Later = tuple[int, str]
"""An absent atom that belongs here, by its index, and its parent. Trees may be deeper than Python's stack."""
Parts = Iterator[ProofNode | Later]


@dataclass(frozen=True, slots=True)
class _Wording:
    reading: Reading
    labels: Labels
    clauses: Clauses
    tree: WhyNot
    ids: tuple[str, ...]

    def nodes(self, index: int, parent: str | None) -> Parts:
        """An absent atom and everything under it, parents first."""
        node = self.tree.nodes[index]
        yield ProofNode(
            id=self.ids[index],
            parent=parent,
            kind="absent",
            fact=self.labels.fact(node.key, node.row),
            truth4=truth_of(self.reading, node.key, node.row) if None not in node.row else None,
            alternatives=self.count(node),
            folded=node.folded,
        )
        yield from self.other_value(node, self.ids[index])
        for number, failure in enumerate(node.clauses):
            if self.reading.served.rules[failure.rule].origin in ("subsumption", STEPS):
                yield from self.subsumption(failure, node.key, self.ids[index])
            else:
                yield from self.clause(failure, self.ids[index], number)

    def count(self, node: WhyNotNode) -> int:
        """The clauses for a predicate, of a folded node too."""
        if node.folded:
            return len(self.reading.model.program.by_key.get(node.key, ()))
        return len(node.clauses) + node.other_clauses

    def other_value(self, node: WhyNotNode, parent: str) -> Iterator[ProofNode]:
        """What a plain field holds instead."""
        field = self.reading.served.schema.fields.get(node.key)
        subject = node.row[0]
        if field is None or field.many or subject is None:
            return
        for value in self.reading.field(node.key, subject):
            fact = self.labels.fact(node.key, (subject, value))
            yield ProofNode(id=node_id(parent, "other"), parent=parent, kind="blocking", fact=fact)

    def subsumption(self, failure: ClauseFailure, key: str, parent: str) -> Iterator[Later]:
        """A step to a subtype, or along a relation, is the absence below; the lack of an assertion is said already."""
        for attempt in failure.attempts:
            if attempt.missing is not None and self.tree.nodes[attempt.missing].key != asserted(key):
                yield attempt.missing, parent

    def clause(self, failure: ClauseFailure, parent: str, number: int) -> Parts:
        """A clause that could have derived the atom: what holds of its body, what failed, what was tried."""
        instance = self.clauses.instance(failure.rule, ())
        own = node_id(parent, "clause", number)
        yield ProofNode(id=own, parent=parent, kind="clause", fact=instance.clause, source=instance.source)
        body = self.reading.served.rules[failure.rule].body
        shown = {body[failure.failing].site}
        for place, position in enumerate(failure.order[: failure.satisfied]):
            if body[position].site not in shown:
                shown.add(body[position].site)
                yield self.literal(failure, body[position], own, f"holds{place}", "holds")
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

    def attempt(self, failure: ClauseFailure, attempt: Attempt, parent: str, place: int) -> Parts:
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
            name, fact = node_id(own, "blocking", number), self.labels.fact(row.key, row.row)
            yield ProofNode(
                id=name,
                parent=own,
                kind="blocking",
                fact=fact,
                truth4=truth_of(self.reading, row.key, row.row),
                derivations=self.attacker(row.key, row.row),
            )
            yield from self.reasons(row, name)
        if attempt.missing is not None:
            yield attempt.missing, own

    def reasons(self, row: Blocking, parent: str) -> Iterator[ProofNode]:
        """What a row that stands in the way was concluded from: the first way, one step of it."""
        reading, model = self.reading, self.reading.model
        state = model if model.holds(row.key, row.row) else model.upper()
        within = f"{context(reading.state, reading.point)}|{parent}"
        proof = prove(state, row.key, row.row, 1, 1, within, reading.governor)
        forms = proof_forms(reading, proof) if proof is not None else []
        for form in forms[1:]:
            yield form.model_copy(update={"parent": parent}) if form.parent == forms[0].id else form

    def attacker(self, key: str, row: Row) -> list[ClauseInstance]:
        """The exception behind an attack."""
        model = self.reading.model
        state = model if "~" not in key or model.holds(key, row) else model.upper()
        origin = state.origin(key, row) if "~" in key and state.holds(key, row) else None
        clause = self.reading.served.exceptions.get(origin.rule) if origin is not None else None
        return [self.clauses.instance(clause, ())] if clause is not None else []


def _id(reading: Reading, node: WhyNotNode) -> str:
    """The id of an absent atom; of one that was left shut, one that any process can open."""
    return reading.address(node.id, node.key, node.row) if node.folded and not node.equal else node.id


def absence_forms(reading: Reading, tree: WhyNot) -> list[ProofNode]:
    """All nodes of a why-not tree, parents first."""
    labels = labels_of(reading)
    ids = distinct([_id(reading, node) for node in tree.nodes])
    wording = _Wording(reading, labels, clauses_of(reading, labels), tree, ids)
    reading.remember((node.id, node.key, node.row, False) for node in tree.nodes if not node.equal)
    forms, open_parts = list[ProofNode](), [wording.nodes(0, None)]
    while open_parts:
        match next(open_parts[-1], None):
            case None:
                open_parts.pop()
            case ProofNode() as form:
                forms.append(form)
            case index, parent:
                open_parts.append(wording.nodes(index, parent))
    return forms
