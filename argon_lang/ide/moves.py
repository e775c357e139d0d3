"""What a file that gets another name asks of the program: its `mod`, and every path through its module."""

from __future__ import annotations

from argon_lang.errors import ArgonError
from argon_lang.ide.module_files import module_of_file, name_in
from argon_lang.ide.rename import rename_module
from argon_lang.problems import Replacement
from argon_lang.queries.database import Database


def edits_for(db: Database, old: str, new: str) -> tuple[Replacement, ...]:
    """The edits that keep the program as it is when a file is renamed; none where no edits can."""
    module, name = module_of_file(db, old), name_in(old, new)
    if module is None or name is None:
        return ()
    try:
        return rename_module(db, module, name).edits
    except ArgonError:
        return ()
