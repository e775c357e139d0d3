"""JSON of the wire: orjson where it can, the standard library for the few texts that it refuses (lone surrogates)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import orjson

Json = Any
"""A JSON value: dicts, lists, texts, numbers, booleans, None."""


class NotJson(Exception):
    """The bytes are not JSON."""


def loads(body: bytes) -> Json:
    """The value of a message body. Raises NotJson."""
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        pass
    try:
        return json.loads(body)
    except (ValueError, RecursionError) as error:
        raise NotJson from error


def dumps(value: Json, default: Callable[[Any], Any] | None = None) -> bytes:
    """The bytes of a value; `default` turns what is no JSON value into one."""
    try:
        return orjson.dumps(value, default)
    except (TypeError, ValueError):
        return json.dumps(value, default=default).encode()


def notification(method: str, params: Json) -> bytes:
    """A notification with plain parameters."""
    return dumps({"jsonrpc": "2.0", "method": method, "params": params})
