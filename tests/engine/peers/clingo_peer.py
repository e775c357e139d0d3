"""clingo: the stable models of a program. A stratified program has one, which is its model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import clingo

from argon_lang.ir.expr import Binary
from argon_lang.ir.rules import Aggregate, Bind, Each, Literal, Match, Not, Rule, Test
from tests.engine.peers.clauses import Atom, clauses, names, terms

Rows = dict[str, set[tuple[int, ...]]]


def models(rules: Iterable[Rule], facts: dict[str, list[tuple[int, ...]]], most: int = 0) -> list[Rows]:
    """The stable models (at most so many, 0: all), each as rows by key."""
    control = clingo.Control([str(most)], message_limit=0)
    control.add("base", [], text(rules, facts))
    control.ground([("base", [])])
    found: list[Rows] = []

    def keep(model: clingo.Model) -> None:
        rows: Rows = {}
        for symbol in model.symbols(atoms=True):
            rows.setdefault(symbol.name, set()).add(tuple(each.number for each in symbol.arguments))
        found.append(rows)

    control.solve(on_model=keep)
    return found


def text(rules: Iterable[Rule], facts: dict[str, list[tuple[int, ...]]]) -> str:
    lines = [f"{_atom((key, ()), row)}." for key, rows in facts.items() for row in rows]
    for clause in clauses(rules, around=True):
        body = ", ".join(part for literal in clause.body for part in _literal(literal))
        lines.append(f"{_atom(clause.head)} :- {body or '#true'}.")
    return "\n".join(lines)


def _word(value: str | int) -> str:
    return str(value) if isinstance(value, int) else f"V{value}"


def _atom(atom: Atom, row: tuple[int, ...] | None = None) -> str:
    given = terms(atom[1]) if row is None else row
    return f"{atom[0]}({','.join(map(_word, given))})" if given else atom[0]


def _literal(literal: Literal) -> Iterator[str]:
    match literal:
        case Match(key, columns):
            yield _atom((key, columns))
        case Not((Match(key, columns),)):
            yield f"not {_atom((key, columns))}"
        case Bind(var, expr):
            yield f"{_word(var)} = {_word(names(expr)[0])}"
        case Each(var, expr):
            pool = [_word(each) for each in names(expr)]
            yield f"{_word(var)} = ({';'.join(pool)})" if pool else f"{_word(var)} = 0, #false"
        case Test(Binary(op, left, right)):
            yield f"{_word(names(left)[0])} {'=' if op == '==' else op} {_word(names(right)[0])}"
        case Aggregate(var, op, own, value, body):
            inner = ", ".join(part for each in body for part in _literal(each))
            key = ",".join(map(_word, terms((value, *own))))
            yield f"{_word(var)} = #{op} {{ {key} : {inner} }}"
            if op in ("min", "max"):
                yield f"#count {{ {key} : {inner} }} > 0"
        case _:
            raise AssertionError(literal)
