"""The public conformance suite: each case holds, or stands in the table of `docs/conformance.md` with the reason."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.engine.conformance.evaluated import differences
from tests.engine.conformance.suite import cases, cases_folder, files
from tests.support.cli import ROOT

PAGE = ROOT / "docs" / "conformance.md"
ROW = re.compile(r"^\| `([\w/]+)` \| `([\w\[\]]+)` \| (.+) \|$", re.M)
WHOLE = ("basic", "negation", "recursion", "errors")
"""The parts of the suite of which every case holds."""


def listed() -> dict[tuple[str, str], str]:
    """The cases that come out differently, by file and name, with the reason."""
    return {(file, name): reason for file, name, reason in ROW.findall(PAGE.read_text("utf-8"))}


def expectations(file: str) -> Iterator[tuple[str, dict[str, Any], str]]:
    """The cases of a file, one for each policy that it names."""
    for case in cases(file):
        policies = list(case.get("expect_per_policy") or ())
        for policy in policies or [""]:
            yield f"{case['name']}[{policy}]" if policies else case["name"], case, policy


def judge(file: str) -> None:
    """Fail for each case that comes out differently and is not listed, or is listed and comes out as expected."""
    excused = listed()
    wrong = []
    for name, case, policy in expectations(file):
        found = ["no program"] if "klm_property" in case else list(differences(case, policy or "blocking"))
        if bool(found) != ((file, name) in excused):
            wrong.append(f"{name}: {'; '.join(found) or 'is listed, and comes out as expected'}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("file", files(large=False))
def test_each_case_is_decided_as_the_suite_expects_or_is_listed(file: str) -> None:
    judge(file)


@pytest.mark.long
@pytest.mark.parametrize("file", files(large=True))
def test_each_large_case_is_decided_as_the_suite_expects(file: str) -> None:
    judge(file)


def names(file: str) -> list[str]:
    """The names of the cases of a file; those of a large one by their lines, since it takes a minute to parse."""
    if file in files(large=True):
        return re.findall(r"^- name: (.+)$", (cases_folder() / f"{file}.yaml").read_text("utf-8"), re.M)
    return [name for name, _, _ in expectations(file)]


EVERY = sorted(files(large=False) + files(large=True))


def test_the_table_lists_cases_of_the_suite_and_none_of_its_plain_parts() -> None:
    assert listed().keys() <= {(file, name) for file in EVERY for name in names(file)}
    assert not [file for file, _ in listed() if file.startswith(WHOLE) or "strict_only" in file]


def test_the_page_counts_the_cases_as_they_are() -> None:
    counted = re.findall(r"^\| (\w+) \| (\d+) \| (\d+) \|$", PAGE.read_text("utf-8"), re.M)
    found: dict[str, list[bool]] = {}
    for file in EVERY:
        found.setdefault(file.split("/")[0], []).extend((file, name) in listed() for name in names(file))
    assert counted == [(part, str(len(each)), str(len(each) - sum(each))) for part, each in sorted(found.items())]
