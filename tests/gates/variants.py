"""Programs put together from alternatives, one of each row: what a walk of edits is made of."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from argon_lang.queries.snippet import database_of

Variants = tuple[tuple[str, ...], ...]
Choice = tuple[int, ...]


def choices_of(variants: Variants) -> SearchStrategy[Choice]:
    """Which alternative of each row a program takes."""
    return st.tuples(*(st.sampled_from(range(len(each))) for each in variants))


def text_of(variants: Variants, choice: Choice) -> str:
    """The program of a choice."""
    return "\n".join(row[number] for row, number in zip(variants, choice, strict=True))


def assert_edits_change_no_answer(variants: Variants, choices: list[Choice]) -> None:
    """After each edit from one program to the next, diagnostics and lowered module are those of a cold check."""
    db = database_of({"root.ar": text_of(variants, choices[0])})
    for choice in choices:
        text = text_of(variants, choice)
        db.set_files({"root.ar": text})
        cold = database_of({"root.ar": text})
        assert db.diagnostics() == cold.diagnostics()
        assert db.module() == cold.module()


def assert_lowers_when_free_of_errors(variants: Variants, choice: Choice) -> None:
    """A program has a lowered module exactly when no error stands."""
    db = database_of({"root.ar": text_of(variants, choice)})
    sound = not any(each.severity == "error" for each in db.diagnostics())
    assert (db.module() is not None) == sound
