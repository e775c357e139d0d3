"""How long parsing takes: a whole file, and one keystroke at a random place, breaking ones included.

Processor time; a keystroke is undone before the next.
"""

from __future__ import annotations

import gc
import random
import time

from argon_lang.syntax.document import Document
from argon_lang.syntax.format import format_document
from benchmarks.generate_source import source
from benchmarks.table import Budget, Samples

PARSE = "full parse, 5,000 lines"
PARSE_LARGE = "full parse, 50,000 lines"
KEY_SMALL = "keystroke re-parse, 5,000 lines"
KEY_LARGE = "keystroke re-parse, 50,000 lines"
FORMAT = "format with parse, 5,000 lines"
BUDGETS = (
    Budget(PARSE, p50=60),
    Budget(PARSE_LARGE),
    Budget(KEY_SMALL, p95=2),
    Budget(KEY_LARGE, p95=5),
    Budget(FORMAT),
)

KEYSTROKES = ("x", " ", ".", ",", ";", "(", ")", "{", "}", '"', "\n", "/*", "// ", "not ", "=", "")


def milliseconds(since: float) -> float:
    """Processor time since `since` (`time.process_time`)."""
    return (time.process_time() - since) * 1e3


def full_parse(text: str, rounds: int) -> list[float]:
    """Times of whole parses."""
    times = []
    for _ in range(rounds):
        gc.collect()
        begin = time.process_time()
        Document.parse(text)
        times.append(milliseconds(begin))
    return times


def keystrokes(text: str, count: int, seed: int = 5) -> list[float]:
    """Times of single edits, each undone before the next; an empty one deletes a character."""
    chooser, document, times = random.Random(seed), Document.parse(text), []
    for _ in range(count):
        place = chooser.randrange(len(text) - 1)
        new = chooser.choice(KEYSTROKES)
        gone = text[place : place + (not new)]
        begin = time.process_time()
        edited = document.edit(place, place + len(gone), new)
        times.append(milliseconds(begin))
        document = edited.edit(place, place + len(new), gone)
    assert document.text == text
    return times


def measure(quick: bool) -> Samples:
    """Samples of every line; `quick` takes short texts and few rounds."""
    small, large = (source(600), source(1_200)) if quick else (source(5_000), source(50_000))
    yield PARSE, full_parse(small, 1 if quick else 9)
    yield PARSE_LARGE, full_parse(large, 1 if quick else 3)
    yield KEY_SMALL, keystrokes(small, 20 if quick else 400)
    yield KEY_LARGE, keystrokes(large, 10 if quick else 200)
    yield FORMAT, [formatting(small) for _ in range(1 if quick else 3)]


def formatting(text: str) -> float:
    """Time of a whole format, the parse included."""
    begin = time.process_time()
    format_document(Document.parse(text))
    return milliseconds(begin)
