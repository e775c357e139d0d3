"""What every drawing draws: the nodes of a tree that travels as a list with parents, as an AND/OR tree with labels.

A fact with several derivations gets a `way` per derivation (OR), under which its premises stand (AND). A tree of more
than `MOST` nodes is cut level by level, and every node whose children are missing says how many they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from argon_lang.runtime.drawings.values import plain
from argon_lang.runtime.envelopes import ClauseInstance, ProofNode, Violation

MOST = 500


@dataclass(slots=True)
class Drawn:
    """A node to draw: what it is (`ProofNode.kind`, or `way`), its text, what is said beside it, what is under it.

    `missing` counts the children that are left out.
    """

    kind: str
    label: str
    notes: tuple[str, ...] = ()
    folded: bool = False
    children: list[Drawn] = field(default_factory=list)
    missing: int = 0


def drawn(nodes: Sequence[ProofNode], root_id: str, most: int = MOST) -> Drawn:
    """The tree under a root, of at most `most` nodes."""
    below: dict[str | None, list[ProofNode]] = {}
    for node in nodes:
        below.setdefault(node.parent, []).append(node)
    root = next(node for node in nodes if node.id == root_id)
    top, count = _box(root), 1
    waiting = [(top, root)]
    for box, node in waiting:
        for place, child in _children(box, node, below.get(node.id, [])):
            if count >= most:
                place.missing += 1
                continue
            count += 1
            place.children.append(made := _box(child))
            waiting.append((made, child))
    return top


def together(violations: Sequence[Violation], most: int = MOST) -> Drawn:
    """Violations with their proofs as one tree, under their number."""
    count = len(violations)
    top = Drawn("clause", f"{count} violation{'' if count == 1 else 's'}")
    for each in violations:
        if each.root_id is not None:
            top.children.append(drawn(each.nodes, each.root_id, max(most // max(count, 1), 1)))
    return top


def _children(box: Drawn, node: ProofNode, below: Sequence[ProofNode]) -> Iterator[tuple[Drawn, ProofNode]]:
    """The children of a node, each with the box that it stands under."""
    if len(node.derivations) <= 1:
        yield from ((box, child) for child in below)
        return
    for number, instance in enumerate(node.derivations):
        way = Drawn("way", f"{'either' if number == 0 else 'or'} by {where(instance)}")
        box.children.append(way)
        yield from ((way, child) for child in below if child.alternative == number)
    yield from ((box, child) for child in below if child.alternative is None)


def _box(node: ProofNode) -> Drawn:
    return Drawn(node.kind, node.fact, tuple(notes(node)), node.folded)


def where(instance: ClauseInstance) -> str:
    """`root.ar:12`, or the clause's name where it was written nowhere."""
    place = instance.source
    return f"{place.file}:{place.start.line + 1}" if place is not None else instance.clause


_TOLD = ("asserted", "declared", "failed", "holds", "blocking", "refuted")


def notes(node: ProofNode) -> list[str]:
    """What stands beside a fact: its kind, truth value, tag, clause, place, event, sides, counts."""
    told: list[str] = [node.kind] if node.kind in _TOLD else []
    told += [node.truth4] if node.truth4 not in (None, "Is") else []
    told += [node.tag] if node.tag is not None else []
    if len(node.derivations) == 1:
        by = f"by {node.derivations[0].clause} " if node.kind == "blocking" else ""
        told.append(by + where(node.derivations[0]))
    if node.source is not None:
        told.append(f"{node.source.file}:{node.source.start.line + 1}")
    if node.event is not None:
        told.append(f"tx {node.event.tx} by {node.event.principal}")
    if node.left is not None:
        told.append(f"{plain(node.left)} against {plain(node.right) if node.right is not None else 'nothing'}")
    return told + list(_counts(node))


def _counts(node: ProofNode) -> Iterator[str]:
    count = node.alternatives or 0
    if node.kind == "aggregate":
        values = ", ".join(f"{name} = {plain(value)}" for name, value in node.substitution.items())
        yield from [values] * bool(values)
        yield f"over {count} row{'' if count == 1 else 's'}"
    elif node.kind in ("derived", "failed") and count > 1:
        yield f"{count} {'ways' if node.kind == 'derived' else 'bindings tried'}"
    if node.folded:
        yield "…"


def boxes(top: Drawn) -> Iterator[tuple[int, Drawn]]:
    """Every node with its depth, parents first, as one reads them. Trees may be deeper than Python's stack."""
    waiting = [(0, top)]
    while waiting:
        depth, box = waiting.pop()
        yield depth, box
        waiting += [(depth + 1, child) for child in reversed(box.children)]
