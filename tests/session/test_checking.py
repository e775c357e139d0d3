"""What the cache answers is what a check and a build answer."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from argon_lang.session import checking, compiler
from argon_lang.session.cancellation import Cancellation
from argon_lang.session.checking import remembered_check, remembered_compile
from argon_lang.session.compiler import check_inputs, compile_inputs
from argon_lang.session.program import Program
from argon_lang.workspace.cache import Cache
from argon_lang.workspace.root import Project
from argon_lang.workspace.sources import inputs_of, read_inputs
from tests.support.markers import FIXTURES, files_of

CASES = sorted((FIXTURES / "check").iterdir())
ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_remembered_check_is_the_check(tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inputs, cache = inputs_of(files_of(path)), Cache(tmp_path)
    first = remembered_check(inputs, cache)
    assert first == check_inputs(inputs)
    monkeypatch.delattr(compiler, "check_inputs")
    assert remembered_check(inputs, cache) == first


@pytest.mark.parametrize("name", ["lease", "hello"])
def test_a_remembered_build_is_the_build(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    inputs, cache = read_inputs(Project(ROOT / "examples" / name, "flag")), Cache(tmp_path)
    first = remembered_compile(inputs, cache)
    assert first == compile_inputs(inputs)
    assert first.artifact is not None
    monkeypatch.delattr(compiler, "compile_inputs")
    assert remembered_compile(inputs, cache) == first


def test_a_refused_build_is_remembered_with_its_diagnostics(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inputs, cache = inputs_of({"root.ar": "struct A { b: B }"}), Cache(tmp_path)
    first = remembered_compile(inputs, cache)
    monkeypatch.delattr(compiler, "compile_inputs")
    assert remembered_compile(inputs, cache) == first
    assert (first.artifact, [each.code for each in first.diagnostics]) == (None, ["OE0101"])


def test_a_damaged_entry_is_ignored_and_rewritten(tmp_path: Path) -> None:
    inputs, cache = inputs_of({"root.ar": "struct A { b: B }"}), Cache(tmp_path)
    first = remembered_check(inputs, cache)
    (file,) = (path for path in tmp_path.rglob("*") if path.is_file())
    whole = file.read_bytes()
    for damage in (b"", whole[:-1], whole + b"x", b"\xff" * len(whole)):
        file.write_bytes(damage)
        assert remembered_check(inputs, cache) == first
        assert file.read_bytes() == whole


def test_a_value_of_another_shape_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inputs = inputs_of({"root.ar": "struct A { b: B }"})
    for value in (b"", b"\x00", b"\x81\x01", b"\xa1\x01\x02", b"\x84\x41\x00\x00\x00\x00"):
        monkeypatch.setattr(Cache, "get", lambda _cache, _key, value=value: value)
        assert remembered_check(inputs, Cache(tmp_path)).inputs_digest == inputs.digest
        assert [each.code for each in remembered_compile(inputs, Cache(tmp_path)).diagnostics] == ["OE0101"]


def test_another_text_is_another_answer(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    wrong, right = inputs_of({"root.ar": "struct A { b: B }"}), inputs_of({"root.ar": "struct A { b: Int }"})
    assert [remembered_check(each, cache).ok for each in (wrong, right, wrong, right)] == [False, True, False, True]


def test_a_served_program_takes_its_first_answer_from_the_cache(tmp_path: Path) -> None:
    inputs, cache = inputs_of({"root.ar": "struct A { b: B }"}), Cache(tmp_path)
    first = Program(cache).check(inputs, Cancellation())
    program = Program(cache)
    assert program.check(inputs, Cancellation()) == first
    other = inputs_of({"root.ar": "struct A { b: Int }"})
    assert program.check(other, Cancellation()) == check_inputs(other)
    assert program.compile(inputs, Cancellation()) == compile_inputs(inputs)


def test_text_that_is_no_unicode_is_answered_and_not_kept(tmp_path: Path) -> None:
    inputs, cache = inputs_of({"root.ar": 'struct A { b: Int }\nfn f() -> String = "\ud800";\n'}), Cache(tmp_path)
    assert remembered_check(inputs, cache) == check_inputs(inputs)
    assert remembered_check(inputs, cache) == check_inputs(inputs)


def test_an_answer_for_which_the_time_may_not_have_sufficed_is_not_kept(tmp_path: Path) -> None:
    inputs, cache = inputs_of({"root.ar": "struct A { b: B }"}), Cache(tmp_path)
    found, now = check_inputs(inputs), time.monotonic()
    checking.keep(found, cache, now - 31)
    assert checking.recall(inputs, cache) is None
    checking.keep(found, cache, now - 1)
    assert checking.recall(inputs, cache) == found
