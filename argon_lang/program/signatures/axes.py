"""What an axis says to the values that are chosen on it: OE0602 and OE0603 (language.md §3.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from argon_lang.problems import Edit, Fix, Note, Problem, args
from argon_lang.program.declarations import Table
from argon_lang.program.findings import related_to
from argon_lang.program.model import Choice, MetaxisSig
from argon_lang.program.spelling import near
from argon_lang.program.types import Named
from argon_lang.syntax import nodes


def wrong_choices(
    written: Sequence[nodes.AxisSetting], choices: Iterable[Choice], bearer: str, table: Table
) -> Iterator[Problem]:
    """Problems of the values that a metatype, metarel or concept (`bearer`) chooses; `choices` in their order.

    A concept speaks for its metatype: it may take a value on every axis that is for metatypes.
    """
    for each, choice in zip(written, choices, strict=False):
        axis = table.metaxis(choice.axis)
        if axis is not None:
            target = "metatype" if bearer == "concept" else bearer
            found = _wrong_target(each, axis, bearer, table) if target not in axis.targets else None
            found = found or _not_on_axis(each, choice, axis, table)
            yield from (found,) if found is not None else ()


def _wrong_target(written: nodes.AxisSetting, axis: MetaxisSig, bearer: str, table: Table) -> Problem | None:
    at = written.axis
    if at is None or not axis.targets:
        return None
    expected = " and ".join(f"{target}s" for target in axis.targets)
    values = args(name=_short(axis.path), expected=expected, found=bearer)
    related = related_to("axis", table.symbols(axis.path), name=_short(axis.path))
    fixes = (Fix("remove", (_removal(written),), safe=False),)
    return Problem("OE0603", at.start, at.end, values, related, (Note("target"),), fixes)


def _removal(written: nodes.AxisSetting) -> Edit:
    """The value with the comma and the blanks behind it."""
    text, end = written.item.text, written.end
    while end < len(text) and text[end] in " ,":
        end += 1
    return Edit(written.start, end, "")


def _not_on_axis(written: nodes.AxisSetting, choice: Choice, axis: MetaxisSig, table: Table) -> Problem | None:
    """OE0602; a literal on a typed axis is a matter of its type."""
    at = written.value
    known = _values(axis, table)
    if at is None or not choice.value or (axis.type is not None and choice.literal):
        return None
    if choice.value in known and not choice.literal:
        return None
    notes: tuple[Note, ...] = ()
    fixes: tuple[Fix, ...] = ()
    close = near(choice.value, known, 1)
    if close:
        notes = (Note("suggest", args(suggestion=close[0])),)
        fixes = (Fix("replace", (Edit(at.start, at.end, close[0]),), args(suggestion=close[0])),)
    elif known:
        notes = (Note("values", args(candidates=", ".join(f"`{name}`" for name in known))),)
    related = related_to("axis", table.symbols(axis.path), of=_short(axis.path))
    values = args(name=choice.value, of=_short(axis.path))
    return Problem("OE0602", at.start, at.end, values, related, notes, fixes)


def _values(axis: MetaxisSig, table: Table) -> tuple[str, ...]:
    """The names that stand for values of an axis: those listed, or the cases of its enum."""
    enum = table.enum(axis.type.path) if isinstance(axis.type, Named) and axis.type.kind == "enum" else None
    return axis.values if enum is None else tuple(each.name for each in enum.variants if not each.payload)


def _short(path: str) -> str:
    return path.rsplit("::", 1)[-1]
