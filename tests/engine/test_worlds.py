"""Worlds with everything at once: what each view says of each row is what the semantics says, word by word."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from argon_lang.engine.executors import Choice, forced
from argon_lang.runtime.service import At
from tests.engine.worlds import HEADS, Wide, every_view, wide_worlds
from tests.runtime.worlds import World

SCALE = {"ci": 30, "long": 400}


def said(world: World, view: str | None) -> dict[tuple[str, tuple[str, ...]], str]:
    """The truth value of each row of the open concept and of the derived predicates, as a service tells it."""
    found = {}
    for key in ("K", "reach", *HEADS):
        for row in world.service.derive(key, At(standpoint=view), truth4=True).rows:
            found[key, tuple(value["label"] for value in row.values)] = str(row.truth4)
    return found


def check(wide: Wide) -> None:
    source = wide.text()
    choices: tuple[Choice, ...] = ("rows", "columns")
    for choice in choices:
        with forced(choice):
            world = World(source)
            for view in every_view():
                assert said(world, view) == wide.truths(view), (choice, view, source)


@settings(max_examples=SCALE["ci"], deadline=None, derandomize=True, database=None)
@given(wide_worlds())
def test_every_view_of_a_random_world_says_what_the_definitions_say(wide: Wide) -> None:
    check(wide)


@pytest.mark.long
@settings(max_examples=SCALE["long"], deadline=None, derandomize=True, database=None)
@given(wide_worlds())
def test_every_view_of_four_hundred_random_worlds_says_what_the_definitions_say(wide: Wide) -> None:
    check(wide)
