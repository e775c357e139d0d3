"""Why each row of an answer is there: the proofs of the facts that it comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from argon_lang.engine.order import SortKey, row_key
from argon_lang.errors import ArgonError
from argon_lang.ir.module import Query
from argon_lang.ir.rules import Match, Rule, Var
from argon_lang.ir.values import Row, Value
from argon_lang.problems import args
from argon_lang.runtime.drawings.prose import prose
from argon_lang.runtime.envelopes import Answer, RowProof
from argon_lang.runtime.explain import explained
from argon_lang.runtime.facts import Goal
from argon_lang.runtime.options import Depth, Proofs
from argon_lang.runtime.questions import Origin, at_query, origins
from argon_lang.runtime.reading import Reading
from argon_lang.runtime.truth import Told

Because = Callable[[Row], list[RowProof]]
"""The proofs of one row of an answer."""


def proved(answer: Answer, rows: Sequence[Told], because: Because, proofs: Proofs) -> Answer:
    """The answer with why its rows are there: of the first `most` of those that it shows."""
    shown = rows if len(rows) == len(answer.rows) else [each for each in rows if each.truth4 == "Is"]
    told = [
        form if place >= (proofs.most or len(shown)) else form.model_copy(update={"because": because(each.row)})
        for place, (form, each) in enumerate(zip(answer.rows, shown, strict=True))
    ]
    return answer.model_copy(update={"rows": told})


def of_key(reading: Reading, key: str, proofs: Proofs) -> Because:
    """Of the rows of a key: each proves itself."""
    return lambda row: [_proof(reading, Goal(key, row, ""), proofs.depth)]


def of_query(reading: Reading, query: Query, arguments: Sequence[Value], proofs: Proofs) -> Because:
    """Of the rows of a query: the facts that its conditions find, once each; of a group, those of its first rows.

    Raises `ARGON_RUNTIME_CAPABILITY_REQUIRED` for a query across standpoints: a proof belongs to one view.
    """
    if query.across:
        needed = args(name=f"the proof of a row of `{query.path.rsplit('::', 1)[-1]}`", expected="a query of one view")
        raise ArgonError("ARGON_RUNTIME_CAPABILITY_REQUIRED", needed, details={"capability": "one view"})
    return partial(_premises, at_query(reading, query, arguments), origins(reading, query, arguments), proofs.depth)


def _premises(reading: Reading, known: dict[SortKey, list[Origin]], depth: Depth, row: Row) -> list[RowProof]:
    found = known.get(row_key(row), [])[: depth.alternatives]
    goals = dict.fromkeys(goal for rule, env in found for goal in _conditions(rule, env))
    return [_proof(reading, goal, depth) for goal in goals]


def _conditions(rule: Rule, env: dict[str, Value]) -> Iterator[Goal]:
    """The facts that one solution of a rule rests on; what its conditions leave open is `_`."""
    for literal in rule.body:
        if isinstance(literal, Match):
            values = (env.get(t.name) if isinstance(t, Var) else t.value for t in literal.terms)
            yield Goal(literal.key, tuple(values), "")


def _proof(reading: Reading, goal: Goal, depth: Depth) -> RowProof:
    root, nodes = explained(reading, goal, depth)
    top = next(node for node in nodes if node.id == root)
    return RowProof(fact=top.fact, prose=prose(nodes, root), root_id=root, nodes=nodes)
