"""A check that looks only at what changed says what a check of everything says."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from argon_lang.problems import ItemId
from argon_lang.program.view import PackageInfo
from argon_lang.queries.database import Database
from argon_lang.session.checking import remembered_check
from argon_lang.session.compiler import check_inputs
from argon_lang.session.recheck import concerned_part, remarked_in
from argon_lang.session.states import State
from argon_lang.workspace.cache import Cache
from argon_lang.workspace.sources import inputs_of
from benchmarks.generate_source import package
from tests.support.markers import FIXTURES, files_of

ROOT = Path(__file__).resolve().parents[2]
INFO = PackageInfo("bench", prelude=("std::core::{type, rel}",))
WORD = re.compile(r"[A-Za-z_]\w+")
Texts = dict[str, str]


def example(name: str) -> Texts:
    """An example package as if it were called `bench`."""
    files = [path for path in (ROOT / "examples" / name).rglob("*.ar") if "target" not in path.parts]
    return {f"bench/{path.relative_to(ROOT / 'examples' / name).as_posix()}": path.read_text("utf-8") for path in files}


def generated(files: int, lines: int) -> Texts:
    return {f"bench/{path}": text for path, text in package(files, lines).items()}


def fixtures() -> list[Texts]:
    """The fixtures of the checker, each as a package."""
    found = [files_of(path) for path in sorted((FIXTURES / "check").iterdir())]
    return [{f"bench/{path}": text for path, text in each.items() if path.endswith(".ar")} for each in found]


def database(texts: Mapping[str, str]) -> Database:
    made = Database(INFO)
    made.set_files(texts)
    return made


# -- edits that a person makes ----------------------------------------------------------------------------------------


def item_removed(texts: Texts, file: str, chance: random.Random) -> None:
    db = database(texts)
    tree = db.tree(chance.choice(db.items(file)))
    texts[file] = texts[file].replace(tree.text if tree is not None else "", "", 1)


def item_copied(texts: Texts, file: str, chance: random.Random) -> None:
    db = database(texts)
    other = chance.choice(sorted(texts))
    tree = db.tree(chance.choice(db.items(other)))
    texts[file] += tree.text if tree is not None else ""


def word_replaced(texts: Texts, file: str, chance: random.Random) -> None:
    """One word of the file becomes another word of the package."""
    words = [found.span() for found in WORD.finditer(texts[file])]
    others = [found[0] for text in texts.values() for found in WORD.finditer(text)]
    if words and others:
        start, end = chance.choice(words)
        texts[file] = texts[file][:start] + chance.choice(others) + texts[file][end:]


def name_changed(texts: Texts, file: str, chance: random.Random) -> None:
    """One word of the file gets another letter, everywhere in the file or in one place."""
    words = [found[0] for found in WORD.finditer(texts[file])]
    if words:
        word = chance.choice(words)
        texts[file] = re.sub(rf"\b{word}\b", f"{word}x", texts[file], count=chance.choice([0, 1]))


def line_moved(texts: Texts, file: str, chance: random.Random) -> None:
    lines = texts[file].split("\n")
    line = lines.pop(chance.randrange(len(lines)))
    lines.insert(chance.randrange(len(lines) + 1), line)
    texts[file] = "\n".join(lines)


def typed(texts: Texts, file: str, chance: random.Random) -> None:
    start = chance.randrange(len(texts[file]) + 1)
    end = min(len(texts[file]), start + chance.choice([0, 0, 1, 12]))
    new = chance.choice(["x", ".", "not ", "pub ", "0", "", "", "fact Z(a);\n", "type Z;\n", "use std::time::today;\n"])
    texts[file] = texts[file][:start] + new + texts[file][end:]


EDITS: tuple[Callable[[Texts, str, random.Random], None], ...] = (
    item_removed, item_copied, word_replaced, name_changed, line_moved, typed,
)  # fmt: skip


def state_of(texts: Texts) -> State | None:
    """The state that a check of these texts leaves behind; None when they are in error."""
    db = database(texts)
    remarked = remarked_in(db)
    return None if remarked is None else State(dict(texts), remarked)


def walk(texts: Texts, seed: int, count: int) -> int:
    """A walk of edits, each compared with a check of everything; how often less than everything was looked at."""
    chance, narrowed = random.Random(seed), 0
    state = state_of(texts)
    for step in range(count if state is not None else 0):
        before = dict(texts)
        for _ in range(chance.choice([1, 1, 2])):
            chance.choice(EDITS)(texts, chance.choice(sorted(texts)), chance)
        db, whole = database(texts), database(texts).diagnostics()
        part = concerned_part(state, db, share=1.0) if state is not None else None
        db.narrow(part)
        assert db.diagnostics() == whole, (seed, step)
        narrowed += part is not None and len(part) < sum(len(db.items(file)) for file in texts)
        after = state_of(texts)
        if after is not None:
            state = after
        elif chance.random() < 0.7:
            texts = before
    return narrowed


@pytest.mark.parametrize("seed", [3, 102, 113])
def test_a_walk_over_the_example_says_what_a_check_of_everything_says(seed: int) -> None:
    assert walk(example("lease"), seed, 6)


@pytest.mark.parametrize("seed", [4, 152])
def test_a_walk_over_a_generated_package_says_what_a_check_of_everything_says(seed: int) -> None:
    assert walk(generated(3, 120), seed, 5)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_walk_over_the_vocabulary_says_what_a_check_of_everything_says(seed: int) -> None:
    walk(example("ufo"), seed, 3)


def test_a_walk_over_each_fixture_says_what_a_check_of_everything_says() -> None:
    for seed, texts in enumerate(fixtures()):
        walk(texts, seed, 2)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1_000, 1_300))
def test_long_walks_say_what_a_check_of_everything_says(seed: int) -> None:
    chance = random.Random(seed)
    walk(chance.choice([example("lease"), generated(3, 120), *fixtures()]), seed, 15)


# -- what is looked at ------------------------------------------------------------------------------------------------


def part_after(texts: Texts, file: str, old: str, new: str) -> set[ItemId]:
    """The items that are looked at after the first `old` of a file became `new`."""
    state = state_of(texts)
    assert state is not None
    assert old in texts[file]
    found = concerned_part(state, database({**texts, file: texts[file].replace(old, new, 1)}))
    assert found is not None
    return set(found)


def test_an_edit_of_one_file_leaves_the_other_files_alone() -> None:
    part = part_after(generated(6, 120), "bench/part003.ar", "x.closed == false", "x.closed == true")
    assert {item.file for item in part} == {"bench/part003.ar"}


def test_an_edit_that_changes_nothing_looks_at_nothing() -> None:
    texts = generated(3, 120)
    state = state_of(texts)
    assert state is not None
    assert concerned_part(state, database(texts)) == frozenset()


TWO = {
    "bench/root.ar": "mod a;\nmod b;\nmod c;\n",
    "bench/a.ar": "pub type Lease { rent: Int }\n\npub derive dear(x: Lease) :- x: Lease, x.rent > 9;\n",
    "bench/b.ar": "use pkg::a::dear;\n\npub query all_dear() -> [Int] { select x.rent from dear(x) }\n",
    "bench/c.ar": "pub fn twice(n: Int) -> Int = n * 2;\n",
}


def test_a_changed_rule_concerns_those_who_read_it_and_no_others() -> None:
    part = part_after(TWO, "bench/a.ar", "> 9", "> 10")
    assert {item.label for item in part if item.file != "bench/root.ar"} == {
        "concept Lease", "derive dear/1", "query all_dear", "use pkg::a::dear",
    }  # fmt: skip


def test_a_new_fact_concerns_the_check_that_it_breaks() -> None:
    report = '=> Diagnostic { severity: Severity::Error, message: "dear" };\n'
    check = f"use std::core::{{Diagnostic, Severity}};\n\ncheck no_dear(x: pkg::a::Lease) :- pkg::a::dear(x) {report}"
    texts = {**TWO, "bench/c.ar": check}
    state = state_of(texts)
    assert state is not None
    texts["bench/b.ar"] += "fact pkg::a::Lease(flat) { rent: 30 };\n"
    db = database(texts)
    db.narrow(concerned_part(state, db, share=1.0))
    assert [(each.code, each.location.file) for each in db.diagnostics()] == [("OE1354", "bench/c.ar")]


def test_another_module_or_another_file_is_a_case_for_a_check_of_everything() -> None:
    state = state_of(TWO)
    assert state is not None
    assert concerned_part(state, database({**TWO, "bench/root.ar": "mod a;\nmod b;\n"})) is None
    assert concerned_part(state, database({**TWO, "bench/d.ar": ""})) is None


# -- what is kept -----------------------------------------------------------------------------------------------------

SAVED = {path.removeprefix("bench/"): text for path, text in TWO.items()}
EDITED = {**SAVED, "a.ar": SAVED["a.ar"].replace("> 9", "> later")}


def states(cache: Path) -> list[Path]:
    """The kept entries, the largest last: the state beside the answers."""
    return sorted((path for path in cache.rglob("*") if path.is_file()), key=lambda path: path.stat().st_size)


def test_a_check_after_a_check_of_other_texts_says_what_a_first_check_says(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    assert remembered_check(inputs_of(SAVED), cache) == check_inputs(inputs_of(SAVED))
    assert remembered_check(inputs_of(EDITED), cache) == check_inputs(inputs_of(EDITED))


@pytest.mark.parametrize("damage", ["empty", "short", "long", "other bytes", "another value", "another version"])
def test_a_state_that_is_not_whole_is_as_good_as_none(tmp_path: Path, damage: str) -> None:
    cache = Cache(tmp_path)
    remembered_check(inputs_of(SAVED), cache)
    for file in states(tmp_path):
        whole, key = file.read_bytes(), file.parent.name + file.name
        if damage == "another value":
            cache.put(key, b"\x82\x01\x02")
        elif damage == "another version":
            file.write_bytes(b"ARGONCA0" + whole[8:])
        else:
            made = {"empty": b"", "short": whole[:-1], "long": whole + b"x", "other bytes": b"\xff" * len(whole)}
            file.write_bytes(made[damage])
    assert remembered_check(inputs_of(EDITED), cache) == check_inputs(inputs_of(EDITED))


def test_a_state_of_another_manifest_is_not_taken(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    remembered_check(inputs_of(SAVED), cache)
    other = {**EDITED, "ox.toml": '[package]\nname = "other"\n[lints]\nOW0109 = "error"\n'}
    assert remembered_check(inputs_of(other), cache) == check_inputs(inputs_of(other))


def test_a_state_in_error_is_not_kept_and_the_one_before_it_still_serves(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    remembered_check(inputs_of(SAVED), cache)
    before = {path: path.read_bytes() for path in states(tmp_path)}
    remembered_check(inputs_of(EDITED), cache)
    after = {path: path.read_bytes() for path in states(tmp_path)}
    assert len(after) == len(before) + 1
    assert before.items() <= after.items()


def test_many_processes_may_keep_states_of_one_package_at_the_same_time(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    versions = [inputs_of({**SAVED, "a.ar": SAVED["a.ar"].replace("> 9", f"> {number}")}) for number in range(8)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda inputs: remembered_check(inputs, cache), [*versions, inputs_of(EDITED)] * 2))
    assert found == [check_inputs(inputs) for inputs in [*versions, inputs_of(EDITED)]] * 2
