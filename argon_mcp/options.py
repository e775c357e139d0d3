"""What the command line says about a server, and the few words of it that are read before anything is imported."""

from __future__ import annotations

from dataclasses import dataclass, replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from argon_lang.session.settings import Policy

TOOLSETS = ("authoring", "runtime", "source", "fork")
POLICIES: tuple[Policy, ...] = ("build", "refuse", "serve-stale")
STORES = ("project", "memory")
MAX_ROWS = 500
MAX_BYTES = 65_536
ADDRESS = "127.0.0.1:7325"


@dataclass(frozen=True, slots=True)
class Options:
    """How the server serves. `project` None: found from the working folder upward.

    `read_only` drops the tools that write. `store` `memory` is an isolated one, seeded from the declared facts.
    `max_rows` and `max_bytes` bound one answer. `allow_promote`: what was tried on a fork may be taken over. `http` is
    the loopback address to serve on, port 0 for any; None for standard input and output. `token`: what a client over
    HTTP must show, None when it need not show any.
    """

    project: str | None = None
    policy: Policy = "build"
    read_only: bool = False
    store: str = "project"
    max_rows: int = MAX_ROWS
    max_bytes: int = MAX_BYTES
    toolsets: tuple[str, ...] = TOOLSETS
    allow_promote: bool = False
    http: tuple[str, int] | None = None
    token: str | None = None


def options_of(words: Sequence[str]) -> Options | None:
    """The options of a plain command line; None for one that only the full command line can judge."""
    options, rest = Options(), list(words)
    while rest:
        name, equals, value = rest.pop(0).partition("=")
        if name == "--read-only" and not equals:
            options = replace(options, read_only=True)
            continue
        if name == "--allow-promote" and not equals:
            options = replace(options, allow_promote=True)
            continue
        if not equals:
            if not rest or rest[0].startswith("-"):
                return None
            value = rest.pop(0)
        found = _with(options, name, value)
        if found is None:
            return None
        options = found
    return options


def _with(options: Options, name: str, value: str) -> Options | None:
    match name:
        case "--project" if value:
            return replace(options, project=value)
        case "--dirty" if (policy := policy_of(value)) is not None:
            return replace(options, policy=policy)
        case "--store" if value in STORES:
            return replace(options, store=value)
        case "--max-rows" if value.isdecimal() and int(value) > 0:
            return replace(options, max_rows=int(value))
        case "--max-bytes" if value.isdecimal() and int(value) > 0:
            return replace(options, max_bytes=int(value))
        case "--toolsets" if (chosen := toolsets_of(value)) is not None:
            return replace(options, toolsets=chosen)
        case _:
            return None


def policy_of(value: str) -> Policy | None:
    """The policy of this name; None when there is none."""
    return next((each for each in POLICIES if each == value), None)


def toolsets_of(value: str) -> tuple[str, ...] | None:
    """The toolsets of a list with commas, in their own order; None when one does not exist."""
    wanted = {each.strip() for each in value.split(",")}
    return tuple(each for each in TOOLSETS if each in wanted) if wanted <= set(TOOLSETS) else None
