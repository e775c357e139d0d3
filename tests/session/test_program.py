"""A package under check for long: what it says after any history is what a cold check says."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.errors import ArgonError
from argon_lang.session.cancellation import Cancellation
from argon_lang.session.compiler import check_inputs, compile_inputs
from argon_lang.session.program import Program
from argon_lang.workspace.sources import inputs_of
from tests.support.served_packages import BROKEN, MANIFEST, SMALL

GO = Cancellation()
ROOTS = (
    SMALL,
    BROKEN,
    SMALL + "mod more;\n",
    "// a comment\n" + SMALL,
    SMALL + 'fact Person(cid) { name: "Cid" };\n',
    SMALL.replace("pub rel knows(who: Person", "pub rel knows(who: String"),
    "",
)
MORES = (None, "pub type Thing;\n", "pub type Thing\n")
MANIFESTS = (MANIFEST, MANIFEST.replace('"small"', '"other"'), MANIFEST + '[lint]\nOW0107 = "error"\n', "[package\n")

states = st.tuples(st.sampled_from(ROOTS), st.sampled_from(MORES), st.sampled_from(MANIFESTS))


def texts_of(state: tuple[str, str | None, str]) -> dict[str, str]:
    root, more, manifest = state
    return {"root.ar": root, "ox.toml": manifest} | ({"more.ar": more} if more is not None else {})


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.lists(states, min_size=1, max_size=6))
def test_after_any_history_check_and_artifact_are_those_of_a_cold_start(
    history: list[tuple[str, str | None, str]],
) -> None:
    program = Program()
    for state in history:
        inputs = inputs_of(texts_of(state))
        assert program.check(inputs, GO) == check_inputs(inputs)
        assert program.compile(inputs, GO) == compile_inputs(inputs)


def test_a_fast_check_leaves_out_the_gates_over_the_whole_program() -> None:
    recursive = SMALL + "derive alone(p: Person) :- p: Person, not paired(p);\n"
    recursive += "derive paired(p: Person) :- p: Person, q = p, not alone(q), count(x, knows(p, x)) > 0;\n"
    inputs = inputs_of({"root.ar": BROKEN, "ox.toml": MANIFEST})
    program = Program()
    fast = program.check(inputs, GO, fast=True)
    assert [each.code for each in fast.diagnostics] == ["OE0101"]
    orphan = inputs_of({"root.ar": recursive, "ox.toml": MANIFEST})
    full = {each.code for each in program.check(orphan, GO).diagnostics}
    assert {each.code for each in program.check(orphan, GO, fast=True).diagnostics} <= full


def test_a_cancelled_check_ends_and_the_next_one_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    inputs = inputs_of({"root.ar": SMALL, "ox.toml": MANIFEST})
    program, cancelled = Program(), Cancellation()
    cancelled.cancel()
    with pytest.raises(ArgonError) as caught:
        program.check(inputs, cancelled)
    assert caught.value.code == "ARGON_RUNTIME_CANCELLED"
    assert program.check(inputs, GO) == check_inputs(inputs)


def test_many_threads_get_the_answers_to_their_own_inputs() -> None:
    program = Program()
    versions = [inputs_of({"root.ar": SMALL + f"fact Person(p{n}) {{}};\n", "ox.toml": MANIFEST}) for n in range(6)]
    found: dict[int, object] = {}

    def ask(number: int) -> None:
        found[number] = program.check(versions[number], GO)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(6)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert found == {number: check_inputs(inputs) for number, inputs in enumerate(versions)}


def test_a_path_is_no_part_of_the_answer(tmp_path: Path) -> None:
    checked = Program().check(inputs_of({"root.ar": BROKEN, "ox.toml": MANIFEST}), GO)
    assert {each.location.file for each in checked.diagnostics} == {"root.ar"}
    assert str(tmp_path) not in str(checked)
