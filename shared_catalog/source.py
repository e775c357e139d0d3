"""Read `codes/<CODE>.md`: TOML front matter between `+++` lines, then five Markdown sections in a fixed order.

Snippets are fenced blocks whose info string is a language and options: `argon`, `argon file=firm.ar`,
`toml file=ox.toml`, `argon at=write`, `console`, `json`, `text`. When an entry has several fix classes, its Fix
section has one `###` heading per class, in the order of `fix_class`.
"""

from __future__ import annotations

import re
import tomllib

from shared_catalog.model import Body, Entry, FixExample, FrontMatter, Snippet

SECTIONS = ("What", "Why", "Example", "Fix", "See also")
DEFAULT_FILE = {"argon": "root.ar", "toml": "ox.toml"}

_FENCE = re.compile(r"^```(\S+)([^\n]*)\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^## (.+)$", re.MULTILINE)
_SUBHEADING = re.compile(r"^### (.+)$", re.MULTILINE)


class EntryError(ValueError):
    """An entry file is not in the form of this module; the message names the file's code."""


def split(text: str, code: str) -> tuple[str, str]:
    """Front matter and body of an entry file. Raises EntryError without the two `+++` lines."""
    parts = re.split(r"^\+\+\+[ \t]*\n", text, maxsplit=2, flags=re.MULTILINE)
    if len(parts) != 3 or parts[0].strip():
        raise EntryError(f"{code}: front matter must stand between two lines of +++ at the beginning")
    return parts[1], parts[2]


def front_matter(text: str, code: str) -> FrontMatter:
    """The validated front matter alone. Raises EntryError, TOMLDecodeError or pydantic's ValidationError."""
    front = FrontMatter.model_validate(tomllib.loads(split(text, code)[0]))
    if front.code != code:
        raise EntryError(f"{code}: the file declares {front.code}")
    return front


def entry(text: str, code: str) -> Entry:
    """The whole entry. Raises EntryError, TOMLDecodeError or pydantic's ValidationError."""
    front = front_matter(text, code)
    return Entry(**front.model_dump(), body=_body(split(text, code)[1], front))


def _body(text: str, front: FrontMatter) -> Body:
    parts = _HEADING.split(text)
    titles, bodies = parts[1::2], [part.strip("\n") for part in parts[2::2]]
    if parts[0].strip() or tuple(titles) != SECTIONS:
        raise EntryError(f"{front.code}: sections must be {', '.join(SECTIONS)}; found {', '.join(titles) or 'none'}")
    what, why, example, fix, see_also = bodies
    return Body(
        what=what,
        why=why,
        example_prose=_prose(example),
        example=_snippets(example, front.code),
        fixes=_fixes(fix, front),
        see_also=see_also,
    )


def _prose(section: str) -> str:
    return _FENCE.sub("", section).strip()


def _snippets(section: str, code: str) -> tuple[Snippet, ...]:
    return tuple(_snippet(lang, info, text, code) for lang, info, text in _FENCE.findall(section))


def _snippet(lang: str, info: str, text: str, code: str) -> Snippet:
    options = dict(word.partition("=")[::2] for word in info.split())
    file = options.pop("file", DEFAULT_FILE.get(lang, ""))
    moment = options.pop("at", "")
    if options or moment not in ("", "write"):
        raise EntryError(f"{code}: unknown option in fence `{lang}{info}`")
    return Snippet.model_validate({"lang": lang, "file": file, "text": text, "at_write": moment == "write"})


def _fixes(section: str, front: FrontMatter) -> tuple[FixExample, ...]:
    parts = _SUBHEADING.split(section)
    classes: list[str | None] = list(parts[1::2]) or [front.fix_class[0] if front.fix_class else None]
    blocks = zip(classes, parts[2::2] or parts, strict=True)
    found = tuple(
        FixExample.model_validate({"fix_class": cls, "snippets": _snippets(block, front.code), "prose": _prose(block)})
        for cls, block in blocks
    )
    if front.fix_class and tuple(fix.fix_class for fix in found) != front.fix_class:
        raise EntryError(f"{front.code}: the Fix section must show {', '.join(front.fix_class)}, one heading each")
    return found
