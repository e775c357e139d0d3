"""Attributes: which ones the language knows, where each may stand, and what this version takes of them (§3)."""

from __future__ import annotations

from collections.abc import Iterator

from argon_lang.problems import Edit, Fix, Note, Problem, args
from argon_lang.program.paths import segments
from argon_lang.program.signatures.context import Context
from argon_lang.program.spelling import near
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View

Written = nodes.Attribute | nodes.FileAttribute
_PLACES: dict[str, tuple[type[View], ...]] = {
    "default": (nodes.DeriveDecl,),
    "label": (nodes.DeriveDecl,),
    "defeats": (nodes.DeriveDecl,),
    "world": (nodes.ConceptDecl,),
    "dec": (nodes.FileAttribute, nodes.ModDecl),
    "allow_forget": (nodes.MutateDecl,),
    "intrinsic": (nodes.FnDecl,),
}
_WORDS: dict[type[View], str] = {
    nodes.DeriveDecl: "a `derive` rule",
    nodes.ConceptDecl: "a concept",
    nodes.FileAttribute: "a file",
    nodes.ModDecl: "a module",
    nodes.MutateDecl: "a mutation",
    nodes.FnDecl: "a function",
}


def check_attributes(root: View, context: Context) -> None:
    """OE0701 for an unknown attribute, OE0702 for a misplaced one, OE0703 for one that is not taken yet."""
    for written, bearer in _attributes(root):
        path = segments(written.path) if written.path else ()
        if path:
            _check(written, "::".join(each.name for each in path), bearer, context)


def _attributes(root: View) -> Iterator[tuple[Written, View]]:
    """Every attribute of the item and of its members, with what bears it."""
    if isinstance(root, nodes.FileAttribute):
        yield root, root
        return
    for each in root.descendants():
        if isinstance(each, nodes.Attribute):
            yield each, each.parent or root


def _check(written: Written, name: str, bearer: View, context: Context) -> None:
    places = _PLACES.get(name)
    if places is None:
        context.out.problems.append(_unknown(written, name, bearer, context.module))
    elif not isinstance(bearer, places):
        context.out.problems.append(_misplaced(written, name, "belongs on " + " or ".join(_WORDS[p] for p in places)))
    elif name != "intrinsic":
        mark = "#!" if isinstance(written, nodes.FileAttribute) else "#"
        context.out.refuse(f"the attribute `{mark}[{name}]`", *_span(written))
    elif not context.module.startswith("std::"):
        context.out.problems.append(_misplaced(written, name, "is for functions of the std packages only"))


def _span(written: Written) -> tuple[int, int]:
    return (written.path.start, written.path.end) if written.path else (written.start, written.end)


def _unknown(written: Written, name: str, bearer: View, module: str) -> Problem:
    """What fits here is named; it is no fix as long as most attributes are refused."""
    own = module.startswith("std::")
    fitting = [
        known for known, places in _PLACES.items() if isinstance(bearer, places) and (own or known != "intrinsic")
    ]
    close = near(name, fitting)
    notes = []
    if close:
        notes.append(Note("suggest", args(suggestion=close[0])))
    elif fitting:
        notes.append(Note("known", args(candidates=", ".join(f"`{known}`" for known in fitting))))
    return Problem("OE0701", *_span(written), args(name=name), (), tuple(notes), (_removal(written),))


def _misplaced(written: Written, name: str, complaint: str) -> Problem:
    return Problem("OE0702", *_span(written), args(name=name, found=complaint), fixes=(_removal(written),))


def _removal(written: Written) -> Fix:
    """Remove the attribute and the blanks up to what follows it."""
    text, end = written.item.text, written.end
    while end < len(text) and text[end] in " \t":
        end += 1
    if text.startswith("\n", end):
        end += 1
    return Fix("remove", (Edit(written.start, end, ""),))
