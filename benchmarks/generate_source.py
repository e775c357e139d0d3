"""Realistic Argon of any length: the source that the budgets of the architecture are measured on.

`python benchmarks/generate_source.py [LINES [SEED]]` prints one file of ten inline modules; `package` makes a package
of many files instead. Equal arguments give equal text. More than 40 percent of the lines are rules and queries.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator

MODULES = 10

_NOUNS = ("lease", "claim", "invoice", "parcel", "permit", "policy", "deposit", "notice", "dossier", "tender")
_PLACES = ("harbour", "registry", "market", "station", "archive", "garden", "bridge", "council", "clinic", "depot")

_UNIT = """
/// A {noun} that the {place} looks after.
pub type {Noun} {{
    title: String,
    /// What it is worth, at the last count.
    mut amount: Money,
    opened: Date,
    mut closed: Bool = false,
    level: Int = {small},
    grade: {Noun}Grade = {Noun}Grade::Low,
    note: String?,
}}

pub enum {Noun}Grade {{
    Low,
    Middle,
    High,
}}

/// A {noun} which somebody has to watch.
pub type Watched{Noun} <: {Noun} {{
    mut watcher: String?,
}}

/// One {noun} rests on another.
pub rel {noun}_rests_on(upper: {Noun}, lower: {Noun}) {{
    mut share: Decimal,
}}

/// Neither closed nor small.
pub derive {noun}_open(x: {Noun}) :-
    x: {Noun},
    x.closed == false,
    x.amount > {large}.00;

/// One {noun} carries another, directly or through others.
pub derive {noun}_carries(a: {Noun}, b: {Noun}) :-
    {noun}_rests_on(b, a);

pub derive {noun}_carries(a: {Noun}, c: {Noun}) :-
    {noun}_rests_on(b, a),
    {noun}_carries(b, c);

// Old ones with nothing open above them come first.
pub derive {noun}_overdue(x: {Noun}) :-
    {noun}_open(x),
    x.opened < today(),
    not exists {{ {noun}_carries(x, y), {noun}_open(y) }};

pub derive {noun}_urgent(x: {Noun}) :-
    {noun}_overdue(x),
    x.grade == {Noun}Grade::High;

pub derive {noun}_urgent(x: {Noun}) :-
    {noun}_overdue(x),
    x.level + {small} > 2 * ({small} - 1) && x.level != {small} + 7,
    x.opened < #{year}-0{month}-15#;

pub derive {noun}_doubled(x: {Noun}, twice: Money) :-
    {noun}_urgent(x),
    twice = x.amount * 2;

pub derive {noun}_alone(x: Watched{Noun}) :-
    x: Watched{Noun},
    not {noun}_carries(x, _),
    not {noun}_urgent(x);

/// Nothing rests on itself.
check {noun}_rests_on_itself(x: {Noun}) :-
    {noun}_carries(x, y),
    x == y
    => Diagnostic {{
        severity: Severity::Error,
        message: format!("{{}} rests on itself", x.title),
    }};

check {noun}_share_too_large(x: {Noun}) :-
    x: {Noun},
    s: {noun}_rests_on,
    s.upper == x,
    s.share > 1.0
    => Diagnostic {{
        severity: Severity::Warning,
        message: format!("{{}} rests on a share above one", x.title),
    }};

/// What is asked for looking after a {noun}.
pub fn {noun}_fee(amount: Money, level: Int) -> Money =
    if level > {small} {{ amount * 0.05 }} else {{ amount * 0.01 }};

/// Every open {noun} above a floor, by title.
pub query {noun}_above(floor: Money) -> [{Noun}] {{
    select x
    from {noun}_open(x)
    where x.amount > floor
    order by x.title
}}

pub query {noun}_fees() -> [Money] {{
    select {noun}_fee(x.amount, x.level)
    from {noun}_urgent(x), x: {Noun}
    order by x.opened desc
    limit {large}
}}

pub query {noun}_pairs(upper: {Noun}) -> [{Noun}] {{
    select distinct lower
    from {noun}_carries(upper, lower)
    where not {noun}_overdue(lower), lower.level >= {small}
}}

pub query {noun}_all_urgent() -> {noun}_urgent;

pub mutate close_{noun}(x: {Noun}) {{
    require x.closed == false;
    update x set {{ closed = true }};
}}

pub mutate start_{noun}(title: String, amount: Money) -> {Noun} {{
    require amount > 0;
    let made = insert {Noun} {{ title: title, amount: amount, opened: today() }};
    return made;
}}

fact {Noun}(first_{noun}) {{
    title: "first {noun} of the {place}",
    amount: {large}.50,
    opened: #{year}-0{month}-01#,
}};
fact Watched{Noun}(second_{noun}) {{
    title: "second {noun}",
    amount: {small}.25,
    opened: #{year}-0{month}-02#,
}};
fact {noun}_rests_on(second_{noun}, first_{noun}) {{ share: 0.5 }};

test "the first {noun} carries the second" {{
    assert derivable {noun}_carries(first_{noun}, second_{noun});
    assert not derivable {noun}_carries(second_{noun}, first_{noun});
}}
"""

_HEAD = """use std::core::{Diagnostic, Severity};
use std::time::today;
"""


def _unit(number: int, chooser: random.Random) -> str:
    noun = f"{chooser.choice(_NOUNS)}{number}"
    return _UNIT.format(
        noun=noun,
        Noun=noun.capitalize(),
        place=chooser.choice(_PLACES),
        small=chooser.randint(1, 9),
        large=chooser.randint(100, 9999),
        year=chooser.randint(1990, 2025),
        month=chooser.randint(1, 9),
    )


def _module_lines(lines: int, numbers: Iterator[int], chooser: random.Random) -> list[str]:
    """At least `lines` lines of whole units, one unit or more: the imports are used."""
    found = [*_HEAD.splitlines(), *_unit(next(numbers), chooser).splitlines()]
    while len(found) < lines:
        found += _unit(next(numbers), chooser).splitlines()
    return found


def _count() -> Iterator[int]:
    number = 0
    while True:
        yield number
        number += 1


def source(lines: int = 5000, seed: int = 1) -> str:
    """One file of ten inline modules with about `lines` lines (never fewer)."""
    chooser, numbers = random.Random(seed), _count()
    found: list[str] = []
    for module in range(MODULES):
        found += [f"/// What the {_PLACES[module]} keeps.", f"pub mod {_PLACES[module]} {{"]
        left = (lines - len(found)) // (MODULES - module)
        body = _module_lines(left - 4, numbers, chooser)
        found += [f"    {line}" if line else "" for line in body] + ["}", ""]
    return "\n".join(found)


def package(files: int = 100, lines: int = 500, seed: int = 1) -> dict[str, str]:
    """A package of `files` module files below one root, by path; `ox.toml` is the caller's."""
    chooser, numbers = random.Random(seed), _count()
    names = [f"part{number:03}" for number in range(files)]
    made = {f"{name}.ar": "\n".join(_module_lines(lines, numbers, chooser)) + "\n" for name in names}
    return {"root.ar": "".join(f"pub mod {name};\n" for name in names), **made}


if __name__ == "__main__":
    arguments = [int(argument) for argument in sys.argv[1:3]]
    sys.stdout.write(source(*arguments))
