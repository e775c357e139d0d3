"""One project as a front end holds it: check, build, format, and a runtime that never serves stale rows by accident."""

from __future__ import annotations

import getpass
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from argon_lang.engine.governor import Governor, Limits
from argon_lang.errors import ArgonError
from argon_lang.problems import args
from argon_lang.runtime.models import Models
from argon_lang.runtime.reload import require_compatible
from argon_lang.runtime.service import RuntimeService, system_clock
from argon_lang.session.dirty import (
    Active,
    builds_anew,
    builds_first,
    dirty_workspace,
    gates_failed,
    loaded,
    no_artifact,
)
from argon_lang.session.locks import TracedStore
from argon_lang.session.settings import POLICIES
from argon_lang.session.stamps import read_stamp
from argon_lang.store.memory import MemoryStore
from argon_lang.store.protocol import MAIN, Store
from argon_lang.store.sqlite import SqliteStore
from argon_lang.workspace import build as builds
from argon_lang.workspace.build import BuildResult, Compiled, Freshness
from argon_lang.workspace.manifest import MANIFEST, Manifest
from argon_lang.workspace.root import Project as Root
from argon_lang.workspace.root import find_project
from argon_lang.workspace.sources import InputMemo, Inputs, read_inputs

if TYPE_CHECKING:
    from argon_lang.ir.module import Mutation
    from argon_lang.runtime.envelopes import TestReport
    from argon_lang.session.adhoc import Kind, Snippet
    from argon_lang.session.checked import Checked
    from argon_lang.session.editing import Formatted


