"""The public suite `datalog-conformance`, and its cases as Argon programs.

A program's rules are written with their words renamed (a predicate `edge` is `p_edge`, a variable `X` is `v_X`), facts
as relations. A theory of defeasible logic becomes clauses and attacks (semantics S5): a defeasible rule is a
`#[default]` clause; whatever concludes the opposite attacks it by a clause of its own with the same body, and what is
superior to the attacker attacks that clause in turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import yaml

Row = tuple[Any, ...]
Rows = Mapping[str, Iterable[Row]]

TOKEN = re.compile(r'"[^"]*"|[A-Za-z_][A-Za-z0-9_]*|\d+|:-|<=|>=|!=|[^\s]')
NEMO = "nemo/"
LARGE = 1_000_000
"""Bytes of a file that only the long evidence reads."""


def cases_folder() -> Path:
    """Where the package keeps its cases; it is found without being imported, since it imports pytest plugins."""
    found = find_spec("datalog_conformance")
    assert found is not None, "the package datalog-conformance is not installed"
    assert found.origin is not None
    return Path(found.origin).parent / "_tests"


def files(large: bool) -> list[str]:
    """The names of the suite's files, without their ending: those of more than `LARGE` bytes, or the others."""
    folder = cases_folder()
    found = sorted(path for path in folder.rglob("*.yaml") if (path.stat().st_size > LARGE) == large)
    return [path.relative_to(folder).with_suffix("").as_posix() for path in found]


