"""What a package sees of the packages that it depends on, and what becomes of them in diagnostics and artifacts."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.artifact.decode import decode
from argon_lang.session.cancellation import Cancellation
from argon_lang.session.compiler import check_inputs, compile_inputs
from argon_lang.session.program import Program
from argon_lang.workspace.sources import inputs_of

LEASE = '[package]\nname = "lease"\nprelude = ["std::core::{type, rel}"]\n[dependencies]\nufo = { path = "../ufo" }\n'
UFO = '[package]\nname = "ufo"\nprelude = ["std::core::{type, rel}"]\n'
WORDS = """
pub metatype kind = {};
pub type Thing { name: String }
type Secret {}
pub(pkg) type Half {}
pub mod deep { pub type Low <: pkg::Thing {} }
fact Thing(anchor) { name: "anchor" };
pub derive known(t: Thing) :- Thing(t);
test "of ufo" { assert true; }
"""


def files(root: str, words: str = WORDS, more: dict[str, str] | None = None) -> dict[str, str]:
    """A package and its dependency."""
    own = {"ox.toml": LEASE, "root.ar": root, "../ufo/ox.toml": UFO, "../ufo/root.ar": words}
    return {**own, **(more or {})}


def codes(texts: dict[str, str]) -> list[tuple[str, str]]:
    """Code and file of every diagnostic."""
    return [(each.code, each.location.file) for each in check_inputs(inputs_of(texts)).diagnostics]


def test_public_items_of_a_dependency_are_used_under_its_name() -> None:
    root = """
    use ufo::{kind, deep::Low};
    kind House <: ufo::Thing { low: Low? }
    fact House(home) { name: "home" };
    query all() -> [ufo::Thing] { select t from ufo::known(t) }
    query anchors() -> [ufo::Thing] { select ufo::anchor from ufo::Thing(ufo::anchor) }
    """
    assert codes(files(root)) == []


def test_what_is_private_or_for_the_package_alone_is_refused_from_outside() -> None:
    found = check_inputs(inputs_of(files("type A { s: ufo::Secret?, h: ufo::Half? }"))).diagnostics
    assert [(each.code, each.message) for each in found] == [
        ("OE0104", "concept `Secret` is private to `ufo`"),
        ("OE0104", "concept `Half` is private to `ufo`"),
    ]
    assert [each.related[0].location.file for each in found] == ["../ufo/root.ar", "../ufo/root.ar"]
    assert "other packages" in found[0].help[0]


def test_only_declared_dependencies_can_be_named() -> None:
    middle = UFO + '[dependencies]\nlow = { path = "low" }\n'
    more = {
        "../ufo/ox.toml": middle,
        "../ufo/low/ox.toml": '[package]\nname = "low"\n',
        "../ufo/low/root.ar": "pub struct S {}",
    }
    words = "pub struct Holder { s: low::S }"
    assert codes(files("struct A { s: low::S }", words, more)) == [("OE0101", "root.ar")]
    assert codes(files("struct A { s: ufo::Holder }", words, more)) == []


def test_warnings_in_a_dependency_are_its_own() -> None:
    assert codes(files("struct A {}", WORDS + "use pkg::deep::Low;")) == []
    assert codes(files("struct A {}", WORDS, {"../ufo/lost.ar": ""})) == []


def test_errors_in_a_dependency_are_told_at_its_entry_once_and_stop_the_build() -> None:
    texts = files("type A { t: ufo::Thing? }", WORDS + "struct B { x: Nothing, y: Never }")
    (found,) = check_inputs(inputs_of(texts)).diagnostics
    assert (found.code, found.location.file) == ("OE1247", "ox.toml")
    assert found.message == "dependency `ufo` does not check: OE0101 at `../ufo/root.ar`"
    assert compile_inputs(inputs_of(texts)).artifact is None


def test_a_mistake_in_the_manifest_of_a_dependency_is_told_at_its_entry() -> None:
    texts = files("type A { t: ufo::Thing? }", WORDS, {"../ufo/ox.toml": UFO + "[dependencies]\nx = '1'\n"})
    assert codes(texts) == [("OE1247", "ox.toml")]


def test_the_artifact_holds_a_dependency_under_its_name_without_its_tests() -> None:
    data = compile_inputs(inputs_of(files('type House <: ufo::Thing {}\ntest "own" { assert true; }'))).artifact
    assert data is not None
    module = decode(data).whole
    assert {"pkg::House", "ufo::Thing", "ufo::deep::Low"} <= {each.path for each in module.concepts}
    assert [case.name for case in module.tests] == ["own"]


def test_a_cap_of_the_package_is_not_for_the_rules_of_a_dependency() -> None:
    texts = files("type A <: ufo::Thing {}", WORDS + "derive odd(t: Thing) :- Thing(t), not known(t);")
    texts["ox.toml"] = LEASE.replace("prelude", 'max_tier = "structural"\nprelude')
    assert codes(texts) == []


def test_an_edit_in_a_dependency_is_seen_by_a_program_that_lives_on() -> None:
    program, go = Program(), Cancellation()
    before, after = files("type A <: ufo::Thing {}"), files("type A <: ufo::Thing {}", "pub struct Thing {}")
    for texts in (before, after, before, {**before, "ox.toml": '[package]\nname = "lease"\n'}):
        inputs = inputs_of(texts)
        assert program.check(inputs, go) == check_inputs(inputs)


def test_a_prelude_may_come_from_a_dependency() -> None:
    texts = files("kind House <: Low {}")
    texts["ox.toml"] = LEASE.replace("prelude = [", 'prelude = ["ufo::*", "ufo::deep::Low", ')
    assert codes(texts) == []


def test_an_entry_of_a_prelude_that_leads_to_nothing_is_an_error_at_its_place() -> None:
    for wrong in ("ufo::Secret", "ufo::nothing", "std::core::nothing", "lease::Item", "std::nowhere::*"):
        texts = files("type A { n: Int }")
        texts["ox.toml"] = LEASE.replace("prelude = [", f'prelude = ["{wrong}", ')
        (found,) = check_inputs(inputs_of(texts)).diagnostics
        assert (found.code, texts["ox.toml"][found.location.start : found.location.end]) == ("OE0101", f'"{wrong}"')
        assert compile_inputs(inputs_of(texts)).artifact is None


def test_a_dependency_without_its_entry_file_is_in_error() -> None:
    texts = files("type A { n: Int }")
    del texts["../ufo/root.ar"]
    (found,) = check_inputs(inputs_of(texts)).diagnostics
    assert found.message == "dependency `ufo` does not check: OE0103 at `../ufo/root.ar`"


def test_a_package_without_a_name_has_no_dependencies_and_says_why() -> None:
    texts = {**files("struct A { n: Int }"), "ox.toml": '[package]\n[dependencies]\nufo = { path = "../ufo" }\n'}
    assert codes(texts) == [("OE1246", "ox.toml")]


ROOTS = ("type House <: ufo::Thing {}", "kind Hut {}", "derive d(t: ufo::Thing) :- ufo::known(t);", "mod m;", "type X")
MORE = (WORDS, WORDS.replace("pub type", "type"), "pub struct Thing { n: Nat }", "mod deep;", "pub type Thing <:")
HEADS = (LEASE, LEASE.replace("prelude = [", 'prelude = ["ufo::*", '), LEASE.partition("[dependencies]")[0], "[package")
STATES = st.tuples(st.sampled_from(ROOTS), st.sampled_from(MORE), st.sampled_from(HEADS), st.booleans())


@given(st.lists(STATES, min_size=2, max_size=5))
@settings(max_examples=25, deadline=None, derandomize=True)
def test_after_any_history_of_both_packages_the_answer_is_that_of_a_cold_check(
    history: list[tuple[str, str, str, bool]],
) -> None:
    program, go = Program(), Cancellation()
    for root, words, head, there in history:
        texts = {**files(root, words), "ox.toml": head}
        if not there:
            texts = {path: text for path, text in texts.items() if not path.startswith("../")}
        inputs = inputs_of(texts)
        assert program.check(inputs, go) == check_inputs(inputs)
        assert program.compile(inputs, go) == compile_inputs(inputs)
