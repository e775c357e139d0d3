"""`argon explain CODE` from the generated index with the standard library alone, in a few milliseconds.

`python -m shared_catalog.fast CODE [--json] [--lang LANG] [--all]`. Exit codes: 0 found, 1 no such code, 2 usage,
3 the index is missing or cannot be read. A test compares every answer with the full path (`render.py`).
"""

from __future__ import annotations

import json
import sys

from shared_catalog import lookup, page
from shared_catalog.template import fill

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TextIO

INDEX = __file__.rpartition("fast.py")[0] + "index.json"
NOT_FOUND = "ARGON_RUNTIME_NOT_FOUND"
LANGUAGES = ("en", "zh")
"""As `load.LANGUAGES`; a test compares them. With them go the locales of the index."""

USAGE = "usage: argon explain CODE [--json] [--lang LANG] | argon explain --all [--json] [--lang LANG]"


def index() -> dict[str, Any]:
    """The generated index: `entries` by code, `locales` by language. Raises OSError, ValueError."""
    with open(INDEX, encoding="utf-8") as file:
        loaded: dict[str, Any] = json.load(file)
    return loaded


def entry(query: str, lang: str = "en") -> dict[str, Any] | None:
    """The JSON object of the entry that `query` denotes (code, number or name), or None."""
    return _localised(index(), query, lang)


def explain(query: str, as_json: bool = False, lang: str = "en", out: TextIO | None = None) -> int:
    """Print the entry on `out` (standard output by default); 0, or 1 with the nearest codes when there is none."""
    out = out or sys.stdout
    known = index()
    found = _localised(known, query, lang)
    if found is None:
        return _unknown(known, query, as_json, out)
    out.write(_json(found) if as_json else page.as_text(found))
    return 0


def listing(as_json: bool = False, lang: str = "en", out: TextIO | None = None) -> int:
    """Print every code with its title on `out`; 0."""
    out = out or sys.stdout
    known = index()
    entries = [{**row, **known["locales"].get(lang, {}).get(code, {})} for code, row in known["entries"].items()]
    if as_json:
        rows = [{key: row[key] for key in ("code", "name", "severity", "status", "title")} for row in entries]
        out.write(_json({"schemaVersion": "1.0", "codes": rows}))
        return 0
    width = max(len(row["code"]) for row in entries)
    for row in entries:
        mark = "" if row["status"] == "live" else f" ({row['status']})"
        out.write(f"{row['code']:<{width}}  {row['title']}{mark}\n")
    return 0


def main(argv: Sequence[str]) -> int:
    """Run with the arguments after `explain`; the exit code."""
    options = _options(argv)
    if options is None:
        return _usage("--json" in argv)
    try:
        known = tuple(dict.fromkeys((*LANGUAGES, *sorted(index()["locales"]))))
        if options["lang"] not in known:
            return _usage(options["json"], f"no language `{options['lang']}`: there are {', '.join(known)}")
        if options["all"]:
            return listing(options["json"], options["lang"])
        return explain(options["code"], options["json"], options["lang"])
    except BrokenPipeError:
        raise
    except (OSError, ValueError) as error:
        sys.stderr.write(f"error: the catalog index cannot be read: {error}\n")
        return 3


def _options(argv: Sequence[str]) -> dict[str, Any] | None:
    found: dict[str, Any] = {"json": False, "all": False, "lang": "en", "code": None}
    rest = list(argv)
    while rest:
        word = rest.pop(0)
        if word in ("--json", "--all"):
            found[word[2:]] = True
        elif word == "--lang" and rest:
            found["lang"] = rest.pop(0)
        elif word.startswith("--lang="):
            found["lang"] = word[7:]
        elif word.startswith("-") or found["code"] is not None:
            return None
        else:
            found["code"] = word
    return found if (found["code"] is None) == found["all"] else None


def _localised(known: dict[str, Any], query: str, lang: str) -> dict[str, Any] | None:
    entries = known["entries"]
    code = lookup.resolve(query, {code: row["name"] for code, row in entries.items()})
    if code is None:
        return None
    return {**entries[code], **known["locales"].get(lang, {}).get(code, {})}


def _unknown(known: dict[str, Any], query: str, as_json: bool, out: TextIO) -> int:
    row = known["entries"][NOT_FOUND]
    said = fill(row["message"], {"kind": "diagnostic code", "name": query})
    close = lookup.near(query, known["entries"])
    if as_json:
        out.write(_error({"code": NOT_FOUND, "message": said, "details": {"near": close}, "retryable": False}))
        return 1
    sys.stderr.write(f"error[{NOT_FOUND}]: {said}\n")
    for code in close:
        sys.stderr.write(f"  {fill(row['notes']['suggest'], {'suggestion': code})}\n")
    return 1


def _usage(as_json: bool, complaint: str = "") -> int:
    said = f"{USAGE}\n{complaint}".rstrip()
    if as_json:
        sys.stdout.write(_error({"code": "ARGON_USAGE", "message": said, "details": {}, "retryable": False}))
    else:
        sys.stderr.write(said + "\n")
    return 2


def _error(body: dict[str, object]) -> str:
    from uuid import uuid4

    return _json({"schemaVersion": "1.0", "error": body, "requestId": str(uuid4())})


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
