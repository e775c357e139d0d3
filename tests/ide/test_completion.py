"""Completion: what fits the place comes, the best first; what does not fit stays away."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.ide.completion.complete import complete
from argon_lang.ide.completion.model import Candidate
from argon_lang.ide.hover import hover_symbol
from tests.ide.packages import marked

WORLD = """\
pub enum Size { Small, Large }
pub type Person { mut age: Int, name: String }
pub type Firm { head: Person, size: Size = Size::Small }
pub rel works(who: Person, at: Firm) { since: Date }
fact Person(ann) { age: 30, name: "Ann" };
pub derive adult(p: Person) :- p: Person, p.age >= 18;
pub fn twice(n: Int) -> Int = n * 2;
pub query people() -> [Person] { select p from p: Person }
pub mutate birthday(p: Person) { update p set { age = p.age + 1 }; }
"""


def offers(source: str, **others: str) -> dict[str, Candidate]:
    """The candidates at mark 0 of a text that follows a small world, by label, in their order."""
    package = marked(WORLD + source, **others)
    return {each.label: each for each in complete(package.db, *package.at(0)).candidates}


def labels(source: str, **others: str) -> list[str]:
    """Their labels."""
    return list(offers(source, **others))


def accepted(source: str, label: str, **others: str) -> str:
    """The root's text with a candidate taken, after the small world; placeholders keep their names."""
    package = marked(WORLD + source, **others)
    found = complete(package.db, *package.at(0))
    taken = next(each for each in found.candidates if each.label == label)
    text = package.db.text("root.ar") or ""
    edits = [(found.span.start, found.span.end, taken.text)]
    edits += [(each.location.start, each.location.end, each.text) for each in taken.edits]
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


# -- members -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "source",
    [
        "derive d(p: Person) :- p: Person, p.$0",
        "derive d(p: Person) :- p: Person, p.$0;",
        "derive d(p: Person) :- p: Person, p.$0 > 3;",
        "fn f(p: Person) -> Int = p.$0",
        "mutate m(p: Person) { require p.$0 }",
        "mutate m(p: Person) {\n    let q = p;\n    let n = q.$0\n}",
        "query q() -> [Int] { select p.$0 from p: Person }",
        'test "t" { assert ann.$0 }',
    ],
)
def test_behind_a_dot_come_the_fields_of_the_value(source: str) -> None:
    found = labels(source)
    assert found[:2] == ["age", "name"]
    assert not {"since", "Person", "ann", "derive"} & set(found)


def test_a_tuple_has_its_ends_and_fields() -> None:
    assert {"who", "at", "since"} <= set(labels("derive d(w: works) :- w: works, w.$0"))


def test_built_in_members_follow_the_type() -> None:
    found = offers("derive d(p: Person) :- p: Person, p.name.$0")
    assert "length" in found or "len" in found
    assert "year" not in found
    assert "year" in offers("derive d(w: works) :- w: works, w.since.$0")


def test_a_chain_of_fields_is_followed() -> None:
    assert labels("derive d(f: Firm) :- f: Firm, f.head.$0")[:2] == ["age", "name"]


def test_letters_narrow_the_offers() -> None:
    assert labels("derive d(p: Person) :- p: Person, p.na$0")[0] == "name"
    assert "age" not in labels("derive d(p: Person) :- p: Person, p.na$0")


# -- paths and types ---------------------------------------------------------------------------------------------------


def test_behind_an_enum_come_its_cases() -> None:
    assert labels("fn f() -> Size = Size::$0") == ["Large", "Small"]
    assert labels("derive d(f: Firm) :- f: Firm, f.size == Size::S$0")[0] == "Small"


def test_behind_a_module_comes_what_it_shows() -> None:
    inside = {"more": "pub type Open { }\ntype Hidden { }"}
    found = labels("mod more;\ntype A { a: self::more::$0 }", **inside)
    assert "Open" in found
    assert "Hidden" not in found


def test_where_a_type_is_wanted_only_types_come() -> None:
    found = labels("type A { a: $0 }")
    assert {"Person", "Firm", "Size", "Int", "Date"} <= set(found)
    assert not {"ann", "twice", "adult", "derive"} & set(found)


def test_an_import_offers_roots_then_packages_then_names() -> None:
    assert {"pkg", "self", "std"} <= set(labels("use $0"))
    assert {"core", "math", "time"} <= set(labels("use std::$0"))
    assert {"today", "now"} <= set(labels("use std::time::{$0"))


# -- rules, values, statements, items ----------------------------------------------------------------------------------


def test_in_a_rule_come_locals_first_then_what_can_be_an_atom() -> None:
    found = labels("derive d(p: Person) :- p: Person, $0")
    assert found[0] == "p"
    assert {"adult", "Person", "works", "not", "exists"} <= set(found)
    assert not {"birthday", "mutate"} & set(found)


def test_a_call_comes_with_its_arguments() -> None:
    assert offers("derive d(p: Person) :- p: Person, wor$0")["works"].insert == "works(${1:who}, ${2:at})"
    assert offers("fn f() -> Int = tw$0")["twice"].insert == "twice(${1:n})"


