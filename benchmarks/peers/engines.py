"""Each system on one workload, inside a process of its own: what it takes to evaluate facts that are loaded already."""

from __future__ import annotations

import importlib
import subprocess
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from argon_lang.engine import fixpoint
from argon_lang.engine.compiled import Environment
from argon_lang.engine.estimates import estimates
from argon_lang.engine.exprs import Context
from argon_lang.engine.governor import Governor, Limits
from argon_lang.engine.intern import Interner
from argon_lang.engine.loading import load
from argon_lang.engine.model import compile_program
from argon_lang.engine.relations import Space
from argon_lang.engine.strata import stratify
from argon_lang.ir.rules import Aggregate, Rule
from benchmarks.peers import dialects
from benchmarks.peers.notation import module_of, rules_of
from benchmarks.peers.workloads import Facts, Workload

Found = tuple[float, int]
"""Seconds of processor time, and how many rows were derived."""
_CLOCK = datetime(2026, 1, 31, tzinfo=UTC)


class Unable(Exception):
    """The system cannot run this workload."""


def argon(work: Workload, facts: Facts) -> Found:
    """This engine, with clause and round of every row, its base rows numbered already."""
    program, space = compile_program(module_of(work.rules)), Space()
    context = Context(_CLOCK, Governor(Limits(timeout_ms=3_600_000)))
    environment = Environment(space, Interner(), context, Space(space), 0)
    load(environment, program, {key: tuple(rows) for key, rows in facts.items()}, None)
    begin = time.process_time()
    for unit in program.units:
        estimates(environment, unit)
    return time.process_time() - begin, sum(map(space.count, work.counted or program.derived))


def argon_and_loading(work: Workload, facts: Facts) -> Found:
    """The same with the numbering of the base rows, as a whole evaluation."""
    program, space = compile_program(module_of(work.rules)), Space()
    context = Context(_CLOCK, Governor(Limits(timeout_ms=3_600_000)))
    environment = Environment(space, Interner(), context, Space(space), 0)
    begin = time.process_time()
    fixpoint.run(environment, program, facts, None)
    return time.process_time() - begin, sum(map(space.count, work.counted or program.derived))


def clingo(work: Workload, facts: Facts) -> Found:
    """Answer sets by grounding and solving; of a game, the well-founded part is what the grounder finds."""
    if work.game:
        raise Unable
    peer = importlib.import_module("clingo")
    control = peer.Control(["--warn=none"])
    control.add("base", [], dialects.facts_text(facts) + dialects.clingo(rules_of(work.rules)))
    begin = time.process_time()
    control.ground([("base", [])])
    taken = time.process_time() - begin
    return taken, sum(1 for key, arity in _counted(work) for _ in control.symbolic_atoms.by_signature(key, arity))


