"""The doc comments of declarations."""

from __future__ import annotations

from argon_lang.problems import ItemId
from argon_lang.program.declare import member_kind
from argon_lang.program.infer.traits import trait_of
from argon_lang.program.model import Symbol
from argon_lang.program.paths import name_of
from argon_lang.queries import program
from argon_lang.queries.database import Database
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View


def docs_of(db: Database, symbol: Symbol) -> str:
    """The `///` lines of a symbol; for a predicate those of its first clause that has some. Markdown.

    A module's are the `//!` lines at the beginning of its file, or those before its `mod`.
    """
    if symbol.kind == "module" and (text := _module_docs(db, symbol.path)):
        return text
    if trait_of(symbol) is not None:
        return next((text for item in symbol.items if (text := _asked_docs(db, item, symbol))), "")
    return next((text for item in symbol.items if (text := item_docs(db, item))), "")


def _asked_docs(db: Database, item: ItemId, symbol: Symbol) -> str:
    """The docs of a member in its trait."""
    tree = db.tree(item)
    root = tree.root if tree is not None else None
    for each in root.members.members if isinstance(root, nodes.TraitDecl) and root.members is not None else ():
        if name_of(each.name) == symbol.name and member_kind(each) == (symbol.kind, symbol.arity):
            return view_docs(each)
    return ""


def _module_docs(db: Database, path: str) -> str:
    owner = db.base if db.base is not None and program.is_std(path) else db
    module = owner.ask(program.modules, None).modules.get(path)
    document = owner.documents().get(module.file) if module is not None and not module.inner else None
    return "\n".join(document.module_docs).strip() if document is not None else ""


def item_docs(db: Database, item: ItemId) -> str:
    """The `///` lines before an item."""
    tree = db.tree(item)
    return "" if tree is None else view_docs(tree.root)


def view_docs(view: View) -> str:
    """The `///` lines before a node."""
    return "\n".join(view.docs).strip()
