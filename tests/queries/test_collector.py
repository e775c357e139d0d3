"""The cyclic collector is out of the way of a large answer, and neither off nor blind afterwards."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from argon_lang.queries import collector
from argon_lang.queries.collector import collect_again, paused


class Knot:
    """An object that only the cyclic collector can free."""

    def __init__(self) -> None:
        self.own = self


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    collect_again()
    yield
    collect_again()
    gc.enable()


def test_the_collector_is_off_within_and_on_again_behind() -> None:
    with paused():
        assert not gc.isenabled()
        with paused():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    with paused():
        pass
    assert not gc.isenabled()


def test_what_a_large_answer_made_is_set_aside_and_collected_when_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collector, "LARGE", 1_000)
    with paused():
        kept = [[number] for number in range(2_000)]
        knot = Knot()
    gone = weakref.ref(knot)
    del knot
    gc.collect()
    assert gone() is not None
    collect_again()
    assert gone() is None
    assert len(kept) == 2_000


def test_nothing_is_set_aside_after_a_small_answer() -> None:
    before = gc.get_freeze_count()
    with paused():
        pass
    assert gc.get_freeze_count() == before