def prolog(work: Workload, facts: Facts) -> Found:
    """SWI-Prolog with tabling."""
    rules = rules_of(work.rules)
    counts = "\n".join(
        f"aggregate_all(count, {key}({', '.join('_' * arity)}), N{at}),"
        for at, (key, arity) in enumerate(_counted(work))
    )
    total = " + ".join(f"N{at}" for at in range(len(_counted(work))))
    main = (
        f"main :- statistics(cputime, A), {counts} statistics(cputime, B), T is B - A, N is {total}, write(T-N), nl.\n"
    )
    text = dialects.prolog(rules, facts, [rule.key for rule in rules] if work.game else ())
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.pl"
        path.write_text(f":- set_prolog_flag(table_space, 8000000000).\n{text}{main}", encoding="utf-8")
        command = ["swipl", "--stack-limit=6g", "-g", "main", "-t", "halt", str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds, rows = done.stdout.strip().splitlines()[-1].split("-")
    return float(seconds), int(rows)


def duckdb(work: Workload, facts: Facts) -> Found:
    """DuckDB on one thread: a recursive query where the recursion is linear, a table for each key otherwise."""
    if work.game:
        raise Unable
    peer = importlib.import_module("duckdb")
    database = peer.connect(config={"threads": 1})
    for key, rows in facts.items():
        columns = ", ".join(f"c{at} BIGINT" for at in range(len(rows[0])))
        values = ", ".join(f"unnest(?) AS c{at}" for at in range(len(rows[0])))
        database.execute(f"CREATE TABLE {key} ({columns})")
        database.execute(f"INSERT INTO {key} SELECT {values}", [list(column) for column in zip(*rows, strict=True)])
    rules = rules_of(work.rules)
    begin = time.process_time()
    for part in stratify(rules).components:
        _sql(database, [rule for rule in rules if rule.key in part.keys], part.keys)
    taken = time.process_time() - begin
    count = "SELECT count(*) FROM "
    return taken, sum(database.execute(count + key).fetchone()[0] for key, _ in _counted(work))


def _sql(database: Any, rules: list[Rule], keys: frozenset[str]) -> None:
    """One component as a table."""
    if len(keys) > 1:
        raise Unable
    key = rules[0].key
    reads = [sum(getattr(each, "key", "") in keys for each in rule.body) for rule in rules]
    if max(reads) > 1:
        raise Unable
    parts = [dialects.sql(rule) for _, rule in sorted(zip(reads, rules, strict=True), key=lambda pair: pair[0])]
    if any(reads):
        columns = ", ".join(f"c{at}" for at in range(len(rules[0].terms)))
        database.execute(
            f"CREATE TABLE {key} AS WITH RECURSIVE {key}({columns}) AS ({' UNION '.join(parts)}) SELECT * FROM {key}"
        )
    else:
        database.execute(f"CREATE TABLE {key} AS {' UNION '.join(parts)}")


def prototype_columns(work: Workload, facts: Facts) -> Found:
    """The prototype of packed columns, with clause and round."""
    return _prototype(work, facts, "engb", lambda made: made.EngineB(_datalog(work), "hr"), lambda rel: rel.n_rows)


def prototype_sets(work: Workload, facts: Facts) -> Found:
    """The prototype of sets of integers, with clause and round: binary relations alone.

    Of same generation it finds too little, so that its time there says nothing.
    """
    if work.name == "same generation":
        raise Unable
    return _prototype(work, facts, "enga2", lambda made: made.Engine2(_datalog(work), "hr"), len)


def _prototype(
    work: Workload, facts: Facts, module: str, make: Callable[[Any], Any], count: Callable[[Any], int]
) -> Found:
    if work.game or (module == "enga2" and any(arity != 2 for _, arity in _counted(work))):
        raise Unable
    engine = make(importlib.import_module(module))
    engine.bitsmin = 21 if "sum" in work.rules else 1
    engine.load(facts)
    begin = time.process_time()
    engine.run()
    return time.process_time() - begin, sum(count(engine.R[key]) for key, _ in _counted(work))


def _datalog(work: Workload) -> str:
    """The notation of the prototypes, where an aggregate stands in the head."""
    lines = []
    for rule in rules_of(work.rules):
        folds = [each for each in rule.body if isinstance(each, Aggregate)]
        text = dialects.clingo([rule]).replace("not ", "!")
        if folds:
            (fold,) = folds
            inner = fold.body[0]
            read = dialects.clingo([Rule("", "h", (), (inner,))]).split(":- ")[1].strip().rstrip(".")
            value = dialects.name_of(fold.value)
            heads = [f"{fold.op}({value})" if t.name == fold.var else t.name.upper() for t in rule.terms]
            text = f"{rule.key}({', '.join(heads)}) :- {read}."
        lines.append(text.strip())
    return "\n".join(lines)


def _counted(work: Workload) -> list[tuple[str, int]]:
    """The keys whose rows are counted, with their arities."""
    heads = {rule.key: len(rule.terms) for rule in rules_of(work.rules)}
    return [(key, heads[key]) for key in (work.counted or sorted(heads))]


ENGINES: dict[str, Callable[[Workload, Facts], Found]] = {
    "argon": argon,
    "argon, loading too": argon_and_loading,
    "prototype: columns": prototype_columns,
    "prototype: sets": prototype_sets,
    "clingo": clingo,
    "SWI-Prolog": prolog,
    "DuckDB": duckdb,
}
