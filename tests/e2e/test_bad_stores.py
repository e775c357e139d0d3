"""Bad artifacts and stores, a full disk, two writers: one message each, its code and status, and nothing is lost."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing, redirect_stderr, redirect_stdout
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path

import pytest

from argon_lang.artifact import layout
from argon_lang.cli.entry import main
from argon_lang.store.sqlite import SqliteStore
from tests.support.cli import PATIENCE, Done, copy, environment, tree
from tests.support.cli import argon as run_argon

BILL = ("mutate", "bill", "ben", "120.00", "2026-04-20")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The lease example, built, with one write in its store by a process that is gone."""
    root = copy("lease", tmp_path_factory.mktemp("written") / "lease")
    assert run_argon(*BILL, cwd=root).status == 0
    return root


@pytest.fixture
def lease(written: Path, tmp_path: Path) -> Path:
    """A copy of it, to be spoilt."""
    return Path(shutil.copytree(written, tmp_path / "lease"))


def argon(root: Path, *words: str) -> Done:
    with redirect_stdout(StringIO()) as said, redirect_stderr(StringIO()) as told:
        status = main([*words, "--project", str(root)])
    return Done(status, said.getvalue(), told.getvalue())


def refused(root: Path, *words: str, status: int, code: str, says: str) -> None:
    """Refused once, in words and in JSON, and every byte of the project is as it was."""
    before = kept(root)
    done = argon(root, *words)
    assert (done.status, done.out) == (status, ""), done.said
    assert done.err.startswith(f"error[{code}]: "), done.err
    assert says in done.err
    told = json.loads(argon(root, *words, "--json").out)["error"]
    assert (told["code"], says in json.dumps(told, ensure_ascii=False)) == (code, True)
    assert kept(root) == before


def kept(root: Path) -> dict[str, bytes]:
    """Every file but those that SQLite keeps beside a store while it is open."""
    return {name: data for name, data in tree(root).items() if not name.endswith(("-wal", "-shm"))}


# -- artifacts --------------------------------------------------------------------------------------------------------


def newer(data: bytes) -> bytes:
    changed = bytearray(data)
    changed[9] += 9
    return bytes(changed)


ARTIFACTS: list[tuple[Callable[[bytes], bytes], str, str]] = [
    (lambda data: data[:-7], "OE1216", "it ends after"),
    (lambda data: data[:2000] + b"\xff" + data[2001:], "OE1216", "differs from its hash"),
    (lambda data: b"PK\x03\x04" + data, "OE1216", "no Argon artifact"),
    (lambda data: b"", "OE1216", "no Argon artifact"),
    (lambda data: data + b"\n", "OE1216", "1 bytes after its end"),
    (newer, "OE1202", "format"),
]


@pytest.mark.parametrize(("spoil", "code", "says"), ARTIFACTS)
def test_an_artifact_that_is_none_is_told_of_and_never_served(
    lease: Path, spoil: Callable[[bytes], bytes], code: str, says: str
) -> None:
    path = lease / "target" / "root.oxbin"
    whole = path.read_bytes()
    path.write_bytes(spoil(whole))
    refused(lease, "artifact", "show", status=3, code=code, says=says)
    assert argon(lease, "query", "late_payers").status == 0, "a reader builds in memory"
    assert argon(lease, "query", "late_payers", "--dirty", "serve-stale").status in (0, 1, 3)
    assert argon(lease, "build").status == 0
    assert path.read_bytes() == whole


def test_the_bound_on_the_size_of_an_artifact_holds_before_it_is_read(
    lease: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layout, "MAX_FILE", 100)
    assert "more than 100" in argon(lease, "artifact", "show").err


# -- stores -----------------------------------------------------------------------------------------------------------


def sql(statement: str) -> Callable[[Path], object]:
    def run(path: Path) -> None:
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(statement)

    return run


STORES: list[tuple[Callable[[Path], object], str]] = [
    (lambda path: path.write_bytes(path.read_bytes()[:5000]), "store.sqlite3"),
    (lambda path: path.write_bytes(b"SQLite format 3\0" + bytes(4080)), "store.sqlite3"),
    (lambda path: path.write_bytes(b"a text"), "store.sqlite3"),
    (sql("PRAGMA user_version = 99"), "99"),
    (sql("PRAGMA application_id = 7"), "store.sqlite3"),
    (sql("UPDATE transactions SET receipt = x'00'"), "transaction 1"),
    (sql("DELETE FROM events WHERE ordinal = 1"), "transaction 1"),
    (sql("UPDATE store SET generation = 7"), "store.sqlite3"),
    (sql("DROP TABLE events"), "store.sqlite3"),
]


@pytest.mark.parametrize(("spoil", "says"), STORES, ids=range(len(STORES)))
def test_a_store_that_is_damaged_foreign_or_newer_is_refused_and_kept(
    lease: Path, spoil: Callable[[Path], object], says: str
) -> None:
    spoil(lease / ".argon" / "store.sqlite3")
    for words in (
        ("query", "late_payers"),
        ("mutate", "pay", "march"),
        ("log",),
        ("store", "backup"),
        ("fork", "list"),
    ):
        refused(lease, *words, status=3, code="ARGON_RUNTIME_STORE_UNAVAILABLE", says=says)
    assert argon(lease, "status").status == 0


def test_a_second_writer_waits_and_is_told_who_keeps_it(lease: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = SqliteStore.__init__
    monkeypatch.setattr(SqliteStore, "__init__", lambda self, path, **more: made(self, path, **{**more, "wait": 0.05}))
    other = SqliteStore(lease / ".argon" / "store.sqlite3")
    with other.write(datetime.now(UTC)):
        done = argon(lease, "mutate", "pay", "march")
        assert (done.status, "ARGON_RUNTIME_STORE_BUSY" in done.err) == (3, True)
        assert argon(lease, "query", "late_payers").status == 0, "a reader never waits"
    other.close()
    assert argon(lease, "mutate", "pay", "march").status == 0


# -- a full disk ------------------------------------------------------------------------------------------------------

FULL = """
import resource, signal, sys
from argon_lang.cli.entry import main
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
sys.exit(main(sys.argv[2:]))
"""


def full(root: Path, most: int, *words: str) -> Done:
    """A command that may write no file longer than so many bytes, as on a disk that is full from there."""
    run = subprocess.run(
        [sys.executable, "-c", FULL, str(most), *words, "--project", str(root)],
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    return Done(run.returncode, run.stdout, run.stderr)


if sys.platform != "win32":

    def test_on_a_full_disk_nothing_is_written_and_nothing_lost(lease: Path) -> None:
        before = argon(lease, "log", "--json").out
        done = full(lease, 4096, *BILL)
        assert (done.status, done.out) == (3, ""), done.said
        assert done.err.startswith("error[ARGON_RUNTIME_STORE_UNAVAILABLE]: "), done.err
        assert argon(lease, "log", "--json").out == before
        assert argon(lease, *BILL).status == 0

    def test_on_a_full_disk_a_build_and_a_backup_leave_nothing_half_written(lease: Path) -> None:
        built = (lease / "target" / "root.oxbin").read_bytes()
        for words in (("build", "--force"), ("store", "backup")):
            done = full(lease, 2048, *words)
            assert (done.status, done.out) == (3, ""), done.said
            assert "error[ARGON_" in done.err
            assert "Traceback" not in done.err
        assert (lease / "target" / "root.oxbin").read_bytes() == built
        left = [name for name in tree(lease) if name.endswith((".tmp", ".new"))]
        assert left == []
