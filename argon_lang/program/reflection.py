"""The reflective relations (language §3.10): what they are called, their columns, and the keys that they have.

They are closed and finite: linking lowers them from the declarations. A type is the individual of its path.
"""

from __future__ import annotations

from argon_lang.program.types import ENTITY, INT, METATYPE, TRAIT_REF, TYPE_REF, Type

COLUMNS: dict[str, tuple[Type, ...]] = {
    "iof": (ENTITY, TYPE_REF),
    "specializes": (TYPE_REF, TYPE_REF),
    "rel": (TYPE_REF, METATYPE),
    "arm": (TYPE_REF, INT, TYPE_REF),
}
"""`iof(x, t)`: x belongs to t. `specializes(t, u)`: t is u or below it; of metatypes too. `rel(r, m)`: the relation r
has the metarel m. `arm(r, i, t)`: the end of r at position i, counted from 0, is a t."""
CALLED = (*COLUMNS, "meta", "extent", "implements")
"""What may be called, `meta(x)` and `extent(t)` for their value."""
DOCS: dict[str, tuple[str, str]] = {
    "iof": ("iof(x, t: TypeRef) -> Bool", "Does x belong to the type t?"),
    "specializes": ("specializes(t: TypeRef, u: TypeRef) -> Bool", "Is t the type u, or below it? Of metatypes too."),
    "rel": ("rel(r: TypeRef, m: Metatype) -> Bool", "Has the relation r the metarel m?"),
    "arm": ("arm(r: TypeRef, i: Int, t: TypeRef) -> Bool", "Is the end of r at position i, counted from 0, a t?"),
    "meta": ("meta(x) -> Metatype", "The metatype of a type, or of what an individual belongs to."),
    "extent": ("extent(t: TypeRef) -> [Entity]", "The individuals of a type, in `x in extent(t)`."),
    "implements": (
        "implements(t: TypeRef, tr: TraitRef) -> Bool",
        "Does the type t, or that of x in `meta(x)`, implement it?",
    ),
}
"""How each is called, and what it says, for readers."""
TYPES, METATYPES = "std::core::TypeRef/1", "std::core::Metatype/1"
"""Keys of all concepts and relations, and of all metatypes and metarels."""
TRAITS, IMPLEMENTS = "std::core::TraitRef/1", "std::core::implements/2"
"""Keys of all traits, and of the concepts that implement each, itself or one above it."""
META_OF_TYPE, META_OF_INDIVIDUAL = "std::core::meta/2", "std::core::meta_of/2"
"""Keys of the metatype of a type, and of the metatypes of the concepts that an individual belongs to."""


def reflective_key(name: str) -> str:
    """The key of a relation of `COLUMNS`."""
    return f"std::core::{name}/{len(COLUMNS[name])}"


KEYS: dict[str, tuple[Type, ...]] = {
    **{reflective_key(name): columns for name, columns in COLUMNS.items()},
    TYPES: (TYPE_REF,),
    METATYPES: (METATYPE,),
    TRAITS: (TRAIT_REF,),
    IMPLEMENTS: (TYPE_REF, TRAIT_REF),
    META_OF_TYPE: (TYPE_REF, METATYPE),
    META_OF_INDIVIDUAL: (ENTITY, METATYPE),
}
"""The columns of every key."""
