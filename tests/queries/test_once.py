"""A database that is asked once answers as one that remembers what its values rest on."""

from __future__ import annotations

import pytest

from argon_lang.problems import ItemId
from argon_lang.program.view import PackageInfo
from argon_lang.queries.database import Database
from argon_lang.queries.memo import Memory
from argon_lang.queries.once import Once
from benchmarks.generate_source import package

INFO = PackageInfo("bench", prelude=("std::core::{type, rel}",))
WRONG = "\nderive idle(x: Int) :- x = 1;\nfn wrong(a: Int) -> Strin { a + missing }\nuse std::time::days_between;\n"


def filled(files: dict[str, str], *, once: bool) -> Database:
    made = Database(INFO, once=once)
    made.set_files(files)
    return made


def texts(extra: str = "") -> dict[str, str]:
    files = {f"bench/{path}": text for path, text in package(3, 60).items()}
    files["bench/part001.ar"] += extra
    return files


@pytest.mark.parametrize("extra", ["", WRONG, "derive (\n", "type Z { a: Missing }\n"])
def test_the_diagnostics_and_the_module_are_those_of_a_database_that_is_asked_again_and_again(extra: str) -> None:
    once, ever = filled(texts(extra), once=True), filled(texts(extra), once=False)
    assert once.diagnostics() == ever.diagnostics()
    assert once.module() == ever.module()


def test_a_change_of_a_text_is_seen() -> None:
    once = filled(texts(), once=True)
    assert once.diagnostics() == ()
    once.set_file("bench/part001.ar", texts(WRONG)["bench/part001.ar"])
    assert once.diagnostics() == filled(texts(WRONG), once=False).diagnostics() != ()


def test_a_narrowed_database_answers_for_its_part_and_then_for_everything_again() -> None:
    once, ever = filled(texts(WRONG), once=True), filled(texts(WRONG), once=False)
    everything = once.diagnostics()
    for part in (frozenset(once.items("bench/part002.ar")), frozenset[ItemId](), None):
        once.narrow(part)
        ever.narrow(part)
        assert once.diagnostics("bench/part001.ar") == ever.diagnostics("bench/part001.ar")
    assert once.diagnostics() == everything


def test_what_rests_on_a_late_input_is_forgotten_with_it_and_nothing_else() -> None:
    asked: list[str] = []

    def lasting(_: str, key: str) -> str:
        asked.append("lasting")
        return key

    def passing(_: str, key: str) -> str:
        asked.append("passing")
        return f"{memory.get(lasting, key)} {memory.input('part')}"

    def above(_: str, key: str) -> str:
        asked.append("above")
        return memory.get(passing, key).upper()

    memory: Memory[str] = Once("owner")
    for part in ("one", "one", "two"):
        with memory.changing():
            memory.set("part", part)
        assert memory.get(above, "k") == f"K {part.upper()}"
        assert memory.get(passing, "k") == f"k {part}"
    assert asked == ["above", "passing", "lasting", "above", "passing"]


def test_a_value_that_rests_on_itself_is_refused_and_may_be_asked_for_again() -> None:
    def circle(_: str, key: str) -> str:
        return memory.get(circle, key)

    memory: Memory[str] = Once("owner")
    for _ in range(2):
        with pytest.raises(RuntimeError, match="circle rests on itself"):
            memory.get(circle, "k")
