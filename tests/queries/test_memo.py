"""The red-green memory: what is computed again, and what is not."""

from __future__ import annotations

import random
import threading
from typing import Any

import pytest

from argon_lang.queries.memo import Cancelled, Memory


class Sheet:
    """A little program: numbers in cells, their signs, and sums over them."""

    def __init__(self, size: int) -> None:
        self.memory: Memory[Sheet] = Memory(self, (highest, positive))
        self.size = size
        for index in range(size):
            self.put(index, 0)

    def put(self, index: int, value: int) -> None:
        with self.memory.changing():
            self.memory.set(index, value)


def cell(sheet: Sheet, index: int) -> int:
    value: int = sheet.memory.input(index)
    return value


def sign(sheet: Sheet, index: int) -> int:
    value = sheet.memory.get(cell, index)
    return (value > 0) - (value < 0)


def signs(sheet: Sheet, start: int) -> int:
    return sum(sheet.memory.get(sign, index) for index in range(start, sheet.size))


def first_or_second(sheet: Sheet, _: int) -> int:
    return sheet.memory.get(cell, 0) or sheet.memory.get(cell, 1)


def highest(sheet: Sheet, _: None) -> int:
    """A wall."""
    return max(sheet.memory.get(sign, index) for index in range(sheet.size))


def positive(sheet: Sheet, _: None) -> frozenset[int]:
    """A wall behind it: the cells above zero, all of them while none is below."""
    if sheet.memory.get(highest, None) <= 0:
        return frozenset()
    return frozenset(index for index in range(sheet.size) if sheet.memory.get(sign, index) > 0)


def negative(sheet: Sheet, _: None) -> frozenset[int]:
    """A set that is no wall."""
    return frozenset(index for index in range(sheet.size) if sheet.memory.get(sign, index) < 0)


def verdict(sheet: Sheet, index: int) -> tuple[int, bool, int]:
    """What rests on walls and on a cell."""
    value = sheet.memory.get(cell, index)
    return sheet.memory.get(highest, None), sheet.memory.contains(positive, index), value


def is_positive(sheet: Sheet, index: int) -> bool:
    """What rests on one membership alone."""
    return sheet.memory.contains(positive, index)


def verdicts(sheet: Sheet, start: int) -> tuple[tuple[int, bool, int], ...]:
    return tuple(sheet.memory.get(verdict, index) for index in range(start, sheet.size))


def looped(sheet: Sheet, key: int) -> int:
    return sheet.memory.get(looped, key)


def test_asking_twice_computes_once() -> None:
    sheet = Sheet(3)
    assert sheet.memory.get(signs, 0) == 0
    assert sheet.memory.get(signs, 0) == 0
    assert sheet.memory.computed == {"signs": 1, "sign": 3, "cell": 3}


def test_a_change_computes_only_what_rests_on_it() -> None:
    sheet = Sheet(5)
    sheet.memory.get(signs, 0)
    sheet.memory.computed.clear()
    sheet.put(2, 7)
    assert sheet.memory.get(signs, 0) == 1
    assert sheet.memory.computed == {"cell": 1, "sign": 1, "signs": 1}


def test_an_equal_intermediate_value_cuts_the_work_off() -> None:
    sheet = Sheet(5)
    sheet.put(2, 7)
    sheet.memory.get(signs, 0)
    sheet.memory.computed.clear()
    sheet.put(2, 8)
    assert sheet.memory.get(signs, 0) == 1
    assert sheet.memory.computed == {"cell": 1, "sign": 1}


def test_an_input_set_to_an_equal_value_changes_nothing() -> None:
    sheet = Sheet(5)
    sheet.memory.get(signs, 0)
    sheet.memory.computed.clear()
    sheet.put(2, 0)
    sheet.memory.get(signs, 0)
    assert sheet.memory.computed == {}


def test_a_branch_that_was_not_taken_is_no_dependency() -> None:
    sheet = Sheet(2)
    sheet.put(0, 1)
    assert sheet.memory.get(first_or_second, 0) == 1
    sheet.memory.computed.clear()
    sheet.put(1, 5)
    assert sheet.memory.get(first_or_second, 0) == 1
    assert "first_or_second" not in sheet.memory.computed
    sheet.put(0, 0)
    assert sheet.memory.get(first_or_second, 0) == 5


