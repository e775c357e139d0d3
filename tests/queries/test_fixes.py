"""Fixes of names, modules and constructs: applied, they mend what they say and break nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from argon_lang.problems import Diagnostic, PublishedFix
from argon_lang.queries.snippet import check_files
from tests.support.markers import FIXTURES, files_of

NAMES = sorted(
    path
    for path in (FIXTURES / "check").iterdir()
    if path.stem.startswith(("names_", "types_", "constructs", "attributes", "modules", "reexports", "unsupported"))
)


def applied(files: Mapping[str, str], fix: PublishedFix) -> dict[str, str]:
    changed = dict(files)
    for edit in sorted(fix.edits, key=lambda each: each.location.start, reverse=True):
        text = changed[edit.location.file]
        changed[edit.location.file] = text[: edit.location.start] + edit.text + text[edit.location.end :]
    return changed


def errors(found: list[Diagnostic]) -> Counter[str]:
    return Counter(each.code for each in found if each.severity == "error")


@pytest.mark.parametrize("path", NAMES, ids=lambda path: path.stem)
def test_a_fix_removes_its_problem_and_a_safe_one_brings_no_error(path: Path) -> None:
    files = files_of(path)
    before = check_files(files)
    for diagnostic in before:
        for fix in diagnostic.fixes:
            after = check_files(applied(files, fix))
            assert Counter(d.code for d in after)[diagnostic.code] < Counter(d.code for d in before)[diagnostic.code]
            assert not fix.safe or errors(after) <= errors(before), (diagnostic.message, fix.title)


def fixed(text: str, code: str, number: int = 0) -> str:
    (found,) = [each for each in check_files({"root.ar": text}) if each.code == code]
    return applied({"root.ar": text}, found.fixes[number])["root.ar"]


def test_a_name_that_one_public_item_elsewhere_has_is_imported_before_the_item() -> None:
    text = "mod town { pub type Street; }\n\n/// A house.\ntype House { street: Street }\n"
    assert fixed(text, "OE0101") == (
        "mod town { pub type Street; }\nuse pkg::town::Street;\n\n/// A house.\ntype House { street: Street }\n"
    )


def test_a_name_that_several_items_elsewhere_have_can_be_imported_from_each_by_choice() -> None:
    files = {"root.ar": "mod a { pub type Street; }\nmod b { pub type Street; }\ntype House { street: Street }\n"}
    (found,) = check_files(files)
    assert found.help[0] == "`Street` is declared elsewhere: import `pkg::a::Street` or `pkg::b::Street`"
    assert [(fix.title, fix.safe) for fix in found.fixes] == [
        ("add `use pkg::a::Street;`", False),
        ("add `use pkg::b::Street;`", False),
    ]
    for fix in found.fixes:
        assert check_files(applied(files, fix)) == []


def test_an_import_goes_behind_the_inner_docs_of_the_file() -> None:
    text = "//! Houses.\n\ntype House { street: Street }\nmod town { pub type Street; }\n"
    assert fixed(text, "OE0101").startswith("//! Houses.\n\nuse pkg::town::Street;\ntype House")


def test_a_misspelt_name_is_replaced_by_the_near_one() -> None:
    assert fixed("type Tenant;\ntype Lease { by: Tenent }\n", "OE0101").endswith("by: Tenant }\n")


def test_a_missing_metatype_is_imported_from_where_it_is_declared() -> None:
    files = {"ox.toml": '[package]\nname = "bare"\n', "root.ar": "type Person;\n"}
    (found,) = check_files(files)
    assert found.code == "OE0605"
    assert applied(files, found.fixes[0])["root.ar"] == "use std::core::type;\ntype Person;\n"


def test_an_unused_leaf_goes_with_its_comma_and_a_whole_use_with_its_line() -> None:
    modules = "mod m { pub type A; pub type B; pub type C; }\n"
    used = "type T { a: A, c: C }\n"
    assert fixed(f"{modules}use m::{{A, B, C}};\n{used}", "OW0105") == f"{modules}use m::{{A, C}};\n{used}"
    assert fixed(f"{modules}use m::B;\ntype T;\n", "OW0105") == f"{modules}type T;\n"


def test_a_near_file_name_mends_a_mod() -> None:
    files = {"root.ar": "mod peple;\n", "people.ar": "type Person;\n"}
    found = check_files(files)
    assert [each.code for each in found] == ["OW0107", "OE0103"]
    assert applied(files, found[1].fixes[0])["root.ar"] == "mod people;\n"
