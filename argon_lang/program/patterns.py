"""Patterns of `match` and `is` as plain values, and which values a list of them leaves over (language §3.10).

The search is the usefulness test of pattern matrices: a first column is split by the cases of its type, or, where these
are not all named, by the default. Maranget, Warnings for pattern matching, JFP 2007.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from argon_lang.program.model import Declarations
from argon_lang.program.types import BOOL, Named, Type


@dataclass(frozen=True, slots=True)
class Anything:
    """`_`, or a name."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A literal or an individual, by its text."""

    text: str


@dataclass(frozen=True, slots=True)
class Case:
    """One case of a type with its parts: an enum's variant, a struct (whose only case has no name)."""

    name: str
    parts: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """`a | b`."""

    alternatives: tuple[Pattern, ...]


Pattern = Anything | Constant | Case | Either
Row = tuple[Pattern, ...]
ANYTHING = Anything()
MOST_WITNESSES = 5
"""How many of the values that are left over are named."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """A case of a type: its name, how it is written, the types of its parts and their names if they have any."""

    name: str
    shown: str
    types: tuple[Type, ...]
    fields: tuple[str, ...] | None = None

    def text(self, parts: Sequence[str]) -> str:
        """The case with parts written in."""
        if self.fields is not None:
            known = [f"{name}: {part}" for name, part in zip(self.fields, parts, strict=True) if part != "_"]
            rest = [".."] if len(known) < len(parts) else []
            return f"{self.shown} {{ {', '.join([*known, *rest])} }}" if parts else self.shown
        return f"{self.shown}({', '.join(parts)})" if parts else self.shown


def uncovered(patterns: Sequence[Pattern], ty: Type, declarations: Declarations) -> list[str]:
    """Patterns, as text, of values that none of `patterns` matches; the first few."""
    found = _missing([(pattern,) for pattern in patterns], (ty,), declarations)
    return [witness[0] for witness, _ in zip(found, range(MOST_WITNESSES), strict=False)]


def _missing(rows: list[Row], types: tuple[Type, ...], declarations: Declarations) -> Iterator[tuple[str, ...]]:
    if not types:
        if not rows:
            yield ()
        return
    rows = [flat for row in rows for flat in _opened(row)]
    shapes = _shapes(types[0], declarations)
    heads = {row[0].name for row in rows if isinstance(row[0], Case)}
    if not heads and any(isinstance(row[0], Anything) for row in rows):
        shapes = ()
    for shape in shapes:
        inner = [taken for row in rows if (taken := _taken(row, shape)) is not None]
        count = len(shape.types)
        for witness in _missing(inner, (*shape.types, *types[1:]), declarations):
            yield (shape.text(witness[:count]), *witness[count:])
    if not shapes:
        for witness in _missing([row[1:] for row in rows if isinstance(row[0], Anything)], types[1:], declarations):
            yield ("_", *witness)


def _opened(row: Row) -> Iterator[Row]:
    """The rows that `a | b` in first place stands for."""
    if isinstance(row[0], Either):
        for each in row[0].alternatives:
            yield from _opened((each, *row[1:]))
    else:
        yield row


def _taken(row: Row, shape: _Shape) -> Row | None:
    """The row of what a case leaves to be matched; None when it does not match the case."""
    first = row[0]
    if isinstance(first, Case) and first.name == shape.name:
        return (*first.parts, *row[1:])
    return (*[ANYTHING] * len(shape.types), *row[1:]) if isinstance(first, Anything) else None


def _shapes(ty: Type, declarations: Declarations) -> tuple[_Shape, ...]:
    """All cases of a type; none for one of endlessly many values."""
    if ty == BOOL:
        return _Shape("true", "true", ()), _Shape("false", "false", ())
    if isinstance(ty, Named) and ty.kind == "enum" and (enum := declarations.enum(ty.path)) is not None:
        short = ty.path.rsplit("::", 1)[-1]
        cases = (declarations.variant(ty, each.name) or each for each in enum.variants) if ty.args else enum.variants
        return tuple(
            _Shape(
                each.name,
                f"{short}::{each.name}",
                tuple(part.type for part in each.payload),
                None if each.positional else tuple(part.name for part in each.payload),
            )
            for each in cases
        )
    if isinstance(ty, Named) and ty.kind == "struct":
        fields = declarations.fields(ty)
        names, types = tuple(each.name for each in fields), tuple(each.type for each in fields)
        return (_Shape("", ty.path.rsplit("::", 1)[-1], types, names),)
    return ()
