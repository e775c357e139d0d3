"""The outline of a file, the index of a package, and symbols by name."""

from __future__ import annotations

import pytest

from argon_lang.errors import ArgonError
from argon_lang.ide.find import find, find_one
from argon_lang.ide.symbols import OutlineEntry, index, outline, search
from tests.ide.packages import marked

SOURCE = """//! Docs.
use std::core::{Severity};

/// Someone.
pub type Person {
    name: String,
    mut age: Int,
}

pub rel knows(a: Person, b: Person) { since: Date }
pub enum Mood { Good, Bad }

mod inner {
    pub type Secret { }
    fact Secret(door) { };
}

pub derive popular(x: Person) :- knows(y, x);

test "someone is known" {
}
"""


def shape(entries: list[OutlineEntry]) -> list[object]:
    return [
        (each.kind, each.name, shape(each.children)) if each.children else (each.kind, each.name) for each in entries
    ]


def test_the_outline_is_the_tree_of_declarations() -> None:
    assert shape(outline(marked(SOURCE).db, "root.ar")) == [
        ("concept", "Person", [("field", "name"), ("field", "age")]),
        ("relation", "knows", [("end", "a"), ("end", "b"), ("field", "since")]),
        ("enum", "Mood", [("variant", "Good"), ("variant", "Bad")]),
        ("module", "inner", [("concept", "Secret"), ("fact", "fact Secret(door)")]),
        ("predicate", "popular"),
        ("test", "someone is known"),
    ]


def test_an_outline_entry_spans_its_declaration_and_its_name() -> None:
    package = marked(SOURCE)
    person = outline(package.db, "root.ar")[0]
    assert package.text(person.name_location) == "Person"
    assert package.text(person.location).startswith("pub type Person {")
    assert package.text(person.location).endswith("}")
    assert person.detail == "pub type Person"


def test_spans_of_an_outline_lie_within_each_other() -> None:
    def check(entries: list[OutlineEntry]) -> None:
        for entry in entries:
            assert entry.location.start <= entry.name_location.start <= entry.name_location.end <= entry.location.end
            check(entry.children)

    check(outline(marked(SOURCE).db, "root.ar"))


def test_half_typed_code_has_an_outline_without_nameless_entries() -> None:
    found = outline(marked("pub type \npub derive\npub enum E { A, \npub type B { }").db, "root.ar")
    assert all(each.name for each in found)


def test_the_index_holds_every_declaration_once() -> None:
    paths = [each.symbol.path for each in index(marked(SOURCE).db)]
    assert len(paths) == len(set(paths))
    assert {"pkg::Person", "pkg::inner::Secret", "pkg::inner::door", "pkg::popular"} <= set(paths)


def test_search_ranks_the_closest_names_first() -> None:
    package = marked("pub type Pay { }\npub type Payer { }\npub type Repay { }\npub type Party { }\npub type Xy { }")
    assert [each.symbol.name for each in search(package.db, "pay")] == ["Pay", "Payer", "Repay", "Party"]
    assert [each.symbol.name for each in search(package.db, "py")] == ["Pay", "Party", "Payer", "Repay"]
    assert search(package.db, "zzz") == []


def test_search_by_path_looks_at_paths() -> None:
    package = marked(SOURCE)
    assert [each.symbol.path for each in search(package.db, "inner::sec")] == ["pkg::inner::Secret"]


def test_a_short_name_is_found_where_it_is_unique() -> None:
    package = marked(SOURCE)
    for name in ("pkg::inner::Secret", "inner::Secret", "Secret"):
        assert find_one(package.db, name).path == "pkg::inner::Secret"
    assert find_one(package.db, "std::time::today").kind == "fn"


def test_an_ambiguous_short_name_lists_its_candidates() -> None:
    package = marked("mod a {\n    pub type T { }\n}\nmod b {\n    pub type T { }\n}")
    assert len(find(package.db, "T")) == 2
    with pytest.raises(ArgonError) as caught:
        find_one(package.db, "T")
    assert caught.value.code == "OE0102"
    assert caught.value.details["candidates"] == ["pkg::a::T", "pkg::b::T"]


def test_an_unknown_name_is_not_found() -> None:
    package = marked(SOURCE)
    for name in ("Nobody", "", "ecret", "knows::Secret"):
        with pytest.raises(ArgonError) as caught:
            find_one(package.db, name)
        assert caught.value.code == "ARGON_RUNTIME_NOT_FOUND"


def test_kinds_narrow_what_a_name_means() -> None:
    package = marked(SOURCE)
    assert find(package.db, "Secret", ["relation"]) == ()
    assert [each.kind for each in find(package.db, "Secret", ["concept", "relation"])] == ["concept"]
