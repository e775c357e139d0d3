"""Clauses that only pass a question on: `reach(x, z) :- edge(x, y), reach(y, z)` with x known.

What is wanted spreads from x to every y, but nobody asks which of them leads where: all that any of them concludes is
an answer for x. So where rows alone are asked for, and not how they came to hold, the key is replaced by the way
*through* it, pairs of where a question began and where it has come to. That costs what is reached, not what is reached
from everything that is reached (Naughton, Ramakrishnan, Sagiv, Ullman 1989).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from argon_lang.engine.walk import literal_variables, matches
from argon_lang.ir.rules import Match, Rule, Var

if TYPE_CHECKING:
    from argon_lang.engine.program import Unit

Columns = tuple[int, ...]


def through_key(key: str, columns: Columns) -> str:
    """The key of the ways through the rows of `key`, by the columns that are known."""
    return f"through:{','.join(map(str, columns))}:{key}"


def passes_on(unit: Unit, key: str, columns: Columns) -> bool:
    """Do all clauses of the key that read it only pass on a question with these columns?"""
    if unit.keys != {key} or not unit.recursive:
        return False
    reading = [compiled.rule for _, compiled in unit.rules if any(m.key == key for m, _ in matches(compiled.rule.body))]
    return all(_passed_on(rule, columns) is not None for rule in reading)


def _passed_on(rule: Rule, columns: Columns) -> Match | None:
    """The read of a clause's own key that is the whole question again, asked elsewhere; None where there is none."""
    reads = [match for match, _ in matches(rule.body) if match.key == rule.key]
    if len(reads) != 1 or not any(literal is reads[0] for literal in rule.body):
        return None
    free = [at for at in range(len(rule.terms)) if at not in columns]
    asked = [rule.terms[at] for at in free]
    others = [literal for literal in rule.body if literal is not reads[0]]
    elsewhere = {name for literal in others for name in literal_variables(literal)}
    elsewhere |= {term.name for at in columns for term in (rule.terms[at], reads[0].terms[at]) if isinstance(term, Var)}
    names = {term.name for term in asked if isinstance(term, Var)}
    same = asked == [reads[0].terms[at] for at in free]
    return reads[0] if same and len(names) == len(asked) and not names & elsewhere else None


def begun(key: str, columns: Columns, wanted: str) -> tuple[Match, Rule]:
    """A question that is wanted begins where it is asked."""
    terms = tuple(map(_origin, columns))
    return Match(wanted, terms), Rule(f"begun {key}", through_key(key, columns), (*terms, *terms), ())


def passing(rule: Rule, columns: Columns) -> tuple[Match, Rule]:
    """A clause that goes on with a question, or answers it: what it reads first, and the rest."""
    origin = tuple(map(_origin, columns))
    guard = Match(through_key(rule.key, columns), (*origin, *(rule.terms[at] for at in columns)))
    again = _passed_on(rule, columns)
    if again is None:
        answer = tuple(_origin(at) if at in columns else term for at, term in enumerate(rule.terms))
        return guard, replace(rule, terms=answer)
    there = tuple(again.terms[at] for at in columns)
    rest = tuple(literal for literal in rule.body if literal is not again)
    return guard, replace(rule, key=guard.key, terms=(*origin, *there), body=rest)


def _origin(column: int) -> Var:
    return Var(f"asked {column}")
