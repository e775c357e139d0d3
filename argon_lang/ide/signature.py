"""Signatures as an author would write them: what hover, outlines and the schema show of a declaration."""

from __future__ import annotations

from dataclasses import replace

from argon_lang.program.model import (
    CallableSig,
    Choice,
    ConceptSig,
    EnumSig,
    FieldSig,
    GenericSig,
    GroupSig,
    ImplSig,
    IndividualSig,
    MetarelSig,
    MetatypeSig,
    MetaxisSig,
    ParamSig,
    RelationSig,
    Signature,
    StandpointSig,
    StructSig,
    Symbol,
    TraitSig,
    VariantSig,
)
from argon_lang.program.types import UNKNOWN, ListOf, Primitive, Type, TypeVar, Unknown, last_name, show
from argon_lang.queries.database import Database
from argon_lang.syntax import nodes

_WORDS = {"fn": "fn", "query": "query", "check": "check", "mutation": "mutate", "predicate": "derive"}
_VISIBILITY = {"public": "pub ", "package": "pub(pkg) ", "private": ""}


def signature_of(db: Database, symbol: Symbol) -> str:
    """The declaration of a symbol without its body, fields and variants on lines of their own."""
    found = _signature(db, symbol)
    if found is None:
        return f"{_bare_word(symbol)} {symbol.name}"
    if isinstance(found, CallableSig) and found.result == ListOf(UNKNOWN):
        found = replace(found, result=_extent(db, symbol) or found.result)
    return _VISIBILITY[symbol.visibility] * (symbol.kind != "individual") + render(found)


def headline(db: Database, symbol: Symbol) -> str:
    """The same on one line, without fields and variants."""
    return signature_of(db, symbol).split("\n", 1)[0].removesuffix(" {")


def _extent(db: Database, symbol: Symbol) -> Type | None:
    """What stands behind the arrow of a query for a predicate's whole extent."""
    tree = db.tree(symbol.items[0]) if symbol.items else None
    result = tree.root.result if tree is not None and isinstance(tree.root, nodes.QueryDecl) else None
    return Primitive(result.type.text) if result is not None and result.type is not None else None


def _bare_word(symbol: Symbol) -> str:
    return "mod" if symbol.kind == "module" else symbol.kind


def _signature(db: Database, symbol: Symbol) -> Signature | None:
    table = db.declarations
    match symbol.kind:
        case "concept":
            return table.concept(symbol.path)
        case "metaxis":
            return table.metaxis(symbol.path)
        case "metatype":
            return table.metatype(symbol.path)
        case "metarel":
            return table.metarel(symbol.path)
        case "relation":
            return table.relation(symbol.path)
        case "struct":
            return table.struct(symbol.path)
        case "enum":
            return table.enum(symbol.path)
        case "trait":
            return table.trait(symbol.path)
        case "individual":
            return table.individual(symbol.path)
        case "standpoint":
            return table.standpoint(symbol.path)
        case "fn" | "query" | "check" | "mutation" | "predicate":
            return table.callable(symbol.kind, symbol.path, symbol.arity)
        case _:
            return None


