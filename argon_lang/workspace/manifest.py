"""`ox.toml`: what a package says about itself, as validated values.

The tables are pydantic models, since a manifest is an edge. Reading never fails: every mistake becomes a problem at its
place in the file, the entry is set aside, and the rest of the manifest counts, so that an editor goes on working.
"""

from __future__ import annotations

import copy
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import PydanticCustomError

from argon_lang.problems import Problem
from argon_lang.program.view import PackageInfo
from argon_lang.workspace.manifest_problems import (
    missing_problem,
    not_utf8_problem,
    syntax_problem,
    validation_problem,
)
from argon_lang.workspace.toml_places import KeyPath, toml_places

MANIFEST = "ox.toml"
NAMELESS = ""
"""The package name of a folder without `ox.toml`."""

_STAND_IN = "nameless"

World = Literal["closed", "open"]
Tier = Literal["structural", "closure", "expressive", "recursive", "fol", "modal", "metaorder"]
StoreKind = Literal["sqlite", "memory"]
LintLevel = Literal["off", "warn", "error"]

_PACKAGE_NAME = re.compile(r"[^\W\d_]\w*(-\w+)*")
_VERSION = re.compile(r"(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}([-+][0-9A-Za-z.+-]+)?")
_USE_PATH = re.compile(r"[\w:{},*\s]*\w[\w:{},*\s]*")
_LINT_CODE = re.compile(r"O[WI]\d{4}")


def is_package_name(name: str) -> bool:
    """Whether a package may have this name: letters, digits, `_` and inner `-`, a letter first."""
    return _PACKAGE_NAME.fullmatch(name) is not None


def _is_version(text: str) -> bool:
    return _VERSION.fullmatch(text) is not None


def _is_use_path(text: str) -> bool:
    return _USE_PATH.fullmatch(text) is not None


def _is_inner_path(path: str) -> bool:
    parts = path.split("/")
    plain = not any(part in ("", "..") for part in parts) and not set(path) & set("\\\0")
    return plain and ":" not in parts[0] and path != "."


def _is_source_path(path: str) -> bool:
    return _is_inner_path(path) and path.endswith(".ar")


def _that(holds: Callable[[str], bool], note: str) -> AfterValidator:
    """A check of a text whose failure is explained by a note of OE1245."""

    def checked(value: str) -> str:
        if not holds(value):
            raise PydanticCustomError("argon_note", "{note}", {"note": note})
        return value

    return AfterValidator(checked)


def _one_of(*choices: str) -> BeforeValidator:
    """Exactly one of a few words, or a note that lists them."""

    def checked(value: object) -> object:
        if value not in choices:
            raise PydanticCustomError("argon_note", "{note}", {"note": "one_of", "candidates": ", ".join(choices)})
        return value

    return BeforeValidator(checked)


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Package(_Table):
    """`[package]`. `entry` is relative to the root, with `/`; `prelude` holds what `use` takes."""

    name: Annotated[str, _that(is_package_name, "package_name")]
    version: Annotated[str, _that(_is_version, "version")] = "0.0.0"
    entry: Annotated[str, _that(_is_source_path, "source_path")] = "root.ar"
    prelude: list[Annotated[str, _that(_is_use_path, "use_path")]] = []
    default_world: Annotated[World, _one_of("closed", "open")] = "closed"
    max_tier: Annotated[
        Tier | None, _one_of("structural", "closure", "expressive", "recursive", "fol", "modal", "metaorder")
    ] = None
    description: str = ""
    license: str = ""


class PathDependency(_Table):
    """One row of `[dependencies]`: a folder, relative to this package's."""

    path: str


class Workspace(_Table):
    """`[workspace]`: globs of member folders inside this one."""

    members: list[Annotated[str, _that(_is_inner_path, "inner_path")]] = []


class StoreTable(_Table):
    """`[store]`. `path` is relative to the root and inside it; a server's URL never stands in a manifest."""

    kind: Annotated[StoreKind, _one_of("sqlite", "memory")] = "sqlite"
    path: Annotated[str, _that(_is_inner_path, "inner_path")] = ".argon/store.sqlite3"


Knob = Annotated[int, Field(ge=1)]


class Limits(_Table):
    """`[limits]`: the governor's knobs (semantics S11); None leaves the default of the surface that asks."""

    timeoutMs: Knob | None = None
    maxRows: Knob | None = None
    maxDerived: Knob | None = None
    maxRounds: Knob | None = None
    maxProofNodes: Knob | None = None
    fnDepth: Knob | None = None


