"""How long parsing takes: a whole file, and one keystroke at a random place, breaking ones included.

Run `python -m benchmarks.bench_syntax`. Processor time in milliseconds on the machine at hand; quote ratios.
The budgets of the architecture: full parse of 5,000 lines 60, keystroke p95 2 (5,000 lines) and 5 (50,000 lines).
"""

from __future__ import annotations

import gc
import random
import statistics
import time

from argon_lang.syntax.document import Document
from argon_lang.syntax.format import format_document
from benchmarks.generate_source import source

KEYSTROKES = ("x", " ", ".", ",", ";", "(", ")", "{", "}", '"', "\n", "/*", "// ", "not ", "=", "")


def milliseconds(since: float) -> float:
    """Processor time since `since` (`time.process_time`)."""
    return (time.process_time() - since) * 1e3


def full_parse(text: str, rounds: int = 9) -> float:
    """Median time of a whole parse."""
    times = []
    for _ in range(rounds):
        gc.collect()
        begin = time.process_time()
        Document.parse(text)
        times.append(milliseconds(begin))
    return statistics.median(times)


def keystrokes(text: str, count: int, seed: int = 5) -> list[float]:
    """Sorted times of single edits, each undone before the next; an empty one deletes a character."""
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
    return sorted(times)


def main() -> None:
    """Print the table."""
    small, large = source(5_000), source(50_000)
    print(f"full parse, {small.count(chr(10)):,} lines      {full_parse(small):8.2f} ms")
    print(f"full parse, {large.count(chr(10)):,} lines     {full_parse(large, 3):8.2f} ms")
    for name, text, count in (("5k", small, 400), ("50k", large, 200)):
        times = keystrokes(text, count)
        p50, p95 = times[len(times) // 2], times[int(len(times) * 0.95)]
        print(f"keystroke, {name:>4} lines       p50 {p50:6.2f}  p95 {p95:6.2f}  max {times[-1]:6.2f} ms")
    begin = time.process_time()
    format_document(Document.parse(small))
    print(f"format with parse, 5k lines   {milliseconds(begin):8.2f} ms")


if __name__ == "__main__":
    main()
