"""The gates over the whole program (language §6), after names and types: one file per gate, one entry."""

from argon_lang.gates.program import check_program

__all__ = ["check_program"]
