"""Atoms of rule bodies, one form at a time (language §3.9)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from argon_lang.ir import expr as ir
from argon_lang.ir.lower.dispatch import implementors_key
from argon_lang.ir.lower.expr import lower_expr, predicate_key
from argon_lang.ir.lower.flatten import Conjunction, Draft
from argon_lang.ir.lower.keys import tuple_relation
from argon_lang.ir.lower.patterns import matched
from argon_lang.ir.lower.reading import NotLowered
from argon_lang.ir.lower.reflection import computed, implementing, member_key, named_member, reflects, relation_of
from argon_lang.ir.lower.steps import step_key
from argon_lang.ir.lower.values import listed
from argon_lang.ir.lower.walk import Held
from argon_lang.ir.rules import Bind, Const, Each, Match, Not, Term, Test, Var
from argon_lang.ir.values import Entity
from argon_lang.program.infer.reflection import meta_of
from argon_lang.program.model import ToBinding
from argon_lang.program.reflection import IMPLEMENTS, METATYPES, TRAITS, TYPES, reflective_key
from argon_lang.program.types import BOOL, Applied, ListOf, Named, Primitive, Type, part_types
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View, need


def open_body(draft: Draft, node: View, atoms: Sequence[View], around: Conjunction | None = None) -> Conjunction:
    """A new conjunction that knows the tuple entities of `atoms`, wherever they stand among them."""
    body = Conjunction(draft, node, around)
    elsewhere = _bound_by_calls(atoms, draft)
    for atom in _spliced(atoms):
        if isinstance(atom, nodes.TypeAtom):
            _announce_tuple(atom, body, elsewhere)
    return body


def add_atoms(atoms: Iterable[View], body: Conjunction) -> None:
    """Append the literals of atoms in order. Raises NotLowered."""
    for atom in atoms:
        _atom(atom, body)


def _spliced(atoms: Iterable[View]) -> Iterable[View]:
    """The atoms with those of `exists { }` in its place."""
    for atom in atoms:
        if isinstance(atom, nodes.ExistsAtom):
            yield from _spliced(need(atom.body).atoms)
        else:
            yield atom


def _atom(node: View, body: Conjunction) -> None:
    match node:
        case nodes.NegatedAtom():
            inner = open_body(body.draft, node, [need(node.atom)], body)
            _atom(need(node.atom), inner)
            body.add(Not(tuple(inner.literals), body.draft.site(node)))
        case nodes.ExistsAtom():
            add_atoms(need(node.body).atoms, body)
        case nodes.ParenExpr():
            _atom(need(node.inner), body)
        case nodes.TypeAtom():
            _type_atom(node, body)
        case nodes.BindAtom():
            _bind(node, body)
        case nodes.InExpr():
            _in(node, body)
        case nodes.Call() if (relation := relation_of(node, body.draft.reading)) is not None:
            body.add(Match(relation, call_terms(need(node.args).args, body), body.draft.site(node)))
        case nodes.Call() if reflects(node, "iof", body.draft.reading):
            member = _term(need(node.args).args[0], body)
            body.add(Match(member_key(node, body.draft.reading), (member,), body.draft.site(node)))
        case nodes.Call() if reflects(node, "implements", body.draft.reading):
            _implements(node, body)
        case nodes.StepAtom():
            sides = (_term(need(node.source), body), *call_terms(need(node.args).args, body))
            body.add(Match(step_key(node, body.draft.reading), sides, body.draft.site(node)))
        case nodes.IsExpr():
            _is(node, body)
        case nodes.Call() if isinstance(body.draft.reading.meaning(node), ToBinding):
            _row_of_table(node, body)
        case nodes.Call() if (key := called_key(node, body.draft)) is not None:
            terms = call_terms(need(node.args).args, body)
            body.add(Match(key, terms, body.draft.site(node)))
        case nodes.Binary() if (parted := _parted(node, body)) is not None:
            raise NotLowered(node, node.text, replacement=parted)
        case _:
            body.add(Test(value_of(node, body), body.draft.site(node)))


def _parted(node: nodes.Binary, body: Conjunction) -> str | None:
    """`p(x), e` for `p(x) && e` where nothing before it binds x: what binds stands between commas."""
    operands = _operands(node)
    binding = len(operands) > 1 and any(isinstance(each, nodes.Call) and _would_bind(each, body) for each in operands)
    return ", ".join(each.text for each in operands) if binding else None


def _would_bind(node: nodes.Call, body: Conjunction) -> bool:
    """Is it a predicate's atom with a variable that is not bound so far?"""
    names = ((arg, _local(arg, body.draft)) for arg in need(node.args).args)
    free = any(name is not None and not _is_bound(arg, name, body) for arg, name in names)
    return free and called_key(node, body.draft) is not None


