"""What a server says of a project beside answers: which module serves, what it declares, or that there is none."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Iterator
from pathlib import Path

from argon_lang.ir.module import Field, Param
from argon_lang.program.types import Type, show
from argon_lang.runtime.envelopes import SCHEMA_VERSION, Json
from argon_lang.runtime.schema import Schema
from argon_lang.runtime.served import Served
from argon_lang.session.serving import Serving, Session
from argon_lang.version import VERSION


def no_project(session: Session, error: Json) -> Json:
    """The status of a folder that holds no project."""
    folder = Path(session.folder)
    return {
        "schemaVersion": SCHEMA_VERSION,
        "project": {
            "root": folder.absolute().as_posix(),
            "source": "flag" if session.settings.project is not None else "fallback",
            "manifest": False,
        },
        "sourceDirty": False,
        "limits": {},
        "versions": {"argon": VERSION, "python": platform.python_version()},
        "error": error,
        "nextStep": "argon new NAME, or start the server in a folder with an ox.toml",
    }


def module_resource(serving: Serving) -> Json:
    """The module that serves, and what it rests on."""
    service = serving.service
    snapshot, schema = service.store.snapshot(), service.served.schema
    return {
        "schemaVersion": SCHEMA_VERSION,
        "package": schema.module.package,
        "version": schema.module.version,
        "moduleHash": service.served.module_hash,
        "inputsDigest": serving.inputs_digest,
        "staleArtifact": serving.stale,
        "needsBuild": serving.needs_build,
        "storeId": str(snapshot.store_id),
        "generation": snapshot.generation,
        "declares": {kind: sum(1 for _ in rows) for kind, rows in _index(service.served).items()},
    }


def schema_index(serving: Serving) -> Json:
    """Every declaration of the package itself, by kind, with its signature and the first line of its docs."""
    served = serving.service.served
    rows = {kind: list(found) for kind, found in _index(served).items()}
    return {"schemaVersion": SCHEMA_VERSION, "moduleHash": served.module_hash, **rows}


def _index(served: Served) -> dict[str, Iterable[Json]]:
    schema, docs = served.schema, dict(served.module.source.docs)
    own = _Own(docs)
    return {
        "concepts": own.rows((each.path, _fields(each.fields, each.supers)) for each in schema.module.concepts),
        "relations": own.rows(
            (each.path, _ends(each.ends) + _fields(each.fields, each.supers)) for each in schema.module.relations
        ),
        "predicates": own.rows(_derived(schema)),
        "queries": own.rows(
            (each.path, f"{_params(each.params)} -> {show(each.type)}") for each in schema.module.queries
        ),
        "mutations": own.rows(
            (each.path, _params(each.params) + (f" -> {show(each.result)}" if each.result is not None else ""))
            for each in schema.module.mutations
        ),
        "checks": own.rows(_checks(schema)),
        "functions": own.rows(
            (each.path, f"{_params(each.params)} -> {show(each.result)}") for each in schema.module.functions
        ),
    }


class _Own:
    """Rows of the package's own declarations; those of std are left out."""

    def __init__(self, docs: dict[str, str]) -> None:
        self._docs = docs

    def rows(self, found: Iterable[tuple[str, str]]) -> Iterator[Json]:
        for path, signature in found:
            if not path.startswith("pkg::"):
                continue
            name = path.rsplit("::", 1)[-1]
            row = {"name": name, "path": path, "signature": name + signature}
            first = self._docs.get(path, "").strip().partition("\n")[0]
            yield row | ({"doc": first} if first else {})


def _derived(schema: Schema) -> Iterator[tuple[str, str]]:
    for shape in schema.module.predicates:
        if shape.kind == "derived":
            yield shape.key.rpartition("/")[0], _ends(shape.columns)


def _checks(schema: Schema) -> Iterator[tuple[str, str]]:
    for path, check in schema.checks.items():
        yield path, _ends(schema.predicates[f"{path}!"].columns[: check.arity])


def _ends(columns: Iterable[tuple[str, Type]]) -> str:
    return f"({', '.join(f'{name}: {show(ty)}' for name, ty in columns)})"


def _params(params: Iterable[Param]) -> str:
    return _ends((each.name, each.type) for each in params)


def _fields(fields: Iterable[Field], supers: Iterable[str]) -> str:
    above = ", ".join(path.rsplit("::", 1)[-1] for path in supers)
    shown = ", ".join(f"{'mut ' if each.mutable else ''}{each.name}: {_type(each)}" for each in fields)
    return (f" <: {above}" if above else "") + (f" {{ {shown} }}" if shown else "")


def _type(field: Field) -> str:
    return f"[{show(field.type)}]" if field.many else show(field.type) + ("?" if field.optional else "")
