"""One project being served: source, artifact, store and served module kept coherent (artifact.md §3).

Before every answer `ensure` compares the module in memory with the disk, by content: saved inputs by their digest, the
artifact by its stamp. What differs is built or refused by the dirty policy, and a new module takes the place of the old
one only when it fits the store. The watcher calls `glance`, a backstop: no answer rests on it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock

from argon_lang.engine.governor import Governor, Limits
from argon_lang.errors import ArgonError
from argon_lang.problems import args
from argon_lang.runtime.models import Models
from argon_lang.runtime.reload import require_compatible
from argon_lang.runtime.service import RuntimeService, system_clock
from argon_lang.session.adhoc import AdHoc
from argon_lang.session.cancellation import Cancellation
from argon_lang.session.dirty import Active, builds_anew, builds_first, dirty_workspace, gates_failed, loaded
from argon_lang.session.disk import Disk
from argon_lang.session.locks import TracedLock, TracedStore
from argon_lang.session.program import Program
from argon_lang.session.project import Project, limits_of, login, store_of
from argon_lang.session.settings import Policy, Settings
from argon_lang.session.source_questions import Members
from argon_lang.store.memory import MemoryStore
from argon_lang.store.protocol import MAIN, Store
from argon_lang.workspace.build import BuildResult, Stamp
from argon_lang.workspace.cache import user_cache
from argon_lang.workspace.root import find_project

_ATTEMPTS = 3
"""Builds before `build` settles for another process that builds other inputs at the same time."""

INCOMPATIBLE = "ARGON_RUNTIME_SCHEMA_INCOMPATIBLE"


@dataclass(frozen=True, slots=True)
class Serving:
    """What one answer rests on.

    `stale`: the saved inputs are newer than the module. `needs_build`: the artifact on disk is not that of the saved
    inputs. `reason` is why a newer module does not serve (it does not fit the store). `fork` is the handle of the fork
    that answers, when it is one.
    """

    service: RuntimeService
    inputs_digest: str
    stale: bool
    needs_build: bool
    reason: ArgonError | None = None
    fork: str | None = None

    def on_fork(self, handle: str | None, *, touch: bool) -> Serving:
        """The same on a fork; None and `main` are the main branch. Raises `ARGON_RUNTIME_FORK_NOT_FOUND`."""
        if handle in (None, MAIN):
            return self
        service = self.service.on_fork(handle)
        if touch:
            self.service.store.touch_fork(str(handle), service.clock())
        return replace(self, service=service, fork=handle)


@dataclass(frozen=True, slots=True)
class Built:
    """What an explicit build did. `reloaded`: another module serves now. `reason`: why the built one does not."""

    result: BuildResult
    reloaded: bool
    needs_build: bool
    reason: ArgonError | None = None


class Session:
    """Serves one project for as long as a server lives. Safe to use from many threads.

    `told` is called, on whatever thread, with the hash of each module that begins to serve.
    """

    def __init__(self, settings: Settings, told: Callable[[str], None] = lambda _: None) -> None:
        self.settings = settings
        self.program = Program(user_cache())
        self.ad_hoc = AdHoc()
        self.members = Members()
        self._told = told
        self._gate = TracedLock("session")
        self._models = Models()
        self._active: Active | None = None
        self._project: Project | None = None
        self._disk: Disk | None = None
        self._opening = Lock()
        self._stores: dict[tuple[str, str], Store] = {}
        self._misfit: tuple[object, ArgonError] | None = None

    # -- the project ---------------------------------------------------------------------------------------------------

    @property
    def folder(self) -> Path:
        """The folder that the server was opened on."""
        given = self.settings.project or self.settings.start
        return Path(given) if given is not None else Path.cwd()

    def project(self) -> Project:
        """The project, found when first asked for. Raises `ARGON_PROJECT_NOT_FOUND`, also when it has gone since."""
        known = self._project
        if known is None:
            start = Path(self.settings.start) if self.settings.start is not None else None
            known = Project(find_project(self.settings.project, start))
        root = known.root
        sources = root.root.is_dir() and (root.has_manifest or any(root.root.glob("*.ar")))
        if not sources or (root.source == "manifest" and not root.has_manifest):
            raise _no_project(root.root)
        self._project = known
        return known

    def disk(self) -> Disk:
        """The disk of the project. Raises `ARGON_PROJECT_NOT_FOUND`."""
        project = self.project()
        if self._disk is None:
            self._disk = Disk(project.root, project.memo)
        return self._disk

    @property
    def active(self) -> Active | None:
        """The module that answers now; None before the first answer."""
        return self._active

    def store(self) -> Store:
        """The store that the settings or the manifest name, opened once. Raises `ARGON_PROJECT_NOT_FOUND`."""
        disk = self.disk()
        manifest = disk.manifest()
        memory = self.settings.store == "memory" or manifest.store.kind == "memory"
        key = ("memory", "") if memory else (manifest.store.kind, manifest.store.path)
        with self._opening:
            if key not in self._stores:
                self._stores[key] = TracedStore(MemoryStore() if memory else store_of(disk.root, manifest))
            return self._stores[key]

    def limits(self) -> Limits:
        """The governor's knobs; rows bounded by the settings."""
        return replace(limits_of(self.disk().manifest()), max_rows=self.settings.max_rows)

    # -- before an answer ----------------------------------------------------------------------------------------------

    def ensure(self, cancellation: Cancellation, *, writing: bool = False, policy: Policy | None = None) -> Serving:
        """The module to answer from, by the dirty policy (`policy`, else that of the settings), decided before any
        store transaction.

        Raises `ARGON_PROJECT_NOT_FOUND`, `DIRTY_WORKSPACE`, `NO_ARTIFACT`, `ARGON_INPUT_UNREADABLE`, those of a build,
        and `ARGON_RUNTIME_SCHEMA_INCOMPATIBLE` when nothing serves yet.
        """
        disk, store, policy = self.disk(), self.store(), policy or self.settings.policy
        for _ in range(_ATTEMPTS):
            active, reason = self._current(disk, store, cancellation, writing, policy)
            state = disk.state()
            stale = active.inputs_digest != state.inputs_digest
            if not stale or reason is not None or policy != "build":
                break
        service = RuntimeService(
            active.served, store, system_clock, self.limits(), f"user:{login()}", models=self._models
        )
        return Serving(service, active.inputs_digest, stale, state.dirty, reason)

    def _current(
        self, disk: Disk, store: Store, cancellation: Cancellation, writing: bool, policy: Policy
    ) -> tuple[Active, ArgonError | None]:
        state, active = disk.state(), self._active
        builds = builds_first(policy, dirty=state.dirty, stamp=state.stamp, artifact=disk.artifact_name())
        if not builds and state.stamp is not None:
            try:
                return self._taken(disk.artifact_bytes, state.stamp, store, cancellation)
            except ArgonError as error:
                if not builds_anew(policy, error):
                    raise
        on_disk = writing and not self.settings.read_only
        if not on_disk and active is not None and active.inputs_digest == state.inputs_digest:
            return active, None
        result = self._build(disk, cancellation, on_disk=on_disk, force=not builds)
        if not result.ok:
            raise gates_failed(result)
        return self._taken(*_artifact_of(result, disk), store, cancellation)

    def _build(self, disk: Disk, cancellation: Cancellation, *, on_disk: bool, force: bool) -> BuildResult:
        """Build with no lock of ours held: another process may hold the project for as long as it likes."""
        compiler, command = self.program.compiler(cancellation), self.settings.command
        return disk.build(compiler, cancellation, command, on_disk=on_disk, force=force)

    def _taken(
        self, read: Callable[[], bytes], stamp: Stamp, store: Store, cancellation: Cancellation
    ) -> tuple[Active, ArgonError | None]:
        """Serve an artifact, unless it does not fit the store: then the old module goes on, with the reason."""
        known = self._active
        if known is not None and (known.served.module_hash, known.inputs_digest) == _named(stamp):
            return known, None
        with self._gate.held(cancellation):
            return self._swapped(read, stamp, store)

    def _swapped(self, read: Callable[[], bytes], stamp: Stamp, store: Store) -> tuple[Active, ArgonError | None]:
        known, snapshot = self._active, store.snapshot()
        if known is not None and known.served.module_hash == stamp.module_hash:
            # The hash covers neither tests nor places: what was compiled still counts, what is told of it does not.
            self._active = Active(known.served.retold(loaded(read()).served.module), stamp.inputs_digest)
            return self._active, None
        tried = (stamp.module_hash, snapshot.store_id, snapshot.generation)
        if known is not None and self._misfit is not None and self._misfit[0] == tried:
            return known, self._misfit[1]
        fresh = loaded(read())
        try:
            require_compatible(fresh.served, snapshot, system_clock(), Governor(self.limits()))
        except ArgonError as error:
            if error.code != INCOMPATIBLE or known is None:
                raise
            self._misfit = (tried, error)
            return known, error
        self._active = fresh
        self._told(fresh.served.module_hash)
        return self._active, None

    # -- on demand -----------------------------------------------------------------------------------------------------

    def build(self, cancellation: Cancellation, *, force: bool = False) -> Built:
        """Build, reload, and verify that what serves is what was built. Raises those of a build.

        Under `read_only` the build is in memory.
        """
        disk, store, before = self.disk(), self.store(), self._active
        for _ in range(_ATTEMPTS):
            result = self._build(disk, cancellation, on_disk=not self.settings.read_only, force=force)
            if not result.ok:
                return Built(result, False, disk.state().dirty)
            active, reason = self._taken(*_artifact_of(result, disk), store, cancellation)
            if reason is not None or active.served.module_hash == result.module_hash:
                known = before.served.module_hash if before is not None else None
                reloaded = reason is None and known != active.served.module_hash
                return Built(result, reloaded, disk.state().dirty, reason)
        raise dirty_workspace()

    def glance(self) -> None:
        """Something below the project changed: serve an artifact that another process built from the saved inputs.

        Never raises: what is wrong will be said to whoever asks.
        """
        try:
            disk, store = self.disk(), self.store()
            state = disk.state()
            if self._active is not None and not state.dirty and state.stamp is not None:
                self._taken(disk.artifact_bytes, state.stamp, store, Cancellation())
        except (ArgonError, OSError):
            return

    def close(self) -> None:
        """Release the stores."""
        for store in self._stores.values():
            store.close()


def _artifact_of(result: BuildResult, disk: Disk) -> tuple[Callable[[], bytes], Stamp]:
    """The bytes that a build made, or found on disk, and what they say about themselves."""
    stamp = Stamp(result.inputs_digest, result.module_hash or "")
    data = result.compiled.artifact if result.compiled is not None else None
    return (disk.artifact_bytes if data is None else lambda: data), stamp


def _named(stamp: Stamp) -> tuple[str, str]:
    return stamp.module_hash, stamp.inputs_digest


def _no_project(folder: Path) -> ArgonError:
    return ArgonError("ARGON_PROJECT_NOT_FOUND", args(path=folder), details={"path": str(folder)})
