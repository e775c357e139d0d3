"""Of many texts that nobody has parsed, most are parsed by a process beside this one, and the answer is the same."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from argon_lang.queries.parsed import Parsed, parse, to_bytes
from argon_lang.session import trees
from argon_lang.session.trees import Trees
from argon_lang.workspace.cache import NO_CACHE, Cache
from benchmarks.generate_source import package

PARENT = os.getpid()
TEXTS = [text for text in package(4, 200).values() if len(text) >= trees.LEAST_TEXT]
PARSED = parse
BESIDE = trees._parsed_beside


@pytest.fixture(autouse=True)
def _two_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trees, "MUCH_TEXT", 10)
    monkeypatch.setattr(trees, "processors", lambda: 2)
    monkeypatch.setattr(trees, "may_fork", lambda: True)


def forms(made: Trees) -> list[bytes | None]:
    found = [made.parsed(f"{number}.ar", text) for number, text in enumerate(TEXTS)]
    return [None if each is None else to_bytes(each) for each in found]


def wanted() -> list[bytes | None]:
    return [to_bytes(PARSED(text)) for text in TEXTS]


def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    here: list[str] = []

    def noted(text: str) -> Parsed:
        here.append(text)
        return PARSED(text)

    monkeypatch.setattr(trees, "parse", noted)
    return here


def test_the_later_part_is_parsed_beside_and_everything_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, made = counted(monkeypatch), Trees(Cache(tmp_path))
    made.expect(TEXTS)
    assert forms(made) == wanted()
    assert 0 < len(here) < len(TEXTS)
    made.keep()
    assert forms(Trees(Cache(tmp_path))) == wanted()
    assert len(here) < len(TEXTS)


def _dies(texts: list[str]) -> bytes:
    if os.getpid() != PARENT:
        os._exit(3)
    return BESIDE(texts)


def test_where_the_process_dies_everything_is_parsed_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trees, "_parsed_beside", _dies)
    here, made = counted(monkeypatch), Trees(Cache(tmp_path))
    made.expect(TEXTS)
    assert forms(made) == wanted()
    assert here == TEXTS


def test_what_is_in_the_cache_is_not_parsed_beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Trees(Cache(tmp_path))
    forms(made)
    made.keep()
    monkeypatch.setattr(trees, "beside", None)
    again = Trees(Cache(tmp_path))
    again.expect(TEXTS)
    assert forms(again) == wanted()


def test_without_a_cache_or_with_little_text_nothing_is_parsed_beside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trees, "beside", None)
    Trees(NO_CACHE).expect(TEXTS)
    monkeypatch.setattr(trees, "MUCH_TEXT", 10**9)
    Trees(Cache(tmp_path)).expect(TEXTS)
    Trees(Cache(tmp_path)).expect([])


def _refused(work: Callable[[], bytes]) -> None:
    raise OSError


def test_where_no_process_can_be_begun_everything_is_parsed_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trees, "beside", _refused)
    here, made = counted(monkeypatch), Trees(Cache(tmp_path))
    made.expect(TEXTS)
    assert forms(made) == wanted()
    assert here == TEXTS


def test_a_lone_large_text_is_parsed_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trees, "beside", None)
    made = Trees(Cache(tmp_path))
    made.expect(TEXTS[:1])
    assert made.parsed("one.ar", TEXTS[0]) is not None
