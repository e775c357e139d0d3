"""A proof, a why-not tree or a violation as one paragraph of English (semantics S6.6): the first way that is shown.

What a reader is told is in the tree; what the tree leaves open (folded nodes, further ways) is said to be left open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from argon_lang.runtime.drawings.tree import where
from argon_lang.runtime.drawings.values import plain
from argon_lang.runtime.envelopes import ProofNode

_SENTENCES = 12
_SHOWN = 4
_SHUT = " (not unfolded)"
_ANY_VALUE = " == _"
"""How the fact ends that a field has a value."""
Below = Mapping[str | None, Sequence[ProofNode]]


def prose(nodes: Sequence[ProofNode], root_id: str) -> str:
    """The paragraph."""
    below: dict[str | None, list[ProofNode]] = {}
    for node in nodes:
        below.setdefault(node.parent, []).append(node)
    root = next(node for node in nodes if node.id == root_id)
    said = _absences(root, below) if root.kind == "absent" else _reasons(root, below)
    sentences = list(islice(said, _SENTENCES + 1))
    more = ["The rest is in the tree."] if len(sentences) > _SENTENCES else []
    return " ".join(sentences[:_SENTENCES] + more)


def violated(message: str, check: str, nodes: Sequence[ProofNode], root_id: str) -> str:
    """A violation: what its check reports, and why."""
    return f"Check `{check.rsplit('::', 1)[-1]}` is violated: {message.rstrip('.')}. {prose(nodes, root_id)}"


# -- why --------------------------------------------------------------------------------------------------------------


def _reasons(root: ProofNode, below: Below) -> Iterator[str]:
    waiting, told = [root], set[str]()
    for node in waiting:
        if node.fact in told:
            continue
        told.add(node.fact)
        premises = [child for child in below.get(node.id, ()) if child.alternative in (0, None)]
        if node.kind == "derived" and not node.folded:
            yield _because(node, premises)
            waiting += [child for child in premises if child.kind == "derived" and not child.folded]
        elif node is root:
            yield f"`{node.fact}` {_standing(node)}."
    against = [child for child in below.get(root.id, ()) if child.kind == "refuted"]
    for each in against:
        yield f"Against it stands `{each.fact}`, {_source(each)}."


def _because(node: ProofNode, premises: Sequence[ProofNode]) -> str:
    clause = node.derivations[0] if node.derivations else None
    by = f" by {where(clause)}" if clause is not None and clause.source is not None else ""
    ways = node.alternatives or 0
    more = f" (the first of {ways} ways)" if ways > 1 else ""
    reasons = [_reason(each) for each in premises if each.kind != "refuted"]
    tail = f"{',' if by or more else ''} because {_listed(reasons)}" if reasons else ""
    return f"`{node.fact}` holds{by}{more}{tail}."


def _reason(node: ProofNode) -> str:
    match node.kind:
        case "negation":
            return f"{_negated(node.fact)}"
        case "aggregate":
            count = node.alternatives or 0
            return f"`{node.fact}` over {count} row{'' if count == 1 else 's'}"
        case "derived":
            return f"`{node.fact}`" + (_SHUT if node.folded else "")
        case "builtin":
            return f"`{node.fact}`"
        case _:
            return f"`{node.fact}` ({_source(node)})"


def _negated(fact: str) -> str:
    """`not p(a)`, `no not_fact p(a)`, `not defeats(p.usual(a))`, in words."""
    denied = fact.removeprefix("no ").removeprefix("not ")
    if denied == fact:
        return f"`{fact}`"
    if denied.startswith("not_fact "):
        return f"nothing speaks against `{denied.removeprefix('not_fact ')}`"
    if denied.startswith("defeats("):
        return f"nothing defeats `{denied.removeprefix('defeats(').removesuffix(')')}`"
    if denied.endswith(_ANY_VALUE):
        return f"`{denied.removesuffix(_ANY_VALUE)}` has no value"
    return f"nothing makes `{denied}` hold"


def _standing(node: ProofNode) -> str:
    return f"holds: it is {_source(node)}" if node.kind in ("asserted", "declared") else "holds"


def _source(node: ProofNode) -> str:
    if node.event is None:
        return "declared"
    return f"asserted by {node.event.principal} in transaction {node.event.tx}"


# -- why not ----------------------------------------------------------------------------------------------------------


def _absences(root: ProofNode, below: Below) -> Iterator[str]:
    waiting = [root]
    for node in waiting:
        children = below.get(node.id, ())
        clauses = [child for child in children if child.kind == "clause"]
        missing = [child for child in children if child.kind == "absent"]
        yield _opening(node, children, clauses, missing)
        for clause in clauses[:_SHOWN]:
            yield _lacking(clause, below)
        for support in (child for child in children if child.kind == "derived"):
            premises = [child for child in below.get(support.id, ()) if child.alternative in (0, None)]
            yield _supported(support, premises)
        failed = (each for clause in clauses for each in below.get(clause.id, ()) if each.kind == "failed")
        attempts = (attempt for each in failed for attempt in below.get(each.id, ()))
        lower = (child for attempt in attempts for child in below.get(attempt.id, ()) if child.kind == "absent")
        waiting += [child for child in (*missing, *lower) if below.get(child.id)]


def _supported(node: ProofNode, premises: Sequence[ProofNode]) -> str:
    """Why a fact that is not certain is possible."""
    opened = node.derivations[0].clause.partition("open ")[2] if node.derivations else ""
    if not opened:
        return _because(node, premises).replace(" holds", " may hold", 1).replace(" nothing ", " nothing certainly ")
    reasons = _listed([_reason(each) for each in premises])
    return f"`{opened}` is open, so what nobody states of it is unknown: {reasons} leaves it possible."


def _opening(
    node: ProofNode, children: Sequence[ProofNode], clauses: Sequence[ProofNode], missing: Sequence[ProofNode]
) -> str:
    if node.truth4 == "Can":
        return f"`{node.fact}` may hold; that is not certain."
    held = [child.fact for child in children if child.kind == "blocking"]
    denied = [child for child in children if child.kind == "refuted"]
    if denied:
        return f"`{node.fact}` does not hold: `{denied[0].fact}` is {_source(denied[0])}."
    if held:
        return f"`{node.fact}` does not hold: `{held[0]}` does."
    if clauses:
        count = len(clauses)
        return f"`{node.fact}` does not hold: " + (
            "the one clause that could conclude it fails." if count == 1 else f"each of its {count} clauses fails."
        )
    if missing:
        return f"`{node.fact}` does not hold: nothing states it, nor {_listed([f'`{each.fact}`' for each in missing])}."
    return f"`{node.fact}` does not hold: nothing states it."


def _lacking(clause: ProofNode, below: Below) -> str:
    failed = next((each for each in below.get(clause.id, ()) if each.kind == "failed"), None)
    at = clause.source
    place = f"The clause at {at.file}:{at.start.line + 1}" if at is not None else f"`{clause.fact}`"
    if failed is None:
        return f"{place} does not apply."
    attempts = [each for each in below.get(failed.id, ()) if each.kind == "attempt"]
    attackers = [each for attempt in attempts for each in below.get(attempt.id, ()) if each.kind == "blocking"]
    attack = next((each for each in attackers if each.derivations), None)
    if attack is not None:
        by = attack.derivations[0]
        defeats = "may defeat" if attack.truth4 == "Can" else "defeats"
        return f"{place} concludes by default, and `{by.clause}` ({where(by)}) {defeats} it{_owing(attack, below)}."
    tried = failed.alternatives or 0
    first = f": {_attempted(attempts[0], failed.fact, below)}" if attempts else ""
    more = f" ({tried} bindings tried)" if tried > 1 else ""
    return f"{place} needs `{failed.fact}`{first}{more}."


def _attempted(attempt: ProofNode, literal: str, below: Below) -> str:
    values = ", ".join(f"{name} = {plain(attempt.substitution[name])}" for name in _telling(attempt, literal))
    given = f"with {values} " if values else ""
    children = below.get(attempt.id, ())
    missing = [f"`{each.fact}`" for each in children if each.kind == "absent"]
    blocking = [f"`{each.fact}`" for each in children if each.kind == "blocking"]
    if len(missing) == 1 and missing[0].endswith(f"{_ANY_VALUE}`"):
        return f"{given}{missing[0].removesuffix(f'{_ANY_VALUE}`')}` has no value"
    if missing:
        return f"{given}there is no {_listed(missing)}"
    if blocking:
        told = next((_owing(each, below) for each in children if each.kind == "blocking"), "")
        return f"{given}{_listed(blocking)} stand{f's in the way{told}' if len(blocking) == 1 else ' in the way'}"
    if attempt.left is not None:
        right = plain(attempt.right) if attempt.right is not None else "nothing"
        return f"{given}it is {plain(attempt.left)} against {right}"
    return f"{given}it fails"


def _owing(node: ProofNode, below: Below) -> str:
    """`, because …`: what a fact that stands in the way was concluded from."""
    reasons = [_reason(each).removesuffix(_SHUT) for each in below.get(node.id, ())]
    return f", because {_listed(reasons)}" if reasons else ""


def _telling(attempt: ProofNode, literal: str) -> list[str]:
    """The variables that a condition is about; where it names none that is known, those with names of their own."""
    named = [name for name in attempt.substitution if re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", literal)]
    return named or [name for name in attempt.substitution if "." not in name]


def _listed(parts: Sequence[str]) -> str:
    if len(parts) <= 1:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"
