"""Evaluability: the runtime's compiler decides, and the refusal is told in the author's words."""

from __future__ import annotations

import pytest

from argon_lang.engine.compiled import compile_rule
from argon_lang.engine.exprs import Functions
from argon_lang.engine.refusal import Refusal
from argon_lang.gates.evaluability import as_written
from argon_lang.ir.expr import GetMember, Local
from argon_lang.ir.rules import Bind, Match, Predicate, Rule, Var
from argon_lang.program.types import INT, Named
from tests.gates.checking import codes, fixed, found, marked

WORLD = """type Person { name: String, age: Int, tags: [String] }
rel knows(a: Person, b: Person);
derive loud(p: Person) :- knows(p, _);
"""


def test_an_unbound_variable_is_named_as_written_with_an_atom_that_binds_it() -> None:
    text = WORLD + "derive shy(someone: Person) :- not loud(someone);"
    diagnostic = found(text, "OE1303")
    assert diagnostic.message == "nothing binds `someone`"
    assert diagnostic.location.start == text.rindex("someone")
    assert any("`someone: Person`" in line for line in diagnostic.help)
    assert [each.message for each in diagnostic.related] == ["`someone: Person` filters, it does not bind"]
    assert codes(fixed(text, diagnostic)) == []


def test_a_misspelt_variable_is_taken_for_the_one_it_looks_like() -> None:
    text = WORLD + "derive grown(person: Person) :- Person(persn), persn.age > 3;"
    diagnostic = found(text, "OE1303")
    assert marked(text, diagnostic) == "person"
    assert diagnostic.help[0] == "did you mean `persn`?"


def test_a_field_binds_nothing_to_the_variable_that_it_is_read_of() -> None:
    text = WORLD + "derive grown(p: Person) :- p.age > 3;"
    assert marked(text, found(text, "OE1303")) == "p"


def test_a_head_annotation_alone_binds_nothing() -> None:
    text = WORLD + "derive pair(p: Person, q: Person) :- Person(p);"
    diagnostic = found(text, "OE1303")
    assert diagnostic.location.start == text.rindex("q: Person")


def test_a_value_that_needs_another_says_which() -> None:
    text = WORLD + "derive q(p: Person) :- Person(p), n = m + 1, m = n - 1, n > p.age;"
    diagnostic = found(text, "OE1304")
    assert diagnostic.message == "`=` needs `m` bound first"


def test_atoms_that_are_joined_in_an_expression_become_atoms_of_their_own() -> None:
    text = WORLD + "derive deaf(p: Person) :- loud(p) && p.age > 3;"
    diagnostic = found(text, "OE1317")
    assert codes(fixed(text, diagnostic)) == []
    assert "loud(p), p.age > 3" in fixed(text, diagnostic)


@pytest.mark.parametrize(
    ("atom", "nearest"),
    [
        ("loud(q) && p.age > 3", "`loud(q), p.age > 3`"),
        ("[1] == [[2].get(x)? for x in [0]]", "`collect { e from x in xs, … }`"),
    ],
)
def test_what_cannot_be_evaluated_names_the_nearest_form(atom: str, nearest: str) -> None:
    text = WORLD + f"derive odd(p: Person) :- Person(p), {atom};"
    diagnostic = found(text, "OE1317")
    assert marked(text, diagnostic) == atom
    assert diagnostic.help == (f"the nearest form that can be evaluated: {nearest}",)


def test_endless_recursion_says_what_it_computes_and_where() -> None:
    text = "derive floor(0);\nderive floor(n: Int) :- floor(m), n = m + 1;"
    diagnostic = found(text, "OE1318")
    assert diagnostic.message == "`floor` computes ever new values of `n`: `floor`"
    assert marked(text, diagnostic) == "floor"
    assert text[diagnostic.related[0].location.start :].startswith("n = m + 1")


def test_the_question_asked_leaves_out_what_only_filters_or_reads() -> None:
    person, x, v = Named("concept", "P"), Var("x"), Var("v")
    shapes = {"P.age": Predicate("P.age", "field", (("it", person), ("age", INT)))}
    rule = Rule("id", "p/1", (x,), (Match("P.age", (x, v)), Match("P", (x,))))
    asked = as_written(rule, 1, shapes)
    assert asked.body == (Bind("v", GetMember(Local("x"), "age")),)
    assert isinstance(compile_rule(asked, shapes, Functions()), Refusal)
    assert not isinstance(compile_rule(rule, shapes, Functions()), Refusal)


@pytest.mark.parametrize(
    ("atom", "code"),
    [("x.state == Active", "OE1303"), ("told(x, Active)", "OW1305"), ("not told(x, Active)", "OE1303")],
)
def test_a_variant_without_its_enum_is_a_variable_and_the_enum_is_suggested(atom: str, code: str) -> None:
    text = f"""type P {{ state: S }}
enum S {{ Active, Gone }}
rel told(a: P, s: S);
derive d(x: P) :- P(x), {atom};
"""
    diagnostic = found(text, code)
    assert diagnostic.help[0] == "did you mean `S::Active`?"
    assert codes(fixed(text, diagnostic)) == []
