"""JSON Schemas that every client accepts: no `$ref`, no combinators, no type arrays, no titles.

Clients and the model providers behind them refuse a whole server for one schema that they cannot read, so what pydantic
writes is flattened: references are put in place, an optional field is one that is not required.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import BaseModel

Schema = dict[str, Any]

_TOLD = ("default", "description", "examples", "items", "properties", "required")
"""What the fields of a result go without: the tool's own description and its text say it."""


@cache
def _raw(model: type[BaseModel], mode: str) -> Schema:
    return model.model_json_schema(by_alias=True, mode="serialization" if mode == "serialization" else "validation")


def input_schema(model: type[BaseModel]) -> Schema:
    """The schema of a tool's arguments, with every description and example."""
    raw = _raw(model, "validation")
    return {"type": "object", **_flat(raw, raw.get("$defs", {}), deep=True), "additionalProperties": False}


def output_schema(model: type[BaseModel], common: type[BaseModel]) -> Schema:
    """The schema of a tool's result: the fields of its own, and those that every result must have.

    What any result may have beside (`common`) is left out, for a client reads the list whole before its first question.
    """
    raw = _raw(model, "serialization")
    flat = _flat(raw, raw.get("$defs", {}), deep=False)
    shared = set(_raw(common, "serialization")["properties"]) - {"schemaVersion"}
    kept = {name: each for name, each in flat["properties"].items() if name not in shared}
    bare = {name: {key: each[key] for key in each if key not in _TOLD} for name, each in kept.items()}
    return {"type": "object", **flat, "properties": bare}


def _flat(schema: Schema, definitions: Schema, *, deep: bool) -> Schema:
    flat: Schema = {}
    properties = schema.get("properties")
    for key, value in schema.items():
        if key in ("title", "$defs", "description", "additionalProperties"):
            continue
        flat[key] = value
    if properties is not None:
        flat["properties"] = {name: _field(each, definitions, deep=deep) for name, each in properties.items()}
    return flat


def _field(schema: Schema, definitions: Schema, *, deep: bool) -> Schema:
    own = _value(schema, definitions, deep=deep)
    described: Schema = {key: schema[key] for key in ("description", "examples") if key in schema}
    return {**described, **own}


def _value(schema: Schema, definitions: Schema, *, deep: bool) -> Schema:
    """A schema without references and unions, and without words."""
    schema = _resolved(schema, definitions)
    flat: Schema = {}
    for key, value in schema.items():
        match key:
            case "title" | "description" | "examples" | "$defs" | "additionalProperties":
                continue
            case "default" if value is None:
                continue
            case "items":
                flat[key] = _value(value, definitions, deep=deep)
            case "properties":
                nested = _field if deep else _value
                flat[key] = {name: nested(each, definitions, deep=deep) for name, each in value.items()}
            case _:
                flat[key] = value
    if deep and schema.get("type") == "object" and "properties" in schema:
        flat["additionalProperties"] = False
    return flat


def _resolved(schema: Schema, definitions: Schema) -> Schema:
    """Follow references, and take the one part of an optional's union that is not null."""
    while True:
        if "$ref" in schema:
            found = definitions[schema["$ref"].rpartition("/")[2]]
        elif "anyOf" in schema:
            found = next(each for each in schema["anyOf"] if each.get("type") != "null")
        elif "const" in schema and "type" in schema:
            rest = {key: value for key, value in schema.items() if key != "const"}
            return {**rest, "enum": [schema["const"]]}
        else:
            return schema
        rest = {key: value for key, value in schema.items() if key not in ("$ref", "anyOf", "description", "title")}
        schema = {**found, **rest}
