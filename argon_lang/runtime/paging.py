"""Pages of a long answer (semantics S11.2): a cursor is bound to everything that the answer rests on.

The first page is read at its own instant, which the cursor carries; the next page is the same read, continued. When
module, store state, question or arguments are others, the cursor is refused. A read that is pinned to a transaction is
not disturbed by later writes.
"""

from __future__ import annotations

import hashlib
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from argon_lang.errors import ArgonError
from argon_lang.problems import Note, args
from argon_lang.runtime.arguments import invalid
from argon_lang.runtime.envelopes import Answer, Json
from argon_lang.runtime.service import At
from argon_lang.runtime.wires import DerivedModel

Paged = TypeVar("Paged", Answer, DerivedModel)


@dataclass(frozen=True, slots=True)
class Page:
    """`size` rows, from the start or where `cursor` left off."""

    size: int
    cursor: str | None = None


@dataclass(frozen=True, slots=True)
class _Cursor:
    offset: int
    valid: str
    bound_to: str


def paged(question: Json, at: At, page: Page, ask: Callable[[At], Paged], field: str = "rows") -> Paged:
    """One page of what `ask` answers, of the list `field` of it; the count stays that of all.

    `question` is the question with its arguments, as JSON. Raises `ARGON_RUNTIME_INVALID_CURSOR`,
    `ARGON_RUNTIME_VALIDATION_FAILED` for a size below 1, and what `ask` raises.
    """
    if page.size < 1:
        raise invalid("size", "a number of rows, 1 or more", str(page.size))
    cursor = _read(page.cursor) if page.cursor is not None else None
    answer = ask(at if cursor is None else replace(at, valid=at.valid or cursor.valid))
    bound_to = _bound_to(question, answer)
    if cursor is not None and cursor.bound_to != bound_to:
        raise _invalid_cursor("another module, store state or question")
    start = cursor.offset if cursor is not None else 0
    end = start + page.size
    parts = getattr(answer, field)
    more = end < len(parts)
    following = _written(_Cursor(end, answer.as_of.valid, bound_to)) if more else None
    return answer.model_copy(update={field: parts[start:end], "next_cursor": following})


def _bound_to(question: Json, answer: Answer | DerivedModel) -> str:
    pinned = answer.as_of.tx is not None
    state = answer.as_of.tx if pinned else answer.generation
    parts = [answer.module_hash, answer.store_id, pinned, state, answer.view, answer.as_of.valid, question]
    canonical = json.dumps(parts, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _written(cursor: _Cursor) -> str:
    text = json.dumps([cursor.offset, cursor.valid, cursor.bound_to], separators=(",", ":"))
    return urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _read(text: str) -> _Cursor:
    try:
        offset, valid, bound_to = json.loads(urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (ValueError, TypeError):
        raise _invalid_cursor("no answer of this server") from None
    if not (isinstance(offset, int) and offset >= 0 and isinstance(valid, str) and isinstance(bound_to, str)):
        raise _invalid_cursor("no answer of this server")
    return _Cursor(offset, valid, bound_to)


def _invalid_cursor(found: str) -> ArgonError:
    return ArgonError("ARGON_RUNTIME_INVALID_CURSOR", args(found=found), notes=(Note("restart"),))
