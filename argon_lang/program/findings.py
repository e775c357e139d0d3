"""What resolving names in one item collects: uses, problems, and the problems' usual forms."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from argon_lang.problems import Edit, Fix, ItemId, Note, Place, Problem, Related, args
from argon_lang.program.foreign import Known, known_elsewhere
from argon_lang.program.model import Declarations, Lookup, Resolution, Scope, Symbol, ToSymbol, ToType, ToVariant, Use
from argon_lang.program.paths import Segment
from argon_lang.program.types import Named
from argon_lang.syntax import kinds as K
from argon_lang.syntax.tree import Item

NAME_OF_ITEM = -1
"""As both offsets of a `Place`: the name that the item declares, found when the problem is published.

So a problem may point at another item's name without depending on where that item writes it.
"""

BEFORE_ITEM = -1
"""As both offsets of an `Edit`: in front of the item, behind the inner docs that begin its module."""

_ARTICLES = {
    "module": "a module",
    "metaxis": "an axis",
    "metatype": "a metatype",
    "metarel": "a metarel",
    "concept": "a concept",
    "relation": "a relation",
    "struct": "a struct",
    "enum": "an enum",
    "trait": "a trait",
    "fn": "a function",
    "predicate": "a derived predicate",
    "query": "a query",
    "check": "a check",
    "mutation": "a mutation",
    "test": "a test",
    "individual": "an individual",
    "standpoint": "a standpoint",
    "unsupported": "something in error",
}


@dataclass(slots=True)
class Findings:
    """Collects in the order of the text; one per item and pass."""

    uses: list[Use] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def a_kind(symbol: Symbol) -> str:
    """The kind of a symbol in the user's words, with its article."""
    return _ARTICLES[symbol.kind]


def kind_word(symbol: Symbol) -> str:
    """The kind of a symbol in the user's words, without an article."""
    return _ARTICLES[symbol.kind].split(" ", 1)[1]


def declared_at(item: ItemId) -> Place:
    """The name that `item` declares, wherever that is."""
    return Place(item, NAME_OF_ITEM, NAME_OF_ITEM)


def related_to(key: str, symbols: Iterable[Symbol], **values: object) -> tuple[Related, ...]:
    """A secondary span at the first declaration of the first of `symbols`; none when there is none."""
    items = [item for symbol in symbols for item in symbol.items]
    return (Related(key, place=declared_at(items[0]), args=args(**values)),) if items else ()


def meaning(found: Lookup) -> Resolution | None:
    """What a resolved path stands for; None on a miss."""
    if not found.symbols:
        return None
    symbol = found.symbols[0]
    if found.variant is not None:
        return ToVariant(symbol.path, found.variant)
    if symbol.kind in ("concept", "relation", "struct", "enum"):
        return ToType(Named(symbol.kind, symbol.path))
    return ToSymbol(symbol.kind, symbol.path, symbol.arity if symbol.kind == "predicate" else None)


def prefix_uses(path: tuple[Segment, ...], symbol: Symbol) -> tuple[Use, ...]:
    """Uses of the modules that a path leads through, as far as they are the symbol's own ancestors by name."""
    at = symbol.path.rpartition("::")[0]
    found: list[Use] = []
    for segment in reversed(path[:-1]):
        if not at or at.rpartition("::")[2] != segment.name:
            break
        found.append(Use(segment.start, segment.end, ToSymbol("module", at)))
        at = at.rpartition("::")[0]
    return tuple(reversed(found))


