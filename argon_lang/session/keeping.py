"""What a project keeps on disk, for its owner: a copy of the store, and what the artifact says about itself."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from argon_lang.artifact.decode import LoadedArtifact, decode
from argon_lang.artifact.layout import AXES
from argon_lang.errors import ArgonError
from argon_lang.ir.module import Module
from argon_lang.problems import args
from argon_lang.runtime.wires import ArtifactReport, BackupReport, SectionForm
from argon_lang.session.dirty import no_artifact
from argon_lang.session.project import Project
from argon_lang.store.backup import back_up

_KINDS = ("concepts", "relations", "structs", "enums", "rules", "facts", "functions", "queries", "checks", "mutations")


def back_up_store(project: Project, target: str | None) -> BackupReport:
    """Copy the project's store to a path in the project; by default under `.argon/backups`, named by its transaction.

    Raises `ARGON_PATH_OUTSIDE_PROJECT`, `ARGON_ALREADY_EXISTS`, `ARGON_TARGET_UNWRITABLE`,
    `ARGON_RUNTIME_STORE_UNAVAILABLE`, `ARGON_RUNTIME_CAPABILITY_REQUIRED` for a store in memory.
    """
    table = project.manifest().store
    if table.kind == "memory":
        needed = args(name="store backup", expected="a store in a file")
        raise ArgonError("ARGON_RUNTIME_CAPABILITY_REQUIRED", needed, details={"capability": "sqlite"})
    head = project.store().snapshot().head
    root = project.root.root
    relative = f".argon/backups/store-{head}.sqlite3" if target is None else project.root.relative(target)
    made = back_up(root / table.path, root / relative, table.path, relative)
    return BackupReport(
        path=relative,
        bytes=made.size,
        store_id=str(made.store_id),
        generation=made.generation,
        tx=made.tx,
        events=made.events,
    )


def show_artifact(project: Project, path: str | None) -> ArtifactReport:
    """What an artifact, by default the project's own, says about itself; all of it is read and checked.

    Raises `NO_ARTIFACT`, `ARGON_PATH_OUTSIDE_PROJECT`, and those of loading.
    """
    fresh = project.freshness()
    root = project.root.root
    file = fresh.artifact if path is None else root / project.root.relative(path)
    name = file.relative_to(root).as_posix()
    data = _bytes_of(file, name)
    artifact = decode(data, name)
    return ArtifactReport(
        path=name,
        bytes=len(data),
        package=artifact.module.package,
        version=artifact.module.version,
        module_hash=artifact.module_hash,
        inputs_digest=artifact.inputs_digest,
        current=artifact.inputs_digest == fresh.inputs_digest,
        axes={axis: f"{major}.{minor}" for axis, (major, minor) in AXES.items()},
        sections=_sections(artifact),
        declares=_declares(artifact.whole),
        tiers=dict(sorted(Counter(tier for _, tier in artifact.module.tiers).items())),
    )


def _bytes_of(file: Path, name: str) -> bytes:
    try:
        return file.read_bytes()
    except FileNotFoundError:
        raise no_artifact(name) from None
    except OSError as error:
        found = error.strerror or type(error).__name__
        raise ArgonError("ARGON_INPUT_UNREADABLE", args(path=name, found=found)) from error


def _sections(artifact: LoadedArtifact) -> list[SectionForm]:
    rows = artifact.container.rows
    return [
        SectionForm(name=row.name, mandatory=row.mandatory, length=row.length, digest=row.digest.hex()) for row in rows
    ]


def _declares(module: Module) -> dict[str, int]:
    return {kind: len(getattr(module, kind)) for kind in _KINDS} | {"tests": len(module.tests)}
