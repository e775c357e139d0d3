"""Wire values as people read them."""

from __future__ import annotations

import json
from typing import Any

_TAGGED = ("decimal", "real", "money", "date", "dateTime", "duration", "f64")


def plain(value: Any) -> str:
    """A wire value as a person reads it in a cell."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case {"entity": id_, **rest}:
            return str(rest.get("label", id_))
        case {"enum": path, **rest}:
            variant = str(path).rsplit("::", 1)[-1]
            return f"{variant}({_joined(rest['payload'])})" if "payload" in rest else variant
        case {"struct": path, "fields": fields}:
            inner = ", ".join(f"{name}: {plain(part)}" for name, part in fields.items())
            return f"{str(path).rsplit('::', 1)[-1]} {{ {inner} }}"
        case {"tuple": relation, "ends": ends}:
            return f"{str(relation).rsplit('::', 1)[-1]}({_joined(ends)})"
        case dict() if len(value) == 1 and next(iter(value)) in _TAGGED:
            return str(next(iter(value.values())))
        case list() | dict():
            return f"[{_joined(value)}]" if isinstance(value, list) else json.dumps(value, ensure_ascii=False)
        case _:
            return str(value)


def _joined(values: Any) -> str:
    if isinstance(values, dict):
        return ", ".join(f"{name}: {plain(part)}" for name, part in values.items())
    return ", ".join(map(plain, values))
