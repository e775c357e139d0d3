"""Rule bodies under construction: conjunctions of literals, out of whose expressions the reads of the state are taken.

`x.f` in an atom becomes `Match(field, (x, v))` and `v`, once per field and base in a conjunction, so an absent field
fails the atom; within `not` the read stands inside. A call of a function that reads the state is replaced by its body.
All reads of an atom are taken, also those in an arm of an `if` that is not chosen: an atom that names an absent field
fails.

Names here are temporary: `$3` is the item's local 3, `%7` one that lowering made. `canonical` renames them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from argon_lang.ir import expr as ir
from argon_lang.ir.lower.dispatch import given_by, impls_by_target, member_of, value_key
from argon_lang.ir.lower.keys import field_owner, tuple_relation
from argon_lang.ir.lower.reading import NotAsked, NotLowered, Reading
from argon_lang.ir.lower.walk import OPAQUE, Held, free_locals, introduced, map_children, parts, rebuild, substitute
from argon_lang.ir.module import Function
from argon_lang.ir.rules import Aggregate, Bind, Const, Each, Literal, Match, Not, Term, Test, Var
from argon_lang.ir.values import Entity
from argon_lang.program.infer.traits import self_places
from argon_lang.program.model import CallableSig, ToBinding
from argon_lang.program.types import BOOL, INT, UNKNOWN, ListOf, SetOf, Type, Unknown
from argon_lang.syntax.tree import View

_READS = (ir.GetField, ir.GetEnd, ir.Holds, ir.CallQuery, ir.Fold, Held)


def is_local(name: str) -> bool:
    """Is it the temporary name of one of the item's own locals?"""
    return name.startswith("$") and name[1:].isdigit()


@dataclass(slots=True)
class Draft:
    """What all conjunctions of one rule share. `functions`: those that read the state, by path, for inlining.

    `filters` counts the last literals, which annotations of the head add.
    """

    reading: Reading
    functions: Mapping[str, Function] = field(default_factory=dict)
    written: dict[str, str] = field(default_factory=dict)
    spans: list[tuple[int, int]] = field(default_factory=list)
    made: int = 0
    filters: int = 0

    def fresh(self, written: str = "_") -> str:
        """A new variable, and how to show it."""
        name = f"%{self.made}"
        self.made += 1
        self.written[name] = written
        return name

    def local(self, id_: int) -> str:
        """The variable of one of the item's locals."""
        name = self.reading.local(id_)
        self.written.setdefault(name, self.reading.binding(id_).name)
        return name

    def show(self, name: str) -> str:
        """A variable as the author wrote it."""
        if name not in self.written and is_local(name):
            return self.reading.binding(int(name[1:])).name
        return self.written.get(name, "_")

    def site(self, node: View) -> int:
        """The number of a place in the rule."""
        span = (node.start, node.end)
        if span not in self.spans:
            self.spans.append(span)
        return self.spans.index(span)


