"""The place where something is being written, understood as if a name stood there.

What is half written seldom parses. So a made-up name is put in at the place, with the punctuation that is missing
behind it, and the tree and the types of that item are looked at. The database is not touched.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from argon_lang.program.infer import infer
from argon_lang.program.model import Inference
from argon_lang.queries.database import Database
from argon_lang.syntax import kinds as K
from argon_lang.syntax.document import Document
from argon_lang.syntax.tree import IncompleteTree, Item, View

_HERE = "argon_is_completing_here"
_NOTHING = Inference({}, {}, (), (), ())
_ENDINGS = ("", ";", " X;", "()", "();", ");", "}", ";}", ");}", ": Int }", " }")
"""What may be missing behind a half written name, the least first."""
_SILENT = frozenset((
    K.LINE_COMMENT, K.BLOCK_COMMENT, K.OUTER_DOC, K.INNER_DOC, K.STRING, K.DATE, K.DATETIME, K.INT, K.DECIMAL,
))  # fmt: skip
"""Tokens inside of which nothing is completed."""


@dataclass(frozen=True)
class Spot:
    """`[start, end)` of the file holds what is written already; `at` is where the made-up name begins in `tree`."""

    db: Database
    file: str
    start: int
    end: int
    prefix: str
    module: str
    tree: Item
    at: int

    @cached_property
    def node(self) -> View:
        """The smallest node that holds the made-up name."""
        return self.tree.node_at(self.at)

    def around(self) -> Iterator[View]:
        """That node and those that hold it, from the inside outward."""
        node: View | None = self.node
        while node is not None:
            yield node
            node = node.parent

    @cached_property
    def inference(self) -> Inference:
        """What is known of the item with the made-up name in it."""
        try:
            return infer(self.tree, self.db.scope(self.module), self.db.declarations)
        except IncompleteTree:
            return _NOTHING


def spot_at(db: Database, file: str, offset: int) -> Spot | None:
    """The place at an offset; None in comments and literals, and in files that no module reaches."""
    document = db.documents().get(file)
    if document is None or not 0 <= offset <= len(document.text) or _is_silent(document, offset):
        return None
    start = _word_start(document.text, offset)
    module = _module(db, file, start)
    found = _with_name(document, start, offset)
    if module is None or found is None:
        return None
    return Spot(db, file, start, offset, document.text[start:offset], module, *found)


def _word_start(text: str, offset: int) -> int:
    start = offset
    while start and ("a" + text[start - 1]).isidentifier():
        start -= 1
    return start


def _is_silent(document: Document, offset: int) -> bool:
    index = document.item_index(max(0, offset - 1))
    item, at = document.items[index], document.starts[index]
    for kind, text in zip(item.kinds, item.tokens, strict=True):
        end = at + len(text)
        if at < offset <= end and kind in _SILENT:
            # Behind the closing quote one is outside again, behind the last letter of a comment line still inside.
            return offset < end or kind not in (K.STRING, K.BLOCK_COMMENT, K.DATE, K.DATETIME)
        at = end
    return False


def _module(db: Database, file: str, offset: int) -> str | None:
    found = db.item_at(file, offset)
    known = db.module_of(found[0]) if found is not None else None
    if known is not None:
        return known
    return next((module for item in db.items(file) if (module := db.module_of(item)) is not None), None)


def _with_name(document: Document, start: int, end: int) -> tuple[Item, int] | None:
    """The item with the name put in, and where that begins; of several endings the one that parses best."""
    best: tuple[int, Item, int] | None = None
    for ending in _ENDINGS:
        written = document.edit(start, end, _HERE + ending)
        index = written.item_index(start)
        item = written.items[index]
        if best is None or len(item.problems) < best[0]:
            best = len(item.problems), item, start - written.starts[index]
        if not item.problems:
            break
    return best[1:] if best is not None else None
