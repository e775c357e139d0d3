"""Replacing a file as a whole: a reader sees the old bytes or the new ones, whatever happens to the writer."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path

from argon_lang.errors import ArgonError
from argon_lang.problems import Note, args


def replace_file(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Write beside `path`, sync, and rename over it. Raises OSError, and then `path` is as it was.

    `durable=False` leaves out the syncs, for a file whose loss costs nothing. One process at a time writes a path (the
    project lock sees to it), so the name of the file beside it needs no luck.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        _write(beside, data, durable)
        os.replace(beside, path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise
    if durable:
        _sync_folder(path.parent)


def remove_leftovers(path: Path) -> None:
    """Remove what writers that were killed left beside `path`; only for the holder of the project lock."""
    for beside in path.parent.glob(f".{path.name}.*.tmp"):
        with suppress(OSError):
            beside.unlink()


def require_writable(path: Path, shown: str) -> None:
    """Raise `ARGON_TARGET_UNWRITABLE`, before anything is made, where `path` plainly cannot be written."""
    folder = path.parent
    if folder.exists() and not folder.is_dir():
        raise unwritable(shown, NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR)))
    if not os.access(folder if folder.exists() else folder.parent, os.W_OK):
        raise unwritable(shown, PermissionError(errno.EACCES, os.strerror(errno.EACCES)))


def unwritable(path: str, error: OSError) -> ArgonError:
    """The refusal for a place that cannot be written; `path` is relative to the project."""
    reason = error.strerror or error.__class__.__name__
    return ArgonError(
        "ARGON_TARGET_UNWRITABLE",
        args(path=path, found=reason),
        details={"path": path, "reason": reason},
        retryable=True,
        notes=(Note("permission"),),
    )


def _write(path: Path, data: bytes, durable: bool) -> None:
    with open(path, "wb") as file:
        file.write(data)
        file.flush()
        if durable:
            os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Make the rename itself durable; a system whose folders cannot be opened (Windows) does so by itself."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
