"""The catalog, loaded from its source files: one entry at a time, or whole. Locale overlays fall back per field."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from pydantic import Field

from shared_catalog import lookup, source
from shared_catalog.model import Entry, FrontMatter, Frozen, Line

ROOT = Path(__file__).parent
CODES = ROOT / "codes"
LOCALES = ROOT / "locale"
LANGUAGES = ("en", "zh")
"""What `--lang` takes whether or not it has a file. English is the source; another may be translated in part."""


class UnknownCode(KeyError):
    """No entry has this code. `near` lists codes that may have been meant, nearest first."""

    def __init__(self, code: str, near: tuple[str, ...]) -> None:
        super().__init__(code)
        self.code = code
        self.near = near


class UnknownLanguage(KeyError):
    """The catalog does not know this language."""


class Translation(Frozen):
    """What a locale says of one code; every field falls back to English."""

    title: Line | None = None
    message: Line | None = None
    what: str | None = Field(default=None, min_length=1)
    why: str | None = Field(default=None, min_length=1)
    fix: str | None = Field(default=None, min_length=1)


def languages() -> tuple[str, ...]:
    """What `--lang` takes: `LANGUAGES`, and every locale that has a file."""
    return tuple(dict.fromkeys((*LANGUAGES, *sorted(path.stem for path in LOCALES.glob("*.toml")))))


@cache
def codes() -> tuple[str, ...]:
    """Every code that has an entry, sorted. Reads the folder's names only."""
    return tuple(sorted(path.stem for path in CODES.glob("*.md")))


@cache
def front(code: str) -> FrontMatter:
    """The front matter of `code`: all that a message needs. Raises UnknownCode."""
    return source.front_matter(_text(code), code)


@cache
def entry(code: str, lang: str = "en") -> Entry:
    """The entry of `code`, its text in `lang` where that is translated. Raises UnknownCode, UnknownLanguage."""
    english = source.entry(_text(code), code)
    translation = locale(lang).get(code)
    return english if translation is None else _overlay(english, translation)


def catalog(lang: str = "en") -> Mapping[str, Entry]:
    """Every entry by code, in the order of `codes()`. Raises UnknownLanguage."""
    return MappingProxyType({code: entry(code, lang) for code in codes()})


def near(code: str, limit: int = 3) -> tuple[str, ...]:
    """Codes that `code` may have meant, nearest first."""
    return tuple(lookup.near(code, codes(), limit))


@cache
def locale(lang: str) -> Mapping[str, Translation]:
    """The overlay of `lang`: code → translation; empty without a file. Raises UnknownLanguage."""
    if lang not in languages():
        raise UnknownLanguage(lang)
    path = LOCALES / f"{lang}.toml"
    data = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return MappingProxyType({code: Translation.model_validate(fields) for code, fields in data.items()})


def _text(code: str) -> str:
    if code not in codes():
        raise UnknownCode(code, near(code))
    return (CODES / f"{code}.md").read_text(encoding="utf-8")


def _overlay(english: Entry, translation: Translation) -> Entry:
    given = translation.model_dump(exclude_none=True)
    body: dict[str, object] = {key: given.pop(key) for key in ("what", "why") if key in given}
    fix = given.pop("fix", None)
    if fix is not None:
        body["fixes"] = (english.body.fixes[0].model_copy(update={"prose": fix}), *english.body.fixes[1:])
    return english.model_copy(update={**given, "body": english.body.model_copy(update=body)})
