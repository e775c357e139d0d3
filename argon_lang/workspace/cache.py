"""A cache on disk, in the user's cache directory: bytes by key, bounded, disposable, and never trusted.

What is kept can be computed again from what its key names; a file that is damaged, foreign or gone is a miss. A key
names everything that the value depends on, this program's own code included. Nothing is ever reported from here: a
cache that cannot be read or written is one that holds nothing.

`ARGON_CACHE_DIR` moves it; `ARGON_CACHE=off` does without.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from blake3 import blake3

from argon_lang.workspace.writing import replace_file

_MAGIC = b"ARGONCA1"
_CHECKSUM = 32
MOST_BYTES = 128 * 1024 * 1024
"""What all files together may take; beyond it the ones that were not used for longest go."""
MOST_VALUE = 32 * 1024 * 1024
"""The largest value that is kept."""
_CODE = (".py", ".md", ".toml", ".json", ".ar")


@dataclass(frozen=True, slots=True)
class Cache:
    """Values below a folder; None for a cache that holds nothing."""

    folder: Path | None
    most: int = MOST_BYTES

    def get(self, key: str) -> bytes | None:
        """The value that was kept under a key; None when there is none, or what is there is not whole."""
        if self.folder is None:
            return None
        path = self._path(key)
        try:
            data = path.read_bytes()
        except OSError:
            return None
        value = data[len(_MAGIC) + _CHECKSUM :]
        if data[: len(_MAGIC) + _CHECKSUM] != _MAGIC + blake3(key.encode() + value).digest():
            return None
        with suppress(OSError):
            os.utime(path)
        return value

    def put(self, key: str, value: bytes) -> None:
        """Keep a value, and let old ones go when there are too many."""
        self.put_all({key: value})

    def put_all(self, values: Mapping[str, bytes]) -> None:
        """Keep several values by key; what is kept is looked through once for all of them."""
        kept = {key: value for key, value in values.items() if len(value) <= MOST_VALUE}
        if self.folder is None or not kept:
            return
        for key, value in kept.items():
            path = self._path(key)
            with suppress(OSError):
                path.parent.mkdir(parents=True, exist_ok=True)
                replace_file(path, _MAGIC + blake3(key.encode() + value).digest() + value, durable=False)
        self._trim()

    def _path(self, key: str) -> Path:
        folder = self.folder or Path()
        return folder / key[:2] / key[2:]

    def _trim(self) -> None:
        """Remove the files that were not used for longest, until the rest fits."""
        found = sorted(self._files())
        total = sum(size for _, size, _ in found)
        for _, size, path in found:
            if total <= self.most:
                return
            with suppress(OSError):
                path.unlink()
            total -= size

    def _files(self) -> Iterator[tuple[int, int, Path]]:
        """Every kept file: when it was last used, its size, its path."""
        for path in self.folder.glob("*/*") if self.folder is not None else ():
            with suppress(OSError):
                status = path.stat()
                yield status.st_mtime_ns, status.st_size, path


NO_CACHE = Cache(None)
"""Holds nothing."""


def user_cache() -> Cache:
    """The cache that the environment names, or the one in the user's cache directory."""
    if os.environ.get("ARGON_CACHE", "").lower() in ("off", "0", "no"):
        return NO_CACHE
    named = os.environ.get("ARGON_CACHE_DIR")
    if named:
        return Cache(Path(named))
    from platformdirs import user_cache_path

    try:
        return Cache(user_cache_path("argon", appauthor=False))
    except (OSError, RuntimeError):
        return NO_CACHE


def cache_key(kind: str, digest: str) -> str:
    """The key of what `kind` makes of inputs with this digest, by the code that runs now."""
    return blake3(f"{kind} {digest} {code_identity()}".encode()).hexdigest()


@cache
def code_identity() -> str:
    """What tells this program's code from another: paths, sizes and times of its files, and the Python it runs on."""
    whole = blake3(sys.version.encode())
    for package in ("argon_lang", "shared_catalog"):
        for path, status in sorted(_code_files(Path(str(resources.files(package))), package)):
            whole.update(f"{path} {status.st_size} {status.st_mtime_ns}\n".encode())
    return whole.hexdigest()


def _code_files(folder: Path, prefix: str) -> Iterator[tuple[str, os.stat_result]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                if entry.name != "__pycache__":
                    yield from _code_files(Path(entry.path), f"{prefix}/{entry.name}")
            elif entry.name.endswith(_CODE):
                yield f"{prefix}/{entry.name}", entry.stat()
