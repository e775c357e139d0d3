"""What a name is, for a reader who points at it: signature, docs, type, clause count, as Markdown."""

from __future__ import annotations

from dataclasses import dataclass

from argon_lang.ide import reasoning
from argon_lang.ide.docs import docs_of, view_docs
from argon_lang.ide.names import Occurrence, field_signature, occurrence_at
from argon_lang.ide.signature import field, param, parameters, signature_of, variant
from argon_lang.problems import ItemId, Location
from argon_lang.program.intrinsics import INTRINSICS, Intrinsic
from argon_lang.program.model import (
    GenericSig,
    Symbol,
    ToBinding,
    ToEnd,
    ToField,
    ToIntrinsic,
    ToSymbol,
    ToType,
    ToVariant,
)
from argon_lang.program.paths import name_of
from argon_lang.program.reflection import DOCS
from argon_lang.program.types import Applied, FnOf, Primitive, Type, TypeVar, Unknown, show
from argon_lang.queries.database import Database
from argon_lang.syntax import nodes

_READ = frozenset({"predicate", "concept", "relation", "fn", "query", "mutation", "struct", "enum", "trait"})
_BINDINGS = {"param": "parameter", "variable": "rule variable", "let": "local", "pattern": "pattern variable"}


@dataclass(frozen=True, slots=True)
class Hover:
    """`markdown` is complete: a code block with the signature, the docs, a line of facts. `location` is the name's."""

    markdown: str
    location: Location


def hover(db: Database, file: str, offset: int) -> Hover | None:
    """What stands at an offset; None where nothing has a meaning."""
    found = occurrence_at(db, file, offset)
    location = db.locate(found.place) if found is not None else None
    text = _text(db, found) if found is not None else None
    return Hover(text, location) if text is not None and location is not None else None


def hover_symbol(db: Database, symbol: Symbol) -> str:
    """The Markdown of a symbol, as for hovering over its name."""
    return _page(signature_of(db, symbol), docs_of(db, symbol), _facts(db, symbol))


def _in_use(db: Database, symbol: Symbol) -> str:
    """The page of a symbol, and how it is put to use."""
    told = reasoning.told(db, symbol) if symbol.kind in _READ else ""
    return "\n\n".join(part for part in (hover_symbol(db, symbol), told) if part)


def _text(db: Database, found: Occurrence) -> str | None:
    match found.meaning:
        case ToBinding(number):
            return _binding(db, found.item, number)
        case ToSymbol(kind, path, arity):
            listed = [each for each in db.symbols_at(path) if each.kind == kind and arity in (None, each.arity)]
            return _in_use(db, listed[0]) if listed else None
        case ToField() as meaning:
            return _field(db, meaning)
        case ToEnd(relation, index):
            return _end(db, relation, index)
        case ToVariant(enum, name):
            return _variant(db, enum, name)
        case ToIntrinsic(name):
            entry = INTRINSICS.get(name)
            if entry is not None:
                return _page(_intrinsic(entry), entry.doc, "built in")
            return _page(*DOCS[name], "reflection") if name in DOCS else None
        case ToType(TypeVar(owner, name)):
            own = next((each for each in db.declarations.generics(owner) if each.name == name), GenericSig(name))
            return _page(parameters((own,))[1:-1], "", f"type parameter of `{owner.rsplit('::', 1)[-1]}`")
        case ToType(type_):
            return _page(show(type_), _type_docs(type_), "built-in type")


def _page(code: str, docs: str, facts: str) -> str:
    parts = [f"```argon\n{code}\n```", docs, f"*{facts}*" if facts else ""]
    return "\n\n".join(part for part in parts if part)


def _facts(db: Database, symbol: Symbol) -> str:
    """Where a symbol stands, how many clauses or facts speak of it, and how it reasons."""
    where = f"in `{symbol.module}`" if symbol.kind != "module" else ""
    count = len(symbol.items)
    word = {"predicate": "clause", "individual": "fact"}.get(symbol.kind)
    counted = f"{count} {word}{'s' * (count != 1)}" if word is not None else ""
    return ", ".join(part for part in (counted, *_reasons(db, symbol), where) if part)


def _reasons(db: Database, symbol: Symbol) -> tuple[str, ...]:
    """Tier and world of a predicate, the world of a concept."""
    if symbol.kind == "concept":
        return (f"{reasoning.world_of(db, symbol.path)} world",)
    found = reasoning.reasons(db, symbol) if symbol.kind == "predicate" else None
    if found is None:
        return ()
    open_ = ", ".join(f"`{path.rsplit('::', 1)[-1]}`" for path in found.open)
    return f"{found.tier} tier", f"open world by {open_}" if open_ else "closed world"


def _binding(db: Database, item: ItemId, number: int) -> str | None:
    found = next((each for each in db.inference(item).bindings if each.id == number), None)
    if found is None:
        return None
    code = found.name if isinstance(found.type, Unknown) else f"{found.name}: {show(found.type)}"
    return _page(code, "", _BINDINGS.get(found.kind, ""))


def _field(db: Database, meaning: ToField) -> str | None:
    signature = field_signature(db, meaning)
    if signature is None:
        return None
    owner = meaning.owner.rsplit("::", 1)[-1]
    return _page(field(signature), _member_docs(db, meaning.owner, meaning.name), f"field of `{owner}`")


def _end(db: Database, path: str, index: int) -> str | None:
    relation = db.declarations.relation(path)
    if relation is None or index >= len(relation.ends):
        return None
    return _page(param(relation.ends[index]), "", f"end {index + 1} of `{path.rsplit('::', 1)[-1]}`")


def _variant(db: Database, path: str, name: str) -> str | None:
    enum = db.declarations.enum(path)
    found = next((each for each in enum.variants if each.name == name), None) if enum is not None else None
    if found is None:
        return None
    return _page(variant(found), _member_docs(db, path, name), f"variant of `{path.rsplit('::', 1)[-1]}`")


def _member_docs(db: Database, owner: str, name: str) -> str:
    """The docs of a field or variant."""
    trees = [db.tree(item) for symbol in db.symbols_at(owner) for item in symbol.items]
    for tree in trees:
        for view in tree.root.descendants() if tree is not None else ():
            if isinstance(view, nodes.FieldDecl | nodes.Variant) and name_of(view.name) == name:
                return view_docs(view)
    return ""


def _type_docs(ty: Type) -> str:
    """A line about a built-in type that its name does not explain."""
    match ty:
        case Applied("Map"):
            return "Values by key, each key once: `m[key]`, `m.get(key)`, `m.keys`."
        case Applied("Range"):
            return "The values from a start up to an end that is not among them: `a.to(b)`."
        case FnOf():
            return "A function value: `|x| …`. It is called or handed on, and never data."
        case Applied("TypeRef") | Primitive("Metatype" | "TraitRef"):
            return "A type of the program as a value, for rules about types."
        case _:
            return ""


def _intrinsic(entry: Intrinsic) -> str:
    lines = []
    for each in entry.signatures:
        params = [show(shape) for shape in each.params]
        if entry.form == "operator":
            lines.append(f"{params[0]}[{'..'.join(params[1:])}] -> {show(each.result)}")
            continue
        head = f"{params[0]}.{entry.name}" if entry.form != "function" and params else entry.name
        rest = params[1:] if entry.form != "function" else params
        arguments = f"({', '.join(rest)})" if rest or entry.form == "function" else ""
        lines.append(f"{head}{arguments} -> {show(each.result)}")
    return "\n".join(lines)
