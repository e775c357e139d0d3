"""The part of a file that an action is asked for, and the words in which actions read it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from argon_lang.ide.names import Occurrence, occurrences
from argon_lang.problems import ItemId, Location, Replacement
from argon_lang.program.meanings import Binding, ToBinding
from argon_lang.queries.database import Database
from argon_lang.syntax import nodes
from argon_lang.syntax.document import Document
from argon_lang.syntax.format import format_item
from argon_lang.syntax.layout.printer import STEP
from argon_lang.syntax.tree import Item, View

Clause = nodes.DeriveDecl | nodes.CheckDecl
"""What has a body of rule atoms of its own."""


@dataclass(frozen=True)
class Spot:
    """A selection `[start, end)` within one item of a file; both offsets are relative to the item.

    `base` is where the item begins in its file. A cursor is a selection of nothing.
    """

    db: Database
    item: ItemId
    tree: Item
    base: int
    start: int
    end: int

    @cached_property
    def occurrences(self) -> list[Occurrence]:
        """Every name in the item that means something."""
        return occurrences(self.db, self.item)

    @cached_property
    def bindings(self) -> dict[int, Binding]:
        """The item's locals by number, wildcards left out."""
        return {each.id: each for each in self.db.inference(self.item).bindings if each.kind != "wildcard"}

    @property
    def module(self) -> str | None:
        """The module that the item stands in; None when none reaches it."""
        return self.db.module_of(self.item)

    @property
    def clause(self) -> Clause | None:
        """The item, if it is a rule with a body."""
        root = self.tree.root
        return root if isinstance(root, Clause) and root.body is not None else None

    @property
    def clause_atoms(self) -> list[nodes.Atom]:
        """The outermost atoms of the rule; none where the item is no rule."""
        return self.clause.body.atoms if self.clause is not None and self.clause.body is not None else []

    def text(self, view: View) -> str:
        """What a node covers."""
        return self.tree.text[view.start : view.end]

    def replace(self, start: int, end: int, text: str) -> Replacement:
        """Put `text` in place of `[start, end)` of the item."""
        return Replacement(Location(self.item.file, self.base + start, self.base + end), text)

    def beside(self, items: str, *, before: bool) -> Replacement:
        """New items, laid out as deep as this one stands, in front of it with its docs, or behind it."""
        depth = _column(self.tree) // STEP
        text = laid_out(items, depth)
        if before:
            place = _first_line(self.tree)
            return self.replace(place, place, f"{text}\n")
        end = self.tree.root.end
        return self.replace(end, end, f"\n\n{text.rstrip()}")


def spot_at(db: Database, file: str, start: int, end: int) -> Spot | None:
    """The item that a selection of a file lies in, if it is sound; of one over several items, that of its start."""
    found = db.item_at(file, start)
    if found is None:
        return None
    item, inner = found
    tree = db.tree(item)
    if tree is None or any(each.code[1] == "E" for each in tree.problems):
        return None
    return Spot(db, item, tree, start - inner, inner, inner + end - start)


def laid_out(items: str, depth: int = 0) -> str:
    """The text of some items in canonical layout, `depth` modules deep, ending its line."""
    made = [format_item(each, depth) for each in Document.parse(items).items]
    return "".join(each if not each or each.endswith("\n") else f"{each}\n" for each in made).lstrip("\n")


def fresh_name(wanted: str, taken: Iterable[str]) -> str:
    """`wanted`, or the first of `wanted_2`, `wanted_3`, … that is not taken."""
    names = set(taken)
    if wanted not in names:
        return wanted
    number = 2
    while f"{wanted}_{number}" in names:
        number += 1
    return f"{wanted}_{number}"


def locals_in(spot: Spot, start: int, end: int) -> list[int]:
    """The locals that occur within `[start, end)` of the item, in the order of the text."""
    found = sorted((each for each in spot.occurrences if start <= each.start < end), key=lambda each: each.start)
    return list(dict.fromkeys(each.meaning.id for each in found if isinstance(each.meaning, ToBinding)))


def local_of(spot: Spot, view: View | None) -> int | None:
    """The local that an expression is; None for any other expression."""
    if not isinstance(view, nodes.Path):
        return None
    return next(
        (
            each.meaning.id
            for each in spot.occurrences
            if (each.start, each.end) == (view.start, view.end) and isinstance(each.meaning, ToBinding)
        ),
        None,
    )


def _column(tree: Item) -> int:
    """How far the item's first word stands from the start of its line."""
    start = tree.root.start
    return start - (tree.text.rfind("\n", 0, start) + 1)


def _first_line(tree: Item) -> int:
    """Where the item's docs and comments begin that stand directly above it; else where it begins itself."""
    head = tree.text[: tree.root.start]
    cut = head.rfind("\n\n")
    place = cut + 2 if cut >= 0 else len(head) - len(head.lstrip())
    return min(place, tree.root.start - _column(tree)) if cut < 0 or not head[place:].strip() else place
