"""What the terminal prints of rows, values, writes and violations, in every format, and why rows are there."""

from __future__ import annotations

import csv
import io
import json
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from argon_lang.cli.entry import main
from tests.support.cli import Done, copy, fits
from tests.support.served_packages import save


@pytest.fixture(scope="module")
def lease(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The lease example with one unpaid bill more, and a rule whose rows are in doubt."""
    root: Path = copy("lease", tmp_path_factory.mktemp("answers") / "lease")
    more = """
#[world(open)]
pub type Pet;
fact Pet(rex);
pub derive quiet(t: Tenant) :- t: Tenant, not keeps(t);
pub derive keeps(t: Tenant) :- t: Tenant, Pet(t);
check late(t: Tenant) :- in_arrears(t) => Diagnostic { severity: Severity::Warning, message: "late" };
"""
    text = (root / "root.ar").read_text("utf-8")
    save(root / "root.ar", text + more)
    assert argon("mutate", "bill", "ben", "120.00", "2026-04-20", cwd=root).status == 0
    return root


def argon(*words: str, cwd: Path) -> Done:
    """One command in this process, for the start of one takes longer than its answer."""
    with redirect_stdout(io.StringIO()) as said, redirect_stderr(io.StringIO()) as told:
        status = main([*words, "--project", str(cwd)])
    return Done(status, said.getvalue(), told.getvalue())


def asked(*words: str, cwd: Path) -> tuple[int, dict[str, Any]]:
    done = argon(*words, "--json", cwd=cwd)
    answer: dict[str, Any] = json.loads(done.out)
    fits(words[0], answer)
    return done.status, answer


def out(root: Path, *words: str) -> str:
    done = argon(*words, cwd=root)
    assert (done.status, done.err) == (0, ""), done.said
    return done.out


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def lines(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


QUESTIONS = [
    (["query", "late_payers"], "t", 2),
    (["query", "--eval", "select i.amount from i: Invoice"], "amount", 3),
    (["derive", "overdue"], "i", 2),
    (["compute", "late_fee", "100", "11"], "value", 1),
    (["checks"], "message", 2),
    (["mutate", "pay", "march", "--dry-run"], "fact", 2),
]


@pytest.mark.parametrize(("words", "column", "count"), QUESTIONS, ids=[words[0] for words, _, _ in QUESTIONS])
def test_every_answer_comes_as_a_table_json_json_lines_or_csv(
    lease: Path, words: list[str], column: str, count: int
) -> None:
    rows, objects = table(out(lease, *words, "--format", "csv")), lines(out(lease, *words, "--format", "jsonl"))
    assert [len(rows), len(objects)] == [count, count]
    assert all(column in each for each in [*rows, *objects])
    shown = json.loads(out(lease, *words, "--format", "json"))
    assert shown.keys() == asked(*words, cwd=lease)[1].keys()
    assert out(lease, *words, "--format", "table")
    refused = argon(*words, "--format", "xml", cwd=lease)
    assert refused.status == 2
    assert "jsonl" in refused.err


def test_rows_that_are_not_all_certain_say_which_in_every_format(lease: Path) -> None:
    assert {row["truth4"] for row in table(out(lease, "derive", "quiet", "--truth4", "--format", "csv"))} == {"Can"}
    assert {row["truth4"] for row in lines(out(lease, "derive", "quiet", "--truth4", "--format", "jsonl"))} == {"Can"}
    assert "truth4" in out(lease, "derive", "quiet", "--truth4")
    assert "0 rows, 2 Can" in out(lease, "derive", "quiet")


def test_a_limit_bounds_what_is_shown_and_never_the_count(lease: Path) -> None:
    assert "2 rows (showing 1)" in out(lease, "query", "late_payers", "--limit", "1")
    assert len(table(out(lease, "derive", "overdue", "--limit", "1", "--format", "csv"))) == 1
    assert "2 violations (showing 1)" in out(lease, "checks", "--limit", "1")
    found = asked("checks", "--limit", "1", cwd=lease)[1]
    assert (len(found["violations"]), found["count"], found["clean"]) == (1, 2, False)


def test_a_query_says_why_each_row_is_there(lease: Path) -> None:
    shown = out(lease, "query", "late_payers", "--explain")
    assert "overdue(march)" in shown
    assert "#1.1.due == 2026-04-20  asserted · tx 1" in shown
    found = asked("query", "late_payers", "--explain", "--limit", "1", cwd=lease)[1]
    (proof,) = found["rows"][0]["because"]
    assert (proof["fact"], proof["nodes"][0]["id"]) == ("in_arrears(ada)", proof["rootId"])


def test_a_select_is_explained_by_the_facts_that_its_conditions_find(lease: Path) -> None:
    text = (
        "select { who: t.name, owed: i.amount } from i: Invoice where in_arrears(i.payer), t = i.payer order by i.due"
    )
    found = asked("query", "--eval", text, "--explain", "--depth", "1", cwd=lease)[1]
    facts = [{proof["fact"] for proof in row["because"]} for row in found["rows"]]
    assert all(len(each) >= 2 for each in facts)
    assert all(any(fact.startswith("Invoice(") for fact in each) for each in facts)


def test_a_group_is_explained_by_its_rows(lease: Path) -> None:
    text = "select { p: i.payer, n: count(i) } from i: Invoice group by i.payer"
    rows = asked("query", "--eval", text, "--explain", cwd=lease)[1]["rows"]
    by_count = {row["values"][1]: {proof["fact"] for proof in row["because"]} for row in rows}
    assert {"Invoice(march)", "Invoice(april)"} <= by_count[2]


def test_a_batch_is_one_transaction_and_a_refusal_names_its_step(lease: Path) -> None:
    pay = {"name": "pay", "args": {"i": "march"}}
    (lease / "twice.json").write_text(json.dumps([pay, pay]), "utf-8")
    refused = argon("mutate", "--batch", str(lease / "twice.json"), cwd=lease)
    assert refused.status == 1
    assert "step 2 of the batch" in refused.err
    (lease / "once.jsonl").write_text(f"{json.dumps(pay)}\n{json.dumps({'name': 'pay', 'args': ['#1.1']})}\n", "utf-8")
    status, receipt = asked("mutate", "--batch", str(lease / "once.jsonl"), "--dry-run", cwd=lease)
    assert (status, len(receipt["events"]), receipt["result"]) == (0, 4, [None, None])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "JSON"),
        ("[]", "at least one step"),
        ('[{"name": "pay", "arg": []}]', "steps.0.arg"),
        ('{"steps": [{"name": 3}]}', "steps.0.name"),
        ('"pay"', "steps"),
        ("\ud800", "JSON"),
    ],
)
def test_a_file_that_is_no_batch_is_told_where(lease: Path, text: str, told: str) -> None:
    (lease / "no.json").write_bytes(text.encode("utf-8", "surrogatepass"))
    done = argon("mutate", "--batch", str(lease / "no.json"), cwd=lease)
    assert done.status == 1
    assert done.err.startswith("error[ARGON_RUNTIME_VALIDATION_FAILED]: `no.json")
    assert told in done.err


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["--batch", "gone.json"], 3),
        (["--batch", "../gone.json"], 2),
        (["pay", "--batch", "once.jsonl"], 2),
        (["--eval", "insert Pet(rex)", "--batch", "once.jsonl"], 2),
    ],
)
def test_a_batch_that_cannot_be_read_or_does_not_stand_alone_is_refused(
    lease: Path, words: list[str], status: int
) -> None:
    (lease / "once.jsonl").write_text('{"name": "pay", "args": {"i": "march"}}', "utf-8")
    placed = [str(lease / word) if "." in word else word for word in words]
    done = argon("mutate", *placed, cwd=lease)
    assert (done.status, "Traceback" in done.err) == (status, False)
