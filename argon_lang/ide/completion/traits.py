"""What fits in traits and impls: the traits themselves, the members that are still to be given, type parameters."""

from __future__ import annotations

from collections.abc import Iterator

from argon_lang.ide.completion import names
from argon_lang.ide.completion.model import Candidate
from argon_lang.ide.completion.spot import Spot
from argon_lang.ide.signature import callable_line
from argon_lang.program.generics import parameter_names
from argon_lang.program.infer.impls import trait_path
from argon_lang.program.model import CallableSig
from argon_lang.program.paths import name_of
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View

TRAITS = frozenset(("trait", "module"))
PLACES = (nodes.ImplDecl, nodes.GenericParam)
"""Where a path names a trait."""

_WORDS = {
    "fn": "fn ${1:name}(self) -> ${2:T};",
    "derive": "derive ${1:name}(Self);",
    "query": "query ${1:name}(self) -> [${2:T}];",
    "check": "check ${1:name}(Self);",
    "mutate": "mutate ${1:name}(self);",
}


def member_words() -> Iterator[Candidate]:
    """The beginnings of what a trait may ask for."""
    for word, text in _WORDS.items():
        yield Candidate(word, "keyword", insert=text, snippet=True)


def missing_members(spot: Spot, root: nodes.ImplDecl) -> Iterator[Candidate]:
    """The members that an `impl` does not give yet, each with what its body begins with."""
    scope = spot.db.scope(spot.module)
    trait = spot.db.declarations.trait(trait_path(root, scope))
    given = {name_of(each.name) for each in root.members.members} if root.members else set()
    for sig in trait.members if trait is not None else ():
        name = sig.path.rsplit("::", 1)[-1]
        if name not in given:
            yield Candidate(name, "member", callable_line(sig), _text(sig, name), True, rank=-1)


def _text(sig: CallableSig, name: str) -> str:
    """The head of a member, and a place for its body."""
    if sig.kind in ("predicate", "check"):
        heads = ", ".join("x" if place == 0 else f"y{place}" for place in range(len(sig.params)))
        word, end = ("derive", ";") if sig.kind == "predicate" else ("check", ' => Diagnostic { message: "${2}" };')
        return f"{word} {name}({heads}) :- ${{1}}{end}"
    head = callable_line(sig)
    if sig.kind == "fn":
        return f"{head} = ${{1}};"
    return f"{head} {{ ${{1}} }}"


def type_names(spot: Spot) -> Iterator[Candidate]:
    """The type parameters of the item and of the member around, and `Self` in a trait or an impl."""
    root = spot.tree.root
    around: View | None = spot.node
    found: dict[str, None] = dict.fromkeys(("Self",) if isinstance(root, nodes.TraitDecl | nodes.ImplDecl) else ())
    while around is not None:
        found |= dict.fromkeys(parameter_names(around))
        around = around.parent
    yield from (Candidate(name, "type", rank=-1) for name in found)


def body_around(spot: Spot) -> View:
    """The member of a trait or an impl that a place lies in, else its item."""
    found = (each for each in spot.around() if isinstance(each.parent, nodes.MemberList | None))
    return next((each for each in found if not isinstance(each, nodes.Error)), spot.tree.root)


def between_members(spot: Spot) -> Iterator[Candidate] | None:
    """What begins a member, where a place is between those of a trait or an impl; None anywhere else.

    The text as it stands is asked: with a name in it a new item may seem to begin there.
    """
    found = spot.db.item_at(spot.file, spot.start)
    tree = spot.db.tree(found[0]) if found is not None else None
    root, at = tree.root if tree is not None else None, found[1] if found is not None else 0
    listed = root.members if isinstance(root, nodes.TraitDecl | nodes.ImplDecl) else None
    if listed is None or not listed.start < at < listed.end or listed.item.text[:at].rstrip()[-1] not in "{};":
        return None
    if any(each.start < at <= each.end for each in listed.members):
        return None
    return missing_members(spot, root) if isinstance(root, nodes.ImplDecl) else member_words()


def traits(spot: Spot) -> Iterator[Candidate]:
    """The traits in scope, and the modules that may hold others."""
    return names.in_scope(spot, TRAITS, called=False)
