"""One loaded artifact, ready to answer: schema, compiled rules, compiled expressions. Immutable; shared by threads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property

from argon_lang.engine.exprs import Functions, Run
from argon_lang.engine.openness import assuming, open_rules
from argon_lang.engine.program import CompiledProgram, compile_program
from argon_lang.engine.walk import free_locals
from argon_lang.ir.expr import Expr, Fold, Format, GetField, MakeStruct
from argon_lang.ir.lower.walk import parts
from argon_lang.ir.module import Claim, Module, RuleSource, Span
from argon_lang.ir.names import asserted, negative_key
from argon_lang.ir.rules import ATTACK, Rule
from argon_lang.runtime.schema import Schema


@dataclass(frozen=True)
class Served:
    """A module being served. Expressions are compiled on first use and remembered by identity of their tree."""

    schema: Schema
    _expressions: dict[int, tuple[Expr, tuple[str, ...], Run]] = field(default_factory=dict)
    _lenient: dict[int, tuple[Expr, Expr]] = field(default_factory=dict)
    _reads: dict[str, frozenset[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, module: Module, module_hash: str) -> Served:
        """Serve a module that the gates let pass."""
        return cls(Schema(module, module_hash))

    def apart(self) -> Served:
        """The same module and compiled rules; what is remembered of its expressions goes when this does."""
        made = Served(self.schema)
        made.__dict__.update(program=self.program, compiler=self.compiler)
        return made

    def retold(self, module: Module) -> Served:
        """The same rules as another build tells them: its tests, places and comments may be others."""
        made = Served(Schema(module, self.module_hash))
        made.__dict__.update(program=self.program, compiler=self.compiler)
        return made

    @property
    def module(self) -> Module:
        """The lowered module."""
        return self.schema.module

    @property
    def module_hash(self) -> str:
        """Its hash."""
        return self.schema.module_hash

    @cached_property
    def program(self) -> CompiledProgram:
        """The rules, compiled once."""
        return compile_program(self.module)

    @cached_property
    def compiler(self) -> Functions:
        """The declared functions, and the compiler of expressions that call them."""
        return Functions(self.module.functions)

    def expression(self, expr: Expr) -> tuple[tuple[str, ...], Run]:
        """An expression of this module as a function, and the locals that it takes in order."""
        found = self._expressions.get(id(expr))
        if found is None:
            names = free_locals(expr)
            found = self._expressions[id(expr)] = (expr, names, self.compiler.compile(expr, names))
        return found[1], found[2]

    def lenient(self, expr: Expr) -> Expr:
        """The expression with the field reads that it only shows made optional."""
        found = self._lenient.get(id(expr))
        if found is None:
            found = self._lenient[id(expr)] = (expr, lenient_reads(expr))
        return found[1]

    @cached_property
    def clock_reads(self) -> frozenset[str]:
        """Which of `today` and `now` rules, checks and query bodies read, by calls too: how long a model keeps."""
        module = self.module
        asking = parts((module.queries, module.checks, module.functions, module.mutations, module.tests))
        folded = (each.rule for each in asking if isinstance(each, Fold))
        bodies = [rule.body for rule in (*folded, *(rule for query in module.queries for rule in query.rules))]
        asked = [self.compiler.intrinsics(body) for body in bodies]
        units = self.program.units
        today = any(unit.reads_today for unit in units) or any("today" in names for names in asked)
        now = any(unit.reads_now for unit in units) or any("now" in names for names in asked)
        return frozenset(name for name, read in (("today", today), ("now", now)) if read)

    def reads(self, key: str) -> frozenset[str]:
        """All keys that the rows of a key rest on, over any number of rules, itself among them."""
        found = self._reads.get(key)
        if found is None:
            units = self.program.units
            below = (units[place].reads for place in self.program.cone((key,)))
            found = self._reads[key] = frozenset((key,)).union(*below)
        return found

    @cached_property
    def everything(self) -> frozenset[str]:
        """Every key that a fact may have, or that a rule reads."""
        keys = (
            *self.program.shapes,
            *self.schema.fields,
            *map(asserted, (*self.schema.concepts, *self.schema.relations)),
        )
        return frozenset(keys).union(*(unit.reads for unit in self.program.units))

    @cached_property
    def declared_edges(self) -> tuple[tuple[datetime, str], ...]:
        """When a declared fact, or what a standpoint declares, begins or ends to hold, and of which key it is."""
        claims = (*map(Claim, self.module.facts), *self.module.claims)
        keys = ((negative_key(each.fact.key) if each.against else each.fact.key, each.fact) for each in claims)
        edges = ((edge, key) for key, fact in keys for edge in (fact.start, fact.end) if edge is not None)
        return tuple(sorted(set(edges)))

    @cached_property
    def rules(self) -> Mapping[str, Rule]:
        """Every rule by content id: clauses, subsumptions, what open concepts bring along, checks, query bodies."""
        found = {rule.id: rule for rule in (*self.module.rules, *open_rules(self.module))}
        found.update({check.rule.id: check.rule for check in self.module.checks})
        found.update({companion.id: companion for companion, _ in self._companions})
        found.update({rule.id: rule for query in self.module.queries for rule in query.rules})
        return found

    @cached_property
    def defaults(self) -> Mapping[str, Mapping[str, int]]:
        """The default clauses of each predicate that has one: rule by content id, with the number of its guards."""
        guards = {each.rule: each.guards for each in self.module.defaults}
        found: dict[str, dict[str, int]] = {}
        for rule in self.module.rules if guards else ():
            if rule.id in guards:
                found.setdefault(rule.key, {})[rule.id] = guards[rule.id]
        return found

    @cached_property
    def exceptions(self) -> Mapping[str, str]:
        """The clause that each clause of an attack was compiled from, by content ids: they have one text."""
        clauses = {rule.id for rule in self.module.rules if rule.origin == "clause"}
        written = {each.span: each.rule for each in self.module.source.rules if each.rule in clauses}
        attacks = (rule.id for rule in self.module.rules if rule.origin == ATTACK)
        return {each: written[self.sources[each].span] for each in attacks if each in self.sources}

    @cached_property
    def sources(self) -> Mapping[str, RuleSource]:
        """Where each rule was written, by content id; a companion of a clause where that was."""
        written = {source.rule: source for source in self.module.source.rules}
        return written | {made.id: written[rule.id] for made, rule in self._companions if rule.id in written}

    @cached_property
    def _companions(self) -> tuple[tuple[Rule, Rule], ...]:
        """The clauses of the possible estimate for what lacks a field, with those that they stand beside."""
        rules = (*self.module.rules, *(check.rule for check in self.module.checks))
        return tuple(assuming(rules, self.program.unknown))

    @cached_property
    def declared_at(self) -> Mapping[str, Span]:
        """Where each path was declared."""
        return dict(self.module.source.declarations)


def lenient_reads(expr: Expr) -> Expr:
    """The same expression, where a read of an absent field whose value is only carried or printed gives none.

    A read that something is computed from stays a domain error.
    """
    match expr:
        case GetField():
            return replace(expr, optional=True)
        case Format():
            return replace(expr, args=tuple(map(lenient_reads, expr.args)))
        case MakeStruct():
            return replace(expr, fields=tuple((name, lenient_reads(part)) for name, part in expr.fields))
        case _:
            return expr
