"""How a project is served: what the flags of a server say, in a form that travels to the worker process."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

Policy = Literal["build", "refuse", "serve-stale"]
"""What happens when the sources changed since the build (artifact.md §3)."""

POLICIES: tuple[str, ...] = get_args(Policy)


@dataclass(frozen=True, slots=True)
class Settings:
    """The project's folder (None: found from `start` upward), and how it is served.

    `read_only` never writes, not even the artifact. `store` is `project` or `memory`. `max_rows` bounds the rows of
    an answer. `command` is what other processes are told while the project is locked. `tells_writes`: whoever is served
    wants to know of each new generation of the store.
    """

    project: str | None = None
    start: str | None = None
    policy: Policy = "build"
    read_only: bool = False
    store: str = "project"
    max_rows: int = 500
    command: str = "argon mcp"
    watch: bool = True
    tells_writes: bool = False

    def wire(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)

    @classmethod
    def of(cls, wire: dict[str, Any]) -> Settings:
        """From JSON."""
        return cls(**wire)
