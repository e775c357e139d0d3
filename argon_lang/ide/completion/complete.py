"""Completion: the candidates that fit the place, ranked by how near they are and by the type that is wanted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from argon_lang.ide.completion import names, traits, words
from argon_lang.ide.completion.expected import expected_type, type_of
from argon_lang.ide.completion.members import fields_in_braces, members
from argon_lang.ide.completion.model import Candidate, Completions
from argon_lang.ide.completion.spot import Spot, spot_at
from argon_lang.ide.symbols import closeness
from argon_lang.problems import Location
from argon_lang.program.paths import names as path_names
from argon_lang.program.paths import segments
from argon_lang.program.signatures.attributes import KNOWN
from argon_lang.queries.database import Database
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View

MOST = 200
"""Offers in one answer; more letters bring the others."""

_ATOM_PLACES = (
    nodes.Body, nodes.ExistsAtom, nodes.NegatedAtom, nodes.FromClause, nodes.WhereAtoms, nodes.OptionalFrom,
    nodes.AggregateBlock,
)  # fmt: skip
_STATEMENT_PLACES = (nodes.ExprStmt, nodes.StmtBlock)
_SUBJECT_PLACES = (
    nodes.InsertEntity, nodes.InsertTuple, nodes.FactDecl, nodes.DeleteStmt, nodes.RefuteStmt, nodes.AssertDerivable,
)  # fmt: skip
_TOP = (nodes.ConceptDecl, nodes.RelationDecl, nodes.ErrorItem, nodes.EndOfFile)


def complete(db: Database, file: str, offset: int) -> Completions:
    """What may be written at an offset; nothing in comments, literals and where a new name is given."""
    spot = spot_at(db, file, offset)
    if spot is None:
        return Completions(Location(file, offset, offset), ())
    ranked = sorted(_matching(spot, _candidates(spot)), key=lambda each: each[0])
    kept = tuple(each for _, each in ranked[:MOST])
    return Completions(Location(file, spot.start, spot.end), kept, len(ranked) > MOST)


def _matching(spot: Spot, candidates: Iterable[Candidate]) -> Iterator[tuple[tuple[int, int, str], Candidate]]:
    """The candidates whose names hold the letters of what is written, each once, with their order."""
    wanted, seen = expected_type(spot), set()
    for each in candidates:
        close = closeness(spot.prefix, each.label)
        key = (each.label, each.kind, each.symbol.path if each.symbol is not None else "")
        if close is None or key in seen:
            continue
        seen.add(key)
        found = type_of(spot, each)
        fits = wanted is not None and found is not None and spot.db.declarations.is_subtype(found, wanted)
        rank = each.rank - 3 * fits
        yield (close[0] if spot.prefix else 0, rank, each.label), replace(each, rank=rank)


# -- by place ----------------------------------------------------------------------------------------------------------


def _candidates(spot: Spot) -> Iterator[Candidate]:
    between = traits.between_members(spot)
    if between is not None:
        return between
    node, parent = spot.node, spot.node.parent
    if isinstance(node, nodes.FieldExpr | nodes.MethodCall):
        base = node.base if isinstance(node, nodes.FieldExpr) else node.receiver
        return members(spot, base) if base is not None else iter(())
    if isinstance(node, nodes.Name):
        return _at_name(spot, parent)
    if isinstance(node, nodes.Path):
        return _at_path(spot, node, parent)
    if isinstance(node, nodes.LiteralPattern | nodes.BindingPattern | nodes.PathPattern):
        return names.in_scope(spot, frozenset(("enum", "module")), called=False)
    return _item(spot) if isinstance(node, _TOP) and node.parent is None else _loose(spot)


def _at_name(spot: Spot, parent: View | None) -> Iterator[Candidate]:
    """Where a field is named; every other name is the author's to give."""
    if isinstance(parent, nodes.FieldInit) and isinstance(parent.parent, nodes.FieldInits):
        yield from fields_in_braces(spot, parent.parent)
    elif isinstance(parent, nodes.UpdateStmt):
        yield from names.locals_(spot)
        yield from names.in_scope(spot, frozenset(("individual",)), called=False)


