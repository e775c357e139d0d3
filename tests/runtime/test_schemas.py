"""The published JSON Schemas: current, and one for every envelope."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from argon_lang.runtime import schemas


def test_the_committed_schemas_are_those_that_the_envelopes_give() -> None:
    assert schemas.stale() == []
    assert schemas.main(["--check"]) == 0


def test_every_envelope_names_its_commands_and_its_schema_is_one() -> None:
    assert {envelope.__name__ for envelope in schemas.ENVELOPES} == set(schemas.COMMANDS)
    for path in schemas.FOLDER.glob("*.json"):
        Draft202012Validator.check_schema(json.loads(path.read_text(encoding="utf-8")))


def test_drift_is_told_by_name_and_writing_removes_what_is_no_longer_generated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(schemas, "FOLDER", tmp_path)
    assert schemas.write(tmp_path) == sorted(schemas.files())
    (tmp_path / "old.json").write_text("{}")
    (tmp_path / "answer.json").write_text("{}")
    assert schemas.stale(tmp_path) == ["answer.json", "old.json"]
    assert schemas.write(tmp_path) == ["answer.json", "old.json"]
    assert schemas.stale(tmp_path) == []
    assert not (tmp_path / "old.json").exists()
    assert capsys.readouterr().out == ""
