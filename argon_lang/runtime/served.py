"""One loaded artifact, ready to answer: schema, compiled rules, compiled expressions. Immutable; shared by threads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from argon_lang.engine.exprs import Functions, Run
from argon_lang.engine.program import CompiledProgram, compile_program
from argon_lang.engine.walk import free_locals, subexpressions
from argon_lang.ir.expr import Builtin, Expr
from argon_lang.ir.module import Module, RuleSource, Span
from argon_lang.ir.rules import Bind, Each, Literal, Not, Rule, Test
from argon_lang.runtime.schema import Schema


@dataclass(frozen=True)
class Served:
    """A module being served. Expressions are compiled on first use and remembered by identity of their tree."""

    schema: Schema
    _expressions: dict[int, tuple[Expr, tuple[str, ...], Run]] = field(default_factory=dict)

    @classmethod
    def of(cls, module: Module, module_hash: str) -> Served:
        """Serve a module that the gates let pass."""
        return cls(Schema(module, module_hash))

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

    @cached_property
    def clock_reads(self) -> frozenset[str]:
        """Which of `today` and `now` rules (and functions, which they may call) read: bounds how long a model keeps."""
        found = {
            part.name
            for expr in self._rule_expressions()
            for part in subexpressions(expr)
            if isinstance(part, Builtin) and part.name in ("today", "now")
        }
        return frozenset(found)

    def _rule_expressions(self) -> Iterator[Expr]:
        for rule in self.module.rules:
            yield from _expressions(rule.body)
        for function in self.module.functions:
            yield function.body

    @cached_property
    def rules(self) -> Mapping[str, Rule]:
        """Every rule by content id: clauses, subsumptions, checks, query bodies."""
        found = {rule.id: rule for rule in self.module.rules}
        found.update({check.rule.id: check.rule for check in self.module.checks})
        found.update({query.rule.id: query.rule for query in self.module.queries if query.rule is not None})
        return found

    @cached_property
    def sources(self) -> Mapping[str, RuleSource]:
        """Where each rule was written, by content id."""
        return {source.rule: source for source in self.module.source.rules}

    @cached_property
    def declared_at(self) -> Mapping[str, Span]:
        """Where each path was declared."""
        return dict(self.module.source.declarations)


def _expressions(body: tuple[Literal, ...]) -> Iterator[Expr]:
    for literal in body:
        match literal:
            case Test(expr) | Bind(_, expr) | Each(_, expr):
                yield expr
            case Not(inner):
                yield from _expressions(inner)
            case _:
                pass
