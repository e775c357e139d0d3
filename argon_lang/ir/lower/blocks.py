"""`if` and `{ … }` as values (language §3.10), the names that conditions introduce, and `return` in a function."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from argon_lang.ir import expr as ir
from argon_lang.ir.lower.expr import HANDLERS, lower_expr
from argon_lang.ir.lower.patterns import matched, subject_name
from argon_lang.ir.lower.reading import NotLowered, Reading
from argon_lang.ir.lower.values import elements
from argon_lang.program.model import ToBinding
from argon_lang.program.types import BOOL
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View, need


@dataclass(slots=True)
class Condition:
    """A condition in order: what it tests, and the locals that hold from there on where the tests before hold."""

    steps: list[tuple[str | None, ir.Expr]] = field(default_factory=list)

    def value(self) -> ir.Expr:
        """The condition as a Bool."""
        whole: ir.Expr | None = None
        for name, expr in reversed(self.steps):
            if name is not None:
                whole = ir.LetIn(name, expr, whole or ir.Lit(True))
            else:
                whole = expr if whole is None else ir.Binary("&&", expr, whole, BOOL)
        return whole or ir.Lit(True)

    @property
    def lets(self) -> list[tuple[str, ir.Expr]]:
        """The locals that it introduces, in order."""
        return [(name, expr) for name, expr in self.steps if name is not None]

    def around(self, body: ir.Expr) -> ir.Expr:
        """What is evaluated only where it holds, with its locals."""
        for name, expr in reversed(self.lets):
            body = ir.LetIn(name, expr, body)
        return body


def condition(node: View | None, reading: Reading) -> Condition:
    """A condition with the names of its patterns."""
    found = Condition()
    _gather(need(node), reading, found)
    return found


def _gather(node: View, reading: Reading, found: Condition) -> None:
    match node:
        case nodes.ParenExpr():
            _gather(need(node.inner), reading, found)
        case nodes.Binary(op=op) if op is not None and op.text == "&&":
            _gather(need(node.lhs), reading, found)
            _gather(need(node.rhs), reading, found)
        case nodes.IsExpr() if not reading.in_rule:
            name = subject_name(node, reading)
            way = matched(node.pattern, ir.Local(name), reading)
            found.steps.append((name, lower_expr(node.value, reading)))
            found.steps.append((None, way.condition()))
            found.steps += [(local, value) for local, value in way.names.values()]
        case _:
            found.steps.append((None, lower_expr(node, reading)))


# -- values -----------------------------------------------------------------------------------------------------------


def _if(node: nodes.IfExpr, reading: Reading) -> ir.Expr:
    if node.otherwise is None:
        raise NotLowered(node, node.text)
    test = condition(need(node.condition).value, reading)
    otherwise = lower_expr(node.otherwise.body, reading)
    return ir.If(test.value(), test.around(lower_expr(node.then, reading)), otherwise)


def _both(node: nodes.Binary, reading: Reading) -> ir.Expr:
    return condition(node, reading).value()


def _block(node: nodes.Block, reading: Reading) -> ir.Expr:
    body = ir.Lit(None) if node.tail is None else lower_expr(node.tail, reading)
    return _sequence(node.statements, body, reading)


def _sequence(statements: Sequence[View], body: ir.Expr, reading: Reading) -> ir.Expr:
    """Statements before a value: each is evaluated for the `return` that may be in it."""
    for each in reversed(statements):
        body = _before(each, body, reading)
    return body


def _before(node: View, body: ir.Expr, reading: Reading) -> ir.Expr:
    name = f"{'$' if reading.in_rule else ''}step{node.index}"
    match node:
        case nodes.LetStmt():
            binding = need(reading.binding_at(node.name, node))
            return ir.LetIn(reading.local(binding.id), lower_expr(node.value, reading), body)
        case nodes.ReturnStmt():
            return ir.Try(lower_expr(node.value, reading), "return")
        case nodes.IfStmt():
            return ir.LetIn(name, _branch(node, reading), body)
        case nodes.MatchStmt():
            return ir.LetIn(name, _match(node, reading), body)
        case nodes.ForStmt():
            return ir.LetIn(name, _for(node, reading), body)
        case nodes.ExprStmt():
            return ir.LetIn(name, _effect(node.expr, reading), body)
        case _:
            raise NotLowered(node, node.text)


def _effect(node: View | None, reading: Reading) -> ir.Expr:
    """An `if`, `match` or block that stands for the `return` in it."""
    match node:
        case nodes.IfExpr():
            test = condition(need(node.condition).value, reading)
            otherwise = _effect(node.otherwise.body if node.otherwise is not None else None, reading)
            return ir.If(test.value(), test.around(_effect(node.then, reading)), otherwise)
        case nodes.MatchExpr():
            return _match(node, reading)
        case nodes.Block():
            return _sequence(node.statements, _effect(node.tail, reading), reading)
        case None:
            return ir.Lit(None)
        case _:
            raise NotLowered(node, node.text)


def _statements(body: nodes.StmtBlock | View | None, reading: Reading) -> ir.Expr:
    listed: Iterable[View] = body.statements if isinstance(body, nodes.StmtBlock) else (need(body),)
    return _sequence(tuple(listed), ir.Lit(None), reading)


def _branch(node: nodes.IfStmt, reading: Reading) -> ir.Expr:
    other = node.otherwise.body if node.otherwise is not None else None
    otherwise: ir.Expr = ir.Lit(None)
    if isinstance(other, nodes.IfStmt):
        otherwise = _branch(other, reading)
    elif other is not None:
        otherwise = _statements(other, reading)
    test = condition(node.condition, reading)
    return ir.If(test.value(), test.around(_statements(node.then, reading)), otherwise)


def _match(node: nodes.MatchStmt | nodes.MatchExpr, reading: Reading) -> ir.Expr:
    name = subject_name(node, reading)
    whole: ir.Expr = ir.Lit(None)
    arms: list[nodes.MatchArm | nodes.MatchStmtArm] = [*node.arms]
    for arm in reversed(arms):
        way = matched(arm.pattern, ir.Local(name), reading)
        test = way.condition()
        if arm.guard is not None:
            guard = way.around(lower_expr(arm.guard.condition, reading), reading)
            test = ir.Binary("&&", test, guard, BOOL)
        body = _effect(arm.value, reading) if isinstance(arm, nodes.MatchArm) else _statements(arm.body, reading)
        whole = ir.If(test, way.around(body, reading), whole)
    return ir.LetIn(name, lower_expr(node.scrutinee, reading), whole)


def _for(node: nodes.ForStmt, reading: Reading) -> ir.Expr:
    source = need(node.source)
    meaning = reading.meaning(source.name)
    if not isinstance(meaning, ToBinding):
        raise NotLowered(node, node.text)
    body = _statements(node.body, reading)
    return ir.Comprehend(reading.local(meaning.id), elements(source.source, reading), None, body)


HANDLERS.update({nodes.IfExpr: _if, nodes.Block: _block, nodes.Condition: _both})
