"""One build: read the inputs, run the gates, write the artifact as a whole, or change nothing.

The room below decides what the bytes mean, this one when they are written. The compiler and the reader of an existing
artifact are handed in as functions of bytes, so that the command line, the servers and the tests build by one path.
A build compiles before it takes the project lock, and holds it for no longer than it takes to look again and write.
Of two builds at once one writes; the other finds its digest in the artifact, and has nothing left to do.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from argon_lang.errors import ArgonError
from argon_lang.problems import Diagnostic
from argon_lang.workspace.lock import WAIT_SECONDS, never, project_lock
from argon_lang.workspace.manifest import NAMELESS_MANIFEST
from argon_lang.workspace.pins import LOCK_FILE
from argon_lang.workspace.root import Project, manifest_of
from argon_lang.workspace.sources import InputMemo, Inputs, read_inputs
from argon_lang.workspace.writing import remove_leftovers, replace_file, require_writable, unwritable

_MOVING_TARGET = 3
"""Compilations before a build settles for inputs that change under it; the artifact then names the ones it read."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """What the gates and the encoder made of some inputs. `artifact` is None when a gate refused them.

    `lock` is the `ox.lock` that belongs to them; None for a package without dependencies.
    """

    diagnostics: tuple[Diagnostic, ...]
    artifact: bytes | None = None
    module_hash: str | None = None
    lock: bytes | None = None


@dataclass(frozen=True, slots=True)
class Stamp:
    """What an artifact says about itself: the inputs digest it was built from, and its module hash."""

    inputs_digest: str
    module_hash: str


Compiler = Callable[[Inputs], Compiled]
"""Gates, then encoding: a pure function of the inputs."""

StampReader = Callable[[bytes], Stamp]
"""Reads an artifact's stamp; raises ArgonError for bytes that are no whole artifact of this version."""


@dataclass(frozen=True, slots=True)
class BuildResult:
    """What a build did. `artifact` is the path relative to the root.

    `wrote`: the file is new. `current`: it was up to date, and nothing was compiled. Neither: a gate refused, or the
    build was only in memory; `compiled` then says which.
    """

    ok: bool
    wrote: bool
    current: bool
    artifact: str
    inputs_digest: str
    module_hash: str | None
    compiled: Compiled | None


def build(
    project: Project,
    compiler: Compiler,
    stamp_of: StampReader,
    *,
    force: bool = False,
    update_lock: bool = False,
    command: str = "argon build",
    wait: float = WAIT_SECONDS,
    cancelled: Callable[[], bool] = never,
    memo: InputMemo | None = None,
) -> BuildResult:
    """Build the artifact of a project if its inputs changed (or `force`), under the project lock.

    `update_lock` takes the dependencies as they are, whatever `ox.lock` says.

    On any failure the project is as it was. Raises ArgonError: those of `read_inputs` and `project_lock`, and
    `ARGON_TARGET_UNWRITABLE`.
    """
    task = _Task(project, compiler, stamp_of, memo or InputMemo(), update_lock)
    left = _MOVING_TARGET
    while True:
        left -= 1
        inputs = task.read()
        current = None if force else task.current(inputs)
        if current is not None:
            return current
        compiled = compiler(inputs)
        if cancelled():
            raise ArgonError("ARGON_RUNTIME_CANCELLED", retryable=True)
        if compiled.artifact is None and (not left or task.read().digest == inputs.digest):
            return _result(project, inputs, compiled, wrote=False)
        task.require_writable(inputs)
        with project_lock(project, command, wait=wait, cancelled=cancelled):
            if task.pin(inputs, compiled):
                task, left = replace(task, update_lock=False), left + 1
                continue
            written = task.write(inputs, compiled, force=force, settle=not left)
        if written is not None:
            return written


def build_in_memory(project: Project, compiler: Compiler, *, memo: InputMemo | None = None) -> BuildResult:
    """Compile the saved inputs and write nothing: for readers, and where writing is not allowed."""
    inputs = read_inputs(project, memo=memo)
    return _result(project, inputs, compiler(inputs), wrote=False)


@dataclass(frozen=True, slots=True)
class Freshness:
    """Whether the artifact on disk rests on the saved inputs. `inputs_digest` is None when one cannot be read."""

    artifact: Path
    inputs_digest: str | None
    stamp: Stamp | None

    @property
    def dirty(self) -> bool:
        """Whether a build would do something: no artifact, another digest, or an input that cannot be read."""
        return self.stamp is None or self.stamp.inputs_digest != self.inputs_digest


