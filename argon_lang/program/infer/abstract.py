"""What is not asserted directly (language.md §3.1, §3.2).

OE0233: what an abstract metatype or metarel classifies has instances only through subtypes. OE0211: who belongs to an
`iff` type follows from fields.
"""

from __future__ import annotations

from argon_lang.problems import Edit, Fix, Note, args
from argon_lang.program.infer.context import Context
from argon_lang.program.infer.words import quoted, short
from argon_lang.program.model import Declarations, MetarelSig, MetatypeSig, Symbol
from argon_lang.program.paths import Segment, segments
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View

MOST_SHOWN = 5


def check_instantiable(cx: Context, path: nodes.Path | None, symbol: Symbol) -> None:
    """Report a direct instance of an abstract concept or relation at the path that names it."""
    written = segments(path) if path is not None else ()
    if written and symbol.kind == "concept" and cx.declarations.generics(symbol.path) and not cx.in_rejects:
        _of_generic(cx, written[-1], symbol)
        return
    abstract = _abstract(cx.declarations, symbol)
    if abstract is None or not written or cx.in_rejects:
        return
    kind = "metatype" if isinstance(abstract, MetatypeSig) else "metarel"
    below = _subtypes(cx, symbol)
    shown = quoted(below[:MOST_SHOWN]) + (", …" if len(below) > MOST_SHOWN else "")
    notes = (Note("subtype", args(candidates=shown)),) if below else ()
    fixes: tuple[Fix, ...] = ()
    if len(below) == 1:
        edit = Edit(written[0].start, written[-1].end, below[0])
        fixes = (Fix("replace", (edit,), args(suggestion=below[0]), safe=False),)
    of = short(abstract.path)
    related = cx.declared_at("metatype", abstract.path, of=of)
    values = args(name=symbol.name, kind=kind, of=of)
    cx.report("OE0233", (written[-1].start, written[-1].end), values, related=related, notes=notes, fixes=fixes)


def _of_generic(cx: Context, name: Segment, symbol: Symbol) -> None:
    """OE0234: nothing says what the type parameters stand for."""
    below = _subtypes(cx, symbol)
    shown = quoted(below[:MOST_SHOWN]) + (", …" if len(below) > MOST_SHOWN else "")
    note = Note("subtype", args(candidates=shown)) if below else Note("declare", args(name=symbol.name))
    values = args(name=symbol.name, parameters=quoted([each.name for each in cx.declarations.generics(symbol.path)]))
    cx.report("OE0234", (name.start, name.end), values, notes=(note,))


def _abstract(declarations: Declarations, symbol: Symbol) -> MetatypeSig | MetarelSig | None:
    """The abstract metatype or metarel of a concept or relation; None when it is not abstract."""
    concept, relation = declarations.concept(symbol.path), declarations.relation(symbol.path)
    found: MetatypeSig | MetarelSig | None = None
    if symbol.kind == "concept" and concept is not None:
        found = declarations.metatype(concept.metatype)
    elif relation is not None:
        found = declarations.metarel(relation.metarel)
    return found if found is not None and found.abstract else None


def _subtypes(cx: Context, symbol: Symbol) -> list[str]:
    """The names in scope of its subtypes that may have direct instances."""
    found = []
    for name, symbols in cx.scope.names().items():
        for each in symbols:
            below = each.kind == symbol.kind and symbol.path in cx.declarations.supers(each.path)[1:]
            sig = cx.declarations.concept(each.path)
            derived = sig is not None and sig.derived
            if below and not derived and _abstract(cx.declarations, each) is None:
                found.append(name)
    return sorted(found)


def check_asserted(cx: Context, node: View, at: View, symbol: Symbol) -> None:
    """OE0211 for an insert or a fact (`node`) of a concept whose membership is derived; `at` is blamed."""
    sig = cx.declarations.concept(symbol.path)
    if sig is None or not sig.derived or cx.in_rejects:
        return
    statement = node.parent if isinstance(node.parent, nodes.InsertStmt) else node
    fixes: tuple[Fix, ...] = ()
    if isinstance(statement, nodes.InsertStmt | nodes.FactDecl):
        fixes = (Fix("remove", (Edit(statement.start, statement.end, ""),), safe=False),)
    related = cx.declared_at("declared", symbol.path, name=symbol.name)
    cx.report("OE0211", at, args(name=symbol.name), related=related, notes=(Note("change_fields"),), fixes=fixes)
