"""`argon explain` from the index: the same words as the full path, with the standard library alone."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from shared_catalog import fast, generate, load, render, wire

HEAVY = ("pydantic", "tomllib", "typing", "dataclasses", "argon_lang", "argparse", "pathlib")


@pytest.mark.parametrize("code", load.codes())
def test_the_fast_path_says_what_the_full_path_says(code: str) -> None:
    entry = load.entry(code)
    text, data = io.StringIO(), io.StringIO()
    assert fast.explain(code, out=text) == fast.explain(code, as_json=True, out=data) == 0
    assert text.getvalue() == render.text(entry)
    assert json.loads(data.getvalue()) == wire.plain(entry)


def test_every_json_object_validates_against_the_model() -> None:
    for code in load.codes():
        assert wire.EntryObject.model_validate(fast.entry(code)).code == code


def test_an_unknown_code_exits_one_and_suggests(capsys: pytest.CaptureFixture[str]) -> None:
    assert fast.main(["OE1371"]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "no diagnostic code `OE1371`" in shown.err
    assert "did you mean `OE1317`?" in shown.err


def test_an_unknown_code_in_json_is_one_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert fast.main(["OE1371", "--json"]) == 1
    shown = capsys.readouterr()
    error = json.loads(shown.out)["error"]
    assert error["code"] == "ARGON_RUNTIME_NOT_FOUND"
    assert "OE1317" in error["details"]["near"]
    assert shown.err == ""


def test_all_lists_every_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert fast.main(["--all", "--json"]) == 0
    assert tuple(row["code"] for row in json.loads(capsys.readouterr().out)["codes"]) == load.codes()
    assert fast.main(["--all"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(load.codes())


@pytest.mark.parametrize(
    "words",
    [[], ["--colour", "OE0001"], ["OE0001", "OE0002"], ["--lang"], ["--all", "OE0001"], ["OE0001", "--lang=tlh"]],
)
def test_a_wrong_command_line_exits_two_and_shows_the_usage(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert fast.main(words) == 2
    assert capsys.readouterr().err.startswith("usage:")
    assert fast.main([*words, "--json"]) == 2
    assert "usage" in json.loads(capsys.readouterr().out)["error"]["message"]


def test_both_paths_take_the_same_languages() -> None:
    assert fast.LANGUAGES == load.LANGUAGES


def test_a_locale_is_taken_as_soon_as_it_has_a_file_and_falls_back_to_english_field_by_field(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "qya.toml").write_text('[OE0011]\ntitle = "Quanta"\n', encoding="utf-8")
    monkeypatch.setattr(load, "LOCALES", tmp_path)
    load.locale.cache_clear()
    (tmp_path / "index.json").write_text(generate.files()[load.ROOT / "index.json"], encoding="utf-8")
    monkeypatch.setattr(fast, "INDEX", str(tmp_path / "index.json"))
    assert load.languages() == ("en", "zh", "qya")
    assert fast.main(["OE0011", "--lang=qya"]) == 0
    said = capsys.readouterr().out
    assert "Quanta" in said
    assert load.entry("OE0011").body.why.splitlines()[0] in said
    assert fast.main(["OE0001", "--lang=qya"]) == 0
    assert load.entry("OE0001").title in capsys.readouterr().out
    load.locale.cache_clear()


def test_an_unknown_language_is_named_with_those_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert fast.main(["OE0011", "--lang", "tlh"]) == 2
    assert "no language `tlh`: there are en, zh" in capsys.readouterr().err


@pytest.mark.parametrize("code", load.codes())
def test_both_paths_say_the_same_in_chinese(code: str) -> None:
    text = io.StringIO()
    assert fast.explain(code, lang="zh", out=text) == 0
    assert text.getvalue() == render.text(load.entry(code, "zh"), "zh")


def test_a_damaged_index_is_one_sentence(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(fast, "INDEX", __file__)
    assert fast.main(["OE0001"]) == 3
    assert capsys.readouterr().err.startswith("error: the catalog index cannot be read")


def test_the_fast_path_imports_the_standard_library_alone_and_little_of_it() -> None:
    watched = (
        f"import sys; from shared_catalog import fast; fast.entry('OE0001'); print(*(set({HEAVY}) & set(sys.modules)))"
    )
    ran = subprocess.run(
        [sys.executable, "-S", "-c", watched], cwd=load.ROOT.parent, capture_output=True, text=True, check=True
    )
    assert ran.stdout.split() == []
