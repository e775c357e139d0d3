"""The doc comments of declarations."""

from __future__ import annotations

from argon_lang.problems import ItemId
from argon_lang.program.model import Symbol
from argon_lang.queries import program
from argon_lang.queries.database import Database
from argon_lang.syntax.tree import View


def docs_of(db: Database, symbol: Symbol) -> str:
    """The `///` lines of a symbol; for a predicate those of its first clause that has some. Markdown.

    A module's are the `//!` lines at the beginning of its file, or those before its `mod`.
    """
    if symbol.kind == "module" and (text := _module_docs(db, symbol.path)):
        return text
    return next((text for item in symbol.items if (text := item_docs(db, item))), "")


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
