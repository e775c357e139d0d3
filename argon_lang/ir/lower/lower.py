"""The whole program, lowered: what `argon build` stores and every engine runs."""

from __future__ import annotations

from dataclasses import replace

from argon_lang.ir.lower.link import Linked, link, ordered
from argon_lang.ir.lower.source_map import source_map
from argon_lang.ir.lower.tiers import tier_table
from argon_lang.ir.module import Module
from argon_lang.program.view import ProgramView


def lower(view: ProgramView) -> Module:
    """The module of a program that passed the gates; items in error are left out. Depends on nothing but the view."""
    return complete(view, link(view))


def complete(view: ProgramView, linked: Linked) -> Module:
    """The linked module in canonical order, with its tier table and source map."""
    module = ordered(linked.module)
    return replace(module, tiers=tier_table(module), source=source_map(view, linked))
