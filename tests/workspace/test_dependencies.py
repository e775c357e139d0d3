"""Path dependencies: which packages there are, what is refused, and that every byte of them is an input."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.workspace.dependencies import Packages
from argon_lang.workspace.root import Project
from argon_lang.workspace.sources import inputs_of, read_inputs


def manifest(name: str, **paths: str) -> str:
    """An `ox.toml`; `_` in a dependency's name stands for `-`."""
    rows = "".join(f"{key.replace('_', '-')} = {{ path = '{path}' }}\n" for key, path in paths.items())
    return f'[package]\nname = "{name}"\n[dependencies]\n{rows}'


def packages(**texts: str) -> Packages:
    """The packages of some manifests by folder; `root` is the package's own, `up_` begins a folder beside it."""
    files = {"ox.toml" if at == "root" else f"{at.replace('up_', '../')}/ox.toml": text for at, text in texts.items()}
    return inputs_of(files).packages()


def told(found: Packages) -> list[tuple[str, str, str]]:
    """Code, marked text and first note of every problem."""
    text = found.reading.text
    return [(each.code, text[each.start : each.end], each.notes[0].key) for each in found.problems]


def test_packages_are_found_at_any_remove_and_each_once() -> None:
    found = packages(
        root=manifest("lease", ufo="../ufo", law="law"), up_ufo=manifest("ufo"), law=manifest("law", ufo="../../ufo")
    )
    assert [(each.info.name, each.folder, each.entry) for each in found.dependencies] == [
        ("law", "law", "law"),
        ("ufo", "../ufo", "ufo"),
    ]
    assert found.info.dependencies == ("ufo", "law")
    assert [each.info.dependencies for each in found.dependencies] == [("ufo",), ()]
    assert found.problems == ()


def test_a_hyphen_is_an_underscore_in_paths() -> None:
    found = packages(root=manifest("lease", my_words="w"), w=manifest("my-words"))
    assert found.info.dependencies == ("my_words",)


@pytest.mark.parametrize(
    ("path", "texts", "note"),
    [
        ("../ufo", {}, "missing"),
        ("/srv/ufo", {}, "relative"),
        ("C:/ufo", {}, "relative"),
        ("..\\\\ufo", {}, "relative"),
        ("", {}, "relative"),
        ("ufo", {"ufo": manifest("upper")}, "named"),
        ("ufo", {"ufo": "[package]"}, "named"),
    ],
)
def test_a_dependency_that_is_no_such_package_is_refused_at_its_value(
    path: str, texts: Mapping[str, str], note: str
) -> None:
    found = packages(root=manifest("lease", ufo=path), **texts)
    assert told(found) == [("OE1240", f"{{ path = '{path}' }}", note)]
    assert (found.dependencies, found.info.dependencies) == ((), ())


def test_a_package_whose_name_no_path_can_begin_with_is_refused() -> None:
    for name in ("std", "pkg", "check"):
        assert told(packages(root=manifest("lease", **{name: "d"}), d=manifest(name)))[0][2] == "reserved"


def test_two_packages_of_one_name_are_refused() -> None:
    two = packages(root=manifest("lease", a="a", b="b"), a=manifest("a"), b=manifest("b", a="../c"), c=manifest("a"))
    assert [code for code, _, _ in told(two)] == ["OE1240"]
    own = packages(root=manifest("lease", lease="a"), a=manifest("lease", x="y"))
    assert told(own)[0][2] == "twice"


@pytest.mark.parametrize(
    ("texts", "cycle"),
    [
        ({"root": manifest("lease", lease=".")}, "lease → lease"),
        ({"root": manifest("lease", city="city"), "city": manifest("city", lease="..")}, "lease → city → lease"),
        (
            {"root": manifest("lease", a="a"), "a": manifest("a", b="../b"), "b": manifest("b", a="../a")},
            "a → b → a",
        ),
        (
            {
                "root": manifest("lease", city="../city"),
                "up_city": manifest("city", lease="../lease"),
                "up_lease": manifest("lease", city="../city"),
            },
            "lease → city → lease",
        ),
    ],
)
def test_a_circle_of_dependencies_is_told_once_with_its_packages(texts: Mapping[str, str], cycle: str) -> None:
    (problem,) = packages(**texts).problems
    assert problem.code == "OE1244"
    assert dict(problem.args)["cycle"] == cycle


def on_disk(folder: Path) -> Project:
    """`lease`, which depends on `../ufo`, which has a file and a lock of its own."""
    for name, text in {
        "lease/ox.toml": manifest("lease", ufo="../ufo"),
        "lease/root.ar": "",
        "ufo/ox.toml": manifest("ufo"),
        "ufo/root.ar": "mod deep;",
        "ufo/deep/mod.ar": "",
        "other/root.ar": "no input",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return Project((folder / "lease").resolve(), "flag")


def test_every_file_of_a_dependency_is_an_input_by_its_relative_path(tmp_path: Path) -> None:
    inputs = read_inputs(on_disk(tmp_path))
    assert [file.path for file in inputs.files] == [
        "../ufo/deep/mod.ar", "../ufo/ox.toml", "../ufo/root.ar", "ox.toml", "root.ar",
    ]  # fmt: skip
    assert [source.path for source in inputs.sources("lease")] == ["root.ar"]
    names = {source.file: source.path for source in inputs.all_sources(inputs.packages())}
    assert names == {
        "lease/root.ar": "root.ar",
        "ufo/root.ar": "../ufo/root.ar",
        "ufo/deep/mod.ar": "../ufo/deep/mod.ar",
    }
    assert {inputs.packages().relative(file) for file in names} == set(names.values())


def test_a_change_in_a_dependency_changes_the_digest_and_one_beside_it_does_not(tmp_path: Path) -> None:
    here = on_disk(tmp_path)
    before = read_inputs(here).digest
    (tmp_path / "other" / "root.ar").write_text("changed")
    assert read_inputs(here).digest == before
    (tmp_path / "ufo" / "deep" / "mod.ar").write_text("// changed")
    assert read_inputs(here).digest != before


@pytest.mark.parametrize("path", ["x" * 5_000, "a/" * 3_000, "../" * 200, "é\u0301", " ", "..", "*", "ox.toml"])
def test_a_path_that_no_package_can_have_is_refused_and_read_without_complaint(tmp_path: Path, path: str) -> None:
    here = on_disk(tmp_path)
    (tmp_path / "lease" / "ox.toml").write_text(manifest("lease", ufo=path))
    assert [problem.code for problem in read_inputs(here).packages().problems] == ["OE1240"]


NAMES = st.sampled_from(["lease", "ufo", "city", "pkg", "a-b", "", "é"])
PATHS = st.sampled_from(["ufo", "city", "../ufo", "..", ".", "", "/x", "ufo/city", "a\\\\b", "ufo/../city"])
TEXTS = st.builds(lambda name, rows: manifest(name, **dict(rows)), NAMES, st.lists(st.tuples(NAMES, PATHS), max_size=3))


@given(st.dictionaries(st.sampled_from(["", "ufo/", "city/", "../ufo/", "ufo/city/", "../"]), TEXTS, min_size=1))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_any_manifests_give_packages_whose_dependencies_have_no_circle(texts: Mapping[str, str]) -> None:
    found = inputs_of({f"{folder}ox.toml": text for folder, text in texts.items()}).packages()
    below = {each.info.module: each.info.dependencies for each in found.dependencies} | {"pkg": found.info.dependencies}
    done: set[str] = set()
    while len(done) < len(below):
        ready = {name for name, needs in below.items() if name not in done and done.issuperset(needs)}
        assert ready, below
        done |= ready
