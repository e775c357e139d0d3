"""The project lock: who writes the artifact or migrates a store does so alone, and others learn who it is.

`.argon/lock` is an advisory lock of the operating system, which dies with its process. `.argon/lock.json` beside it
names the holder; it is a courtesy, trusted only while the lock is held. No lock is held across a round trip to a
client.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from filelock import FileLock, Timeout

from argon_lang.errors import ArgonError
from argon_lang.problems import Note, args
from argon_lang.workspace import lock_trace
from argon_lang.workspace.root import Project
from argon_lang.workspace.writing import remove_leftovers, replace_file, unwritable

WAIT_SECONDS = 10.0
_POLL_SECONDS = 0.02
_UNKNOWN = "?"


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a project: process id, the command it runs, and since when (ISO 8601, UTC); `?` where unknown."""

    pid: str
    command: str
    since: str


def never() -> bool:
    """The cancellation of a call that nobody cancels."""
    return False


@contextmanager
def project_lock(
    project: Project, command: str, *, wait: float = WAIT_SECONDS, cancelled: Callable[[], bool] = never
) -> Iterator[None]:
    """Hold the lock of a project while the body runs.

    `command` is what other processes are told. Waits at most `wait` seconds. Raises ArgonError:
    `ARGON_PROJECT_LOCKED` (retryable) naming the holder, `ARGON_RUNTIME_CANCELLED` when `cancelled()` becomes true
    first, `ARGON_TARGET_UNWRITABLE` when `.argon` cannot be written.
    """
    folder = project.machine_state
    lock = FileLock(folder / "lock", thread_local=False)
    started = time.monotonic()
    try:
        _acquire(lock, project, wait, cancelled)
    finally:
        lock_trace.record("project", time.monotonic() - started)
    try:
        _announce(folder, command)
        yield
    finally:
        with suppress(OSError):
            (folder / "lock.json").unlink()
        lock.release()


def lock_holder(project: Project) -> Holder | None:
    """Who holds the lock now; None when nobody does. Creates nothing."""
    folder = project.machine_state
    if not (folder / "lock").exists():
        return None
    lock = FileLock(folder / "lock", thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return _announced(folder)
    except OSError:
        return None
    lock.release()
    return None


def _acquire(lock: FileLock, project: Project, wait: float, cancelled: Callable[[], bool]) -> None:
    start = time.monotonic()
    while True:
        try:
            project.machine_state.mkdir(exist_ok=True)
            lock.acquire(timeout=0)
            return
        except Timeout:
            waited = time.monotonic() - start
        except OSError as error:
            raise unwritable(".argon/lock", error) from error
        if cancelled():
            raise ArgonError("ARGON_RUNTIME_CANCELLED", retryable=True)
        if waited >= wait:
            raise _locked(_announced(project.machine_state), waited)
        time.sleep(min(_POLL_SECONDS, max(wait - waited, 0.0)))


def _announce(folder: Path, command: str) -> None:
    since = datetime.now(UTC).isoformat(timespec="seconds")
    row = {"pid": os.getpid(), "command": command, "since": since}
    remove_leftovers(folder / "lock.json")
    try:
        replace_file(folder / "lock.json", (json.dumps(row) + "\n").encode(), durable=False)
    except OSError as error:
        raise unwritable(".argon/lock.json", error) from error


def _announced(folder: Path) -> Holder:
    try:
        row = json.loads((folder / "lock.json").read_text("utf-8"))
        return Holder(str(row["pid"]), str(row["command"]), str(row["since"]))
    except (OSError, ValueError, KeyError, TypeError):
        return Holder(_UNKNOWN, _UNKNOWN, _UNKNOWN)


def _locked(holder: Holder, waited: float) -> ArgonError:
    milliseconds = round(waited * 1000)
    unknown = (Note("unknown"),) if holder.pid == _UNKNOWN else ()
    return ArgonError(
        "ARGON_PROJECT_LOCKED",
        args(name=holder.command, pid=holder.pid, since=holder.since),
        details={"pid": holder.pid, "command": holder.command, "since": holder.since, "waitedMs": milliseconds},
        retryable=True,
        notes=(*unknown, Note("wait", args(found=milliseconds))),
    )
