"""The variables of a rule: introduced by scope, typed by the meet of the positions that bind them (language.md §4).

Two passes, so that the order of atoms plays no part: the first collects binding positions from membership, relation and
predicate atoms, then from `=` and `in` until nothing more is learnt; `atoms` checks every expression afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from argon_lang.problems import Edit, Fix, Note, Related, args
from argon_lang.program.aggregate_parts import Aggregate, parts_of
from argon_lang.program.findings import Findings, as_variant
from argon_lang.program.infer.calls import candidates, choose
from argon_lang.program.infer.closures import table_of
from argon_lang.program.infer.compat import element_of, is_entity, is_reflective, narrower, overlaps
from argon_lang.program.infer.context import Context, Local, Position
from argon_lang.program.infer.dispatch import infer_expr
from argon_lang.program.infer.mentions import mentions, pattern_names
from argon_lang.program.infer.names import lone_name, lookup
from argon_lang.program.infer.patterns import check_pattern
from argon_lang.program.infer.reflection import column_types, reflected
from argon_lang.program.infer.steps import stepped
from argon_lang.program.infer.traits import implementor, self_places, trait_of
from argon_lang.program.model import ToBinding
from argon_lang.program.paths import name_of, name_token, segments
from argon_lang.program.spelling import near
from argon_lang.program.types import UNKNOWN, RecordOf, Type, Unknown, show
from argon_lang.program.types_of import type_of
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View


@dataclass(slots=True)
class Deferred:
    """`x = value`, `x in values` or `value is pattern`: says something about x once the value's type is known."""

    local: Local
    target: View
    value: View | None
    element: bool
    frames: list[dict[str, Local]]
    known: bool = False
    pattern: nodes.Pattern | None = None


@dataclass(slots=True)
class Clause:
    """The scopes of one rule body: frames by the index of the node that opens them. `aggregates`: some are of these."""

    frames: dict[int, dict[str, Local]] = field(default_factory=dict)
    deferred: list[Deferred] = field(default_factory=list)
    first: int = 0
    aggregates: bool = False


def open_clause(cx: Context, atoms: Sequence[View], readers: Iterable[View] = ()) -> Clause:
    """Introduce and type the variables of a body in the current frame, which holds the head's already.

    `readers` are expressions outside the body that read its variables (projection, report): they count as
    occurrences and introduce nothing.
    """
    return _opened(cx, atoms, readers, 0)


def open_optional(cx: Context, atoms: Sequence[View], readers: Iterable[View]) -> Clause:
    """Introduce and type the variables of an `optional from`; it binds and narrows none of those that are known."""
    return _opened(cx, atoms, readers, 1)


def _opened(cx: Context, atoms: Sequence[View], readers: Iterable[View], depth: int) -> Clause:
    clause = Clause(first=len(cx.locals))
    _introduce(cx, clause, atoms, -1, depth)
    for reader in readers:
        _count(cx, reader)
    for atom in atoms:
        _gather(cx, clause, atom, depth)
    with cx.state(True):
        _settle(cx, clause)
    return clause


def open_aggregate(cx: Context, node: Aggregate) -> Clause:
    """The clause that an aggregate's scope belongs to: the rule's, or its own where it stands in no rule body."""
    known = cx.scopes.get(node.index)
    if isinstance(known, Clause):
        return known
    clause = Clause(first=len(cx.locals))
    _open(cx, clause, node, 0, aggregated=False)
    _gather_aggregate(cx, clause, node, 0)
    with cx.state(True):
        _settle(cx, clause)
    return clause


# -- scopes -----------------------------------------------------------------------------------------------------------


def _introduce(
    cx: Context, clause: Clause, roots: Iterable[View], scope: int, negations: int, aggregated: bool = False
) -> None:
    """Introduce what occurs directly in `roots`, then what occurs only in the scopes inside them."""
    inner: list[View] = []
    for mention in (found for root in roots for found in mentions(root)):
        if mention.kind == "scope":
            inner.append(mention.node)
        elif mention.kind == "wildcard" and not mention.dead:
            local = cx.declare("_", "wildcard", (mention.start, mention.end), scope=scope)
            cx.mean(mention.node, ToBinding(local.number))
        elif mention.kind == "name":
            made = _occur(cx, mention.name, (mention.start, mention.end), scope, mention.dead)
            if made is not None:
                made.negations, made.aggregated = negations, aggregated
    for node in inner:
        _open(cx, clause, node, negations, aggregated)


