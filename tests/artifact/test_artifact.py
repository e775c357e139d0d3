"""An artifact holds the module, the same bytes everywhere; its hash is the module's meaning and nothing else."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from argon_lang.artifact.decode import LoadedArtifact, decode, module_hash, stamp
from argon_lang.artifact.encode import encode
from argon_lang.artifact.layout import MANDATORY
from argon_lang.artifact.sections import mandatory_module, read_section, sections_of, source_map
from argon_lang.ir import module as m
from argon_lang.ir import rules as r
from argon_lang.ir.module import Module
from argon_lang.queries.snippet import module_of
from tests.artifact.sample import X, rule, sample
from tests.ir.strategies import instances

ROOT = Path(__file__).parents[2]
DIGEST = "d" * 64


def test_the_whole_module_comes_back_with_the_digest_of_its_inputs() -> None:
    loaded = decode(encode(sample(), DIGEST))
    assert loaded.whole == sample()
    assert loaded.inputs_digest == DIGEST
    assert loaded.lattice == (("default", ()), ("p::Office", ()), ("p::Tax", ("p::Office",)))


def test_tests_and_sources_are_not_read_before_they_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = decode(encode(sample(), DIGEST))
    asked: list[str] = []

    def watch(name: str, data: memoryview) -> Any:
        asked.append(name)
        return read_section(name, data)

    monkeypatch.setattr("argon_lang.artifact.decode.read_section", watch)
    assert loaded.module == replace(sample(), tests=(), source=m.SourceMap())
    assert asked == []
    assert loaded.tests == sample().tests
    assert asked == ["tests"]
    assert loaded.whole.source == sample().source
    assert asked == ["tests", "source-map", "doc-blocks"]


@settings(max_examples=40, deadline=None, derandomize=True)
@given(instances(Module, 6))
def test_any_module_comes_back_from_its_sections(program: Module) -> None:
    contents = {name: read_section(name, memoryview(data)) for name, data in sections_of(program).items()}
    source = source_map(contents.get("source-map"), contents.get("doc-blocks"))
    assert replace(mandatory_module(contents), tests=contents.get("tests", ()), source=source) == program


def test_a_module_without_tests_and_sources_has_the_mandatory_sections_only() -> None:
    bare = replace(sample(), tests=(), source=m.SourceMap())
    assert tuple(sections_of(bare)) == MANDATORY
    assert decode(encode(bare, DIGEST)).whole == bare


def test_the_stamp_is_that_of_the_loaded_artifact() -> None:
    data = encode(sample(), DIGEST)
    loaded = decode(data)
    assert (stamp(data).inputs_digest, stamp(data).module_hash) == (loaded.inputs_digest, loaded.module_hash)
    assert module_hash(data) == loaded.module_hash
    assert len(loaded.module_hash) == 64


def _hash(module: Module, inputs_digest: str = DIGEST) -> str:
    return module_hash(encode(module, inputs_digest))


def test_what_does_not_change_the_meaning_does_not_change_the_module_hash() -> None:
    here = sample()
    moved = replace(here.source, declarations=(("p::Person", m.Span("p/root.ar", 99, 0, 99, 10)),))
    for other in (
        replace(here, source=moved),
        replace(here, source=replace(here.source, docs=(("p::Person", "Another comment."),))),
        replace(here, tests=()),
    ):
        assert encode(other, DIGEST) != encode(here, DIGEST)
        assert _hash(other) == _hash(here)
    assert _hash(here, "e" * 64) == _hash(here)


def test_what_changes_the_meaning_changes_the_module_hash() -> None:
    here = sample()
    fewer = replace(here, facts=here.facts[1:])
    other_rule = rule("p::shy/1", (X,), r.Match("p::Person", (X,), 1))
    for other in (
        fewer,
        replace(here, rules=(*here.rules[:-1], other_rule)),
        replace(here, version="0.1.1"),
        replace(here, tiers=here.tiers[1:]),
    ):
        assert _hash(other) != _hash(here)


PRINT = """
import hashlib, random, sys
from argon_lang.queries.snippet import module_of
from tests.artifact.sample import sample
from argon_lang.artifact.encode import encode
sys.stdout.write(hashlib.sha256(encode(sample(), "d" * 64)).hexdigest())
"""


@pytest.mark.parametrize(
    ("seed", "zone", "language"),
    [("0", "UTC", "C"), ("1", "Asia/Kathmandu", "C.UTF-8"), ("4242", "America/St_Johns", "de_DE.UTF-8")],
)
def test_the_bytes_are_the_same_under_any_hash_seed_time_zone_and_locale(
    seed: str, zone: str, language: str, tmp_path: Path
) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": language, "PYTHONPATH": str(ROOT)}
    run = subprocess.run(
        [sys.executable, "-c", PRINT], env=environment, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert run.stdout == hashlib.sha256(encode(sample(), DIGEST)).hexdigest()


FILES = {
    "root.ar": "mod a;\nmod b;\n",
    "a.ar": "use std::core::{type, rel};\npub type Person { name: String }\npub rel knows(a: Person, b: Person);\n"
    'fact Person(ann) { name: "Ann" };\nfact Person(bob) { name: "Bob" };\nfact knows(ann, bob);\n',
    "b.ar": "use pkg::a::{Person, knows};\npub derive reach(x: Person, y: Person) :- knows(x, y);\n"
    "derive reach(x: Person, y: Person) :- reach(x, m), knows(m, y);\n"
    "pub derive alone(x: Person) :- x: Person, not exists { knows(x, y) };\n",
}


def test_the_bytes_are_the_same_in_whatever_order_the_files_and_items_come() -> None:
    expected = _compiled(FILES)
    lines = FILES["b.ar"].splitlines()
    for order in permutations(FILES):
        assert _compiled({name: FILES[name] for name in order}) == expected
    for order in permutations(lines[1:]):
        shuffled = {**FILES, "b.ar": "\n".join([lines[0], *order])}
        assert module_hash(_compiled(shuffled)) == module_hash(expected)


def _compiled(files: dict[str, str]) -> bytes:
    module = module_of(files)
    assert module is not None
    return encode(module, DIGEST)


def test_a_loaded_artifact_encodes_to_the_same_bytes() -> None:
    data = encode(sample(), DIGEST)
    loaded: LoadedArtifact = decode(data)
    assert encode(loaded.whole, loaded.inputs_digest) == data


def test_rules_that_no_predicate_names_are_vouched_for_too() -> None:
    """Those of joined selects, optional rows and tables of a query, and of aggregates in expressions."""
    source = """
        type Shop { next: Shop?, sizes: [Int] }
        fn sizes(s: Shop) -> Int = count(n for n in s.sizes);
        query either() -> [Shop?] {
            with large = (select s from s: Shop where count(n for n in s.sizes) > 3);
            select t from s: Shop optional from t = s.next union select s from large(s)
        }
    """
    module = module_of({"root.ar": source})
    assert module is not None
    assert decode(encode(module, DIGEST)).whole == module