def test_random_changes_give_what_computing_from_nothing_gives() -> None:
    chance = random.Random(7)
    sheet = Sheet(6)
    for _ in range(300):
        sheet.put(chance.randrange(6), chance.randrange(-1, 2))
        fresh = Sheet(6)
        for index in range(6):
            fresh.put(index, sheet.memory.input(index))
        start = chance.randrange(6)
        assert sheet.memory.get(signs, start) == fresh.memory.get(signs, start)
        assert sheet.memory.get(first_or_second, 0) == fresh.memory.get(first_or_second, 0)


def test_walls_change_no_answer() -> None:
    chance = random.Random(11)
    sheet = Sheet(5)
    for step in range(400):
        sheet.put(chance.randrange(5), chance.randrange(-1, 3))
        fresh = Sheet(5)
        for index in range(5):
            fresh.put(index, sheet.memory.input(index))
        start = chance.randrange(5)
        asked: Any = chance.choice((verdicts, signs, verdict))
        assert sheet.memory.get(asked, start) == fresh.memory.get(asked, start)
        assert sheet.memory.contains(positive, start) == fresh.memory.contains(positive, start)
        if step % 50 == 49:
            sheet.memory.sweep()


def test_what_rests_on_a_wall_that_stays_is_not_looked_at() -> None:
    sheet = Sheet(50)
    sheet.put(0, 1)
    sheet.memory.get(verdicts, 0)
    sheet.memory.computed.clear()
    sheet.put(0, 2)
    sheet.memory.get(verdicts, 0)
    assert sheet.memory.computed == {"cell": 1, "sign": 1, "verdict": 1, "verdicts": 1}


def test_of_those_that_ask_for_members_of_a_set_only_the_moved_ones_are_asked_again() -> None:
    sheet = Sheet(50)
    sheet.put(0, 1)
    sheet.memory.get(verdicts, 0)
    sheet.memory.computed.clear()
    sheet.put(7, 5)
    assert sheet.memory.get(verdicts, 0)[7] == (1, True, 5)
    assert sheet.memory.computed["verdict"] == 1
    assert sheet.memory.computed["positive"] == 1


def test_a_sweep_leaves_members_of_a_set_to_those_that_ask_for_them() -> None:
    sheet = Sheet(3)
    sheet.put(0, 1)
    assert not sheet.memory.get(is_positive, 1)
    with sheet.memory.changing():
        pass
    assert not sheet.memory.get(is_positive, 1)
    sheet.memory.sweep()
    sheet.put(1, 1)
    assert sheet.memory.get(is_positive, 1)


def test_a_membership_of_what_is_no_wall_is_refused() -> None:
    with pytest.raises(RuntimeError, match="negative is no wall"):
        Sheet(1).memory.contains(negative, 0)


def test_a_query_that_rests_on_itself_is_told_so() -> None:
    with pytest.raises(RuntimeError, match="looped"):
        Sheet(1).memory.get(looped, 0)


def test_an_announced_change_cancels_and_the_next_question_sees_it() -> None:
    sheet = Sheet(3)
    announced = threading.Event()

    def change() -> None:
        sheet.memory.announce()
        announced.set()
        with sheet.memory.changing(announced=True):
            sheet.memory.set(1, 9)

    def disturbed(owner: Sheet, _: int) -> int:
        if not announced.is_set():
            thread.start()
            announced.wait(10)
        return owner.memory.get(signs, 0)

    thread = threading.Thread(target=change)
    with sheet.memory.lock, pytest.raises(Cancelled):
        sheet.memory.get(disturbed, 0)
    thread.join(10)
    assert sheet.memory.get(disturbed, 0) == 1


def test_sweeping_forgets_what_is_no_longer_asked_and_keeps_the_rest() -> None:
    sheet = Sheet(3)
    sheet.memory.get(signs, 0)
    sheet.memory.get(signs, 2)
    sheet.put(0, 1)
    sheet.memory.get(signs, 0)
    assert sheet.memory.sweep() == 1
    sheet.memory.computed.clear()
    assert sheet.memory.get(signs, 0) == 1
    assert sheet.memory.computed == {}
    assert sheet.memory.get(signs, 2) == 0
