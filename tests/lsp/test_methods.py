"""The table of methods in the docs is complete, and says what the server does."""

from __future__ import annotations

import re
from pathlib import Path

from lsprotocol import types as lsp

from tests.lsp.test_capabilities import registered

ROOT = Path(__file__).parents[2]
ROW = re.compile(r"^\| `([^`]+)` \| (done|not applicable) \| ?(.*) ?\|$", re.M)
PULLS = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
BY_THE_LIBRARY = {lsp.INITIALIZE, lsp.EXIT, lsp.CANCEL_REQUEST, lsp.PROGRESS}
"""What the protocol's own layers answer."""


def table() -> dict[str, tuple[str, str]]:
    rows = ROW.findall((ROOT / "docs" / "language-server.md").read_text(encoding="utf-8"))
    assert len({method for method, _, _ in rows}) == len(rows)
    return {method: (state, reason) for method, state, reason in rows}


def test_the_table_has_every_method_of_the_protocol_and_no_other() -> None:
    assert set(table()) == set(lsp.METHOD_TO_TYPES)


def test_what_does_not_apply_has_its_reason() -> None:
    assert [method for method, (state, reason) in table().items() if state == "not applicable" and not reason] == []


def test_what_is_done_is_registered_or_sent_and_nothing_else_is() -> None:
    features = registered({})[0] | registered(PULLS)[0] | BY_THE_LIBRARY
    source = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "argon_lsp").rglob("*.py"))
    for method, (state, _) in table().items():
        if lsp.message_direction(method) == "serverToClient":
            name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", method.replace("/", "_")).lower()
            done = method in source or f"{name}(" in source or f"{name}_async(" in source or name in CALLED_OTHERWISE
        else:
            done = method in features
        assert (state == "done") is done, method


CALLED_OTHERWISE = {"window_work_done_progress_create"}
"""Sent by pygls' `work_done_progress`, which `argon_lsp.progress` uses."""
