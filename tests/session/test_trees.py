"""Texts that were parsed before come from the cache as the same trees; where anything is amiss they are parsed anew."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from argon_lang.queries import parsed as parsed_form
from argon_lang.queries.parsed import parse
from argon_lang.session import trees as session_trees
from argon_lang.session.cancellation import Cancellation
from argon_lang.session.checking import remembered_check, remembered_compile
from argon_lang.session.compiler import check_inputs, compile_inputs
from argon_lang.session.editor.edited import Edited, OpenText
from argon_lang.session.trees import LEAST_TEXT, Trees
from argon_lang.syntax.packed import KeptItem
from argon_lang.workspace.cache import NO_CACHE, Cache
from argon_lang.workspace.root import Project
from argon_lang.workspace.sources import Inputs, inputs_of
from benchmarks.generate_source import package
from tests.queries.test_parsed import assert_equal
from tests.syntax.test_incremental import random_edit

MANIFEST = '[package]\nname = "bench"\nprelude = ["std::core::{type, rel}"]\n'
TEXTS = package(4, 300)
FILE = sorted(TEXTS)[0]
TEXT = TEXTS[FILE]
LONG = [text for text in TEXTS.values() if len(text) >= LEAST_TEXT]


def inputs(**other: str) -> Inputs:
    return inputs_of({"ox.toml": MANIFEST, **TEXTS, **other})


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


@pytest.fixture
def parses(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that were parsed as a whole."""
    found: list[str] = []
    monkeypatch.setattr(session_trees, "parse", lambda text: found.append(text) or parse(text))
    return found


def kept(cache: Cache, *texts: str) -> None:
    trees = Trees(cache)
    for text in texts:
        trees.parsed(FILE, text)
    trees.keep()


def entries(cache: Cache) -> list[Path]:
    return sorted(cache.folder.glob("*/*")) if cache.folder is not None else []


def test_the_generated_texts_are_long_enough_to_be_kept() -> None:
    assert len(LONG) == 4


def test_a_text_that_was_kept_is_not_parsed_again(cache: Cache, parses: list[str]) -> None:
    kept(cache, TEXT)
    found = Trees(cache).parsed("another/file.ar", TEXT)
    assert parses == [TEXT]
    assert found is not None
    assert_equal(found, parse(TEXT))


def test_of_an_edited_text_only_the_edited_item_is_parsed(cache: Cache, parses: list[str]) -> None:
    kept(cache, TEXT)
    after = TEXT.replace(".level", ".level + 1", 1)
    found = Trees(cache, {FILE: TEXT}).parsed(FILE, after)
    assert parses == [TEXT]
    assert found is not None
    assert_equal(found, parse(after))


def test_a_short_text_is_left_to_whoever_wants_to_know(cache: Cache) -> None:
    assert Trees(cache).parsed(FILE, "type A;\n") is None


def test_without_a_cache_nothing_is_parsed_here_nor_kept() -> None:
    trees = Trees(NO_CACHE)
    assert trees.parsed(FILE, TEXT) is None
    trees.keep()


def test_a_text_that_is_no_unicode_is_parsed(cache: Cache) -> None:
    text = TEXT + "\ud800 \n"
    kept(cache, text)
    found = Trees(cache).parsed(FILE, text)
    assert found is not None
    assert_equal(found, parse(text))


@pytest.mark.parametrize("seed", range(40))
def test_a_damaged_entry_is_parsed_anew_and_kept_anew(cache: Cache, seed: int) -> None:
    kept(cache, TEXT)
    (entry,) = entries(cache)
    whole = entry.read_bytes()
    entry.write_bytes(_damaged(whole, random.Random(seed)))
    trees = Trees(cache)
    found = trees.parsed(FILE, TEXT)
    assert found is not None
    assert_equal(found, parse(TEXT))
    trees.keep()
    assert entry.read_bytes() == whole


def _damaged(data: bytes, chance: random.Random) -> bytes:
    """Cut off, made longer, emptied, or changed in a few places."""
    way, place = chance.randrange(4), chance.randrange(len(data))
    if way == 0:
        return data[:place]
    if way == 1:
        return data + chance.randbytes(1 + place % 50)
    if way == 2:
        return b""
    found = bytearray(data)
    for _ in range(chance.randint(1, 5)):
        at = chance.randrange(len(found))
        found[at] ^= 1 + chance.randrange(255)
    return bytes(found)


def test_an_entry_of_another_text_in_its_place_is_parsed_anew(cache: Cache) -> None:
    other = TEXT.replace("level", "lever")
    kept(cache, TEXT)
    (own,) = entries(cache)
    kept(cache, other)
    (foreign,) = set(entries(cache)) - {own}
    own.write_bytes(foreign.read_bytes())
    found = Trees(cache).parsed(FILE, TEXT)
    assert found is not None
    assert_equal(found, parse(TEXT))


