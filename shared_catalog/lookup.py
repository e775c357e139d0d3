"""Which entry a reader means: exact code, any case, the bare number, the entry's name, or the nearest codes.

Standard library only, for `fast.py`. The distance is optimal string alignment (edits plus transpositions of
neighbours), because a mistyped code is mostly two swapped digits.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def distance(a: str, b: str, most: int = 1_000) -> int:
    """Optimal string alignment distance: insertions, deletions, substitutions, swaps of neighbours cost 1.

    Where it is more than `most`, something above `most` that may be less than the distance.
    """
    before: list[int] = []
    last = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            best = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                best = min(best, before[j - 2] + 1)
            row.append(best)
        if min(row) > most and min(last) > most:
            return most + 1
        before, last = last, row
    return last[-1]


def number(code: str) -> str:
    """The digits of an `O[EWI]####` code, or the empty string for a run-time code."""
    return code[2:] if len(code) == 6 and code[0] == "O" and code[2:].isdigit() else ""


def resolve(query: str, names: Mapping[str, str]) -> str | None:
    """The code that `query` denotes in `names` (code → CamelCase name), or None when it denotes none."""
    wanted = query.strip().upper()
    if wanted in names:
        return wanted
    for code, name in names.items():
        if name.upper() == wanted or (number(code) and number(code) in (wanted, number(wanted))):
            return code
    suffixed = [code for code in names if len(wanted) > 4 and code.endswith(wanted)]
    return suffixed[0] if len(suffixed) == 1 else None


def near(query: str, codes: Iterable[str], limit: int = 3) -> list[str]:
    """At most `limit` codes that `query` may have meant, nearest first; empty when nothing is close."""
    wanted = query.strip().upper()
    reach = max(2, len(wanted) // 4)
    ranked = sorted((distance(wanted, code), code) for code in codes)
    return [code for steps, code in ranked if steps <= reach][:limit]
