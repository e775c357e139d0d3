"""What `check` and `fmt` are asked for lint levels, `--deny`, `--max-errors`, `--diff`, `--codes`."""

from __future__ import annotations

import json
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from argon_lang.cli.entry import main
from tests.support.served_packages import MANIFEST

SINGLETON = "type A;\nderive b(x) :- A(x), y = 1;\n"
"""OW1305, a warning."""

BROKEN = "".join(f"fact Missing{number}(a{number});\n" for number in range(7))
"""OE0101 seven times."""

CROOKED = "type   A  {  x:Int }\n// kept\n\n\n\ntype B {};\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "ox.toml").write_text(MANIFEST, "utf-8")
    return tmp_path


def told(root: Path, source: str, *words: str) -> tuple[int, str]:
    """Status and output of a command on one source."""
    (root / "root.ar").write_text(source, "utf-8")
    with redirect_stdout(StringIO()) as said:
        status = main([words[0], *words[1:], "--project", str(root), "--color", "never"])
    return status, said.getvalue()


def levelled(root: Path, level: str) -> None:
    (root / "ox.toml").write_text(f'{MANIFEST}[lint]\nOW1305 = "{level}"\n', "utf-8")


def severities(root: Path, source: str) -> dict[str, str]:
    report: dict[str, Any] = json.loads(told(root, source, "check", "--json")[1])
    return {each["code"]: each["severity"] for each in report["diagnostics"]}


def test_a_warning_alone_is_no_finding_unless_warnings_are_denied(root: Path) -> None:
    status, said = told(root, SINGLETON, "check")
    assert (status, "warning[OW1305]" in said) == (0, True)
    assert told(root, SINGLETON, "check", "--deny", "warnings")[0] == 1
    assert told(root, "pub type A;\n", "check", "--deny", "warnings")[0] == 0


@pytest.mark.parametrize(
    ("level", "status", "shown"), [("off", 0, None), ("warn", 0, "warning"), ("error", 1, "error")]
)
def test_a_lint_level_says_what_a_warning_is(root: Path, level: str, status: int, shown: str | None) -> None:
    levelled(root, level)
    assert severities(root, SINGLETON).get("OW1305") == shown
    assert told(root, SINGLETON, "check")[0] == status


def test_a_lint_that_is_off_is_not_denied_and_one_that_is_an_error_blocks_the_build(root: Path) -> None:
    levelled(root, "off")
    assert told(root, f"pub {SINGLETON}".replace("derive", "pub derive"), "check", "--deny", "warnings")[0] == 0
    levelled(root, "error")
    assert told(root, SINGLETON, "build")[0] == 1


def test_no_more_diagnostics_are_drawn_than_asked_for_and_the_rest_is_counted(root: Path) -> None:
    status, said = told(root, BROKEN, "check", "--max-errors", "2")
    assert status == 1
    assert said.count("error[OE0101]") == 2
    assert "… and 5 more\n" in said
    assert said.endswith("7 errors found\n")
    assert told(root, BROKEN, "check", "--max-errors", "7")[1].count("error[OE0101]") == 7


def test_codes_are_places_and_codes_one_to_a_line(root: Path) -> None:
    assert told(root, BROKEN, "check", "--codes", "--max-errors", "1")[1] == "root.ar:1:6: error OE0101\n"


def test_what_would_change_is_found_and_not_written(root: Path) -> None:
    assert told(root, CROOKED, "fmt", "--check")[0] == 1
    status, said = told(root, CROOKED, "fmt", "--diff")
    assert status == 0
    assert "-type   A  {  x:Int }\n" in said
    assert "+type A { x: Int }\n" in said
    assert (root / "root.ar").read_text("utf-8") == CROOKED


def test_what_is_written_is_canonical_and_has_its_comments(root: Path) -> None:
    assert told(root, CROOKED, "fmt")[0] == 0
    written = (root / "root.ar").read_text("utf-8")
    assert written == "type A { x: Int }\n// kept\n\ntype B {}\n"
    assert told(root, written, "fmt", "--check")[0] == 0


def test_an_item_that_does_not_parse_is_left_as_it_is(root: Path) -> None:
    assert told(root, "type   A  {  x  Int }\ntype   B;\n", "fmt")[0] == 0
    assert (root / "root.ar").read_text("utf-8") == "type   A  {  x  Int }\ntype B;\n"
