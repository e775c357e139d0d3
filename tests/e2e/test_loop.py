"""The main job in the terminal, as the README tells it: check, build, query, mutate, query again, explain, why not."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from argon_lang import problems
from argon_lang.errors import ArgonError
from argon_lang.session import dirty, project
from tests.support.cli import COMMAND, PATIENCE, argon, asked, copy, environment, tree


@pytest.fixture
def lease(tmp_path: Path) -> Path:
    return copy("lease", tmp_path / "lease")


def said(folder: Path, *words: str, status: int = 0) -> str:
    done = argon(*words, cwd=folder)
    assert done.status == status, done.said
    return done.said


def test_the_loop_closes_in_the_terminal(lease: Path) -> None:
    sources = tree(lease)
    assert said(lease, "check") == "no problems found\n"
    assert said(lease, "build").startswith("built target/root.oxbin\nmodule ")
    assert said(lease, "build").startswith("up to date target/root.oxbin\n")
    assert said(lease, "query", "late_payers").splitlines() == ["t  ", "ada", "1 row"]
    assert "tx 1" in said(lease, "mutate", "bill", "ben", "450.00", "2026-02-01", "--delta")
    assert said(lease, "query", "late_payers").splitlines() == ["t  ", "ada", "ben", "2 rows"]
    proof = said(lease, "explain-fact", "in_arrears(ben)")
    assert "overdue(#1.1)" in proof
    assert "tx 1 by user:" in proof
    assert said(lease, "mutate", "pay", "march", "--delta").splitlines()[-4:] == [
        "  - called_upon(cleo)",
        "  - called_upon(dora)",
        "  - in_arrears(ada)",
        "  - overdue(march)",
    ]
    assert "`in_arrears(ada)` does not hold" in said(lease, "why-not", "in_arrears(ada)")
    assert "does not hold" in said(lease, "explain-fact", "called_upon(dora)", status=1)
    assert "committed" not in said(lease, "mutate", "pay", "march", status=1)
    assert {name: data for name, data in tree(lease).items() if name in sources} == sources


def test_every_command_answers_one_object_of_its_schema(lease: Path) -> None:
    questions: list[tuple[tuple[str, ...], int]] = [
        (("status",), 0),
        (("check",), 0),
        (("build",), 0),
        (("fmt", "--check"), 0),
        (("test",), 0),
        (("test", "--junit", "target/tests.xml"), 0),
        (("test", "--junit", "../tests.xml"), 2),
        (("run-scenario",), 0),
        (("run-scenario", "scenarios/none.toml"), 3),
        (("query", "reminders", "ada"), 0),
        (("query", "reminders", "t=ada"), 0),
        (("derive", "lets"), 0),
        (("explain-fact", "called_upon(dora)"), 0),
        (("explain-fact", "in_arrears(ben)"), 1),
        (("why-not", "in_arrears(ben)"), 0),
        (("why-not", "in_arrears(ada)"), 1),
        (("suggest", "called_upon(ben)"), 0),
        (("suggest", "in_arrears(dora)"), 1),
        (("suggest", "called_upon("), 1),
        (("checks",), 0),
        (("checks", "--explain"), 0),
        (("mutate", "pay", "march", "--delta", "--dry-run"), 0),
        (("mutate", "pay", "march", "--delta", "--idempotency-key", "k"), 0),
        (("mutate", "pay", "march", "--idempotency-key", "k"), 0),
        (("mutate", "pay", "march"), 1),
        (("mutate", "move_in", "ben", "garden_flat", "5"), 1),
        (("compute", "late_fee", "100.00", "11"), 0),
        (("compute", "late_fee", "100.00"), 1),
        (("log",), 0),
        (("log", "march", "--limit", "1"), 0),
        (("log", "lets(ada, _)"), 0),
        (("log", "nobody"), 1),
        (("migrate",), 0),
        (("migrate", "--map", "none.toml"), 3),
        (("store", "backup"), 0),
        (("store", "backup"), 1),
        (("store", "backup", "../elsewhere"), 2),
        (("fork", "create", "trial", "--ephemeral"), 0),
        (("fork", "create", "main"), 1),
        (("fork", "list"), 0),
        (("mutate", "pay", "march", "--fork", "trial", "--dry-run"), 1),
        (("mutate", "bill", "ben", "5.00", "2026-02-01", "--fork", "trial"), 0),
        (("fork", "diff", "trial"), 0),
        (("log", "--fork", "trial"), 0),
        (("checks", "--fork", "trial"), 0),
        (("fork", "promote", "trial", "--expect", "0"), 1),
        (("fork", "promote", "trial"), 2),
        (("fork", "abort", "trial"), 0),
        (("fork", "abort", "trial"), 1),
        (("artifact", "show"), 0),
        (("artifact", "show", "target/none.oxbin"), 1),
        (("query", "nothing"), 1),
        (("query",), 2),
        (("nothing",), 2),
        (("query", "late_payers", "--format", "xml"), 2),
        (("explain", "OE1317"), 0),
        (("explain", "OE9999"), 1),
        (("status",), 0),
    ]
    answers = []
    for words, status in questions:
        found, answer = asked(*words, cwd=lease)
        assert found == status, (words, answer)
        assert answer["schemaVersion"] == "1.0"
        answers.append(answer)
    assert_hashes_line_up(answers)


def assert_hashes_line_up(answers: list[dict[str, Any]]) -> None:
    hashes = {each["moduleHash"] for each in answers if each.get("moduleHash")}
    assert len(hashes) == 1
    assert [each.get("replayed") for each in answers if "replayed" in each] == [False, False, True, False]
    first, last = answers[0], answers[-1]
    assert (first["store"]["exists"], last["store"]["exists"]) == (False, True)
    assert (last["store"]["tx"], last["store"]["generation"], last["sourceDirty"]) == (1, 1, False)


@pytest.mark.parametrize("words", [["query", "reminders", "ada"], ["derive", "lets"], ["check"], ["test"], ["status"]])
def test_a_reading_command_writes_nothing(lease: Path, words: list[str]) -> None:
    before = tree(lease)
    assert argon(*words, cwd=lease).status == 0
    assert tree(lease) == before


def test_of_two_builds_at_once_one_builds_and_the_other_finds_it_done(lease: Path) -> None:
    both = [
        subprocess.Popen([*COMMAND, "build"], cwd=lease, env=environment(), stdout=subprocess.PIPE, encoding="utf-8")
        for _ in range(2)
    ]
    said_ = sorted(process.communicate(timeout=PATIENCE)[0].splitlines()[0] for process in both)
    assert [process.returncode for process in both] == [0, 0]
    assert said_ == ["built target/root.oxbin", "up to date target/root.oxbin"]
    first = (lease / "target" / "root.oxbin").read_bytes()
    assert argon("build", "--force", cwd=lease).status == 0
    assert (lease / "target" / "root.oxbin").read_bytes() == first


def test_rows_come_as_table_csv_or_json_lines(lease: Path) -> None:
    assert said(lease, "derive", "lets", "--format", "csv") == "tenant,unit\nada,garden_flat\n"
    lines = said(lease, "derive", "answers_for", "--format", "jsonl").splitlines()
    assert len(lines) == 3
    assert "3 rows (showing 1)" in said(lease, "derive", "answers_for", "--limit", "1")


def test_the_hello_example_passes_its_checks_and_tests(tmp_path: Path) -> None:
    hello = copy("hello", tmp_path / "hello")
    assert said(hello, "check", "--deny", "warnings") == "no problems found\n"
    assert "passed" in said(hello, "test")


def test_an_artifact_of_another_form_under_the_same_version_is_built_anew(
    lease: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert argon("build", cwd=lease).status == 0
    whole, calls = dirty.decode, list[int]()

    def once_unreadable(data: bytes) -> Any:
        calls.append(len(data))
        if len(calls) == 1:
            raise ArgonError("OE1216", problems.args(of="artifact", found="another form"))
        return whole(data)

    monkeypatch.setattr(dirty, "decode", once_unreadable)
    opened = project.Project.open(lease)
    assert opened.served("build", in_memory=True).served.schema.query("late_payers")
    assert len(calls) == 2
    calls.clear()
    with pytest.raises(ArgonError) as error:
        opened.served("serve-stale")
    assert error.value.code == "OE1216"
