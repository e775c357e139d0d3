"""Write what is generated from the catalog, or with `--check` tell what is out of date (exit 1).

`python -m shared_catalog.generate` writes `shared_catalog/index.json` (for `fast.py`), the JSON Schema
`shared_catalog/explain.schema.json` and the pages `docs/codes.md` and `docs/fixes.md`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from shared_catalog import load, page, wire
from shared_catalog.model import Category, Entry

HEAD = """\
# Diagnostic codes

Generated from `shared_catalog/codes/` by `python -m shared_catalog.generate`; edit the entries, not this page.
`argon explain CODE` shows the same in the terminal. A *reserved* code is not emitted yet; its entry says why.
"""

FIXES_HEAD = """\
# Fixes

Generated from `shared_catalog/codes/` by `python -m shared_catalog.generate`; edit the entries, not this page.
What an editor offers for each code, and `argon check --fix` makes where nothing has to be asked; or why a program
cannot know what to change.
"""

TITLES: dict[Category, str] = {
    "syntax": "Lexical and syntax",
    "names": "Names",
    "types": "Types and membership",
    "strata": "Strata and defeat",
    "constructs": "Vocabularies, constructs, traits",
    "attributes": "Attributes, purity, tiers",
    "packages": "Packages and artifacts",
    "evaluability": "Evaluability of rules",
    "runtime": "Run-time codes",
}


def files() -> dict[Path, str]:
    """Every generated file and the text that it must have."""
    entries = load.catalog()
    return {
        load.ROOT / "index.json": _index(entries),
        load.ROOT / "explain.schema.json": _pretty(wire.schema()),
        load.ROOT.parent / "docs" / "codes.md": _reference(entries),
        load.ROOT.parent / "docs" / "fixes.md": _fixes(entries),
    }


def stale() -> list[Path]:
    """Generated files that are missing or out of date."""
    return [path for path, text in files().items() if not path.exists() or path.read_text(encoding="utf-8") != text]


def main(argv: Sequence[str] | None = None) -> int:
    """Write the files, or check them; the exit code."""
    parser = argparse.ArgumentParser(prog="shared_catalog.generate", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when a file is out of date")
    check = parser.parse_args(argv).check
    outdated = stale()
    for path in outdated:
        name = path.relative_to(load.ROOT.parent).as_posix()
        print(f"{name} is out of date: run python -m shared_catalog.generate" if check else f"wrote {name}")
        if not check:
            path.parent.mkdir(exist_ok=True)
            path.write_text(files()[path], encoding="utf-8")
    return 1 if check and outdated else 0


def _index(entries: Mapping[str, Entry]) -> str:
    """One line per entry, so that a change of one entry changes one line."""
    rows = ",\n".join(f"{json.dumps(code)}: {_line(wire.plain(entry))}" for code, entry in entries.items())
    locales = ",\n".join(f"{json.dumps(lang)}: {_line(_locale(lang))}" for lang in load.languages() if lang != "en")
    return f'{{"schemaVersion": "{wire.SCHEMA_VERSION}",\n"entries": {{\n{rows}\n}},\n"locales": {{{locales}}}}}\n'


def _locale(lang: str) -> dict[str, dict[str, object]]:
    """Per code, the fields of its JSON object that differ from English."""
    changed = {}
    for code in load.codes():
        english, foreign = wire.plain(load.entry(code)), wire.plain(load.entry(code, lang), lang)
        changed[code] = {key: value for key, value in foreign.items() if value != english[key]}
    return {code: fields for code, fields in changed.items() if fields}


def _reference(entries: Mapping[str, Entry]) -> str:
    parts = [HEAD]
    for category, title in TITLES.items():
        rows = [entry for entry in entries.values() if entry.category == category]
        parts += [f"\n## {title}\n", "| code | name | what it says |\n|---|---|---|", *map(_row, rows)]
    for entry in entries.values():
        parts.append("\n" + page.as_markdown(wire.plain(entry), level=2).rstrip("\n"))
    return "\n".join(parts) + "\n"


def _fixes(entries: Mapping[str, Entry]) -> str:
    live = [each for each in entries.values() if each.status == "live" and each.category != "runtime"]
    rows = (f"| {each.code} | {_cell(each.title)} | {_offered(each)} |" for each in live)
    return (
        "\n".join((FIXES_HEAD, "| code | what is wrong | the fix, or why there is none |\n|---|---|---|", *rows)) + "\n"
    )


def _offered(entry: Entry) -> str:
    return "; ".join(map(_cell, entry.fixes.values())) or f"*none: {_cell(entry.no_fix or '')}*"


def _cell(text: str) -> str:
    return text.replace("|", chr(92) + "|")


def _row(entry: Entry) -> str:
    mark = "" if entry.status == "live" else f" *({entry.status})*"
    anchor = f"{entry.code} {entry.name}".lower().replace(" ", "-")
    return f"| [{entry.code}](#{anchor}) | {entry.name} | {_cell(entry.title)}{mark} |"


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _pretty(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


if __name__ == "__main__":
    sys.exit(main())
