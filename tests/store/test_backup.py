"""A backup is a whole store of one state, made while others write; nothing is written over."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from argon_lang.errors import ArgonError
from argon_lang.store import sqlite_file
from argon_lang.store.backup import back_up
from argon_lang.store.sqlite import SqliteStore
from tests.store.stores import ALICE, BOB, RENT, assert_, put, sqlite


def refused(*paths: Path) -> ArgonError:
    with pytest.raises(ArgonError) as caught:
        back_up(*paths, "the store", "the copy")
    return caught.value


def test_a_copy_holds_the_same_log_under_the_same_id(tmp_path: Path) -> None:
    store = sqlite(tmp_path)
    for number in range(20):
        put(store, assert_(), assert_((BOB, number)), at=number)
    made = back_up(tmp_path / "store.sqlite3", tmp_path / "kept" / "copy", "the store", "the copy")
    copied = SqliteStore(tmp_path / "kept" / "copy")
    assert copied.snapshot().transactions() == store.snapshot().transactions()
    assert (made.tx, made.events, made.generation, made.store_id) == (20, 40, 20, copied.id)
    assert os.listdir(tmp_path / "kept") == ["copy"] or made.size
    put(copied, assert_((ALICE, 1)))
    assert (copied.snapshot().head, store.snapshot().head) == (21, 20)


def test_a_writer_in_the_midst_of_a_transaction_neither_waits_nor_gets_into_the_copy(tmp_path: Path) -> None:
    store = sqlite(tmp_path)
    put(store, assert_())
    with store.write(store.snapshot().transactions()[0].instant) as writer:
        writer.append([assert_((BOB, 2))])
        made = back_up(tmp_path / "store.sqlite3", tmp_path / "copy", "the store", "the copy")
        writer.commit()
    assert (made.tx, store.snapshot().head) == (1, 2)


def test_nothing_is_written_over_and_no_draft_stays(tmp_path: Path) -> None:
    put(sqlite(tmp_path), assert_())
    (tmp_path / "copy").write_text("mine")
    assert refused(tmp_path / "store.sqlite3", tmp_path / "copy").code == "ARGON_ALREADY_EXISTS"
    assert (tmp_path / "copy").read_text() == "mine"
    assert not list(tmp_path.glob(".*"))


def test_a_store_that_is_missing_foreign_or_damaged_is_refused(tmp_path: Path) -> None:
    assert refused(tmp_path / "none", tmp_path / "copy").code == "ARGON_RUNTIME_STORE_UNAVAILABLE"
    (tmp_path / "foreign").write_text("no store" * 100)
    assert refused(tmp_path / "foreign", tmp_path / "copy").details["reason"] == "foreign"
    store = sqlite(tmp_path)
    put(store, *(assert_((BOB, number)) for number in range(2000)))
    store.close()
    data = bytearray((tmp_path / "store.sqlite3").read_bytes())
    data[len(data) // 2 : len(data) // 2 + 64] = bytes(64)
    (tmp_path / "store.sqlite3").write_bytes(data)
    assert refused(tmp_path / "store.sqlite3", tmp_path / "copy").details["reason"] == "damaged"
    assert not (tmp_path / "copy").exists()
    assert not list(tmp_path.glob(".copy*"))


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    put(sqlite(tmp_path), assert_())
    (tmp_path / "file").write_text("")
    error = refused(tmp_path / "store.sqlite3", tmp_path / "file" / "copy")
    assert error.code == "ARGON_TARGET_UNWRITABLE"


def test_drafts_of_makers_that_were_killed_are_swept_when_a_writer_opens_the_store(tmp_path: Path) -> None:
    old, new = tmp_path / ".store.sqlite3.abc.new", tmp_path / ".store.sqlite3.def.new"
    beside = tmp_path / ".store.sqlite3.abc.new-wal"
    for path in (old, new, beside):
        path.write_bytes(b"x")
    long_ago = old.stat().st_mtime - sqlite_file.ABANDONED_SECONDS - 1
    os.utime(old, (long_ago, long_ago))
    put(sqlite(tmp_path), assert_(RENT))
    assert (old.exists(), beside.exists(), new.exists()) == (False, False, True)