def _operands(node: View) -> list[View]:
    """The parts that `&&` joins; the node itself where it is no such chain."""
    if not isinstance(node, nodes.Binary) or node.op is None or node.op.text != "&&":
        return [node]
    return [*_operands(need(node.lhs)), *_operands(need(node.rhs))]


def _implements(node: nodes.Call, body: Conjunction) -> None:
    """Somebody who implements a trait; of a concept that is written out it is known already.

    Where the type or the trait is computed it is a row of a relation, for `meta(x)` of some type of x.
    """
    site = body.draft.site(node)
    if computed(node, body.draft.reading):
        written, other = need(node.args).args
        about = meta_of(written)
        ty: Term = Var(body.draft.fresh("_")) if about is not None else _term(written, body)
        if about is not None:
            body.add(Match(reflective_key("iof"), (_term(about, body), ty), site))
        body.add(Match(IMPLEMENTS, (ty, _term(other, body)), site))
        return
    subject, trait = implementing(node, body.draft.reading)
    if subject is None:
        body.add(Test(lower_expr(node, body.draft.reading), site))
    else:
        body.add(Match(implementors_key(trait), (_term(subject, body),), site))


def _is(node: nodes.IsExpr, body: Conjunction) -> None:
    """A test of the value, and its parts bound to the pattern's names."""
    draft, site = body.draft, body.draft.site(node)
    value = body.term(lower_expr(node.value, draft.reading), need(node.value))
    subject = ir.Local(value.name) if isinstance(value, Var) else ir.Lit(value.value)
    way = matched(node.pattern, subject, draft.reading)
    body.add(Test(way.condition(), site))
    for local, part in way.guarded():
        draft.show(local)
        body.add(Bind(local, part, site))


def value_of(node: View | None, body: Conjunction) -> ir.Expr:
    """The value of an expression, with what it reads matched by literals of `body`."""
    return body.flat(lower_expr(node, body.draft.reading), need(node))


def called_key(node: nodes.Call, draft: Draft) -> str | None:
    """The key of a call that is a predicate atom with all its columns; None for any other call."""
    return predicate_key(draft.reading.meaning(node, node.path), len(need(node.args).args))


def call_terms(args: Iterable[View], body: Conjunction) -> tuple[Term, ...]:
    """The columns of a predicate atom; each `_` is a variable of its own."""
    return tuple(_term(arg, body) for arg in args)


def _term(node: View, body: Conjunction) -> Term:
    if isinstance(node, nodes.Wildcard):
        return body.wildcard(node)
    return body.term(lower_expr(node, body.draft.reading), node)


# -- membership -------------------------------------------------------------------------------------------------------


def _type_atom(node: nodes.TypeAtom, body: Conjunction) -> None:
    type_ = body.draft.reading.written_type(node.type)
    name = _local(node.value, body.draft)
    if isinstance(type_, Named) and name is not None and name in body.tuples and name not in body.bound:
        _bind_tuple(node, name, type_, body)
        return
    add_membership(node, _term(need(node.value), body), type_, body)


