"""One mistake, one diagnostic, where it was made: single-token mutations of the examples and of std."""

from __future__ import annotations

from collections import Counter

import pytest

from argon_lang.queries.snippet import database_of
from tests.queries import mutations

EVERY = 41
"""Of so many tokens one, in the run of every day; each package begins elsewhere."""


def holds(found: list[mutations.Outcome]) -> None:
    """Fail, with the kinds that do worst, unless the targets are met."""
    figures = mutations.figures(found)
    assert figures.landing >= mutations.LANDING, mutations.worst(found)
    assert figures.extra <= mutations.EXTRA, mutations.worst(found)


def test_the_first_diagnostic_lands_on_the_damaged_item_and_mostly_stands_alone() -> None:
    tried = enumerate(mutations.packages())
    holds([each for phase, db in tried for each in mutations.outcomes(db, EVERY, phase % EVERY)])


@pytest.mark.long
def test_the_targets_hold_for_every_token() -> None:
    found = [each for db in mutations.packages() for each in mutations.outcomes(db)]
    assert len(found) > 5_000
    holds(found)


def test_every_way_of_damage_is_tried_and_taken_back() -> None:
    text = "type A { x: Int }\nfact A(a);\n"
    db = database_of({"root.ar": text})
    found = list(mutations.outcomes(db))
    assert Counter(each.mutant.way for each in found) == {"delete": 13, "double": 13, "swap": 12}
    assert db.documents()["root.ar"].text == text
    assert all(each.lands for each in found)


def test_an_error_elsewhere_does_not_land() -> None:
    text = "derive b(x) :- A(x);\ntype A;\n"
    found = list(mutations.outcomes(database_of({"root.ar": text})))
    assert any(not each.lands for each in found)
