"""Both times in every read: a random history of writes at random instants, against a list of what was said and when.

The oracle keeps every accepted statement with its transaction, and answers by going through all of them: the state at
transaction t and instant v is what the statements of transactions up to t say of v, the last one first.
"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from argon_lang.runtime.service import At, RuntimeService
from argon_lang.store.memory import MemoryStore
from argon_lang.store.sqlite import SqliteStore
from tests.runtime.worlds import START, Clock, served, short

SOURCE = """
use std::core::{Diagnostic, Severity};
pub type Person { name: String }
pub type Club { title: String }
pub rel joined(who: Person, club: Club);
fact Person(ann) { name: "Ann" };
fact Person(bob) { name: "Bob" };
fact Club(chess) { title: "Chess" };
fact Club(choir) { title: "Choir" };
pub derive mates(a: Person, b: Person) :- joined(a, c), joined(b, c), a != b;
pub query members(c: Club) -> [String] { select p.name from joined(p, c) order by p.name }
pub fn is_in(p: Person, c: Club) -> Bool = joined(p, c);
check crowd(c: Club) :- joined(a, c), joined(b, c), a != b
    => Diagnostic { severity: Severity::Info, message: "two" };
pub mutate join(p: Person, c: Club, d: Date) { insert joined(p, c) at d; }
pub mutate join_until(p: Person, c: Club, d: Date, e: Date) { insert joined(p, c) at d until e; }
pub mutate leave(p: Person, c: Club, d: Date) { delete joined(p, c) at d; }
"""
PEOPLE, CLUBS = ("ann", "bob"), ("chess", "choir")
DAYS = range(6)
who, what, day = st.sampled_from(PEOPLE), st.sampled_from(CLUBS), st.sampled_from(list(DAYS))


def date(number: int) -> str:
    return (START + timedelta(days=number)).date().isoformat()


Said = tuple[int, str, str, int, int | None]
"""Transaction, person, club, first day, and for a join the day on which it ends (None: never); -1 marks a leaving."""


class Bitemporal(RuleBasedStateMachine):
    """Writes at random days, and after each the whole grid of both times."""

    service: RuntimeService

    def __init__(self) -> None:
        super().__init__()
        self.said: list[Said] = []
        self.head = 0
        self.clock = Clock()
        self.folder = TemporaryDirectory()

    @initialize(on_disk=st.booleans())
    def start(self, on_disk: bool) -> None:
        store = SqliteStore(Path(self.folder.name) / "store.sqlite3") if on_disk else MemoryStore()
        self.service = RuntimeService(served(SOURCE), store, clock=self.clock)

    def write(self, name: str, *given: str) -> None:
        self.clock.advance(seconds=1)
        self.head = self.service.mutate(name, given).tx or 0

    @rule(p=who, c=what, d=day)
    def join(self, p: str, c: str, d: int) -> None:
        self.write("join", p, c, date(d))
        self.said.append((self.head, p, c, d, None))

    @rule(p=who, c=what, d=day, span=st.integers(1, 3))
    def join_until(self, p: str, c: str, d: int, span: int) -> None:
        self.write("join_until", p, c, date(d), date(d + span))
        self.said.append((self.head, p, c, d, d + span))

    @rule(p=who, c=what, d=day)
    def leave(self, p: str, c: str, d: int) -> None:
        self.write("leave", p, c, date(d))
        if (p, c) in self.joined(d, self.head - 1):
            self.said.append((self.head, p, c, d, -1))

    def joined(self, on: int, tx: int) -> set[tuple[str, str]]:
        """The oracle."""
        found: set[tuple[str, str]] = set()
        for number, p, c, begin, end in self.said:
            if number > tx or begin > on:
                continue
            if end == -1:
                found.discard((p, c))
            elif end is None or on < end:
                found.add((p, c))
        return found

    @invariant()
    def every_read_agrees(self) -> None:
        if not hasattr(self, "service"):
            return
        for tx in {0, self.head // 2, self.head}:
            for on in (0, 2, 5, 8):
                self.agrees(self.joined(on, tx), At(date(on), tx))

    def agrees(self, known: set[tuple[str, str]], at: At) -> None:
        """Queries, heads, checks, functions and explanations read one state."""
        service = self.service
        rows = {tuple(short(value) for value in row.values) for row in service.derive("joined", at).rows}
        assert rows == known, at
        for club in CLUBS:
            names = [row.values[0] for row in service.query("members", [club], at).rows]
            assert names == sorted(person.title() for person, its in known if its == club)
        together = {club for club in CLUBS if sum(its == club for _, its in known) == 2}
        assert {short(each.key[0]) for each in service.checks(at=at).violations} == together
        assert bool(service.derive("mates", at).rows) == bool(together)
        for person in PEOPLE:
            wanted = (person, "chess") in known
            assert service.compute("is_in", [person, "chess"], at).value is wanted
            assert service.explain(f"joined({person}, chess)", at).derived is wanted

    def teardown(self) -> None:
        if hasattr(self, "service"):
            self.service.store.close()
        self.folder.cleanup()


Bitemporal.TestCase.settings = settings(max_examples=12, stateful_step_count=8, deadline=None, derandomize=True)
TestBothTimes = Bitemporal.TestCase
