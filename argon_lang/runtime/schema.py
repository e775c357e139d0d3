"""The loaded module, indexed: what a path, a short name or a predicate key stands for.

Built once per loaded artifact and never changed; shared by all threads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import TypeVar

from argon_lang.errors import ArgonError
from argon_lang.ir.module import (
    DEFAULT,
    Check,
    Concept,
    Fact,
    Field,
    Function,
    Module,
    Mutation,
    Query,
    Relation,
    Standpoint,
)
from argon_lang.ir.rules import Predicate
from argon_lang.ir.tuples import tuple_root
from argon_lang.ir.values import Row
from argon_lang.problems import Note, args
from argon_lang.program.types import Named

Declared = TypeVar("Declared", Concept, Relation, Function, Query, Check, Mutation)

FOUND_KINDS: Mapping[str, str] = {
    "query": "query",
    "mutation": "mutation",
    "check": "check",
    "fn": "function",
    "head": "derived predicate, concept, relation or check",
    "concept": "concept",
    "relation": "relation",
    "individual": "individual",
    "type": "concept, relation, metatype or trait",
    "standpoint": "standpoint",
    "declaration": "declaration",
}
"""What a lookup was for, in the user's words."""


@dataclass(frozen=True)
class Schema:
    """Indexes over one module. Lookups raise `ARGON_RUNTIME_NOT_FOUND` or OE0102, naming near or ambiguous paths."""

    module: Module
    module_hash: str

    @cached_property
    def concepts(self) -> Mapping[str, Concept]:
        """Concepts by path."""
        return _by_path(self.module.concepts)

    @cached_property
    def derived(self) -> frozenset[str]:
        """The `iff` types: concepts whose membership rules decide."""
        return frozenset(each.path for each in self.module.concepts if each.derived)

    @cached_property
    def relations(self) -> Mapping[str, Relation]:
        """Relations by path."""
        return _by_path(self.module.relations)

    @cached_property
    def functions(self) -> Mapping[str, Function]:
        """Functions by path."""
        return _by_path(self.module.functions)

    @cached_property
    def queries(self) -> Mapping[str, Query]:
        """Queries by path."""
        return _by_path(self.module.queries)

    @cached_property
    def checks(self) -> Mapping[str, Check]:
        """Checks by path."""
        return _by_path(self.module.checks)

    @cached_property
    def mutations(self) -> Mapping[str, Mutation]:
        """Mutations by path."""
        return _by_path(self.module.mutations)

    @cached_property
    def predicates(self) -> Mapping[str, Predicate]:
        """Predicate shapes by key."""
        return {shape.key: shape for shape in self.module.predicates}

    @cached_property
    def individuals(self) -> frozenset[str]:
        """Ids of the declared individuals."""
        return frozenset(path for path, _ in self.module.individuals)

    @cached_property
    def fields(self) -> Mapping[str, Field]:
        """Stored fields of concepts and relations by predicate key; of a narrowed one the topmost declaration."""
        owners: Iterable[Concept | Relation] = (*self.module.concepts, *self.module.relations)
        found: dict[str, Field] = {}
        for owner in owners:
            for field in owner.fields:
                if field.key not in found or owner.path == field_owner(field.key):
                    found[field.key] = field
        return found

    @cached_property
    def views(self) -> Mapping[str, Field]:
        """Navigation views of concepts by predicate key, as the fields that they are read as; none is stored."""
        shapes = [shape for shape in self.module.predicates if shape.kind == "field" and shape.key not in self.fields]
        return {
            shape.key: Field(name, shape.key, ty, False, False, True, 0, None, None)
            for shape in shapes
            for name, ty in shape.columns[1:]
        }

    def owner_type(self, key: str) -> Named:
        """The concept or relation whose individuals or tuples have the field."""
        owner = field_owner(key)
        return Named("relation" if owner in self.relations else "concept", owner)

    def tuple_root(self, relation: str) -> str:
        """The relation under whose name the tuples of a relation are known (language §3.3)."""
        return tuple_root(relation, lambda path: self._supers.get(path, ()))

    @cached_property
    def _declared(self) -> Mapping[tuple[str, Row], tuple[Fact, ...]]:
        found: dict[tuple[str, Row], tuple[Fact, ...]] = {}
        for fact in self.module.facts:
            found[fact.key, fact.row] = (*found.get((fact.key, fact.row), ()), fact)
        return found

    def declared_facts(self, key: str, row: Row) -> tuple[Fact, ...]:
        """The declarations of one base fact, each with its own valid time."""
        return self._declared.get((key, row), ())

    def ancestors(self, path: str) -> tuple[str, ...]:
        """All superconcepts or superrelations, itself first, nearest first."""
        return self._ancestors.get(path, (path,))

    def descendants(self, path: str) -> tuple[str, ...]:
        """All subconcepts or subrelations, itself first."""
        return self._descendants.get(path, (path,))

    @cached_property
    def _ancestors(self) -> Mapping[str, tuple[str, ...]]:
        return {path: tuple(_walk(path, self._supers)) for path in self._supers}

    @cached_property
    def _descendants(self) -> Mapping[str, tuple[str, ...]]:
        return {path: tuple(_walk(path, self._subs)) for path in self._supers}

    @cached_property
    def _supers(self) -> Mapping[str, tuple[str, ...]]:
        owners: Iterable[Concept | Relation] = (*self.module.concepts, *self.module.relations)
        return {owner.path: owner.supers for owner in owners}

    @cached_property
    def _subs(self) -> Mapping[str, tuple[str, ...]]:
        subs: dict[str, list[str]] = {}
        for path, supers in self._supers.items():
            for above in supers:
                subs.setdefault(above, []).append(path)
        return {above: tuple(below) for above, below in subs.items()}

    def fields_of(self, path: str) -> Mapping[str, Field]:
        """Fields of a concept or relation by name, inherited ones included; the nearest subtype's wins."""
        found: dict[str, Field] = {}
        for owner in self.ancestors(path):
            declared: Concept | Relation | None = self.concepts.get(owner) or self.relations.get(owner)
            for field in declared.fields if declared else ():
                found.setdefault(field.name, field)
        return found

    def query(self, name: str) -> Query:
        """The query with this path or short name."""
        return self.queries[_pick("query", name, self.queries)]

    def mutation(self, name: str) -> Mutation:
        """The mutation with this path or short name."""
        return self.mutations[_pick("mutation", name, self.mutations)]

    def check(self, name: str) -> Check:
        """The check with this path or short name."""
        return self.checks[_pick("check", name, self.checks)]

    @cached_property
    def standpoints(self) -> Mapping[str, Standpoint]:
        """Declared standpoints by path."""
        return {each.path: each for each in self.module.standpoints}

    def standpoint(self, name: str | None) -> str:
        """The path of the standpoint with this path or short name; of None and `default` the default layer."""
        return DEFAULT if name in (None, DEFAULT) else _pick("standpoint", name or "", self.standpoints)

    def function(self, name: str) -> Function:
        """The function with this path or short name."""
        return self.functions[_pick("fn", name, self.functions)]

    @cached_property
    def heads(self) -> Mapping[str, tuple[Predicate, ...]]:
        """What can be derived, by path: a concept, a relation, derived predicates of each arity, a check."""
        found: dict[str, list[Predicate]] = {}
        for shape in self.module.predicates:
            if (path := head_path(shape)) is not None:
                found.setdefault(path, []).append(shape)
        return {path: tuple(shapes) for path, shapes in found.items()}

    @cached_property
    def concluded(self) -> frozenset[str]:
        """The keys whose changes a write tells of: derived predicates, `iff` types, checks; no auxiliary ones."""
        shapes = (shape for shape in self.module.predicates if head_path(shape))
        return frozenset(s.key for s in shapes if s.kind in ("derived", "check") or s.key in self.derived)

    def head(self, name: str, arity: int | None = None) -> Predicate:
        """The concept, relation, check or derived predicate with this path or short name (`owes`, `owes/2`)."""
        bare, _, digits = name.partition("/")
        wanted = int(digits) if digits.isdecimal() else arity
        path = _pick("head", bare, self.heads)
        shapes = [s for s in self.heads[path] if wanted is None or s.kind == "check" or len(s.columns) == wanted]
        if len(shapes) == 1:
            return shapes[0]
        if not shapes:
            counts = sorted({len(s.columns) for s in self.heads[path]})
            raise ArgonError(
                "ARGON_RUNTIME_SIGNATURE_MISMATCH",
                args(name=bare, expected=" or ".join(map(str, counts)), found=str(wanted)),
            )
        raise ambiguous(bare, [s.key for s in shapes])

    @cached_property
    def _by_last_name(self) -> Mapping[str, list[str]]:
        """The declared individuals by the last segment of their paths."""
        found: dict[str, list[str]] = {}
        for path in self.individuals:
            found.setdefault(path.rsplit("::", 1)[-1], []).append(path)
        return found

    def individual_id(self, name: str) -> str:
        """The id of an individual by id, path or short name. Raises NOT_FOUND, OE0102."""
        if name in self.individuals or name.startswith("#"):
            return name
        matches = matching(name, self._by_last_name.get(name.rsplit("::", 1)[-1], ()))
        if len(matches) > 1:
            raise ambiguous(name, matches)
        if not matches:
            raise not_found("individual", name, self.individuals)
        return matches[0]


