"""Proofs in wire form: the tree with labels, places, authors' names and the events behind its leaves (S6.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from argon_lang.engine.facts import node_id
from argon_lang.engine.provenance import Proof
from argon_lang.engine.provenance import ProofNode as EngineNode
from argon_lang.ir.names import asserted, negative_key
from argon_lang.ir.values import Row
from argon_lang.runtime.clauses import Clauses, clauses_of
from argon_lang.runtime.envelopes import LeafEvent, ProofNode
from argon_lang.runtime.reading import Reading
from argon_lang.runtime.shown import Labels, iso, labels_of
from argon_lang.runtime.truth import Tag, tag_of, truth_of
from argon_lang.store.protocol import Record

_CONDITIONS: dict[str, Literal["negation", "aggregate", "builtin"]] = {
    "negation": "negation",
    "aggregate": "aggregate",
    "builtin": "builtin",
}


@dataclass(frozen=True, slots=True)
class _Wording:
    reading: Reading
    labels: Labels
    clauses: Clauses
    proof: Proof
    ids: tuple[str, ...]

    def node(self, index: int, parent: str | None, alternative: int | None) -> ProofNode:
        """One node; a membership or tuple that is its own assertion is shown as the assertion."""
        node = self.proof.nodes[index]
        leaf = self.assertion(node)
        if leaf is not None:
            return self.leaf(leaf, self.ids[index], parent, alternative)
        if node.kind == "asserted":
            return self.leaf(node, self.ids[index], parent, alternative)
        if node.kind == "derived":
            return ProofNode(
                id=self.ids[index],
                parent=parent,
                kind="derived",
                fact=self.labels.fact(node.key, node.row),
                truth4=truth_of(self.reading, node.key, node.row),
                tag=self.tag(node),
                alternative=alternative,
                alternatives=node.alternatives,
                derivations=[self.clauses.instance(each.rule, each.substitution) for each in node.derivations],
                folded=node.folded,
            )
        return self.condition(index, parent, alternative)

    def tag(self, node: EngineNode) -> Tag | None:
        """What the clauses of a rule with exceptions conclude about it."""
        if node.key not in self.reading.served.defaults or truth_of(self.reading, node.key, node.row) == "Can":
            return None
        return tag_of(self.reading, node.key, node.row, held=True)

    def assertion(self, node: EngineNode) -> EngineNode | None:
        """The asserted row behind a concept's or relation's own membership, when that is how it came to hold."""
        if node.kind != "derived" or len(node.derivations) != 1 or len(node.derivations[0].premises) != 1:
            return None
        premise = self.proof.nodes[node.derivations[0].premises[0]]
        return premise if premise.kind == "asserted" and premise.key == asserted(node.key) else None

    def leaf(self, node: EngineNode, id_: str, parent: str | None, alternative: int | None) -> ProofNode:
        """A base fact: declared in the module, or asserted by an event."""
        event = leaf_event(self.reading, node.key, node.row)
        return ProofNode(
            id=id_,
            parent=parent,
            kind="asserted" if event is not None else "declared",
            fact=self.labels.fact(node.key, node.row),
            truth4=truth_of(self.reading, node.key.removesuffix("^"), node.row),
            alternative=alternative,
            event=event,
        )

    def condition(self, index: int, parent: str | None, alternative: int | None) -> ProofNode:
        """A negation with the absence that it relies on, an aggregate or a computation as written."""
        node = self.proof.nodes[index]
        owner = self.proof.nodes[node.parent]
        rule = owner.derivations[alternative or 0].rule
        absent = [f"{_without(each.key)} {self.labels.fact(each.key, each.row)}" for each in node.absent]
        written = self.clauses.literal(rule, node.site, node.values)
        return ProofNode(
            id=self.ids[index],
            parent=parent,
            kind=_CONDITIONS[node.kind],
            fact=absent[0] if len(absent) == 1 else written,
            alternative=alternative,
            alternatives=node.alternatives,
            substitution=self.clauses.substitution(rule, node.values),
            source=self.clauses.place(rule, node.site),
        )


def _without(key: str) -> str:
    """`no not_fact p(a)`, where nothing is said against a row; `not p(a)` of any other absence."""
    return "no" if key.endswith("-") else "not"


def proof_forms(reading: Reading, proof: Proof) -> list[ProofNode]:
    """All nodes of a proof, parents first."""
    labels = labels_of(reading)
    ids = distinct([_id(reading, node) for node in proof.nodes])
    wording = _Wording(reading, labels, clauses_of(reading, labels), proof, ids)
    reading.remember(_openable(proof))
    forms = [wording.node(0, None, None)]
    waiting = [0]
    for index in waiting:
        node = proof.nodes[index]
        if wording.assertion(node) is not None:
            continue
        for number, derivation in enumerate(node.derivations):
            forms += [wording.node(premise, ids[index], number) for premise in derivation.premises]
            waiting += derivation.premises
    return forms


def _id(reading: Reading, node: EngineNode) -> str:
    """The id of a node; where more is behind it than is shown, one that any process can open."""
    if node.folded:
        return reading.address(node.id, node.key, node.row)
    if node.kind == "negation" and len(node.absent) == 1:
        return reading.address(node.id, node.absent[0].key, node.absent[0].row)
    return node.id


def _openable(proof: Proof) -> Iterator[tuple[str, str, Row, bool]]:
    """The nodes by id, with what each stands for; of a negation of one atom, the absence of that."""
    for node in proof.nodes:
        if node.kind == "negation" and len(node.absent) == 1:
            yield node.id, node.absent[0].key, node.absent[0].row, False
        elif node.kind in _CONDITIONS:
            owner = proof.nodes[node.parent]
            yield node.id, owner.key, owner.row, True
        else:
            yield node.id, node.key, node.row, False


def distinct(ids: Sequence[str]) -> tuple[str, ...]:
    """Ids of the occurrences in a tree: a fact's own id the first time, then with a number behind it."""
    seen: Counter[str] = Counter()
    found = []
    for id_ in ids:
        seen[id_] += 1
        found.append(id_ if seen[id_] == 1 else f"{id_}.{seen[id_]}")
    return tuple(found)


def leaf_event(reading: Reading, key: str, row: Row) -> LeafEvent | None:
    """The event that asserted a base fact; None for a declared one."""
    return event_form(reading.records.get((key, row)))


def refuted_form(reading: Reading, key: str, row: Row, parent: str) -> ProofNode:
    """What is said against a fact: declared in the module, or by an event."""
    fact = labels_of(reading).fact(negative_key(key), row)
    event = event_form(reading.denials.get((key, row)))
    return ProofNode(id=node_id(parent, "refuted"), parent=parent, kind="refuted", fact=fact, event=event)


def event_form(record: Record | None) -> LeafEvent | None:
    """A logged record as the event of a leaf."""
    if record is None:
        return None
    return LeafEvent(
        id=str(record.event),
        tx=record.event_tx,
        principal=record.principal,
        standpoint=record.standpoint,
        valid_from=iso(record.valid_from) if record.valid_from is not None else None,
        valid_to=iso(record.valid_to) if record.valid_to is not None else None,
    )
