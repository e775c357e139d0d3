"""`argon migrate`: the map file, and the store brought to the saved module under the project's lock."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from argon_lang.errors import ArgonError
from argon_lang.problems import args
from argon_lang.runtime.migration import Renames, migrate
from argon_lang.runtime.options import WriteOptions
from argon_lang.runtime.wires import MigrationReport
from argon_lang.session.project import Project
from argon_lang.workspace.lock import project_lock


class MapTable(BaseModel):
    """A map file: `[rename]` old = new, and `drop = […]`; `Person.age` is short for `pkg::Person.age`."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    rename: dict[str, str] = Field(default_factory=dict)
    drop: list[str] = Field(default_factory=list)


def read_map(root: Path, file: str) -> Renames:
    """The renames of a map file. Raises `ARGON_INPUT_UNREADABLE`, `ARGON_RUNTIME_VALIDATION_FAILED`."""
    try:
        table = MapTable.model_validate(tomllib.loads((root / file).read_text(encoding="utf-8")))
    except OSError as error:
        raise ArgonError("ARGON_INPUT_UNREADABLE", args(path=file, found=error.strerror or "unreadable")) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _invalid(file, "TOML", str(error)) from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        found = json.dumps(first["input"], ensure_ascii=False, default=str)[:80]
        raise _invalid(f"{file}: {place}", "a table `rename` of paths, a list `drop` of paths", found) from error
    names = {_path(old): _path(new) for old, new in table.rename.items()}
    twice = sorted({new for new in names.values() if list(names.values()).count(new) > 1})
    both = sorted(set(names) & set(map(_path, table.drop)))
    if twice or both:
        raise _invalid(file, "each path once", (twice or both)[0])
    return Renames(names, frozenset(map(_path, table.drop)))


def migrate_project(
    project: Project, map_file: str | None, *, dry_run: bool, fork: str | None, policy: str
) -> MigrationReport:
    """Bring the project's store, or a fork of it, to the saved module. Raises as building and writing do."""
    renames = Renames()
    if map_file is not None:
        renames = read_map(project.root.root, project.root.relative(map_file))
    service = project.runtime(policy, writes=not dry_run, fits=False, fork=fork)
    options = WriteOptions(dry_run=dry_run)
    if dry_run:
        return migrate(service, renames, options, service.governor())
    with project_lock(project.root, "argon migrate"):
        return migrate(service, renames, options, service.governor())


def _path(written: str) -> str:
    return written if written.startswith("pkg::") else f"pkg::{written}"


def _invalid(name: str, expected: str, found: str) -> ArgonError:
    return ArgonError("ARGON_RUNTIME_VALIDATION_FAILED", args(name=name, expected=expected, found=found))
