"""The disk under a served project: saved inputs and artifact, by content, read again only when they changed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from argon_lang.errors import ArgonError
from argon_lang.session.cancellation import Cancellation
from argon_lang.session.dirty import no_artifact
from argon_lang.session.stamps import read_stamp
from argon_lang.workspace import build as builds
from argon_lang.workspace.build import BuildResult, Compiler, Stamp
from argon_lang.workspace.manifest import NAMELESS_MANIFEST, Manifest
from argon_lang.workspace.root import Project as Root
from argon_lang.workspace.root import manifest_of
from argon_lang.workspace.sources import InputMemo, Inputs, read_inputs

Key = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class State:
    """The disk now. `inputs_digest` is None when an input cannot be read, `stamp` when no whole artifact is there."""

    inputs_digest: str | None
    stamp: Stamp | None
    manifest: Manifest

    @property
    def dirty(self) -> bool:
        """Would a build do something?"""
        return self.stamp is None or self.stamp.inputs_digest != self.inputs_digest


class Disk:
    """Reads one project. An artifact is replaced by renaming, so time, size and inode tell whether it is another."""

    def __init__(self, root: Root, memo: InputMemo) -> None:
        self.root = root
        self.memo = memo
        self._stamps: dict[Path, tuple[Key, Stamp | None]] = {}
        self._manifest: tuple[bytes | None, Manifest] = (None, NAMELESS_MANIFEST)

    def inputs(self) -> Inputs:
        """The saved inputs. Raises `ARGON_INPUT_UNREADABLE`."""
        return read_inputs(self.root, memo=self.memo)

    def state(self) -> State:
        """What is there now. Never raises ArgonError."""
        try:
            digest: str | None = self.inputs().digest
        except ArgonError:
            digest = None
        return State(digest, self._stamp(self.artifact()), self.manifest())

    def manifest(self) -> Manifest:
        """What the saved `ox.toml` says, mistakes set aside; parsed again only when it changed."""
        try:
            data: bytes | None = self.root.manifest_path.read_bytes()
        except OSError:
            data = None
        if self._manifest[0] != data:
            self._manifest = (data, manifest_of(data).manifest)
        return self._manifest[1]

    def artifact(self) -> Path:
        """Where the artifact of the saved manifest lies, or would lie."""
        return self.root.artifact(self.manifest().package.entry)

    def artifact_name(self) -> str:
        """The same, relative to the root, with `/`."""
        return self.artifact().relative_to(self.root.root).as_posix()

    def artifact_bytes(self) -> bytes:
        """The artifact. Raises `NO_ARTIFACT` when it has just gone."""
        try:
            return self.artifact().read_bytes()
        except OSError as error:
            raise no_artifact(self.artifact_name()) from error

    def _stamp(self, path: Path) -> Stamp | None:
        try:
            status = path.stat()
            key = (status.st_mtime_ns, status.st_size, status.st_ino)
            known = self._stamps.get(path)
            if known is None or known[0] != key:
                known = self._stamps[path] = (key, _read(path))
            return known[1]
        except OSError:
            return None

    def build(
        self, compiler: Compiler, cancellation: Cancellation, command: str, *, on_disk: bool, force: bool = False
    ) -> BuildResult:
        """Make the artifact current, or compile in memory and write nothing. Raises those of `workspace.build`."""
        if not on_disk:
            return builds.build_in_memory(self.root, compiler, memo=self.memo)
        return builds.build(
            self.root, compiler, read_stamp, force=force, command=command, cancelled=cancellation, memo=self.memo
        )


def _read(path: Path) -> Stamp | None:
    try:
        return read_stamp(path.read_bytes())
    except ArgonError:
        return None
