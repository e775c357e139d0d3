"""How fast this machine is, now: one fixed piece of pure Python, against the time that it took when all was quiet.

Budgets are milliseconds at the reference speed, so a measured time is divided by `slowness` before it is compared. The
piece of work does what a checker does: it walks small objects, fills dicts and sets, cuts and joins text, sorts. It
must never change, or the reference means nothing.

Run `python -m benchmarks.calibrate` on a quiet machine to take the reference anew.
"""

from __future__ import annotations

import time

REFERENCE_MS = 3.1
"""Processor time of `work`, in milliseconds: the median of many runs on a quiet machine (2 cores, CPython 3.11)."""

SAMPLES = 15


class Node:
    """A link of a chain, for the walks."""

    __slots__ = ("below", "name", "weight")

    def __init__(self, name: str, weight: int, below: Node | None) -> None:
        self.name = name
        self.weight = weight
        self.below = below


def work(size: int = 6_000) -> int:
    """The fixed piece of work; the number that comes out depends on `size` alone."""
    node: Node | None = None
    for number in range(size):
        node = Node(f"node{number % 97}", number * 7 % 1013, node)
    names: dict[str, list[int]] = {}
    pairs: set[tuple[str, int]] = set()
    while node is not None:
        names.setdefault(node.name, []).append(node.weight)
        pairs.add((node.name, node.weight % 31))
        node = node.below
    text = "::".join(name for name, _ in sorted(pairs))
    words = [word.upper() for word in text.split("::") if word.endswith(("1", "3", "7"))]
    ordered = sorted(names.items(), key=lambda entry: (len(entry[1]), entry[0]))
    return sum(weights[0] * place for place, (_, weights) in enumerate(ordered)) + len(words)


def sample() -> float:
    """Processor time of one run of `work`, in milliseconds."""
    begin = time.process_time()
    work()
    return (time.process_time() - begin) * 1e3


def slowness(samples: int = SAMPLES) -> float:
    """How many times slower than the reference the machine is now: the median of some runs."""
    return sorted(sample() for _ in range(samples))[samples // 2] / REFERENCE_MS


def main() -> None:
    """Print the least and the median time, and the reference that they are compared with."""
    times = sorted(sample() for _ in range(200))
    print(f"least {times[0]:.3f} ms, median {times[len(times) // 2]:.3f} ms, reference {REFERENCE_MS:.3f} ms")


if __name__ == "__main__":
    main()