def _open(cx: Context, clause: Clause, node: View, negations: int, aggregated: bool) -> None:
    """Open the scope of a node and introduce what occurs only in it. Nothing inside a `not` or an aggregate binds what
    occurs outside it."""
    with cx.frame():
        clause.frames[node.index] = cx.frames[-1]
        if isinstance(node, Aggregate):
            clause.aggregates = aggregated = True
            cx.scopes[node.index] = clause
            _introduce_source(cx, node, negations + 1)
        deeper = negations + (not isinstance(node, nodes.ExistsAtom))
        _introduce(cx, clause, node.children, node.index, deeper, aggregated)


def _introduce_source(cx: Context, node: Aggregate, negations: int) -> None:
    """`for x in …` introduces x, whatever has that name outside."""
    source = node.source if isinstance(node, nodes.AggregateCall) else None
    token, name = (name_token(source.name), name_of(source.name)) if source is not None else (None, None)
    if source is None or source.name is None or token is None or name is None:
        return
    span = (token.start, token.end)
    local = cx.declare(name, "variable", span, scope=node.index)
    local.negations, local.aggregated = negations, True
    local.occurrences.append(span)
    local.binders.append(token.start)
    cx.mean(source.name, ToBinding(local.number), span)


def _occur(cx: Context, name: str, span: tuple[int, int], scope: int, dead: bool) -> Local | None:
    """Note an occurrence; the variable when it is a new one."""
    local = cx.local(name)
    if local is not None:
        local.occurrences.append(span)
        return None
    if dead or not _is_free(cx, name):
        return None
    made = cx.declare(name, "variable", span, scope=scope)
    made.occurrences.append(span)
    return made


def _is_free(cx: Context, name: str) -> bool:
    """Does a lone name mean nothing else than a variable? The members of traits have their names for calls alone."""
    if cx.scope.is_free(name):
        return True
    found = cx.scope.lookup((name,))
    return found.code == "OE0101" or (bool(found.symbols) and all(trait_of(each) is not None for each in found.symbols))


def _count(cx: Context, root: View) -> None:
    """Count the occurrences in an expression that introduces nothing."""
    for mention in mentions(root):
        local = cx.local(mention.name) if mention.kind == "name" else None
        if local is not None:
            local.occurrences.append((mention.start, mention.end))
        for inner in mention.node.children if mention.kind == "scope" else ():
            _count(cx, inner)


# -- binding positions ------------------------------------------------------------------------------------------------


def _gather(cx: Context, clause: Clause, atom: View | None, negations: int) -> None:
    """Collect what one atom says about variables that it may bind."""
    match atom:
        case nodes.Call():
            _call_positions(cx, atom, negations)
        case nodes.TypeAtom():
            _membership(cx, atom, negations)
        case nodes.BindAtom():
            _defer(cx, clause, atom.target, atom.value, False, negations)
        case nodes.InExpr() if not atom.negated:
            _defer(cx, clause, atom.element, atom.collection, True, negations)
        case nodes.StepAtom():
            _step_positions(cx, atom, negations)
        case nodes.IsExpr():
            for node, name in pattern_names(atom.pattern):
                _defer_pattern(cx, clause, atom, node, name, negations)
        case nodes.ParenExpr():
            _gather(cx, clause, atom.inner, negations)
        case nodes.NegatedAtom() | nodes.ExistsAtom():
            with cx.frame(clause.frames.get(atom.index, {})):
                deeper = negations + isinstance(atom, nodes.NegatedAtom)
                for inner in _inner_atoms(atom):
                    _gather(cx, clause, inner, deeper)
    if clause.aggregates and atom is not None:
        for mention in mentions(atom):
            if isinstance(mention.node, Aggregate):
                _gather_aggregate(cx, clause, mention.node, negations)


def _gather_aggregate(cx: Context, clause: Clause, node: Aggregate, negations: int) -> None:
    """What an aggregate's atoms, and its `for x in xs`, say about the variables that are its own."""
    with cx.frame(clause.frames.get(node.index, {})):
        source = node.source if isinstance(node, nodes.AggregateCall) else None
        local = cx.local(name_of(source.name) or "") if source is not None else None
        if source is not None and source.name is not None and local is not None:
            clause.deferred.append(Deferred(local, source.name, source.source, True, list(cx.frames)))
        for atom in parts_of(node).atoms:
            _gather(cx, clause, atom, negations + 1)


def _inner_atoms(atom: nodes.NegatedAtom | nodes.ExistsAtom) -> list[View]:
    if isinstance(atom, nodes.NegatedAtom):
        return [atom.atom] if atom.atom is not None else []
    return list(atom.body.atoms) if atom.body is not None else []


