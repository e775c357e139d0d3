"""The wire form of an error: what every front end sends for a refusal, worded by the catalog."""

from __future__ import annotations

from typing import Any

from argon_lang.errors import ArgonError
from shared_catalog import render


def error_body(error: ArgonError) -> dict[str, Any]:
    """Code, message, details, help lines and whether trying again may help."""
    body: dict[str, Any] = {
        "code": error.code,
        "message": render.message(error.code, error.args_),
        "details": dict(error.details),
        "retryable": error.retryable,
    }
    if lines := [render.note(error.code, note.key, note.args) for note in error.notes]:
        body["help"] = lines
    return body
