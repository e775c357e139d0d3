"""Group axioms and `where` conditions over declared facts (language §3.2, §3.5): OE0240, OE0241, OE0668.

Membership of an `iff` type follows from fields, so the facts are evaluated, at every instant at which one of them
begins or ends; only the rules of concepts take part. Each individual is reported once per axiom.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime

from argon_lang.engine.display import display
from argon_lang.engine.exprs import Context, Functions, evaluate_expression
from argon_lang.engine.governor import Governor, Limits
from argon_lang.engine.model import Model, compile_program, evaluate
from argon_lang.errors import ArgonError
from argon_lang.gates.declared import EARLIEST, Declared, Facts
from argon_lang.gates.rules import Findings
from argon_lang.gates.states import ModelState, instants, valid_at
from argon_lang.ir.expr import Expr
from argon_lang.ir.lower.link import Linked
from argon_lang.ir.module import Concept, Group, Module, Relation
from argon_lang.ir.names import asserted
from argon_lang.ir.rules import Match
from argon_lang.ir.values import Entity
from argon_lang.problems import Edit, Fix, ItemId, Note, Place, Problem, Related, args
from argon_lang.program.findings import declared_at
from argon_lang.program.types import Named, show
from argon_lang.syntax import nodes
from shared_catalog import render

_LIMITS = Limits(max_derived=2_000_000)


@dataclass(slots=True)
class _Check:
    """One pass over the declared facts. `items` declare groups and conditions; `told` is what was reported.

    `supers` are the direct ones of each concept, `known` all of those asked about.
    """

    module: Module
    facts: Facts
    findings: Findings
    items: dict[str, ItemId]
    functions: Functions
    told: set[tuple[str, str]] = field(default_factory=set)
    supers: dict[str, tuple[str, ...]] = field(default_factory=dict)
    known: dict[str, set[str]] = field(default_factory=dict)

    def at(self, instant: datetime, model: Model) -> None:
        """Judge the facts that are valid at one instant."""
        for group in self.module.groups:
            members = {path: set(_individuals(model, path)) for path in group.members}
            if group.disjoint:
                self.disjoint(group, members, instant)
            if group.complete and group.whole is not None:
                covered = set[str]().union(*members.values())
                for name in sorted(set(_individuals(model, group.whole)) - covered):
                    self.uncovered(group, group.whole, name, instant)
        for concept in self.module.concepts:
            for name in self.asserted_under(concept, model) if concept.conditions else ():
                self.condition(concept, name, instant, model)
        for relation in self.module.relations if self.facts.decided else ():
            for index, (end, ty) in enumerate(relation.ends):
                if isinstance(ty, Named) and ty.path in self.facts.decided:
                    self.endpoint(relation, index, end, ty, instant, model)

    def asserted_under(self, concept: Concept, model: Model) -> list[str]:
        """Who must meet the conditions of a concept; of an `iff` type those who are asserted under a subtype."""
        if not concept.derived:
            return sorted(_individuals(model, concept.path))
        below = (each.path for each in self.module.concepts if concept.path in self.above(each.path))
        return sorted({name for path in below for name in _individuals(model, asserted(path))})

    def endpoint(self, relation: Relation, index: int, end: str, ty: Named, instant: datetime, model: Model) -> None:
        """OE0229 at each end whose type is decided by rules and that holds someone else."""
        for fact in self.facts.of(asserted(relation.path)):
            value = fact.fact.row[index]
            known = not isinstance(value, Entity) or value.id in self.facts.doubtful or not _valid(fact, instant)
            if known or model.holds(ty.path, (value,)) or (str(fact.unit.id), f"{index}") in self.told:
                continue
            self.told.add((str(fact.unit.id), f"{index}"))
            values = args(name=display(value), expected=show(ty), of=_short(relation.path), endpoint=end)
            self.findings.add(fact.unit.id, Problem("OE0229", *fact.argument(index), values))

    def disjoint(self, group: Group, members: dict[str, set[str]], instant: datetime) -> None:
        """OE0240 for each individual in two of the members."""
        for index, second in enumerate(group.members):
            for first in group.members[:index]:
                for name in sorted(members[first] & members[second]) if first != second else ():
                    self.both(group, first, second, name, instant)

    def both(self, group: Group, first: str, second: str, name: str, instant: datetime) -> None:
        """OE0240 at the fact that puts the individual into the second member."""
        fact = self.place(group.path, name, second, instant)
        if fact is None:
            return
        other = self.fact_of(name, first, instant)
        related = [*self.declared("group", group.path)]
        if other is not None and other is not fact:
            related.append(Related("first", place=_place(other), args=args(expected=_short(first))))
        root = fact.unit.item.root
        removal = Fix("remove", (Edit(root.start, root.end, ""),), safe=False)
        fixes = (removal,) if isinstance(root, nodes.FactDecl) else ()
        values = args(name=_short(name), expected=_short(first), found=_short(second))
        notes = (Note("choose"),)
        problem = Problem("OE0240", *fact.argument(0), values, tuple(related), notes, fixes)
        self.findings.add(fact.unit.id, problem)

    def uncovered(self, group: Group, whole: str, name: str, instant: datetime) -> None:
        """OE0241 at the fact that puts the individual into the whole."""
        fact = self.place(group.path, name, whole, instant)
        if fact is None:
            return
        asserted = [path for path in group.members if not self.derived(path)]
        notes: tuple[Note, ...] = ()
        fixes: tuple[Fix, ...] = ()
        if asserted:
            values = args(suggestion=_short(asserted[0]), name=_short(name))
            notes = (Note("classify", values),)
            fixes = _classified_instead(fact, whole, values)
        shown = ", ".join(f"`{_short(path)}`" for path in group.members)
        values = args(name=_short(name), of=_short(whole), candidates=shown)
        related = tuple(self.declared("group", group.path))
        self.findings.add(fact.unit.id, Problem("OE0241", *fact.argument(0), values, related, notes, fixes))

    def condition(self, concept: Concept, name: str, instant: datetime, model: Model) -> None:
        """OE0668 at the fact that puts the individual into the concept."""
        governor = Governor(_LIMITS)
        context = Context(instant, governor, ModelState(model, governor))
        for expr, text in concept.conditions:
            found = broken(expr, name, self.functions, context)
            fact = self.place(f"{concept.path} {text}", name, concept.path, instant) if found is not None else None
            if fact is not None and found is not None:
                values = args(name=_short(name), expected=text, of=_short(concept.path))
                notes = (Note("found", args(found=found)),) if found else ()
                related = tuple(self.declared("where", concept.path))
                self.findings.add(fact.unit.id, Problem("OE0668", *fact.argument(0), values, related, notes))

    def above(self, path: str) -> set[str]:
        """A concept with everything that it specializes."""
        known = self.known.get(path)
        if known is None:
            known, todo = {path}, [path]
            for at in todo:
                todo += [each for each in self.supers.get(at, ()) if each not in known]
                known.update(todo)
            self.known[path] = known
        return known

    def derived(self, path: str) -> bool:
        """Is membership of the concept derived?"""
        return any(each.path == path and each.derived for each in self.module.concepts)

    def declared(self, key: str, of: str) -> Iterator[Related]:
        """Where the axiom is declared."""
        if of in self.items:
            yield Related(key, place=declared_at(self.items[of]))

    def place(self, axiom: str, name: str, concept: str, instant: datetime) -> Declared | None:
        """The fact to blame; None when the individual was reported, or is named by a fact in error."""
        if (axiom, name) in self.told or name in self.facts.doubtful:
            return None
        self.told.add((axiom, name))
        return self.fact_of(name, concept, instant)

    def fact_of(self, name: str, concept: str, instant: datetime) -> Declared | None:
        """The fact that puts an individual into a concept, the most specific one; else any that classifies it."""
        known = [(path, fact) for path, fact in self.facts.memberships.get(name, ()) if _valid(fact, instant)]
        exact = [fact for path, fact in known if path == concept]
        below = [fact for path, fact in known if concept in self.above(path)]
        return next(iter((*exact, *below, *(fact for _, fact in known))), None)


def check_axioms(linked: Linked, facts: Facts, findings: Findings) -> None:
    """Report the declared individuals that break a group axiom or the `where` of a concept."""
    module = linked.module
    if not module.groups and not any(concept.conditions or concept.derived for concept in module.concepts):
        return
    supers = {concept.path: concept.supers for concept in module.concepts}
    check = _Check(module, facts, findings, _declaring(linked), Functions(module.functions), supers=supers)
    part = _concepts_only(module)
    program = compile_program(part)
    for instant in instants(part.facts):
        check.at(instant, evaluate(program, valid_at(part.facts, instant), instant, Governor(_LIMITS)))


def broken(expr: Expr, name: str, functions: Functions, context: Context) -> str | None:
    """Why a condition does not hold of an individual (empty: it is false); None when it holds."""
    try:
        value = evaluate_expression(functions.compile(expr, ("self",)), context, Entity(name))
    except ArgonError as error:
        return render.message(error.code, error.args_)
    return None if value is True else ""


def _concepts_only(module: Module) -> Module:
    """The rules and facts that memberships and fields rest on."""
    keys = {shape.key for shape in module.predicates if shape.kind in ("concept", "field")}
    rules = tuple(rule for rule in module.rules if rule.key in keys)
    keys.update(literal.key for rule in rules for literal in rule.body if isinstance(literal, Match))
    facts = tuple(fact for fact in module.facts if fact.key in keys)
    shapes = tuple(shape for shape in module.predicates if shape.key in keys)
    empty = Module("", "", structs=module.structs, enums=module.enums, functions=module.functions)
    return replace(empty, predicates=shapes, rules=rules, facts=facts)


def _individuals(model: Model, path: str) -> Iterable[str]:
    return (row[0].id for row in model.rows(path) if isinstance(row[0], Entity))


def _declaring(linked: Linked) -> dict[str, ItemId]:
    """The items of groups (by their paths) and of concepts."""
    found: dict[str, ItemId] = {}
    for fragment in linked.fragments:
        paths = [*(each.path for each in fragment.part.groups), *(each.path for each in fragment.part.concepts)]
        found.update((path, fragment.item) for path in paths if path not in found)
    return found


def _valid(fact: Declared, instant: datetime) -> bool:
    start, end = fact.interval
    return start <= instant < end or start == EARLIEST


def _place(fact: Declared) -> Place:
    return Place(fact.unit.id, *fact.argument(0))


def _classified_instead(fact: Declared, whole: str, values: tuple[tuple[str, str], ...]) -> tuple[Fix, ...]:
    """Name the member in place of the whole, where the fact names the whole."""
    root = fact.unit.item.root
    path = root.predicate if isinstance(root, nodes.FactDecl) else None
    if path is None or path.text != _short(whole):
        return ()
    return (Fix("classify", (Edit(path.start, path.end, dict(values)["suggestion"]),), values, safe=False),)


def _short(path: str) -> str:
    return path.rsplit("::", 1)[-1]
