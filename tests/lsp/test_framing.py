"""The base protocol's frames, whatever the bytes are."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lsp.framing import MOST_LINE, Frames, Garbage, frame

SETTINGS = settings(max_examples=120, deadline=None, derandomize=True)


def cut(data: bytes, size: int = 1 << 16) -> list[bytes | str]:
    frames = Frames()
    pieces = [data[start : start + size] for start in range(0, len(data), size)]
    found = [message for piece in pieces for message in frames.feed(piece)]
    return ["garbage" if isinstance(each, Garbage) else each for each in found]


@given(st.lists(st.binary(max_size=40), max_size=6), st.integers(1, 9))
@SETTINGS
def test_messages_come_out_whole_however_the_stream_is_cut(bodies: list[bytes], size: int) -> None:
    assert cut(b"".join(map(frame, bodies)), size) == bodies


def test_header_names_have_any_case_and_other_headers_are_passed_over() -> None:
    assert cut(b"content-LENGTH:2\r\nContent-Type: x; charset=utf-8\r\n\r\n{}") == [b"{}"]


def test_lines_may_end_in_a_line_feed_alone() -> None:
    assert cut(b"Content-Length: 2\n\n{}") == [b"{}"]


def test_garbage_before_a_message_is_reported_once_and_the_message_comes_out() -> None:
    assert cut(b"hello\r\nthere\r\n\r\n" + frame(b"{}")) == ["garbage", b"{}"]


def test_a_header_behind_garbage_on_its_line_is_found() -> None:
    assert cut(b"\xff\xfe Content-Length: 2\r\n\r\n{}") == ["garbage", b"{}"]


def test_a_length_that_is_no_number_or_too_great_is_garbage() -> None:
    for length in (b"many", b"-1", b"1e3", b"99999999999999"):
        assert cut(b"Content-Length: " + length + b"\r\n\r\n" + frame(b"[]")) == ["garbage", b"[]"]


def test_a_line_without_end_does_not_grow_for_ever() -> None:
    frames = Frames()
    for _ in range(4):
        assert list(frames.feed(b"x" * MOST_LINE)) == []
    assert len(frames._buffer) <= MOST_LINE


@given(st.binary(max_size=200))
@SETTINGS
def test_any_bytes_are_taken_in(data: bytes) -> None:
    cut(data + b"\n")
