"""The places of keys and values agree with what tomllib reads there."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.workspace.toml_places import KeyPath, toml_places


def values_of(data: Any, path: KeyPath = ()) -> dict[KeyPath, Any]:
    """Every entry of parsed TOML with its path."""
    found: dict[KeyPath, Any] = {path: data} if path else {}
    entries = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in entries:
        found |= values_of(value, (*path, key))
    return found


def key_text(text: str, path: KeyPath) -> str:
    start, end = toml_places(text)[path].key
    return text[start:end]


def value_text(text: str, path: KeyPath) -> str:
    start, end = toml_places(text)[path].value
    return text[start:end]


MANIFEST = '''# a comment with = and [brackets]
top = 1
[package]   # trailing
name = "lease" # "quoted" comment
prelude = [
  "std::core::{type, rel}",  # one
  'a',
]
description = """
two = "lines"
"""
"quoted key" = 'x'
[ dependencies . "ufo" ]
path = "../ufo"
[a.b]
c.d = { e = [1, 2], f = { g = "}" } }
[[many]]
x = 1979-05-27T07:32:00Z
[[many]]
x = 2
[many.inner]
y = true
'''


@pytest.mark.parametrize(
    ("path", "key", "value"),
    [
        (("top",), "top", "1"),
        (("package",), "package", "package"),
        (("package", "name"), "name", '"lease"'),
        (("package", "prelude", 1), "'a'", "'a'"),
        (("package", "description"), "description", '"""\ntwo = "lines"\n"""'),
        (("package", "quoted key"), '"quoted key"', "'x'"),
        (("dependencies", "ufo"), 'dependencies . "ufo"', 'dependencies . "ufo"'),
        (("dependencies", "ufo", "path"), "path", '"../ufo"'),
        (("a", "b", "c", "d", "e", 1), "2", "2"),
        (("a", "b", "c", "d", "f", "g"), "g", '"}"'),
        (("many", 0, "x"), "x", "1979-05-27T07:32:00Z"),
        (("many", 1, "x"), "x", "2"),
        (("many", 1, "inner", "y"), "y", "true"),
    ],
)
def test_each_key_and_value_is_found_where_it_is_written(path: KeyPath, key: str, value: str) -> None:
    assert (key_text(MANIFEST, path), value_text(MANIFEST, path)) == (key, value)


@pytest.mark.parametrize(
    "text",
    [
        "a = '''x''''\nb = 1",
        'a = """x\\""""\nb = 1',
        'a = """x"""""\nb = 1',
        "a = ''''x'''''\nb = 1",
        'a = ""\nb = 1',
        "a = ''\r\nb = 1\r\n",
        'a = "\\"#"#\nb = 1',
    ],
)
def test_a_string_ends_where_tomllib_ends_it(text: str) -> None:
    assert tomllib.loads(text)["b"] == 1
    assert value_text(text, ("b",)) == "1"
    assert tomllib.loads(f"v = {value_text(text, ('a',))}")["v"] == tomllib.loads(text)["a"]


WORDS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=6)
SCALARS = st.one_of(st.integers(-9, 9), st.booleans(), WORDS)
INLINE = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3), max_leaves=6
)


def written(value: object) -> str:
    """One value as TOML."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{written(key)} = {written(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(written, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.dictionaries(WORDS, st.dictionaries(WORDS, INLINE, max_size=3), max_size=3))
def test_every_value_that_tomllib_reads_has_a_place_whose_text_is_that_value(document: dict[str, Any]) -> None:
    text = ""
    for table, entries in document.items():
        text += f"[{written(table)}] # note\n"
        text += "".join(f"{written(key)} = {written(value)} # [x]\n" for key, value in entries.items())
    places = toml_places(text)
    values = values_of(tomllib.loads(text))
    assert set(places) == set(values)
    for path, value in values.items():
        start, end = places[path].value
        if len(path) > 1:
            assert tomllib.loads(f"v = {text[start:end]}")["v"] == value


PIECES = [
    "a",
    "b",
    ".",
    '"',
    "'",
    "[a]",
    "[[a.b]]",
    "[b.a]",
    "=",
    "a=1",
    "\n",
    "{",
    "}",
    "[",
    "]",
    ",",
    "#",
    " ",
    "1",
    "b.a=[1]",
]


@settings(max_examples=1500, deadline=None, derandomize=True)
@given(st.text("ab=\"'[]{}.,#\n 1", max_size=24))
def test_no_text_that_tomllib_accepts_upsets_the_scanner(text: str) -> None:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    assert set(values_of(data)) <= set(toml_places(text))
