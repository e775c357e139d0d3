"""Check again after an edit in a new process: what was found clean and rests on nothing that changed is not looked at.

Kept on disk is the last state of a package in which nothing was in error: its texts, and which items had a remark all
the same. A later check of the same package finds the items that changed since, and by `queries.reach` those that they
may concern; these, with what they rest on, are checked as ever, and the rest is known to be clean. No types are
kept: those of an item are worth nothing without those of all that it names, and few items are needed.

The state is taken only when everything about it fits, and a check of the whole package is always right instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import cbor2

from argon_lang.problems import Diagnostic, ItemId
from argon_lang.program.modules import Shape
from argon_lang.program.paths import names
from argon_lang.queries.collector import paused
from argon_lang.queries.database import Database
from argon_lang.queries.reach import STRUCTURAL, Graph, Reach
from argon_lang.session.checked import Checked, texts_of
from argon_lang.session.compiler import database_of, diagnostics_of
from argon_lang.session.shares import checked_in_shares
from argon_lang.session.states import State, state_key
from argon_lang.session.trees import Trees
from argon_lang.syntax import kinds as K
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import Item, warm
from argon_lang.workspace.cache import Cache
from argon_lang.workspace.dependencies import Packages
from argon_lang.workspace.sources import Inputs

MOST_SHARE = 0.6
"""Of the items: where a change concerns more than that, the whole package is checked."""


def check_since(
    inputs: Inputs, cache: Cache, packages: Packages, state: State | None, trees: Trees
) -> tuple[Checked, Callable[[], None]]:
    """Everything that the gates say of the inputs, and how to keep their state. `state` is the last one."""
    with paused(), warm():
        _, database = database_of(inputs, trees, once=True)
        part = concerned_part(state, database, trees=trees) if state is not None else None
        database.narrow(part)
        shared = checked_in_shares(database) if part is None else None
        found = Checked(diagnostics_of(packages, database, known=shared), texts_of(inputs), inputs.digest)

    def keep() -> None:
        if not packages.dependencies:
            keep_state(cache, state_key(inputs, packages), database, shared)

    return found, keep


def keep_state(cache: Cache, key: str, database: Database, known: tuple[Diagnostic, ...] | None = None) -> None:
    """Keep the state of a package, if nothing in it is in error. `known` are its diagnostics, where they are known."""
    remarked = remarked_in(database, known)
    if remarked is None:
        return
    texts = sorted((file, database.text(file) or "") for file in database.files())
    try:
        cache.put(key, cbor2.dumps([[list(each) for each in texts], [list(each) for each in remarked]]))
    except (ValueError, cbor2.CBORError):
        return


def remarked_in(database: Database, known: tuple[Diagnostic, ...] | None = None) -> tuple[ItemId, ...] | None:
    """The items that something is said of; None when anything is in error."""
    found = database.diagnostics() if known is None else known
    if any(each.code[1:2] == "E" for each in found):
        return None
    places = sorted({(each.location.file, each.location.start) for each in found})
    items = (database.item_at(file, start) for file, start in places)
    return tuple(sorted({each[0] for each in items if each is not None}))


def concerned_part(
    state: State, database: Database, share: float = MOST_SHARE, trees: Trees | None = None
) -> frozenset[ItemId] | None:
    """The items to look at since a state, with all that they rest on; None when the whole package is to be checked."""
    files = database.files()
    if files != state.texts.keys():
        return None
    changed = sorted(file for file in files if state.texts[file] != database.text(file))
    earlier = Database(database.package)
    for file in changed:
        text = state.texts[file]
        earlier.set_file(file, text, parsed=trees.parsed(file, text) if trees is not None else None)
    if any(_structure(earlier, file) != _structure(database, file) for file in changed) or _is_beyond(database):
        return None
    now = {item: reach for file in sorted(files) for item, reach in database.reaches(file).items()}
    before = {item: reach for file in changed for item, reach in earlier.reaches(file).items()}
    listed = dict.fromkeys((*(item for item in now if item.file in set(changed)), *before))
    seeds = [item for item in listed if _text(earlier, item) != _text(database, item)]
    old = {item: before[item] for item in seeds if item in before}
    graph = Graph(now, old)
    words = [each.get(item, _NOTHING).words for item in seeds for each in (old, now)]
    imports = {item for item in now if _kind(database, item) == K.N_USE_DECL}
    unused = _around(database, changed, graph.declaring(frozenset[str]().union(*words)) | imports)
    concerned = graph.concerned(seeds).union(state.remarked, unused, _globs(database)) & now.keys()
    part = graph.needed(concerned) & (now.keys() - (imports - concerned))
    return None if len(part) > share * len(now) else part


_BEYOND = frozenset((K.N_STANDPOINT_DECL, K.N_TRAIT_DECL, K.N_IMPL_DECL))
"""Items that give others a meaning where they are not named."""
_NOTHING = Reach(frozenset(), frozenset(), gives=False)


def _kind(database: Database, item: ItemId) -> int:
    tree = database.tree(item)
    return -1 if tree is None else tree.kind


def _text(database: Database, item: ItemId) -> str | None:
    tree = database.tree(item)
    return None if tree is None else tree.text


def _structure(database: Database, file: str) -> list[tuple[int, str]]:
    """The items that say where the others of a file stand."""
    trees = (database.tree(item) for item in database.items(file))
    return [(tree.kind, tree.text) for tree in trees if tree is not None and tree.kind in STRUCTURAL]


def _around(database: Database, files: list[str], items: Iterable[ItemId]) -> set[ItemId]:
    """Those of some items whose modules are around or inside these files: whether they are used, the files decide."""
    heads = {database.module_of(item) for file in files for item in database.items(file)[:1]}
    placed = ((item, database.module_of(item)) for item in items)
    return {item for item, at in placed if any(_nested(head or "", at or "") for head in heads)}


def _nested(left: str, right: str) -> bool:
    return f"{left}::".startswith(f"{right}::") or f"{right}::".startswith(f"{left}::")


def _globs(database: Database) -> list[ItemId]:
    """The imports that bring names which they do not write: whether one is used, any item may decide."""
    shapes = (shape for file in database.files() for shape in database.shapes(file))
    return [shape.id for shape in shapes if any(leaf.name is None for leaf in shape.declared.imports)]


def _is_beyond(database: Database) -> bool:
    """Is there something in the package that may concern items without any name between them?

    Individuals that only tuples name are compared with all others for slips (OW0108).
    """
    shapes = [shape for file in database.files() for shape in database.shapes(file)]
    trees = (database.tree(shape.id) for shape in shapes)
    if any(tree is not None and tree.kind in _BEYOND for tree in trees):
        return True
    concepts = {name for shape in shapes if shape.declared.kind == "concept" for name in _names(shape)}
    classified, named = set[str](), set[str]()
    for shape in shapes:
        if shape.declared.individuals:
            (classified if _classifies(database.tree(shape.id), concepts) else named).update(shape.declared.individuals)
    return not named <= classified


def _names(shape: Shape) -> tuple[str, ...]:
    return (shape.declared.name or "", *shape.declared.members)


def _classifies(tree: Item | None, concepts: set[str]) -> bool:
    """Does a fact put an individual into a concept?"""
    root = tree.root if tree is not None else None
    if not isinstance(root, nodes.FactDecl) or root.predicate is None or root.args is None:
        return False
    return len(root.args.args) == 1 and names(root.predicate)[-1:] != () and names(root.predicate)[-1] in concepts
