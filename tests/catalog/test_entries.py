"""The catalog's own form: codes, sections, templates, snippets. No compiler is asked."""

from __future__ import annotations

from collections import Counter

import pytest
from pydantic import ValidationError

from shared_catalog import load, lookup, source
from shared_catalog.model import CATEGORY_OF_RANGE, Entry
from shared_catalog.template import placeholders
from tests.catalog.snippets import difference, marks, tokens, unmarked

LONGEST_FIX = 8

RATE = load.CODES.joinpath("OE0225.md").read_text(encoding="utf-8")


@pytest.fixture(params=load.codes())
def entry(request: pytest.FixtureRequest) -> Entry:
    return load.entry(request.param)


def test_every_entry_is_in_form(entry: Entry) -> None:
    assert entry.body.what
    assert entry.body.why


def test_numbers_are_unique_whatever_the_severity_letter() -> None:
    counted = Counter(lookup.number(code) for code in load.codes() if lookup.number(code))
    assert [number for number, times in counted.items() if times > 1] == []


def test_names_are_unique() -> None:
    counted = Counter(load.front(code).name for code in load.codes())
    assert [name for name, times in counted.items() if times > 1] == []


def test_every_numbered_code_lies_in_a_range_of_the_catalog() -> None:
    numbers = [lookup.number(code) for code in load.codes()]
    assert {number[:2] for number in numbers if number} <= CATEGORY_OF_RANGE.keys()


def test_related_codes_exist_and_are_others(entry: Entry) -> None:
    assert set(entry.related) <= set(load.codes()) - {entry.code}


def test_a_message_is_one_short_line(entry: Entry) -> None:
    assert len(entry.message) <= 120
    assert not entry.message.endswith(".")
    assert len(entry.title) <= 60


def test_a_live_program_entry_has_one_fix_for_each_of_its_classes(entry: Entry) -> None:
    shown = [fix.fix_class for fix in entry.body.fixes if fix.fix_class]
    assert shown == list(entry.fix_class)
    assert len(entry.body.fixes) == max(1, len(shown))


def test_a_fix_changes_at_most_eight_tokens_of_its_example(entry: Entry) -> None:
    for fix in entry.body.fixes:
        if fix.snippets[0].lang in ("argon", "toml"):
            assert difference(tokens(entry.body.example), tokens(fix.snippets)) <= LONGEST_FIX, fix.fix_class


def test_a_fix_differs_from_its_example(entry: Entry) -> None:
    if entry.category != "runtime":
        assert all(unmarked(fix.snippets) != unmarked(entry.body.example) for fix in entry.body.fixes)


def test_markers_lie_under_text(entry: Entry) -> None:
    files = unmarked(entry.body.example)
    for mark in marks(entry.body.example):
        covered = files[mark.file][mark.start : mark.end]
        assert covered
        assert covered == covered.strip() or mark.start == mark.line_end


def test_snippets_carry_no_tabs_and_no_long_lines(entry: Entry) -> None:
    shown = [*entry.body.example, *(snippet for fix in entry.body.fixes for snippet in fix.snippets)]
    lines = [line for snippet in shown for line in snippet.text.splitlines()]
    assert [line for line in lines if "\t" in line or len(line) > 120] == []


def test_every_template_uses_documented_placeholder_syntax(entry: Entry) -> None:
    assert all(isinstance(placeholders(template), frozenset) for template in entry.templates().values())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('status = "live"', 'status = "retired"'),
        ('severity = "error"', 'severity = "warning"'),
        ('category = "types"', 'category = "names"'),
        ('code = "OE0225"', 'code = "OE0224"'),
        ('since = "0.1.0"', 'since = "0.1"'),
        ('title = "', 'subtitle = "x"\ntitle = "'),
        ("has no field `{name}`", "has no field `{name`"),
        ("## Why", "## Because"),
        ("+++\n\n## What", "\n## What"),
        ("### guard", "### reorder"),
        ("```argon", "```argon colour=red"),
    ],
)
def test_an_entry_out_of_form_is_refused(old: str, new: str) -> None:
    text = RATE.replace("## Fix\n", "## Fix\n\n### guard\n") if "###" in old else RATE
    assert old in text
    with pytest.raises((ValidationError, source.EntryError, ValueError)):
        source.entry(text.replace(old, new, 1), "OE0225")