@dataclass(slots=True)
class Conjunction:
    """Literals that hold together. `around` is the conjunction that a `not` stands in, `node` that `not` atom.

    `tuples` are the endpoint variables of tuple entities that this conjunction binds, `bound` the variables that the
    literals so far bind.
    """

    draft: Draft
    node: View
    around: Conjunction | None = None
    literals: list[Literal] = field(default_factory=list)
    reads: dict[tuple[Term, str], str] = field(default_factory=dict)
    tuples: dict[str, tuple[str, ...]] = field(default_factory=dict)
    bound: set[str] = field(default_factory=set)

    def add(self, literal: Literal) -> None:
        """Append a literal and remember what it binds."""
        self.literals.append(literal)
        match literal:
            case Match(_, terms):
                self.bound.update(term.name for term in terms if isinstance(term, Var))
            case Bind(var) | Each(var) | Aggregate(var):
                self.bound.add(var)

    def ends_of(self, name: str) -> tuple[str, ...] | None:
        """The endpoint variables of a tuple entity, when this conjunction or one around it has them."""
        if name in self.tuples:
            return self.tuples[name]
        return self.around.ends_of(name) if self.around else None

    def wildcard(self, node: View) -> Term:
        """A variable for `_`."""
        meaning = self.draft.reading.meaning(node)
        return Var(self.draft.local(meaning.id) if isinstance(meaning, ToBinding) else self.draft.fresh("_"))

    def term(self, expr: ir.Expr, node: View) -> Term:
        """A column with this value: a variable, a constant, or a variable bound to the expression."""
        flat = self.flat(expr, node)
        if isinstance(flat, ir.Local):
            return Var(flat.name)
        if isinstance(flat, ir.Lit):
            return Const(flat.value)
        name = self.draft.fresh(node.text)
        self.add(Bind(name, flat, self.draft.site(node)))
        return Var(name)

    def read(self, base: Term, key: str, node: View) -> str:
        """The variable that holds the field `key` of `base`."""
        base = self.subject(base, key, node)
        found = self.reads.get((base, key))
        if found is None:
            found = self.draft.fresh(f"{self.show(base)}.{key.rpartition('.')[2]}")
            self.read_into(base, key, found, node)
        return found

    def subject(self, base: Term, key: str, node: View) -> Term:
        """The first column of a field's rows: a tuple goes by the name of the relation that declares the field."""
        owner = field_owner(key)
        declarations = self.draft.reading.declarations
        relation = declarations.relation(owner)
        if relation is None or tuple_relation(declarations, owner) == owner:
            return base
        known = self.ends_of(base.name) if isinstance(base, Var) else None
        value: ir.Expr = ir.Local(base.name) if isinstance(base, Var) else ir.Lit(base.value)
        ends = [ir.Local(known[i]) if known else ir.GetEnd(value, i) for i in range(len(relation.ends))]
        if (base, owner) not in self.reads:
            self.reads[base, owner] = self.draft.fresh(self.show(base))
            self.add(Bind(self.reads[base, owner], ir.MakeTuple(owner, tuple(ends)), self.draft.site(node)))
        return Var(self.reads[base, owner])

    def read_into(self, base: Term, key: str, name: str, node: View) -> None:
        """Read the field `key` of `base` into a given variable."""
        self.reads[base, key] = name
        self.add(Match(key, (base, Var(name)), self.draft.site(node)))

    def gathered(self, base: Term, key: str, node: View, inner: Type = UNKNOWN, name: str | None = None) -> ir.Expr:
        """The list of the values of a field: of one or none where it is not a many field."""
        subject, value, site = self.subject(base, key, node), Var(self.draft.fresh(node.text)), self.draft.site(node)
        var = name or self.draft.fresh(node.text)
        self.add(Aggregate(var, "values", (), value, (Match(key, (subject, value), site),), ListOf(inner), site))
        return ir.Local(var)

    def given(self, expr: ir.Expr, node: View, inside: tuple[str, ...] = ()) -> Term:
        """The value of an argument that is bound outside of what it is given to, whatever else names it."""
        term = self.term(self.flat(expr, node, inside), node)
        if not isinstance(term, Var):
            return term
        name = self.draft.fresh(self.show(term))
        self.add(Bind(name, ir.Local(term.name), self.draft.site(node)))
        return Var(name)

    def _is_there(self, key: str, args: tuple[ir.Expr | None, ...], node: View, inside: tuple[str, ...]) -> ir.Expr:
        """A predicate's atom as a Bool (language §3.10), read from a lower stratum: is there a row?"""
        terms = [Var(self.draft.fresh()) if arg is None else self.given(arg, node, inside) for arg in args]
        var, site = self.draft.fresh(" ".join(node.text.split())), self.draft.site(node)
        self.add(Aggregate(var, "count", (), Const(True), (Match(key, tuple(terms), site),), INT, site))
        return ir.Binary(">", ir.Local(var), ir.Lit(0), BOOL)

    def show(self, term: Term) -> str:
        """A term as the author would write it."""
        if isinstance(term, Var):
            return self.draft.show(term.name)
        return term.value.id.rsplit("::", 1)[-1] if isinstance(term.value, Entity) else str(term.value)

    def shown(self, expr: ir.Expr) -> str:
        """A value as the author would write it, as far as it is a name."""
        match expr:
            case ir.Local(name):
                return self.show(Var(name))
            case ir.Lit(value):
                return self.show(Const(value))
            case ir.GetField(base, key):
                return f"{self.shown(base)}.{key.rpartition('.')[2]}"
            case _:
                return "…"

    def flat(self, expr: ir.Expr | Held, node: View, inside: tuple[str, ...] = ()) -> ir.Expr:
        """`expr` without reads of the state: what it reads is matched by literals of this conjunction.

        `inside` names the functions whose bodies are being put in place. Raises NotLowered.
        """
        match expr:
            case ir.GetField(base, key, _, many):
                subject = self.term(self.flat(base, node, inside), node)
                return self.gathered(subject, key, node) if many else ir.Local(self.read(subject, key, node))
            case ir.GetEnd(ir.Local(name), index) if (ends := self.ends_of(name)) is not None:
                return ir.Local(ends[index])
            case ir.Holds(key, args):
                return self._is_there(key, args, node, inside)
            case ir.CallQuery(path, args) if path in self.draft.functions:
                return self._ask(path, args, node, inside)
            case Held(aggregate, take, _, given):
                for name, value in given:
                    if name not in self.bound:
                        self.add(Bind(name, self.flat(value, node, inside), self.draft.site(node)))
                return take(aggregate, self, None)
            case ir.Fold():
                return self._unfold(expr, node, inside)
            case ir.CallFn(path, args) if (member := self._member_called(path)) is not None:
                return self._member(*member, args, node, inside)
            case ir.CallFn(path, args) if path in self.draft.functions:
                return self._inline(self.draft.functions[path], args, node, inside)
            case ir.Comprehend(name, source, condition, element):
                if any(isinstance(part, ir.Try) for part in parts((condition, element), OPAQUE)):
                    raise NotLowered(node, node.text, "`collect { e from x in xs, … }`")
                wanted = None if condition is None else self._around(condition, (name,), node, inside)
                made = self._around(element, (name,), node, inside)
                return ir.Comprehend(name, self.flat(source, node, inside), wanted, made)
            case ir.Closure(params, body):
                return ir.Closure(params, self._around(body, params, node, inside))
            case ir.Apply(ir.Closure(params, body), args):
                filled = {name: self.flat(arg, node, inside) for name, arg in zip(params, args, strict=True)}
                return self.flat(substitute(body, filled, self.draft.fresh), node, inside)
            case ir.Try(base, "option"):
                return self._present(self.flat(base, node, inside), node)
            case ir.Try():
                raise NotLowered(node, node.text, "`match`")
            case ir.LetIn(name, value, body):
                return self._let(name, self.flat(value, node, inside), body, node, inside)
            case _:
                return map_children(expr, lambda part: self.flat(part, node, inside))

    def _around(self, expr: ir.Expr | Held, own: tuple[str, ...], node: View, inside: tuple[str, ...]) -> ir.Expr:
        """What is computed for each element, its reads of the state taken out; none of them may be of the element."""
        if isinstance(expr, Held) or self._reads_or_calls(expr):
            if isinstance(expr, Held) or not set(own).isdisjoint(free_locals(expr)):
                raise NotLowered(node, node.text, "`collect { e from x in xs, … }`")
            return self.flat(expr, node, inside)
        names = (*own, *introduced(expr))
        return map_children(expr, lambda part: self._around(part, names, node, inside))

    def _present(self, value: ir.Expr, node: View) -> ir.Expr:
        """The value of an optional one; where it is absent there is none, and the atom fails."""
        name = self.draft.fresh(node.text)
        self.add(Each(name, ir.Builtin("present", (value,), UNKNOWN), self.draft.site(node)))
        return ir.Local(name)

    def _let(self, name: str, value: ir.Expr, body: ir.Expr, node: View, inside: tuple[str, ...]) -> ir.Expr:
        if any(map(self._is_taken_out, parts(body, OPAQUE))):
            return self.flat(substitute(body, {name: value}, self.draft.fresh), node, inside)
        return ir.LetIn(name, value, body)

    def _is_taken_out(self, part: object) -> bool:
        """Does a literal of the conjunction take its place? So does a `?`, which fails the atom."""
        return isinstance(part, ir.Try) or self._reads_or_calls(part)

    def _reads_or_calls(self, part: object) -> bool:
        """Is it a read of the state, or a call that its function's body takes the place of?"""
        return isinstance(part, _READS) or (isinstance(part, ir.CallFn) and part.path in self.draft.functions)

    def _member_called(self, path: str) -> tuple[str, CallableSig] | None:
        """The trait and the signature of the function or query, if it is a trait's member."""
        declarations = self.draft.reading.declarations
        return member_of(declarations, "fn", path) or member_of(declarations, "query", path)

    def _member(
        self, trait: str, sig: CallableSig, args: tuple[ir.Expr, ...], node: View, inside: tuple[str, ...]
    ) -> ir.Expr:
        """The value of a trait's member that only the run time can choose: of the first impl that there is one for.

        A function of an individual alone is read from the rows that its impls give.
        """
        name, site = self.draft.fresh(" ".join(node.text.split())), self.draft.site(node)
        if len(args) == 1 and sig.kind == "fn":
            subject = self.term(self.flat(args[0], node, inside), node)
            self.add(Match(value_key(sig.path), (subject, Var(name)), site))
            return ir.Local(name)
        given = [self.given(arg, node, inside) for arg in args]
        place = self_places(sig, trait)[0]
        values: ir.Expr = ir.Lit(())
        for target, _ in impls_by_target(self.draft.reading.declarations, trait):
            found = self._given_by(target, sig, given, given[place], node, inside)
            values = ir.Builtin("concat", (values, found), ListOf(UNKNOWN))
        first = ir.Builtin("slice", (values, ir.Lit(0), ir.Lit(1)), ListOf(UNKNOWN))
        self.add(Each(name, first, site))
        return ir.Local(name)

    def _given_by(
        self, target: str, sig: CallableSig, given: list[Term], subject: Term, node: View, inside: tuple[str, ...]
    ) -> ir.Expr:
        """The values that the impl for one target gives: of one who belongs to it one, of any other none."""
        site, inner = self.draft.site(node), Conjunction(self.draft, self.node, self, bound=set(self.bound))
        inner.add(Match(target, (subject,), site))
        path = sig.path + given_by(target)
        args = tuple(ir.Local(term.name) if isinstance(term, Var) else ir.Lit(term.value) for term in given)
        call: ir.Expr = ir.CallFn(path, args) if sig.kind == "fn" else ir.CallQuery(path, args)
        value, var = inner.term(call, node), self.draft.fresh(" ".join(node.text.split()))
        self.add(Aggregate(var, "values", (), value, tuple(inner.literals), ListOf(UNKNOWN), site))
        return ir.Local(var)

    def _inline(self, callee: Function, args: tuple[ir.Expr, ...], node: View, inside: tuple[str, ...]) -> ir.Expr:
        if callee.path in inside:
            raise NotLowered(node, node.text, "an atom of a derived predicate")
        given = (self.flat(arg, node, inside) for arg in args)
        values = dict(zip((param.name for param in callee.params), given, strict=True))
        if any(isinstance(part, ir.Try) for part in parts(callee.body, OPAQUE)):
            raise NotLowered(node, node.text, "an atom of a derived predicate")
        return self.flat(substitute(callee.body, values, self.draft.fresh), node, (*inside, callee.path))

    def _ask(self, path: str, args: tuple[ir.Expr, ...], node: View, inside: tuple[str, ...]) -> ir.Expr:
        """What a query answers. Without the number of rows that it promises it has no answer, and the atom fails."""
        try:
            query = self.draft.functions[path]
        except NotAsked as refusal:
            raise NotLowered(node, node.text, refusal.nearest) from refusal
        rows = self._inline(query, args, node, inside)
        if isinstance(query.result, ListOf | SetOf | Unknown):
            return rows
        name = self.draft.fresh(" ".join(node.text.split()))
        self.add(Each(name, rows, self.draft.site(node)))
        return ir.Local(name)

    def _unfold(self, fold: ir.Fold, node: View, inside: tuple[str, ...]) -> ir.Expr:
        """The literal of an aggregate in a function's body, its rule's variables renamed apart."""
        site, rule = self.draft.site(node), fold.rule
        given = (self.term(self.flat(arg, node, inside), node) for arg in fold.args)
        terms: dict[str, Term] = dict(zip(rule.inputs, given, strict=True))

        def term(name: str) -> Term:
            return terms.setdefault(name, Var(self.draft.fresh()))

        def named(name: str) -> str:
            found = term(name)
            return found.name if isinstance(found, Var) else name

        def change(part: Any) -> Any:
            match part:
                case Var(name):
                    return term(name)
                case ir.Local(name):
                    found = term(name)
                    return ir.Local(found.name) if isinstance(found, Var) else ir.Lit(found.value)
                case ir.LetIn(name) | ir.Comprehend(name):
                    return replace(part, name=named(name))
                case ir.Closure(params):
                    return replace(part, params=tuple(map(named, params)))
                case Bind(name) | Each(name) | Aggregate(name):
                    return replace(part, var=named(name), site=site)
                case Match() | Not() | Test():
                    return replace(part, site=site)
                case _:
                    return part

        (*own, value), body = rebuild((rule.terms, rule.body), change)
        var = self.draft.fresh(" ".join(node.text.split()))
        self.add(Aggregate(var, fold.op, tuple(own), value, body, fold.type, site))
        return ir.Local(var)
