"""Rule variables: scopes, positions that bind, and no importance of order."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.program.model import Binding, ToBinding
from argon_lang.program.types import INT, MONEY, STRING, UNKNOWN, Named
from argon_lang.syntax import nodes
from tests.program.infer.checked import checked

PERSON, WORKER = Named("concept", "pkg::Person"), Named("concept", "pkg::Worker")
ATOMS = (
    "p.wealth > limit",
    "limit = w.wage + 10",
    "employs(f, w)",
    "knows(p, w)",
    "j: employs",
    "j.worker == w",
    "tag in p.tags",
    "not knows(w, other)",
    "not exists { knows(w, third), third.name == tag }",
    "f.title != tag",
)


def shape(binding: Binding) -> tuple[str, str, object]:
    return binding.name, binding.kind, binding.type


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.permutations(ATOMS))
def test_the_order_of_atoms_changes_neither_types_nor_problems(atoms: list[str]) -> None:
    plain = checked(f"derive d(p) :- {', '.join(ATOMS)};")
    found = checked(f"derive d(p) :- {', '.join(atoms)};")
    assert sorted(map(repr, map(shape, found.inference.bindings))) == sorted(
        map(repr, map(shape, plain.inference.bindings))
    )
    assert found.codes == plain.codes == ["OE1303"]


def test_a_variable_is_the_meet_of_its_positions() -> None:
    found = checked("derive d(p: Person) :- Person(p), employs(_, p), p.wage > 3;")
    assert found.binding("p").type == WORKER
    assert found.codes == []


def test_what_a_negated_atom_says_of_an_outer_variable_is_not_believed() -> None:
    found = checked("derive d(p: Person) :- Person(p), not employs(_, p);")
    assert found.binding("p").type == PERSON
    assert found.codes == []


def test_a_name_that_occurs_only_inside_a_scope_is_local_to_it() -> None:
    found = checked("derive d(p: Person) :- Person(p), exists { knows(p, x), knows(x, p) }, not knows(p, y), rich(y);")
    exists = found.node("exists { knows(p, x), knows(x, p) }")
    assert found.binding("x").scope == exists.index
    assert found.binding("y").scope == -1


def test_locals_of_two_scopes_are_two() -> None:
    found = checked("derive d(p) :- Person(p), exists { knows(p, x), rich(x) }, not exists { knows(x, p), rich(x) };")
    first, second = found.binding("x", 0), found.binding("x", 1)
    assert first.id != second.id
    assert first.scope != second.scope
    meanings = [found.meaning("x", nodes.Path, nth) for nth in range(4)]
    assert meanings == [ToBinding(first.id)] * 2 + [ToBinding(second.id)] * 2


def test_a_scope_inside_a_scope_sees_its_variables() -> None:
    found = checked("derive d(p) :- Person(p), not exists { knows(p, x), not exists { knows(x, y), rich(y) } };")
    assert [each.name for each in found.inference.bindings] == ["p", "x", "y"]
    assert found.codes == []


def test_each_wildcard_is_a_local_of_its_own() -> None:
    found = checked("derive d(p) :- knows(p, _), knows(_, p);")
    wildcards = [each for each in found.inference.bindings if each.kind == "wildcard"]
    assert [each.type for each in wildcards] == [PERSON, PERSON]
    assert len({each.id for each in wildcards}) == 2


def test_locals_are_numbered_by_first_occurrence() -> None:
    found = checked("derive d(z, a) :- knows(z, m), m.name == a, not knows(m, _), k = m.wealth, k > 3;")
    starts = [each.start for each in found.inference.bindings]
    assert starts == sorted(starts)
    assert [each.id for each in found.inference.bindings] == list(range(len(starts)))


def test_chains_of_equations_are_followed_whatever_their_order() -> None:
    found = checked("derive d(p, c) :- c = b + 1, b = a, a = p.wealth, Person(p);")
    assert [found.binding(name).type for name in "abc"] == [MONEY] * 3


def test_equations_in_a_circle_leave_their_types_unknown() -> None:
    found = checked("derive d(a, b) :- a = b, b = a;")
    assert found.binding("a").type == UNKNOWN


def test_an_element_of_a_list_has_the_type_of_the_elements() -> None:
    found = checked("derive d(p, t, n) :- Person(p), t in p.tags, n in [1, 2];")
    assert found.binding("t").type == STRING
    assert found.binding("n").type == INT


def test_an_individual_hides_no_variable_and_a_head_parameter_hides_an_individual() -> None:
    assert checked("derive d(p: Person) :- knows(p, ann);").codes == []
    assert checked("derive d(ann: Person) :- Person(ann);").codes == ["OW0110"]


def test_a_let_hides_what_had_the_name_before() -> None:
    found = checked("mutate m(x: Int) { let y = x; let y = y + 1; require y > 0; }")
    first, second = found.binding("y", 0), found.binding("y", 1)
    assert found.codes == ["OW0110"]
    assert found.meaning("y", nodes.Path, 0) == ToBinding(first.id)
    assert found.meaning("y", nodes.Path, 1) == ToBinding(second.id)


def test_locals_of_a_rejects_block_end_with_it() -> None:
    found = checked('test "t" { assert rejects { let x = 1; require x > 2; } assert x == 1; }')
    assert found.codes == ["OE0101"]


def test_a_requirement_and_an_insert_say_what_an_individual_is() -> None:
    assert checked("mutate m(p: Person) { require p.wage > 3; }").codes == ["OE0225"]
    assert checked("mutate m(p: Person) { require Worker(p); require p.wage > 3; }").codes == []
    assert checked("mutate m(p: Person) { insert iof(p, Worker) { wage: 3 }; require p.wage > 3; }").codes == []
