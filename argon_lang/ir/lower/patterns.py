"""`match`, `is` and comprehensions (language §3.10) as conditions, `let`s and parts of values."""

from __future__ import annotations

from dataclasses import dataclass, field

from argon_lang.ir import expr as ir
from argon_lang.ir.lower.constants import constant
from argon_lang.ir.lower.expr import HANDLERS, find_variant, lower_expr
from argon_lang.ir.lower.literals import literal_value
from argon_lang.ir.lower.reading import NotLowered, Reading
from argon_lang.ir.lower.values import elements
from argon_lang.ir.values import Entity
from argon_lang.program.model import ToBinding, ToSymbol, ToVariant
from argon_lang.program.paths import name_of
from argon_lang.program.types import BOOL
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View, need


@dataclass(slots=True)
class Matched:
    """What a pattern asks of a value, in order, and what its names stand for: local and value by written name."""

    tests: list[ir.Expr] = field(default_factory=list)
    names: dict[str, tuple[str, ir.Expr]] = field(default_factory=dict)

    def condition(self) -> ir.Expr:
        """All tests together."""
        whole: ir.Expr | None = None
        for test in self.tests:
            whole = test if whole is None else ir.Binary("&&", whole, test, BOOL)
        return whole if whole is not None else ir.Lit(True)

    def guarded(self) -> list[tuple[str, ir.Expr]]:
        """The names' values, none where the pattern does not match."""
        if not self.tests:
            return list(self.names.values())
        nothing = ir.Lit(None)
        return [(local, ir.If(self.condition(), value, nothing)) for local, value in self.names.values()]

    def around(self, body: ir.Expr, reading: Reading) -> ir.Expr:
        """`body` with the names bound. In a rule, whose reads are taken whatever arm is chosen, values are guarded."""
        for local, value in reversed(self.guarded() if reading.in_rule else list(self.names.values())):
            body = ir.LetIn(local, value, body)
        return body


def subject_name(node: View, reading: Reading) -> str:
    """The local that holds what is matched."""
    return f"{'$' if reading.in_rule else ''}match{node.index}"


def matched(pattern: nodes.Pattern | None, value: ir.Expr, reading: Reading) -> Matched:
    """What a pattern asks of `value`."""
    found = Matched()
    _pattern(need(pattern), value, reading, found)
    return found


def _pattern(node: View, value: ir.Expr, reading: Reading, found: Matched) -> None:
    match node:
        case nodes.WildcardPattern():
            return
        case nodes.BindingPattern():
            _bind(node, name_of(node.name), value, reading, found)
        case nodes.LiteralPattern():
            found.tests.append(ir.Binary("==", value, _literal(node, reading), BOOL))
        case nodes.PathPattern():
            _path(node, value, reading, found)
        case nodes.TuplePattern():
            variant = _variant(node, reading)
            found.tests.append(ir.IsCase(value, variant.variant))
            for index, each in enumerate(node.elements):
                _pattern(each, ir.GetPayload(value, variant.variant, index, False), reading, found)
        case nodes.RecordPattern():
            _record(node, value, reading, found)
        case nodes.OrPattern():
            _either(node, value, reading, found)
        case _:
            raise NotLowered(node, node.text)


def _bind(node: View, name: str | None, value: ir.Expr, reading: Reading, found: Matched) -> None:
    meaning = reading.meaning(node)
    if name is None or not isinstance(meaning, ToBinding):
        raise NotLowered(node, node.text)
    found.names[name] = (reading.local(meaning.id), value)


def _literal(node: nodes.LiteralPattern, reading: Reading) -> ir.Lit:
    literal = need(node.literal)
    value = ir.Lit(literal_value(need(literal.token), reading.type_of(literal)))
    if not node.negative:
        return value
    negative = constant(ir.Unary("-", value, reading.type_of(literal)))
    if negative is None:
        raise NotLowered(node, node.text)
    return negative


