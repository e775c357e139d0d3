"""Message templates: literal text with `{name}` placeholders, `{{` and `}}` for braces.

Only names are looked up: no attribute, index, conversion or format specification, so that a value which contains
braces can never be read as a template. Standard library only, for `fast.py`.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_TOKEN = re.compile(r"\{\{|\}\}|\{([a-z][a-z0-9_]*)\}|[{}]")


class TemplateError(ValueError):
    """A template is malformed, or a placeholder of it was given no value."""


def placeholders(template: str) -> frozenset[str]:
    """Names that `template` needs. Raises TemplateError on a lone brace."""
    names = set()
    for match in _TOKEN.finditer(template):
        if match[0] in "{}":
            raise TemplateError(f"lone {match[0]!r} at column {match.start()} of {template!r}")
        if match[1]:
            names.add(match[1])
    return frozenset(names)


def fill(template: str, values: Mapping[str, str]) -> str:
    """`template` with every placeholder replaced by its value; values are inserted as they are.

    Raises TemplateError when a placeholder has no value. Surplus values are ignored: one set of values serves
    templates of several languages.
    """
    missing = placeholders(template) - values.keys()
    if missing:
        raise TemplateError(f"no value for {', '.join(sorted(missing))} of {template!r}")
    return _TOKEN.sub(lambda match: values[match[1]] if match[1] else match[0][0], template)
