"""What an editor can fold away: braces, runs of comment lines, runs of `use`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from argon_lang.problems import Location
from argon_lang.queries.database import Database
from argon_lang.syntax import kinds as K
from argon_lang.syntax.document import Document

_OPENING = frozenset((K.LBRACE, K.LPAREN, K.LBRACKET, K.HASH_BRACKET, K.HASH_BANG_BRACKET))
_CLOSING = frozenset((K.RBRACE, K.RPAREN, K.RBRACKET))
_COMMENTS = frozenset((K.LINE_COMMENT, K.BLOCK_COMMENT, K.OUTER_DOC, K.INNER_DOC))


@dataclass(frozen=True, slots=True)
class Fold:
    """A span that covers several lines, from the first thing that stays visible to the last."""

    location: Location
    kind: Literal["region", "comment", "imports"]


@dataclass(frozen=True, slots=True)
class _Token:
    kind: int
    text: str
    start: int


def folds(db: Database, file: str) -> tuple[Fold, ...]:
    """The folds of a file in the order of the text; none of them within one line. Works in broken files, too."""
    document = db.documents().get(file)
    if document is None:
        return ()
    tokens = list(_tokens(document))
    found = [*_brackets(tokens), *_comments(tokens), *_imports(document)]
    listed = [Fold(Location(file, start, end), kind) for start, end, kind in found if "\n" in document.text[start:end]]
    return tuple(sorted(listed, key=lambda each: (each.location.start, -each.location.end)))


_Span = tuple[int, int, Literal["region", "comment", "imports"]]


def _tokens(document: Document) -> Iterator[_Token]:
    at = 0
    for item in document.items:
        for kind, text in zip(item.kinds, item.tokens, strict=True):
            yield _Token(kind, text, at)
            at += len(text)


def _brackets(tokens: list[_Token]) -> Iterator[_Span]:
    opened: list[int] = []
    for each in tokens:
        if each.kind in _OPENING:
            opened.append(each.start)
        elif each.kind in _CLOSING and opened:
            yield opened.pop(), each.start + len(each.text), "region"


def _comments(tokens: list[_Token]) -> Iterator[_Span]:
    """Runs of comments with nothing but single line breaks and indentation between them."""
    run: list[_Token] = []
    breaks = 0
    for each in tokens:
        if each.kind == K.NEWLINE:
            breaks += 1
        elif each.kind in _COMMENTS:
            if breaks > 1:
                yield from _run(run)
                run = []
            run.append(each)
            breaks = 0
        elif each.kind != K.WHITESPACE:
            yield from _run(run)
            run = []
    yield from _run(run)


def _run(run: list[_Token]) -> Iterator[_Span]:
    if run:
        yield run[0].start, run[-1].start + len(run[-1].text), "comment"


def _imports(document: Document) -> Iterator[_Span]:
    numbered = enumerate(document.items)
    for is_import, group in groupby(numbered, key=lambda each: each[1].kind == K.N_USE_DECL):
        listed = list(group)
        if is_import and len(listed) > 1:
            (first, item), (last, other) = listed[0], listed[-1]
            yield document.starts[first] + item.root.start, document.starts[last] + other.root.end, "imports"
