"""Inline rule: in place of a read of a derived predicate with one clause stands what that clause says.

Refused where the meaning could change: several clauses, recursion, attributes (defeat), aggregates (they group by what
else occurs in their clause), names that mean something else where they would come to stand.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from argon_lang.ide.actions.bound import binders
from argon_lang.ide.actions.spot import Spot, fresh_name, local_of
from argon_lang.ide.names import Occurrence
from argon_lang.problems import Replacement
from argon_lang.program.meanings import ToBinding, ToSymbol
from argon_lang.program.paths import names
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View

TITLE = "Inline the rule"
KIND = "refactor.inline"

_KEPT_OUT = (nodes.AggregateCall, nodes.AggregateBlock, nodes.FieldInit, nodes.FieldPattern, nodes.Lambda)
"""What makes the value of a name depend on more than the name."""


class _Impossible(Exception):
    """The clause cannot stand in place of the call without a change of meaning."""


@dataclass
class _Inlined:
    """A clause on its way into another one. `words` says what stands for each of its locals there.

    `more` are atoms for what its head says of its columns, `invented` those columns for which `_` is given.
    """

    call: nodes.Call
    spot: Spot
    clause: Spot
    words: dict[int, str] = field(default_factory=dict)
    more: list[str] = field(default_factory=list)
    invented: set[int] = field(default_factory=set)


def offered(spot: Spot) -> bool:
    """Whether the cursor is at a read of a predicate whose one clause can stand here."""
    return bool(edits(spot))


def edits(spot: Spot) -> tuple[Replacement, ...]:
    """The atoms of the clause in place of the call."""
    call, clause = _call(spot), None
    if call is not None:
        clause = _clause(spot, call)
    if call is None or clause is None:
        return ()
    try:
        text = _text(_Inlined(call, spot, clause))
    except _Impossible:
        return ()
    return (spot.replace(call.start, call.end, text),)


def _call(spot: Spot) -> nodes.Call | None:
    """The atom at the cursor, if it is a call among the outermost atoms of a clause."""
    for each in spot.clause_atoms:
        path = each.path if isinstance(each, nodes.Call) else None
        if isinstance(each, nodes.Call) and path is not None and path.start <= spot.start <= spot.end <= path.end:
            return each
    return None


def _clause(spot: Spot, call: nodes.Call) -> Spot | None:
    """The one clause of what is called."""
    symbol = next((each.meaning for each in spot.occurrences if call.path and each.end == call.path.end), None)
    given = len(call.args.args) if call.args is not None else 0
    if not isinstance(symbol, ToSymbol) or symbol.kind != "predicate" or symbol.arity != given:
        return None
    items = [item for each in spot.db.symbols_at(symbol.path) if each.arity == given for item in each.items]
    tree = spot.db.tree(items[0]) if len(items) == 1 and items[0] != spot.item else None
    if (
        tree is None
        or spot.db.owner(items[0].file) is not spot.db
        or any(each.code[1] == "E" for each in tree.problems)
    ):
        return None
    found = replace(spot, item=items[0], tree=tree, base=0, start=0, end=0)
    return found if _plain(found, symbol) and not _in_standpoint(spot, found) else None


def _plain(clause: Spot, symbol: ToSymbol) -> bool:
    """A rule without attributes, that neither reads itself nor holds what cannot be moved."""
    root = clause.clause
    if not isinstance(root, nodes.DeriveDecl) or root.attributes or root.body is None:
        return False
    reads = [each for each in clause.occurrences if each.meaning == symbol and not each.declares]
    return not reads and not any(isinstance(each, _KEPT_OUT) for each in root.descendants())


def _in_standpoint(spot: Spot, clause: Spot) -> bool:
    """Whether either stands in a standpoint that is not the other's."""
    modules = {spot.module, clause.module}
    kinds = {each.kind for module in modules if module is not None for each in spot.db.symbols_at(module)}
    return None in modules or (len(modules) > 1 and "standpoint" in kinds)


# -- what stands for what ----------------------------------------------------------------------------------------------


def _text(made: _Inlined) -> str:
    _require_same_names(made)
    _give_locals(made)
    _give_columns(made)
    return ", ".join([*(_atom(made, each) for each in made.clause.clause_atoms), *made.more])


