"""Every action on a selection, by name: offered where it applies, and made when somebody takes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from argon_lang.ide.actions import extract_rule, generate_test, inline_rule, organise_imports
from argon_lang.ide.actions.spot import Spot, spot_at
from argon_lang.problems import Replacement
from argon_lang.queries.database import Database


class Action(Protocol):
    """A module of `actions` about one item: title and kind as an editor shows them, and the two questions."""

    TITLE: str
    KIND: str

    def offered(self, spot: Spot) -> bool:
        """Whether it applies to a selection; then `edits` is not empty."""
        ...

    def edits(self, spot: Spot) -> tuple[Replacement, ...]:
        """What it changes."""
        ...


@dataclass(frozen=True, slots=True)
class Offer:
    """An action that applies. `name` is that by which it is asked for; `kind` the protocol's word for such actions."""

    name: str
    title: str
    kind: str


ACTIONS: dict[str, Action] = {
    "extractRule": extract_rule,
    "inlineRule": inline_rule,
    "generateTest": generate_test,
}
"""The actions about one item, by name."""

ORGANISE = "organiseImports"


def offers_at(db: Database, file: str, start: int, end: int) -> list[Offer]:
    """The actions that apply to `[start, end)` of a file, in a fixed order."""
    found: list[Offer] = []
    if file not in db.files_of(db.package):
        return found
    spot = spot_at(db, file, start, end)
    if spot is not None:
        found = [Offer(name, each.TITLE, each.KIND) for name, each in ACTIONS.items() if each.offered(spot)]
    if organise_imports.edits(db, file):
        found.append(Offer(ORGANISE, organise_imports.TITLE, organise_imports.KIND))
    return found


def edits_of(db: Database, name: str, file: str, start: int, end: int) -> tuple[Replacement, ...]:
    """What an action changes; nothing where it does not apply any more. Raises KeyError for a name of no action."""
    if name == ORGANISE:
        return organise_imports.edits(db, file)
    spot = spot_at(db, file, start, end)
    action = ACTIONS[name]
    return action.edits(spot) if spot is not None and action.offered(spot) else ()
