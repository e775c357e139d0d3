"""Generated files are committed and current."""

from __future__ import annotations

import json

import pytest
from pydantic import TypeAdapter

from shared_catalog import fast, generate, load, new_code, source, wire


def test_generated_files_are_current() -> None:
    assert [path.name for path in generate.stale()] == []


def test_check_mode_writes_nothing_and_fails_on_a_stale_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = load.ROOT / "index.json"
    before = path.read_bytes()
    monkeypatch.setattr(generate, "files", lambda: {path: "{}\n"})
    assert generate.main(["--check"]) == 1
    assert "shared_catalog/index.json is out of date" in capsys.readouterr().out
    assert path.read_bytes() == before


def test_the_index_holds_one_line_per_entry() -> None:
    lines = (load.ROOT / "index.json").read_text(encoding="utf-8").splitlines()
    assert sum(line.startswith(('"O', '"ARGON')) for line in lines) >= len(load.codes()) - 10
    assert list(fast.index()["entries"]) == list(load.codes())


def test_the_reference_page_links_to_a_heading_for_every_code() -> None:
    page = (load.ROOT.parent / "docs" / "codes.md").read_text(encoding="utf-8")
    for code in load.codes():
        name = load.front(code).name
        assert f"## {code} {name}\n" in page
        assert f"](#{code.lower()}-{name.lower()})" in page


def test_the_committed_schema_names_every_field_of_the_object() -> None:
    schema = json.loads((load.ROOT / "explain.schema.json").read_text(encoding="utf-8"))
    entry = wire.plain(load.entry("OE0001"))
    assert schema["properties"].keys() == entry.keys() == set(schema["required"])
    assert TypeAdapter(wire.EntryObject).validate_python(entry).name == "UnexpectedToken"


def test_a_new_code_starts_as_an_entry_in_form() -> None:
    text = new_code.skeleton("OW1399", "RuleTooLong")
    entry = source.entry(text, "OW1399")
    assert (entry.severity, entry.category, entry.status) == ("warning", "evaluability", "reserved")


@pytest.mark.parametrize(
    "words", [["OE1303", "Again"], ["OE0000X", "Name"], ["OW1303", "SameNumber"], ["OE1398", "no"]]
)
def test_a_new_code_that_is_taken_or_out_of_form_is_refused(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert new_code.main(words) == 1
    assert capsys.readouterr().err.startswith("error:")
