"""ox.toml: what counts, and each mistake at its place."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.problems import Problem
from argon_lang.workspace.manifest import NAMELESS, ManifestReading, is_package_name, package_info, read_manifest

WHOLE = """\
[package]
name = "lease"
version = "0.1.0"
entry = "src/root.ar"
prelude = ["std::core::{type, rel}"]
default_world = "open"
max_tier = "recursive"
description = "Leases"
license = "MIT"

[store]
kind = "memory"

[limits]
timeoutMs = 500
maxRows = 10

[lint]
OW0105 = "off"
OW1305 = "error"
"""


def read(text: str) -> ManifestReading:
    return read_manifest(text.encode())


def shown(text: str) -> list[tuple[str, str]]:
    """Each problem as its code and the text under it."""
    reading = read(text)
    return [(problem.code, reading.text[problem.start : problem.end]) for problem in reading.problems]


def only(text: str) -> Problem:
    (problem,) = read(text).problems
    return problem


def repaired(text: str) -> str:
    """The text after the first fix of its only problem."""
    for edit in sorted(only(text).fixes[0].edits, key=lambda edit: -edit.start):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def test_a_whole_manifest_is_read_without_a_problem() -> None:
    reading = read(WHOLE)
    assert reading.problems == ()
    package = reading.manifest.package
    assert (package.name, package.version, package.entry) == ("lease", "0.1.0", "src/root.ar")
    assert (package.default_world, package.max_tier) == ("open", "recursive")
    assert reading.manifest.store.kind == "memory"
    assert (reading.manifest.limits.timeoutMs, reading.manifest.limits.maxDerived) == (500, None)
    assert reading.manifest.lint == {"OW0105": "off", "OW1305": "error"}


def test_the_checker_is_told_what_the_manifest_says() -> None:
    info = package_info(read(WHOLE).manifest)
    assert (info.name, info.version, info.entry, info.prelude) == (
        "lease",
        "0.1.0",
        "src/root.ar",
        ("std::core::{type, rel}",),
    )
    assert (info.default_world, info.max_tier) == ("open", "recursive")
    assert info.lints == (("OW0105", "off"), ("OW1305", "error"))


def test_only_a_name_is_required() -> None:
    reading = read('[package]\nname = "x"\n')
    assert reading.problems == ()
    assert reading.manifest.package.entry == "root.ar"
    assert reading.manifest.package.max_tier is None


def test_an_unknown_key_is_reported_at_the_key_with_the_nearest_known_one_and_its_fix() -> None:
    text = '[package]\nname = "x"\nentri = "root.ar"\n'
    assert shown(text) == [("OE1241", "entri")]
    assert dict(only(text).notes[0].args) == {"suggestion": "entry"}
    assert read(repaired(text)).problems == ()


def test_an_unknown_key_near_none_lists_the_known_ones() -> None:
    problem = only('[package]\nname = "x"\n[store]\nzzzzz = 1\n')
    assert (problem.notes[0].key, dict(problem.notes[0].args)) == ("known", {"candidates": "kind, path"})
    assert dict(problem.args) == {"name": "zzzzz", "of": "[store]"}


def test_an_unknown_table_is_reported_at_its_header() -> None:
    assert shown('[package]\nname = "x"\n[limit]\nmaxRows = 1\n') == [("OE1241", "limit")]
    assert read(repaired('[package]\nname = "x"\n[limit]\nmaxRows = 1\n')).manifest.limits.maxRows == 1


@pytest.mark.parametrize(
    ("line", "under", "note"),
    [
        ("version = 1", "1", "text"),
        ('version = "1"', '"1"', "version"),
        ('entry = "../root.ar"', '"../root.ar"', "source_path"),
        ('entry = "root.txt"', '"root.txt"', "source_path"),
        ('entry = "C:/root.ar"', '"C:/root.ar"', "source_path"),
        ('entry = "a\\\\root.ar"', '"a\\\\root.ar"', "source_path"),
        ('prelude = "std"', '"std"', "list"),
        ("prelude = [1]", "1", "text"),
        ('prelude = ["a; b"]', '"a; b"', "use_path"),
        ('default_world = "opne"', '"opne"', "one_of"),
        ('max_tier = "top"', '"top"', "one_of"),
    ],
)
def test_a_wrong_value_is_reported_at_the_value_with_what_it_may_be(line: str, under: str, note: str) -> None:
    text = f'[package]\nname = "x"\n{line}\n'
    assert shown(text) == [("OE1245", under)]
    assert only(text).notes[0].key == note


@pytest.mark.parametrize("value", ["0", "-1", "1.5", "true", '"7"'])
def test_a_limit_is_a_whole_number_from_one(value: str) -> None:
    text = f'[package]\nname = "x"\n[limits]\nmaxRows = {value}\n'
    assert shown(text) == [("OE1245", value)]
    assert only(text).notes[0].key == "whole"


def test_a_misspelt_choice_comes_with_a_fix() -> None:
    assert read(repaired('[package]\nname = "x"\ndefault_world = "opne"\n')).manifest.package.default_world == "open"


def test_a_wrong_value_is_set_aside_and_the_rest_counts() -> None:
    reading = read('[package]\nname = "x"\nversion = 3\nentry = "a.ar"\n[limits]\nmaxRows = 5\nfnDepth = 0\n')
    assert reading.manifest.package.version == "0.0.0"
    assert reading.manifest.package.entry == "a.ar"
    assert (reading.manifest.limits.maxRows, reading.manifest.limits.fnDepth) == (5, None)


@pytest.mark.parametrize("text", ["", "# nothing\n", "[package]\n", '[package]\nversion = "1.0.0"\n'])
def test_a_missing_name_is_reported_and_its_fix_adds_one(text: str) -> None:
    assert [code for code, _ in shown(text)] == ["OE1246"]
    assert read(text).manifest.package.name == NAMELESS
    assert read(repaired(text)).problems == ()


def test_a_name_that_no_package_may_have_is_refused_at_its_value() -> None:
    assert shown('[package]\nname = "my package"\n') == [("OE1245", '"my package"')]
    assert is_package_name("méthode_2-b")
    assert not any(map(is_package_name, ["", "2a", "_a", "a/b", "a-", "-a", "a b", "a.b", "..", "a--b"]))


@pytest.mark.parametrize("value", ['"1.0"', "{ git = 'x' }", "{ path = 1 }", "{ path = 'a', v = 1 }", "{}", "3"])
def test_a_dependency_in_another_form_than_a_path_is_refused_once_with_the_form(value: str) -> None:
    text = f'[package]\nname = "x"\n[dependencies]\nufo = {value}\n'
    assert shown(text) == [("OE1240", value)]
    assert dict(only(text).notes[0].args) == {"name": "ufo"}


def test_workspace_members_lie_inside_the_workspace() -> None:
    table = '[package]\nname = "x"\n[workspace]\nmembers = '
    assert shown(table + '["packages/*", "tools/one"]\n') == []
    assert shown(table + '["../other"]\n') == [("OE1245", '"../other"')]


def test_a_store_lies_inside_the_project_and_is_no_server() -> None:
    assert shown('[package]\nname = "x"\n[store]\npath = "../x.sqlite3"\n') == [("OE1245", '"../x.sqlite3"')]
    assert shown('[package]\nname = "x"\n[store]\npath = "postgres://h/d"\n') == [("OE1245", '"postgres://h/d"')]
    assert shown('[package]\nname = "x"\n[store]\nkind = "postgres"\n') == [("OE1245", '"postgres"')]


def test_only_warnings_and_informations_have_a_lint_level() -> None:
    head = '[package]\nname = "x"\n[lint]\n'
    assert shown(head + 'OE0101 = "off"\n') == [("OE1241", "OE0101")]
    assert shown(head + 'OW0105 = "loud"\n') == [("OE1245", '"loud"')]


@pytest.mark.parametrize(
    ("text", "start"),
    [("a = [", 5), ('[package]\nname = "x\n', 19), ("[package\n", 8), ("\n\nname\n", 6), ("a=1\na=2\n", 7)],
)
def test_a_syntax_error_is_reported_where_reading_stopped(text: str, start: int) -> None:
    problem = only(text)
    assert (problem.code, problem.start) == ("OE1243", start)


def test_bytes_that_are_not_utf8_are_reported_at_the_first_of_them() -> None:
    (problem,) = read_manifest('[package] # é\nname = "'.encode() + b"\xff").problems
    assert (problem.code, problem.start, problem.notes[0].key) == ("OE1243", 22, "encoding")
    assert dict(problem.args)["found"] == "0xFF"


def test_a_byte_order_mark_is_skipped() -> None:
    assert read_manifest(b'\xef\xbb\xbf[package]\nname = "x"\n').problems == ()


def test_ten_thousand_brackets_are_one_problem() -> None:
    assert only("a = " + "[" * 10_000).code == "OE1243"


def test_several_mistakes_are_reported_in_the_order_of_the_text() -> None:
    text = '[package]\nnam = "x"\nversion = 2\n[dependencies]\na = "1"\n[zip]\n'
    assert [code for code, _ in shown(text)] == ["OE1246", "OE1241", "OE1245", "OE1240", "OE1241"]


KEYS = st.sampled_from(
    ["package", "name", "prelude", "dependencies", "lint", "limits", "maxRows", "members", "store", "x"]
)
VALUES = st.recursive(
    st.sampled_from(["1", '"x"', "true", '"off"', "[]", "{}", "1979-05-27"]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=2).map(lambda items: f"[{', '.join(items)}]"),
        st.tuples(KEYS, inner).map(lambda pair: f"{{ {pair[0]} = {pair[1]} }}"),
    ),
    max_leaves=4,
)
LINES = st.one_of(st.tuples(KEYS, VALUES).map(" = ".join), KEYS.map("[{}]".format), st.just("[lint.x]\ny = 1"))


@settings(max_examples=400, deadline=None, derandomize=True)
@given(st.lists(LINES, max_size=6).map("\n".join))
def test_no_manifest_upsets_the_reader_and_every_problem_lies_in_the_text(text: str) -> None:
    reading = read(text)
    assert all(0 <= problem.start <= problem.end <= len(text) for problem in reading.problems)
    assert len({(problem.code, problem.start, problem.end, problem.args) for problem in reading.problems}) == len(
        reading.problems
    )
