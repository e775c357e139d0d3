"""How long a small write takes: one tuple more, its checks and its derived delta, over 1,000 facts and 50 rules.

Through `RuntimeService.mutate` over the memory store, as every front end writes; processor time.
"""

from __future__ import annotations

import random
import time
from datetime import UTC, datetime

from argon_lang.queries.snippet import module_of
from argon_lang.runtime.served import Served
from argon_lang.runtime.service import RuntimeService
from argon_lang.runtime.writes import WriteOptions
from argon_lang.store.memory import MemoryStore
from benchmarks.table import Budget, Samples

WHAT = "small write with derived delta, 1,000 facts, 50 rules"
BUDGETS = (Budget(WHAT, p95=3),)

PEOPLE = 200
CLOCK = datetime(2026, 1, 31, tzinfo=UTC)
DELTA = WriteOptions(include_delta=True)

SHARED = """
pub type Person { name: String, pay: Int }
pub type Company { name: String }
pub rel works(who: Person, at: Company);
pub rel reports(who: Person, to: Person);
pub rel knows(one: Person, other: Person);
pub rel owns(upper: Company, lower: Company);

derive above(a: Person, b: Person) :- reports(b, a);
derive above(a: Person, c: Person) :- above(a, b), reports(c, b);
derive colleague(a: Person, b: Person) :- works(a, c), works(b, c), a != b;
derive rich(p: Person) :- p: Person, p.pay > 150;
derive poor(p: Person) :- p: Person, p.pay < 60;
derive inverted(a: Person, b: Person) :- above(a, b), a.pay < b.pay;
derive unfair(a: Person) :- inverted(a, b);
derive fair(a: Person) :- above(a, b), not unfair(a);
derive holds(c: Company, d: Company) :- owns(c, d);
derive holds(c: Company, e: Company) :- holds(c, d), owns(d, e);
derive staff(c: Company, p: Person) :- works(p, c);
derive staff(c: Company, p: Person) :- holds(c, d), works(p, d);
derive known(a: Person, b: Person) :- knows(a, b);
derive known(a: Person, b: Person) :- knows(b, a);
derive pair(a: Person, b: Person) :- known(a, b), colleague(a, b);
derive owned(d: Company) :- holds(c, d);
derive top(c: Company) :- c: Company, not owned(c);
derive raise_to(p: Person, m: Int) :- poor(p), m = p.pay + 10;

check no_loop(a: Person) :- above(a, b), a == b => Diagnostic { message: "reports to itself" };

pub mutate join(p: Person, boss: Person, friend: Person, c: Company) {
    insert works(p, c);
    insert reports(p, boss);
    insert knows(p, friend);
}

pub mutate meet(a: Person, b: Person) {
    insert knows(a, b);
}
"""

SPREAD = """
pub type Flag{i} <: Person;
derive suspect{i}(p: Person) :- p: Flag{i};
derive suspect{i}(q: Person) :- suspect{i}(p), knows(p, q), not cleared{i}(q);
derive cleared{i}(p: Person) :- fair(p), not Flag{i}(p);
derive exposed{i}(c: Company) :- suspect{i}(p), works(p, c);
derive safe{i}(c: Company) :- c: Company, not exposed{i}(c);
derive watch{i}(p: Person) :- suspect{i}(p), rich(p);
derive alarm{i}(c: Company) :- watch{i}(p), staff(c, p), top(c);
derive quiet{i}(c: Company) :- top(c), not alarm{i}(c);
"""


def text(people: int, pick: random.Random) -> str:
    """The rules, and the individuals with what is declared of them."""
    companies = max(2, people // 7)
    lines = ["use std::core::Diagnostic;", SHARED, *(SPREAD.format(i=i) for i in range(4))]
    lines += [f'fact Company(c{i}) {{ name: "c{i}" }};' for i in range(companies)]
    lines += [f"fact owns(c{(i - 1) // 2}, c{i});" for i in range(1, companies)]
    for i in range(people):
        concept = f"Flag{pick.randrange(4)}" if pick.random() < 0.1 else "Person"
        lines.append(f'fact {concept}(p{i}) {{ name: "p{i}", pay: {pick.randrange(40, 200)} }};')
    return "\n".join(lines)


def service(people: int, pick: random.Random) -> RuntimeService:
    """A service whose store holds most of the facts. Raises ValueError when the program is in error."""
    module = module_of({"root.ar": text(people, pick)})
    if module is None:
        raise ValueError("the benchmark's own program does not check")
    made = RuntimeService(Served.of(module, "benchmark"), MemoryStore(), clock=lambda: CLOCK, principal="user:bench")
    for i in range(1, people):
        company = f"c{pick.randrange(max(2, people // 7))}"
        made.mutate("join", (f"p{i}", f"p{(i - 1) // 4}", f"p{pick.randrange(people)}", company))
    return made


def measure(quick: bool) -> Samples:
    """See the module's docstring."""
    pick = random.Random(5)
    people = 20 if quick else PEOPLE
    runtime, times = service(people, pick), []
    for _ in range(3 if quick else 150):
        given = (f"p{pick.randrange(people)}", f"p{pick.randrange(people)}")
        begin = time.process_time()
        runtime.mutate("meet", given, DELTA)
        times.append((time.process_time() - begin) * 1e3)
    yield WHAT, times
