"""Quick fixes at a span."""

from __future__ import annotations

from argon_lang.ide.fixes import fixes_at
from tests.ide.packages import marked

SOURCE = "pub type Person { }\npub type Dog { owner: $0Persom, friend: $1Persom }"


def test_the_fixes_at_a_place_are_those_of_what_is_wrong_there() -> None:
    package = marked(SOURCE)
    diagnostics = package.db.diagnostics("root.ar")
    for mark in (0, 1):
        _, offset = package.at(mark)
        (offer,) = fixes_at(diagnostics, offset, offset)
        assert offer.preferred
        assert [(package.text(each.location), each.text) for each in offer.fix.edits] == [("Persom", "Person")]


def test_a_range_gathers_the_fixes_of_everything_that_it_touches() -> None:
    package = marked(SOURCE)
    assert len(fixes_at(package.db.diagnostics("root.ar"), 0, 10_000)) == 2
    assert fixes_at(package.db.diagnostics("root.ar"), 0, 3) == []
