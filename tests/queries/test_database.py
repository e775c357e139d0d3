"""The incremental program: what an edit checks again, and that it says what a check from nothing says."""

from __future__ import annotations

import random

import pytest

from argon_lang.problems import ItemId, Place
from argon_lang.program.findings import NAME_OF_ITEM
from argon_lang.program.view import PackageInfo
from argon_lang.queries.database import Database

PACKAGE = PackageInfo("shop", prelude=("std::core::{type, rel}",))
ROOT = """\
use self::people::{Customer, Staff};
use std::core::{Diagnostic, Severity};

mod people;
mod data;

/// Something sold.
pub type Product {
    name: String,
    price: Money,
    mut stock: Int = 0,
}

/// `who` bought `what`.
pub rel bought(who: Customer, what: Product) { amount: Int }

pub derive spent(c: Customer, p: Money) :-
    bought(c, x),
    p = x.price;

pub derive regular(c: Customer) :-
    spent(c, p),
    p > 10;

check never_negative(x: Product) :-
    x: Product,
    x.stock < 0
    => Diagnostic { severity: Severity::Error, message: "below nothing" };

pub query products() -> [Product] {
    select x from Product(x)
}

pub mutate restock(x: Product, n: Int) {
    require n > 0;
    update x set { stock = n };
}

pub fn served_by(s: Staff) -> String = s.name;
"""
PEOPLE = """\
//! Who comes and goes.

pub type Person { name: String }
pub type Customer <: Person;
pub type Staff <: Person;
"""
DATA = """\
use super::people::Customer;
use super::{Product, bought};

fact Customer(ada) { name: "Ada" };
fact Product(tea) { name: "Tea", price: 12.50 };
fact bought(ada, tea) { amount: 2 };
"""
FILES = {"shop/root.ar": ROOT, "shop/people.ar": PEOPLE, "shop/data.ar": DATA}


def shop(files: dict[str, str] | None = None) -> Database:
    db = Database(PACKAGE)
    db.set_files(FILES if files is None else files)
    return db


def replaced(db: Database, file: str, old: str, new: str) -> None:
    text = db.text(file)
    assert text is not None
    start = text.index(old)
    db.edit_file(file, start, start + len(old), new)


def recomputed(db: Database, query: str) -> int:
    """How often a query was computed while all diagnostics were asked for."""
    db.memory.computed.clear()
    db.diagnostics()
    return db.memory.computed.get(query, 0)


def test_the_package_is_clean_and_has_a_module() -> None:
    db = shop()
    assert db.diagnostics() == ()
    module = db.module()
    assert module is not None
    assert module.package == "shop"


def test_asking_again_computes_nothing() -> None:
    db = shop()
    db.diagnostics()
    db.memory.computed.clear()
    db.diagnostics()
    assert db.memory.computed == {}


def test_a_body_edit_infers_exactly_one_item() -> None:
    db = shop()
    db.diagnostics()
    replaced(db, "shop/root.ar", "n > 0", "n > 1")
    assert recomputed(db, "inference") == 1
    assert db.memory.computed.get("names", 0) == 0
    assert db.memory.computed.get("read", 0) == 1


def test_an_edit_that_keeps_its_signature_infers_no_user_of_it() -> None:
    db = shop()
    db.diagnostics()
    replaced(db, "shop/root.ar", "p = x.price;", "p = x.price, p > 1;")
    assert recomputed(db, "inference") == 1


def test_a_signature_edit_infers_its_users_and_no_others() -> None:
    db = shop()
    db.diagnostics()
    replaced(db, "shop/root.ar", "amount: Int }", "amount: Nat }")
    db.memory.computed.clear()
    db.diagnostics()
    assert db.memory.computed["inference"] == 3  # the relation, the rule and the fact that read it


def test_moving_items_down_infers_none_of_them() -> None:
    db = shop()
    db.diagnostics()
    replaced(db, "shop/people.ar", "\npub type Person", "\n\n\n\npub type Person")
    assert recomputed(db, "inference") == 1
    assert db.diagnostics() == ()


def test_swapping_two_items_infers_neither() -> None:
    db = shop()
    db.diagnostics()
    swapped = PEOPLE.replace("pub type Customer <: Person;\npub type Staff <: Person;\n", "") + (
        "pub type Staff <: Person;\npub type Customer <: Person;\n"
    )
    db.set_file("shop/people.ar", swapped)
    assert recomputed(db, "inference") <= 1
    assert db.diagnostics() == ()


def test_setting_a_file_to_its_own_text_computes_nothing() -> None:
    db = shop()
    db.diagnostics()
    db.set_file("shop/root.ar", ROOT)
    db.memory.computed.clear()
    db.diagnostics()
    assert db.memory.computed == {}


def test_a_removed_file_takes_its_names_with_it_and_a_restored_one_brings_them_back() -> None:
    db = shop()
    db.set_file("shop/people.ar", None)
    assert [each.code for each in db.diagnostics()] == ["OE0103"]
    db.set_file("shop/people.ar", PEOPLE)
    assert db.diagnostics() == ()


def test_a_file_that_no_mod_reaches_is_an_orphan() -> None:
    db = shop()
    db.set_file("shop/extra.ar", "type Extra;\n")
    (orphan,) = db.diagnostics()
    assert (orphan.code, orphan.location.file) == ("OW0107", "shop/extra.ar")
    assert db.module() is not None