def test_the_wanted_type_comes_first() -> None:
    source = "derive d(p: Person, f: Firm) :- works(p, f), works(f$0"
    assert labels("derive d(f: Firm, p: Person) :- works(p, f), adult($0)")[0] in ("p", "ann")
    assert labels(source)[0] == "f"
    ranked = labels("derive d(f: Firm, p: Person) :- works(p, f), adult($0)")
    assert ranked.index("p") < ranked.index("f")


def test_a_mutation_offers_statements_and_a_test_assertions() -> None:
    found = labels("mutate m(p: Person) {\n    $0\n}")
    assert {"require", "insert", "let", "p", "birthday"} <= set(found)
    assert "assert" not in found
    assert "assert" in labels('test "t" {\n    $0\n}')


def test_what_can_be_inserted_is_offered_behind_insert() -> None:
    found = labels("mutate m() { insert $0 }")
    assert {"Person", "works"} <= set(found)
    assert not {"twice", "ann"} & set(found)


def test_the_fields_that_are_not_given_yet_are_offered_in_braces() -> None:
    assert labels("mutate m() { insert Person { age: 3, $0 } }") == ["name"]
    assert labels("mutate m(p: Person) { insert Firm { $0 } }") == ["head", "size"]


def test_an_item_begins_with_a_word_of_the_language_or_of_a_vocabulary() -> None:
    found = offers("$0")
    assert {"derive", "query", "test", "type", "rel"} <= set(found)
    assert found["type"].insert.startswith("type ${1:Name}")
    assert "ann" not in found
    assert labels("der$0")[0] == "derive"


# -- silence -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "source",
    [
        "// wor$0",
        "/// wor$0\ntype A { }",
        'fn f() -> String = "wor$0";',
        "type Ne$0 { }",
        "fn f(wor$0: Int) -> Int = 1;",
        "type A { wor$0: Int }",
        "fn f() -> Int = 12$0;",
    ],
)
def test_nothing_comes_where_the_author_gives_a_name_or_writes_words(source: str) -> None:
    assert labels(source) == []


# -- auto-import -------------------------------------------------------------------------------------------------------


def test_a_name_of_another_module_comes_with_its_import() -> None:
    text = accepted("mod more;\ntype A { a: Wid$0 }", "Widget", more="pub type Widget { }")
    assert "use pkg::more::Widget;\npub enum Size" in text
    assert text.endswith("type A { a: Widget }")
    package = marked(text, more="pub type Widget { }")
    assert [each.code for each in package.db.diagnostics() if each.severity == "error"] == []


def test_an_import_goes_behind_the_others() -> None:
    package = marked("//! Docs.\nuse std::time::{today};\nmod more;\ntype A { a: Wid$0 }", more="pub type Widget { }")
    found = complete(package.db, *package.at(0))
    (edit,) = next(each for each in found.candidates if each.label == "Widget").edits
    assert (edit.text, edit.location.start) == ("\nuse pkg::more::Widget;", len("//! Docs.\nuse std::time::{today};"))


def test_an_inline_module_gets_its_own_import() -> None:
    source = "mod more;\nmod inner {\n    /// Docs.\n    type A { a: Wid$0 }\n}"
    text = accepted(source, "Widget", more="pub type Widget { }")
    assert "mod inner {\n    use pkg::more::Widget;\n    /// Docs.\n    type A { a: Widget }\n}" in text
    package = marked(text, more="pub type Widget { }")
    assert [each.code for each in package.db.diagnostics() if each.severity == "error"] == []


def test_what_is_private_is_not_imported() -> None:
    assert "Widget" not in labels("mod more;\ntype A { a: Wid$0 }", more="type Widget { }")


def test_a_std_function_comes_with_its_import() -> None:
    assert "use std::time::today;\n" in accepted("fn f() -> Date = tod$0;", "today")


# -- always ------------------------------------------------------------------------------------------------------------


def test_the_docs_of_an_offer_are_its_hover() -> None:
    package = marked("/// How large.\npub fn size(n: Int) -> Int = n;\nfn f() -> Int = si$0")
    found = next(each for each in complete(package.db, *package.at(0)).candidates if each.label == "size")
    assert found.symbol is not None
    assert "How large." in hover_symbol(package.db, found.symbol)


SOURCE = (
    WORLD + 'derive d(p: Person) :- p: Person, works(p, f), f.size == Size::Small;\ntest "t" { assert adult(ann); }\n'
)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.integers(0, len(SOURCE)), st.integers(0, 40))
def test_no_place_of_a_text_cut_anywhere_raises(offset: int, cut: int) -> None:
    package = marked(SOURCE[:offset] + SOURCE[offset + cut :])
    found = complete(package.db, "root.ar", offset)
    assert found.span.start <= offset <= found.span.end
    assert len({(each.label, each.kind, each.detail) for each in found.candidates}) == len(found.candidates)