def _path(node: nodes.PathPattern, value: ir.Expr, reading: Reading, found: Matched) -> None:
    match reading.meaning(node):
        case ToVariant(_, variant):
            found.tests.append(ir.IsCase(value, variant))
        case ToSymbol("individual", path):
            found.tests.append(ir.Binary("==", value, ir.Lit(Entity(path)), BOOL))
        case _:
            raise NotLowered(node, node.text)


def _variant(node: View, reading: Reading) -> ToVariant:
    meaning = reading.meaning(node)
    if not isinstance(meaning, ToVariant):
        raise NotLowered(node, node.text)
    return meaning


def _record(node: nodes.RecordPattern, value: ir.Expr, reading: Reading, found: Matched) -> None:
    meaning = reading.meaning(node)
    if isinstance(meaning, ToVariant):
        sig = need(find_variant(reading, meaning.enum, meaning.variant))
        places = {each.name: index for index, each in enumerate(sig.payload)}
        found.tests.append(ir.IsCase(value, meaning.variant))
    for each in node.fields:
        name = need(name_of(each.name))
        part: ir.Expr = ir.GetMember(value, name)
        if isinstance(meaning, ToVariant):
            part = ir.GetPayload(value, meaning.variant, places[name], True)
        if each.pattern is not None:
            _pattern(each.pattern, part, reading, found)
        else:
            _bind(each, name, part, reading, found)


def _either(node: nodes.OrPattern, value: ir.Expr, reading: Reading, found: Matched) -> None:
    """The first alternative that matches says what the names stand for; they are the first one's locals."""
    ways = [matched(each, value, reading) for each in node.alternatives]
    condition = ways[-1].condition()
    for way in reversed(ways[:-1]):
        condition = ir.Binary("||", way.condition(), condition, BOOL)
    found.tests.append(condition)
    for name, (local, last) in ways[0].names.items():
        chosen = ways[-1].names[name][1] if len(ways) > 1 else last
        for way in reversed(ways[:-1]):
            chosen = ir.If(way.condition(), way.names[name][1], chosen)
        found.names[name] = (local, chosen)


# -- expressions ------------------------------------------------------------------------------------------------------


def _match(node: nodes.MatchExpr, reading: Reading) -> ir.Expr:
    """Arms from the last to the first; the last one without a guard is what remains."""
    name = subject_name(node, reading)
    plain = [index for index, arm in enumerate(node.arms) if arm.guard is None]
    if not plain:
        raise NotLowered(node, node.text)
    whole: ir.Expr | None = None
    for arm in reversed(node.arms[: plain[-1] + 1]):
        way = matched(arm.pattern, ir.Local(name), reading)
        value = way.around(lower_expr(arm.value, reading), reading)
        if whole is None:
            whole = value
            continue
        condition = way.condition()
        if arm.guard is not None:
            guard = way.around(lower_expr(arm.guard.condition, reading), reading)
            condition = ir.Binary("&&", condition, guard, BOOL) if way.tests else guard
        whole = ir.If(condition, value, whole)
    return ir.LetIn(name, lower_expr(node.scrutinee, reading), whole or ir.Lit(None))


def _is(node: nodes.IsExpr, reading: Reading) -> ir.Expr:
    name = subject_name(node, reading)
    way = matched(node.pattern, ir.Local(name), reading)
    return ir.LetIn(name, lower_expr(node.value, reading), way.condition())


def _comprehension(node: nodes.Comprehension, reading: Reading) -> ir.Expr:
    source = need(node.source)
    meaning = reading.meaning(source.name)
    if not isinstance(meaning, ToBinding):
        raise NotLowered(node, node.text)
    condition = lower_expr(node.where.condition, reading) if node.where is not None else None
    items, element = elements(source.source, reading), lower_expr(node.element, reading)
    return ir.Comprehend(reading.local(meaning.id), items, condition, element)


HANDLERS.update({nodes.MatchExpr: _match, nodes.IsExpr: _is, nodes.Comprehension: _comprehension})
