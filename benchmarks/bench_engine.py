"""How long the engine takes: fifty rules at interactive size, closures, proofs, evaluating again after a write.

Processor time. The architecture sets no limit for the engine alone; `bench_write` has the one that rests on it.
"""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import chain
from typing import Any

from argon_lang.engine.model import Model, compile_program, diff, evaluate, glimpse
from argon_lang.engine.provenance import explain
from argon_lang.engine.whynot import why_not
from argon_lang.ir.expr import Binary, Lit, Local
from argon_lang.ir.module import Module
from argon_lang.ir.rules import Bind, Literal, Match, Not, Rule, Test, Var
from argon_lang.program.types import BOOL, INT
from benchmarks.table import Budget, Samples

CLOCK = datetime(2026, 1, 31, tzinfo=UTC)
Facts = dict[str, list[tuple[Any, ...]]]


def atom(text: str) -> Match:
    """`key x y` as a read with variables."""
    key, *names = text.split()
    return Match(key, tuple(map(Var, names)))


def literal(text: str) -> Literal:
    """`not key x`, `x < 3`, `y = x + 3` or `key x y`."""
    words = text.split()
    if words[0] == "not":
        return Not((atom(text[4:]),))
    if len(words) == 3 and words[1] in ("<", ">", "!="):
        right = Lit(int(words[2])) if words[2].isdigit() else Local(words[2])
        return Test(Binary(words[1], Local(words[0]), right, BOOL))
    if words[1] == "=":
        return Bind(words[0], Binary(words[3], Local(words[2]), Lit(int(words[4])), INT))
    return atom(text)


def rule(text: str) -> Rule:
    """`head x :- literal, literal`."""
    head, body = text.split(" :- ")
    key, *names = head.split()
    content = hashlib.sha256(text.encode()).hexdigest()[:16]
    return Rule(content, key, tuple(map(Var, names)), tuple(map(literal, body.split(", "))))


SHARED = """
above a b :- reports b a
above a c :- above a b, reports c b
colleague a b :- works a c, works b c, a != b
rich p :- pay p n, n > 150
poor p :- pay p n, n < 60
inverted a b :- above a b, pay a n, pay b m, n < m
fair a :- above a b, not unfair a
unfair a :- inverted a b
owns_all c d :- owns c d
owns_all c e :- owns_all c d, owns d e
group_staff c p :- owns_all c d, works p d
group_staff c p :- works p c
known a b :- knows a b
known a b :- knows b a
pair a b :- known a b, colleague a b
top c :- company c, not owned c
owned d :- owns_all c d
raise_to p m :- poor p, pay p n, m = n + 10
"""
SPREAD = """
suspect{i} p :- flag{i} p
suspect{i} q :- suspect{i} p, knows p q, not cleared{i} q
cleared{i} p :- fair p, not flag{i} p
exposed{i} c :- suspect{i} p, works p c
safe{i} c :- company c, not exposed{i} c
watch{i} p :- suspect{i} p, rich p
alarm{i} c :- watch{i} p, group_staff c p, top c
quiet{i} c :- top c, not alarm{i} c
"""


def rules() -> tuple[Rule, ...]:
    """Fifty rules in some twenty components, recursion and negation among them."""
    lines = SHARED.strip().splitlines()
    for i in range(4):
        lines += SPREAD.format(i=i).strip().splitlines()
    return tuple(map(rule, lines))


