"""Problems of `use`, `mod` and duplicate names: found for a whole package, told at each item (language.md §2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from posixpath import dirname

from argon_lang.problems import Edit, Fix, Note, Problem, Related, args
from argon_lang.program.declare import use_leaves
from argon_lang.program.findings import a_kind, declared_at, kind_word, prefix_uses, unresolved
from argon_lang.program.model import Symbol, ToSymbol, Use
from argon_lang.program.modules import ModuleFault
from argon_lang.program.paths import Segment, segments
from argon_lang.program.scopes import Clash, Imported
from argon_lang.program.spelling import near
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import Item, View


def leaf_segments(root: nodes.UseDecl, leaf: int) -> tuple[Segment, ...]:
    """The whole path of one leaf with spans: that of the `use`, then that of the leaf."""
    prefix = segments(root.path) if root.path else ()
    if root.leaves is None:
        return prefix
    own = root.leaves.leaves[leaf].path
    tail = segments(own) if own else ()
    return prefix if [each.name for each in tail] == ["self"] else (*prefix, *tail)


def leaf_span(root: nodes.UseDecl, leaf: int) -> tuple[int, int]:
    """The text that imports one thing: a leaf in braces, else the whole `use`."""
    part: View = root if root.leaves is None else root.leaves.leaves[leaf]
    return part.start, part.end


def use_problems(
    item: Item, imports: Mapping[int, Imported], declared: Mapping[str, tuple[Symbol, ...]]
) -> list[Problem]:
    """OE0101, OE0102, OE0104, OE0106 and OE0201 of a `use`. `declared`: the symbols of private items, by path."""
    root = item.root
    found: list[Problem] = []
    if not isinstance(root, nodes.UseDecl):
        return found
    for leaf in use_leaves(root):
        result, path = imports.get(leaf.leaf), leaf_segments(root, leaf.leaf)
        if result is None or not path or result.lookup.primitive is not None:
            continue
        if result.cycle:
            found.append(_reexport_cycle(result, path[-1]))
        elif result.lookup.code is not None and not result.silent:
            private = declared.get(result.lookup.candidates[0], ()) if result.lookup.candidates else ()
            found.append(unresolved(result.lookup, path, "item", private))
        elif leaf.name is None and result.lookup.symbols[:1] and result.lookup.symbols[0].kind not in _OPEN:
            values = args(name=path[-1].name, found=a_kind(result.lookup.symbols[0]), expected="a module")
            found.append(Problem("OE0201", path[-1].start, path[-1].end, values))
    return found


_OPEN = ("module", "standpoint", "unsupported")


def use_uses(item: Item, imports: Mapping[int, Imported]) -> tuple[Use, ...]:
    """What the leaves of a `use` mean, at their last segments; and the modules on the way."""
    root = item.root
    if not isinstance(root, nodes.UseDecl):
        return ()
    found: dict[tuple[int, int], Use] = {}
    for leaf in use_leaves(root):
        result, path = imports.get(leaf.leaf), leaf_segments(root, leaf.leaf)
        if result is not None and path and result.lookup.symbols:
            symbol = result.lookup.symbols[0]
            arity = symbol.arity if symbol.kind == "predicate" else None
            meaning = ToSymbol(symbol.kind, symbol.path, arity)
            found[path[-1].start, path[-1].end] = Use(path[-1].start, path[-1].end, meaning)
            for use in prefix_uses(path, symbol):
                found.setdefault((use.start, use.end), use)
    return tuple(sorted(found.values(), key=lambda use: use.start))


def _reexport_cycle(result: Imported, last: Segment) -> Problem:
    values = args(name=last.name, cycle=" → ".join(result.cycle))
    return Problem("OE0106", last.start, last.end, values, (), (Note("declare", args(name=last.name)),))


def unused_imports(item: Item, unused: Iterable[int]) -> list[Problem]:
    """OW0105 for the leaves with these numbers."""
    root = item.root
    if not isinstance(root, nodes.UseDecl):
        return []
    leaves, numbers = use_leaves(root), set(unused)
    every = len(numbers) == len(leaves)
    found = []
    for leaf in leaves:
        if leaf.leaf in numbers:
            start, end = _bound_span(root, leaf.leaf)
            name = leaf.name if leaf.name is not None else "::".join((*leaf.segments, "*"))
            edit = _whole(root) if every else _leaf_edit(root, leaf.leaf)
            fix = Fix("remove", (edit,), args(name=name))
            found.append(Problem("OW0105", start, end, args(name=name), fixes=(fix,)))
    return found


def _bound_span(root: nodes.UseDecl, leaf: int) -> tuple[int, int]:
    """The name that a leaf brings; of a glob, the whole path with its star."""
    part: nodes.UseDecl | nodes.UseLeaf = root if root.leaves is None else root.leaves.leaves[leaf]
    if part.alias is not None and part.alias.name is not None:
        return part.alias.name.start, part.alias.name.end
    path = leaf_segments(root, leaf)
    if not path or root.glob:
        return root.path.start if root.path else root.start, root.end - root.text.endswith(";")
    return path[-1].start, path[-1].end


def _whole(root: nodes.UseDecl) -> Edit:
    text, end = root.item.text, root.end
    while end < len(text) and text[end] in " \t":
        end += 1
    return Edit(root.start, end + 1 if text.startswith("\n", end) else end, "")


def _leaf_edit(root: nodes.UseDecl, leaf: int) -> Edit:
    """Remove a leaf with the comma that parts it from its neighbour."""
    leaves = root.leaves.leaves if root.leaves else []
    if leaf + 1 < len(leaves):
        return Edit(leaves[leaf].start, leaves[leaf + 1].start, "")
    start = leaves[leaf - 1].end if leaf else leaves[leaf].start
    return Edit(start, leaves[leaf].end, "")


def module_problem(item: Item, fault: ModuleFault, files: Iterable[str]) -> Problem:
    """OE0103: no file, or a file that is open already. `files` are those of the package."""
    root = item.root
    name = root.name if isinstance(root, nodes.ModDecl) else None
    start, end = (name.start, name.end) if name is not None else (root.start, root.end)
    if fault.cycle:
        notes = [Note("cycle", args(name=fault.name, cycle=" → ".join(fault.cycle)))]
        return Problem("OE0103", start, end, args(name=fault.name), (), tuple(notes), (_drop(root),))
    notes = [Note("looked", args(candidates=" and ".join(f"`{each}`" for each in fault.looked)))]
    folder = dirname(fault.looked[0])
    beside = {file[:-3].rpartition("/")[2] for file in files if file.endswith(".ar") and dirname(file) == folder}
    fixes = [_drop(root)]
    for close in near(fault.name, beside)[:1]:
        notes.append(Note("suggest", args(suggestion=close)))
        fixes.insert(0, Fix("replace", (Edit(start, end, close),), args(suggestion=close)))
    return Problem("OE0103", start, end, args(name=fault.name), (), tuple(notes), tuple(fixes))


def _drop(root: View) -> Fix:
    return Fix("remove", (Edit(root.start, root.end, ""),), safe=False)


def clash_problem(item: Item, clash: Clash) -> Problem:
    """OE0206 of a second declaration, or OW0210 of a predicate that differs from another in arity alone."""
    start, end = _name_span(item, clash)
    name, module = clash.bound or clash.symbol.name, clash.module or clash.symbol.module
    if clash.hint:
        return _arity_hint(clash, start, end)
    first, word = kind_word(clash.other), kind_word(clash.symbol)
    related = (Related("first", place=declared_at(clash.first), args=args(kind=first)),) if clash.first else ()
    rules = "predicate" in (clash.symbol.kind, clash.other.kind)
    notes = (Note("predicate", args(kind=first, name=name)),) if rules and clash.leaf < 0 else ()
    return Problem("OE0206", start, end, args(kind=word, name=name, of=module), related, notes)


def _arity_hint(clash: Clash, start: int, end: int) -> Problem:
    found, expected = clash.arities
    values = args(name=clash.symbol.name, found=found, expected=expected)
    other = args(name=clash.symbol.name, expected=expected)
    related = (Related("other", place=declared_at(clash.first), args=other),) if clash.first else ()
    return Problem("OW0210", start, end, values, related, (Note("unite"),))


def _name_span(item: Item, clash: Clash) -> tuple[int, int]:
    root = item.root
    if clash.leaf >= 0 and isinstance(root, nodes.UseDecl):
        return leaf_span(root, clash.leaf)
    return name_span(item)


def name_span(item: Item) -> tuple[int, int]:
    """The name that an item declares: its token, the title of a test, what an `impl` is of and for, the first
    argument of a fact; else the item.
    """
    root = item.root
    name = getattr(root, "name", None)
    if isinstance(name, nodes.Name):
        return name.start, name.end
    if isinstance(root, nodes.TestDecl) and root.title is not None:
        return root.title.start, root.title.end
    if isinstance(root, nodes.ImplDecl) and root.trait is not None and root.target is not None:
        return root.trait.start, root.target.end
    if isinstance(root, nodes.FactDecl) and root.args is not None and root.args.args:
        return root.args.args[0].start, root.args.args[0].end
    return root.start, root.end
