"""Why a fact holds, or why it does not (semantics S6): from its text to a tree."""

from __future__ import annotations

from argon_lang.engine.provenance import explain as prove
from argon_lang.engine.whynot import why_not
from argon_lang.errors import ArgonError
from argon_lang.ir.values import Row, Value
from argon_lang.problems import args
from argon_lang.runtime.absences import absence_forms
from argon_lang.runtime.drawings.prose import prose
from argon_lang.runtime.envelopes import Explanation, ProofNode
from argon_lang.runtime.facts import Goal, read_goal
from argon_lang.runtime.opening import Known, bare, context
from argon_lang.runtime.options import Depth
from argon_lang.runtime.proofs import proof_forms, refuted_form
from argon_lang.runtime.reading import Reading
from argon_lang.runtime.shown import as_of
from argon_lang.runtime.truth import tag_of, truth_of
from argon_lang.store.protocol import Reader

_WIDE = 1_000


def explain(reader: Reader, reading: Reading, fact: str, depth: Depth) -> Explanation:
    """The proof of a fact written as text, or its why-not tree when it does not hold. Raises as `read_goal` does."""
    return explain_goal(reader, reading, read_goal(reading, fact), depth)


def explain_goal(reader: Reader, reading: Reading, goal: Goal, depth: Depth) -> Explanation:
    """The same of a resolved fact. With `_` in it, the first row that matches is proved."""
    root, nodes = explained(reading, goal, depth)
    return _explanation(reader, reading, root, nodes)


def opened(reader: Reader, reading: Reading, id_: str, known: Known, depth: Depth) -> Explanation:
    """The tree under a node that was shown: of its fact, or of a condition in the proof of one (S6.3)."""
    goal = Goal(known.key, known.row, "")
    if not known.condition:
        top, nodes = explained(reading, goal, depth)
        return _explanation(reader, reading, id_, _renamed(nodes, top, id_))
    for alternatives in (depth.alternatives, _WIDE):
        _, nodes = explained(reading, goal, Depth(depth.levels + 1, alternatives))
        root = next((node.id for node in nodes if bare(node.id) == bare(id_)), None)
        if root is not None:
            return _explanation(reader, reading, root, _under(nodes, root))
    raise ArgonError("ARGON_RUNTIME_INTERNAL", args(found=f"no node {id_}"))


def _renamed(nodes: list[ProofNode], root: str, id_: str) -> list[ProofNode]:
    """The nodes of a tree whose root is known by the id that it was opened by."""
    names = {root: id_}
    return [
        node.model_copy(update={"id": names.get(node.id, node.id), "parent": names.get(node.parent or "", node.parent)})
        for node in nodes
    ]


def _under(nodes: list[ProofNode], root: str) -> list[ProofNode]:
    """A node, which has no parent then, with everything below it; parents come first."""
    inside = {root}
    for node in nodes:
        if node.parent in inside:
            inside.add(node.id)
    kept = [node for node in nodes if node.id in inside]
    return [node.model_copy(update={"parent": None}) if node.id == root else node for node in kept]


def _explanation(reader: Reader, reading: Reading, root: str, nodes: list[ProofNode]) -> Explanation:
    top = next(node for node in nodes if node.id == root)
    return Explanation(
        fact=top.fact,
        derived=top.kind != "absent",
        truth4=top.truth4,
        tag=top.tag,
        prose=prose(nodes, root),
        root_id=root,
        nodes=nodes,
        module_hash=reading.served.module_hash,
        store_id=str(reader.store_id),
        generation=reader.generation,
        view=reading.point.view,
        as_of=as_of(reading),
    )


def explained(reading: Reading, goal: Goal, depth: Depth) -> tuple[str, list[ProofNode]]:
    """The root's id and the nodes of a proof, or of a why-not tree, with what is said on the other side."""
    row = first_match(reading, goal)
    asked = row if row is not None else _whole(goal)
    if row is None:
        nodes = _why_not(reading, goal, depth)
        root = nodes[0].id
    else:
        root, nodes = proof_nodes(reading, goal.key, row, depth)
    truth = truth_of(reading, goal.key, asked) if asked is not None else None
    known = asked if truth != "Can" else None
    tag = tag_of(reading, goal.key, known, held=row is not None) if known is not None else None
    if asked is not None and truth in ("Both", "Not"):
        nodes.append(refuted_form(reading, goal.key, asked, root))
    if asked is not None and truth == "Can":
        nodes += _support(reading, goal.key, asked, depth, root)
    nodes[0] = nodes[0].model_copy(update={"truth4": truth, "tag": tag})
    return root, nodes


def _whole(goal: Goal) -> Row | None:
    """The row asked about, when it has no `_`."""
    return goal.row if all(value is not None for value in goal.row) else None


def first_match(reading: Reading, goal: Goal) -> tuple[Value, ...] | None:
    """The first row, in canonical order, that fits the goal."""
    bound = {index: value for index, value in enumerate(goal.row) if value is not None}
    return next(iter(reading.model.lookup(goal.key, bound)), None)


def proof_nodes(reading: Reading, key: str, row: tuple[Value, ...], depth: Depth) -> tuple[str, list[ProofNode]]:
    """The proof of a row that holds: the root's id, and all nodes. Raises limits."""
    proof = prove(reading.model, key, row, depth.levels, depth.alternatives, context_of(reading), reading.governor)
    if proof is None:
        raise ArgonError("ARGON_RUNTIME_INTERNAL", args(found=f"no proof of a row of {key}"))
    nodes = proof_forms(reading, proof)
    return nodes[0].id, nodes


def _support(reading: Reading, key: str, row: Row, depth: Depth, parent: str) -> list[ProofNode]:
    """What makes a row possible that is not definite: its proof in the possible estimate, under the why-not tree."""
    context = f"{context_of(reading)}|possible"
    upper = reading.model.upper()
    proof = prove(upper, key, row, depth.levels, depth.alternatives, context, reading.governor)
    nodes = proof_forms(reading, proof) if proof is not None else []
    return [node.model_copy(update={"parent": parent}) if node.parent is None else node for node in nodes]


def _why_not(reading: Reading, goal: Goal, depth: Depth) -> list[ProofNode]:
    tree = why_not(
        reading.model, goal.key, goal.row, depth.levels, depth.alternatives, context_of(reading), reading.governor
    )
    if tree is None:
        raise ArgonError("ARGON_RUNTIME_INTERNAL", args(found=f"{goal.key} holds and does not"))
    return absence_forms(reading, tree)


def context_of(reading: Reading) -> str:
    """What node ids of a reading rest on besides the fact."""
    return context(reading.state, reading.point)
