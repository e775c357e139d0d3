"""Group axioms and `where` conditions at a write (language §3.2, §3.5): OE0240, OE0241, OE0668.

What an abstract metatype or metarel classifies takes no direct instance (OE0233), an `iff` type none at all (OE0211).
Of the rest only the individuals that the transaction touched are judged: their memberships and fields decide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from argon_lang.engine.display import display
from argon_lang.errors import ArgonError
from argon_lang.ir.expr import Expr
from argon_lang.ir.module import Concept, Group
from argon_lang.ir.values import Entity
from argon_lang.problems import args
from argon_lang.runtime.fitting import asserted_under, belongs
from argon_lang.runtime.reading import Reading
from argon_lang.runtime.work import GateRefusal, Work


def axioms(work: Work) -> Iterator[Callable[[Reading], None]]:
    """The axioms that touched individuals are to obey in a state, each of which raises GateRefusal when broken.

    Raises GateRefusal at once for what may have no direct instance at all.
    """
    module = work.served.module
    for key, _ in work.asserted:
        _instantiable(work, key.removesuffix("^"))
    conditional = [concept for concept in module.concepts if concept.conditions]
    for entity in _touched(work) if module.groups or conditional else ():
        yield from (partial(_group, group, entity) for group in module.groups)
        yield from (partial(_conditions, concept, entity) for concept in conditional)


def lapsed(work: Work, reading: Reading) -> Iterator[tuple[str, Entity]]:
    """The touched individuals with the `iff` types that they do not belong to, or no more."""
    derived = sorted(work.served.schema.derived)
    for entity in _touched(work) if derived else ():
        yield from ((path, entity) for path in derived if not reading.model.holds(path, (entity,)))


def _instantiable(work: Work, path: str) -> None:
    schema = work.served.schema
    concept, relation = schema.concepts.get(path), schema.relations.get(path)
    if concept is not None and concept.derived:
        raise GateRefusal("OE0211", args(name=_short(path)))
    if concept is not None and concept.abstract:
        raise GateRefusal("OE0233", args(name=_short(path), kind="metatype", of=_short(concept.metatype)))
    if relation is not None and relation.abstract:
        raise GateRefusal("OE0233", args(name=_short(path), kind="metarel", of=_short(relation.metarel)))


def _touched(work: Work) -> Iterator[Entity]:
    subjects = (subject for _, subject in (*work.touched, *work.constructed, *work.dropped))
    found = dict.fromkeys([*(row[0] for _, row in work.asserted if row), *subjects])
    yield from (value for value in found if isinstance(value, Entity))


def _group(group: Group, entity: Entity, reading: Reading) -> None:
    inside = [path for path in group.members if belongs(reading, path, (entity,))]
    if group.disjoint and len(inside) > 1:
        values = args(name=display(entity), expected=_short(inside[0]), found=_short(inside[1]))
        raise GateRefusal("OE0240", values)
    if group.complete and group.whole is not None and not inside and belongs(reading, group.whole, (entity,)):
        shown = ", ".join(f"`{_short(path)}`" for path in group.members)
        raise GateRefusal("OE0241", args(name=display(entity), of=_short(group.whole), candidates=shown))


def _conditions(concept: Concept, entity: Entity, reading: Reading) -> None:
    """OE0668 for an asserted instance that does not meet a `where` condition."""
    for expr, text in concept.conditions if asserted_under(reading, concept.path, (entity,)) else ():
        if not _holds(reading, expr, entity):
            raise GateRefusal("OE0668", args(name=display(entity), expected=text, of=_short(concept.path)))


def _holds(reading: Reading, expr: Expr, entity: Entity) -> bool:
    """A condition over a field that is absent, or that cannot be computed, does not hold."""
    try:
        return reading.value(expr, {"self": entity}) is True
    except ArgonError as error:
        if error.code.startswith("ARGON_RUNTIME_ARITHMETIC") or error.code == "ARGON_RUNTIME_DERIVE_FAILED":
            return False
        raise


def _short(path: str) -> str:
    return path.rsplit("::", 1)[-1]
