"""What is said of files that no `mod` reaches and of private items that nothing uses."""

from __future__ import annotations

import pytest

from argon_lang.queries.snippet import check_files


def idle(office: str, root: str = "pub mod office;\n") -> list[str]:
    """The messages about unused items of a module below the root."""
    found = check_files({"root.ar": root, "office.ar": office})
    assert {each.code for each in found} <= {"OW0109"}
    return [each.message for each in found]


def test_a_private_item_that_nothing_names_is_unused() -> None:
    assert idle("struct Key { n: Int }\nfn twice(n: Int) -> Int = n + n;\n") == [
        "struct `Key` is private and nothing uses it",
        "function `twice` is private and nothing uses it",
    ]


@pytest.mark.parametrize(
    "user",
    [
        "pub struct Door { key: Key }",
        "pub mod inner { pub struct Door { key: super::Key } }",
        "pub use self::Key as K;",
        "query keys() -> [Key] { select Key { n: 1 } from 1 == 1 }",
        'test "key" { let k = Key { n: 1 }; assert k.n == 1; }',
    ],
)
def test_an_item_that_is_named_anywhere_in_its_module_is_used(user: str) -> None:
    assert idle(f"struct Key {{ n: Int }}\n{user}\n") == []


def test_an_item_that_only_names_itself_is_unused_and_told_once() -> None:
    reach = "pub rel to(a: Stop, b: Stop);\npub type Stop {}\n"
    clauses = "derive far(a: Stop, b: Stop) :- to(a, b);\nderive far(a: Stop, c: Stop) :- far(a, b), to(b, c);\n"
    assert idle(reach + clauses) == ["derived predicate `far` is private and nothing uses it"]


def test_what_is_asked_for_by_name_is_not_unused() -> None:
    assert idle("query one() -> [Int] { select 1 from 1 == 1 }\nmutate no() { require true; }\n") == []
    assert check_files({"root.ar": "struct Key { n: Int }"}) == []


def test_a_clause_that_defeats_another_serves_without_being_named() -> None:
    bird = "pub type Bird;\n#[default]\npub derive flies(b: Bird) :- Bird(b);\n"
    assert idle(bird + "#[defeats(flies(b))]\nderive grounded(b: Bird) :- Bird(b);\n") == []
    assert idle(bird + "#[label(x)]\nderive grounded(b: Bird) :- Bird(b);\n") != []


def test_nothing_seems_unused_while_something_is_in_error() -> None:
    found = check_files({"root.ar": "mod office;\nstruct D { k: office::Key }", "office.ar": "struct Key { n: Int }"})
    assert [each.code for each in found] == ["OE0104"]


def test_a_file_that_no_mod_reaches_is_told_with_the_mod_that_would() -> None:
    files = {"root.ar": "//! About it.\n\nmod a;\n", "a.ar": "", "b.ar": "", "c/mod.ar": "", "c/d.ar": ""}
    found = {each.location.file: each for each in check_files(files) if each.code == "OW0107"}
    assert found.keys() == {"b.ar", "c/mod.ar", "c/d.ar"}
    for file, name in (("b.ar", "b"), ("c/mod.ar", "c")):
        (fix,) = found[file].fixes
        (edit,) = fix.edits
        at = edit.location
        text = files[at.file]
        assert (at.file, edit.text) == ("root.ar", f"mod {name};\n")
        assert text[: at.start] + edit.text + text[at.end :] == f"//! About it.\n\nmod {name};\nmod a;\n"
    assert found["c/d.ar"].fixes == ()


def test_a_file_whose_name_is_no_name_is_offered_no_mod() -> None:
    found = check_files({"root.ar": "mod a;\n", "a.ar": "", "my-notes.ar": ""})
    assert [(each.code, each.fixes) for each in found] == [("OW0107", ())]
