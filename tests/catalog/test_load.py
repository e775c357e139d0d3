"""Loading, near codes and locale overlays."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared_catalog import load, lookup

NAMES = {code: load.front(code).name for code in load.codes()}


def test_an_unknown_code_names_its_neighbours() -> None:
    with pytest.raises(load.UnknownCode) as caught:
        load.entry("OE1371")
    assert "OE1317" in caught.value.near


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("OE1303", "OE1303"),
        (" oe1303 ", "OE1303"),
        ("1303", "OE1303"),
        ("OW1303", "OE1303"),
        ("UnboundVariable", "OE1303"),
        ("unboundvariable", "OE1303"),
        ("CHECK_VIOLATION", "ARGON_RUNTIME_CHECK_VIOLATION"),
        ("dirty_workspace", "DIRTY_WORKSPACE"),
        ("OE9999", None),
        ("", None),
    ],
)
def test_a_code_is_found_by_what_a_reader_may_type(query: str, code: str | None) -> None:
    assert lookup.resolve(query, NAMES) == code


def test_near_codes_come_nearest_first_and_nothing_comes_for_nonsense() -> None:
    assert load.near("OE0011X")[0] == "OE0011"
    assert load.near("tax office") == ()


def test_a_distance_beyond_the_most_that_is_asked_for_is_only_known_to_be_beyond() -> None:
    words = ["", "a", "ab", "ba", "abc", "cab", "rent", "retn", "tenant", "tennant", "lease", "release"]
    for left in words:
        for right in words:
            exact = lookup.distance(left, right)
            for most in range(4):
                found = lookup.distance(left, right, most)
                assert found == exact if exact <= most else found > most


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.text("ab", max_size=6), st.text("ab", max_size=6), st.text("ab", max_size=6))
def test_the_distance_is_zero_for_equals_only_and_symmetric(a: str, b: str, c: str) -> None:
    assert (lookup.distance(a, b) == 0) == (a == b)
    assert lookup.distance(a, b) == lookup.distance(b, a)
    assert lookup.distance(c + a, c + b) <= lookup.distance(a, b)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.sampled_from(load.codes()), st.data())
def test_a_code_with_two_neighbours_swapped_is_one_step_away(code: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(code) - 2))
    swapped = code[:at] + code[at + 1] + code[at] + code[at + 2 :]
    assert lookup.distance(code, swapped) == (0 if swapped == code else 1)


def test_a_locale_replaces_the_fields_that_it_gives_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = '[OE0011]\ntitle = "未结束"\nwhat = "语句以分号结束。"\n[OE0002]\nfix = "补上括号。"\n'
    (tmp_path / "zh.toml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(load, "LOCALES", tmp_path)
    load.locale.cache_clear()
    english, foreign = load.entry("OE0011"), load.entry.__wrapped__("OE0011", "zh")
    assert (foreign.title, foreign.body.what) == ("未结束", "语句以分号结束。")
    assert (foreign.message, foreign.body.why) == (english.message, english.body.why)
    assert load.entry.__wrapped__("OE0002", "zh").body.fixes[0].prose == "补上括号。"
    load.locale.cache_clear()


def test_a_language_without_a_file_is_refused() -> None:
    with pytest.raises(load.UnknownLanguage):
        load.entry("OE0011", "tlh")


def test_the_whole_catalog_has_every_code_in_order() -> None:
    assert tuple(load.catalog()) == load.codes() == tuple(sorted(load.codes()))
