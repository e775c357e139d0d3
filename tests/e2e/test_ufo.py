"""`examples/ufo`, a package in its words, and a broken twin of that package whose every mistake is marked."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from argon_lang.problems import Diagnostic
from tests.catalog.compiled import check_files
from tests.support.cli import ROOT
from tests.support.markers import check_marked, expected

EXAMPLES = ROOT / "examples"
CODES = (
    "OE0211", "OE0228", "OE0229", "OE0233", "OE0240", "OE0241", "OE0242", "OE0243", "OE0601", "OE0602", "OE0603",
    "OE0604", "OE0605", "OE0606", "OE0607", "OE0631", "OE0633", "OE0665", "OE0666", "OE0668",
)  # fmt: skip


def package(name: str, *beside: str) -> dict[str, str]:
    """The files of an example by relative path, with those of the packages beside it."""
    found: dict[str, str] = {}
    for each in (name, *beside):
        folder = EXAMPLES / each
        prefix = "" if each == name else f"../{each}/"
        for path in sorted([*folder.rglob("*.ar"), folder / "ox.toml"]):
            found[prefix + path.relative_to(folder).as_posix()] = path.read_text("utf-8")
    return found


def changed(files: Mapping[str, str], *changes: tuple[str, str, str]) -> list[Diagnostic]:
    """The diagnostics after replacing a text in some of the files."""
    texts = dict(files)
    for file, old, new in changes:
        assert texts[file].count(old) == 1
        texts[file] = texts[file].replace(old, new)
    return check_files(texts)


def test_the_vocabulary_and_the_domain_are_free_of_problems() -> None:
    assert check_files(package("ufo")) == []
    assert check_files(package("clinic", "ufo")) == []


def test_every_mistake_of_the_broken_twin_is_found_where_it_is_marked_and_no_other() -> None:
    files = package("clinic_broken", "ufo")
    check_marked(files, check_files(files))


def test_the_broken_twin_shows_every_code_of_the_meta_calculus_and_of_concepts() -> None:
    shown = {mark.code for mark in expected(package("clinic_broken"))}
    assert shown == set(CODES)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("world.ar", "fact treats(cough, cleo);\n", ""), "plays a role, and nothing binds it"),
        (("world.ar", "fact given_in(cough, r1);\n", "fact Treatment(cold) { doses: 1 };\n"), "binds fewer than two"),
        (("world.ar", "fact part_of(r1, west);\n", "fact part_of(west, west);\n"), "would be part of itself"),
        (("world.ar", "fact guards(ann, cleo);\n", ""), "has no guardian"),
        (
            ("root.ar", "role Patient", "kind Veteran <: Patient;\npub role Patient"),
            "Veteran lasts, and Patient passes",
        ),
    ],
)
def test_axioms_of_the_vocabulary_and_of_the_domain_are_decided_over_declared_facts(
    change: tuple[str, str, str], message: str
) -> None:
    found = [each for each in changed(package("clinic", "ufo"), change) if each.severity == "error"]
    assert [each.code for each in found] == ["OE1354"] * len(found)
    assert any(message in each.message for each in found), found


def test_a_vocabulary_s_private_words_stay_its_own() -> None:
    found = changed(package("clinic", "ufo"), ("../ufo/root.ar", "pub metatype thing", "metatype thing"))
    assert [each.code for each in found if each.severity == "error"] == []


def test_another_metatype_in_the_vocabulary_changes_what_a_domain_may_say() -> None:
    found = changed(
        package("clinic", "ufo"),
        ("../ufo/root.ar", "(bond: relator, bound: thing);", "(bond: relator);"),
    )
    own = [each for each in found if each.location.file == "root.ar"]
    assert {each.code for each in own if each.severity == "error"} == {"OE0633"}
