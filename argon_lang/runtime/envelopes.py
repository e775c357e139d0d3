"""The wire forms of every answer (semantics S8), one model per envelope: what `--json`, MCP and HTTP all send.

Python names are snake_case, wire names camelCase. `dump` leaves out what is absent and keeps field order, so equal
answers are equal bytes. Their JSON Schemas are generated into `docs/schemas/` and checked for drift.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

SCHEMA_VERSION: Literal["1.0"] = "1.0"
Json = Any
"""A JSON value: the wire form of one Argon value (`argon_lang.ir.wire`)."""


class Wire(BaseModel):
    """Base of all wire forms: immutable, closed, camelCase."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True, defer_build=True
    )

    def dump(self) -> dict[str, Json]:
        """The JSON object, absent fields left out."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)


class Versioned(Wire):
    """Base of the outermost objects."""

    schema_version: Literal["1.0"] = SCHEMA_VERSION


class Position(Wire):
    """Zero-based line, and UTF-16 column."""

    line: int
    character: int


class Place(Wire):
    """A span in a file, by its path relative to the project."""

    file: str
    start: Position
    end: Position


class RelatedPlace(Wire):
    """The other half of a conflict."""

    message: str
    span: Place


class EditForm(Wire):
    """Replace the span by the text."""

    span: Place
    text: str


class FixForm(Wire):
    """A quick fix. `safe`: `argon check --fix` applies it without asking."""

    title: str
    safe: bool
    edits: list[EditForm]


class DiagnosticForm(Wire):
    """One finding (S8.3)."""

    code: str
    severity: Literal["error", "warning", "info"]
    message: str
    span: Place
    related: list[RelatedPlace] = Field(default_factory=list)
    fixes: list[FixForm] = Field(default_factory=list)
    help: list[str] = Field(default_factory=list)
    tags: list[str] = Field(default_factory=list)


class CheckSummary(Wire):
    """Counts by severity."""

    errors: int
    warnings: int
    infos: int


class CheckReport(Versioned):
    """The answer of `check` (S8.3). `inputs_digest` says which saved or overlaid texts it rests on."""

    diagnostics: list[DiagnosticForm]
    summary: CheckSummary
    inputs_digest: str


class BuildReport(Versioned):
    """The answer of `build`."""

    ok: bool
    module_hash: str | None = None
    artifact: str | None = None
    wrote_oxbin: bool = False
    current: bool = False
    inputs_digest: str
    diagnostics: list[DiagnosticForm] = Field(default_factory=list)


class FormattedForm(Wire):
    """One source file: would its layout change, and how."""

    file: str
    changed: bool
    diff: str | None = None


class FormatReport(Versioned):
    """The answer of `fmt`."""

    files: list[FormattedForm]


class NewReport(Versioned):
    """The answer of `new`: the package and the files that were written, relative to its folder."""

    name: str
    files: list[str]


class ProjectState(Wire):
    """The project's root, and how it was decided."""

    root: str
    source: Literal["flag", "manifest", "fallback"]
    manifest: bool
    package: str | None = None


class ArtifactState(Wire):
    """The artifact on disk. `tier`: the highest of its rules."""

    path: str
    exists: bool
    module_hash: str | None = None
    inputs_digest: str | None = None
    tier: str | None = None


class StoreState(Wire):
    """The store, which may not exist yet. `last_write`: when its last transaction was; `error`: why it is not read."""

    kind: Literal["memory", "sqlite"]
    path: str | None = None
    exists: bool
    id: str | None = None
    generation: int = 0
    tx: int = 0
    module_hash: str | None = None
    last_write: str | None = None
    forks: int = 0
    error: str | None = None


class LockHolder(Wire):
    """Who holds the project lock."""

    pid: str
    command: str
    since: str


