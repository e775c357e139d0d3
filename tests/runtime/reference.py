"""A reference for writes: one program whose mutations are written out in plain Python, recomputed from scratch.

It shares no code with the runtime: facts are rows with lists of intervals on a line of whole days, every state is
built anew from them, and derived facts come from the naive evaluator.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from argon_lang.ir.module import Module
from argon_lang.ir.values import Entity, Money, TupleValue
from tests.engine import naive

SOURCE = """
type Person { name: String, mut age: Int = 30, mut tags: [Int; 0..2] }
type Worker <: Person { mut wage: Int?, badge: Int }
type Firm;
rel knows(a: Person, b: Person) { mut since: Int }
rel loves(a: Person, b: Person) <: knows { mut how: Int = 1 }
rel employs(firm: Firm, who: Worker) [0..1] [0..2];
fact Person(ada) { name: "Ada" };
fact Person(bob) { name: "Bob", age: 40 };
fact Worker(cleo) { name: "Cleo", badge: 7 };
fact Worker(dan) { name: "Dan", badge: 8, wage: 20 };
fact Firm(acme);
fact Firm(bolt);
fact knows(ada, bob) { since: 3 };
fact knows(bob, cleo) { since: 4 } at #2026-03-05# until #2026-03-20#;
fact employs(acme, cleo);
derive reach(a: Person, b: Person) :- knows(a, b);
derive reach(a: Person, b: Person) :- knows(a, c), reach(c, b);
derive employed(p: Worker) :- employs(f, p);
derive idle(p: Worker) :- p: Worker, not employed(p);
check cyclic(a: Person) :- reach(a, a) => Diagnostic { severity: Severity::Error, message: "cycle" };
check old(p: Person) :- p: Person, p.age > 99 => Diagnostic { severity: Severity::Error, message: "old" };
check poor(w: Worker) :- w: Worker, w.wage < 10 => Diagnostic { severity: Severity::Warning, message: "poor" };
mutate born(n: Int) -> Person { let p = insert Person { name: "new", age: n }; return p; }
mutate meet(a: Person, b: Person, n: Int, at: Date) { insert knows(a, b) { since: n } at at; }
mutate meet_for(a: Person, b: Person, n: Int, at: Date, until: Date) {
    insert knows(a, b) { since: n } at at until until;
}
mutate love(a: Person, b: Person, n: Int) { insert loves(a, b) { since: n }; }
mutate part(a: Person, b: Person, at: Date) { delete knows(a, b) at at; }
mutate unlove(a: Person) { delete loves(a, _); }
mutate hire(f: Firm, p: Worker, at: Date) { insert employs(f, p) at at; }
mutate fire(f: Firm) { delete employs(f, _); }
mutate promote(p: Person, n: Int) { insert iof(p, Worker) { badge: n, wage: n }; }
mutate demote(p: Person, at: Date) { delete iof(p, Worker) at at; }
mutate remove(p: Person) { delete Person(p); }
mutate older(n: Int) { update p: Person set { age += n } where p.age < 50; }
mutate set_age(p: Person, n: Int, at: Date) { update p set { age = n } at at; }
mutate tag(p: Person, n: Int) { insert n into p.tags; }
mutate retag(p: Person, n: Int) { update p set { tags = [n, n + 1] }; }
mutate sure(p: Person) { require p.age < 60; update p set { age += 20 }; }
"""
MINUS, PLUS = -(10**9), 10**9
Row = tuple[Any, ...]
Span = tuple[int, int]

SUBS = {"Person": ("Person", "Worker"), "Worker": ("Worker",), "Firm": ("Firm",)}
FIELDS = {
    "Person": ("Person.name", "Person.age", "Person.tags"),
    "Worker": ("Worker.wage", "Worker.badge", "Person.name", "Person.age", "Person.tags"),
    "Firm": (),
    "knows": ("knows.since",),
    "loves": ("loves.how", "knows.since"),
    "employs": (),
}
MUT = {"Person.age", "Person.tags", "Worker.wage", "knows.since", "loves.how"}
MANY = {"Person.tags"}
DEFAULTS = {"Person.age": 30, "loves.how": 1}
REQUIRED = {"Person.name", "Worker.badge", "knows.since"}
ENDS = {"knows": ("Person", "Person"), "loves": ("Person", "Person"), "employs": ("Firm", "Worker")}
CHECKS = {"pkg::cyclic!", "pkg::old!"}
PARENT = {"knows": "knows", "loves": "knows", "employs": "employs"}


class Refused(Exception):
    """A refusal with its code."""


@dataclass
class Reference:
    """`facts` maps (key, row) to disjoint intervals of days `[from, to)`; `day` is the clock."""

    module: Module
    facts: dict[tuple[str, Row], list[Span]] = field(default_factory=dict)
    history: list[dict[tuple[str, Row], list[Span]]] = field(default_factory=list)
    day: int = 0
    tx: int = 0
    days: set[int] = field(default_factory=set)
    spans: list[Span] = field(default_factory=list)
    asserted: set[tuple[str, Row]] = field(default_factory=set)
    subjects: set[tuple[str, Any]] = field(default_factory=set)
    dropped: set[tuple[str, Any]] = field(default_factory=set)

    # -- intervals -----------------------------------------------------------------------------------------------------

    def at(self, day: int) -> dict[str, set[Row]]:
        """The base facts of a day, by key without `pkg::`."""
        found: dict[str, set[Row]] = {}
        for (key, row), spans in self.facts.items():
            if any(start <= day < end for start, end in spans):
                found.setdefault(key, set()).add(row)
        return found

    def add(self, key: str, row: Row, start: int, end: int = PLUS) -> None:
        self.days |= {start, start if end == PLUS else end}
        self.spans.append((start, end))
        self.asserted.add((key, row))
        self.facts[key, row] = merged([*self.facts.get((key, row), []), (start, end)])
        if "." in key:
            self.subjects.add((key, row[0]))

    def end(self, key: str, row: Row, day: int) -> None:
        self.days.add(day)
        self.spans.append((day, PLUS))
        self.facts[key, row] = [(start, min(end, day)) for start, end in self.facts[key, row] if start < day]
        if "." in key:
            self.subjects.add((key, row[0]))

    def from_day(self, key: str, subject: Any, day: int) -> list[Row]:
        """Rows about a subject that hold on the day or later."""
        return [
            row
            for (other, row), spans in self.facts.items()
            if other == key and row[0] == subject and any(end > day for _, end in spans)
        ]

    def values(self, key: str, subject: Any, day: int) -> list[Any]:
        return [row[1] for row in self.at(day).get(key, ()) if row[0] == subject]

    # -- statements ----------------------------------------------------------------------------------------------------

    def construct(self, owner: str, subject: Any, given: dict[str, Any], start: int, end: int = PLUS) -> None:
        for key in FIELDS[owner]:
            who = TupleValue("pkg::" + key.split(".")[0], subject) if isinstance(subject, tuple) else subject
            self.subjects.add((key, who))
            held = self.values(key, who, start)
            if key in given:
                wanted = list(given[key]) if key in MANY else [given[key]]
                if held and set(held) != set(wanted):
                    if key not in MUT:
                        raise Refused("OE0231")
                    self.replace(key, who, wanted, start)
                    self.store(key, who, wanted, start, end)
                else:
                    self.store(key, who, wanted, start, end)
            elif held:
                self.store(key, who, held, start, end)
            elif key in DEFAULTS:
                self.store(key, who, [DEFAULTS[key]], start, end)
            elif key in REQUIRED:
                raise Refused("OE0669")

    def store(self, key: str, who: Any, wanted: list[Any], start: int, end: int) -> None:
        for value in wanted:
            later = [
                first
                for row in self.from_day(key, who, start)
                if row[1] != value
                for first, _ in self.facts[key, row]
                if first > start
            ]
            cut = min([end, *([] if key in MANY else later)])
            self.add(key, (who, value), start, cut)

    def replace(self, key: str, who: Any, wanted: list[Any], day: int) -> None:
        for row in self.from_day(key, who, day):
            if row[1] not in wanted:
                self.end(key, row, day)

    def link(self, relation: str, ends: Row, given: dict[str, Any], start: int, end: int = PLUS) -> None:
        self.add(relation + "^", ends, start, end)
        self.construct(relation, ends, given, start, end)

    def unlink(self, relations: tuple[str, ...], wanted: Callable[[Row], bool], day: int) -> None:
        state = self.at(day)
        closed: dict[Row, list[str]] = {}
        for relation in relations:
            for row in [row for row in state.get(relation + "^", ()) if wanted(row)]:
                self.end(relation + "^", row, day)
                closed.setdefault(row, []).append(relation)
        for row, gone in closed.items():
            left = [r for r in ENDS if PARENT[r] == PARENT[relations[0]] and row in self.at(day).get(r + "^", ())]
            self.drop_fields(row, gone, left, day)

    def leave(self, concept: str, who: Entity, day: int) -> None:
        held = [c for c in SUBS if (who,) in self.at(day).get(c + "^", ())]
        gone = [c for c in held if c in SUBS[concept]]
        for one in gone:
            self.end(one + "^", (who,), day)
            self.dropped.add((one, who))
        self.drop_fields(who, gone, [c for c in held if c not in gone], day)

    def drop_fields(self, subject: Any, gone: list[str], left: list[str], day: int) -> None:
        kept = {key for one in left for key in FIELDS[one]}
        for key in {key for one in gone for key in FIELDS[one]} - kept:
            who = TupleValue("pkg::" + key.split(".")[0], subject) if isinstance(subject, tuple) else subject
            for row in self.from_day(key, who, day):
                self.end(key, row, day)

    def update(self, key: str, who: Any, wanted: list[Any], day: int) -> None:
        self.replace(key, who, wanted, day)
        for value in wanted:
            self.add(key, (who, value), day)

    # -- transactions --------------------------------------------------------------------------------------------------

    def run(self, name: str, *given: Any) -> set[str]:
        """Run one mutation; the codes of its refusal, empty when it is accepted."""
        before = copy.deepcopy(self.facts)
        self.days, self.spans, self.asserted, self.subjects, self.dropped = {self.day}, [], set(), set(), set()
        try:
            getattr(self, name)(*given)
            codes = self.judged(before)
        except Refused as refused:
            codes = {str(refused)}
        if codes:
            self.facts = before
        else:
            self.history.append(before)
            self.tx += 1
        return codes

    def judged(self, before: dict[tuple[str, Row], list[Span]]) -> set[str]:
        """Gates and guard at what was written; then both at every day on which anything changes inside it."""
        for day in self.days:
            if codes := {code for item in self.touched() for code in self.gate(self.at(day), item)}:
                return codes
        for day in sorted(self.days):
            if codes := self.guard(before, day):
                return codes
        for day in self.between(before):
            then = Reference(self.module, before).at(day)
            new = [item for item in self.touched() if not set(self.gate(then, item))]
            if codes := {code for item in new for code in self.gate(self.at(day), item)} or self.guard(before, day):
                return codes
        return set()

    def between(self, before: dict[tuple[str, Row], list[Span]]) -> list[int]:
        """Every day inside the written spans on which some fact begins or ends, before the write or after it."""
        edges = {edge for facts in (before, self.facts) for spans in facts.values() for span in spans for edge in span}
        inside = {edge for edge in edges for start, end in self.spans if start < edge < end}
        return sorted(inside - self.days)

    def touched(self) -> list[tuple[str, str, Any]]:
        """What the gates are to judge."""
        return [
            *(("tuple", key[:-1], row) for key, row in self.asserted if key[:-1] in ENDS),
            *(("field", *subject) for subject in self.subjects),
            *(("dropped", *ended) for ended in self.dropped),
        ]

    def gate(self, state: dict[str, set[Row]], item: tuple[str, str, Any]) -> Iterator[str]:
        """The codes by which one of them is refused in a state."""
        match item:
            case ("tuple", relation, row):
                if row in state.get(relation + "^", ()):
                    yield from self.tuple_gates(state, relation, row)
            case ("field", key, who):
                yield from self.field_gates(state, key, who)
            case (_, concept, who):
                for relation, ends in ENDS.items():
                    for index, end in enumerate(ends):
                        lost = concept in SUBS[end] and not self.member(state, end, who)
                        if lost and any(row[index] == who for row in state.get(relation + "^", ())):
                            yield "OE0244"

    def tuple_gates(self, state: dict[str, set[Row]], relation: str, row: Row) -> Iterator[str]:
        if not all(self.member(state, end, who) for end, who in zip(ENDS[relation], row, strict=True)):
            yield "OE0229"
        if relation == "employs":
            live = state["employs^"]
            if len({firm for firm, who in live if who == row[1]}) > 1:
                yield "OE0632"
            if len({who for firm, who in live if firm == row[0]}) > 2:
                yield "OE0632"

    def field_gates(self, state: dict[str, set[Row]], key: str, who: Any) -> Iterator[str]:
        values = [row[1] for row in state.get(key, ()) if row[0] == who]
        owner = key.split(".")[0]
        if isinstance(who, TupleValue):
            below = ("knows", "loves") if owner == "knows" else (owner,)
            live = any(who.ends in state.get(one + "^", ()) for one in below)
        else:
            live = self.member(state, owner, who)
        if values and not live:
            yield "OE0229"
        if live and len(values) > (2 if key in MANY else 1):
            yield "OE0632"

    def member(self, state: dict[str, set[Row]], concept: str, who: Any) -> bool:
        return any((who,) in state.get(one + "^", ()) for one in SUBS[concept])

    def guard(self, before: dict[tuple[str, Row], list[Span]], day: int) -> set[str]:
        now = self.derived(day)
        then = Reference(self.module, before).derived(day) if now.keys() & CHECKS else {}
        new = [
            check for check in CHECKS if {row[:1] for row in now.get(check, ())} - {r[:1] for r in then.get(check, ())}
        ]
        return {"ARGON_RUNTIME_CHECK_VIOLATION"} if new else set()

    def derived(self, day: int) -> naive.Facts:
        """Every row of a day, base and derived, with the naive evaluator's plain values."""
        base = {"pkg::" + key: rows for key, rows in self.at(day).items()}
        rules = [*self.module.rules, *(check.rule for check in self.module.checks)]
        return naive.evaluate(rules, base)

    # -- the mutations -------------------------------------------------------------------------------------------------

    def born(self, n: int) -> None:
        who = Entity(f"#{self.tx + 1}.1")
        self.add("Person^", (who,), self.day)
        self.construct("Person", who, {"Person.name": "new", "Person.age": n}, self.day)

    def meet(self, a: Entity, b: Entity, n: int, at: int) -> None:
        self.link("knows", (a, b), {"knows.since": n}, at)

    def meet_for(self, a: Entity, b: Entity, n: int, at: int, until: int) -> None:
        self.link("knows", (a, b), {"knows.since": n}, at, until)

    def love(self, a: Entity, b: Entity, n: int) -> None:
        self.link("loves", (a, b), {"knows.since": n}, self.day)

    def part(self, a: Entity, b: Entity, at: int) -> None:
        self.unlink(("knows", "loves"), lambda row: row == (a, b), at)

    def unlove(self, a: Entity) -> None:
        self.unlink(("loves",), lambda row: row[0] == a, self.day)

    def hire(self, f: Entity, p: Entity, at: int) -> None:
        self.link("employs", (f, p), {}, at)

    def fire(self, f: Entity) -> None:
        self.unlink(("employs",), lambda row: row[0] == f, self.day)

    def promote(self, p: Entity, n: int) -> None:
        self.add("Worker^", (p,), self.day)
        self.construct("Worker", p, {"Worker.badge": n, "Worker.wage": n}, self.day)

    def demote(self, p: Entity, at: int) -> None:
        self.leave("Worker", p, at)

    def remove(self, p: Entity) -> None:
        self.leave("Person", p, self.day)

    def older(self, n: int) -> None:
        for who, age in sorted(self.at(self.day).get("Person.age", ()), key=lambda row: row[0].id):
            if age < 50:
                self.update("Person.age", who, [age + n], self.day)

    def set_age(self, p: Entity, n: int, at: int) -> None:
        self.update("Person.age", p, [n], at)

    def tag(self, p: Entity, n: int) -> None:
        self.add("Person.tags", (p, n), self.day)

    def retag(self, p: Entity, n: int) -> None:
        self.update("Person.tags", p, [n, n + 1], self.day)

    def sure(self, p: Entity) -> None:
        (age,) = self.values("Person.age", p, self.day)
        if age >= 60:
            raise Refused("OE0731")
        self.update("Person.age", p, [age + 20], self.day)


def merged(spans: list[Span]) -> list[Span]:
    """The union as disjoint intervals in order."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def plain(value: Any) -> Any:
    """A value as the naive evaluator has it."""
    return naive.plain(value) if not isinstance(value, Money | Decimal) else value