def _own(cx: Context, node: View | None, negations: int) -> Local | None:
    """The variable that a node names, when a position under so many negations may bind it."""
    name = lone_name(node)
    local = cx.local(name) if name is not None else None
    return local if local is not None and local.negations == negations else None


def _call_positions(cx: Context, atom: nodes.Call, negations: int) -> None:
    given = atom.args.args if atom.args else []
    path = segments(atom.path) if atom.path is not None else ()
    name = reflected(cx, atom)
    if name is not None:
        _reflective_positions(cx, given, column_types(cx, atom, name), negations)
        return
    table = table_of(cx, path)
    if table is not None:
        _table_positions(cx, given, table[1], negations)
        return
    chosen = choose(candidates(cx, lookup(cx, path)), len(given)) if path else None
    if chosen is not None and not chosen.is_predicate:
        return
    for place, each in enumerate(given):
        local = _own(cx, each, negations)
        if local is None:
            continue
        local.binders.append(each.start)
        if chosen is None:
            local.poisoned = True
            continue
        _say(local, chosen.params[place].type, each)
        trait = trait_of(chosen.symbol)
        if chosen.member is not None and trait is not None and place in self_places(chosen.member, trait):
            local.fallback = implementor(cx, trait)


def _table_positions(cx: Context, given: Sequence[View], row: RecordOf, negations: int) -> None:
    """`t(a, b)` of what a `with` names says of its arguments what its columns are."""
    for each, (_, ty) in zip(given, row.fields, strict=False):
        local = _own(cx, each, negations)
        if local is not None:
            local.binders.append(each.start)
            _say(local, ty, each)


def _reflective_positions(cx: Context, given: Sequence[View], columns: Sequence[Type], negations: int) -> None:
    """A reflective atom says of its arguments what its columns are; `iof(x, T)` says of x what `x: T` does."""
    for each, ty in zip(given, columns, strict=False):
        local = _own(cx, each, negations)
        if local is not None:
            local.binders.append(each.start)
            _say(local, ty, each)


def _step_positions(cx: Context, atom: nodes.StepAtom, negations: int) -> None:
    callee = stepped(cx, atom)
    sides = [atom.source, *(atom.args.args if atom.args else [])]
    for place, each in enumerate(sides[:2]):
        local = _own(cx, each, negations)
        if local is not None and each is not None:
            local.binders.append(each.start)
            local.poisoned = local.poisoned or callee is None
            if callee is not None:
                _say(local, callee.params[place].type, each)


def _say(local: Local, ty: Type, at: View) -> None:
    if not isinstance(ty, Unknown):
        local.positions.append(Position(ty, at.start, at.end))


def _membership(cx: Context, atom: nodes.TypeAtom, negations: int) -> None:
    local = _own(cx, atom.value, negations)
    if local is None or atom.value is None:
        return
    ty = type_of(atom.type, cx.scope, Findings(), cx.declarations)
    local.poisoned = local.poisoned or isinstance(ty, Unknown)
    if is_entity(ty) or is_reflective(ty) or isinstance(ty, Unknown):
        local.binders.append(atom.value.start)
    _say(local, ty, atom.value)


def _defer(cx: Context, clause: Clause, target: View | None, value: View | None, element: bool, negations: int) -> None:
    local = _own(cx, target, negations)
    if local is not None and target is not None:
        local.binders.append(target.start)
        clause.deferred.append(Deferred(local, target, value, element, list(cx.frames)))


def _defer_pattern(cx: Context, clause: Clause, atom: nodes.IsExpr, node: View, name: str, negations: int) -> None:
    local = cx.local(name)
    if local is not None and local.negations == negations:
        local.binders.append(node.start)
        clause.deferred.append(Deferred(local, node, atom.value, False, list(cx.frames), pattern=atom.pattern))


# -- types ------------------------------------------------------------------------------------------------------------


def _settle(cx: Context, clause: Clause) -> None:
    """Type the variables; then what `=` and `in` bind, as long as that teaches something new."""
    _meet_all(cx)
    for _ in clause.deferred:
        learnt = [_learn(cx, each) for each in clause.deferred if not each.known]
        if not any(learnt):
            break
        _meet_all(cx)
    for each in clause.deferred:
        each.local.poisoned = each.local.poisoned or not each.known


