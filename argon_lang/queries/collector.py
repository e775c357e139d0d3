"""Python's cyclic garbage collector, kept out of the way of one large answer.

A check makes hundreds of thousands of objects that live on and hardly a cycle among them; the collector, which counts
objects, would walk all of them again and again to find nothing (a third of a cold check).
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def paused() -> Iterator[None]:
    """A scope in which no cycles are collected; where the collector was off it stays off."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