class Status(Versioned):
    """The answer of `status`. `source_dirty`: a build would do something."""

    project: ProjectState
    artifact: ArtifactState
    store: StoreState
    source_dirty: bool
    inputs_digest: str | None = None
    lock_holder: LockHolder | None = None
    limits: dict[str, int]
    versions: dict[str, str]
    next_step: str | None = None


class AsOf(Wire):
    """The read instant: valid time (ISO 8601), and the transaction when it was pinned."""

    valid: str
    tx: int | None = None


class Hidden(Wire):
    """Rows that are not `Is`, counted (S2.5)."""

    can: int = 0
    both: int = 0
    not_: int = Field(default=0, alias="not")


class Column(Wire):
    """A column of an answer."""

    name: str
    type: str


class RowProof(Wire):
    """The proof of a fact that a row of an answer comes from."""

    fact: str
    prose: str
    root_id: str
    nodes: list[ProofNode]


class AnswerRow(Wire):
    """A row in wire form; `because`, when asked for, why it is there."""

    values: list[Json]
    truth4: Literal["Is", "Not", "Can", "Both"] | None = None
    tag: Literal["+Δ", "+∂", "-∂", "-Δ"] | None = None
    because: list[RowProof] | None = None


class Answer(Versioned):
    """Every answer of rows, on every surface (S8.2).

    `excluded`: so many solutions are in doubt that the aggregates of its groups leave out.
    """

    columns: list[Column]
    rows: list[AnswerRow]
    row_count: int
    hidden: Hidden = Field(default_factory=Hidden)
    excluded: int | None = None
    module_hash: str
    inputs_digest: str | None = None
    store_id: str
    generation: int
    view: str
    as_of: AsOf
    next_cursor: str | None = None


class ClauseInstance(Wire):
    """A clause with the values of its variables, by the author's names."""

    clause: str
    source: Place | None = None
    substitution: dict[str, Json] = Field(default_factory=dict)


class LeafEvent(Wire):
    """What asserted a leaf (S6.1)."""

    id: str
    tx: int
    principal: str
    standpoint: str
    valid_from: str | None = None
    valid_to: str | None = None


class ProofNode(Wire):
    """A node of a proof or of a why-not tree (S6); trees travel as lists with parents.

    Proofs have the kinds `derived`, `asserted`, `declared`, `negation`, `aggregate`, `builtin`; `refuted` is what is
    said against a fact, in either tree. `tag` is what rules with exceptions conclude (S5.3). A derived node lists the
    clause instances shown under `derivations` (`alternatives` is their true number); each premise names the one it
    belongs to by `alternative`. Under an aggregate are the facts behind the first rows that it ranges over, numbered
    by `alternative`, and `alternatives` counts all its rows. A why-not tree has `absent` atoms, under each a `clause`
    per clause that could have derived it, under that the conditions that `holds` and the one that `failed`, with the
    bindings tried (`alternatives` their true number) as `attempt`s: a missing atom, a `blocking` row, or the two
    sides of a comparison.
    """

    id: str
    parent: str | None = None
    kind: Literal[
        "derived",
        "asserted",
        "declared",
        "refuted",
        "negation",
        "aggregate",
        "builtin",
        "absent",
        "clause",
        "holds",
        "failed",
        "attempt",
        "blocking",
    ]
    fact: str
    truth4: Literal["Is", "Not", "Can", "Both"] | None = None
    tag: Literal["+Δ", "+∂", "-∂", "-Δ"] | None = None
    alternative: int | None = None
    alternatives: int | None = None
    derivations: list[ClauseInstance] = Field(default_factory=list)
    substitution: dict[str, Json] = Field(default_factory=dict)
    source: Place | None = None
    event: LeafEvent | None = None
    left: Json = None
    right: Json = None
    folded: bool = False