class Manifest(_Table):
    """The whole of `ox.toml`. `lint` maps codes of warnings and informations to the level they are shown at."""

    package: Package
    dependencies: dict[str, PathDependency] = {}
    workspace: Workspace = Workspace()
    store: StoreTable = StoreTable()
    limits: Limits = Limits()
    lint: dict[
        Annotated[str, _that(lambda code: _LINT_CODE.fullmatch(code) is not None, "unknown")],
        Annotated[LintLevel, _one_of("off", "warn", "error")],
    ] = {}


def _without_name(manifest: Manifest) -> Manifest:
    """The manifest with the nameless package's name, which no file may give."""
    return manifest.model_copy(update={"package": manifest.package.model_copy(update={"name": NAMELESS})})


NAMELESS_MANIFEST = _without_name(Manifest(package=Package(name=_STAND_IN, prelude=["std::core::{type, rel}"])))
"""What a folder without `ox.toml` stands for."""


def package_info(manifest: Manifest) -> PackageInfo:
    """What the checker needs to know of a manifest."""
    package = manifest.package
    return PackageInfo(
        name=package.name,
        version=package.version,
        entry=package.entry,
        prelude=tuple(package.prelude),
        default_world=package.default_world,
        max_tier=package.max_tier,
        lints=tuple(sorted(manifest.lint.items())),
    )


@dataclass(frozen=True, slots=True)
class ManifestReading:
    """What counts of an `ox.toml`, its decoded text, and what is wrong in it.

    The spans of `problems` count code points of `text`, the whole file being their item.
    """

    manifest: Manifest
    text: str
    problems: tuple[Problem, ...]


def read_manifest(data: bytes) -> ManifestReading:
    """Read the bytes of an `ox.toml`; every mistake is a problem, none an exception."""
    try:
        text = data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        return ManifestReading(_unnamed(), data.decode("utf-8", "replace"), (not_utf8_problem(MANIFEST, data, error),))
    try:
        raw = tomllib.loads(text)
        places = toml_places(text)
    except tomllib.TOMLDecodeError as error:
        return ManifestReading(_unnamed(), text, (syntax_problem(MANIFEST, text, str(error)),))
    except RecursionError:
        return ManifestReading(_unnamed(), text, (syntax_problem(MANIFEST, text, "nested too deeply"),))
    manifest, problems = _validated(raw, text, places)
    return ManifestReading(manifest, text, tuple(sorted(problems, key=lambda problem: (problem.start, problem.code))))


def _unnamed() -> Manifest:
    return _without_name(Manifest(package=Package(name=_STAND_IN)))


def _validated(raw: dict[str, Any], text: str, places: dict[KeyPath, Any]) -> tuple[Manifest, list[Problem]]:
    """The manifest of what is right, and a problem for each entry that had to be set aside."""
    package = raw.get("package", {})
    problems = [missing_problem(text, places)] if isinstance(package, dict) and "name" not in package else []
    rest = copy.deepcopy(raw)
    while True:
        nameless = _named(rest)
        try:
            manifest = Manifest.model_validate(rest)
            return (_without_name(manifest) if nameless else manifest), problems
        except ValidationError as error:
            for row in error.errors(include_url=False):
                path = row["loc"][:2] if row["loc"][0] == "dependencies" else row["loc"]
                if _set_aside(rest, path):
                    problems.append(validation_problem(Manifest, row, text, places))
            if nameless and isinstance(rest.get("package"), dict):
                rest["package"].pop("name", None)


def _named(raw: dict[str, Any]) -> bool:
    """Give a package without a usable name a stand-in, so that the rest of it counts; whether it needed one."""
    package = raw.setdefault("package", {})
    if not isinstance(package, dict) or "name" in package:
        return False
    package["name"] = _STAND_IN
    return True


def _set_aside(raw: dict[str, Any], path: KeyPath) -> bool:
    """Remove the entry at `path`, or the nearest one above it; False when an earlier mistake has removed it."""
    holder: Any = raw
    for key in path[:-1]:
        inner = holder.get(key)
        if not isinstance(inner, dict):
            return holder.pop(key, None) is not None
        holder = inner
    return holder.pop(path[-1], None) is not None
