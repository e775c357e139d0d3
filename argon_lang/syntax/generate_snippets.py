"""From the templates of the language to the snippets of VS Code."""

from __future__ import annotations

import json
import re

from argon_lang.syntax import templates

_PLACE = re.compile(r"\$(?:[1-9]|\{[1-9])")

_PLACES: tuple[tuple[str, dict[str, str]], ...] = (
    ("item", templates.ITEMS),
    ("statement", templates.STATEMENTS),
    ("assertion", templates.ASSERTIONS),
    ("value", templates.VALUES),
    ("aggregate", templates.AGGREGATES),
)


def snippets() -> str:
    """`snippets/argon.json`: one snippet for every template with a name or a value to fill in.

    Indentation is by tabs, which the editor turns into what the file uses. The names say the place, since `if` and
    `match` are statements as well as values.
    """
    found = {
        f"{word} ({place})": {"prefix": word, "body": _body(text), "description": f"Argon: {word}, {_article(place)}"}
        for place, table in _PLACES
        for word, text in table.items()
        if _PLACE.search(text) or "${0" in text
    }
    return json.dumps(found, indent=2, ensure_ascii=False) + "\n"


def _body(text: str) -> list[str]:
    return [re.sub(r"^(?: {4})+", lambda blanks: "\t" * (len(blanks[0]) // 4), line) for line in text.split("\n")]


def _article(place: str) -> str:
    return f"an {place}" if place[0] in "aeiou" else f"a {place}"
