"""Notices changes of inputs and artifact on disk: not every editor tells of them, and other programs write too.

What changed is not looked at, since whoever is called compares contents. When the system has no watchers left, the
folder is polled; when it is moved away, the thread waits for it to come back.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from pathlib import Path

log = logging.getLogger("argon.watch")

_SKIPPED = frozenset({"node_modules", "__pycache__"})
_SUFFIXES = (".ar", ".oxbin")
_NAMES = frozenset({"ox.toml", "ox.lock"})
_SCENARIOS = "scenarios"
_CHECK_MS = 1_000
_DEBOUNCE_MS = 50


class Watcher:
    """Calls `changed`, on its own thread, when an input or an artifact below a folder may have changed, until `stop`.

    Not `recursive`: when one in the folder itself may have. `counts` says which paths matter, if not `Watcher.counts`.
    """

    def __init__(
        self,
        root: Path,
        changed: Callable[[], None],
        *,
        polling: bool = False,
        recursive: bool = True,
        counts: Callable[[str], bool] | None = None,
    ) -> None:
        self._root = root
        self._changed = changed
        self._wanted = counts or self.counts
        self._polling = polling
        self._recursive = recursive
        self._ended = threading.Event()
        threading.Thread(target=self._run, name="argon-watch", daemon=True).start()

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
            except (OSError, ImportError) as error:
                if self._polling or isinstance(error, ImportError):
                    log.warning("cannot watch %s: %s", self._root, error)
                    return
                self._polling = True
                log.warning("watching %s by polling: %s", self._root, error)
            if not self._ended.is_set():
                self._changed()

    def _watch(self, number: tuple[int, int]) -> None:
        """Watch until the folder is another one, or gone: a watcher follows a folder that is moved away.

        What changed before the watcher was in place is told with its first sign of life.
        """
        from watchfiles import watch

        fresh = True
        stream = watch(
            self._root,
            watch_filter=lambda _, path: self._wanted(path),
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

    def counts(self, path: str) -> bool:
        """May a path matter: is it an input or an artifact outside of hidden and foreign folders, or such a folder?

        Of a folder that is moved its own path is all that is told. By its name alone, since it may have gone.
        """
        parts = Path(os.path.relpath(path, self._root)).parts or ("",)
        if any(part in _SKIPPED or part.startswith(".") for part in parts):
            return False
        name = parts[-1]
        scenario = parts[:-1] == (_SCENARIOS,) and name.endswith(".toml")
        return name in _NAMES or name.endswith(_SUFFIXES) or "." not in name or scenario


def _identity(folder: Path) -> tuple[int, int] | None:
    try:
        status = folder.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
