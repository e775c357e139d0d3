"""Start the entry of a new diagnostic code: `python -m shared_catalog.new_code OE1399 RuleTooLong`.

The entry is written in form and *reserved*; whoever emits the code gives it its words and makes it live.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from shared_catalog import load, lookup, source
from shared_catalog.model import CATEGORY_OF_RANGE, SEVERITY_OF_LETTER

USAGE = "usage: python -m shared_catalog.new_code CODE CamelCaseName"

ENTRY = """\
+++
code = "{code}"
name = "{name}"
severity = "{severity}"
status = "reserved"
reason = "nothing emits it yet"
since = "0.1.0"
category = "{category}"
title = "{name}"
message = "`{{name}}` is {{found}}, not {{expected}}"
fix_class = ["rename"]
related = []

[notes]
suggest = "did you mean `{{suggestion}}`?"

[fixes]
replace = "replace with `{{suggestion}}`"
+++

## What

One paragraph for a reader who has never met the code: what the compiler saw.

## Why

One paragraph: what would go wrong in a rule about tax, leases or access if it were allowed.

## Example

```argon
  typ Person;
//^^^
```

## Fix

```argon
  type Person;
```

## See also
"""


class CodeRefused(ValueError):
    """The code or the name cannot be used; the message says why."""


def skeleton(code: str, name: str) -> str:
    """The text of the new entry. Raises CodeRefused."""
    number = lookup.number(code)
    if not number or code[1] not in SEVERITY_OF_LETTER or number[:2] not in CATEGORY_OF_RANGE:
        ranges = ", ".join(CATEGORY_OF_RANGE)
        raise CodeRefused(f"`{code}` is not O, then E, W or I, then four digits that begin with one of {ranges}")
    taken = [other for other in load.codes() if lookup.number(other) == number]
    if taken:
        raise CodeRefused(f"the number of `{code}` is taken by `{taken[0]}`")
    severity, category = SEVERITY_OF_LETTER[code[1]], CATEGORY_OF_RANGE[number[:2]]
    text = ENTRY.format(code=code, name=name, severity=severity, category=category)
    try:
        source.entry(text, code)
    except ValueError:
        raise CodeRefused(f"`{name}` is no CamelCase name") from None
    return text


def main(argv: Sequence[str] | None = None) -> int:
    """Write `codes/CODE.md`; 0, or 1 when it is refused, or 2 for a wrong command line."""
    words = sys.argv[1:] if argv is None else list(argv)
    if len(words) != 2:
        sys.stderr.write(USAGE + "\n")
        return 2
    try:
        text = skeleton(*words)
    except CodeRefused as error:
        sys.stderr.write(f"error: {error}\n")
        return 1
    path = load.CODES / f"{words[0]}.md"
    path.write_text(text, encoding="utf-8")
    sys.stdout.write(f"wrote shared_catalog/codes/{path.name}: give it its words, then make it live\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