def _require_same_names(made: _Inlined) -> None:
    """Every path of the clause leads to the same thing from here. Raises _Impossible."""
    here, there = made.spot.module or "", made.clause.module or ""
    shadowed = {each.name for each in made.spot.bindings.values()}
    for path in made.clause.tree.root.descendants():
        if not isinstance(path, nodes.Path) or local_of(made.clause, path) is not None:
            continue
        written = names(path)
        if not written or (len(written) == 1 and written[0] in shadowed):
            raise _Impossible
        scopes = made.spot.db.scope(here), made.spot.db.scope(there)
        if here != there and scopes[0].lookup(written) != scopes[1].lookup(written):
            raise _Impossible


def _give_locals(made: _Inlined) -> None:
    """Locals of the clause keep their names unless one is taken here."""
    taken = {each.name for each in made.spot.bindings.values()} | _written(made.spot)
    for each in made.clause.bindings.values():
        if each.kind != "param":
            made.words[each.id] = fresh_name(each.name, taken)
            taken.add(made.words[each.id])


def _written(spot: Spot) -> set[str]:
    return {names(each)[0] for each in spot.tree.root.descendants() if isinstance(each, nodes.Path) and names(each)}


def _give_columns(made: _Inlined) -> None:
    """The columns of the head stand for the arguments of the call; types and values in the head become atoms."""
    root = made.clause.clause
    head = root.head.params if isinstance(root, nodes.DeriveDecl) and root.head is not None else []
    given = made.call.args.args if made.call.args is not None else []
    for column, argument in zip(head, given, strict=True):
        word = made.spot.text(argument)
        if not isinstance(argument, nodes.Path | nodes.Literal | nodes.Wildcard):
            raise _Impossible
        if isinstance(column, nodes.HeadVar):
            _give(made, column, argument, word)
        elif not isinstance(argument, nodes.Wildcard):
            made.more.append(f"{word} == {made.clause.text(column)}")


def _give(made: _Inlined, column: nodes.HeadVar, argument: View, word: str) -> None:
    binding = next(
        (each for each in made.clause.bindings.values() if column.name and each.start == column.name.start), None
    )
    if binding is None or binding.id in made.words:
        raise _Impossible
    uses = _uses(made.clause, binding.id)
    if isinstance(argument, nodes.Wildcard):
        typed = column.type is not None
        if len(uses) > 1 or (typed and uses) or not all(_is_argument(made.clause, each) for each in uses):
            word = fresh_name(binding.name, {*_written(made.spot), *made.words.values()})
            made.invented.add(binding.id)
            if len(uses) + typed < 2:
                raise _Impossible
    made.words[binding.id] = word
    if column.type is not None and word != "_":
        made.more.append(f"{word}: {made.clause.text(column.type)}")


def _uses(clause: Spot, local: int) -> list[Occurrence]:
    return [each for each in clause.occurrences if each.meaning == ToBinding(local) and not each.declares]


def _is_argument(clause: Spot, found: Occurrence) -> bool:
    """Whether a local stands as a whole argument of an outermost atom, where `_` may stand too."""
    listed = [
        arg for each in clause.clause_atoms if isinstance(each, nodes.Call) and each.args for arg in each.args.args
    ]
    return any((each.start, each.end) == (found.start, found.end) for each in listed)


def _atom(made: _Inlined, atom: View) -> str:
    """One atom of the clause in the words of the other; a column that it binds may be bound there already."""
    low, source, text = atom.start, made.clause.tree.text, ""
    for (start, end), word in sorted(_names_in(made, atom).items()):
        text += source[low:start] + word
        low = end
    text += source[low : atom.end]
    if isinstance(atom, nodes.BindAtom) and _bound_here(made, atom):
        first, _, rest = text.partition("=")
        return f"{first}=={rest}"
    return text


def _names_in(made: _Inlined, atom: View) -> dict[tuple[int, int], str]:
    """Where the locals of an atom stand, and what stands for each there."""
    return {
        (each.start, each.end): made.words[each.meaning.id]
        for each in made.clause.occurrences
        if isinstance(each.meaning, ToBinding) and atom.start <= each.start < atom.end
    }


def _bound_here(made: _Inlined, atom: nodes.BindAtom) -> bool:
    """Whether the target of a binding is a column whose argument is a value, or is bound by other atoms here."""
    local = local_of(made.clause, atom.target)
    column = made.clause.bindings.get(local) if local is not None else None
    if column is None or column.kind != "param" or column.id in made.invented:
        return False
    known = {each.name: each.id for each in made.spot.bindings.values() if each.scope == -1}
    word = made.words[column.id]
    if word not in known:
        return True
    earlier = [each for each in made.spot.clause_atoms if each.end <= made.call.start]
    return known[word] in binders(made.spot, earlier)
