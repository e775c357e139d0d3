"""Concepts (language.md §3.2): metatype, superconcepts, fields."""

from __future__ import annotations

from argon_lang.problems import Edit, Fix, Note, Problem, Related, args
from argon_lang.program.attributes import forgettable, world_of
from argon_lang.program.declarations import LOST
from argon_lang.program.findings import BEFORE_ITEM, Findings, unresolved
from argon_lang.program.foreign import CONSTRUCTS
from argon_lang.program.model import (
    ConceptSig,
    FieldSig,
    GroupSig,
    IndividualSig,
    Lookup,
    Signature,
    ToSymbol,
    ToType,
    Use,
)
from argon_lang.program.paths import Segment, name_of, segments
from argon_lang.program.signatures.context import Context
from argon_lang.program.signatures.fields import fields
from argon_lang.program.signatures.generics import generics
from argon_lang.program.signatures.meta import choices
from argon_lang.program.spelling import near
from argon_lang.program.types import ListOf, Named, OptionOf, Unknown
from argon_lang.program.types_of import type_of
from argon_lang.syntax import nodes


def concepts(root: nodes.ConceptDecl, context: Context) -> tuple[Signature, ...]:
    """The signature of a concept; of one with `{ A, B }` those of its subtypes too, and that they are a partition."""
    whole = concept(root, context)
    itself = [IndividualSig(whole.path, whole.instance_of)] if whole.instance_of else []
    written = root.subtypes.names if root.subtypes else []
    names = dict.fromkeys(name for each in written if (name := name_of(each)) is not None)
    context.distinct(written, "subtype", name_of(root.name) or "_")
    if not names:
        return (whole, *itself)
    members = [ConceptSig(f"{context.module}::{name}", whole.metatype, (whole.path,), ()) for name in names]
    return (whole, *itself, *members, GroupSig(True, True, whole.path, tuple(each.path for each in members)))


def concept(root: nodes.ConceptDecl, context: Context) -> ConceptSig:
    """The signature of a concept without its short list of subtypes."""
    path = context.path(root.name)
    metatype = construct(root.metatype, "metatype", context)
    parameters = generics(root.generics, root.name, context)
    supers = super_paths(root.supers, "concept", context)
    members = root.body.members if root.body else []
    written = [member for member in members if isinstance(member, nodes.FieldDecl)]
    settings = [member for member in members if isinstance(member, nodes.AxisSetting)]
    own = fields(written, path, context)
    derived = root.refinement is not None and root.refinement.derived
    if root.refinement is not None and derived:
        _check_required(written, own, root.refinement, path, context)
    above = super_paths(root.instance_of, "concept", context)
    chosen = choices(settings, path, context)
    marks = (world_of(root), forgettable(root))
    typed = _typed_supers(root.supers, context) if parameters else ()
    return ConceptSig(path, metatype, supers, own, chosen, derived, above, parameters, *marks, typed)


def _check_required(
    written: list[nodes.FieldDecl], own: tuple[FieldSig, ...], refinement: nodes.Refinement, of: str, context: Context
) -> None:
    """OE0666 for each field that a derived concept would require."""
    types = {each.name: each.type for each in own}
    for each in written:
        name, shown = name_of(each.name), each.type
        plain = not isinstance(types.get(name or ""), OptionOf | ListOf | Unknown)
        given = each.default is not None or each.view is not None
        if not given and plain and each.name is not None and shown is not None:
            values = args(of=of.rsplit("::", 1)[-1], name=name)
            suggestion = args(suggestion=f"{name}: {shown.text}?")
            related = (Related("iff", refinement.start, refinement.end),)
            fixes = (Fix("optional", (Edit(shown.end, shown.end, "?"),), args(name=name)),)
            notes = (Note("optional", suggestion),)
            problem = Problem("OE0666", each.name.start, each.name.end, values, related, notes, fixes)
            context.out.problems.append(problem)


def _typed_supers(written: nodes.Supers | None, context: Context) -> tuple[Named, ...]:
    """The superconcepts in which type parameters of the concept itself occur."""
    listed = written.types if written is not None else []
    found = (type_of(each, context.scope, Findings()) for each in listed)
    return tuple(each for each in found if isinstance(each, Named) and each.args)


