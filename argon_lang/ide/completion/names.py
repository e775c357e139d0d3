"""Names that fit a place: what the module sees, and what it would see by one more `use`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from argon_lang.ide.completion.model import Candidate, Kind
from argon_lang.ide.completion.spot import Spot
from argon_lang.ide.signature import headline
from argon_lang.ide.symbols import closeness
from argon_lang.problems import Location, Replacement
from argon_lang.program.lookup import can_see
from argon_lang.program.model import Symbol, SymbolKind
from argon_lang.program.types import Unknown, show
from argon_lang.queries import program
from argon_lang.syntax import kinds as K

TYPES: frozenset[str] = frozenset(("concept", "struct", "enum", "relation", "trait", "module", "standpoint"))
SUBJECTS: frozenset[str] = frozenset(("concept", "relation", "predicate", "module", "standpoint"))
METATYPES: frozenset[str] = frozenset(("metatype", "metarel"))
ATOMS: frozenset[str] = frozenset((
    "predicate", "concept", "relation", "individual", "enum", "fn", "query", "module", "standpoint", "trait",
))  # fmt: skip
VALUES: frozenset[str] = frozenset((
    "fn", "query", "predicate", "individual", "enum", "struct", "module", "standpoint", "mutation", "concept",
    "relation",
))  # fmt: skip
MODULES: frozenset[str] = frozenset(("module",))

_KINDS: dict[str, Kind] = {
    "module": "module", "standpoint": "module", "metaxis": "type", "metatype": "type", "metarel": "type",
    "concept": "class", "trait": "class", "relation": "relation", "struct": "struct", "enum": "enum",
    "fn": "function", "query": "query", "predicate": "predicate", "check": "check", "mutation": "mutation",
    "individual": "individual",
}  # fmt: skip
_CALLED = frozenset(("fn", "query", "predicate", "mutation"))
_LOCAL, _OWN, _AMBIENT, _IMPORT = 0, 1, 2, 5


def locals_(spot: Spot) -> Iterator[Candidate]:
    """The locals that are in force at the place."""
    seen: set[str] = set()
    rule = spot.tree.kind in (K.N_DERIVE_DECL, K.N_CHECK_DECL, K.N_QUERY_DECL)
    for each in reversed(spot.inference.bindings):
        before = rule or each.start < spot.at
        if each.kind == "wildcard" or each.name in seen or each.start == spot.at or not before:
            continue
        if each.scope == -1 or _holds(spot, each.scope):
            seen.add(each.name)
            detail = "" if isinstance(each.type, Unknown) else f": {show(each.type)}"
            yield Candidate(each.name, "local", detail, rank=_LOCAL)


def _holds(spot: Spot, scope: int) -> bool:
    view = spot.tree.view(scope)
    return view.start <= spot.at < view.end


def in_scope(spot: Spot, kinds: frozenset[str], *, called: bool = True) -> Iterator[Candidate]:
    """What the module sees under a name, of some kinds. `called`: functions come with their brackets."""
    for name, symbols in spot.db.scope(spot.module).names().items():
        for each in _of_kinds(symbols, kinds) if closeness(spot.prefix, name) is not None else ():
            own = each.module == spot.module
            yield candidate(spot, each, name, _OWN if own else _AMBIENT, called=called)


def importable(spot: Spot, kinds: frozenset[str], *, called: bool = True) -> Iterator[Candidate]:
    """What another module of the package, or a std package, declares: it comes with the `use` that it needs."""
    seen, world, place = spot.db.scope(spot.module).names(), spot.db.world(), _use_place(spot)
    for path, symbols in _everything(spot):
        name = path.rsplit("::", 1)[-1]
        if name in seen or closeness(spot.prefix, name) is None:
            continue
        for each in _of_kinds(symbols, kinds - MODULES):
            bounds = world.names.get(each.module, {}).get(name, ())
            visible = any(bound.symbol == each and can_see(world, spot.module, each.module, bound) for bound in bounds)
            if visible or program.is_std(path):
                yield candidate(spot, each, name, _IMPORT, called=called, edits=(place.edit(path),))


def _everything(spot: Spot) -> Iterator[tuple[str, tuple[Symbol, ...]]]:
    yield from spot.db.all_symbols().items()
    if spot.db.base is not None:
        yield from (
            (path, found) for path, found in spot.db.base.all_symbols().items() if found[0].visibility == "public"
        )


@dataclass(frozen=True, slots=True)
class _UsePlace:
    """Where the next `use` of a module goes, and what parts it from its neighbours."""

    location: Location
    before: str
    after: str

    def edit(self, path: str) -> Replacement:
        return Replacement(self.location, f"{self.before}use {path};{self.after}")


def _use_place(spot: Spot) -> _UsePlace:
    """Behind the last `use` of the module in this file, else before its first item."""
    document = spot.db.documents()[spot.file]
    listed = zip(spot.db.items(spot.file), document.items, document.starts, strict=True)
    own = [(tree, start) for item, tree, start in listed if spot.db.module_of(item) == spot.module]
    uses = [(tree, start) for tree, start in own if tree.kind == K.N_USE_DECL]
    if uses:
        tree, start = uses[-1]
        at, indent = start + tree.root.end, _indent(document.text, start + tree.root.start)
        return _UsePlace(Location(spot.file, at, at), f"\n{indent}", "")
    at = own[0][1] + _first_place(own[0][0].kinds, own[0][0].tokens) if own else 0
    return _UsePlace(Location(spot.file, at, at), "", f"\n{_indent(document.text, at)}")


def _indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line if line.isspace() else ""


def _first_place(kinds: Iterable[int], tokens: Iterable[str]) -> int:
    """Of an item, where its own docs or first token begin: comments above them stay above."""
    at = 0
    for kind, text in zip(kinds, tokens, strict=False):
        if kind > K.ERROR or kind == K.OUTER_DOC:
            break
        at += len(text)
    return at


def inside(spot: Spot, path: tuple[str, ...], kinds: frozenset[str] | None = None) -> Iterator[Candidate]:
    """What a module, an enum, a trait or a standpoint holds, as far as this module may see it."""
    found = spot.db.scope(spot.module).lookup(path)
    enum = next((each for each in found.symbols if each.kind == "enum"), None)
    if enum is not None:
        signature = spot.db.declarations.enum(enum.path)
        for each in signature.variants if signature is not None else ():
            yield Candidate(each.name, "variant", enum.name, rank=_LOCAL)
    for trait in (each for each in found.symbols if each.kind == "trait"):
        for member in spot.db.world().provided.get(trait.path, ()):
            if kinds is None or member.kind in kinds:
                yield candidate(spot, member, member.name, _LOCAL, called=kinds is not None)
    holder = next((each for each in found.symbols if each.kind in ("module", "standpoint")), None)
    if holder is None:
        return
    world = spot.db.base.world() if spot.db.base is not None and program.is_std(holder.path) else spot.db.world()
    for name, bounds in world.names.get(holder.path, {}).items():
        for bound in bounds:
            if can_see(world, spot.module, holder.path, bound) and (kinds is None or bound.symbol.kind in kinds):
                yield candidate(spot, bound.symbol, name, _OWN, called=kinds is not None)


def std_packages(spot: Spot) -> Iterator[Candidate]:
    """The std packages by name."""
    if spot.db.base is not None:
        for path in sorted(name for name in spot.db.base.world().names if name.count("::") == 1):
            yield Candidate(path.split("::")[1], "module", path, rank=_AMBIENT)


def candidate(
    spot: Spot,
    symbol: Symbol,
    name: str,
    rank: int,
    *,
    called: bool = True,
    edits: tuple[Replacement, ...] = (),
) -> Candidate:
    """A symbol as an offer."""
    detail = headline(spot.db, symbol)
    insert = _call(spot, symbol, name) if called else ""
    return Candidate(name, _KINDS.get(symbol.kind, "type"), detail, insert, bool(insert), rank, edits, symbol)


def _call(spot: Spot, symbol: Symbol, name: str) -> str:
    """`name(${1:x}, ${2:y})`; empty for what is not called."""
    if symbol.kind == "relation":
        relation = spot.db.declarations.relation(symbol.path)
        params = [end.name for end in relation.ends] if relation is not None else []
    elif symbol.kind in _CALLED:
        kind: SymbolKind = symbol.kind
        signature = spot.db.declarations.callable(kind, symbol.path, symbol.arity)
        params = [each.name for each in signature.params] if signature is not None else []
    else:
        return ""
    return f"{name}({', '.join(f'${{{n}:{each}}}' for n, each in enumerate(params, 1))})"


def _of_kinds(symbols: Iterable[Symbol], kinds: frozenset[str]) -> Iterator[Symbol]:
    return (each for each in symbols if each.kind in kinds)
