"""What a package is compiled from: its bytes on disk (or unsaved in an editor), and one digest over all of them.

The digest decides whether an artifact is current. It covers the bytes, never the time of a file: a memo by time and
size only spares reading a file again, and not for a file so young that a second write may share its time stamp.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from blake3 import blake3

from argon_lang.errors import ArgonError
from argon_lang.problems import Note, Problem, args
from argon_lang.text import decode_source
from argon_lang.version import VERSION
from argon_lang.workspace.dependencies import Packages, dependency_folders, folder_of, resolve
from argon_lang.workspace.manifest import MANIFEST, ManifestReading
from argon_lang.workspace.pins import LOCK_FILE, read_pins
from argon_lang.workspace.root import Project, manifest_of

SUFFIX = ".ar"
_SETTLED_NS = 2_000_000_000
_SKIPPED = frozenset({"target", "node_modules", "__pycache__"})


@dataclass(frozen=True, slots=True)
class InputFile:
    """One compiled file: its path relative to the root with `/`, its bytes, and their BLAKE3 hash."""

    path: str
    data: bytes
    digest: bytes


@dataclass(frozen=True, slots=True)
class Source:
    """One `.ar` file as text; `problems` says which bytes are not UTF-8.

    `file` is `<package>/<path>`, and the path alone in a nameless package.
    """

    file: str
    path: str
    text: str
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Inputs:
    """Everything that one build reads, in the order of its paths, and the digest (hexadecimal) over it."""

    files: tuple[InputFile, ...]
    digest: str

    def data(self, path: str) -> bytes | None:
        """The bytes of one file; None when it is no input."""
        return next((file.data for file in self.files if file.path == path), None)

    def manifest(self) -> ManifestReading:
        """The manifest among the inputs, or the nameless package's."""
        return manifest_of(self.data(MANIFEST))

    def sources(self, package: str) -> tuple[Source, ...]:
        """The `.ar` files of the package itself as text."""
        folders = self._folders()
        own = (file for file in self.files if folder_of(file.path, folders) == "")
        return tuple(_source(package, file, "") for file in own if file.path.endswith(SUFFIX))

    def packages(self) -> Packages:
        """The package and its path dependencies, with what is wrong in its `ox.toml`."""
        found = resolve({file.path: file.data for file in self.files if file.path.endswith(MANIFEST)})
        if not found.dependencies:
            return found
        contents = {each.info.name: self._content(each.folder) for each in found.dependencies}
        return replace(found, contents=contents, locked=read_pins(self.data(LOCK_FILE)))

    def _content(self, folder: str) -> str:
        """The hash (hexadecimal) of a dependency's sources and manifest, wherever it lies."""
        whole, folders = blake3(), self._folders()
        for file in self.files:
            if folder_of(file.path, folders) == folder and not file.path.endswith(LOCK_FILE):
                _framed(whole.update, file.path.removeprefix(f"{folder}/").encode())
                _framed(whole.update, file.digest)
        return whole.hexdigest()

    def without_lock(self) -> Inputs:
        """The inputs as they would be without the package's `ox.lock`."""
        files = tuple(file for file in self.files if file.path != LOCK_FILE)
        return self if len(files) == len(self.files) else Inputs(files, digest_of(files))

    def all_sources(self, packages: Packages) -> tuple[Source, ...]:
        """The `.ar` files of the package and of its path dependencies as text."""
        names = {each.folder: each.info.name for each in packages.dependencies}
        folders = self._folders()
        placed = ((folder_of(file.path, folders), file) for file in self.files if file.path.endswith(SUFFIX))
        below = tuple(_source(names[folder], file, folder) for folder, file in placed if folder in names)
        return (*self.sources(packages.info.name), *below)

    def _folders(self) -> list[str]:
        """The folders below or beside the root that are packages of their own."""
        return [file.path[: -len(MANIFEST) - 1] for file in self.files if file.path.endswith(f"/{MANIFEST}")]


def _source(package: str, file: InputFile, folder: str) -> Source:
    """A file as text; `folder` is its package's."""
    text, problems = decode_source(file.data, file.path)
    path = file.path.removeprefix(f"{folder}/") if folder else file.path
    return Source(f"{package}/{path}" if package else path, file.path, text, problems)


@dataclass(slots=True)
class InputMemo:
    """Files read before, by path and (time, size, inode): one per long-lived process, shared by its reads."""

    known: dict[str, tuple[tuple[int, int, int], InputFile]] = field(default_factory=dict)


