"""One declaration of the served module, by path or short name: what an agent reads before it asks or writes."""

from __future__ import annotations

from collections.abc import Iterator

from argon_lang.ir.module import Concept, Field, Param, Relation
from argon_lang.program.types import show
from argon_lang.runtime.envelopes import SCHEMA_VERSION, Json
from argon_lang.runtime.schema import Schema, ambiguous, head_path, matching, not_found
from argon_lang.runtime.served import Served
from argon_lang.runtime.shown import place_of

KINDS = ("concept", "relation", "query", "mutation", "check", "predicate", "fn")
"""What can be looked up."""


def declaration(served: Served, name: str) -> Json:
    """What is declared under a path or short name. Raises `ARGON_RUNTIME_NOT_FOUND`, OE0102."""
    known = _known(served.schema)
    path = name if name in known else _one(name, known)
    told = {"kind": known[path], "name": path.rsplit("::", 1)[-1], "path": path}
    doc = dict(served.module.source.docs).get(path)
    place = served.declared_at.get(path)
    more = {
        "doc": doc.strip() if doc is not None else None,
        "source": place_of(place).dump() if place is not None else None,
    }
    shape = _SHAPES[known[path]](served, path)
    body = {key: value for key, value in {**told, **more, **shape}.items() if value is not None}
    return {"schemaVersion": SCHEMA_VERSION, "moduleHash": served.module_hash, "declaration": body}


def _one(name: str, known: dict[str, str]) -> str:
    found = matching(name, known)
    own = [path for path in found if path.startswith("pkg::")]
    for chosen in (own, found):
        if len(chosen) == 1:
            return chosen[0]
    if found:
        raise ambiguous(name, found)
    raise not_found("declaration", name, known)


def _known(schema: Schema) -> dict[str, str]:
    """Every path with its kind; a package's own declarations and those of its dependencies."""
    found = {path_: "predicate" for shape in schema.module.predicates if (path_ := head_path(shape)) is not None}
    for kind, paths in (
        ("concept", schema.concepts),
        ("relation", schema.relations),
        ("query", schema.queries),
        ("mutation", schema.mutations),
        ("check", schema.checks),
        ("fn", schema.functions),
    ):
        found.update(dict.fromkeys(paths, kind))
    return found


def _concept(served: Served, path: str) -> Json:
    concept = served.schema.concepts[path]
    return {
        "metatype": concept.metatype,
        "abstract": concept.abstract,
        "derived": concept.derived,
        **_owner(served.schema, concept),
    }


def _relation(served: Served, path: str) -> Json:
    relation = served.schema.relations[path]
    bounds = [*relation.bounds, *[(0, None)] * len(relation.ends)]
    ends = [
        {"name": name, "type": show(ty), "low": low, **({"high": high} if high is not None else {})}
        for (name, ty), (low, high) in zip(relation.ends, bounds, strict=False)
    ]
    return {"metarel": relation.metarel, "ends": ends, **_owner(served.schema, relation)}


def _owner(schema: Schema, owner: Concept | Relation) -> Json:
    below = [path for path in schema.descendants(owner.path) if path != owner.path]
    fields = schema.fields_of(owner.path).values()
    return {"supers": list(owner.supers), "subs": below, "fields": [_field(each, owner.path) for each in fields]}


def _field(field: Field, owner: str) -> Json:
    found = {
        "name": field.name,
        "type": f"[{show(field.type)}]" if field.many else show(field.type) + ("?" if field.optional else ""),
        "mutable": field.mutable,
        "required": not (field.optional or field.many or field.default is not None),
    }
    declaring = field.key.rpartition(".")[0]
    return found | ({"from": declaring} if declaring != owner else {})


def _query(served: Served, path: str) -> Json:
    query = served.schema.queries[path]
    columns = [{"name": name, "type": show(ty)} for name, ty, _ in query.columns]
    return {"params": list(_params(query.params)), "type": show(query.type), "columns": columns or None}


def _mutation(served: Served, path: str) -> Json:
    mutation = served.schema.mutations[path]
    result = show(mutation.result) if mutation.result is not None else None
    return {"params": list(_params(mutation.params)), "type": result}


def _check(served: Served, path: str) -> Json:
    check = served.schema.checks[path]
    return {"columns": _columns(served.schema, f"{path}!")[: check.arity]}


def _predicate(served: Served, path: str) -> Json:
    shapes = served.schema.heads[path]
    tiers = dict(served.module.tiers)
    clauses = [
        rule for shape in shapes for rule in served.module.rules if rule.key == shape.key and rule.origin == "clause"
    ]
    places = [place_of(served.sources[rule.id].span).dump() for rule in clauses if rule.id in served.sources]
    return {
        "heads": [{"key": shape.key, "columns": _columns(served.schema, shape.key)} for shape in shapes],
        "clauses": places,
        "tier": next((tiers[shape.key] for shape in shapes if shape.key in tiers), None),
    }


def _function(served: Served, path: str) -> Json:
    function = served.schema.functions[path]
    return {
        "params": list(_params(function.params)),
        "type": show(function.result),
        "readsState": function.reads_state,
    }


def _columns(schema: Schema, key: str) -> list[Json]:
    return [{"name": name, "type": show(ty)} for name, ty in schema.predicates[key].columns]


def _params(params: tuple[Param, ...]) -> Iterator[Json]:
    for param in params:
        yield {"name": param.name, "type": show(param.type)}


_SHAPES = {
    "concept": _concept,
    "relation": _relation,
    "query": _query,
    "mutation": _mutation,
    "check": _check,
    "predicate": _predicate,
    "fn": _function,
}
