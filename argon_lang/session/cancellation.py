"""Cancelling one request from another thread: a flag that everything on the way asks, and actions that it triggers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from argon_lang.errors import ArgonError


class Cancellation:
    """The flag of one request. Calling it tells whether the request was cancelled."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._guard = threading.Lock()
        self._actions: list[Callable[[], None]] = []

    def __call__(self) -> bool:
        """Was the request cancelled?"""
        return self._event.is_set()

    def cancel(self) -> None:
        """Cancel: set the flag, and do what was asked for with `then`."""
        with self._guard:
            self._event.set()
            actions = tuple(self._actions)
        for action in actions:
            action()

    @contextmanager
    def then(self, action: Callable[[], None]) -> Iterator[None]:
        """While the body runs, `action` follows a cancellation; at once when it has happened already."""
        with self._guard:
            self._actions.append(action)
        if self():
            action()
        try:
            yield
        finally:
            with self._guard:
                self._actions.remove(action)

    def check(self) -> None:
        """Raise `ARGON_RUNTIME_CANCELLED` when the request was cancelled."""
        if self():
            raise ArgonError("ARGON_RUNTIME_CANCELLED", retryable=True)
