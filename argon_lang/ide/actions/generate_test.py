"""Generate a test for a rule: what it derives from the declared facts now, or else a small world in which to try it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from decimal import Decimal

from argon_lang.engine.governor import Governor, Limits
from argon_lang.engine.model import Model, compile_program, evaluate
from argon_lang.errors import ArgonError
from argon_lang.gates.states import valid_at
from argon_lang.ide.actions.spot import Spot, fresh_name
from argon_lang.ide.names import own_symbol
from argon_lang.ir.module import Module
from argon_lang.ir.text_forms import show_decimal, show_instant
from argon_lang.ir.values import Entity, EnumValue, Row, Value
from argon_lang.problems import Replacement
from argon_lang.program.model import Declarations, FieldSig, Symbol
from argon_lang.program.types import ListOf, Named, OptionOf, Primitive, Type
from argon_lang.syntax import nodes

TITLE = "Generate a test for the rule"
KIND = "refactor"

_SHOWN = 3
"""How many derived rows a test asserts."""

_LIMITS = Limits(timeout_ms=2_000, max_derived=200_000)

_SAMPLES = {
    "Bool": "true", "Int": "1", "Nat": "1", "Real": "1", "Decimal": "1.0", "Money": "1.00", "f64": "1.0",
    "String": '"a"', "Date": "#2026-01-31#", "DateTime": "#2026-01-31T12:00:00Z#", "Duration": "1.days",
}  # fmt: skip


def offered(spot: Spot) -> bool:
    """Whether the selection is at the head of a rule."""
    symbol, root = _predicate(spot), spot.tree.root
    if symbol is None or not isinstance(root, nodes.DeriveDecl) or root.head is None:
        return False
    return spot.start <= root.head.end and _columns(spot, symbol) is not None


def edits(spot: Spot) -> tuple[Replacement, ...]:
    """The test, behind the rule."""
    symbol = _predicate(spot)
    columns = _columns(spot, symbol) if symbol is not None else None
    if symbol is None or columns is None:
        return ()
    lines = _from_facts(spot, symbol) or _Small(spot).lines(symbol, columns)
    body = "\n".join(lines)
    return (spot.beside(f'test "{_title(spot, symbol)}" {{\n{body}\n}}\n', before=False),) if lines else ()


def _predicate(spot: Spot) -> Symbol | None:
    symbol = own_symbol(spot.db, spot.item, spot.tree) if isinstance(spot.tree.root, nodes.DeriveDecl) else None
    return symbol if symbol is not None and symbol.kind == "predicate" else None


def _columns(spot: Spot, symbol: Symbol) -> tuple[Type, ...] | None:
    signature = spot.db.declarations.callable("predicate", symbol.path, symbol.arity)
    return tuple(each.type for each in signature.params) if signature is not None else None


def _title(spot: Spot, symbol: Symbol) -> str:
    titles = {
        root.title.text.strip('"')
        for item in spot.db.items(spot.item.file)
        if (tree := spot.db.tree(item)) and isinstance(root := tree.root, nodes.TestDecl) and root.title is not None
    }
    return fresh_name(f"{symbol.name} holds", titles)


# -- what the declared facts say ---------------------------------------------------------------------------------------


def _from_facts(spot: Spot, symbol: Symbol) -> list[str]:
    """The first rows of the predicate over the declared facts, each as an assertion; none while something is wrong."""
    module = spot.db.module()
    model = _evaluated(module) if module is not None else None
    if model is None:
        return []
    rows = model.rows(f"{symbol.path}/{symbol.arity}")
    written = (_arguments(spot, row) for row in rows)
    found = [each for each in written if each is not None]
    return [f"assert derivable {symbol.name}({each});" for each in found[:_SHOWN]]


def _evaluated(module: Module) -> Model | None:
    now = datetime.now(UTC)
    try:
        return evaluate(compile_program(module), valid_at(module.facts, now), now, Governor(_LIMITS))
    except ArgonError:
        return None


def _arguments(spot: Spot, row: Row) -> str | None:
    words = [_written(spot, each) for each in row]
    return ", ".join(each for each in words if each is not None) if None not in words else None


def _written(spot: Spot, value: Value) -> str | None:
    """A value as it is written in a source; None where it has no such form."""
    match value:
        case bool():
            return str(value).lower()
        case int():
            return str(value)
        case Decimal():
            return show_decimal(value, 1)
        case datetime():
            return f"#{show_instant(value)}#"
        case date():
            return f"#{value.isoformat()}#"
        case str() if value.isprintable() and not set(value) & {'"', "\\"}:
            return f'"{value}"'
        case Entity(name) if "::" in name:
            return _path(spot, name)
        case EnumValue(enum, variant, payload) if not payload:
            return f"{_path(spot, enum)}::{variant}"
        case _:
            return None


def _path(spot: Spot, path: str) -> str:
    """The name under which something is seen here, or its whole path."""
    seen = spot.db.scope(spot.module or "pkg").names()
    return next((name for name, found in seen.items() if any(each.path == path for each in found)), path)


# -- a small world -----------------------------------------------------------------------------------------------------


@dataclass
class _Small:
    """A world of one individual for each column: what the rule would have to say about it is left to the author."""

    spot: Spot
    made: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)

    def lines(self, symbol: Symbol, columns: Iterable[Type]) -> list[str]:
        """The statements; none where something cannot be made."""
        words = [self.sample(each, ()) for each in columns]
        if None in words:
            return []
        given = ", ".join(each for each in words if each is not None)
        return [*self.made, f"assert not derivable {symbol.name}({given});"]

    def sample(self, wanted: Type, above: tuple[str, ...]) -> str | None:
        """A value of a type; `above` are the concepts that are being made for the sake of it."""
        match wanted:
            case Primitive(name):
                return _SAMPLES.get(name)
            case Named("enum", path):
                enum = self.spot.db.declarations.enum(path)
                plain = [each.name for each in enum.variants if not each.payload] if enum is not None else []
                return f"{_path(self.spot, path)}::{plain[0]}" if plain else None
            case Named("concept", path, ()) if path not in above:
                return self.mint(path, (*above, path))
            case _:
                return None

    def mint(self, path: str, above: tuple[str, ...]) -> str | None:
        """A new individual with everything that it must have."""
        if not _has_instances(self.spot.db.declarations, path):
            return None
        fields = [each for each in self.spot.db.declarations.fields(Named("concept", path)) if _required(each)]
        given = [(each.name, self.sample(each.type, above)) for each in fields]
        if any(word is None for _, word in given):
            return None
        name = fresh_name(path.rpartition("::")[2].lower(), self.names)
        self.names.append(name)
        inits = ", ".join(f"{each}: {word}" for each, word in given)
        self.made.append(f"let {name} = insert {_path(self.spot, path)} {{ {inits} }};")
        return name


def _has_instances(declarations: Declarations, path: str) -> bool:
    """Whether an individual of just this concept can be made: no other one is told by its fields, or by its heirs."""
    concept = declarations.concept(path)
    metatype = declarations.metatype(concept.metatype) if concept is not None else None
    return concept is not None and not concept.derived and not (metatype is not None and metatype.abstract)


def _required(each: FieldSig) -> bool:
    optional = isinstance(each.type, OptionOf) or (isinstance(each.type, ListOf) and not each.type.low)
    return not (each.has_default or each.view is not None or optional)
