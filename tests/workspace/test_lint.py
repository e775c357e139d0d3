"""`[lint]` of the manifest."""

from __future__ import annotations

from argon_lang.problems import Diagnostic, Location
from argon_lang.workspace.lint import at_level

HERE = Location("x/root.ar", 0, 1)
UNUSED = Diagnostic("OW0105", "warning", "unused", HERE)
SINGLE = Diagnostic("OW1305", "warning", "once", HERE)
ERROR = Diagnostic("OE0101", "error", "unknown", HERE)


def test_a_warning_that_is_off_is_left_out_and_one_that_is_an_error_blocks() -> None:
    shown = at_level([UNUSED, SINGLE, ERROR], {"OW0105": "off", "OW1305": "error"})
    assert [(diagnostic.code, diagnostic.severity) for diagnostic in shown] == [
        ("OW1305", "error"),
        ("OE0101", "error"),
    ]


def test_a_code_without_a_level_keeps_its_severity() -> None:
    assert at_level([UNUSED, ERROR], {}) == (UNUSED, ERROR)
