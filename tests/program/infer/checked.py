"""Infer one item of a small program, and ask what its parts mean."""

from __future__ import annotations

from dataclasses import dataclass

from argon_lang.program.model import Binding, Inference, Resolution
from argon_lang.program.types import Type
from argon_lang.queries.database import Database
from argon_lang.queries.snippet import database_of
from argon_lang.syntax.tree import Item, View

WORLD = """
use std::time::today;
type Person { name: String, mut nick: String?, mut wealth: Money = 0, share: Decimal, born: Date, tags: [String] }
type Worker <: Person { wage: Money }
type Firm { title: String }
rel employs(firm: Firm, worker: Worker) { mut since: Date }
rel knows(a: Person, b: Person);
enum Size { Small, Large(Int), Box { wide: Int } }
struct Pair { left: Real, right: Money = 0 }
fact Worker(ann) { name: "Ann" };
fact Firm(acme) { title: "Acme" };
derive rich(p: Person) :- Person(p), p.wealth > 1000;
derive owes(p: Person, amount: Money) :- Person(p), amount = p.wealth;
fn doubled(m: Money) -> Money = m * 2;
query people() -> [Person] { select p from Person(p) }
mutate hire(p: Person, wage: Money) -> Worker { insert iof(p, Worker) { wage: wage }; return p; }
"""


@dataclass(frozen=True)
class Checked:
    """The last item of a program with its inference."""

    item: Item
    inference: Inference

    def node(self, text: str, kind: type[View] | None = None, nth: int = 0) -> View:
        """The `nth` node (of a kind) whose text is `text`, in post-order."""
        found = [
            view
            for view in [*self.item.root.descendants(), self.item.root]
            if view.text == text and (kind is None or isinstance(view, kind))
        ]
        return found[nth]

    def type(self, text: str, kind: type[View] | None = None, nth: int = 0) -> Type:
        """The type of that node."""
        return self.inference.types[self.node(text, kind, nth).index]

    def meaning(self, text: str, kind: type[View] | None = None, nth: int = 0) -> Resolution:
        """The meaning of that node."""
        return self.inference.names[self.node(text, kind, nth).index]

    def binding(self, name: str, nth: int = 0) -> Binding:
        """The `nth` local of a name."""
        return [each for each in self.inference.bindings if each.name == name][nth]

    @property
    def codes(self) -> list[str]:
        """The codes of its problems."""
        return [problem.code for problem in self.inference.problems]


def database(source: str, world: str = WORLD) -> Database:
    """A program of `world` and then `source`."""
    return database_of({"root.ar": world + source})


def checked(source: str, world: str = WORLD) -> Checked:
    """Infer the last item of `source`."""
    db = database(source, world)
    found = [each for each in db.items("root.ar") if each.label != "end"][-1]
    item = db.tree(found)
    assert item is not None
    return Checked(item, db.inference(found))
