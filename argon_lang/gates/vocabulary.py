"""What only all metatypes and axes together show (language §3.1): OE0604 and OE0607."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from argon_lang.engine.display import display
from argon_lang.engine.exprs import Context, Functions, evaluate_expression
from argon_lang.engine.governor import Governor, Limits
from argon_lang.errors import ArgonError
from argon_lang.gates.rules import Findings
from argon_lang.ir.expr import Expr
from argon_lang.ir.lower.expr import lower_expr
from argon_lang.ir.lower.item import is_sound
from argon_lang.ir.lower.literals import literal_value
from argon_lang.ir.lower.reading import Reading
from argon_lang.ir.module import Function
from argon_lang.ir.values import Value
from argon_lang.problems import Note, Problem, args
from argon_lang.program.findings import related_to
from argon_lang.program.model import Choice, MetatypeSig
from argon_lang.program.paths import names
from argon_lang.program.view import ProgramView, Unit
from argon_lang.syntax import kinds as K
from argon_lang.syntax import nodes
from shared_catalog import render

_CHOOSING = frozenset((K.N_METATYPE_DECL, K.N_METAREL_DECL, K.N_CONCEPT_DECL))
_NO_TIME = datetime(1970, 1, 1, tzinfo=UTC)
"""A condition on an axis is decided when the program is built; a clock has no say in it."""


def check_vocabulary(view: ProgramView, functions: Iterable[Function], findings: Findings) -> None:
    """Report metatypes that make the choices of a fixed one, and values that the condition of their axis refuses."""
    units = [unit for unit in view.units() if unit.item.kind in _CHOOSING and is_sound(unit)]
    _check_fixed([unit for unit in units if unit.item.kind == K.N_METATYPE_DECL], findings)
    axes = (unit for unit in view.units() if unit.item.kind == K.N_METAXIS_DECL)
    conditions = {path: found for unit in axes for path, found in _condition(unit)}
    known = Functions(functions) if conditions else Functions()
    for unit in units if conditions else ():
        for setting in _literals(unit):
            findings.add(unit.id, *_refused(unit, setting, conditions, known))


# -- OE0604 -----------------------------------------------------------------------------------------------------------


def _check_fixed(units: list[Unit], findings: Findings) -> None:
    fixed: dict[frozenset[Choice], MetatypeSig] = {}
    listed = [(unit, sig) for unit in units for sig in unit.signatures if isinstance(sig, MetatypeSig)]
    for _, sig in listed:
        if sig.fixed:
            fixed.setdefault(frozenset(sig.choices), sig)
    for unit, sig in listed:
        first = fixed.get(frozenset(sig.choices))
        root = unit.item.root
        if first is not None and first.path != sig.path and isinstance(root, nodes.MetatypeDecl) and root.name:
            values = args(name=_short(sig.path), of=_short(first.path))
            related = related_to("fixed", unit.declarations.symbols(first.path), of=_short(first.path))
            notes = (Note("differ", args(of=_short(first.path))),)
            findings.add(unit.id, Problem("OE0604", root.name.start, root.name.end, values, related, notes))


# -- OE0607 -----------------------------------------------------------------------------------------------------------


Conditions = dict[str, tuple[Expr, str]]
"""Of each typed axis with a condition: the condition over the local `_`, and its source text."""


def _condition(unit: Unit) -> Iterator[tuple[str, tuple[Expr, str]]]:
    root = unit.item.root
    if not isinstance(root, nodes.MetaxisDecl) or not is_sound(unit):
        return
    where = root.type.where if root.type is not None else None
    if where is not None and where.condition is not None:
        yield unit.signatures[0].path, (lower_expr(where.condition, Reading(unit)), where.condition.text)


def _literals(unit: Unit) -> Iterator[nodes.AxisSetting]:
    for each in unit.item.root.descendants():
        if isinstance(each, nodes.AxisSetting) and each.value is not None and each.value.literal is not None:
            yield each


def _refused(unit: Unit, setting: nodes.AxisSetting, conditions: Conditions, functions: Functions) -> Iterator[Problem]:
    symbols = unit.scope.lookup(names(setting.axis)).symbols if setting.axis else ()
    path = next((each.path for each in symbols if each.kind == "metaxis"), "")
    literal = setting.value.literal if setting.value is not None else None
    if path not in conditions or literal is None or literal.token is None:
        return
    condition, text = conditions[path]
    value = literal_value(literal.token, unit.inference.types[literal.index])
    reason = _why_not(condition, value, functions)
    if reason is not None:
        values = args(name=_short(path), expected=text, found=display(value))
        related = related_to("axis", unit.declarations.symbols(path), name=_short(path))
        notes = (Note("computed", args(found=reason)),) if reason else ()
        yield Problem("OE0607", literal.start, literal.end, values, related, notes)


def _why_not(condition: Expr, value: Value, functions: Functions) -> str | None:
    """Why a value does not satisfy a condition (empty: it is false); None when it does."""
    try:
        context = Context(_NO_TIME, Governor(Limits()))
        found = evaluate_expression(functions.compile(condition, ("_",)), context, value)
    except ArgonError as error:
        return render.message(error.code, error.args_)
    return None if found is True else ""


def _short(path: str) -> str:
    return path.rsplit("::", 1)[-1]
