"""A small module with one of everything that an artifact carries."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

from argon_lang.ir import expr as e
from argon_lang.ir import module as m
from argon_lang.ir import rules as r
from argon_lang.ir import statements as s
from argon_lang.ir.codec import rule_id
from argon_lang.ir.lower.tiers import tier_table
from argon_lang.ir.values import Entity, EnumValue, Money, StructValue, Value
from argon_lang.program import types as t

PERSON, SIZE = t.Named("concept", "p::Person"), t.Named("enum", "p::Size")
X, Y, Z = r.Var("v0"), r.Var("v1"), r.Var("v2")
TAGS: Value = frozenset(Entity(f"p::tag{n}") for n in range(12))


def rule(key: str, terms: tuple[r.Term, ...], *body: r.Literal, origin: str = "clause") -> r.Rule:
    """A rule with its content id."""
    return r.Rule(rule_id(key, terms, body), key, terms, body, origin)


def _rules() -> tuple[r.Rule, ...]:
    return (
        rule("p::Person", (X,), r.Match("p::Person^", (X,), 1), origin="subsumption"),
        rule("p::near/2", (X, Y), r.Match("p::knows", (X, Y), 1), r.Not((r.Match("p::shy/1", (Y,), 3),), 2)),
        rule("p::reach/2", (X, Y), r.Match("p::knows", (X, Y), 1)),
        rule("p::reach/2", (X, Z), r.Match("p::reach/2", (X, Y), 1), r.Match("p::knows", (Y, Z), 2)),
        rule("p::shy/1", (X,), r.Match("p::Person.tags", (X, r.Const(TAGS)), 1)),
    )


def _span(line: int) -> m.Span:
    return m.Span("p/root.ar", line, 0, line, 10)


def sample() -> m.Module:
    """The module, as lowering would give it."""
    rules = _rules()
    check = rule("p::lonely!", (X,), r.Match("p::Person", (X,), 1), origin="check")
    module = m.Module(
        "p",
        "0.1.0",
        concepts=(
            m.Concept(
                "p::Person",
                "type",
                (),
                (
                    m.Field("rent", "p::Person.rent", t.MONEY, True, False, False, 0, None, None),
                    m.Field("tags", "p::Person.tags", t.SetOf(PERSON), False, True, False, 0, None, None),
                ),
                abstract=True,
                conditions=((e.Binary("==", e.Local("self"), e.Local("self"), t.BOOL), "self == self"),),
            ),
        ),
        relations=(m.Relation("p::knows", "rel", (("a", PERSON), ("b", PERSON)), ((0, 1), (0, None)), (), ()),),
        groups=(m.Group(("p::Person",), "p::Person", True, True), m.Group(("p::Person",), None, True, False)),
        structs=(m.Struct("p::Note", (("text", t.STRING, e.Lit("none")),)),),
        enums=(m.Enum("p::Size", (m.Variant("Small", ()), m.Variant("Big", (("0", t.INT),)))),),
        predicates=(r.Predicate("p::near/2", "derived", (("a", PERSON), ("b", PERSON))),),
        rules=rules,
        individuals=(("p::ann", Entity("p::ann")),),
        facts=(
            m.Fact("p::Person.rent", (Entity("p::ann"), Money(Decimal("12.50"))), datetime(2026, 1, 1, tzinfo=UTC)),
            m.Fact("p::Person.tags", (Entity("p::ann"), TAGS)),
            m.Fact("p::Person^", (Entity("p::ann"),)),
        ),
        standpoints=(m.Standpoint("p::Office", ()), m.Standpoint("p::Tax", ("p::Office",))),
        claims=(
            m.Claim(m.Fact("p::Person^", (Entity("p::ann"),)), "p::Tax"),
            m.Claim(m.Fact("p::near/2", (Entity("p::ann"), Entity("p::ann"))), against=True),
        ),
        defaults=(m.Default(rules[1].id, "usual", 1),),
        functions=(
            m.Function("p::big", (m.Param("n", t.INT),), SIZE, e.Lit(EnumValue("p::Size", "Big", (3,))), False),
        ),
        queries=(
            m.Query("p::people", (), t.ListOf(PERSON), "many", "p::Person", None, (), True, False, (), None, None),
        ),
        checks=(m.Check("p::lonely", 1, check, e.MakeStruct("p::Note", (("text", e.Lit("alone")),))),),
        mutations=(
            m.Mutation(
                "p::add",
                (m.Param("rent", t.MONEY),),
                PERSON,
                (s.InsertEntity("p::Person", (("p::Person.rent", e.Local("rent")),), "it"), s.Return(e.Local("it"))),
            ),
        ),
        tests=(s.TestCase("p", "adds", (s.Assert(e.Lit(StructValue("p::Note", (("text", "x"),))), "x"),)),),
        source=m.SourceMap(
            (("p::Person", _span(3)),),
            (m.RuleSource(rules[1].id, _span(9), (("v0", "a"),), ((_span(9), "knows(a, b)"),)),),
            (("p", "adds", _span(20), (_span(21),)),),
            (("p::Person", "Someone."),),
        ),
    )
    return replace(module, tiers=tier_table(module))
