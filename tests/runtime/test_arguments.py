"""What callers give, as JSON or as words of a command line: read by declared type, or refused by name (S8.1, S8.4)."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from argon_lang.errors import ArgonError
from argon_lang.runtime.arguments import coerce, from_words
from argon_lang.runtime.service import At
from tests.runtime.worlds import World

SHOP = """
mod eu { pub type City; fact City(rome); fact City(oslo); }
mod us { pub type Town; fact Town(rome); }
use self::eu::City;
type Person { name: String }
type Boss <: Person;
enum Size { Small, Big(Int) }
struct Box { size: Size, note: String? }
rel knows(a: Person, b: Person);
rel loves(a: Person, b: Person) <: knows;
fact Person(ada) { name: "Ada" };
fact Boss(bob) { name: "Bob" };
fact loves(ada, bob);
mutate all(s: String, i: Int, n: Nat, d: Decimal, m: Money, r: Real, b: Bool, day: Date, at: DateTime) { }
mutate people(p: Person, q: Boss?, ps: [Person]) { }
mutate data(size: Size, box: Box, sizes: [Size]) { }
mutate tie(k: knows) -> knows { return k; }
mutate go(c: City) { }
"""


@pytest.fixture(scope="module")
def world() -> World:
    return World(SHOP)


def read(world: World, name: str, given: Any) -> list[Any]:
    _, reading = world.service.read(At())
    mutation = world.service.served.schema.mutation(name)
    return coerce(reading, mutation.path, mutation.params, given)


def words(world: World, name: str, *given: str) -> list[Any]:
    params = world.service.served.schema.mutation(name).params
    return read(world, name, from_words(params, name, list(given)))


def refused(world: World, name: str, given: Any) -> tuple[str, str]:
    with pytest.raises(ArgonError) as error:
        read(world, name, given)
    return error.value.code.removeprefix("ARGON_RUNTIME_"), dict(error.value.args_).get("name", "")


def test_words_are_read_by_the_types_of_the_parameters(world: World) -> None:
    found = words(world, "all", "12", "-3", "4", "1.50", "2", "1/3", "true", "2026-01-31", "2026-01-31T12:00:00Z")
    assert found[:5] == ["12", -3, 4, Decimal("1.5"), found[4]]
    assert [type(each).__name__ for each in found] == [
        *("str", "int", "int", "Decimal", "Money", "Fraction", "bool", "date", "datetime"),
    ]


def test_words_may_be_named_and_mixed_with_words_in_order(world: World) -> None:
    assert words(world, "people", 'ps=["ada", "bob"]', "ada") == words(world, "people", "ada", "null", '["ada","bob"]')
    assert [str(each.id) for each in words(world, "people", "ps=ada", "p=bob", "q=bob")[2]] == ["pkg::ada"]


def test_an_optional_argument_may_be_left_out(world: World) -> None:
    assert read(world, "people", {"p": "ada", "ps": []})[1:] == [None, ()]


def test_plain_data_is_read_in_full_or_short(world: World) -> None:
    full = {
        "size": {"enum": "pkg::Size::Big", "payload": [3]},
        "box": {"struct": "pkg::Box", "fields": {"size": {"enum": "pkg::Size::Small"}, "note": None}},
        "sizes": [],
    }
    short = [{"enum": "Big", "payload": [3]}, {"size": "Small"}, []]
    assert read(world, "data", full) == read(world, "data", short)
    assert words(world, "data", "Small", '{"size": "Small"}', '["Small"]')[0].variant == "Small"


def test_a_tuple_of_a_sub_relation_is_the_parents_tuple(world: World) -> None:
    given = {"tuple": "pkg::loves", "ends": ["ada", "bob"]}
    assert read(world, "tie", [given]) == read(world, "tie", [{**given, "tuple": "pkg::knows"}])
    assert world.do("tie", given).result["tuple"] == "pkg::knows"
    assert refused(world, "tie", [{**given, "ends": ["bob", "ada"]}]) == ("VALIDATION_FAILED", "k")


def test_an_individual_is_named_by_its_shortest_unique_path(world: World) -> None:
    with pytest.raises(ArgonError) as error:
        read(world, "go", ["rome"])
    assert error.value.code == "OE0102"
    assert error.value.details["candidates"] == ["pkg::eu::rome", "pkg::us::rome"]
    assert read(world, "go", ["eu::rome"])[0].id == "pkg::eu::rome"
    assert read(world, "go", ["oslo"])[0].id == "pkg::eu::oslo"
    assert refused(world, "go", ["us::rome"]) == ("VALIDATION_FAILED", "c")


REFUSED: list[tuple[str, Any, str, str]] = [
    ("people", [], "SIGNATURE_MISMATCH", "people"),
    ("people", ["ada"], "SIGNATURE_MISMATCH", "people"),
    ("people", {"p": "ada"}, "SIGNATURE_MISMATCH", "people"),
    ("people", {"p": "ada", "ps": [], "x": 1}, "SIGNATURE_MISMATCH", "people"),
    ("people", ["ada", "ada", []], "VALIDATION_FAILED", "q"),
    ("people", ["ada", None, ["bob", 3]], "VALIDATION_FAILED", "ps[1]"),
    ("people", ["ada", None, "bob"], "VALIDATION_FAILED", "ps"),
    ("people", ["eve", None, []], "NOT_FOUND", "eve"),
    ("data", ["Huge", {"size": "Small"}, []], "VALIDATION_FAILED", "size"),
    ("data", ["Small", {"size": "Small", "colour": 1}, []], "VALIDATION_FAILED", "box"),
    ("data", ["Small", {}, []], "VALIDATION_FAILED", "box.size"),
]


@pytest.mark.parametrize(("name", "given", "code", "where"), REFUSED)
def test_what_does_not_fit_is_refused_by_name(world: World, name: str, given: Any, code: str, where: str) -> None:
    assert refused(world, name, given) == (code, where)


@pytest.mark.parametrize(
    "given",
    [["ada", "ada", "x", "more"], ["p=ada", "p=bob"], ["nobody=ada"], ["x=y=z"]],
)
def test_words_that_are_no_arguments_are_a_mismatch_that_shows_the_signature(world: World, given: list[str]) -> None:
    with pytest.raises(ArgonError) as error:
        words(world, "people", *given)
    assert error.value.code == "ARGON_RUNTIME_SIGNATURE_MISMATCH"
    assert "people(p: Person, q: Boss?, ps: [Person])" in str(error.value.notes)


# -- whatever anybody may send ----------------------------------------------------------------------------------------

KINDS = {
    "Bool": [True],
    "Int": [5, -1],
    "Nat": [5],
    "Real": [5, -1],
    "Decimal": [5, -1],
    "Money": [5, -1],
    "Date": [],
    "DateTime": [],
    "Duration": [],
    "Size": [],
    "Pair": [],
    "Person": [],
    "knows": [],
    "[Int]": [[]],
    "Set<Int>": [[]],
    "Int?": [None, 5, -1],
}
"""Types, with what of `ODD` they take."""
ODD: list[Any] = [
    *(None, True, 5, -1, 1.5, float("nan"), float("inf"), -float("inf"), 10**400, "", "x", "\ud800", "\0"),
    *("nan", "inf", "1e999999999", "9" * 5000, [], [1, "x"], {}, {"a": 1}, [[[[[]]]]]),
    *({"decimal": "x"}, {"decimal": "1e99999999"}, {"money": "inf"}, {"real": "1/0"}, {"real": "x/y"}),
    *({"date": "2026-02-30"}, {"date": 5}, {"dateTime": "2026-01-01"}, {"duration": "P"}, {"duration": "P9999999999Y"}),
    *({"entity": "nobody"}, {"entity": 5}, {"enum": "pkg::Size::Huge"}, {"enum": "pkg::Size::Big"}),
    *({"enum": "pkg::Size::Big", "payload": ["x"]}, {"struct": "pkg::Nope", "fields": {}}),
    *({"struct": "pkg::Pair", "fields": {"a": "x"}}, {"tuple": "pkg::knows", "ends": ["ada"]}),
]
ODDITIES = """
enum Size { Small, Big(Int) }
struct Pair { a: Int, b: String }
type Person;
rel knows(a: Person, b: Person);
"""


@pytest.mark.parametrize(("kind", "takes"), KINDS.items(), ids=KINDS)
def test_a_value_of_any_other_kind_is_refused_by_the_name_of_its_argument(kind: str, takes: list[Any]) -> None:
    odd = World(f"{ODDITIES}mutate take(x: {kind}) {{ require true; }}")
    outcomes = [(value, turned_away(odd, value)) for value in ODD]
    assert [value for value, error in outcomes if error is None] == takes
    for value, error in outcomes:
        told = dict(error.args_) if error is not None else {}
        assert error is None or error.code in ("ARGON_RUNTIME_VALIDATION_FAILED", "ARGON_RUNTIME_NOT_FOUND"), value
        assert error is None or error.code.endswith("FOUND") or told["name"].startswith("x"), (value, told)
        assert all(len(each) <= 300 for each in told.values()), "a long value is not repeated"


def turned_away(world: World, value: Any) -> ArgonError | None:
    try:
        world.do("take", value)
    except ArgonError as error:
        return error
    return None


def test_text_that_is_no_unicode_is_refused_where_it_would_be_stored() -> None:
    named = World("type Person { name: String } mutate add(n: String) { insert Person { name: n }; }")
    with pytest.raises(ArgonError) as error:
        named.do("add", "\ud800")
    assert dict(error.value.args_)["found"] == "a lone surrogate"
    assert named.store.snapshot().head == 0
