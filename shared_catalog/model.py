"""What a catalog entry is: the validated form of `codes/<CODE>.md`.

Front matter (TOML between `+++` lines) gives the data that machines use, the body gives the teaching text. Templates
hold named placeholders (`{name}`); the placeholder names are a contract with whoever emits the code.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator, model_validator

from shared_catalog.template import placeholders

Severity = Literal["error", "warning", "info"]
Status = Literal["live", "reserved", "retired"]
FixClass = Literal["add", "remove", "rename", "reorder", "guard", "declare", "split", "bind", "cap"]
Category = Literal[
    "syntax", "names", "types", "strata", "constructs", "attributes", "packages", "evaluability", "runtime"
]
Tag = Literal["unnecessary", "deprecated"]

CODE_PATTERN = re.compile(r"O[EWI]\d{4}|ARGON_[A-Z]+(?:_[A-Z]+)*|DIRTY_WORKSPACE|NO_ARTIFACT|MCP-[A-Z]+(?:-[A-Z]+)*")
"""Every code of either family, and nothing else."""

CATEGORY_OF_RANGE: dict[str, Category] = {
    "00": "syntax",
    "01": "names",
    "02": "types",
    "05": "strata",
    "06": "constructs",
    "07": "attributes",
    "12": "packages",
    "13": "evaluability",
}
"""The first two digits of a numbered code decide its category."""

SEVERITY_OF_LETTER: dict[str, Severity] = {"E": "error", "W": "warning", "I": "info"}

Line = Annotated[str, StringConstraints(min_length=1, pattern=r"^[^\n]*$")]
Templates = dict[Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")], Line]


class Frozen(BaseModel):
    """Immutable, and closed: an unknown key is an error of the entry's author."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Snippet(Frozen):
    """One fenced block. `lang` is `argon`, `toml`, `console`, `json` or `text`; `file` the path it stands for.

    `at_write` marks a program that compiles clean and is refused only when its test writes.
    """

    lang: Literal["argon", "toml", "console", "json", "text"]
    file: str
    text: str
    at_write: bool = False


class FixExample(Frozen):
    """The Example, corrected in one way. `fix_class` is None where a run-time code has no class."""

    fix_class: FixClass | None
    snippets: tuple[Snippet, ...]
    prose: str = ""


class Body(Frozen):
    """The teaching text, section by section, as Markdown without headings."""

    what: str = Field(min_length=40)
    why: str = Field(min_length=40)
    example_prose: str = ""
    example: tuple[Snippet, ...] = Field(min_length=1)
    fixes: tuple[FixExample, ...] = Field(min_length=1)
    see_also: str = ""


class FrontMatter(Frozen):
    """The machine's half of an entry. Raises pydantic's ValidationError on anything out of form.

    `no_fix` says why no program can mend it: a live numbered code has either that or `fixes`.
    """

    code: str
    name: Annotated[str, StringConstraints(pattern=r"^[A-Z][A-Za-z0-9]*$")]
    severity: Severity
    status: Status
    reason: Line | None = None
    since: Annotated[str, StringConstraints(pattern=r"^\d+\.\d+\.\d+$")]
    category: Category
    title: Line
    message: Line
    labels: Templates = {}
    notes: Templates = {}
    fixes: Templates = {}
    fix_class: tuple[FixClass, ...] = ()
    no_fix: Line | None = None
    tags: tuple[Tag, ...] = ()
    related: tuple[str, ...] = ()
    http_status: Annotated[int, Field(ge=400, le=599)] | None = None
    retryable: bool | None = None

    @field_validator("fix_class", mode="before")
    @classmethod
    def _one_or_many(cls, value: object) -> object:
        return (value,) if isinstance(value, str) else value

    @model_validator(mode="after")
    def _coherent(self) -> Self:
        for complaint in _complaints(self):
            raise ValueError(f"{self.code}: {complaint}")
        return self

    def templates(self) -> dict[str, str]:
        """Every template of the entry by a dotted key (`message`, `labels.first`, `notes.suggest`, …)."""
        found = {"message": self.message}
        for table in ("labels", "notes", "fixes"):
            found |= {f"{table}.{key}": text for key, text in getattr(self, table).items()}
        return found


class Entry(FrontMatter):
    """One code of the catalog, whole."""

    body: Body

    @property
    def executed(self) -> bool:
        """Whether Example and Fix are compiled by the gates: only programs of live codes are."""
        return self.status == "live" and all(s.lang in ("argon", "toml") for s in self.body.example)


def _complaints(entry: FrontMatter) -> list[str]:
    """Rules that concern several fields at once, as sentences; empty when the entry is coherent."""
    for template in entry.templates().values():
        placeholders(template)
    found = []
    if not CODE_PATTERN.fullmatch(entry.code):
        found.append("not a code of either family")
    if (entry.reason is None) != (entry.status == "live"):
        found.append("a reason belongs to a reserved or retired entry, and to no other")
    found += _runtime_complaints(entry) if entry.category == "runtime" else _numbered_complaints(entry)
    return found


def _runtime_complaints(entry: FrontMatter) -> list[str]:
    if entry.http_status is None or entry.retryable is None:
        return ["a run-time code needs http_status and retryable"]
    return ["a numbered code is no run-time code"] if re.match(r"O[EWI]\d", entry.code) else []


def _numbered_complaints(entry: FrontMatter) -> list[str]:
    found = []
    if entry.http_status is not None or entry.retryable is not None:
        found.append("only run-time codes have http_status and retryable")
    if CATEGORY_OF_RANGE.get(entry.code[2:4]) != entry.category:
        found.append(f"category {entry.category} does not own this range")
    if SEVERITY_OF_LETTER.get(entry.code[1:2]) != entry.severity:
        found.append("severity and letter disagree")
    if not entry.fix_class:
        found.append("at least one fix class is needed")
    if entry.status == "live" and (entry.no_fix is None) != bool(entry.fixes):
        found.append("either fixes, or no_fix: why none can be made without asking the author")
    return found
