"""Group axioms (language.md §3.5): which concepts exclude each other, which leave nothing of a whole over."""

from __future__ import annotations

from argon_lang.problems import Problem, Related, args
from argon_lang.program.declarations import LOST
from argon_lang.program.model import GroupSig, ToType, Use
from argon_lang.program.paths import segments
from argon_lang.program.signatures.context import Context
from argon_lang.program.types import Named
from argon_lang.syntax import nodes


def group(root: nodes.GroupDecl, context: Context) -> GroupSig:
    """The signature of `disjoint`, `complete` or `partition`; its members in the order of the text."""
    whole = None if root.disjoint else _concept(root.whole, context)
    written = root.members.paths if root.members else []
    members = tuple(_concept(each, context) for each in written)
    word = "disjoint" if root.disjoint else "complete" if root.complete else "partition"
    _check_distinct(written, members, word, context)
    return GroupSig(root.disjoint or root.partition, root.complete or root.partition, whole, members)


def _check_distinct(written: list[nodes.Path], members: tuple[str, ...], word: str, context: Context) -> None:
    """OE0207 for a member that is named twice."""
    first: dict[str, nodes.Path] = {}
    for each, member in zip(written, members, strict=True):
        earlier = first.setdefault(member, each)
        if member != LOST and earlier is not each:
            related = (Related("first", earlier.start, earlier.end),)
            values = args(kind="member", name=member.rsplit("::", 1)[-1], of=word)
            context.out.problems.append(Problem("OE0207", each.start, each.end, values, related))


def _concept(path: nodes.Path | None, context: Context) -> str:
    symbol = context.symbol(path, ("concept",), "concept", "a concept")
    if symbol is None or path is None:
        return LOST
    last = segments(path)[-1]
    context.out.uses.append(Use(last.start, last.end, ToType(Named("concept", symbol.path))))
    return symbol.path
