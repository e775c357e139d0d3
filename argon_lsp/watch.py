"""Notices changes on disk: not every editor tells of them (Neovim does not on Linux), and other programs write too.

One thread per root. What changed is not looked at: the listener compares contents anyway. When the system has no
watchers left, the folder is polled; when it is moved away, the thread waits for it to come back.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from pathlib import Path

from watchfiles import Change, watch

log = logging.getLogger("argon.lsp")

_SKIPPED = frozenset({"target", "node_modules", "__pycache__"})
_CHECK_MS = 1_000
_DEBOUNCE_MS = 40


class Watcher:
    """Calls `changed`, on its own thread, when something below a folder may have changed, until `stop`."""

    def __init__(self, root: Path, changed: Callable[[], None], *, recursive: bool = True) -> None:
        self._root = root
        self._changed = changed
        self._recursive = recursive
        self._polling = False
        self._ended = threading.Event()
        threading.Thread(target=self._run, name="argon-lsp-watch", daemon=True).start()

    def stop(self) -> None:
        """Watch no longer."""
        self._ended.set()

    def _run(self) -> None:
        while not self._ended.is_set():
            number = _identity(self._root)
            if number is None:
                self._ended.wait(_CHECK_MS / 1_000)
                continue
            try:
                self._watch(number)
            except OSError as error:
                self._polling = True
                log.warning("watching %s by polling: %s", self._root, error)
                self._ended.wait(_CHECK_MS / 1_000)
            self._changed()

    def _watch(self, number: tuple[int, int]) -> None:
        """Watch until the folder is another one, or gone: a watcher follows a folder that is moved away.

        What changed before the watcher was in place is told with its first sign of life.
        """
        fresh = True
        stream = watch(
            self._root,
            watch_filter=self._counts,
            debounce=_DEBOUNCE_MS,
            step=10,
            stop_event=self._ended,
            rust_timeout=_CHECK_MS,
            yield_on_timeout=True,
            force_polling=self._polling or None,
            recursive=self._recursive,
            raise_interrupt=False,
        )
        for changes in stream:
            if _identity(self._root) != number:
                return
            if changes or fresh:
                fresh = False
                self._changed()

    def _counts(self, _change: Change, path: str) -> bool:
        """Whether a path may matter: nothing in build folders and hidden ones does."""
        parts = Path(os.path.relpath(path, self._root)).parts
        return not any(part in _SKIPPED or (part.startswith(".") and part != ".") for part in parts)


def _identity(folder: Path) -> tuple[int, int] | None:
    try:
        status = folder.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
