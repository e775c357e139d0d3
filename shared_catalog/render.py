"""The words of a diagnostic: message, labels, help lines, fix titles; and whole entries as pages.

Arguments come as (name, text) pairs, as `argon_lang.problems.Args` has them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from shared_catalog import load, page, wire
from shared_catalog.model import Entry
from shared_catalog.template import TemplateError, fill

Pairs = Iterable[tuple[str, str]]


def message(code: str, args: Pairs = (), lang: str = "en") -> str:
    """The one-line message of `code`. Raises UnknownCode, TemplateError."""
    template = load.front(code).message if lang == "en" else load.entry(code, lang).message
    return _fill(code, "message", template, args)


def label(code: str, key: str, args: Pairs = ()) -> str:
    """The text of a secondary span. Raises UnknownCode, TemplateError."""
    return _from_table(code, "labels", key, load.front(code).labels, args)


def note(code: str, key: str, args: Pairs = ()) -> str:
    """One help line. Raises UnknownCode, TemplateError."""
    return _from_table(code, "notes", key, load.front(code).notes, args)


def fix_title(code: str, key: str, args: Pairs = ()) -> str:
    """The title of a quick fix. Raises UnknownCode, TemplateError."""
    return _from_table(code, "fixes", key, load.front(code).fixes, args)


def text(entry: Entry, lang: str = "en") -> str:
    """The entry as a plain-text page."""
    return page.as_text(wire.plain(entry, lang))


def markdown(entry: Entry, level: int = 1, lang: str = "en") -> str:
    """The entry as a Markdown page whose title is a heading of `level`."""
    return page.as_markdown(wire.plain(entry, lang), level)


def _from_table(code: str, table: str, key: str, templates: Mapping[str, str], args: Pairs) -> str:
    if key not in templates:
        raise TemplateError(f"{code} has no {table}.{key}; it has {', '.join(templates) or 'none'}")
    return _fill(code, f"{table}.{key}", templates[key], args)


def _fill(code: str, where: str, template: str, args: Pairs) -> str:
    try:
        return fill(template, dict(args))
    except TemplateError as error:
        raise TemplateError(f"{code} {where}: {error}") from None