@dataclass(frozen=True)
class Project:
    """A project's root, with what was read of it remembered between calls. Every method reads the disk afresh."""

    root: Root
    memo: InputMemo = field(default_factory=InputMemo)

    @classmethod
    def open(cls, folder: Path | None = None) -> Project:
        """The project of a folder, or of the nearest `ox.toml` upward. Raises `ARGON_PROJECT_NOT_FOUND`."""
        return cls(find_project(str(folder) if folder is not None else None))

    def inputs(self, overlay: Mapping[str, str] | None = None) -> Inputs:
        """The saved inputs, unsaved texts in their place. Raises `ARGON_INPUT_UNREADABLE`."""
        return read_inputs(self.root, overlay=overlay, memo=self.memo)

    def manifest(self) -> Manifest:
        """What `ox.toml` says, mistakes set aside."""
        return self.inputs().manifest().manifest

    def check(self, only: Sequence[Path] = (), overlay: Mapping[str, str] | None = None) -> Checked:
        """The gates' diagnostics, of some files alone when `only` names them. Raises `ARGON_PATH_OUTSIDE_PROJECT`."""
        from argon_lang.session.checking import remembered_check

        wanted = self.relative(only)
        return remembered_check(self.inputs(overlay)).only(wanted)

    def texts(self) -> dict[str, str]:
        """The saved texts by relative path, `ox.toml` among them."""
        inputs = self.inputs()
        reading = inputs.manifest()
        return {**{source.path: source.text for source in inputs.sources("")}, MANIFEST: reading.text}

    def relative(self, paths: Sequence[Path]) -> tuple[str, ...]:
        """Path arguments relative to the root. Raises `ARGON_PATH_OUTSIDE_PROJECT`, `ARGON_INPUT_UNREADABLE`."""
        from argon_lang.session.checking import relative_paths

        return relative_paths(self.root, paths)

    def build(self, *, force: bool = False, update_lock: bool = False, command: str = "argon build") -> BuildResult:
        """Make the artifact current. Raises the errors of `workspace.build.build`."""
        return builds.build(
            self.root, _compiled, read_stamp, force=force, update_lock=update_lock, command=command, memo=self.memo
        )

    def freshness(self) -> Freshness:
        """Whether the artifact rests on the saved inputs."""
        return builds.freshness(self.root, read_stamp, memo=self.memo)

    def served(self, policy: str, *, in_memory: bool = False) -> Active:
        """The module to answer from, by the dirty policy; `in_memory` writes no artifact."""
        if policy not in POLICIES:
            raise ArgonError(
                "ARGON_RUNTIME_VALIDATION_FAILED",
                args(name="--dirty", expected="build, refuse or serve-stale", found=policy),
            )
        fresh = self.freshness()
        path = fresh.artifact.relative_to(self.root.root).as_posix()
        if builds_first(policy, dirty=fresh.dirty, stamp=fresh.stamp, artifact=path):
            return self._built(in_memory)
        try:
            return loaded(fresh.artifact.read_bytes())
        except OSError as error:
            raise no_artifact(path) from error
        except ArgonError as error:
            if not builds_anew(policy, error):
                raise
            return self._built(in_memory, force=True)

    def _built(self, in_memory: bool, *, force: bool = False) -> Active:
        if in_memory:
            result = builds.build_in_memory(self.root, _compiled, memo=self.memo)
        else:
            result = self.build(force=force, command="argon")
        if not result.ok or (result.compiled is None and result.module_hash is None):
            raise gates_failed(result)
        data = result.compiled.artifact if result.compiled is not None else None
        return loaded(data or (self.root.root / result.artifact).read_bytes())

    def runtime(
        self, policy: str = "build", *, writes: bool, fits: bool = True, fork: str | None = None
    ) -> RuntimeService:
        """A runtime over the project's store, or a fork of it. A reader builds in memory and never creates a store.

        Raises `ARGON_RUNTIME_SCHEMA_INCOMPATIBLE` for a module that does not fit the store (a writer, when it writes);
        without `fits` nothing is asked for, as by who reads the log alone.
        """
        active = self.served(policy, in_memory=not writes)
        store, limits, who = self.store(), self.limits(), f"user:{login()}"
        service = RuntimeService(
            active.served, store, system_clock, limits, principal=who, inputs_digest=active.inputs_digest
        )
        if fork is not None:
            service = service.on_fork(fork_handle(store, fork))
        if fits and not writes:
            require_compatible(active.served, service.store.snapshot(), system_clock(), Governor(limits))
        return service

    def ad_hoc(self, service: RuntimeService, source: str, kind: Kind, policy: str) -> tuple[RuntimeService, Snippet]:
        """A text of the caller's as a query or mutation, and a service over the module that it was checked against.

        Raises `ARGON_RUNTIME_VALIDATION_FAILED` with its diagnostics, `DIRTY_WORKSPACE` when the module that serves is
        not that of the saved sources.
        """
        from argon_lang.session.adhoc import AdHoc

        if policy == "serve-stale" and self.freshness().dirty:
            raise dirty_workspace()
        snippet = AdHoc().compile(self.inputs(), source, kind)
        return replace(service, served=snippet.served_with(service.served), models=Models()), snippet

    def compiling(self, policy: str) -> Callable[[str], Mutation]:
        """How texts of statements are read, several with one front end. Raises as `ad_hoc` does."""
        from argon_lang.session.adhoc import AdHoc

        if policy == "serve-stale" and self.freshness().dirty:
            raise dirty_workspace()
        ad_hoc, inputs = AdHoc(), self.inputs()
        return lambda text: ad_hoc.compile(inputs, text, "mutate").mutation()

    def store(self) -> Store:
        """The store that the manifest names; opened by the first write."""
        return TracedStore(store_of(self.root, self.manifest()))

    def limits(self) -> Limits:
        """The governor's knobs: the manifest's over the defaults."""
        return limits_of(self.manifest())

    def test(self, pattern: str | None, policy: str = "build") -> TestReport:
        """Run the package's tests, each on a fresh store."""
        from argon_lang.runtime.testing import run_tests

        limits, active = self.limits(), self.served(policy, in_memory=True)
        report = run_tests(active.served, pattern, system_clock, lambda: Governor(limits))
        return report.model_copy(update={"inputs_digest": active.inputs_digest})

    def scenarios(self, files: Sequence[str], pattern: str | None, policy: str = "build") -> TestReport:
        """Run scenario files, by default all of `scenarios/`. Raises `ARGON_PATH_OUTSIDE_PROJECT`."""
        from argon_lang.runtime.testing import report_of
        from argon_lang.session.scenarios import run_scenarios, scenario_files

        wanted, limits = scenario_files(self.root, files), self.limits()
        active = self.served(policy, in_memory=True)
        found = run_scenarios(self.root, wanted, pattern, active.served, system_clock, limits, lambda: Governor(limits))
        return report_of(active.served, found).model_copy(update={"inputs_digest": active.inputs_digest})

    def format(self, only: Sequence[Path] = (), *, write: bool) -> tuple[Formatted, ...]:
        """The canonical layout of the sources, written in place when `write`."""
        from argon_lang.session.editing import format_files

        return format_files(self.root, self.inputs(), self.relative(only), write=write)

    def apply_safe_fixes(self) -> int:
        """Apply every fix that is safe, until none is left; how many."""
        from argon_lang.session.editing import safe_fixes

        return safe_fixes(self)


def _compiled(inputs: Inputs) -> Compiled:
    """Gates and encoding; only who compiles pays for the front end."""
    from argon_lang.session.checking import remembered_compile

    return remembered_compile(inputs)


def fork_handle(store: Store, wanted: str) -> str:
    """The handle of a fork that is named by its handle, or by a name that no other fork has; else what was given."""
    forks = store.forks()
    named = [fork.handle for fork in forks if fork.name == wanted]
    known = wanted in (MAIN, *(fork.handle for fork in forks))
    return named[0] if len(named) == 1 and not known else wanted


def store_of(root: Root, manifest: Manifest) -> Store:
    """The store that a manifest names; opened by the first write."""
    table = manifest.store
    if table.kind == "memory":
        return MemoryStore()
    return SqliteStore(root.root / table.path, name=table.path)


def limits_of(manifest: Manifest) -> Limits:
    """The governor's knobs: the manifest's over the defaults."""
    given, plain = manifest.limits, Limits()
    return Limits(
        given.timeoutMs or plain.timeout_ms,
        given.maxRows or plain.max_rows,
        given.maxDerived or plain.max_derived,
        given.maxRounds or plain.max_rounds,
        given.maxProofNodes or plain.max_proof_nodes,
        given.fnDepth or plain.fn_depth,
    )


def login() -> str:
    """Who runs this process; `unknown` where the system does not say."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "unknown"
