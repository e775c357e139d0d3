"""The JSON object of an entry: what `argon explain --json`, the language server and the MCP tools answer."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from shared_catalog import load
from shared_catalog.model import Category, Entry, FixClass, FixExample, Severity, Snippet, Status, Tag

SCHEMA_VERSION = "1.0"


class Wire(BaseModel):
    """Immutable, closed, camelCase on the wire."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        populate_by_name=True,
        json_schema_serialization_defaults_required=True,
    )


class SnippetObject(Wire):
    """A program or transcript. In an Example, a comment line of carets marks the span of the line above it."""

    lang: str = Field(description="argon, toml, console, json or text", examples=["argon"])
    file: str = Field(description="path inside the package, empty for a transcript", examples=["root.ar"])
    text: str = Field(description="the source, with its final newline")


class FixObject(Wire):
    """One way to mend the Example."""

    fix_class: FixClass | None = Field(description="what kind of change it is; null for a run-time code")
    prose: str = Field(description="Markdown; may be empty")
    snippets: list[SnippetObject]


class RelatedObject(Wire):
    """A neighbouring entry."""

    code: str
    title: str


class EntryObject(Wire):
    """One diagnostic code: data, templates and teaching text."""

    schema_version: str = SCHEMA_VERSION
    code: str = Field(examples=["OE1303"])
    name: str = Field(examples=["UnboundVariable"])
    severity: Severity
    status: Status
    reason: str | None = Field(description="why the code is not live, if it is not")
    since: str
    category: Category
    title: str
    message: str = Field(description="template; `{name}` is a placeholder, `{{` a brace")
    labels: dict[str, str] = Field(description="templates of secondary spans")
    notes: dict[str, str] = Field(description="templates of help lines")
    fixes: dict[str, str] = Field(description="templates of quick-fix titles")
    fix_classes: list[FixClass]
    tags: list[Tag]
    http_status: int | None
    retryable: bool | None
    what: str
    why: str
    example_prose: str
    example: list[SnippetObject]
    fix: list[FixObject]
    executed: bool = Field(description="whether Example and Fix are compiled by the catalog's gates")
    see_also: str
    related: list[RelatedObject]


def entry_object(entry: Entry, lang: str = "en") -> EntryObject:
    """The wire form of `entry`; related entries are titled in `lang`."""
    same = ("code", "name", "severity", "status", "reason", "since", "category", "title", "message")
    templates = ("labels", "notes", "fixes", "http_status", "retryable", "executed")
    return EntryObject(
        **{field: getattr(entry, field) for field in (*same, *templates)},
        fix_classes=list(entry.fix_class),
        tags=list(entry.tags),
        what=entry.body.what,
        why=entry.body.why,
        example_prose=entry.body.example_prose,
        example=[_snippet(snippet) for snippet in entry.body.example],
        fix=[_fix(fix) for fix in entry.body.fixes],
        see_also=entry.body.see_also,
        related=[RelatedObject(code=code, title=_title(code, lang)) for code in entry.related],
    )


def plain(entry: Entry, lang: str = "en") -> dict[str, object]:
    """`entry_object` as plain values, keys in camelCase: the form of `index.json`."""
    return entry_object(entry, lang).model_dump(mode="json", by_alias=True)


def schema() -> dict[str, object]:
    """JSON Schema of `EntryObject`; committed as `explain.schema.json`."""
    return EntryObject.model_json_schema(by_alias=True, mode="serialization")


def _title(code: str, lang: str) -> str:
    translation = load.locale(lang).get(code)
    return (translation and translation.title) or load.front(code).title


def _snippet(snippet: Snippet) -> SnippetObject:
    return SnippetObject(lang=snippet.lang, file=snippet.file, text=snippet.text)


def _fix(fix: FixExample) -> FixObject:
    return FixObject(fix_class=fix.fix_class, prose=fix.prose, snippets=[_snippet(s) for s in fix.snippets])
