"""Tiers and strata: caps, and the construct that goes over them."""

from __future__ import annotations

import pytest

from argon_lang.engine.strata import stratify
from argon_lang.gates.tiers import cycles_of
from argon_lang.ir.lower.tiers import TIERS, tier_of
from argon_lang.ir.rules import Match, Not, Rule, Var
from argon_lang.queries.snippet import check_files

RULES = """type Stop;
rel line(a: Stop, b: Stop);
derive reach(a, b) :- line(a, b);
derive reach(a, b) :- reach(a, m), line(m, b);
derive terminus(s) :- Stop(s), not line(s, _);
"""
MANIFEST = '[package]\nname = "p"\nprelude = ["std::core::{{type, rel}}"]\nmax_tier = "{}"\n'


def over(cap: str) -> list[tuple[str, str]]:
    files = {"ox.toml": MANIFEST.format(cap), "root.ar": RULES}
    return [(each.code, each.message) for each in check_files(files)]


@pytest.mark.parametrize(("cap", "names"), [("structural", ["reach", "terminus"]), ("expressive", ["reach"])])
def test_a_rule_above_the_cap_is_refused(cap: str, names: list[str]) -> None:
    found = over(cap)
    assert [code for code, _ in found] == ["OE0711"] * len(names)
    assert all(
        f"`{name}`" in message and f"`{cap}`" in message for name, (_, message) in zip(names, found, strict=True)
    )


def test_a_variable_that_ranges_over_types_needs_the_highest_tier() -> None:
    text = "type P;\ntype Q <: P;\nderive kind(x: P) :- P(x), {};\n"
    ranging = ("specializes(t, P), iof(x, t)", "m = meta(x), specializes(m, type)", "specializes(t, P), not iof(x, t)")
    for atoms in ranging:
        files = {"ox.toml": MANIFEST.format("modal"), "root.ar": text.format(atoms)}
        (found,) = [each for each in check_files(files) if each.severity == "error"]
        assert (found.code, "metaorder" in found.message) == ("OE0711", True), atoms
    for atoms in ("iof(x, Q)", "specializes(Q, P)", "meta(x) == type"):
        assert check_files({"ox.toml": MANIFEST.format("structural"), "root.ar": text.format(atoms)}) == [], atoms


@pytest.mark.parametrize("cap", ["recursive", "fol", "modal", "metaorder"])
def test_a_high_cap_admits_everything(cap: str) -> None:
    assert over(cap) == []


def test_the_construct_that_raises_the_tier_is_pointed_at() -> None:
    (reach, terminus) = check_files({"ox.toml": MANIFEST.format("structural"), "root.ar": RULES})
    for diagnostic, text in ((reach, "reach(a, m)"), (terminus, "not line(s, _)")):
        ((related),) = diagnostic.related
        assert RULES[related.location.start : related.location.end] == text
        assert f"`{text}` raises it" in related.message


def test_tiers_are_ordered_and_a_rule_has_the_least_that_admits_it() -> None:
    v = (Var("v"),)
    plain = Rule("1", "p/1", v, (Match("q", v),))
    negated = Rule("2", "p/1", v, (Match("q", v), Not((Match("r", v),))))
    recursive = Rule("3", "p/1", v, (Not((Match("r", v),)), Match("p/1", v)))
    cycle = cycles_of(stratify([plain, recursive]))["p/1"]
    found = [tier_of(plain)[0], tier_of(negated)[0], tier_of(recursive, cycle)[0]]
    assert found == sorted(found, key=TIERS.index) == ["structural", "expressive", "recursive"]


def test_recursion_through_an_exception_names_what_it_defeats() -> None:
    text = """type Bird;
#[default] #[label(usual)] derive flies(b: Bird) :- Bird(b);
#[defeats(flies.usual(b))] derive tired(b: Bird) :- landed(b);
derive landed(b: Bird) :- flies(b);
"""
    (found,) = check_files({"root.ar": text})
    assert found.code == "OW0502"
    assert "`flies` → `not defeats(flies.usual)` → `landed` → `flies`" in found.message
    assert text[found.location.start : found.location.end] == "#[default]"


def test_recursion_through_negation_shows_the_way_back() -> None:
    text = """type Stop;
rel line(a: Stop, b: Stop);
derive stuck(a) :- Stop(a), not free(a);
derive free(a) :- way(a, b), stuck(b);
derive way(a, b) :- line(a, b);
"""
    (diagnostic,) = check_files({"root.ar": text})
    assert text[diagnostic.location.start : diagnostic.location.end] == "free(a)"
    assert diagnostic.code == "OW0502"
    assert "`stuck` → `not free` → `stuck`" in diagnostic.message


def test_a_cap_forbids_recursion_through_negation_and_says_so_once() -> None:
    text = """type Stop;
rel line(a: Stop, b: Stop);
derive stuck(a: Stop) :- Stop(a), line(a, b), not stuck(b);
"""
    (refused,) = check_files({"ox.toml": MANIFEST.format("expressive"), "root.ar": text})
    assert refused.code == "OE0501"
    (warned,) = check_files({"ox.toml": MANIFEST.format("recursive"), "root.ar": text})
    assert warned.code == "OW0502"
