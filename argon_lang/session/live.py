"""Live data for an editor: how many rows the active artifact and the store have now, and when that may be different."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from argon_lang.errors import ArgonError
from argon_lang.runtime.service import NOW
from argon_lang.runtime.truth import hidden, told
from argon_lang.session.serving import Session
from argon_lang.session.watch import Watcher

if TYPE_CHECKING:
    from argon_lang.session.questions import Request

Json = Any


def counted(request: Request) -> Json:
    """`{"count", "generation", "moduleHash", "staleArtifact"}` of a head: rows that are Is, and nothing of them.

    Of the artifact that was built, whatever was saved since. Raises `NO_ARTIFACT`, those of a question.
    """
    serving = request.session.ensure(request.cancellation, policy="serve-stale")
    service = serving.service
    shape = service.served.schema.head(request.given["head"], request.given.get("arity"))
    governor = service.governor()
    with request.cancellation.then(governor.cancel):
        snapshot, reading = service.read(NOW, governor)
        rows = told(reading, shape.key)
    unsure = hidden(rows)
    return {
        "count": len(rows) - unsure.can - unsure.both - unsure.not_,
        "generation": snapshot.generation,
        "moduleHash": service.served.module_hash,
        "staleArtifact": serving.stale,
    }


class Writes:
    """Tells of each new generation of a project's store, whoever wrote it; of a project that has gone, of none."""

    def __init__(self, session: Session, told: Callable[[int], None]) -> None:
        self._session = session
        self._told = told
        self._known = self._generation()
        folder = self._folder()
        if folder is not None:
            Watcher(folder, self._glance, recursive=False, counts=lambda _: True)

    def _folder(self) -> Path | None:
        try:
            disk = self._session.disk()
        except ArgonError:
            return None
        return (disk.root.root / disk.manifest().store.path).parent

    def _glance(self) -> None:
        found = self._generation()
        if found is not None and found != self._known:
            self._known = found
            self._told(found)

    def _generation(self) -> int | None:
        """The generation of the store; None while it cannot be read."""
        try:
            return self._session.store().snapshot().generation
        except (ArgonError, OSError):
            return None
