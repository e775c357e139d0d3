"""What is there: the project, its artifact, its store, and whether they agree. Never fails on a broken project."""

from __future__ import annotations

import platform
from dataclasses import asdict
from pathlib import Path

from argon_lang.artifact.decode import highest_tier
from argon_lang.artifact.layout import AXES
from argon_lang.errors import ArgonError
from argon_lang.runtime.envelopes import ArtifactState, LockHolder, ProjectState, Status, StoreState
from argon_lang.runtime.shown import iso
from argon_lang.session.project import Project
from argon_lang.session.refusals import error_body
from argon_lang.store.protocol import NO_STORE
from argon_lang.version import VERSION
from argon_lang.workspace.build import Freshness
from argon_lang.workspace.lock import lock_holder


def status(folder: Path | None = None) -> Status:
    """The state of a project's folder. Raises only `ARGON_PROJECT_NOT_FOUND`."""
    return status_of(Project.open(folder))


def status_of(project: Project) -> Status:
    """The state of an open project."""
    fresh = project.freshness()
    artifact, store = _artifact(project, fresh), _store(project)
    holder = lock_holder(project.root)
    return Status(
        project=_project(project),
        artifact=artifact,
        store=store,
        source_dirty=fresh.dirty,
        inputs_digest=fresh.inputs_digest,
        lock_holder=LockHolder.model_validate(asdict(holder)) if holder is not None else None,
        limits=_limits(project),
        versions={
            "argon": VERSION,
            "python": platform.python_version(),
            **{name: f"{major}.{minor}" for name, (major, minor) in AXES.items()},
        },
        next_step=_next(artifact, store, fresh),
    )


def _project(project: Project) -> ProjectState:
    try:
        name = project.manifest().package.name or None
    except ArgonError:
        name = None
    root = project.root
    return ProjectState(root=root.root.as_posix(), source=root.source, manifest=root.has_manifest, package=name)


def _artifact(project: Project, fresh: Freshness) -> ArtifactState:
    stamp = fresh.stamp
    return ArtifactState(
        path=fresh.artifact.relative_to(project.root.root).as_posix(),
        exists=fresh.artifact.exists(),
        module_hash=stamp.module_hash if stamp is not None else None,
        inputs_digest=stamp.inputs_digest if stamp is not None else None,
        tier=_tier(fresh) if stamp is not None else None,
    )


def _tier(fresh: Freshness) -> str | None:
    """The highest tier of the artifact; None when it cannot be read by now."""
    try:
        return highest_tier(fresh.artifact.read_bytes())
    except (OSError, ArgonError):
        return None


def _store(project: Project) -> StoreState:
    """The store; one that cannot be read exists without an id."""
    try:
        table = project.manifest().store
    except ArgonError:
        return StoreState(kind="sqlite", exists=False)
    path = table.path if table.kind == "sqlite" else None
    store = project.store()
    try:
        snapshot, forks = store.snapshot(), len(store.forks())
    except ArgonError as error:
        return StoreState(kind=table.kind, path=path, exists=True, error=error_body(error)["message"])
    exists = snapshot.store_id != NO_STORE and path is not None
    last = snapshot.transactions(snapshot.head - 1) if snapshot.head else ()
    return StoreState(
        kind=table.kind,
        path=path,
        exists=exists,
        id=str(snapshot.store_id) if exists else None,
        generation=snapshot.generation,
        tx=snapshot.head,
        module_hash=snapshot.module_hash or None,
        last_write=iso(last[0].instant) if last else None,
        forks=forks,
    )


def _limits(project: Project) -> dict[str, int]:
    try:
        limits = project.limits()
    except ArgonError:
        return {}
    return {
        "timeoutMs": limits.timeout_ms,
        "maxRows": limits.max_rows,
        "maxDerived": limits.max_derived,
        "maxRounds": limits.max_rounds,
        "maxProofNodes": limits.max_proof_nodes,
        "fnDepth": limits.fn_depth,
    }


def _next(artifact: ArtifactState, store: StoreState, fresh: Freshness) -> str | None:
    if fresh.inputs_digest is None:
        return "argon check"
    if fresh.dirty:
        return "argon build"
    return None
