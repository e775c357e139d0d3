"""Pages: together they are the answer, and a cursor of another answer is refused."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.errors import ArgonError
from argon_lang.runtime.envelopes import Answer, AnswerRow, AsOf, Column
from argon_lang.runtime.paging import Page, paged
from argon_lang.runtime.service import NOW, At

QUESTION = ["query", "people", {}]


def answer(count: int, at: At = NOW, *, generation: int = 1, module: str = "m") -> Answer:
    return Answer(
        columns=[Column(name="n", type="Int")],
        rows=[AnswerRow(values=[number]) for number in range(count)],
        row_count=count,
        module_hash=module,
        store_id="s",
        generation=generation,
        view="default",
        as_of=AsOf(valid=at.valid or "2026-01-31T00:00:00Z", tx=at.tx),
    )


def refusal(
    page: Page, at: At = NOW, *, count: int = 9, generation: int = 1, module: str = "m", name: str = "people"
) -> str:
    with pytest.raises(ArgonError) as caught:
        paged(["query", name, {}], at, page, lambda at: answer(count, at, generation=generation, module=module))
    return caught.value.code


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(0, 30), st.integers(1, 12))
def test_the_pages_are_the_whole_answer_in_order(count: int, size: int) -> None:
    values: list[object] = []
    cursor: str | None = None
    while True:
        found = paged(QUESTION, NOW, Page(size, cursor), lambda at: answer(count, at))
        assert found.row_count == count
        assert len(found.rows) <= size
        values += [row.values[0] for row in found.rows]
        cursor = found.next_cursor
        if cursor is None:
            break
    assert values == list(range(count))


def test_the_next_page_is_read_at_the_instant_of_the_first() -> None:
    instants: list[str | None] = []

    def ask(at: At) -> Answer:
        instants.append(at.valid)
        return answer(9, at)

    first = paged(QUESTION, NOW, Page(4), ask)
    paged(QUESTION, NOW, Page(4, first.next_cursor), ask)
    assert instants == [None, "2026-01-31T00:00:00Z"]


def test_a_cursor_is_bound_to_module_generation_and_question() -> None:
    cursor = paged(QUESTION, NOW, Page(4), lambda at: answer(9, at)).next_cursor
    page = Page(4, cursor)
    assert refusal(page, generation=2) == "ARGON_RUNTIME_INVALID_CURSOR"
    assert refusal(page, module="other") == "ARGON_RUNTIME_INVALID_CURSOR"
    assert refusal(page, name="others") == "ARGON_RUNTIME_INVALID_CURSOR"
    assert paged(QUESTION, NOW, page, lambda at: answer(9, at)).rows[0].values == [4]


def test_a_read_that_is_pinned_to_a_transaction_goes_on_after_a_write() -> None:
    pinned = At(tx=3)
    cursor = paged(QUESTION, pinned, Page(4), lambda at: answer(9, at)).next_cursor
    found = paged(QUESTION, pinned, Page(4, cursor), lambda at: answer(9, at, generation=7))
    assert [row.values[0] for row in found.rows] == [4, 5, 6, 7]


@pytest.mark.parametrize("cursor", ["", "!", "WzFd", "WzEsMiwzXQ", "WyJhIiwiYiIsImMiXQ", "é", "W3RydWUsIngiLCJ5Il0"])
def test_what_is_no_cursor_is_refused(cursor: str) -> None:
    assert refusal(Page(4, cursor)) == "ARGON_RUNTIME_INVALID_CURSOR"


def test_a_page_has_at_least_one_row() -> None:
    assert refusal(Page(0)) == "ARGON_RUNTIME_VALIDATION_FAILED"