class Explanation(Versioned):
    """The answer of `explain-fact`, `why-not`: a proof when derived, else the why-not tree (S6).

    `prose` says the same in one paragraph.
    """

    fact: str
    derived: bool
    truth4: Literal["Is", "Not", "Can", "Both"] | None = None
    tag: Literal["+Δ", "+∂", "-∂", "-Δ"] | None = None
    prose: str
    root_id: str
    nodes: list[ProofNode]
    module_hash: str
    inputs_digest: str | None = None
    store_id: str
    generation: int
    view: str
    as_of: AsOf


class Minted(Wire):
    """An individual that a write created."""

    entity: str
    concept: str
    label: str


class EventForm(Wire):
    """A logged event.

    An `erase` tells how many facts (`count`) of what concept or relation (`fact`) were erased; `erased` is what is left
    of an event that told of one: its `fact` is empty.
    """

    id: str
    op: Literal["assert", "close", "refute", "erase", "erased"]
    fact: str
    valid_from: str | None = None
    valid_to: str | None = None
    count: int | None = None
    content_id: str


class HeadDelta(Wire):
    """Derived rows of one head that a write added and removed, as facts."""

    added: list[str]
    removed: list[str]


class Violation(Wire):
    """A check violation: its key, the report, and its proof, which `prose` tells in one paragraph."""

    check: str
    key: list[Json]
    severity: Literal["error", "warning", "info"]
    message: str
    code: str | None = None
    fact: str
    prose: str | None = None
    nodes: list[ProofNode] = Field(default_factory=list)
    root_id: str | None = None


class Receipt(Versioned):
    """What a committed (or dry) write answers (S7.1). `promoted_from` is the name of the fork that was promoted."""

    tx: int | None = None
    promoted_from: str | None = None
    dry_run: bool = False
    replayed: bool = False
    generation: int
    store_id: str
    minted: list[Minted]
    events: list[EventForm]
    derived_delta: dict[str, HeadDelta] | None = None
    emitted: list[Json] = Field(default_factory=list)
    diagnostics: list[Violation] = Field(default_factory=list)
    result: Json = None
    module_hash: str
    inputs_digest: str | None = None


class Violations(Versioned):
    """The answer of `checks`. `count`: how many stand, where not all are shown."""

    violations: list[Violation]
    clean: bool
    count: int | None = None
    module_hash: str
    inputs_digest: str | None = None
    store_id: str
    generation: int
    view: str
    as_of: AsOf


class TestFailure(Wire):
    """Why a test failed: message, both sides of a comparison, the proof or why-not tree.

    `truth4` is Can where it is unknown whether a fact is derivable; that alone fails no test.
    """

    message: str
    span: Place | None = None
    left: Json = None
    right: Json = None
    truth4: Literal["Is", "Not", "Can", "Both"] | None = None
    explanation: Explanation | None = None

    __test__ = False


class TestOutcome(Wire):
    """One test."""

    name: str
    module: str
    span: Place | None = None
    outcome: Literal["passed", "failed", "error", "inconclusive", "listed"]
    duration_ms: float
    failures: list[TestFailure] = Field(default_factory=list)

    __test__ = False


class TestReport(Versioned):
    """The answer of `test` (S8.3)."""

    passed: int
    failed: int
    errors: int
    inconclusive: int
    tests: list[TestOutcome]
    module_hash: str
    inputs_digest: str | None = None

    __test__ = False


class ErrorBody(Wire):
    """What could not be done, and whether trying again may help."""

    code: str
    message: str
    details: dict[str, Json]
    help: list[str] = Field(default_factory=list)
    retryable: bool


class ErrorEnvelope(Versioned):
    """Every error, on every surface (catalog, run-time codes)."""

    error: ErrorBody
    request_id: str
    module_hash: str | None = None


ENVELOPES: tuple[type[Versioned], ...] = (
    CheckReport,
    BuildReport,
    Answer,
    Explanation,
    Receipt,
    Violations,
    TestReport,
    FormatReport,
    NewReport,
    Status,
    ErrorEnvelope,
)
"""The outermost objects whose JSON Schemas are published."""
