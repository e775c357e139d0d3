"""What the tools share: the base of their arguments, and the fields that every result carries."""

from __future__ import annotations

import json
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel
from pydantic_core import ErrorDetails

from argon_lang.errors import ArgonError
from argon_lang.problems import Note, args
from argon_lang.session.refusals import error_body
from argon_mcp.handle import Json, Refused
from shared_catalog import lookup

_SHOWN = 60


class Given(BaseModel):
    """Base of the arguments: closed, strict, camelCase on the wire."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, alias_generator=to_camel)

    def wire(self) -> dict[str, Json]:
        """As JSON, absent arguments as null."""
        return self.model_dump(mode="json", by_alias=True)


class PageGiven(Given):
    """Which part of a long answer."""

    size: int = Field(ge=1, description="rows of this page", examples=[100])
    cursor: str | None = Field(default=None, description="`nextCursor` of the page before", examples=["WzEwMF0"])


class RuntimeGiven(Given):
    """Arguments that every runtime tool takes."""

    fork: str | None = Field(default=None, description="fork handle", examples=["main"])
    standpoint: str | None = Field(default=None, description="view", examples=["default"])
    as_of: str | None = Field(default=None, description="valid time", examples=["2026-01-31"])
    as_of_tx: int | None = Field(default=None, ge=0, description="as known at tx", examples=[12])
    principal: str | None = Field(default=None, description="who asks", examples=["user:ada"])


class ReadGiven(RuntimeGiven):
    """Arguments of the tools that read rows."""

    page: PageGiven | None = Field(default=None, description="read by the page", examples=[{"size": 100}])
    project_k3: bool = Field(default=False, alias="projectK3", description="only rows that hold", examples=[True])


class PackageGiven(Given):
    """Which package of the workspace."""

    project_root: str | None = Field(
        default=None,
        min_length=1,
        description="folder or name of a workspace member; else the project",
        examples=["ufo"],
    )


class TextGiven(Given):
    """Which text: a pasted one, or a saved file."""

    source: str | None = Field(default=None, description="a pasted text", examples=["pub type P { }\n"])
    file_path: str | None = Field(default=None, min_length=1, description="a file of the project", examples=["root.ar"])

    def wire(self) -> dict[str, Json]:
        """As JSON. Raises Refused unless there is one text."""
        if (self.source is None) == (self.file_path is None):
            raise refused(
                wrong("source", "a text or filePath, one of them", "neither" if self.source is None else "both")
            )
        return super().wire()


class LimitExceeded(BaseModel):
    """The limit that an answer is over, the figure reached, and the knob that sets it."""

    model_config = ConfigDict(alias_generator=to_camel)

    limit: int
    reached: int
    knob: str


class ErrorResult(BaseModel):
    """What was refused or could not run."""

    code: str
    message: str
    details: dict[str, Any]
    help: list[str] = []
    retryable: bool


class Result(BaseModel):
    """Fields of every result. Absent ones do not apply."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)

    schema_version: Literal["1.0"]
    error: ErrorResult | None = Field(default=None, description="refusal or failure; the rest may be absent")
    request_id: str | None = Field(default=None, description="names a failure in the log")
    diagnostic_codes: list[str] = Field(description="catalog codes involved; argon_explain_code teaches them")
    limit_exceeded: LimitExceeded | None = Field(default=None, description="nothing is cut: the answer was refused")
    capability_required: str | None = Field(default=None, description="what this server lacks")
    retryable: bool = Field(description="may the same call succeed later?")
    truncated: Literal[False] = Field(description="always false")
    next_step: str | None = Field(default=None, description="what to do next")


class Rested(Result):
    """Fields that say what a result rests on."""

    module_hash: str | None = Field(default=None, description="the module that answered")
    store_id: str | None = Field(default=None, description="zeros while no store exists")
    generation: int | None = Field(default=None, description="state of the store")
    inputs_digest: str | None = Field(default=None, description="sources that the module was compiled from")
    stale_artifact: bool | None = Field(default=None, description="saved sources are newer than the module")
    needs_build: bool | None = Field(default=None, description="the artifact on disk is not that of the sources")


def refused(error: ArgonError) -> Refused:
    """An error of ours in the form of the runtime's."""
    return Refused(error_body(error))


def missing(name: str, expected: str) -> ArgonError:
    """`MCP-INVALID-INPUT` for a call that gives nothing to go by."""
    return wrong(name, expected, "nothing")


def wrong(name: str, expected: str, found: str) -> ArgonError:
    """`MCP-INVALID-INPUT` for an argument."""
    details = {"arguments": [{"argument": name, "expected": expected}]}
    return ArgonError("MCP-INVALID-INPUT", args(name=name, expected=expected, found=found), details=details)


def parsed(model: type[Given], arguments: dict[str, Any]) -> Given:
    """The arguments of a call. Raises Refused with `MCP-INVALID-INPUT`, naming the argument."""
    try:
        return model.model_validate_json(json.dumps(arguments))
    except ValidationError as error:
        raise refused(_invalid(model, error.errors(include_url=False))) from error
    except RecursionError as error:
        values = args(name="arguments", expected="less nesting", found="too many levels")
        raise refused(ArgonError("MCP-INVALID-INPUT", values)) from error


def _invalid(model: type[Given], errors: list[ErrorDetails]) -> ArgonError:
    first = errors[0]
    name = ".".join(map(str, first["loc"])) or "arguments"
    known = _known(model, first["loc"][:-1])
    notes: list[Note] = []
    if first["type"] == "extra_forbidden":
        written = str(first["loc"][-1])
        near = min(known, key=lambda each: lookup.distance(written.lower(), each.lower()), default=None)
        if near is not None and lookup.distance(written.lower(), near.lower()) <= max(2, len(near) // 3):
            notes.append(Note("suggest", args(suggestion=near)))
        if known:
            notes.append(Note("known", args(candidates=", ".join(known))))
    wrong = [{"argument": ".".join(map(str, each["loc"])), "expected": _expected(each)} for each in errors]
    values = args(name=name, expected=_expected(first), found=_found(first))
    return ArgonError("MCP-INVALID-INPUT", values, details={"arguments": wrong}, notes=tuple(notes))


def _known(model: type[BaseModel], path: tuple[int | str, ...]) -> list[str]:
    """The arguments that a place of the model takes."""
    here: type[BaseModel] = model
    for step in path:
        fields = {(each.alias or name): each for name, each in here.model_fields.items()}
        annotation = getattr(fields.get(str(step)), "annotation", None)
        parts = (annotation, *getattr(annotation, "__args__", ()))
        here = next((each for each in parts if isinstance(each, type) and issubclass(each, BaseModel)), here)
    return [each.alias or name for name, each in here.model_fields.items()]


_TYPES = {
    "string_type": "a string",
    "int_type": "an integer",
    "bool_type": "true or false",
    "dict_type": "an object",
    "model_type": "an object",
    "list_type": "a list",
    "missing": "a value",
    "extra_forbidden": "no such argument",
    "string_too_short": "a text that is not empty",
    "int_from_float": "an integer",
}


def _expected(error: ErrorDetails) -> str:
    context = error.get("ctx", {})
    match error["type"]:
        case "literal_error":
            return str(context.get("expected", "another value"))
        case "greater_than_equal":
            return f"{context.get('ge')} or more"
        case "less_than_equal":
            return f"{context.get('le')} or less"
        case kind:
            return _TYPES.get(kind, "a value that fits")


def _found(error: ErrorDetails) -> str:
    if error["type"] == "missing":
        return "nothing"
    text = json.dumps(error["input"], ensure_ascii=False, default=str)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
