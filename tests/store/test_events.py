"""The body of an event: read quickly where it is a usual one, and always the same."""

from __future__ import annotations

from datetime import UTC
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.ir.codec import CodecError, to_cbor
from argon_lang.ir.values import Entity, TupleValue
from argon_lang.store import events
from argon_lang.store.events import body_of, change_of
from argon_lang.store.protocol import Change
from tests.ir.strategies import values

instants = st.none() | st.datetimes(timezones=st.just(UTC))
changes = st.builds(
    Change,
    st.sampled_from(["assert", "close", "refute"]),
    st.text(max_size=8),
    st.lists(values | st.builds(Entity, st.text(max_size=6)), max_size=4).map(tuple),
    instants,
    instants,
    st.text(max_size=4),
    st.text(max_size=4),
    st.text(max_size=4),
)


def slowly(body: bytes, monkeypatch: pytest.MonkeyPatch) -> Any:
    with monkeypatch.context() as patch:
        patch.setattr(events, "_usual", lambda plain: None)
        return change_of(body)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(changes)
def test_what_was_written_is_read_back_by_either_way(change: Change) -> None:
    body = body_of(change)
    with pytest.MonkeyPatch.context() as patch:
        assert change_of(body) == change == slowly(body, patch)
    assert body_of(change_of(body)) == body


def test_a_row_of_individuals_and_scalars_takes_the_quick_way_and_another_does_not() -> None:
    plain = ["assert", "k", [[13, "x"]], None, None, "default", "", "main"]
    plain[2] = events.from_cbor(body_of(Change("assert", "k", (Entity("x"), 1, "t", None))))[2]
    assert events._usual(plain) == Change("assert", "k", (Entity("x"), 1, "t", None), principal="")
    deep = events.from_cbor(body_of(Change("assert", "k", (TupleValue("r", (1,)),))))
    assert events._usual(deep) is None


@pytest.mark.parametrize(
    "plain",
    [
        [],
        ["assert", "k", [], None, None, "default", ""],
        ["assert", "k", [], None, None, "default", "", 3],
        ["assert", "k", [], "now", None, "default", "", "main"],
        ["assert", "k", [[2, 7]], None, None, "default", "", "main"],
        ["assert", "k", [[2, "x"]], None, None, "default", "", "main"],
        ["assert", "k", [[]], None, None, "default", "", "main"],
        ["assert", "k", [[10**9]], None, None, "default", "", "main"],
        ["assert", "k", [], 10**30, None, "default", "", "main"],
        ["forget", "k", [], None, None, "default", "", "main"],
    ],
)
def test_what_is_no_body_is_refused_by_either_way(plain: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    body = to_cbor(plain)
    with pytest.raises(CodecError):
        change_of(body)
    with pytest.raises(CodecError):
        slowly(body, monkeypatch)