def read_inputs(
    project: Project, *, overlay: Mapping[str, str] | None = None, memo: InputMemo | None = None, mode: str = "default"
) -> Inputs:
    """Read every input of a package and its path dependencies: `*.ar` under its root, `ox.toml`, `ox.lock`.

    `overlay` maps relative paths to unsaved texts, which stand for the file or add one. `mode` is the build's and is
    part of the digest. Raises ArgonError `ARGON_INPUT_UNREADABLE`, or `ARGON_PATH_OUTSIDE_PROJECT` for a symlink that
    leaves the project.
    """
    texts = dict(overlay or {})
    memo = memo or InputMemo()
    found = {path: _hashed(path, text.encode("utf-8", "surrogatepass")) for path, text in texts.items()}
    folders = [""]
    for folder in folders:
        place = project if not folder else Project(Path(os.path.realpath(project.root / folder)), project.source)
        # `isfile` and not `is_file`, which raises for a name that no file can have.
        for path in _paths(place) if not folder or os.path.isfile(place.manifest_path) else ():
            name = f"{folder}/{path}" if folder else path
            found[name] = found.get(name) or _read(place, path, name, memo)
        manifest = found.get(f"{folder}/{MANIFEST}" if folder else MANIFEST)
        below = dependency_folders(manifest.data, folder) if manifest is not None else ()
        folders += [each for each in below if each not in folders]
    files = tuple(found[path] for path in sorted(found))
    for gone in memo.known.keys() - found.keys():
        memo.known.pop(gone, None)
    return Inputs(files, digest_of(files, mode))


def inputs_of(texts: Mapping[str, str], mode: str = "default") -> Inputs:
    """The inputs of a package that is nowhere on disk: texts by relative path."""
    files = tuple(_hashed(path, texts[path].encode("utf-8", "surrogatepass")) for path in sorted(texts))
    return Inputs(files, digest_of(files, mode))


def digest_of(files: tuple[InputFile, ...], mode: str = "default") -> str:
    """The inputs digest: files by path and content, the versions of argon and std, the build mode."""
    whole = blake3()
    for part in (VERSION.encode(), std_digest(), mode.encode()):
        _framed(whole.update, part)
    for file in files:
        _framed(whole.update, file.path.encode())
        _framed(whole.update, file.digest)
    return whole.hexdigest()


def _framed(update: Callable[[bytes], object], part: bytes) -> None:
    update(len(part).to_bytes(8, "big"))
    update(part)


@cache
def std_digest() -> bytes:
    """The version of std: the BLAKE3 hash of the packages that this installation carries."""
    whole = blake3()
    for path, entry in sorted(_tree(resources.files("argon_lang") / "std", "")):
        _framed(whole.update, path.encode())
        _framed(whole.update, entry.read_bytes())
    return whole.digest()


def _tree(folder: Traversable, prefix: str) -> Iterator[tuple[str, Traversable]]:
    """Every source and manifest below a folder of this distribution, by its path."""
    for entry in folder.iterdir():
        path = f"{prefix}{entry.name}"
        if entry.is_dir():
            yield from _tree(entry, f"{path}/")
        elif path.endswith(SUFFIX) or entry.name == MANIFEST:
            yield path, entry


def _paths(project: Project) -> Iterator[str]:
    """Relative paths of all input files on disk. A folder with an `ox.toml` of its own is another package."""
    top = str(project.root)
    for folder, folders, names in os.walk(top, onerror=_refuse(project)):
        if folder != top and MANIFEST in names:
            folders.clear()
            continue
        folders[:] = [name for name in folders if not name.startswith(".") and name not in _SKIPPED]
        prefix = os.path.relpath(folder, top).replace(os.sep, "/")
        wanted = [name for name in names if name.endswith(SUFFIX) and not name.startswith(".")]
        wanted += [name for name in (MANIFEST, LOCK_FILE) if folder == top and name in names]
        yield from (name if folder == top else f"{prefix}/{name}" for name in wanted)


def _refuse(project: Project) -> Callable[[OSError], None]:
    """A folder that cannot be listed hides sources of a package; below a mere working folder it is none of ours."""
    named = project.has_manifest

    def refuse(error: OSError) -> None:
        if named:
            raise _unreadable(os.path.relpath(str(error.filename), project.root), error)

    return refuse


def _read(project: Project, path: str, name: str, memo: InputMemo) -> InputFile:
    """A file by its path in the project, which is called `name` among the inputs."""
    place = project.root / path
    try:
        path.encode()
        now = time.time_ns()
        status = _regular(place)
        key = (status.st_mtime_ns, status.st_size, status.st_ino)
        known = memo.known.get(name)
        if known is not None and known[0] == key:
            return known[1]
        if place.is_symlink():
            project.relative(str(place))
        file = _hashed(name, place.read_bytes())
    except (OSError, UnicodeEncodeError) as error:
        raise _unreadable(name, error) from error
    if now - status.st_mtime_ns > _SETTLED_NS and len(file.data) == status.st_size:
        memo.known[name] = (key, file)
    return file


def _regular(place: Path) -> os.stat_result:
    """The status of a plain file: reading a pipe or a device would never end."""
    status = place.stat()
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(21, os.strerror(21))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(22, os.strerror(22))
    return status


def _hashed(path: str, data: bytes) -> InputFile:
    return InputFile(path, data, blake3(data).digest())


def _unreadable(path: str, error: OSError | UnicodeEncodeError) -> ArgonError:
    shown = path.encode("utf-8", "backslashreplace").decode()
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error.__class__.__name__)
    return ArgonError(
        "ARGON_INPUT_UNREADABLE",
        args(path=shown, found=reason),
        details={"path": shown, "reason": reason},
        retryable=True,
        notes=(Note("permission"),),
    )
