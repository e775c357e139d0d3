"""DuckDB: each rule one `INSERT … SELECT`, repeated stratum by stratum until nothing is new."""

from __future__ import annotations

from collections.abc import Iterable

import duckdb

from argon_lang.ir.expr import Binary, Expr
from argon_lang.ir.rules import Aggregate, Bind, Const, Each, Literal, Match, Not, Rule, Term, Test
from tests.engine import naive
from tests.engine.peers.clauses import names, ordered

Rows = dict[str, set[tuple[int, ...]]]


def model(rules: Iterable[Rule], facts: dict[str, list[tuple[int, ...]]], arity: dict[str, int]) -> Rows:
    """The rows by key of a stratified program."""
    listed = list(rules)
    with duckdb.connect() as database:
        database.execute("SET threads TO 1")
        for key, columns in arity.items():
            database.execute(f"CREATE TABLE {key} ({', '.join(f'c{at} BIGINT' for at in range(columns))})")
            for row in set(facts.get(key, ())):
                database.execute(f"INSERT INTO {key} VALUES ({', '.join(map(str, row))})")
        level = naive.strata(listed)
        for number in sorted(set(level.values())):
            statements = [insertion(rule, arity) for rule in listed if level[rule.key] == number]
            while sum(database.execute(each).fetchall()[0][0] for each in statements):
                pass
        return {key: set(database.execute(f"SELECT * FROM {key}").fetchall()) for key in arity}


def insertion(rule: Rule, arity: dict[str, int]) -> str:
    """The statement that adds what a rule derives and is not there."""
    select = Select({})
    select.add(ordered(rule.body))
    head = ", ".join(f"{select.term(term)} AS c{at}" for at, term in enumerate(rule.terms))
    return f"INSERT INTO {rule.key} SELECT DISTINCT {head}{select.tail()} EXCEPT SELECT * FROM {rule.key}"


class Select:
    """A conjunction as `FROM … WHERE …`; `bound` has the SQL of each variable so far."""

    count = 0

    def __init__(self, bound: dict[str, str]) -> None:
        self.bound = dict(bound)
        self.sources: list[str] = []
        self.conditions: list[str] = []

    def tail(self) -> str:
        sources = f" FROM {', '.join(self.sources)}" if self.sources else ""
        return f"{sources} WHERE {' AND '.join(self.conditions)}" if self.conditions else sources

    def term(self, term: Term) -> str:
        return str(term.value) if isinstance(term, Const) else self.bound[term.name]

    def value(self, expr: Expr) -> str:
        return self._word(names(expr)[0])

    def _word(self, word: str | int) -> str:
        return str(word) if isinstance(word, int) else self.bound[word]

    def add(self, body: Iterable[Literal]) -> None:
        for literal in body:
            match literal:
                case Match(key, terms):
                    self._match(key, terms)
                case Not(inner):
                    self.conditions.append(f"NOT EXISTS (SELECT 1{self._inner(inner).tail()})")
                case Bind(var, expr):
                    self._equal(var, self.value(expr))
                case Each(var, expr):
                    self._each(var, [self._word(word) for word in names(expr)])
                case Test(Binary(op, left, right)):
                    sign = {"==": "=", "!=": "<>"}.get(op, op)
                    self.conditions.append(f"{self.value(left)} {sign} {self.value(right)}")
                case Aggregate():
                    self._aggregate(literal)
                case _:
                    raise AssertionError(literal)

    def _inner(self, body: Iterable[Literal]) -> Select:
        inner = Select(self.bound)
        inner.add(ordered(body))
        return inner

    def _alias(self) -> str:
        Select.count += 1
        return f"t{Select.count}"

    def _match(self, key: str, terms: tuple[Term, ...]) -> None:
        alias = self._alias()
        self.sources.append(f"{key} AS {alias}")
        for at, term in enumerate(terms):
            if isinstance(term, Const):
                self.conditions.append(f"{alias}.c{at} = {term.value}")
            else:
                self._equal(term.name, f"{alias}.c{at}")

    def _equal(self, var: str, sql: str) -> None:
        if var in self.bound:
            self.conditions.append(f"{self.bound[var]} = {sql}")
        else:
            self.bound[var] = sql

    def _each(self, var: str, words: list[str]) -> None:
        if not words:
            self.conditions.append("false")
            self._equal(var, "CAST(NULL AS BIGINT)")
            return
        alias = self._alias()
        self.sources.append(f"(SELECT unnest([{', '.join(words)}]) AS c0) AS {alias}")
        self._equal(var, f"{alias}.c0")

    def _aggregate(self, literal: Aggregate) -> None:
        inner = self._inner(literal.body)
        columns = [f"{inner.term(term)} AS v{at}" for at, term in enumerate((literal.value, *literal.own))]
        ranged = f"(SELECT DISTINCT {', '.join(columns)}{inner.tail()}) AS {self._alias()}"
        fold = {"count": "count(*)", "sum": "CAST(coalesce(sum(v0), 0) AS BIGINT)"}.get(literal.op, f"{literal.op}(v0)")
        value = f"(SELECT {fold} FROM {ranged})"
        if literal.op in ("min", "max"):
            self.conditions.append(f"{value} IS NOT NULL")
        self._equal(literal.var, value)
