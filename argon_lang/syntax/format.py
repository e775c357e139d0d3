"""The canonical layout of a source text: idempotent, comments kept, meaning never changed.

Tokens stay as they are but for a `;` behind the closing brace of an item, which goes, and the comma before a closing
bracket, which a list on many lines has and a list on one line has not. Lists and bodies stand on one line if they
fit in 100 columns and the author did not begin them on a new line. Items with errors are left exactly as they are.
"""

from __future__ import annotations

from dataclasses import dataclass

from argon_lang.syntax import kinds as K
from argon_lang.syntax.document import Document, opens
from argon_lang.syntax.layout.build import Builder
from argon_lang.syntax.layout.docs import Comments
from argon_lang.syntax.layout.printer import STEP, Printer
from argon_lang.syntax.layout.rules import build
from argon_lang.syntax.layout.trivia import Trivia
from argon_lang.syntax.tree import Item


@dataclass(frozen=True, slots=True)
class Change:
    """Replace `[start, end)` of the document's text by `text`."""

    start: int
    end: int
    text: str


def format_document(document: Document) -> str:
    """The whole text in canonical layout. Never raises."""
    return "".join(format_items(document))


def format_text(text: str) -> str:
    """The canonical layout of a text. Never raises."""
    return format_document(Document.parse(text))


def format_changes(document: Document, start: int = 0, end: int | None = None) -> list[Change]:
    """One change per item that is not in canonical layout and touches `[start, end)` (by default all of them)."""
    stop = len(document.text) if end is None else end
    changes = []
    for item, begin, text in zip(document.items, document.starts, format_items(document), strict=True):
        finish = begin + len(item.text)
        if text != item.text and begin <= stop and finish >= start:
            changes.append(Change(begin, finish, text))
    return changes


def format_items(document: Document) -> list[str]:
    """The canonical layout of each item; concatenated they are the formatted text."""
    depth, fresh = 0, True
    made: list[str] = []
    ending = _line_ending(document.text)
    for place, item in enumerate(document.items):
        if item.kind == K.N_CLOSE_BRACE:
            depth = max(0, depth - 1)
            fresh = True
        broken = any(problem.code.startswith("OE") for problem in item.problems)
        if broken:
            text = item.text
        else:
            stray = place + 1 < len(document.items) and document.items[place + 1].kind == K.N_ERROR_ITEM
            text = format_item(item, depth, first=fresh, keep_semicolon=stray).replace("\n", ending)
        made.append(text)
        fresh = (fresh and not text) or opens(item)
        depth += opens(item)
    return _ended(made, ending)


def format_item(item: Item, depth: int = 0, *, first: bool = True, keep_semicolon: bool = False) -> str:
    """One item without errors, `depth` modules deep; `first`: nothing stands before it in its module.

    `keep_semicolon` leaves a `;` behind the closing brace, where tokens that belong to no item come next.
    """
    trivia = Trivia(item)
    printer = Printer(item, trivia, depth * STEP)
    if item.kind == K.N_END_OF_FILE:
        text = printer.print(Comments(0))
    else:
        text = printer.print(build(Builder(item, trivia, keep_semicolon=keep_semicolon)))
    return "\n" + text if trivia.blank[0] and not first and text else text


def _ended(made: list[str], ending: str) -> list[str]:
    """Every piece begins on a new line, and the last line ends."""
    last = max((place for place, text in enumerate(made) if text), default=-1)
    for place, text in enumerate(made[: last + 1]):
        if text and not text.endswith(("\n", "\r")):
            made[place] = text + ending
    return made


def _line_ending(text: str) -> str:
    """The first line end of the text; LF when it has none, or where a lone CR is a stray one."""
    place = next((i for i, character in enumerate(text) if character in "\r\n"), -1)
    if "\n" in text and text[place] == "\r" and text[place : place + 2] != "\r\n":
        return "\n"
    return "\n" if place < 0 or text[place] == "\n" else "\r\n" if text[place : place + 2] == "\r\n" else "\r"
