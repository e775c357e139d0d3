"""All problems of one item, and those that no item has: the order of the gates up to inference (language.md §6)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from posixpath import basename, dirname
from typing import TYPE_CHECKING

from argon_lang.engine.governor import interrupted_by
from argon_lang.gates import check_program
from argon_lang.problems import Edit, Fix, ItemId, Note, Problem, args
from argon_lang.program.findings import insertion_point
from argon_lang.queries import program
from argon_lang.queries.doubts import in_doubt
from argon_lang.queries.name_checks import name_problems

if TYPE_CHECKING:
    from argon_lang.queries.database import Database


def item_problems(db: Database, item: ItemId) -> tuple[Problem, ...]:
    """The problems of one item but those of its syntax and those of the gates over the whole program.

    In an item whose syntax is in error only its name is looked at: what else seems wrong may come from how the parser
    mended it. In one that names something in doubt, what follows from types alone may follow from that.
    """
    found = program.tree(db, item)
    if found is None:
        return ()
    own = list(name_problems(db, item))
    if not program.has_error(found):
        own += db.memory.get(program.read, item).problems
        own += program.conformance_of(db, item)
        own += _of_body(db, item)
    return once(own)


KNOCK_ON = frozenset((
    "OE0202", "OE0224", "OE0225", "OE0226", "OE0227", "OE0229", "OW0230", "OE0231", "OE0669", "OW0108",
    "OE1317",
))  # fmt: skip
"""What a declaration in error elsewhere may bring about in an item that is right."""


def _of_body(db: Database, item: ItemId) -> list[Problem]:
    found = db.memory.get(program.inference, item).problems
    if any(each.code in KNOCK_ON for each in found) and in_doubt(db, item):
        return [each for each in found if each.code not in KNOCK_ON]
    return list(found)


def once(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Each code once at each span, in the order of finding."""
    listed = list(problems)
    if not listed:
        return ()
    return tuple({(each.code, each.start, each.end): each for each in reversed(listed)}.values())[::-1]


def gate_problems(db: Database, _: None) -> Mapping[ItemId, tuple[Problem, ...]]:
    """What the gates over the whole program find: strata, tiers, evaluability, declared facts."""
    with interrupted_by(db.memory.give_up):
        return check_program(db.view())


def gates_by_file(db: Database, _: None) -> Mapping[str, tuple[ItemId, ...]]:
    """The items that the gates over the whole program find something in, by file."""
    found: dict[str, list[ItemId]] = {}
    for item in db.memory.get(gate_problems, None):
        found.setdefault(item.file, []).append(item)
    return {file: tuple(items) for file, items in found.items()}


def gates_at(db: Database, file: str) -> tuple[ItemId, ...]:
    """The items of one file that the gates over the whole program find something in."""
    return db.memory.get(gates_by_file, None).get(file, ())


def faulty(db: Database, file: str) -> tuple[ItemId, ...]:
    """The items of a file that have problems before the gates over the whole program."""
    items = (shape.id for shape in program.shapes_in_part(db, file))
    return tuple(item for item in items if db.memory.get(item_problems, item))


def orphan(db: Database, file: str) -> Problem | None:
    """OW0107 of a file that no `mod` reaches."""
    reached = db.memory.get(program.modules, None).files
    if file in reached:
        return None
    prefix = f"{db.package.name}/" if db.package.name else ""
    folder, name = _module_file(file)
    of = _nearest(folder, [each for each in reached if each.startswith(prefix)])
    if not of:
        return None
    told = args(name=name, of=of.removeprefix(prefix))
    fits = dirname(of) == folder and name.isidentifier() and program.file_shapes(db, of) is not None
    fixes = (Fix("reach", (_opening(db, of, name),), told, safe=False),) if fits else ()
    return Problem("OW0107", 0, 0, args(path=file.removeprefix(prefix)), (), (Note("reach", told),), fixes)


def _module_file(file: str) -> tuple[str, str]:
    """The folder of the files whose `mod` would open this one, and the module's name."""
    folder = dirname(file)
    return (dirname(folder), basename(folder)) if basename(file) == "mod.ar" else (folder, basename(file)[:-3])


def _nearest(folder: str, reached: list[str]) -> str:
    """A reached file in a folder, or in the nearest one above; the file that the folder's modules begin with."""
    while True:
        beside = [each for each in reached if dirname(each) == folder]
        if beside or not folder:
            heads = [each for each in beside if basename(each) in ("root.ar", "mod.ar")]
            return next(iter(heads or beside or reached), "")
        folder = dirname(folder)


def _opening(db: Database, file: str, name: str) -> Edit:
    """`mod name;` before the first item of a file."""
    first = (program.file_shapes(db, file) or ())[0].id
    tree = program.tree(db, first)
    at = insertion_point(tree) if tree is not None else 0
    return Edit(at, at, f"mod {name};\n", first)
