"""`ox.lock` from the first build on: written, kept, compared, renewed; told where a dependency stands in `ox.toml`."""

from __future__ import annotations

from pathlib import Path

import pytest

from argon_lang.session.project import Project
from argon_lang.workspace.pins import lock_text, read_pins

LEASE = '[package]\nname = "lease"\n[dependencies]\nufo = { path = "../ufo" }\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A package beside the one that it depends on."""
    for name, text in {
        "lease/ox.toml": LEASE,
        "lease/root.ar": "struct A { s: ufo::S }\n",
        "ufo/ox.toml": '[package]\nname = "ufo"\n',
        "ufo/root.ar": "pub struct S { n: Int }\nfn own() -> Int = 1;\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def opened(folder: Path) -> Project:
    return Project.open(folder / "lease")


def refusals(folder: Path) -> list[tuple[str, str, str]]:
    """Code, file and first help of every diagnostic of a check."""
    found = opened(folder).check().diagnostics
    return [(each.code, each.location.file, each.help[0]) for each in found]


def test_the_first_build_writes_the_lock_and_the_artifact_rests_on_it(folder: Path) -> None:
    built = opened(folder).build()
    assert (built.ok, built.wrote) == (True, True)
    pins = read_pins((folder / "lease" / "ox.lock").read_bytes())
    assert pins is not None
    assert [(pin.name, pin.path, len(pin.content)) for pin in pins.values()] == [("ufo", "../ufo", 64)]
    assert opened(folder).build().current
    assert not opened(folder).freshness().dirty


def test_a_package_without_dependencies_has_no_lock(folder: Path) -> None:
    assert Project.open(folder / "ufo").build().wrote
    assert not (folder / "ufo" / "ox.lock").exists()


def test_a_changed_dependency_is_refused_until_it_is_locked_again(folder: Path) -> None:
    opened(folder).build()
    words = folder / "ufo" / "root.ar"
    words.write_text(words.read_text().replace("= 1", "= 2"))
    assert refusals(folder) == [("OE1242", "ox.toml", "what `ufo` exports is the same as it was")]
    before = (folder / "lease" / "ox.lock").read_bytes()
    assert not opened(folder).build().ok
    assert (folder / "lease" / "ox.lock").read_bytes() == before
    words.write_text(words.read_text().replace("n: Int", "n: Nat"))
    assert refusals(folder) == [("OE1242", "ox.toml", "what `ufo` exports has changed too")]
    assert opened(folder).build(update_lock=True).wrote
    assert refusals(folder) == []
    assert (folder / "lease" / "ox.lock").read_bytes() != before


def test_a_refused_build_writes_no_lock(folder: Path) -> None:
    (folder / "lease" / "root.ar").write_text("struct A { s: ufo::T }\n")
    assert not opened(folder).build().ok
    assert not (folder / "lease" / "ox.lock").exists()


def test_a_dependency_that_is_dropped_leaves_the_lock_with_the_next_build(folder: Path) -> None:
    opened(folder).build()
    (folder / "more").mkdir()
    (folder / "more" / "ox.toml").write_text('[package]\nname = "more"\n')
    (folder / "more" / "root.ar").write_text("pub struct M { n: Int }\n")
    (folder / "lease" / "ox.toml").write_text(LEASE + 'more = { path = "../more" }\n')
    assert opened(folder).build().wrote
    assert list(read_pins((folder / "lease" / "ox.lock").read_bytes()) or ()) == ["more", "ufo"]
    (folder / "lease" / "ox.toml").write_text(LEASE)
    assert opened(folder).build().wrote
    assert list(read_pins((folder / "lease" / "ox.lock").read_bytes()) or ()) == ["ufo"]


@pytest.mark.parametrize("damage", [b"", b"\xff", b"version = 2\n", b"version = 1\npackage = 3\n", b"[[package]]\n"])
def test_an_unreadable_lock_is_refused_and_renewed_on_demand(folder: Path, damage: bytes) -> None:
    lock = folder / "lease" / "ox.lock"
    lock.write_bytes(damage)
    assert refusals(folder) == [("OE1242", "ox.toml", "if the change is meant, run `argon build --update-lock`")]
    assert opened(folder).build(update_lock=True).wrote
    assert refusals(folder) == []


def test_the_lock_is_read_as_it_was_written(folder: Path) -> None:
    opened(folder).build()
    data = (folder / "lease" / "ox.lock").read_bytes()
    assert lock_text((read_pins(data) or {}).values()) == data
