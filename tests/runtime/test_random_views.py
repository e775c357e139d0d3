"""Random facts and denials in random lattices: each view, and the join of views, against sets put together by hand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.runtime.envelopes import Answer
from argon_lang.runtime.service import At
from tests.runtime.worlds import World

NAMES = ("ann", "bob", "cat")
PAIRS = [(a, b) for a in NAMES for b in NAMES]
STANDPOINTS = ("S", "T", "U")
Pair = tuple[str, str]


@dataclass(frozen=True)
class Said:
    """`fact` or `not_fact knows(a, b)` in a layer, None for the default one; `derived`: a denial of `linked`."""

    layer: str | None
    pair: Pair
    against: bool
    derived: bool

    def text(self) -> str:
        """As an item."""
        word = "not_fact" if self.against or self.derived else "fact"
        item = f"{word} {'linked' if self.derived else 'knows'}({', '.join(self.pair)});"
        return item if self.layer is None else f"standpoint {self.layer} {{ {item} }}"


def source(said: Iterable[Said], above: dict[str, tuple[str, ...]]) -> str:
    """The program; `linked` is the closure of `knows`."""
    lines = ["type P;", "rel knows(a: P, b: P);", *(f"fact P({name});" for name in NAMES)]
    lines += [f"standpoint {name}{' <: ' + ', '.join(above[name]) if above[name] else ''};" for name in STANDPOINTS]
    lines += ["derive linked(a: P, b: P) :- knows(a, b);", "derive linked(a: P, b: P) :- knows(a, m), linked(m, b);"]
    lines += ["query everywhere() -> linked across [S, T, U];", "query told() -> knows across [T, U];"]
    return "\n".join([*lines, *dict.fromkeys(each.text() for each in said)]) + "\n"


def closed(pairs: set[Pair]) -> set[Pair]:
    """The transitive closure."""
    found = set(pairs)
    while more := {(a, d) for a, b in found for c, d in found if b == c} - found:
        found |= more
    return found


def layers(view: str | None, above: dict[str, tuple[str, ...]]) -> set[str | None]:
    """The default layer, the view's own and those of all above it."""
    found: set[str | None] = {None}
    todo = [view] if view is not None else []
    while todo:
        name = todo.pop()
        found.add(name)
        todo += above[name]
    return found


def truths(said: set[Said], seen: set[str | None], *, derived: bool) -> dict[Pair, str]:
    """The truth value of each tuple that has one."""
    facts = {each.pair for each in said if each.layer in seen and not each.against and not each.derived}
    held = closed(facts) if derived else facts
    denied = {
        each.pair for each in said if each.layer in seen and each.derived is derived and (derived or each.against)
    }
    words = {(True, True): "Both", (True, False): "Is", (False, True): "Not"}
    return {pair: words[pair in held, pair in denied] for pair in held | denied}


def joined(parts: Iterable[dict[Pair, str]]) -> dict[Pair, str]:
    """What all of them know together."""
    known: dict[Pair, set[str]] = {}
    for part in parts:
        for pair, truth in part.items():
            known.setdefault(pair, set()).update({"Is": "+", "Not": "-", "Both": "+-"}[truth])
    return {pair: {"+": "Is", "-": "Not", "+-": "Both"}["".join(sorted(signs))] for pair, signs in known.items()}


SAYINGS = st.builds(
    Said,
    st.sampled_from([None, *STANDPOINTS]),
    st.sampled_from(PAIRS),
    st.booleans(),
    st.sampled_from([False, False, True]),
)
LATTICES = st.sampled_from(
    [
        {"S": (), "T": (), "U": ()},
        {"S": (), "T": ("S",), "U": ("T",)},
        {"S": (), "T": ("S",), "U": ("S",)},
        {"S": (), "T": (), "U": ("S", "T")},
    ]
)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.sets(SAYINGS, max_size=9), LATTICES)
def test_every_view_and_every_join_of_views_says_what_its_layers_say(
    said: set[Said], above: dict[str, tuple[str, ...]]
) -> None:
    world = World(source(sorted(said, key=repr), above))

    def rows(answer: Answer) -> dict[Pair, str | None]:
        pairs = ((str(row.values[0]["label"]), str(row.values[1]["label"])) for row in answer.rows)
        return dict(zip(pairs, (row.truth4 for row in answer.rows), strict=True))

    for view in (None, *STANDPOINTS):
        seen = layers(view, above)
        for head, derived in (("knows", False), ("linked", True)):
            answer = world.service.derive(head, At(standpoint=view), truth4=True)
            assert rows(answer) == truths(said, seen, derived=derived)
    every = [truths(said, layers(name, above), derived=True) for name in STANDPOINTS]
    assert rows(world.service.query("everywhere")) == joined(every)
    lower = {name for view in ("T", "U") for name in layers(view, above) if name is not None}
    parts = [truths(said, layers(name, above), derived=False) for name in sorted(lower)]
    assert rows(world.service.query("told")) == joined(parts)