def field_owner(key: str) -> str:
    """The concept or relation under whose name a field's rows are stored."""
    return key.rpartition(".")[0]


def head_path(shape: Predicate) -> str | None:
    """The path by which `derive` knows this predicate; None for fields, asserted rows and query bodies."""
    match shape.kind:
        case "derived":
            return shape.key.rpartition("/")[0]
        case "check":
            return shape.key.removesuffix("!")
        case "concept" | "relation" if not shape.key.endswith("^"):
            return shape.key
        case _:
            return None


def matching(name: str, paths: Iterable[str]) -> list[str]:
    """The paths whose last segments are `name`, sorted."""
    tail = "::" + name
    return sorted(path for path in paths if path == name or path.endswith(tail))


def ambiguous(name: str, candidates: Iterable[str]) -> ArgonError:
    """OE0102 with the candidates in order."""
    shown = sorted(candidates)
    return ArgonError("OE0102", args(name=name, candidates=", ".join(shown)), details={"candidates": shown})


def _pick(kind: str, name: str, paths: Mapping[str, object]) -> str:
    if name in paths:
        return name
    matches = matching(name, paths)
    own = [path for path in matches if path.startswith("pkg::")]
    if len(own) == 1:
        return own[0]
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise ambiguous(name, matches)
    raise not_found(kind, name, paths)


_SHOWN = 100
"""How much of a name that nothing has is repeated, in characters."""


def not_found(kind: str, name: str, paths: Iterable[str]) -> ArgonError:
    """`ARGON_RUNTIME_NOT_FOUND` with near names under `details.candidates`."""
    shorts = sorted({path.rsplit("::", 1)[-1] for path in paths})
    near = get_close_matches(name.rsplit("::", 1)[-1], shorts, n=3, cutoff=0.6)
    known = Note("known", args(candidates=", ".join(shorts[:12])))
    notes = [Note("suggest", args(suggestion=each)) for each in near] or ([known] if 0 < len(shorts) <= 12 else [])
    return ArgonError(
        "ARGON_RUNTIME_NOT_FOUND",
        args(kind=FOUND_KINDS[kind], name=name[:_SHOWN]),
        details={"name": name[:_SHOWN], "candidates": near},
        notes=tuple(notes),
    )


def _by_path(items: Iterable[Declared]) -> dict[str, Declared]:
    return {item.path: item for item in items}


def _walk(start: str, edges: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    seen, queue = {start}, [start]
    for path in queue:
        yield path
        for target in edges.get(path, ()):
            if target not in seen:
                seen.add(target)
                queue.append(target)