def staff(people: int, seed: int = 5) -> Facts:
    """Base facts about so many people in a seventh as many companies."""
    pick = random.Random(seed)
    firms = people // 7
    facts: Facts = {
        "company": [(f"c{i}",) for i in range(firms)],
        "works": [(i, f"c{pick.randrange(firms)}") for i in range(people)],
        "reports": [(i, max(0, (i - 1) // 4)) for i in range(1, people)],
        "pay": [(i, pick.randrange(40, 200)) for i in range(people)],
        "owns": [(f"c{(i - 1) // 2}", f"c{i}") for i in range(1, firms)],
        "knows": sorted({(pick.randrange(people), pick.randrange(people)) for _ in range(2 * people)}),
    }
    for i in range(4):
        facts[f"flag{i}"] = [(pick.randrange(people),) for _ in range(people // 40)]
    return facts


def graph(nodes: int, edges: int, seed: int = 3) -> Facts:
    """A random directed graph."""
    pick = random.Random(seed)
    return {"edge": sorted({(pick.randrange(nodes), pick.randrange(nodes)) for _ in range(edges)})}


def times(action: Callable[[], object], count: int) -> list[float]:
    """Processor time of `action` in milliseconds, `count` times, after one run to warm up."""
    action()
    taken = []
    for _ in range(count):
        begin = time.process_time()
        action()
        taken.append(1_000 * (time.process_time() - begin))
    return taken


def measure_staff(people: int, count: int) -> Iterator[list[float]]:
    """The fifty rules: full evaluation, a write with its delta, a proof, a why-not."""
    program, facts = compile_program(Module("bench", "0", rules=rules())), staff(people)
    model = evaluate(program, facts, CLOCK)
    after = {**facts, "knows": [*facts["knows"], (1, 2)], "pay": facts["pay"][1:]}
    row = model.rows("above")[-1]

    def write() -> object:
        return diff(model, evaluate(program, after, CLOCK, after=model))

    yield times(lambda: evaluate(program, facts, CLOCK), count)
    yield times(write, count)
    yield times(lambda: explain(model, "above", row), count)
    yield times(lambda: why_not(model, "pair", (0, -1)), count)


def measure_closure(facts: Facts, count: int) -> Iterator[list[float]]:
    """A transitive closure, and one proof in it."""
    closure = (rule("path x y :- edge x y"), rule("path x z :- path x y, edge y z"))
    program = compile_program(Module("bench", "0", rules=closure))
    model = evaluate(program, facts, CLOCK)
    row = model.rows("path")[-1]
    yield times(lambda: evaluate(program, facts, CLOCK), count)
    yield times(lambda: explain(model, "path", row), count)


def measure_edges(facts: Facts, count: int) -> Iterator[list[float]]:
    """A closure brought up to date with its difference: an edge less, and an edge more."""
    closure = (rule("path x y :- edge x y"), rule("path x z :- path x y, edge y z"))
    program = compile_program(Module("bench", "0", rules=closure))
    model = evaluate(program, facts, CLOCK)
    pick, edges = random.Random(7), facts["edge"]
    nodes = max(map(max, edges)) + 1

    def less() -> object:
        gone = pick.choice(edges)
        return diff(model, evaluate(program, {"edge": [e for e in edges if e is not gone]}, CLOCK, after=model))

    def more() -> object:
        new = (pick.randrange(nodes), pick.randrange(nodes))
        return diff(model, evaluate(program, {"edge": [*edges, new]}, CLOCK, after=model))

    yield times(less, count)
    yield times(more, count)


def measure_goals(facts: Facts, count: int) -> Iterator[list[float]]:
    """One question put to a closure of which nothing is evaluated yet; base facts are numbered each time."""
    closure = (rule("path x y :- edge x y"), rule("path x z :- edge x y, path y z"))
    program = compile_program(Module("bench", "0", rules=closure))
    row = evaluate(program, facts, CLOCK).rows("path")[-1]
    reached = Rule("reached", "reached", (Var("y"),), (atom("path x y"),), "query", ("x",))

    def cold() -> Model:
        return glimpse(program, facts, CLOCK)

    yield times(lambda: cold().solve(reached, {"x": row[0]}), count)
    yield times(lambda: explain(cold(), "path", row), count)
    yield times(lambda: why_not(cold(), "path", (row[0], -1)), count)


def measure_reasons(facts: Facts, count: int) -> Iterator[list[float]]:
    """Reasons in a model that is there: each time those of another row."""
    rules_ = "path x y :- edge x y", "path x z :- path x y, edge y z", "apart x y :- path x y, not edge x y"
    program = compile_program(Module("bench", "0", rules=tuple(map(rule, rules_))))
    model, pick = evaluate(program, facts, CLOCK), random.Random(7)
    rows = model.rows("apart")
    yield times(lambda: explain(model, "apart", pick.choice(rows)), count)
    yield times(lambda: why_not(model, "apart", (pick.choice(rows)[0], -1)), count)


def measure_game(facts: Facts, count: int) -> Iterator[list[float]]:
    """`win(x) :- edge(x, y), not win(y)`: the well-founded model."""
    program = compile_program(Module("bench", "0", rules=(rule("win x :- edge x y, not win y"),)))
    yield times(lambda: evaluate(program, facts, CLOCK), count)


STAFF = ("evaluate", "evaluate after a write, with the difference", "explain a fact", "why not a fact")
CLOSURE = ("evaluate", "explain a row")
GOALS = ("who is reached from one node", "explain a row", "why not a row")
REASONS = ("explain a row", "why not a row")
EDGES = ("an edge less, with the difference", "an edge more, with the difference")
LINES = (
    "50 rules: compile",
    *(f"50 rules, some 800 facts: {what}" for what in STAFF),
    *(f"50 rules, some 8,000 facts: {what}" for what in STAFF),
    *(f"closure of a chain of 500: {what}" for what in CLOSURE),
    *(f"closure of a random graph, 300 nodes and 1,200 edges: {what}" for what in CLOSURE),
    *(f"closure of 344,000 pairs, 600 nodes and 2,400 edges: {what}" for what in EDGES),
    *(f"closure of 344,000 pairs, nothing evaluated yet: {what}" for what in GOALS),
    *(f"model of a million derived rows: {what}" for what in REASONS),
    "win and move on a chain of 20,000",
    "win and move on a random graph, 10,000 nodes and 20,000 edges",
)
BUDGETS = tuple(Budget(line) for line in LINES)


def measure(quick: bool) -> Samples:
    """Samples of every line; `quick` takes small worlds and few rounds."""
    small, large, length, nodes = (20, 40, 20, 20) if quick else (120, 1_200, 500, 300)
    few, many = (1, 1) if quick else (3, 20)
    found = (
        [times(lambda: compile_program(Module("bench", "0", rules=rules())), many)],
        measure_staff(small, many),
        measure_staff(large, few),
        measure_closure({"edge": [(i, i + 1) for i in range(length)]}, few),
        measure_closure(graph(nodes, 4 * nodes), few),
        measure_edges(graph(2 * nodes, 8 * nodes), many),
        measure_goals(graph(2 * nodes, 8 * nodes), few),
        measure_reasons(graph(int(2.4 * nodes), int(9.6 * nodes)), few),
        measure_game({"edge": [(i, i + 1) for i in range(40 * length)]}, few),
        measure_game(graph(20 * length, 40 * length), few),
    )
    yield from zip(LINES, chain.from_iterable(found), strict=True)
