"""Upper bounds over declared facts (language §3.2, §3.3, OE0632).

Bracket i of a relation bounds the distinct values of endpoint i for one combination of the others, among the tuples
that are valid at one instant, those of sub-relations included. A field that is not many has one value at an instant.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from datetime import datetime

from argon_lang.engine.identity import identity
from argon_lang.gates.declared import Declared, Facts
from argon_lang.gates.rules import Findings
from argon_lang.ir.module import Concept, Field, Module, Relation
from argon_lang.ir.names import asserted, field_key
from argon_lang.ir.values import Value
from argon_lang.problems import Place, Problem, Related, args
from argon_lang.program.findings import declared_at
from argon_lang.program.model import Declarations

Entry = tuple[Value, Declared]


def check_cardinality(module: Module, facts: Facts, declarations: Declarations, findings: Findings) -> None:
    """Report the fact that exceeds a bound, once per combination."""
    for relation in module.relations:
        if any(high is not None for _, high in relation.bounds):
            tuples = [each for path in _below(module, relation, declarations) for each in facts.of(asserted(path))]
            sound = [each for each in tuples if not _is_blamed(each, findings)]
            _check_relation(relation, sound, declarations, findings)
    owners: list[Concept | Relation] = [*module.concepts, *module.relations]
    for owner in owners:
        for field in owner.fields:
            if field.key == field_key(owner.path, field.name):
                _check_field(owner.path, field, facts, findings)


def _is_blamed(fact: Declared, findings: Findings) -> bool:
    """Does the fact name something that its relation does not take, so that its tuple counts for nothing?"""
    return any(problem.code == "OE0229" for problem in findings.by_item.get(fact.unit.id, ()))


def _below(module: Module, relation: Relation, declarations: Declarations) -> list[str]:
    """The relation and its sub-relations."""
    return [each.path for each in module.relations if relation.path in declarations.supers(each.path)]


def _check_relation(
    relation: Relation, tuples: Sequence[Declared], declarations: Declarations, findings: Findings
) -> None:
    items = [item for symbol in declarations.symbols(relation.path) for item in symbol.items]
    bound = tuple(Related("bound", place=declared_at(item)) for item in items[:1])
    for index, (_, high) in enumerate(relation.bounds):
        if high is None:
            continue
        groups: dict[Hashable, list[Entry]] = {}
        for each in tuples:
            row = each.fact.row
            others = identity(tuple(value for i, value in enumerate(row) if i != index))
            groups.setdefault(others, []).append((row[index], each))
        for entries in groups.values():
            _report(entries, high, relation.path, relation.ends[index][0], index, bound, findings)


def _check_field(owner: str, field: Field, facts: Facts, findings: Findings) -> None:
    high = field.high if field.many else 1
    if high is None:
        return
    groups: dict[Hashable, list[Entry]] = {}
    for each in facts.of(field.key):
        groups.setdefault(identity(each.fact.row[0]), []).append((each.fact.row[1], each))
    for entries in groups.values():
        _report(entries, high, owner, field.name, None, (), findings)


def _report(
    entries: Sequence[Entry],
    high: int,
    owner: str,
    name: str,
    index: int | None,
    related: tuple[Related, ...],
    findings: Findings,
) -> None:
    """OE0632 at the first entry with which more than `high` distinct values are valid at once."""
    if len({identity(value) for value, _ in entries}) <= high:
        return
    for count in range(high + 1, len(entries) + 1):
        entry, found = entries[count - 1][1], _most(entries[:count])
        if found > high:
            place = entry.init(name) if index is None else entry.argument(index)
            first = entries[0][1]
            start, end = first.init(name) if index is None else first.argument(index)
            before = Related("first", place=Place(first.unit.id, start, end))
            values = args(of=owner.rsplit("::", 1)[-1], name=name, expected=f"at most {high}", found=found)
            findings.add(entry.unit.id, Problem("OE0632", *place, values, (before, *related)))
            return


def _most(entries: Iterable[Entry]) -> int:
    """The greatest number of distinct values that are valid at one instant."""
    listed = list(entries)
    return max(
        len({identity(value) for value, each in listed if _covers(each, start)})
        for start in {each.interval[0] for _, each in listed}
    )


def _covers(each: Declared, instant: datetime) -> bool:
    start, end = each.interval
    return start <= instant < end
