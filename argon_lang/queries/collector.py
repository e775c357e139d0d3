"""Python's cyclic garbage collector, kept out of the way of one large answer and of what it leaves behind.

A check makes hundreds of thousands of objects that live on and hardly a cycle among them; the collector, which counts
objects, would walk all of them again and again to find nothing (a third of a cold check). What a large answer has made
is then set aside (`gc.freeze`), or the first collection after it would walk all of it once more.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

LARGE = 200_000
"""Objects that an answer leaves behind, from which on they are set aside."""

_aside: list[bool] = []
"""Not empty while something is set aside. One for the process, as the collector is."""


@contextmanager
def paused() -> Iterator[None]:
    """A scope in which no cycles are collected; where the collector was off it stays off."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            if gc.get_count()[0] > LARGE:
                gc.freeze()
                _aside[:] = [True]
            gc.enable()


def collect_again() -> None:
    """Collect what was set aside, too, if anything was: the program that it belonged to may be gone."""
    if _aside:
        _aside.clear()
        gc.unfreeze()
        gc.collect()
