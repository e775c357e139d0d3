"""Equal programs are equal modules: order and private names play no part."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.ir.module import Module, SourceMap
from tests.ir.lower.programs import lowered, lowered_files

ITEMS = (
    "type Person { name: String, age: Int = 1 }",
    "type Worker <: Person;",
    "rel knows(a: Person, b: Person) [0..*] [0..*] { since: Date? }",
    "struct Pair { a: Int, b: Int = 2 }",
    'fact Worker(ann) { name: "Ann" };',
    'fact Person(bob) { name: "Bob", age: 3 };',
    "fact knows(ann, bob) { since: #2020-01-01# };",
    "fn old(p: Person) -> Bool = p.age > 2;",
    "derive far(a, b) :- knows(a, b);",
    "derive far(a, b) :- knows(a, m), far(m, b);",
    "derive aged(p) :- Person(p), old(p), not far(p, p);",
    "query names() -> [String] { select p.name from Person(p), aged(p) order by p.name }",
    "check self_known(p: Person) :- knows(p, p) => Diagnostic { message: p.name };",
    "mutate meet(a: Person, b: Person) { insert knows(a, b); }",
    'test "they meet" { meet(ann, bob); assert derivable knows(ann, bob); }',
)


def without_source(module: Module) -> Module:
    return replace(module, source=SourceMap())


@settings(max_examples=12, deadline=None, derandomize=True)
@given(st.permutations(ITEMS))
def test_the_order_of_items_changes_nothing_but_the_source_map(items: list[str]) -> None:
    assert without_source(lowered("\n".join(items))) == without_source(lowered("\n".join(ITEMS)))


def test_the_order_of_files_changes_nothing_but_the_source_map() -> None:
    files = {
        "root.ar": "mod a;\nmod b;\n",
        "a.ar": "pub type T;\nfact T(one);\n",
        "b.ar": "use super::a::T;\nderive p(x) :- T(x);\n",
    }
    turned = {**dict(reversed(files.items())), "root.ar": "mod b;\nmod a;\n"}
    assert without_source(lowered_files(files)) == without_source(lowered_files(turned))


def test_renaming_the_variables_of_a_rule_changes_no_content_id() -> None:
    world = "type P { age: Int, tags: [String] }\nrel r(a: P, b: P) { n: Int }\n"
    first = 'derive p(x, n) :- r(x, y), j: r, j.a == y, n = j.n + 1, not exists { t in y.tags, t == "a" }, r(y, _);'
    second = 'derive p(k, m) :- r(k, l), e: r, e.a == l, m = e.n + 1, not exists { s in l.tags, s == "a" }, r(l, _);'
    assert lowered(world + first).rules == lowered(world + second).rules


def test_a_comment_or_a_moved_line_changes_no_content_id() -> None:
    world = "type P { age: Int }\n"
    assert (
        lowered(world + "derive p(x) :- P(x), x.age > 3;").rules
        == lowered(world + "// so it is\n\n\nderive p(x)\n    :- P(x), /* old */\n    x.age > 3;").rules
    )


def test_another_condition_is_another_rule() -> None:
    world = "type P { age: Int }\n"
    ids = {lowered(world + f"derive p(x) :- P(x), x.age > {n};").rules[-1].id for n in (3, 4)}
    assert len(ids) == 2
