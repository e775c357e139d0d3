"""A small reader of TextMate grammars: which scope each character of a line has, by the rules of the format.

It knows what Argon's grammar uses (`match` with `captures`, `begin` and `end` with `patterns`, `include` of the
repository) and refuses anything else, so a grammar that outgrows it is noticed.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Rule = dict[str, Any]
KNOWN = {"name", "match", "captures", "begin", "end", "patterns", "include"}

_CLASSES = (
    (r"[\p{L}_][\p{L}\p{N}_]*", r"[^\W\d]\w*"),
    (r".\p{L}\p{N}_", r".\w"),
    (r"\p{L}\p{N}_", r"\w"),
    (r"\p{Lu}", r"[A-ZÀ-ÖØ-Þ]"),
    (r"\p{L}", "A-Za-zÀ-ÖØ-öø-ɏͰ-ϿЀ-ӿ"),
    (r"\p{N}", r"\d"),
)
"""Unicode classes of Oniguruma, and what Python's `re` has for them."""


@dataclass(frozen=True, slots=True)
class Open:
    """A rule with `begin` that has not met its `end` yet."""

    rule: Rule
    end: re.Pattern[str]


def load(path: Path) -> Rule:
    """Read a grammar."""
    grammar: Rule = json.loads(path.read_text(encoding="utf-8"))
    return grammar


def scopes(grammar: Rule, text: str) -> list[list[tuple[str, ...]]]:
    """For each line, the scopes of each character from the outermost to the innermost, the grammar's own left out."""
    stack: list[Open] = []
    return [_line(grammar, line, stack) for line in text.split("\n")]


def _line(grammar: Rule, line: str, stack: list[Open]) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    place, rests = 0, 0
    while place <= len(line):
        rule, hit = _next(grammar, line, place, stack)
        if hit is None:
            break
        found += [_around(stack)] * (hit.start() - place)
        if rule is None:
            found += [_around(stack)] * len(hit[0])
            stack.pop()
        elif "begin" in rule:
            stack.append(Open(rule, _compiled(rule["end"])))
            found += [_around(stack)] * len(hit[0])
        else:
            found += _captured(rule, hit, _around(stack))
        rests = rests + 1 if hit.end() == place else 0
        assert rests < len(line) + 10, f"the grammar does not move on in {line!r}"
        place = hit.end() + (rule is not None and "match" in rule and not hit[0])
    return (found + [_around(stack)] * len(line))[: len(line)]


def _next(grammar: Rule, line: str, place: int, stack: list[Open]) -> tuple[Rule | None, re.Match[str] | None]:
    """What comes first from `place` on: the end of the open rule (None), or the earliest of the rules inside it."""
    best: tuple[Rule | None, re.Match[str] | None] = (None, stack[-1].end.search(line, place) if stack else None)
    for rule in _flat(grammar, stack[-1].rule.get("patterns", ()) if stack else grammar["patterns"]):
        hit = _compiled(rule.get("match") or rule["begin"]).search(line, place)
        if hit is not None and (best[1] is None or hit.start() < best[1].start()):
            best = (rule, hit)
    return best


def _flat(grammar: Rule, patterns: list[Rule]) -> list[Rule]:
    found: list[Rule] = []
    for rule in patterns:
        assert set(rule) <= KNOWN, rule
        if "include" in rule:
            found += _flat(grammar, grammar["repository"][rule["include"].removeprefix("#")]["patterns"])
        else:
            found.append(rule)
    return found


def _around(stack: list[Open]) -> tuple[str, ...]:
    return tuple(each.rule["name"] for each in stack if "name" in each.rule)


def _captured(rule: Rule, hit: re.Match[str], around: tuple[str, ...]) -> list[tuple[str, ...]]:
    own = (*around, rule["name"]) if "name" in rule else around
    marked = [own] * len(hit[0])
    for number, capture in rule.get("captures", {}).items():
        start, end = hit.span(int(number))
        marked[start - hit.start() : end - hit.start()] = [(*own, capture["name"])] * (end - start)
    return marked


_COMPILED: dict[str, re.Pattern[str]] = {}


def _compiled(pattern: str) -> re.Pattern[str]:
    if pattern not in _COMPILED:
        text = pattern
        for oniguruma, python in _CLASSES:
            text = text.replace(oniguruma, python)
        _COMPILED[pattern] = re.compile(text)
    return _COMPILED[pattern]