def render(signature: Signature) -> str:
    """One signature; paths are shortened to their last segments."""
    match signature:
        case StandpointSig(path, supers):
            return f"standpoint {_last(path)}{_supers(supers)}"
        case ConceptSig(path, metatype, supers, fields):
            above = f" : {', '.join(map(_last, signature.instance_of))}" if signature.instance_of else ""
            named = f"{_last(path)}{parameters(signature.generics)}"
            head = f"{_last(metatype)} {named}{_supers(supers)}{above}{' iff { … }' * signature.derived}"
            return head + _block([field(each) for each in fields])
        case RelationSig():
            return _relation(signature)
        case StructSig(path, fields, generics):
            return f"struct {_last(path)}{parameters(generics)}{_block([field(each) for each in fields])}"
        case EnumSig(path, variants, generics):
            return f"enum {_last(path)}{parameters(generics)}{_block([variant(each) for each in variants])}"
        case TraitSig(path, supers, members):
            above = f": {', '.join(map(_last, supers))}" if supers else ""
            return f"trait {_last(path)}{above}{_block([callable_line(each) for each in members], ';')}"
        case ImplSig(trait, target):
            return f"impl {_last(trait)} for {show(target)}"
        case CallableSig():
            return callable_line(signature)
        case MetaxisSig():
            return _axis(signature)
        case MetatypeSig(path, abstract, fixed, choices):
            words = "abstract " * abstract + "fixed " * fixed
            return f"{words}metatype {_last(path)} = {_choices(choices) or '{}'}"
        case MetarelSig(path, ends, abstract, choices):
            head = f"{'abstract ' * abstract}metarel {_last(path)}({', '.join(map(_last, ends or ()))})"
            return f"{head} {_choices(choices)}" if choices else head
        case IndividualSig(path, concepts):
            return f"{_last(path)}: {', '.join(map(_last, concepts)) or '_'}"
        case GroupSig():
            return ""


def _axis(signature: MetaxisSig) -> str:
    targets = signature.targets
    shown = targets[0] if len(targets) == 1 else f"[{', '.join(targets)}]"
    head = f"metaxis {_last(signature.path)} for {shown}"
    if signature.type is not None:
        return f"{head} = {show(signature.type)}"
    values = (" < " if signature.ordered else ", ").join(signature.values)
    return f"{head} {{ {values} }}" if values else head


def _choices(choices: tuple[Choice, ...]) -> str:
    return f"{{ {', '.join(f'{_last(each.axis)}: {each.value}' for each in choices)} }}" if choices else ""


def callable_line(signature: CallableSig) -> str:
    """`fn late_fee(amount: Money, days_late: Int) -> Money`."""
    result = f" -> {show(signature.result)}" if signature.result is not None else ""
    params = ", ".join(map(param, signature.params))
    return f"{_WORDS[signature.kind]} {_last(signature.path)}{parameters(signature.generics)}({params}){result}"


def parameters(generics: tuple[GenericSig, ...]) -> str:
    """`<T, U: Billable>`; nothing without type parameters."""
    shown = (each.name if not each.bound else f"{each.name}: {_last(each.bound)}" for each in generics)
    return f"<{', '.join(shown)}>" if generics else ""


def param(signature: ParamSig) -> str:
    """`t: Tenant`; the name alone where nothing says the type."""
    own = isinstance(signature.type, TypeVar) and signature.name == "self"
    silent = own or isinstance(signature.type, Unknown)
    return signature.name if silent else f"{signature.name}: {show(signature.type)}"


def field(signature: FieldSig) -> str:
    """`mut paid: Bool = …`."""
    default = " = …" if signature.has_default else ""
    view = f" from {_last(signature.view[0])}.{signature.view[1]}" if signature.view is not None else ""
    return f"{'mut ' * signature.mutable}{signature.name}: {show(signature.type)}{default}{view}"


def variant(signature: VariantSig) -> str:
    """`Lit`, `Lit(Int)`, `Lit { value: Int }`."""
    if not signature.payload:
        return signature.name
    if signature.positional:
        return f"{signature.name}({', '.join(show(each.type) for each in signature.payload)})"
    return f"{signature.name} {{ {', '.join(map(param, signature.payload))} }}"


def _relation(signature: RelationSig) -> str:
    ends = ", ".join(map(param, signature.ends))
    bounds = "".join(f" [{low}..{'*' if high is None else high}]" for low, high in signature.bounds)
    fields = _block([field(each) for each in signature.fields])
    return f"{_last(signature.metarel)} {_last(signature.path)}({ends}){bounds}{_supers(signature.supers)}{fields}"


def _supers(paths: tuple[str, ...]) -> str:
    return f" <: {', '.join(map(_last, paths))}" if paths else ""


def _block(lines: list[str], end: str = ",") -> str:
    return " {\n" + "".join(f"    {line}{end}\n" for line in lines) + "}" if lines else ""


def _last(path: str) -> str:
    return last_name(path)
