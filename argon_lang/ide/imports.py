"""What a file brings in by `use`."""

from __future__ import annotations

from dataclasses import dataclass

from argon_lang.program.name_problems import leaf_segments
from argon_lang.program.paths import names
from argon_lang.queries import program
from argon_lang.queries.database import Database
from argon_lang.syntax import nodes


@dataclass(frozen=True, slots=True)
class Import:
    """One `use`: the module, what of it (`*` for everything), re-exported or not, and whether all of it is there."""

    module: str
    items: tuple[str, ...]
    public: bool
    resolved: bool


def imports(db: Database, file: str) -> tuple[Import, ...]:
    """The imports of a file in the order of the text."""
    found = []
    for item in db.items(file):
        tree = db.tree(item)
        root = tree.root if tree is not None else None
        if isinstance(root, nodes.UseDecl) and root.path is not None:
            results = db.ask(program.imports_of, item).values()
            resolved = bool(results) and all(each.lookup.code is None for each in results)
            found.append(Import(*_written(root), root.visibility is not None, resolved))
    return tuple(found)


def _written(root: nodes.UseDecl) -> tuple[str, tuple[str, ...]]:
    path = names(root.path) if root.path is not None else ()
    if root.glob:
        return "::".join(path), ("*",)
    if root.leaves is None:
        return "::".join(path[:-1]), path[-1:]
    paths = [leaf_segments(root, number) for number in range(len(root.leaves.leaves))]
    listed = ["::".join(segment.name for segment in each[len(path) :]) or "self" for each in paths]
    return "::".join(path), tuple(listed)