def add_membership(node: View, term: Term, type_: Type, body: Conjunction) -> None:
    """`term` belongs to a concept or is a tuple of a relation; data types are known without looking."""
    site = body.draft.site(node)
    match type_:
        case Named("concept", path):
            if Match(path, (term,)) not in body.literals:
                body.add(Match(path, (term,), site))
        case Named("relation", path):
            body.add(Match(path, _ends(node, term, path, body), site))
        case Applied("TypeRef", (Named(_, path),)):
            body.add(Match(reflective_key("specializes"), (term, Const(Entity(path))), site))
        case Applied("TypeRef"):
            body.add(Match(TYPES, (term,), site))
        case Primitive("Metatype"):
            body.add(Match(METATYPES, (term,), site))
        case Primitive("TraitRef"):
            body.add(Match(TRAITS, (term,), site))
        case _:
            return


def _announce_tuple(node: nodes.TypeAtom, body: Conjunction, elsewhere: set[str]) -> None:
    """Make the endpoint variables of a tuple entity that nothing but this atom binds."""
    draft, name = body.draft, _local(node.value, body.draft)
    type_ = draft.reading.written_type(node.type)
    if name is None or name in elsewhere or body.ends_of(name) is not None or not isinstance(type_, Named):
        return
    relation = draft.reading.declarations.relation(type_.path) if type_.kind == "relation" else None
    if relation is not None and not (body.around and _occurs_around(node, body)):
        body.tuples[name] = tuple(draft.fresh(f"{draft.written[name]}.{end.name}") for end in relation.ends)


def _bind_tuple(node: nodes.TypeAtom, name: str, type_: Named, body: Conjunction) -> None:
    ends, site = body.tuples[name], body.draft.site(node)
    root = tuple_relation(body.draft.reading.declarations, type_.path)
    body.add(Match(type_.path, tuple(Var(end) for end in ends), site))
    body.add(Bind(name, ir.MakeTuple(root, tuple(ir.Local(end) for end in ends)), site))


def _ends(node: View, term: Term, path: str, body: Conjunction) -> tuple[Term, ...]:
    """The endpoints of a tuple that something else binds."""
    known = body.ends_of(term.name) if isinstance(term, Var) else None
    if known is not None:
        return tuple(Var(end) for end in known)
    found: list[Term] = []
    base: ir.Expr = ir.Local(term.name) if isinstance(term, Var) else ir.Lit(term.value)
    for index, end in enumerate(need(body.draft.reading.declarations.relation(path)).ends):
        name = body.draft.fresh(f"{body.show(term)}.{end.name}")
        body.add(Bind(name, ir.GetEnd(base, index), body.draft.site(node)))
        found.append(Var(name))
    return tuple(found)


# -- binding ----------------------------------------------------------------------------------------------------------


def _bind(node: nodes.BindAtom, body: Conjunction) -> None:
    draft, site = body.draft, body.draft.site(node)
    value: ir.Expr | Held = lower_expr(node.value, draft.reading)
    name = _local(node.target, draft)
    if isinstance(value, Held) and name is not None and not _is_bound(node.target, name, body):
        value.take(value.node, body, name)
        return
    if name is None or _is_bound(node.target, name, body):
        target = lower_expr(node.target, draft.reading)
        body.add(Test(ir.Binary("==", body.flat(target, node), body.flat(value, node), BOOL), site))
        return
    if isinstance(value, ir.GetField) and not value.many:
        base = body.subject(body.term(value.base, node), value.key, node)
        if (base, value.key) not in body.reads:
            body.read_into(base, value.key, name, node)
            return
    body.add(Bind(name, body.flat(value, node), site))


