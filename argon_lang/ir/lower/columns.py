"""Column names and types of derived predicates: declared types, else the join of what the clauses bind.

A clause whose head variable comes from another derived predicate takes that predicate's type, so the types are iterated
from nothing upwards until they stand still; a column that nothing types is `Top`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

from argon_lang.ir.lower.fragment import Trace
from argon_lang.ir.lower.remember import PerRow
from argon_lang.ir.rules import Match, Predicate, Rule, Var
from argon_lang.program.model import Declarations
from argon_lang.program.types import DECIMAL, ENTITY, INT, NAT, REAL, TOP, Named, OptionOf, Type, Unknown

Shapes = Mapping[str, Predicate]
Clause = tuple[Rule, Trace]
_NUMBERS: tuple[Type, ...] = (NAT, INT, DECIMAL, REAL)


def derived_shapes(clauses: Iterable[Clause], known: Shapes, declarations: Declarations) -> dict[str, Predicate]:
    """The shape of each derived predicate that has a clause. `known` are the shapes of everything else."""
    by_key: dict[str, list[Clause]] = {}
    for clause in clauses:
        by_key.setdefault(clause[0].key, []).append(clause)
    plain = _PLAIN.all([tuple(chain.from_iterable(found)) for found in by_key.values()], _plain)
    shapes = {key: shape for key, shape in zip(by_key, plain, strict=True) if shape is not None}
    rest = {key: found for key, found in by_key.items() if key not in shapes}
    shapes |= _joined(rest, {**known, **shapes}, declarations)
    return {key: shapes[key] for key in sorted(shapes)}


_PLAIN: PerRow[Predicate | None] = PerRow()


def _plain(*clauses: Any) -> Predicate | None:
    """The shape of a predicate whose clauses, here as rule and trace in turn, all say the same of each column."""
    traces: tuple[Trace, ...] = clauses[1::2]
    first, *others = ([type_ for _, type_ in trace.columns] for trace in traces)
    if any(isinstance(type_, Unknown) for type_ in first) or any(other != first for other in others):
        return None
    rules: tuple[Rule, ...] = clauses[::2]
    return _shape(rules[0].key, list(zip(rules, traces, strict=True)), first)


def _shape(key: str, clauses: list[Clause], types: Iterable[Type | None]) -> Predicate:
    return Predicate(key, "derived", tuple((_name(clauses, i), type_ or TOP) for i, type_ in enumerate(types)))


def _joined(by_key: Mapping[str, list[Clause]], known: Shapes, declarations: Declarations) -> dict[str, Predicate]:
    """The shapes of predicates whose columns have to be found from one another."""
    types: dict[str, list[Type | None]] = {key: [None] * len(each[0][0].terms) for key, each in by_key.items()}
    changed = True
    while changed:
        changed = False
        for key, found in by_key.items():
            joined = _columns(found, known, types, declarations)
            if joined != types[key]:
                types[key], changed = joined, True
    return {key: _shape(key, found, types[key]) for key, found in by_key.items()}


def _name(clauses: Iterable[Clause], index: int) -> str:
    """A name that some clause gives the column; independent of the order of the clauses."""
    names = {trace.columns[index][0] for _, trace in clauses}
    return min((name for name in names if name != "_" and not name.isdigit()), default=str(index))


def _columns(
    clauses: Iterable[Clause], known: Shapes, types: Mapping[str, list[Type | None]], declarations: Declarations
) -> list[Type | None]:
    rows = [_clause_types(rule, trace, known, types, declarations) for rule, trace in clauses]
    return [_join_all(column, declarations) for column in zip(*rows, strict=True)]


def _clause_types(
    rule: Rule, trace: Trace, known: Shapes, types: Mapping[str, list[Type | None]], declarations: Declarations
) -> list[Type | None]:
    found: list[Type | None] = []
    for term, (_, type_) in zip(rule.terms, trace.columns, strict=True):
        if not isinstance(type_, Unknown):
            found.append(type_)
        elif isinstance(term, Var):
            found.append(_narrowest(_positions(term.name, rule, known, types), declarations))
        else:
            found.append(TOP)
    return found


def _positions(name: str, rule: Rule, known: Shapes, types: Mapping[str, list[Type | None]]) -> list[Type]:
    """Types of the columns that bind a variable."""
    found: list[Type] = []
    for literal in rule.body:
        if isinstance(literal, Match):
            shape = known.get(literal.key)
            columns = [type_ for _, type_ in shape.columns] if shape else types.get(literal.key, [])
            pairs = zip(literal.terms, columns, strict=False)
            found += [ty for term, ty in pairs if term == Var(name) and ty is not None and not isinstance(ty, Unknown)]
    return found


def _narrowest(types: list[Type], declarations: Declarations) -> Type | None:
    if not types:
        return None
    best = types[0]
    for other in types[1:]:
        if declarations.is_subtype(other, best):
            best = other
    return best


def _join_all(types: Iterable[Type | None], declarations: Declarations) -> Type | None:
    """The least type above all; None when none is known."""
    result: Type | None = None
    for type_ in sorted((each for each in types if each is not None), key=repr):
        result = type_ if result is None else join(result, type_, declarations)
    return result


def join(left: Type, right: Type, declarations: Declarations) -> Type:
    """The least type that both fit: a superconcept, a wider number, `Entity` of two individuals, else `Top`."""
    if left == right:
        return left
    if isinstance(left, OptionOf) or isinstance(right, OptionOf):
        return OptionOf(join(_bare(left), _bare(right), declarations))
    if left in _NUMBERS and right in _NUMBERS:
        return REAL if REAL in (left, right) else DECIMAL if DECIMAL in (left, right) else INT
    if _is_entity(left) and _is_entity(right):
        return _common(left, right, declarations)
    return TOP


def _bare(type_: Type) -> Type:
    return type_.inner if isinstance(type_, OptionOf) else type_


def _is_entity(type_: Type) -> bool:
    return type_ == ENTITY or (isinstance(type_, Named) and type_.kind in ("concept", "relation"))


def _common(left: Type, right: Type, declarations: Declarations) -> Type:
    if isinstance(left, Named) and isinstance(right, Named) and left.kind == right.kind:
        above = set(declarations.supers(right.path))
        shared = [path for path in declarations.supers(left.path) if path in above]
        if shared:
            return Named(left.kind, shared[0])
    return ENTITY
