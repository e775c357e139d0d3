"""Frames: what is written is read, in whatever pieces the pipe hands it on."""

from __future__ import annotations

import os
import threading
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.session.frames import FrameReader, FrameWriter

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(st.dictionaries(st.text(), json_values, max_size=4), max_size=5))
def test_every_message_arrives_as_it_was(messages: list[dict[str, Any]]) -> None:
    reading, writing = os.pipe()
    out = FrameWriter(writing)

    def write() -> None:
        for message in messages:
            assert out.write(message)
        os.close(writing)

    thread = threading.Thread(target=write)
    thread.start()
    frames = FrameReader(reading)
    assert list(iter(frames.read, None)) == messages
    thread.join()
    os.close(reading)


def test_a_message_that_breaks_off_is_the_end() -> None:
    reading, writing = os.pipe()
    os.write(writing, b"\x00\x00\x00\x09{")
    os.close(writing)
    assert FrameReader(reading).read() is None
    os.close(reading)


def test_writing_to_nobody_is_reported() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    assert not FrameWriter(writing).write({"lost": True})
    os.close(writing)