def unresolved(found: Lookup, path: tuple[Segment, ...], kind: str, declared: Iterable[Symbol] = ()) -> Problem:
    """The problem of a path that does not resolve: OE0101, OE0102 or OE0104.

    `kind` says what was sought, in the user's words (`type`, `predicate`); `declared` are the symbols of the private
    item, for a secondary span.
    """
    segment = path[min(found.failed, len(path) - 1)]
    if found.code == "OE0102":
        return _ambiguous(found, path)
    if found.code == "OE0104":
        return _private(found.candidates[0] if found.candidates else "", segment, list(declared))
    if found.hidden is not None and found.failed == 0:
        return _private(found.hidden.path, segment, [found.hidden])
    sought = kind if found.failed >= len(path) - 1 else "module"
    theirs = known_elsewhere(sought, segment.name) if found.failed == 0 else None
    if theirs is not None and not any("::" in each for each in found.candidates):
        return _foreign(theirs, segment, sought)
    imports = [each for each in found.candidates if "::" in each]
    slips = [each for each in found.candidates if "::" not in each]
    notes = [Note("suggest", args(suggestion=slips[0]))] if slips else []
    fixes = [Fix("replace", (Edit(segment.start, segment.end, slips[0]),), args(suggestion=slips[0]))] if slips else []
    if len(imports) == 1:
        values = args(path=imports[0].rpartition("::")[0], name=segment.name)
        line = f"use {imports[0]};\n"
        notes.insert(0, Note("import", values))
        fixes.insert(0, Fix("import", (Edit(BEFORE_ITEM, BEFORE_ITEM, line),), values))
    elif imports:
        listed = " or ".join(f"`{each}`" for each in imports)
        notes.insert(0, Note("imports", args(name=segment.name, candidates=listed)))
        fixes[:0] = [_import_fix(each, segment.name) for each in imports[:_MOST_IMPORTS]]
    if path[0].name == "Option" and found.failed == 1 and segment.name in ("Some", "None"):
        notes.append(Note("option", args(suggestion="is_some" if segment.name == "Some" else "is_none")))
    elif found.failed > 0:
        of = "::".join(each.name for each in path[: found.failed])
        notes.append(Note("not_in", args(of=of, name=segment.name)))
    values = args(kind=sought, name=segment.name)
    return Problem("OE0101", segment.start, segment.end, values, (), tuple(notes), tuple(fixes))


def _foreign(theirs: Known, segment: Segment, sought: str) -> Problem:
    """OE0101 of a name that is another language's."""
    edits = (Edit(segment.start, segment.end, theirs.ours),)
    fixes = (Fix("replace", edits, args(suggestion=theirs.ours), safe=False),) if theirs.ours else ()
    notes = (Note(theirs.note, args(suggestion=theirs.ours, name=segment.name)),)
    return Problem("OE0101", segment.start, segment.end, args(kind=sought, name=segment.name), (), notes, fixes)


def _import_fix(path: str, name: str) -> Fix:
    """One of several imports that would do; which one is meant only the author knows."""
    edit = Edit(BEFORE_ITEM, BEFORE_ITEM, f"use {path};\n")
    return Fix("import", (edit,), args(path=path.rpartition("::")[0], name=name), safe=False)


_MOST_IMPORTS = 5


def _ambiguous(found: Lookup, path: tuple[Segment, ...]) -> Problem:
    start, end = path[0].start, path[min(found.failed, len(path) - 1)].end
    listed = " or ".join(f"`{candidate}`" for candidate in found.candidates)
    fixes = tuple(
        Fix("replace", (Edit(start, end, candidate),), args(suggestion=candidate), safe=False)
        for candidate in found.candidates
    )
    notes = (Note("qualify", args(candidates=listed)),)
    return Problem("OE0102", start, end, args(name=path[-1].name, candidates=listed), (), notes, fixes)


def _private(path: str, segment: Segment, declared: list[Symbol]) -> Problem:
    of = path.rpartition("::")[0]
    kind = kind_word(declared[0]) if declared else "item"
    related = related_to("declared", declared, name=segment.name)
    values = args(kind=kind, name=segment.name, of=of)
    note = Note("make_public") if of.split("::")[0] == "pkg" else Note("other_package", args(of=of.split("::")[0]))
    return Problem("OE0104", segment.start, segment.end, values, related, (note,))


def as_variant(name: str, scope: Scope, declarations: Declarations) -> str | None:
    """`Enum::name`, when a visible enum has such a variant."""
    for shown, symbols in sorted(scope.names().items()):
        for symbol in symbols:
            if symbol.kind == "enum" and declarations.variant(Named("enum", symbol.path), name) is not None:
                return f"{shown}::{name}"
    return None


def wrong_kind(symbol: Symbol, segment: Segment, expected: str) -> Problem:
    """OE0201: the name means something, and not the kind of thing that belongs here."""
    values = args(name=segment.name, found=a_kind(symbol), expected=expected)
    return Problem("OE0201", segment.start, segment.end, values, related_to("declared", (symbol,), name=segment.name))


def insertion_point(item: Item) -> int:
    """Where `BEFORE_ITEM` is: behind leading `//!` lines and the blank ones that follow them, else the start."""
    place = offset = 0
    behind = False
    for kind, token in zip(item.kinds, item.tokens, strict=True):
        if kind not in _LEADING:
            break
        offset += len(token)
        behind = behind or kind == K.INNER_DOC
        place = offset if behind else place
    return place


_LEADING = frozenset((K.WHITESPACE, K.NEWLINE, K.INNER_DOC))
