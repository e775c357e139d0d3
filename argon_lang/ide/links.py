"""Places in a file that lead to another one: `mod x;` to its file."""

from __future__ import annotations

from dataclasses import dataclass

from argon_lang.ide.definition import module_location
from argon_lang.problems import Location
from argon_lang.program.findings import declared_at
from argon_lang.program.paths import name_of
from argon_lang.queries.database import Database
from argon_lang.syntax import nodes


@dataclass(frozen=True, slots=True)
class Link:
    """A span that leads to a file of the database."""

    location: Location
    target: str


def links(db: Database, file: str) -> tuple[Link, ...]:
    """The links of a file in the order of the text."""
    found = []
    for item in db.items(file):
        tree, module = db.tree(item), db.module_of(item)
        root = tree.root if tree is not None else None
        if isinstance(root, nodes.ModDecl) and root.name is not None and module is not None:
            start = db.locate(declared_at(item))
            target = module_location(db, f"{module}::{name_of(root.name)}")
            if start is not None and target and target[0].file != file:
                found.append(Link(start, target[0].file))
    return tuple(found)