def test_a_package_without_its_entry_file_says_so() -> None:
    db = Database(PACKAGE)
    assert [(each.code, each.location.file) for each in db.diagnostics()] == [("OE0103", "shop/root.ar")]
    assert db.module() is None


def test_lint_levels_turn_warnings_off_or_into_errors_and_leave_errors_alone() -> None:
    files = {**FILES, "shop/extra.ar": ""}
    for level, expected in (("off", []), ("warn", ["warning"]), ("error", ["error"])):
        db = Database(PackageInfo("shop", prelude=PACKAGE.prelude, lints=(("OW0107", level), ("OE0101", "off"))))
        db.set_files(files)
        assert [each.severity for each in db.diagnostics()] == expected
        assert (db.module() is None) == (level == "error")
    db.set_file("shop/extra.ar", None)
    replaced(db, "shop/people.ar", "<: Person", "<: Persn")
    assert [each.code for each in db.diagnostics()] == ["OE0101"]


def test_problems_of_a_whole_file_are_published_where_they_are() -> None:
    from argon_lang.text import decode_source

    db = shop()
    text, problems = decode_source(b"// \xff\n" + PEOPLE.encode(), "people.ar")
    db.set_file("shop/people.ar", text, problems)
    assert [(each.code, each.location.start) for each in db.diagnostics()] == [("OE0005", 3)]


def test_an_item_is_found_by_offset_and_its_name_by_place() -> None:
    db = shop()
    offset = PEOPLE.index("Customer")
    found = db.item_at("shop/people.ar", offset)
    assert found is not None
    item, inner = found
    assert item == ItemId("shop/people.ar", "concept Customer")
    location = db.locate(Place(item, inner, inner + 8))
    assert location is not None
    assert PEOPLE[location.start : location.end] == "Customer"
    assert db.locate(Place(item, NAME_OF_ITEM, NAME_OF_ITEM)) == location
    assert db.locate(Place(ItemId("shop/people.ar", "concept Nobody"), 0, 1)) is None


def test_a_symbol_is_found_by_its_path_with_every_item_that_declares_it() -> None:
    db = shop()
    ada = db.symbol("pkg::data::ada")
    assert ada is not None
    assert [item.label for item in ada.items] == ["fact Customer(ada)", "fact bought(ada, tea)"]
    assert db.symbol("std::core::Severity") is not None
    assert db.symbol("pkg::nobody") is None


def test_columns_that_no_head_types_are_found_from_the_bodies_also_through_recursion() -> None:
    db = shop({
        "shop/root.ar": (
            "type Stop;\nrel line(a: Stop, b: Stop);\n"
            "derive near(a, b) :- reach(a, b);\n"
            "derive reach(a, b) :- line(a, b);\nderive reach(a, c) :- reach(a, b), line(b, c);\n"
        )
    })  # fmt: skip
    for path in ("pkg::near", "pkg::reach"):
        sig = db.declarations.callable("predicate", path, 2)
        assert sig is not None
        assert [getattr(param.type, "path", "") for param in sig.params] == ["pkg::Stop", "pkg::Stop"]


def test_long_chains_of_anything_need_no_deep_stack() -> None:
    rules = "".join(f"derive p{i}(x) :- p{i + 1}(x);\n" for i in range(300))
    types = "".join(f"type T{i} <: T{i + 1};\n" for i in range(300))
    files = {
        "shop/root.ar": f"{rules}derive p300(x) :- T0(x);\n{types}type T300;\nmod f0;\n",
        **{f"shop/f{i}.ar": f"mod f{i + 1};\npub use super::Thing;\n" for i in range(120)},
        "shop/f120.ar": "mod a { " * 120 + "pub type Deep;" + " }" * 120,
    }
    db = shop(files)
    assert {each.code for each in db.diagnostics()} == {"OE0101"}
    sig = db.declarations.callable("predicate", "pkg::p0", 1)
    assert sig is not None
    assert getattr(sig.params[0].type, "path", "") == "pkg::T0"


def test_std_itself_is_clean() -> None:
    base = shop().base
    assert base is not None
    assert base.diagnostics() == ()


WORDS = ("Customer", "Person", "x", ";", "{", "}", "type", "pub ", "\n", "//", "derive p(x) :- ", "use ", "Staff", '"')


def _random_edit(chance: random.Random, text: str) -> tuple[int, int, str]:
    start = chance.randrange(len(text) + 1)
    end = min(len(text), start + chance.choice((0, 0, 1, 3, 12, 60)))
    return start, end, chance.choice(("", "", *WORDS))


@pytest.mark.parametrize("seed", range(4))
def test_an_incremental_check_says_what_a_check_from_nothing_says(seed: int) -> None:
    chance = random.Random(seed)
    db, texts = shop(), dict(FILES)
    for step in range(25):
        file = chance.choice(sorted(texts))
        start, end, new = _random_edit(chance, texts[file])
        if chance.random() < 0.15:
            start, end, new = 0, len(texts[file]), FILES[file]
        db.edit_file(file, start, end, new)
        texts[file] = texts[file][:start] + new + texts[file][end:]
        if step % 2 == 0:
            assert db.diagnostics() == shop(texts).diagnostics(), (file, start, end, new)