def _at_path(spot: Spot, path: nodes.Path, parent: View | None) -> Iterator[Candidate]:
    before = tuple(each.name for each in segments(path) if each.start < spot.at)
    if isinstance(parent, nodes.UseDecl | nodes.UseLeaf):
        return _import(spot, before, parent)
    if before:
        return names.std_packages(spot) if before == ("std",) else names.inside(spot, before, _wanted(parent))
    if isinstance(parent, nodes.NamedType):
        return _type(spot)
    if isinstance(parent, traits.PLACES):
        return traits.traits(spot)
    if isinstance(parent, nodes.Attribute):
        return (Candidate(each, "keyword") for each in sorted(KNOWN))
    if isinstance(parent, _SUBJECT_PLACES):
        return _either(spot, names.SUBJECTS, called=False)
    if isinstance(parent, _TOP) and parent.parent is None:
        return _item(spot)
    if isinstance(parent, _ATOM_PLACES) or (isinstance(parent, nodes.Call) and isinstance(parent.parent, _ATOM_PLACES)):
        return _atom(spot)
    if isinstance(parent, _STATEMENT_PLACES):
        return _statement(spot)
    return _value(spot)


def _wanted(parent: View | None) -> frozenset[str] | None:
    """The kinds that may stand at the end of a path."""
    if isinstance(parent, nodes.NamedType):
        return names.TYPES
    return names.SUBJECTS if isinstance(parent, _SUBJECT_PLACES) else names.VALUES | names.ATOMS


def _import(spot: Spot, before: tuple[str, ...], parent: View) -> Iterator[Candidate]:
    root = spot.tree.root
    if isinstance(parent, nodes.UseLeaf) and isinstance(root, nodes.UseDecl) and root.path is not None:
        before = (*path_names(root.path), *before)
    if before == ("std",):
        return names.std_packages(spot)
    if before:
        return names.inside(spot, before)
    roots = (Candidate(each, "module", rank=1) for each in ("pkg", "self", "super", "std"))
    return iter((*roots, *names.in_scope(spot, names.MODULES | {"enum"}, called=False)))


def _loose(spot: Spot) -> Iterator[Candidate]:
    """Where the parser made nothing of the name: by the kind of the item."""
    match traits.body_around(spot):
        case nodes.DeriveDecl() | nodes.CheckDecl() | nodes.QueryDecl():
            return _atom(spot)
        case nodes.MutateDecl() | nodes.TestDecl():
            return _statement(spot)
        case nodes.FnDecl():
            return _value(spot)
        case _:
            return iter(())


def _item(spot: Spot) -> Iterator[Candidate]:
    yield from words.item_words()
    for each in names.in_scope(spot, names.METATYPES, called=False):
        ends = each.symbol is not None and each.symbol.kind == "metarel"
        text = "${1:name}(${2:a}: ${3:A}, ${4:b}: ${5:B});" if ends else "${1:Name} {\n    $0\n}"
        yield replace(each, insert=f"{each.label} {text}", snippet=True)


def _type(spot: Spot) -> Iterator[Candidate]:
    yield from traits.type_names(spot)
    yield from words.type_words()
    yield from _either(spot, names.TYPES, called=False)


def _atom(spot: Spot) -> Iterator[Candidate]:
    yield from names.locals_(spot)
    yield from words.atom_words()
    yield from _either(spot, names.ATOMS)
    yield from words.value_words()


def _statement(spot: Spot) -> Iterator[Candidate]:
    yield from words.statement_words(in_test=isinstance(spot.tree.root, nodes.TestDecl))
    yield from _value(spot)


def _value(spot: Spot) -> Iterator[Candidate]:
    yield from names.locals_(spot)
    yield from _either(spot, names.VALUES)
    yield from words.value_words()


def _either(spot: Spot, kinds: frozenset[str], *, called: bool = True) -> Iterator[Candidate]:
    """What is in scope; once some letters are written, what another module has, too."""
    yield from names.in_scope(spot, kinds, called=called)
    if spot.prefix:
        yield from names.importable(spot, kinds, called=called)
