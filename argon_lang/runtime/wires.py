"""The wire forms of answers that are no rows: the log, backups, artifacts, values, whole models (semantics S8).

As in `argon_lang.runtime.envelopes`: one model per envelope, camelCase on the wire, absent fields left out.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from argon_lang.runtime.envelopes import AsOf, EventForm, HeadDelta, Hidden, Json, Minted, Versioned, Violation, Wire


class Computed(Versioned):
    """The value of a function. `emissions` are what it emitted: functions are pure, so there are none."""

    value: Json
    type: str
    emissions: list[Json] = Field(default_factory=list)
    module_hash: str
    inputs_digest: str | None = None
    store_id: str
    generation: int
    view: str
    as_of: AsOf


class Suggestion(Wire):
    """Changes that make a fact derivable, as a text to paste into `argon mutate --eval`, with its arguments.

    It was compiled and run on a throw-away copy. `breaks` are the violations that it would bring about, with their
    proofs; when one of them is an error the write would be refused, and it is not `accepted`. `assumed` are values that
    an insert must supply and that are those of other facts: to be replaced by what is the case.
    """

    source: str
    args: dict[str, str] = Field(default_factory=dict)
    size: int
    accepted: bool
    assumed: list[str] = Field(default_factory=list)
    breaks: list[Violation] = Field(default_factory=list)


class Suggestions(Versioned):
    """The answer of `suggest`: the smallest changes that make a fact derivable, fewest changes first.

    `tried` sets were made on a copy of the state; when the search is `complete` there is no smaller one.
    """

    fact: str
    derived: bool
    suggestions: list[Suggestion]
    tried: int
    complete: bool
    module_hash: str
    inputs_digest: str | None = None
    store_id: str
    generation: int
    view: str
    as_of: AsOf


class LogLine(EventForm):
    """An event as it was logged, with its transaction; `place` is `tx.ordinal`, by which a page is continued."""

    place: str
    tx: int
    instant: str
    principal: str
    standpoint: str
    fork: str


class LogReport(Versioned):
    """The event history of a fact, an individual or everything, oldest first."""

    about: str | None = None
    lines: list[LogLine]
    count: int
    next_cursor: str | None = None
    module_hash: str
    inputs_digest: str | None = None
    store_id: str
    generation: int


class BackupReport(Versioned):
    """A copy of the store, which was read back and found to be whole."""

    path: str
    bytes: int
    store_id: str
    generation: int
    tx: int
    events: int


class SectionForm(Wire):
    """A section of an artifact: its length in bytes and its SHA-256. The module hash covers the mandatory ones."""

    name: str
    mandatory: bool
    length: int
    digest: str


class ArtifactReport(Versioned):
    """What an artifact says about itself. `declares` counts its declarations by kind, `tiers` by tier."""

    path: str
    bytes: int
    package: str
    version: str
    module_hash: str
    inputs_digest: str
    current: bool
    axes: dict[str, str]
    sections: list[SectionForm]
    declares: dict[str, int]
    tiers: dict[str, int]


class DerivedFact(Wire):
    """A row of the derived model. `hidden`: it is not Is."""

    head: str
    tuple: list[Json]
    truth4: Literal["Is", "Not", "Can", "Both"] | None = None
    hidden: bool = False


class DerivedModel(Versioned):
    """The whole derived model of one evaluation. `projection` is `k3` when it has the Is rows alone, else `truth4`."""

    projection: Literal["truth4", "k3"]
    facts_derived: int
    facts: list[DerivedFact]
    hidden: Hidden = Field(default_factory=Hidden)
    module_hash: str
    inputs_digest: str | None = None
    store_id: str
    generation: int
    view: str
    as_of: AsOf
    next_cursor: str | None = None


class ForkForm(Wire):
    """A fork: `uncommitted` transactions since it left `parent` at transaction `cut`. `state` says it in words."""

    fork: str
    name: str
    state: str
    parent: str
    cut: int
    tx: int
    uncommitted: int
    created: str
    used: str
    ephemeral: bool
    principal: str


class ForkReport(Versioned):
    """A fork that was made, or that was ended (`ended`)."""

    fork: ForkForm
    ended: bool = False
    store_id: str
    generation: int


class ForkList(Versioned):
    """The forks of the store, oldest first."""

    forks: list[ForkForm]
    store_id: str
    generation: int


class FieldChange(Wire):
    """The values of a field before and after, as facts."""

    field: str
    subject: str
    before: list[str]
    after: list[str]


class ForkDiff(Versioned):
    """What a fork changed, in domain terms: now, against its parent as it was at the fork point.

    `events` are all that it recorded, whenever they hold. `conflicts` are what the parent changed since, of what the
    fork changed too. `diff_hash` covers all of it with both heads: promoting asks for it.
    """

    fork: ForkForm
    parent_tx: int
    created: list[Minted]
    fields: list[FieldChange]
    added: list[str]
    removed: list[str]
    violated: list[Violation]
    fixed: list[Violation]
    derived: dict[str, HeadDelta]
    events: list[EventForm]
    conflicts: list[str]
    diff_hash: str
    module_hash: str
    store_id: str
    generation: int


class Misfit(Wire):
    """Why live facts do not fit the module, and how many."""

    reason: str
    facts: int


class MigratedName(Wire):
    """A path that was renamed (`to`) or let go, and how many facts that touched."""

    name: str
    to: str | None = None
    facts: int


class MigrationReport(Versioned):
    """What a migration did, or would do: `tx` is absent when nothing was written.

    `before` says what did not fit without it, `after` what still does not; then `ok` is false and nothing was written.
    `past`: what does not hold any more and does not fit; it stays on record, but is not to be read with this module.
    """

    ok: bool
    tx: int | None = None
    from_module: str | None = None
    renamed: list[MigratedName]
    dropped: list[MigratedName]
    before: list[Misfit]
    after: list[Misfit]
    past: list[Misfit] = Field(default_factory=list)
    violations: list[Violation]
    module_hash: str
    store_id: str
    generation: int


MORE_ENVELOPES: tuple[type[Versioned], ...] = (
    Computed,
    Suggestions,
    LogReport,
    BackupReport,
    ArtifactReport,
    DerivedModel,
    ForkReport,
    ForkList,
    ForkDiff,
    MigrationReport,
)
"""Envelopes whose schemas are published beside those of `envelopes.ENVELOPES`."""