def cases(name: str) -> list[dict[str, Any]]:
    """The cases of one file, each with its source."""
    with (cases_folder() / f"{name}.yaml").open(encoding="utf-8") as stream:
        raw = yaml.load(stream, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return [{"source": raw["source"], **case} for case in raw.get("tests", [raw])]


# -- words -------------------------------------------------------------------------------------------------------------


def word(name: str) -> str:
    """An identifier for a predicate; `~p` is the opposite of `p`, a predicate of its own."""
    positive = name.removeprefix("~")
    kind = "n_" if positive != name else "p_"
    return kind + re.sub(r"\W", "_", positive)


def opposite(predicate: str) -> str:
    return predicate[1:] if predicate.startswith("~") else f"~{predicate}"


@dataclass(frozen=True)
class Atom:
    """A predicate with the texts of its arguments, each already in Argon's words."""

    predicate: str
    args: tuple[str, ...]

    def __str__(self) -> str:
        return f"{word(self.predicate)}({', '.join(self.args)})"


def atom(text: str) -> Atom:
    """Parse `p`, `~p`, `p(X, "a", 3)`, `p(n - 1)`."""
    name, paren, rest = text.strip().rstrip(".").partition("(")
    inner = rest.rstrip().removesuffix(")")
    return Atom(name.strip(), tuple(expression(part) for part in inner.split(",")) if paren and inner.strip() else ())


def expression(text: str) -> str:
    """Arguments and comparisons: variables are renamed, numbers, strings and operators stay."""
    tokens = TOKEN.findall(text)
    return " ".join(f"v_{token}" if re.match(r"[A-Za-z]", token) else token for token in tokens)


def body_literal(text: str) -> tuple[str, Atom] | str:
    """A literal: `not` or nothing with its atom, or the text of a comparison."""
    plain = text.strip()
    negated = plain.startswith("not ")
    rest = plain.removeprefix("not ").strip()
    if not re.match(r"~?[A-Za-z_][\w:]*\s*(\(|$)", rest):
        return expression(rest)
    return ("not " if negated else ""), atom(rest)


def split(text: str) -> list[str]:
    """The parts of a body between its outermost commas."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [part for part in [*parts, text[start:]] if part.strip()]


@dataclass(frozen=True)
class Clause:
    """`head :- body`, with the name of its rule if it has one."""

    head: Atom
    body: tuple[tuple[str, Atom] | str, ...]
    name: str = ""

    @classmethod
    def of_text(cls, text: str) -> Clause:
        head, _, body = text.strip().rstrip(".").partition(":-")
        return cls(atom(head), tuple(map(body_literal, split(body))))

    @classmethod
    def of_rule(cls, rule: Mapping[str, Any]) -> Clause:
        body = tuple(map(body_literal, rule.get("body") or ()))
        return cls(atom(rule["head"]), body, word(rule["id"]))

    def atoms(self) -> Iterator[Atom]:
        yield self.head
        yield from (literal[1] for literal in self.body if not isinstance(literal, str))

    def conditions(self) -> list[str]:
        """The body as Argon writes it; an empty one is true."""
        found = [literal if isinstance(literal, str) else f"{literal[0]}{literal[1]}" for literal in self.body]
        return found or ["true"]

    def parameters(self) -> tuple[list[str], list[str]]:
        """The head's parameters, and the equations that give them: expressions and repeated variables are no heads."""
        shown: list[str] = []
        equations: list[str] = []
        for at, text in enumerate(self.head.args):
            if re.fullmatch(r'v_\w+|\d+|"[^"]*"|_', text) and text not in shown:
                shown.append(text)
            else:
                shown.append(f"h{at}")
                equations.append(f"h{at} = {text}")
        return shown, equations

    def written(self, head: str = "", marks: str = "") -> str:
        """The clause as Argon text, under another name of its head or with attributes if wanted."""
        shown, equations = self.parameters()
        name = head or word(self.head.predicate)
        return f"{marks}derive {name}({', '.join(shown)}) :- {', '.join([*self.conditions(), *equations])};"


# -- programs ----------------------------------------------------------------------------------------------------------


@dataclass
class Translated:
    """A case as text, with the rows of its relations where these are too many to be written as facts."""

    clauses: list[str] = field(default_factory=list)
    facts: dict[str, list[Row]] = field(default_factory=dict)
    arities: dict[str, set[int]] = field(default_factory=dict)
    derived: set[str] = field(default_factory=set)
    kinds: dict[tuple[str, int], type] = field(default_factory=dict)

    WRITTEN = 300
    """So many rows of a predicate are written as facts; more are handed to the engine."""

    def read(self, clauses: Iterable[Clause], facts: Rows) -> None:
        """Note predicates, arities, and by which type each column goes."""
        listed = list(clauses)
        self.facts = {name: [tuple(row) for row in rows or ()] for name, rows in facts.items()}
        for name, rows in self.facts.items():
            self.arities.setdefault(name, set()).update(map(len, rows))
        for each in (found for clause in listed for found in clause.atoms()):
            self.arities.setdefault(each.predicate, set()).add(len(each.args))
        self.derived = {clause.head.predicate for clause in listed}
        self.kinds = column_types(listed, self.facts)

    def kind(self, name: str, column: int) -> type:
        return self.kinds.get((name, column), str)

    def value(self, name: str, column: int, value: Any) -> Any:
        """A value of the case, of its column's type."""
        return self.kind(name, column)(value)

    def row(self, name: str, row: Row) -> Row:
        return tuple(self.value(name, column, value) for column, value in enumerate(row))

    def handed(self) -> dict[str, list[Row]]:
        """The rows that are not written, by the key of their relation."""
        large = {name: rows for name, rows in self.facts.items() if len(rows) > self.WRITTEN}
        return {f"pkg::{self.relation(name)}^": [self.row(name, row) for row in rows] for name, rows in large.items()}

    def relation(self, name: str) -> str:
        """The relation that holds a predicate's facts: its own, or one beside it where there are rules, too."""
        return f"e_{word(name)}" if name in self.derived else word(name)

    @cached_property
    def source(self) -> str:
        """The whole program."""
        return "\n".join([*self._declared(), *self.clauses, ""])

    def _declared(self) -> Iterator[str]:
        for name, arities in self.arities.items():
            if name in self.derived and not self.facts.get(name):
                continue
            columns = [f"c{at}: {TYPES[self.kind(name, at)]}" for at in range(max(arities))]
            if name in self.derived or columns:
                yield from self._facts(name, columns)
            else:
                yield from (f"derive {word(name)}() :- {'true' if self.facts.get(name) else 'false'};",)

    def _facts(self, name: str, columns: list[str]) -> Iterator[str]:
        relation, rows = self.relation(name), self.facts.get(name, [])
        if columns:
            yield f"rel {relation}({', '.join(columns)});"
        if columns and len(rows) <= self.WRITTEN:
            yield from (f"fact {relation}({', '.join(map(literal, self.row(name, row)))});" for row in rows)
        if name in self.derived:
            names = ", ".join(f"c{at}" for at in range(len(columns)))
            yield f"derive {word(name)}({names}) :- {f'{relation}({names})' if columns else 'true'};"


TYPES = {int: "Int", str: "String"}


def literal(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


def column_types(clauses: Iterable[Clause], facts: Rows) -> dict[tuple[str, int], type]:
    """The type of each column: columns that share a variable have one; where numbers meet texts, they are texts."""
    parents: dict[Any, Any] = {}

    def root(item: Any) -> Any:
        while parents.setdefault(item, item) != item:
            item = parents[item]
        return item

    found: dict[Any, set[type]] = {}
    for number, clause in enumerate(clauses):
        for each in clause.atoms():
            for at, text in enumerate(each.args):
                for variable in re.findall(r"v_\w+", text):
                    parents[root((each.predicate, at))] = root((number, variable))
    for clause in clauses:
        for each in clause.atoms():
            for at, text in enumerate(each.args):
                if text.startswith('"') or re.search(r"\d", re.sub(r"v_\w+", "", text)) or "+" in text:
                    found.setdefault(root((each.predicate, at)), set()).add(str if text.startswith('"') else int)
    for name, rows in facts.items():
        for row in rows:
            for at, value in enumerate(row):
                found.setdefault(root((name, at)), set()).add(type(value))
    columns = [item for item in list(parents) if isinstance(item[0], str)] + [
        (name, at) for name, rows in facts.items() for row in rows for at in range(len(row))
    ]
    return {item: int if found.get(root(item)) == {int} else str for item in dict.fromkeys(columns)}


def any_value(clause: Clause) -> Clause:
    """The clause in Nemo's dialect, where a variable that only one negated atom has stands for any value.

    One that such an atom has twice keeps its name, here as there.
    """
    found = [literal for literal in clause.body if not isinstance(literal, str)]
    known = {text for sign, each in found if not sign for text in each.args}
    body = tuple(
        literal if isinstance(literal, str) or not literal[0] else (literal[0], _weakened(literal[1], known))
        for literal in clause.body
    )
    return Clause(clause.head, body, clause.name)


def _weakened(negated: Atom, known: set[str]) -> Atom:
    own = [text.startswith("v_") and text not in known and negated.args.count(text) == 1 for text in negated.args]
    return Atom(negated.predicate, tuple("_" if alone else text for alone, text in zip(own, negated.args, strict=True)))


def program(given: Mapping[str, Any], source: str = "") -> Translated:
    """A case of plain Datalog, in the dialect of its source."""
    clauses = [Clause.of_text(text) for text in given.get("rules") or ()]
    if source.startswith(NEMO):
        clauses = list(map(any_value, clauses))
    made = Translated()
    made.read(clauses, given.get("facts") or {})
    made.clauses = [clause.written() for clause in clauses]
    return made


# -- theories ----------------------------------------------------------------------------------------------------------


def theory(given: Mapping[str, Any], source: str = "") -> Translated:
    """A case of defeasible logic, under ambiguity blocking."""
    strict, default, defeaters = (
        [Clause.of_rule(rule) for rule in given.get(kind) or ()]
        for kind in ("strict_rules", "defeasible_rules", "defeaters")
    )
    if NEMO in source:
        strict = list(map(any_value, strict))
    facts = given.get("facts") or {}
    made = Translated()
    made.read([*strict, *default], facts)
    for each in defeaters:
        for found in each.atoms():
            made.arities.setdefault(found.predicate, {len(found.args)})
    better = {(word(high), word(low)) for high, low in given.get("superiority") or ()}
    made.clauses = [clause.written() for clause in strict]
    made.clauses += [clause.written(marks=f"#[default]\n#[label({clause.name})]\n") for clause in default]
    certain = [*strict, *(known(name, rows) for name, rows in facts.items() if rows)]
    for clause in default:
        made.clauses += attacks(clause, certain, [*default, *defeaters], better)
    return made


def known(name: str, rows: Iterable[Row]) -> Clause:
    """A predicate with facts, as the clause that concludes it from itself: what is certain attacks its opposite."""
    variables = tuple(f"v_{at}" for at in range(len(next(iter(rows)))))
    return Clause(Atom(name, variables), (("", Atom(name, variables)),), f"facts_{word(name)}")


def attacks(
    clause: Clause, certain: list[Clause], revocable: list[Clause], better: set[tuple[str, str]]
) -> Iterator[str]:
    """The clauses that attack a default one: the opposite's, unless the clause is superior; their own attackers."""
    contrary = opposite(clause.head.predicate)
    for each in [*certain, *revocable]:
        if each.head.predicate != contrary or (each in revocable and (clause.name, each.name) in better):
            continue
        name = f"against_{clause.name}_{each.name}"
        target = f"{word(clause.head.predicate)}.{clause.name}({', '.join(each.parameters()[0])})"
        beaten = [t for t in revocable if t.head.predicate == clause.head.predicate and (t.name, each.name) in better]
        if each in certain or not beaten:
            yield each.written(name, f"#[defeats({target})]\n")
            continue
        yield each.written(name, f"#[default]\n#[label(it)]\n#[defeats({target})]\n")
        for other in beaten:
            again = f"{name}.it({', '.join(other.parameters()[0])})"
            yield other.written(f"{name}_{other.name}", f"#[defeats({again})]\n")