def _learn(cx: Context, each: Deferred) -> bool:
    kept, cx.frames = cx.frames, each.frames
    with cx.trial():
        hint = UNKNOWN if each.element or each.pattern is not None else each.local.type
        found = infer_expr(cx, each.value, hint)
        if each.pattern is not None:
            check_pattern(cx, each.pattern, found, -1)
            found = cx.types.get(each.target.index, UNKNOWN)
    cx.frames = kept
    if each.element:
        found = element_of(found) or UNKNOWN
    if isinstance(found, Unknown):
        return False
    each.known = True
    _say(each.local, found, each.target)
    return True


def _meet_all(cx: Context) -> None:
    for local in cx.locals:
        if local.kind in ("param", "variable") and local.positions:
            local.type = _meet(cx, local)[0]
        elif local.kind in ("param", "variable") and not isinstance(local.fallback, Unknown):
            local.type = local.fallback


def _meet(cx: Context, local: Local) -> tuple[Type, tuple[Position, Position] | None]:
    """The meet of a variable's positions, and the first two that have none."""
    best = local.positions[0]
    for position in local.positions[1:]:
        if not overlaps(cx.declarations, best.type, position.type):
            return best.type, (best, position)
        if narrower(cx.declarations, best.type, position.type) != best.type:
            best = position
    return best.type, None


# -- after checking ---------------------------------------------------------------------------------------------------


def report_variables(cx: Context, clause: Clause) -> None:
    """OW0230 for variables that nothing can be, OW1305 for those that occur once; silent in an item with errors."""
    for local in cx.locals:
        if local.kind in ("param", "variable") and len(local.positions) > 1:
            _report_empty(cx, local, _meet(cx, local)[1])
    if cx.unsupported or any(problem.code.startswith("OE") for problem in cx.problems):
        return
    alone: dict[str, list[Local]] = {}
    for local in _singletons(cx, clause):
        alone.setdefault(local.name, []).append(local)
    for named in alone.values():
        if len(named) > 1 and all(local.negations for local in named):
            _report_apart(cx, named)
        else:
            for local in named:
                _report_singleton(cx, local)


def _report_empty(cx: Context, local: Local, clash: tuple[Position, Position] | None) -> None:
    if clash is None:
        return
    first, second = clash
    expected, found = show(first.type), show(second.type)
    if local.negations:
        cx.report("OE0202", (second.start, second.end), args(expected=expected, found=found))
        return
    related = (
        Related("first", first.start, first.end, args=args(variable=local.name, expected=expected)),
        Related("second", second.start, second.end, args=args(variable=local.name, found=found)),
    )
    note = Note("disjoint", args(expected=expected, found=found))
    values = args(variable=local.name, expected=expected, found=found)
    cx.report("OW0230", (second.start, second.end), values, related=related, notes=(note,))


def _singletons(cx: Context, clause: Clause) -> Iterator[Local]:
    for local in cx.locals[clause.first :]:
        if local.kind == "variable" and len(local.occurrences) == 1 and local.binders and not local.aggregated:
            yield local


def _report_apart(cx: Context, locals_: list[Local]) -> None:
    """OE1303 of a name in several negated atoms and nowhere else: each would have its own, and nothing binds one."""
    first, *more = [local.occurrences[0] for local in locals_]
    related = tuple(Related("used", *span) for span in more)
    cx.report("OE1303", first, args(variable=locals_[0].name), related=related, notes=(Note("negation"),))


def _report_singleton(cx: Context, local: Local) -> None:
    """OW1305; in a negated atom, which only tests, OE1303: a name there reads as if something bound it."""
    start, end = local.occurrences[0]
    place = cx.item.node_at(start)
    others = [other.name for other in cx.locals if other is not local and other.kind != "wildcard"]
    variant = as_variant(local.name, cx.scope, cx.declarations)
    close = (variant,) if variant else near(local.name, others, 1) if len(local.name) > 2 else ()
    edit = (Edit(start, end, close[0] if close else "_"),)
    note, fixes = Note("wildcard"), [Fix("wildcard", edit)]
    if close:
        suggestion = args(suggestion=close[0])
        note, fixes = Note("suggest", suggestion), [Fix("replace", edit, suggestion, safe=False)]
    elif not isinstance(place.parent, nodes.ArgList):
        fixes = []
    code = "OE1303" if _is_negated(place, local.scope) else "OW1305"
    cx.report(code, (start, end), args(variable=local.name), notes=(note,), fixes=tuple(fixes))


def _is_negated(place: View | None, scope: int) -> bool:
    """Does the scope around a place belong to a negated atom, and not to an `exists { }`?"""
    while place is not None and place.index != scope:
        place = place.parent
    return isinstance(place, nodes.NegatedAtom)
