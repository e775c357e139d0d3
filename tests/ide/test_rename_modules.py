"""A module and its file have one name: renaming either changes `mod` and every path through it."""

from __future__ import annotations

import pytest

from argon_lang.errors import ArgonError
from argon_lang.ide.moves import edits_for
from argon_lang.ide.rename import REFUSED, rename, rename_symbol
from tests.ide.packages import marked
from tests.ide.test_rename import applied

ROOT = """\
mod a;
mod b { use super::a::B; pub type C { b: B } }
use self::a::{B, r};
use self::a as other;
pub type D { b: $0a::B, c: pkg::a::B?, d: other::B? }
fact a::B(x);
derive e(y: B) :- a::r(y, z), a::B(z), not pkg::a::r(z, y), n = a::f(1), n > self::a::f(2);
"""
A = """\
pub type B { }
pub rel r(x: B, y: B);
pub fn f(n: Int) -> Int = n;
mod inner { pub type Q { r: super::super::a::B } }
"""
RENAMED = """\
mod parts;
mod b { use super::parts::B; pub type C { b: B } }
use self::parts::{B, r};
use self::parts as other;
pub type D { b: parts::B, c: pkg::parts::B?, d: other::B? }
fact parts::B(x);
derive e(y: B) :- parts::r(y, z), parts::B(z), not pkg::parts::r(z, y), n = parts::f(1), n > self::parts::f(2);
"""


def test_every_path_through_a_module_is_renamed_with_its_file() -> None:
    package = marked(ROOT, a=A)
    assert not [each for each in package.db.diagnostics() if each.severity == "error"]
    found = rename(package.db, *package.at(), "parts", moves=True)
    texts = applied(package.db, found.edits)
    assert texts == {"root.ar": RENAMED, "a.ar": A.replace("super::a", "super::parts")}
    assert found.moves == (("a.ar", "parts.ar"),)
    after = marked(texts["root.ar"], parts=texts["a.ar"])
    assert not [each for each in after.db.diagnostics() if each.severity == "error"]


def test_a_renamed_file_asks_for_the_same_edits() -> None:
    package = marked(ROOT, a=A)
    assert applied(package.db, edits_for(package.db, "a.ar", "parts.ar"))["root.ar"] == RENAMED
    assert applied(package.db, edits_for(package.db, "a.ar", "parts/mod.ar"))["root.ar"] == RENAMED


@pytest.mark.parametrize("new", ["sub/a.ar", "a.txt", "9a.ar", "where.ar", "b.ar", "B.ar", "a.ar"])
def test_a_move_that_no_edit_can_follow_asks_for_none(new: str) -> None:
    package = marked(ROOT, a=A)
    assert edits_for(package.db, "a.ar", new) == ()


def test_the_entry_is_no_module_to_rename() -> None:
    package = marked(ROOT, a=A)
    assert edits_for(package.db, "root.ar", "main.ar") == ()


def test_a_folder_goes_with_its_module() -> None:
    package = marked("mod $0a;\nuse self::a::B;\npub type C { b: B }\n", **{"a/mod": "pub type B { }\n"})
    found = rename(package.db, *package.at(), "parts", moves=True)
    assert found.moves == (("a", "parts"),)


def test_a_module_inside_a_file_is_renamed_without_any_file() -> None:
    package = marked("mod $0a { pub type B { } }\nuse self::a::B;\npub type C { b: B }\n")
    found = rename(package.db, *package.at(), "parts")
    assert applied(package.db, found.edits)["root.ar"].startswith("mod parts { pub type B { } }\nuse self::parts::B;")
    assert found.moves == ()


@pytest.mark.parametrize("new", ["b", "B"])
def test_a_module_takes_no_name_that_is_taken(new: str) -> None:
    package = marked(ROOT, a=A)
    with pytest.raises(ArgonError) as refused:
        rename(package.db, *package.at(), new, moves=True)
    assert refused.value.code == REFUSED


def test_a_module_takes_no_name_of_a_file_that_is_there() -> None:
    package = marked(ROOT, a=A, parts="pub type Q { }\n")
    with pytest.raises(ArgonError) as refused:
        rename(package.db, *package.at(), "parts", moves=True)
    assert refused.value.details["reason"] == "taken"


def test_whoever_cannot_rename_files_is_told_what_to_do() -> None:
    package = marked(ROOT, a=A)
    symbol = package.db.symbols_at("pkg::a")[0]
    for ask in (lambda: rename(package.db, *package.at(), "parts"), lambda: rename_symbol(package.db, symbol, "parts")):
        with pytest.raises(ArgonError) as refused:
            ask()
        assert refused.value.details["reason"] == "module"
