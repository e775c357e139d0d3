"""Structs and enums (language.md §3.4): plain data without identity."""

from __future__ import annotations

from argon_lang.program.model import EnumSig, ParamSig, StructSig, VariantSig
from argon_lang.program.paths import name_of
from argon_lang.program.signatures.context import Context
from argon_lang.program.signatures.fields import fields
from argon_lang.program.signatures.generics import generics
from argon_lang.syntax import nodes


def struct(root: nodes.StructDecl, context: Context) -> StructSig:
    """The signature of a struct."""
    path = context.path(root.name)
    own = generics(root.generics, root.name, context)
    return StructSig(path, fields(root.fields.fields if root.fields else [], path, context), own)


def enum(root: nodes.EnumDecl, context: Context) -> EnumSig:
    """The signature of an enum; a second variant of a name is OE0207."""
    own = generics(root.generics, root.name, context)
    written = root.variants.variants if root.variants else []
    context.distinct((each.name for each in written), "variant", name_of(root.name) or "_")
    found: dict[str, VariantSig] = {}
    for each in written:
        variant = _variant(each, context)
        found.setdefault(variant.name, variant)
    return EnumSig(context.path(root.name), tuple(found.values()), own)


def _variant(written: nodes.Variant, context: Context) -> VariantSig:
    name = name_of(written.name) or "_"
    if written.payload is not None:
        types = [context.type(each) for each in written.payload.types]
        return VariantSig(name, tuple(ParamSig(str(i), ty) for i, ty in enumerate(types)), True)
    named = written.fields.fields if written.fields else []
    context.distinct((each.name for each in named), "field", name)
    payload = tuple(ParamSig(name_of(each.name) or "_", context.type(each.type)) for each in named)
    return VariantSig(name, payload, False)