def freshness(project: Project, stamp_of: StampReader, *, memo: InputMemo | None = None) -> Freshness:
    """Compare the saved inputs with the artifact; decided by content, never by time."""
    try:
        inputs = read_inputs(project, memo=memo)
    except ArgonError:
        path = project.artifact(_entry_on_disk(project))
        return Freshness(path, None, _stamp(path, stamp_of))
    path = _artifact(project, inputs)
    return Freshness(path, inputs.digest, _stamp(path, stamp_of))


def _entry_on_disk(project: Project) -> str:
    try:
        return manifest_of(project.manifest_path.read_bytes()).manifest.package.entry
    except OSError:
        return NAMELESS_MANIFEST.package.entry


@dataclass(frozen=True, slots=True)
class _Task:
    """The parts of one call of `build`."""

    project: Project
    compiler: Compiler
    stamp_of: StampReader
    memo: InputMemo
    update_lock: bool = False

    def read(self) -> Inputs:
        inputs = read_inputs(self.project, memo=self.memo)
        return inputs.without_lock() if self.update_lock else inputs

    def current(self, inputs: Inputs) -> BuildResult | None:
        """The result of a build with nothing to do."""
        path = _artifact(self.project, inputs)
        stamp = _stamp(path, self.stamp_of)
        if stamp is None or stamp.inputs_digest != inputs.digest:
            return None
        relative = path.relative_to(self.project.root).as_posix()
        return BuildResult(True, False, True, relative, inputs.digest, stamp.module_hash, None)

    def require_writable(self, inputs: Inputs) -> None:
        """Refuse a first build before anything is made where the artifact plainly cannot be written."""
        if not self.project.machine_state.exists():
            path = _artifact(self.project, inputs)
            require_writable(path, path.relative_to(self.project.root).as_posix())

    def pin(self, inputs: Inputs, compiled: Compiled) -> bool:
        """Write the `ox.lock` that belongs to the inputs, if it differs: an input itself, to be compiled with."""
        if compiled.lock in (None, inputs.data(LOCK_FILE)) or self.read().digest != inputs.digest:
            return False
        _write_lock(self.project, compiled.lock or b"")
        return True

    def write(self, inputs: Inputs, compiled: Compiled, *, force: bool, settle: bool) -> BuildResult | None:
        """The part under the lock; None when the inputs are others by now, and have to be compiled first.

        Another process may have built meanwhile, and an editor may have saved. `settle` writes what was compiled
        nevertheless.
        """
        now = self.read()
        current = None if force else self.current(now)
        if current is not None:
            return current
        if now.digest != inputs.digest and not settle:
            return None
        if compiled.artifact is not None:
            _write(self.project, _artifact(self.project, inputs), compiled.artifact)
        return _result(self.project, inputs, compiled, wrote=compiled.artifact is not None)


def _artifact(project: Project, inputs: Inputs) -> Path:
    return project.artifact(inputs.manifest().manifest.package.entry)


def _result(project: Project, inputs: Inputs, compiled: Compiled, *, wrote: bool) -> BuildResult:
    return BuildResult(
        ok=compiled.artifact is not None,
        wrote=wrote,
        current=False,
        artifact=_artifact(project, inputs).relative_to(project.root).as_posix(),
        inputs_digest=inputs.digest,
        module_hash=compiled.module_hash,
        compiled=compiled,
    )


def _stamp(path: Path, stamp_of: StampReader) -> Stamp | None:
    try:
        return stamp_of(path.read_bytes())
    except (OSError, ArgonError):
        return None


def _write_lock(project: Project, data: bytes) -> None:
    try:
        replace_file(project.root / LOCK_FILE, data)
    except OSError as error:
        raise unwritable(LOCK_FILE, error) from error


def _write(project: Project, path: Path, data: bytes) -> None:
    """Write the artifact; a folder made for it goes again when that fails."""
    folder = path.parent
    made = not folder.exists()
    try:
        folder.mkdir(exist_ok=True)
        remove_leftovers(path)
        replace_file(path, data)
    except OSError as error:
        if made:
            with suppress(OSError):
                folder.rmdir()
        raise unwritable(path.relative_to(project.root).as_posix(), error) from error
