"""SWI-Prolog with tables: true answers, and those that well-founded negation leaves undefined."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from tempfile import NamedTemporaryFile

from argon_lang.ir.expr import Binary
from argon_lang.ir.rules import Aggregate, Bind, Each, Literal, Match, Not, Rule, Test
from tests.engine.peers.clauses import Atom, clauses, names, terms

Rows = dict[str, set[tuple[int, ...]]]
Facts = dict[str, list[tuple[int, ...]]]
PROGRAM = shutil.which("swipl")

_TOLD = """
told(P, Name, Goal) :-
    forall(call_delays(Goal, Delays),
           ( Goal =.. [_|Row], ( Delays == true -> Truth = 1 ; Truth = 0 ),
             format("~w ~w ~w ~w~n", [P, Name, Truth, Row]) )).
"""


def estimates(given: Sequence[tuple[tuple[Rule, ...], Facts]], arity: dict[str, int]) -> list[tuple[Rows, Rows]]:
    """The true rows and the undefined ones, of each of some programs; all are run by one process."""
    assert PROGRAM is not None
    lines = [":- initialization(main, main).", ":- style_check(-singleton).", ":- style_check(-discontiguous).", _TOLD]
    asked: list[str] = []
    for number, (rules, facts) in enumerate(given):
        lines += _program(f"n{number}_", rules, facts, arity)
        for key, columns in arity.items():
            variables = ",".join(f"V{at}" for at in range(columns))
            asked.append(f"told({number}, {key}, n{number}_{key}({variables}))")
    lines.append(f"main :- {', '.join(asked)}.")
    with NamedTemporaryFile("w", suffix=".pl", encoding="utf-8") as file:
        file.write("\n".join(lines))
        file.flush()
        done = subprocess.run([PROGRAM, "-q", file.name], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr[:2000]
    found: list[tuple[Rows, Rows]] = [({}, {}) for _ in given]
    for line in done.stdout.splitlines():
        number, key, truth, row = line.split(" ", 3)
        values = tuple(int(each) for each in row.strip("[]").split(",") if each)
        found[int(number)][1 - int(truth)].setdefault(key, set()).add(values)
    return found


def _program(prefix: str, rules: Iterable[Rule], facts: Facts, arity: dict[str, int]) -> Iterator[str]:
    made = clauses(rules, around=False)
    heads = {(clause.head[0], len(clause.head[1])) for clause in made} | set(arity.items())
    yield from (f":- table {prefix}{key}/{columns}." for key, columns in sorted(heads))
    yield from (f":- dynamic {prefix}{key}_/{columns}." for key, columns in sorted(arity.items()))
    for key, columns in arity.items():
        variables = ",".join(f"V{at}" for at in range(columns))
        yield f"{prefix}{key}({variables}) :- {prefix}{key}_({variables})."
    yield from (f"{prefix}{key}_({','.join(map(str, row))})." for key, rows in facts.items() for row in rows)
    for clause in made:
        body = ", ".join(_literal(prefix, literal) for literal in clause.body)
        yield f"{_atom(prefix, clause.head)} :- {body or 'true'}."


def _word(value: str | int) -> str:
    return str(value) if isinstance(value, int) else f"V{value}"


def _atom(prefix: str, atom: Atom) -> str:
    given = ",".join(map(_word, terms(atom[1])))
    return f"{prefix}{atom[0]}({given})" if given else f"{prefix}{atom[0]}"


def _literal(prefix: str, literal: Literal) -> str:
    match literal:
        case Match(key, columns):
            return _atom(prefix, (key, columns))
        case Not((Match(key, columns),)):
            return f"tnot({_atom(prefix, (key, columns))})"
        case Bind(var, expr):
            return f"{_word(var)} = {_word(names(expr)[0])}"
        case Each(var, expr):
            return f"member({_word(var)}, [{','.join(map(_word, names(expr)))}])"
        case Test(Binary(op, left, right)):
            sign = {"==": "=:=", "!=": r"=\=", "<=": "=<"}.get(op, op)
            return f"{_word(names(left)[0])} {sign} {_word(names(right)[0])}"
        case Aggregate():
            return _aggregate(prefix, literal)
    raise AssertionError(literal)


def _aggregate(prefix: str, literal: Aggregate) -> str:
    """The distinct substitutions, then the fold of their values."""
    inner = ", ".join(_literal(prefix, each) for each in literal.body)
    key = "-".join(map(_word, terms((literal.value, *literal.own))))
    rows, values = f"R{literal.var}", f"L{literal.var}"
    first = "F" + "".join("-_" for _ in literal.own)
    fold = {"count": "length", "sum": "sum_list", "min": "min_list", "max": "max_list"}[literal.op]
    found = f"findall({key}, ({inner}), {rows}0), sort({rows}0, {rows})"
    return f"{found}, findall(F, member({first}, {rows}), {values}), {fold}({values}, {_word(literal.var)})"
