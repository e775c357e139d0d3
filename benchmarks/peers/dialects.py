"""The same rules in the words of other systems."""

from __future__ import annotations

from collections.abc import Iterable

from argon_lang.ir.expr import Binary, Expr, Lit, Local
from argon_lang.ir.rules import Aggregate, Bind, Const, Literal, Match, Not, Rule, Term, Test
from benchmarks.peers.workloads import Facts


def name_of(term: Term) -> str:
    """A term as Prolog writes it."""
    return str(term.value) if isinstance(term, Const) else term.name.upper()


def _side(expr: Expr) -> str:
    match expr:
        case Local(name):
            return name.upper()
        case Lit(value):
            return str(value)
        case Binary(op, left, right, _):
            return f"{_side(left)} {op} {_side(right)}"
    raise TypeError(type(expr).__name__)


def _atom(key: str, terms: Iterable[Term]) -> str:
    return f"{key}({', '.join(map(name_of, terms))})"


def facts_text(facts: Facts) -> str:
    """Facts, one a line: Prolog and answer set programming write them alike."""
    return "".join(f"{key}({', '.join(map(str, row))}).\n" for key, rows in facts.items() for row in rows)


def clingo(rules: Iterable[Rule]) -> str:
    """The rules of an answer set program."""

    def literal(each: Literal) -> str:
        match each:
            case Match(key, terms, _):
                return _atom(key, terms)
            case Not((Match(key, terms, _),), _):
                return f"not {_atom(key, terms)}"
            case Aggregate(var, op, own, value, (Match(key, terms, _),)):
                weight = ", ".join(name_of(term) for term in ((value, *own) if op == "sum" else (value,)))
                return f"{var.upper()} = #{op}{{ {weight} : {_atom(key, terms)} }}"
            case Test(expr, _):
                return _side(expr)
            case Bind(var, expr, _):
                return f"{var.upper()} = {_side(expr)}"
        raise TypeError(type(each).__name__)

    return "".join(f"{_atom(r.key, r.terms)} :- {', '.join(map(literal, r.body))}.\n" for r in rules)


def prolog(rules: tuple[Rule, ...], facts: Facts, tabled: Iterable[str]) -> str:
    """A Prolog program whose derived predicates are tabled; those in `tabled` negate with well-founded meaning."""
    denied, heads = set(tabled), {rule.key: len(rule.terms) for rule in rules}

    def literal(each: Literal) -> str:
        match each:
            case Match(key, terms, _):
                return _atom(key, terms)
            case Not((Match(key, terms, _),), _):
                return f"{'tnot' if key in denied else chr(92) + '+'}({_atom(key, terms)})"
            case Aggregate(var, op, _, value, (Match(key, terms, _),)):
                what = f"sum({name_of(value)})" if op == "sum" else op
                return f"aggregate_all({what}, {_atom(key, terms)}, {var.upper()})"
            case Test(expr, _):
                return _side(expr)
            case Bind(var, expr, _):
                return f"{var.upper()} is {_side(expr)}"
        raise TypeError(type(each).__name__)

    lines = [f":- table {key}/{arity}." for key, arity in heads.items()]
    clauses = sorted(rules, key=lambda rule: tuple(heads).index(rule.key))
    lines += [f"{_atom(r.key, r.terms)} :- {', '.join(map(literal, r.body))}." for r in clauses]
    return "\n".join(lines) + "\n" + facts_text(facts)


def sql(rule: Rule) -> str:
    """One rule as a query; columns are c0, c1 and so on."""
    places: dict[str, str] = {}
    tables: list[str] = []
    conditions: list[str] = []

    def value(expr: Expr) -> str:
        match expr:
            case Local(name):
                return places[name]
            case Lit(number):
                return str(number)
            case Binary(op, left, right, _):
                return f"{value(left)} {op.replace('!=', '<>')} {value(right)}"
        raise TypeError(type(expr).__name__)

    def read(match: Match, alias: str, bound: dict[str, str]) -> list[str]:
        found: list[str] = []
        for at, term in enumerate(match.terms):
            here = f"{alias}.c{at}"
            known = str(term.value) if isinstance(term, Const) else bound.setdefault(term.name, here)
            found += [] if known == here else [f"{here} = {known}"]
        return found

    for at, each in enumerate(rule.body):
        match each:
            case Match(key, _, _):
                tables.append(f"{key} t{at}")
                conditions += read(each, f"t{at}", places)
            case Not((Match(key, _, _) as inner,), _):
                inside = " AND ".join(read(inner, f"n{at}", dict(places)))
                conditions.append(f"NOT EXISTS (SELECT 1 FROM {key} n{at} WHERE {inside})")
            case Aggregate(var, op, _, ranged, (Match(key, _, _) as inner,)):
                local = dict(places)
                inside = " AND ".join(read(inner, f"g{at}", local))
                folded = f"{op}({local[name_of(ranged).lower()]})"
                places[var] = f"(SELECT coalesce({folded}, 0) FROM {key} g{at} WHERE {inside})"
            case Test(expr, _):
                conditions.append(value(expr))
            case Bind(var, expr, _):
                places[var] = f"({value(expr)})"
    heads = ", ".join(f"{places[name_of(term).lower()]} AS c{at}" for at, term in enumerate(rule.terms))
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    return f"SELECT DISTINCT {heads} FROM {', '.join(tables)}{where}"