def _in(node: nodes.InExpr, body: Conjunction) -> None:
    draft, site = body.draft, body.draft.site(node)
    if isinstance(node.collection, nodes.Call) and reflects(node.collection, "extent", draft.reading):
        member = _term(need(node.element), body)
        match = Match(reflective_key("iof"), (member, *call_terms(need(node.collection.args).args, body)), site)
        if named_member(node.collection, draft.reading):
            match = Match(member_key(node.collection, draft.reading), (member,), site)
        body.add(Not((match,), site) if node.negated else match)
        return
    collection = lower_expr(node.collection, draft.reading)
    if isinstance(collection, ir.GetField) and collection.many:
        base = body.subject(body.term(collection.base, node), collection.key, node)
        match = Match(collection.key, (base, _term(need(node.element), body)), site)
        body.add(Not((match,), site) if node.negated else match)
        return
    name = _local(node.element, draft)
    if node.negated or name is None or _is_bound(node.element, name, body):
        element = lower_expr(node.element, draft.reading)
        op = "not_in" if node.negated else "in"
        body.add(Test(ir.Binary(op, body.flat(element, node), body.flat(collection, node), BOOL), site))
        return
    items = listed(need(node.collection), collection, draft.reading)
    body.add(Each(name, body.flat(items, need(node.collection)), site))


def _row_of_table(node: nodes.Call, body: Conjunction) -> None:
    """`t(a, b)` of what a `with` names: each of its rows, whose values are bound or compared.

    A Bool is the value of a function that is called, and stands for itself.
    """
    draft, site = body.draft, body.draft.site(node)
    binding = need(draft.reading.binding_at(node.path, node))
    if not isinstance(binding.type, ListOf):
        body.add(Test(value_of(node, body), site))
        return
    row, types = draft.fresh("_"), part_types(binding.type.element)
    body.add(Each(row, ir.Local(draft.local(binding.id)), site))
    for place, each in enumerate(need(node.args).args):
        part = ir.Builtin("index", (ir.Local(row), ir.Lit(place)), types[place])
        if isinstance(each, nodes.Wildcard):
            wildcard = body.wildcard(each)
            body.add(Bind(wildcard.name if isinstance(wildcard, Var) else draft.fresh(), part, site))
            continue
        name = _local(each, draft)
        if name is None or _is_bound(each, name, body):
            body.add(Test(ir.Binary("==", value_of(each, body), part, BOOL), site))
        else:
            body.add(Bind(name, part, site))


def _local(node: View | None, draft: Draft) -> str | None:
    """The variable that a name stands for; None when it is no local."""
    if isinstance(node, nodes.ParenExpr):
        return _local(node.inner, draft)
    meaning = draft.reading.meaning(node) if isinstance(node, nodes.Path) else None
    return draft.local(meaning.id) if isinstance(meaning, ToBinding) else None


def _is_bound(node: View | None, name: str, body: Conjunction) -> bool:
    """Is the variable an earlier literal's, an input, or, within `not`, one that occurs outside?"""
    if name in body.bound:
        return True
    binding = need(body.draft.reading.binding_at(None if node is None else _as_path(node)))
    if binding.kind == "param" and isinstance(body.draft.reading.unit.item.root, nodes.QueryDecl):
        return True
    return body.around is not None and _occurs_around(need(node), body)


def _as_path(node: View) -> nodes.Path:
    if isinstance(node, nodes.ParenExpr):
        return _as_path(need(node.inner))
    if not isinstance(node, nodes.Path):
        raise NotLowered(node, node.text)
    return node


def _occurs_around(node: View, body: Conjunction) -> bool:
    """Does the variable of this name occur outside the `not` that `body` is?"""
    path = node.value if isinstance(node, nodes.TypeAtom) else node
    meaning = body.draft.reading.meaning(_as_path(need(path)))
    first = body.node.item.node_firsts[body.node.index]
    names = body.draft.reading.unit.inference.names
    return any(other == meaning and not first <= index <= body.node.index for index, other in names.items())


def _bound_by_calls(atoms: Sequence[View], draft: Draft) -> set[str]:
    """Variables that predicate atoms, `=` and `in` of these atoms bind."""
    found: set[str | None] = set()
    for atom in _spliced(atoms):
        if isinstance(atom, nodes.Call) and called_key(atom, draft) is not None:
            found.update(_local(arg, draft) for arg in need(atom.args).args)
        elif isinstance(atom, nodes.BindAtom):
            found.add(_local(atom.target, draft))
        elif isinstance(atom, nodes.InExpr):
            found.add(_local(atom.element, draft))
    return {name for name in found if name is not None}