def test_an_entry_that_cannot_be_read_is_parsed_anew(cache: Cache) -> None:
    kept(cache, TEXT)
    (entry,) = entries(cache)
    entry.unlink()
    entry.mkdir()
    trees = Trees(cache)
    assert trees.parsed(FILE, TEXT) is not None
    trees.keep()


def test_an_entry_with_a_checksum_of_its_own_and_another_form_is_parsed_anew(
    cache: Cache, monkeypatch: pytest.MonkeyPatch, parses: list[str]
) -> None:
    monkeypatch.setattr(session_trees, "to_bytes", lambda _: parsed_form.to_bytes(parse("type A;\n")))
    kept(cache, TEXT)
    found = Trees(cache).parsed(FILE, TEXT)
    assert parses == [TEXT, TEXT]
    assert found is not None
    assert_equal(found, parse(TEXT))


def test_many_writers_of_the_same_texts_leave_whole_entries(cache: Cache) -> None:
    texts = [TEXT, *(TEXT.replace("level", f"level{number}") for number in range(3))]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: kept(cache, *texts), range(8)))
    for text in texts:
        found = Trees(cache).parsed(FILE, text)
        assert found is not None
        assert_equal(found, parse(text))


def test_the_entries_stay_within_what_the_cache_may_take(tmp_path: Path) -> None:
    kept(Cache(tmp_path), TEXT)
    size = sum(path.stat().st_size for path in entries(Cache(tmp_path)))
    small = Cache(tmp_path, most=3 * size)
    kept(small, *(TEXT.replace("level", f"level{number}") for number in range(6)))
    assert sum(path.stat().st_size for path in entries(small)) <= 3 * size
    assert len(entries(small)) >= 2


def test_a_check_by_another_process_parses_what_changed_and_says_the_same(cache: Cache, parses: list[str]) -> None:
    remembered_check(inputs(), cache)
    assert len(parses) == len(LONG)
    for number, (old, new) in enumerate([(".level", ".level + 1"), ("amount", "amounts"), (".level", ".levels")]):
        after = inputs(**{FILE: TEXT.replace(old, new, 1 + number)})
        assert remembered_check(after, cache) == check_inputs(after)
    assert len(parses) == len(LONG)


def test_a_walk_of_edits_in_new_processes_says_what_checks_of_everything_say(
    cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Short texts too. An edit that leaves no error lets the next check look at a part alone."""
    monkeypatch.setattr(session_trees, "LEAST_TEXT", 0)
    chance, texts = random.Random(5), dict(package(3, 60))
    for _ in range(25):
        given = inputs_of({"ox.toml": MANIFEST, **texts})
        assert remembered_check(given, cache) == check_inputs(given)
        file = chance.choice(sorted(texts))
        start, end, new = random_edit(chance, len(texts[file]))
        edited = texts[file][:start] + new + texts[file][end:]
        texts = {**package(3, 60), file: edited} if chance.random() < 0.7 else {**texts, file: edited}


def test_an_editor_takes_trees_that_a_check_kept_and_says_the_same(cache: Cache, tmp_path: Path) -> None:
    root = tmp_path / "bench"
    root.mkdir()
    for path, text in {"ox.toml": MANIFEST, **TEXTS}.items():
        (root / path).write_text(text, encoding="utf-8")
    kept(cache, *LONG)
    stop = Cancellation()
    warm, cold = (Edited(Project(root, "flag"), cache=each) for each in (cache, NO_CACHE))
    assert warm.diagnostics(stop) == cold.diagnostics(stop)
    after = TEXT.replace("amount", "amounts", 3)
    for each in (warm, cold):
        each.put(FILE, OpenText(FILE, 1, after))
    assert warm.diagnostics(stop) == cold.diagnostics(stop)
    items = [item for document in warm.database.documents().values() for item in document.items]
    assert any(isinstance(item, KeptItem) for item in items)


def test_a_build_takes_its_trees_from_the_check_before_it(cache: Cache, parses: list[str]) -> None:
    remembered_check(inputs(), cache)
    parses.clear()
    assert remembered_compile(inputs(), cache) == compile_inputs(inputs())
    assert parses == []


def test_the_environment_turns_it_off(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ARGON_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("ARGON_CACHE", "off")
    remembered_check(inputs())
    assert list(tmp_path.iterdir()) == []
    monkeypatch.delenv("ARGON_CACHE")
    remembered_check(inputs())
    assert len(entries(Cache(tmp_path))) > len(LONG)
