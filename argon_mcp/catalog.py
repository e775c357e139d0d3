"""The catalog's generated index, read once per process."""

from __future__ import annotations

from functools import cache
from typing import Any

from shared_catalog import fast, lookup


@cache
def _index() -> dict[str, Any]:
    return fast.index()


def codes() -> tuple[str, ...]:
    """Every code, in the order of the index."""
    return tuple(_index()["entries"])


def entry(query: str, lang: str = "en") -> dict[str, Any] | None:
    """The entry that a code, number or name denotes; None when it denotes none."""
    known = _index()["entries"]
    code = lookup.resolve(query, {code: row["name"] for code, row in known.items()})
    if code is None:
        return None
    return {**known[code], **_index()["locales"].get(lang, {}).get(code, {})}
