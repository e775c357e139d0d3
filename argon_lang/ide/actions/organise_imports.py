"""Organise imports: each run of `use` lines without what nobody reads, merged by module, in one order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from argon_lang.ide.actions.spot import laid_out
from argon_lang.problems import ItemId, Location, Replacement
from argon_lang.program.paths import names
from argon_lang.queries.database import Database
from argon_lang.queries.name_checks import unused_leaves
from argon_lang.syntax import kinds as K
from argon_lang.syntax import nodes
from argon_lang.syntax.layout.printer import STEP
from argon_lang.syntax.tree import Item

TITLE = "Organise imports"
KIND = "source.organizeImports"

_FIRST = {"std": 0, "pkg": 2, "super": 3, "self": 4}
"""Order of the roots; packages that it depends on come behind std."""


@dataclass(frozen=True, slots=True)
class _Use:
    """One imported thing: who may use it, the path of its module, and what is written behind that."""

    visibility: str
    module: tuple[str, ...]
    leaf: str

    @property
    def order(self) -> tuple[bool, int, tuple[str, ...], str]:
        """Private ones first; by root, module and name."""
        return (
            bool(self.visibility),
            _FIRST.get(self.module[0] if self.module else self.leaf, 1),
            self.module,
            self.leaf,
        )


def edits(db: Database, file: str) -> tuple[Replacement, ...]:
    """One edit per run of `use` lines that is not in order."""
    document = db.documents().get(file)
    if document is None:
        return ()
    listed = zip(db.items(file), document.starts, document.items, strict=True)
    runs = [list(run) for plain, run in groupby(listed, lambda each: _is_plain(each[2])) if plain]
    return tuple(each for run in runs for each in _organised(db, file, run))


def _is_plain(tree: Item) -> bool:
    """A `use` without errors, attributes or comments of its own, behind which nothing else stands on its line."""
    root = tree.root
    comments = {K.LINE_COMMENT, K.BLOCK_COMMENT, K.OUTER_DOC}.intersection(tree.kinds)
    if not isinstance(root, nodes.UseDecl) or root.path is None or tree.problems:
        return False
    return not comments and not root.attributes


def _organised(db: Database, file: str, run: list[tuple[ItemId, int, Item]]) -> Iterator[Replacement]:
    _, base, first = run[0]
    _, last_base, last = run[-1]
    start, end = base + first.root.start, last_base + last.root.end
    uses = sorted({each for item, _, tree in run for each in _uses(db, item, tree)}, key=lambda each: each.order)
    depth = (first.root.start - first.text.rfind("\n", 0, first.root.start) - 1) // STEP
    merged = "\n".join(_line(list(same)) for _, same in groupby(uses, lambda each: (each.visibility, each.module)))
    text = laid_out(merged, depth).strip()
    before = (db.text(file) or "")[start:end]
    if text != before:
        yield Replacement(Location(file, start, end if text else _line_end(db.text(file) or "", end)), text)


def _line_end(text: str, end: int) -> int:
    return end + 1 if text.startswith("\n", end) else end


def _uses(db: Database, item: ItemId, tree: Item) -> Iterator[_Use]:
    root = tree.root
    if not isinstance(root, nodes.UseDecl) or root.path is None:
        return
    visibility = tree.text[root.visibility.start : root.visibility.end] if root.visibility is not None else ""
    path, unused = names(root.path), db.ask(unused_leaves, item)
    if root.leaves is not None:
        leaves = [each for number, each in enumerate(root.leaves.leaves) if number not in unused]
        yield from (_Use(visibility, path, tree.text[each.start : each.end]) for each in leaves)
    elif not unused:
        alias = f" {tree.text[root.alias.start : root.alias.end]}" if root.alias is not None else ""
        yield _Use(visibility, path, "*") if root.glob else _Use(visibility, path[:-1], path[-1] + alias)


def _line(uses: list[_Use]) -> str:
    """`use a::b;`, `use a::{b, c};`; a glob stays on its own."""
    first = uses[0]
    start = f"{first.visibility} use ".lstrip() + "".join(f"{each}::" for each in first.module)
    plain = [each.leaf for each in uses if each.leaf != "*"]
    lines = [f"{start}*;"] if len(plain) < len(uses) else []
    if not first.module:
        return "\n".join([*lines, *(f"{start}{each};" for each in plain)])
    if len(plain) == 1 and plain[0] != "self":
        lines.append(f"{start}{plain[0]};")
    elif plain:
        lines.append(f"{start}{{{', '.join(plain)}}};")
    return "\n".join(lines)