def super_paths(written: nodes.Supers | nodes.InstanceOf | None, kind: str, context: Context) -> tuple[str, ...]:
    """The canonical paths behind `<:` or `:`, each once; `declarations.LOST` for one that is in error.

    Another kind of name is OE0201.
    """
    found = [_super_path(each, kind, context) for each in written.types] if written else []
    return tuple(dict.fromkeys(found))


def _super_path(written: nodes.Type, kind: str, context: Context) -> str:
    if not isinstance(written, nodes.NamedType):
        values = args(name=written.text, found="a built-in type", expected=f"a {kind}")
        context.out.problems.append(Problem("OE0201", written.start, written.end, values))
        return LOST
    path = segments(written.path) if written.path is not None else ()
    bare = any(each.kind == kind and each.parameters for each in context.look(path).symbols) if path else False
    if written.args is not None or bare:
        ty = context.value_type(written)
        return ty.path if isinstance(ty, Named) and ty.kind == kind else LOST
    symbol = context.symbol(written.path, (kind,), kind, f"a {kind}")
    if symbol is None or written.path is None:
        return LOST
    last = segments(written.path)[-1]
    context.out.uses.append(Use(last.start, last.end, ToType(Named(kind, symbol.path))))
    return symbol.path


_UNKNOWN = {"metatype": "OE0605", "metarel": "OE0606"}
_GENERIC = {"metatype": "type", "metarel": "rel"}


def construct(path: nodes.Path | None, kind: str, context: Context) -> str:
    """The metatype or metarel that opens a declaration; empty where it is unknown (OE0605, OE0606)."""
    written = segments(path) if path else ()
    if not written:
        return ""
    found = context.look(written)
    symbol = next((each for each in found.symbols if each.kind == kind), None)
    if symbol is None:
        if found.code == "OE0104":
            declared = context.declarations.symbols(found.candidates[0])
            context.out.problems.append(unresolved(found, written, kind, declared))
        elif not found.symbols or found.symbols[0].kind != "unsupported":
            context.out.problems.append(_no_construct(written, kind, _candidates(written, kind, found, context)))
        return ""
    context.out.uses.append(Use(written[-1].start, written[-1].end, ToSymbol(symbol.kind, symbol.path)))
    return symbol.path


def _candidates(written: tuple[Segment, ...], kind: str, found: Lookup, context: Context) -> tuple[str, ...]:
    """Paths to import; of names in scope only those that may open such a declaration."""
    names = [name for name, symbols in context.scope.names().items() if any(each.kind == kind for each in symbols)]
    imports = tuple(each for each in found.candidates if "::" in each)
    theirs = CONSTRUCTS.get(written[-1].name.lower())
    if theirs in names and len(written) == 1:
        return (*imports, theirs)
    return (*imports, *(near(written[-1].name, names, 1) if len(written) == 1 else ()))


def _no_construct(written: tuple[Segment, ...], kind: str, candidates: tuple[str, ...]) -> Problem:
    name, last = "::".join(segment.name for segment in written), written[-1]
    notes, fixes = [], []
    imports = [each for each in candidates if "::" in each]
    if len(imports) == 1 and len(written) == 1:
        values = args(path=imports[0].rpartition("::")[0], name=name)
        notes.append(Note("import", values))
        fixes.append(Fix("import", (Edit(BEFORE_ITEM, BEFORE_ITEM, f"use {imports[0]};\n"),), values))
    elif name == _GENERIC[kind]:
        notes.append(Note("type" if kind == "metatype" else "rel"))
        values = args(path="std::core", name=name)
        fixes.append(Fix("import", (Edit(BEFORE_ITEM, BEFORE_ITEM, f"use std::core::{name};\n"),), values))
    elif candidates and "::" not in candidates[0]:
        values = args(suggestion=candidates[0])
        notes.append(Note("suggest", values))
        fixes.append(Fix("replace", (Edit(last.start, last.end, candidates[0]),), values))
    elif kind == "metatype":
        notes.append(Note("item"))
    return Problem(_UNKNOWN[kind], written[0].start, last.end, args(name=name), (), tuple(notes), tuple(fixes))
