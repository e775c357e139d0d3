"""The watcher: it calls back for what may matter, and for nothing else; a folder that goes and comes back is seen."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from argon_lang.session.watch import Watcher
from tests.support.served_packages import package, save

PATIENCE = 30.0


@pytest.fixture
def watch(tmp_path: Path) -> Iterator[Callable[..., threading.Event]]:
    started: list[Watcher] = []

    def start(root: Path, **more: bool) -> threading.Event:
        changed = threading.Event()
        started.append(Watcher(root, changed.set, **more))
        return changed

    yield start
    for each in started:
        each.stop()


def touched_until(changed: threading.Event, path: Path) -> None:
    """Save until it is noticed: the watcher may not have begun when the first save comes."""
    for number in range(int(PATIENCE * 5)):
        save(path, f"// {number}\n")
        if changed.wait(0.2):
            return
    raise AssertionError("nothing was noticed")


@pytest.mark.parametrize("polling", [False, True])
def test_a_saved_source_is_noticed(watch: Callable[..., threading.Event], tmp_path: Path, polling: bool) -> None:
    root = package(tmp_path)
    changed = watch(root, polling=polling)
    touched_until(changed, root / "root.ar")


def test_a_folder_that_appears_later_is_watched(watch: Callable[..., threading.Event], tmp_path: Path) -> None:
    changed = watch(tmp_path / "small")
    root = package(tmp_path)
    touched_until(changed, root / "root.ar")


def test_a_folder_of_sources_that_is_moved_away_is_noticed(
    watch: Callable[..., threading.Event], tmp_path: Path
) -> None:
    root = package(tmp_path)
    (root / "deep").mkdir()
    save(root / "deep" / "more.ar", "\n")
    changed = watch(root)
    touched_until(changed, root / "root.ar")
    settled(changed)
    (root / "deep").rename(tmp_path / "elsewhere")
    assert changed.wait(PATIENCE)


def settled(changed: threading.Event) -> None:
    """Wait until nothing has been noticed for a while: one save may be told in two parts."""
    while changed.is_set():
        changed.clear()
        changed.wait(0.3)


def test_what_changed_before_the_watcher_was_in_place_is_told(
    watch: Callable[..., threading.Event], tmp_path: Path
) -> None:
    assert watch(package(tmp_path)).wait(PATIENCE)


@pytest.mark.parametrize(
    ("path", "counts"),
    [
        ("root.ar", True),
        ("deep/er/more.ar", True),
        ("deep/er", True),
        ("ox.toml", True),
        ("ox.lock", True),
        ("target/root.oxbin", True),
        ("target/.root.oxbin.12.tmp", False),
        (".root.ar.new", False),
        (".argon/store.sqlite3", False),
        (".git/more.ar", False),
        ("node_modules/more.ar", False),
        ("node_modules", False),
        ("notes.md", False),
    ],
)
def test_only_inputs_and_artifacts_count(tmp_path: Path, path: str, counts: bool) -> None:
    watcher = Watcher(tmp_path / "nowhere", lambda: None)
    watcher.stop()
    assert watcher.counts(str(tmp_path / "nowhere" / path)) is counts
