"""Attributes: which ones the language knows, where each may stand, and what this version takes of them (§3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from argon_lang.problems import Edit, Fix, Note, Problem, args
from argon_lang.program.attributes import attribute_name, cap_of, lone_name
from argon_lang.program.defeat import target_of
from argon_lang.program.signatures.context import Context
from argon_lang.program.spelling import near
from argon_lang.program.tier_names import TIERS
from argon_lang.syntax import kinds as K
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View

_ONCE = frozenset(("default", "label", "world", "dec", "allow_forget", "intrinsic"))
Written = nodes.Attribute | nodes.FileAttribute
_PLACES: dict[str, tuple[type[View], ...]] = {
    "default": (nodes.DeriveDecl,),
    "label": (nodes.DeriveDecl,),
    "defeats": (nodes.DeriveDecl,),
    "world": (nodes.ConceptDecl,),
    "dec": (nodes.FileAttribute, nodes.ModDecl),
    "allow_forget": (nodes.ConceptDecl, nodes.RelationDecl),
    "intrinsic": (nodes.FnDecl,),
}
KNOWN = frozenset(_PLACES)
"""The attributes of the language."""

_WORDS: dict[type[View], str] = {
    nodes.DeriveDecl: "a `derive` rule",
    nodes.ConceptDecl: "a concept",
    nodes.FileAttribute: "a file",
    nodes.ModDecl: "a module",
    nodes.RelationDecl: "a relation",
    nodes.FnDecl: "a function",
}


def check_attributes(root: View, context: Context) -> None:
    """OE0701 for an unknown attribute, OE0702 for one that does not fit."""
    seen: set[tuple[int, str]] = set()
    for written, bearer in _attributes(root):
        name = attribute_name(written)
        if name and name in _ONCE and (bearer.index, name) in seen:
            context.out.problems.append(_misplaced(written, name, "stands here twice"))
        elif name:
            _check(written, name, bearer, context)
        seen.add((bearer.index, name))


def _attributes(root: View) -> Iterator[tuple[Written, View]]:
    """Every attribute of the item and of its members, with what bears it."""
    if isinstance(root, nodes.FileAttribute):
        yield root, root
        return
    for index, kind in enumerate(root.item.node_kinds if K.N_ATTRIBUTE in root.item.node_kinds else ()):
        if kind == K.N_ATTRIBUTE:
            each = nodes.Attribute(root.item, index)
            yield each, each.parent or root


def _check(written: Written, name: str, bearer: View, context: Context) -> None:
    places = _PLACES.get(name)
    if places is None:
        context.out.problems.append(_unknown(written, name, bearer, context.module))
    elif not isinstance(bearer, places):
        context.out.problems.append(_misplaced(written, name, "belongs on " + " or ".join(_WORDS[p] for p in places)))
    elif name == "intrinsic" and not context.module.startswith("std::"):
        context.out.problems.append(_misplaced(written, name, "is for functions of the std packages only"))
    elif not _FORMS[name][0](written):
        context.out.problems.append(_ill_formed(written, name))
    elif name == "world" and _decided(bearer):
        context.out.problems.append(_misplaced(written, name, "does not go with `iff`, which decides who belongs"))


def _decided(bearer: View) -> bool:
    return isinstance(bearer, nodes.ConceptDecl) and bearer.refinement is not None and bearer.refinement.derived


def _no_values(written: Written) -> bool:
    return written.args is None


_FORMS: dict[str, tuple[Callable[[Written], bool], str]] = {
    "default": (_no_values, "no argument"),
    "label": (lambda written: lone_name(written) is not None, "one name"),
    "defeats": (
        lambda written: isinstance(written, nodes.Attribute) and target_of(written) is not None,
        "`predicate(arguments)` or `predicate.label(arguments)`",
    ),
    "world": (lambda written: lone_name(written) in ("open", "closed"), "`open` or `closed`"),
    "dec": (lambda written: cap_of(written) is not None, "`tier:` and one of " + ", ".join(f"`{t}`" for t in TIERS)),
    "allow_forget": (_no_values, "no argument"),
    "intrinsic": (_no_values, "no argument"),
}
"""Whether an attribute's arguments are of its form, and the form in words."""


def _ill_formed(written: Written, name: str) -> Problem:
    form, words = _FORMS[name]
    notes = () if form is _no_values else (Note("expected", args(expected=words)),)
    found = "takes no argument" if form is _no_values else "has arguments of another form"
    place = (written.args.start, written.args.end) if written.args is not None else _span(written)
    return Problem("OE0702", *place, args(name=name, found=found), (), notes, (_removal(written),))


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
