"""A large package is checked in shares, and the answer is that of one process."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

import pytest

from argon_lang.problems import Diagnostic
from argon_lang.program.view import PackageInfo
from argon_lang.queries.database import Database
from argon_lang.session import shares
from argon_lang.session.forks import may_fork
from argon_lang.session.shares import Share, checked_in_shares, shares_of
from benchmarks.generate_source import package

INFO = PackageInfo("bench", prelude=("std::core::{type, rel}",))


def texts(files: int = 4) -> dict[str, str]:
    return {f"bench/{path}": text for path, text in package(files, 60).items()}


def database(files: dict[str, str]) -> Database:
    made = Database(INFO)
    made.set_files(files)
    return made


@pytest.fixture(autouse=True)
def _two_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shares, "LEAST_ITEMS", 10)
    monkeypatch.setattr(shares, "_processors", lambda: 2)
    monkeypatch.setattr(shares, "_may_fork", lambda: True)


def test_the_shares_have_every_file_once_and_what_their_files_rest_on() -> None:
    db = database(texts())
    found = shares_of(db, 2)
    assert sorted(file for share in found for file in share.files) == db.files_of(INFO)
    assert all(item in share.part for share in found for file in share.files for item in db.items(file))


def test_an_answer_found_in_shares_is_that_of_one_process() -> None:
    files = texts()
    files["bench/part001.ar"] += "\nderive idle(x: Int) :- x = 1;\n\nuse std::time::days_between;\n"
    files["bench/part003.ar"] += "\nderive idle(x: Int) :- x = 2;\n"
    found = checked_in_shares(database(files))
    assert found == database(files).diagnostics()
    assert {each.location.file for each in found or ()} == {"bench/part001.ar", "bench/part003.ar"}


def test_a_broken_check_of_declared_facts_is_for_one_process() -> None:
    files = texts()
    noun = files["bench/part002.ar"].split("fact ")[3].split("_rests_on")[0]
    files["bench/part002.ar"] += f"\nfact {noun}_rests_on(first_{noun}, second_{noun});\n"
    db = database(files)
    assert checked_in_shares(db) is None
    assert db.diagnostics() == database(files).diagnostics() != ()


@pytest.mark.parametrize("broken", ["type Z { a: Missing }\n", "derive (\n", "use nowhere::at_all;\n"])
def test_an_error_in_one_share_is_for_one_process(broken: str) -> None:
    files = texts()
    files["bench/part003.ar"] += broken
    db = database(files)
    assert checked_in_shares(db) is None
    assert db.diagnostics() == database(files).diagnostics()


def test_a_package_in_which_every_file_rests_on_every_other_is_not_cut() -> None:
    rule = "pub derive r{here}_{n}(x: Int) :- pkg::part{there}::r{there}_{n}(x), x > {n};\n"
    files = {
        f"bench/part{here}.ar": "".join(rule.format(here=here, there=(here + 1) % 4, n=n) for n in range(5))
        for here in range(4)
    }
    files["bench/root.ar"] = "".join(f"mod part{here};\n" for here in range(4))
    assert shares_of(database(files), 2) == ()


def _dies(database: Database, share: Share) -> list[Diagnostic]:
    if os.getpid() != PARENT:
        os._exit(3)
    return FOUND(database, share)


PARENT = os.getpid()
MAY_FORK = may_fork
FOUND: Callable[[Database, Share], list[Diagnostic]] = shares._found


def test_a_process_that_dies_leaves_the_work_to_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shares, "_found", _dies)
    db = database(texts())
    assert checked_in_shares(db) is None
    assert db.diagnostics() == database(texts()).diagnostics()


def test_a_process_with_several_threads_is_not_forked() -> None:
    done = threading.Event()
    other = threading.Thread(target=done.wait)
    other.start()
    try:
        assert not MAY_FORK()
    finally:
        done.set()
        other.join()


def test_a_small_package_or_one_processor_is_no_case_for_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shares_of(database(texts()), 1) == ()
    monkeypatch.setattr(shares, "LEAST_ITEMS", 100_000)
    assert shares_of(database(texts()), 2) == ()


def _refused(work: Callable[[], bytes]) -> None:
    raise OSError


def test_where_no_process_can_be_begun_one_does_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shares, "beside", _refused)
    db = database(texts())
    assert checked_in_shares(db) is None
    assert db.diagnostics() == database(texts()).diagnostics()
