"""Scenarios: what each step comes to, what is expected of it, and what is said when it is not so."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from argon_lang.cli.junit import junit_xml
from argon_lang.engine.governor import Governor, Limits
from argon_lang.errors import ArgonError
from argon_lang.runtime.envelopes import TestOutcome, TestReport
from argon_lang.runtime.scenarios import run_scenario, same
from argon_lang.runtime.testing import report_of
from argon_lang.session.project import Project
from argon_lang.session.scenarios import read_scenario, run_scenarios, scenario_files
from argon_lang.workspace.root import Project as Root
from tests.runtime.worlds import START, served
from tests.support.cli import ROOT, copy

SOURCE = """
use std::time::today;
use std::core::{Diagnostic, Severity};
pub enum Mood { Good, Bad }
pub type Person { name: String, mut owed: Money = 0.00, born: Date, mood: Mood = Mood::Good }
fact Person(ann) { name: "Ann", born: #2000-01-02# };
pub rel knows(a: Person, b: Person);
pub derive adult(p: Person) :- p: Person, p.born < today() - 6570.days;
pub query names() -> [String] { select p.name from p: Person order by p.name }
pub query people() -> [Person] { select p from p: Person order by p.name }
pub query facts(n: String) -> [Person] { select p from p: Person where p.name == n }
pub fn twice(m: Money) -> Money = m * 2;
pub mutate arrive(name: String, born: Date) -> Person { let p = insert Person { name: name, born: born }; return p; }
pub mutate lend(p: Person, m: Money) { require m > 0; update p set { owed = m }; }
pub mutate meet(a: Person, b: Person) { insert knows(a, b); }
check shy(a: Person) :- knows(a, a) => Diagnostic { severity: Severity::Error, message: "alone" };
"""


def run(folder: Path, *steps: str, title: str = "it goes well") -> TestOutcome:
    file = folder / "one.toml"
    file.write_text(f'title = "{title}"\n' + "".join(f"[[step]]\n{step}\n" for step in steps), encoding="utf-8")
    scenario = read_scenario(folder, "one.toml")
    return run_scenario(served(SOURCE), scenario, lambda: START, Limits(), Governor)


def messages(outcome: TestOutcome) -> list[str]:
    return [failure.message for failure in outcome.failures]


def test_a_story_of_writes_and_questions_passes(tmp_path: Path) -> None:
    outcome = run(
        tmp_path,
        'do = "mutate"\npath = "arrive"\nargs = { name = "Bob", born = 2008-05-01 }\nlabel = "bob"',
        'do = "query"\npath = "names"',
        'do = "expect"\nrows = [["Ann"], ["Bob"]]\ncount = 2',
        'do = "mutate"\npath = "lend"\nargs = ["$bob", "12.50"]',
        'do = "compute"\npath = "twice"\nargs = { m = "12.50" }',
        'do = "expect"\nvalue = "25"',
        'do = "expect"\nfact = "adult(ann)"',
        'do = "expect"\npath = "adult"\nrows = [["ann"]]',
        'do = "expect"\npath = "adult"\ncount = 2\nat = 2026-06-01',
        'do = "expect"\npath = "facts"\nargs = ["Bob"]\nrows = [["$bob"]]',
    )
    assert messages(outcome) == []
    assert (outcome.outcome, outcome.name, outcome.module) == ("passed", "it goes well", "one.toml")


@pytest.mark.parametrize("refused", ["OE0731", "ARGON_RUNTIME_WRITE_REFUSED"])
def test_an_expected_refusal_is_no_failure_and_nothing_of_the_write_stays(tmp_path: Path, refused: str) -> None:
    outcome = run(
        tmp_path,
        'do = "mutate"\npath = "lend"\nargs = ["ann", "0"]',
        f'do = "expect"\nrefused = "{refused}"',
        'do = "mutate"\npath = "meet"\nargs = ["ann", "ann"]',
        'do = "expect"\nrefused = "shy"',
        'do = "expect"\npath = "knows"\ncount = 0',
    )
    assert outcome.outcome == "passed", messages(outcome)


def test_a_refusal_that_nothing_expects_ends_the_scenario_at_its_step(tmp_path: Path) -> None:
    for following in ((), ('do = "expect"\ncount = 0',), ('do = "query"\npath = "names"',)):
        outcome = run(
            tmp_path, 'do = "query"\npath = "names"', 'do = "mutate"\npath = "lend"\nargs = ["ann", "0"]', *following
        )
        assert outcome.outcome == "error"
        assert messages(outcome)[0].startswith("step 2")
        assert "OE0731" in messages(outcome)[0]


def test_every_expectation_that_fails_is_told_and_the_story_goes_on(tmp_path: Path) -> None:
    outcome = run(
        tmp_path,
        'do = "query"\npath = "names"',
        'do = "expect"\nrows = [["Zoe"]]',
        'do = "expect"\ncount = 3',
        'do = "expect"\nfact = "adult(ann)"\nholds = false\nlabel = "a child"',
        'do = "mutate"\npath = "lend"\nargs = ["ann", "1"]',
        'do = "expect"\nrefused = "OE0731"',
        'do = "compute"\npath = "twice"\nargs = ["1"]',
        'do = "expect"\nvalue = "3"',
    )
    assert outcome.outcome == "failed"
    assert messages(outcome) == [
        'step 2 (expect): expected [["Zoe"]], found [["Ann"]]',
        "step 3 (expect): expected 3 rows",
        "step 4 (a child): adult(ann) holds",
        "step 6 (expect): expected a refusal with OE0731: accepted",
        'step 8 (expect): expected "3", found "2.00"',
    ]
    assert outcome.failures[2].explanation is not None
    assert outcome.failures[2].explanation.derived


def test_a_question_that_cannot_be_answered_is_an_error(tmp_path: Path) -> None:
    for step in ('do = "query"\npath = "nobody"', 'do = "derive"\npath = "x"', 'do = "compute"\npath = "twice"'):
        assert run(tmp_path, step).outcome == "error"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("title = 3\n", "title"),
        ("", "step"),
        ('[[step]]\ndo = "dance"\n', "step.1.do"),
        ('[[step]]\ndo = "query"\n', "step.1"),
        ('[[step]]\ndo = "expect"\n', "step.1"),
        ('[[step]]\ndo = "query"\npath = "q"\ncount = 1\n', "step.1"),
        ('[[step]]\ndo = "expect"\ncount = -1\n', "step.1.count"),
        ('[[step]]\ndo = "expect"\ncuont = 1\n', "step.1.cuont"),
        ("[[step]\n", ""),
        ("\ud800".encode("utf-8", "surrogatepass").decode("latin-1"), ""),
    ],
)
def test_a_file_that_is_no_scenario_is_refused_at_its_place(tmp_path: Path, text: str, place: str) -> None:
    (tmp_path / "bad.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ArgonError) as caught:
        read_scenario(tmp_path, "bad.toml")
    assert caught.value.code == "ARGON_RUNTIME_VALIDATION_FAILED"
    assert dict(caught.value.args_)["name"] == (f"bad.toml: {place}" if place else "bad.toml")


@pytest.mark.parametrize(
    ("value", "wanted", "equal"),
    [
        ({"money": "12.50"}, "12.5", True),
        ({"money": "12.50"}, 12, False),
        ({"real": "1/3"}, "1/3", True),
        (True, 1, False),
        (True, True, True),
        ("1", 1, True),
        ({"entity": "pkg::ann", "label": "ann"}, "ann", True),
        ({"entity": "pkg::ann", "label": "ann"}, "pkg::ann", True),
        ({"entity": "pkg::ann", "label": "ann"}, "bob", False),
        ({"enum": "pkg::Mood::Good"}, "Good", True),
        ({"struct": "pkg::S", "fields": {"a": {"date": "2026-01-01"}}}, {"a": "2026-01-01"}, True),
        ([1, 2], [2, 1], False),
        (None, "x", False),
    ],
)
def test_values_are_compared_as_people_write_them(value: Any, wanted: Any, equal: bool) -> None:
    assert same(value, wanted) is equal


EXAMPLES = sorted(path.parent.parent.name for path in ROOT.glob("examples/*/scenarios/*.toml"))


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_scenarios_of_the_examples_pass(example: str, tmp_path: Path) -> None:
    for each in {example, "ufo"}:
        copy(each, tmp_path / each)
    report = Project.open(tmp_path / example).scenarios([], None)
    assert report.tests
    assert (report.failed, report.errors) == (0, 0), [messages(each) for each in report.tests]


def test_the_title_chooses_and_a_bad_file_is_an_outcome_of_its_own(tmp_path: Path) -> None:
    folder = tmp_path / "scenarios"
    folder.mkdir()
    (folder / "a.toml").write_text('title = "one"\n[[step]]\ndo = "query"\npath = "names"\n')
    (folder / "b.toml").write_text('title = "two"\n[[step]]\ndo = "query"\npath = "names"\n')
    (folder / "c.toml").write_text("no = 1\n")
    root = Root(tmp_path, "flag")
    files = scenario_files(root)
    found = run_scenarios(root, files, "TWO", served(SOURCE), lambda: START, Limits(), Governor)
    assert [(each.name, each.outcome) for each in found] == [("two", "passed"), ("scenarios/c.toml", "error")]
    with pytest.raises(ArgonError):
        scenario_files(root, ["../elsewhere.toml"])


def test_junit_counts_what_the_report_counts_and_holds_the_trees(tmp_path: Path) -> None:
    good = run(tmp_path, 'do = "query"\npath = "names"')
    bad = run(tmp_path, 'do = "expect"\nfact = "knows(ann, ann)"', title="\\u0007 & <odd>")
    wrong = run(tmp_path, 'do = "query"\npath = "nobody"')
    report: TestReport = report_of(served(SOURCE), [good, bad, wrong])
    suite = ElementTree.fromstring(junit_xml(report, "x"))
    assert {key: suite.get(key) for key in ("tests", "failures", "errors", "skipped")} == {
        "tests": "3",
        "failures": "1",
        "errors": "1",
        "skipped": "0",
    }
    cases = suite.findall("testcase")
    assert [[child.tag for child in case] for case in cases] == [[], ["failure"], ["error"]]
    assert "knows(ann, ann)" in (cases[1][0].text or "")
    assert cases[1].get("name") == " & <odd>"
