"""Mutated artifacts of the examples: each is refused by one code, or is a whole artifact to its last byte.

Half are cut, overwritten, spliced at random. Of the other half the content of a section was changed and every hash put
right, as whoever means harm would: what still passes is a module that encodes to the very same sections.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from argon_lang.artifact import layout
from argon_lang.artifact.decode import decode, stamp
from argon_lang.artifact.encode import encode
from argon_lang.errors import ArgonError
from argon_lang.ir.codec import from_cbor, to_cbor
from argon_lang.queries.snippet import module_of
from tests.artifact.test_damage import CODES
from tests.support.cli import ROOT

Dice = random.Random
REFUSED = CODES | {"OE1211"}
EMPTY = b"\x80"
EXAMPLES = ("hello", "lease", "access", "tax", "ledger")


@cache
def artifact(name: str) -> bytes:
    """The artifact of an example."""
    folder = ROOT / "examples" / name
    texts = {path.name: path.read_text("utf-8") for path in [*folder.glob("*.ar"), folder / "ox.toml"]}
    module = module_of(texts)
    assert module is not None
    return encode(module, "d" * 64)


# -- at the bytes -----------------------------------------------------------------------------------------------------


def flipped(data: bytearray, dice: Dice) -> None:
    for _ in range(dice.choice([1, 1, 2, 30])):
        data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)


def cut(data: bytearray, dice: Dice) -> None:
    del data[dice.randrange(len(data)) :]


def without(data: bytearray, dice: Dice) -> None:
    at = dice.randrange(len(data))
    del data[at : at + dice.choice([1, 4, 100, 5000])]


def blotted(data: bytearray, dice: Dice) -> None:
    at, length = dice.randrange(len(data)), dice.choice([1, 8, 512, 4096])
    data[at : at + length] = dice.choice([bytes(length), b"\xff" * length, dice.randbytes(length)])


def longer(data: bytearray, dice: Dice) -> None:
    at = dice.choice([dice.randrange(len(data)), len(data)])
    data[at:at] = dice.randbytes(dice.choice([1, 16, 3000]))


def spliced(data: bytearray, dice: Dice) -> None:
    other = artifact(dice.choice(EXAMPLES))
    at, source, length = dice.randrange(len(data)), dice.randrange(len(other)), dice.choice([32, 512, 20_000])
    data[at : at + length] = other[source : source + length]


def shuffled(data: bytearray, dice: Dice) -> None:
    length = dice.choice([4, 64, 1024])
    at, to = dice.randrange(len(data)), dice.randrange(len(data))
    part = data[at : at + length]
    del data[at : at + length]
    data[to:to] = part


BYTES: tuple[Callable[[bytearray, Dice], None], ...] = (flipped, cut, without, blotted, longer, spliced, shuffled)


# -- at the content ---------------------------------------------------------------------------------------------------


def sections(data: bytes) -> dict[str, bytes]:
    return {name: bytes(part) for name, part in layout.unpack(data, "").sections.items()}


def changed(value: Any, dice: Dice) -> Any:
    """The value with something in it changed; lists are walked into as deep as the dice say."""
    if isinstance(value, list) and value and dice.random() < 0.93:
        at = dice.randrange(len(value))
        match dice.choice("iiiiiiiiiiiidrs"):
            case "d":
                return value[:at] + value[at + 1 :]
            case "r":
                return [*value[:at], value[at], *value[at:]]
            case "s":
                return dice.sample(value, len(value))
            case _:
                return [*value[:at], changed(value[at], dice), *value[at + 1 :]]
    return another(value, dice)


def another(value: Any, dice: Dice) -> Any:
    """Another value in its place, often of the same kind."""
    if isinstance(value, bool) or value is None or dice.random() < 0.3:
        return dice.choice([None, True, False, 0, -1, 2**64 - 1, "", "pkg::Nothing", b"\0", [], [0], [[]], 1.5])
    if isinstance(value, int):
        return dice.choice([value + 1, value - 1, -value, 0, 2**40, dice.randrange(60)])
    if isinstance(value, str):
        return dice.choice([value + "x", value[:-1], value.upper(), "", "default", value.rsplit("::", 1)[0]])
    return [value]


def forged(data: bytes, dice: Dice) -> bytes:
    """One section's content changed, or a whole section gone or taken from another artifact; all hashes right."""
    parts = sections(data)
    name = dice.choice(list(parts))
    match dice.choice("ccccccccdo"):
        case "d":
            del parts[name]
        case "o":
            parts[name] = sections(artifact(dice.choice(EXAMPLES))).get(name, EMPTY)
        case _:
            content = from_cbor(parts[name])
            for _ in range(dice.choice([1, 1, 1, 2, 5])):
                content = changed(content, dice)
            parts[name] = to_cbor(content)
    return layout.pack(parts, "d" * 64)


# -- what becomes of them ---------------------------------------------------------------------------------------------


def outcome(data: bytes) -> str:
    """The code of the refusal, or `whole`; anything else than a refusal is a failure of the test."""
    try:
        stamp(data)
        loaded = decode(data, "target/p.oxbin")
        whole = loaded.whole
    except ArgonError as error:
        return error.code
    there = {name: part for name, part in sections(data).items() if part != EMPTY}
    assert sections(encode(whole, loaded.inputs_digest)) == there, "part of it was not loaded"
    return "whole"


def outcomes(count: int) -> Counter[str]:
    """What becomes of so many mutated artifacts, half of each kind."""
    dice, found = random.Random(20261201), Counter[str]()
    for number in range(count):
        data = artifact(EXAMPLES[number % len(EXAMPLES)])
        if number % 2:
            mutant = forged(data, dice)
        else:
            damaged = bytearray(data)
            dice.choice(BYTES)(damaged, dice)
            mutant = bytes(damaged)
            assert mutant == data or outcome(mutant) != "whole"
        found[outcome(mutant)] += 1
    assert found.keys() <= {*REFUSED, "whole"}
    return found


def test_a_mutated_artifact_is_refused_by_one_code_or_whole() -> None:
    assert {"OE1203", "OE1210", "OE1216", "whole"} <= outcomes(160).keys()


@pytest.mark.long
def test_ten_thousand_mutated_artifacts_are_refused_by_one_code_or_whole() -> None:
    found = outcomes(10_000)
    print(dict(found))
    assert REFUSED >= found.keys() - {"whole"} >= {"OE1202", "OE1203", "OE1210", "OE1214", "OE1216"}
