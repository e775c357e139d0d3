"""Nothing that a source can hold makes the front end raise or hang: gates, words, layout, an editor's questions."""

from __future__ import annotations

import random
import time

import pytest

from argon_lang.syntax.token_table import TOKENS
from tests.queries.front_end import asked, checked, survives
from tests.queries.test_random_edits import EXAMPLES, SOURCES
from tests.support.markers import files_of

TEXTS = [text for path in SOURCES for file, text in files_of(path).items() if file.endswith(".ar")]
SPELLINGS = [spelling for kind in TOKENS for spelling in kind.spellings]
WORDS = ("x", "y", "Person", "p", "1", "2.5", '"s"', "#2026-01-31#", "_", "// c\n", "/* c */", "\n", "\n\n", "    ")
ODD = (
    "\0", "\u202e", "\u2066", "\ufeff", "\ufffd", "\u2028", "\r", "\r\n", "\x0b", "\x1b[31m", "é", "ﬁ", "𝔘", "\u0301",
    "\u200d", "а", "🜁", "\x7f", "\u0085",
)  # fmt: skip
"""NUL, bidi controls, marks of byte order, separators, escapes, combining and astral characters, look-alikes."""


def random_bytes(chance: random.Random) -> bytes:
    return chance.randbytes(chance.randrange(400))


def random_tokens(chance: random.Random) -> bytes:
    return " ".join(chance.choices((*SPELLINGS, *WORDS), k=chance.randrange(1, 120))).encode()


def edited(chance: random.Random) -> bytes:
    text = chance.choice(TEXTS)
    for _ in range(chance.randrange(1, 8)):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.choice((0, 0, 1, 3, 40)))
        new = chance.choice((*SPELLINGS, *WORDS, *ODD, "", chance.choice(TEXTS)[:200]))
        text = text[:start] + new + text[end:]
    return text.encode()


def truncated(chance: random.Random) -> bytes:
    text = chance.choice(TEXTS).encode()
    start = chance.choice((0, 0, chance.randrange(len(text))))
    return text[start : start + chance.randrange(1, len(text) + 1)]


def odd_characters(chance: random.Random) -> bytes:
    pieces = chance.choice(TEXTS).split(" ")
    for _ in range(chance.randrange(1, 12)):
        pieces.insert(chance.randrange(len(pieces) + 1), chance.choice(ODD))
    return chance.choice(("", "\ufeff")).encode() + chance.choice((" ", "")).join(pieces).encode()


def mixed_line_ends(chance: random.Random) -> bytes:
    lines = chance.choice(TEXTS).split("\n")
    return "".join(line + chance.choice(("\n", "\r\n", "\r", "\n\r", "\u2028")) for line in lines).encode()


def broken_utf8(chance: random.Random) -> bytes:
    data = bytearray(chance.choice(TEXTS).encode())
    for _ in range(chance.randrange(1, 6)):
        data[chance.randrange(len(data))] = chance.choice((0xFF, 0xC0, 0x80, 0xED, 0xF8, 0x00))
    return bytes(data)


KINDS = (random_bytes, random_tokens, edited, truncated, odd_characters, mixed_line_ends, broken_utf8)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_no_input_makes_the_front_end_raise(kind: object) -> None:
    tried(kind, range(25))


@pytest.mark.long
@pytest.mark.parametrize("part", range(20))
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_no_input_of_many_makes_the_front_end_raise(kind: object, part: int) -> None:
    tried(kind, range(1_000 + part * 100, 1_100 + part * 100))


def tried(kind: object, seeds: range) -> None:
    """Inputs of one kind, by seed; a failure names the seed and the input."""
    assert callable(kind)
    for seed in seeds:
        chance = random.Random(seed)
        data = kind(chance)
        try:
            survives(data, chance)
        except Exception as error:
            raise AssertionError(f"{kind.__name__} {seed}: {data!r}") from error


def test_a_lone_surrogate_that_only_an_editor_can_send_is_a_wrong_character() -> None:
    asked('type A;\nfn f() -> String = "\ud800";\nfn g\udc00() -> Int = 1;\n', random.Random(1), 20)


DEEP = {
    "sums": "fn f() -> Int = " + " + ".join(["1"] * 4_000) + ";",
    "fields": "type A { a: A }\nfn f(x: A) -> A = x" + ".a" * 4_000 + ";",
    "optionals": "type A { a: Int" + "?" * 4_000 + " }",
    "indexes": "fn f(x: [Int]) -> Int = x" + "[0]" * 4_000 + ";",
    "paths": "use " + "::".join(["a"] * 4_000) + ";",
    "alternatives": "fn f(n: Int) -> Int = match n { " + " | ".join(map(str, range(2_000))) + " => 1, _ => 2 };",
    "conditions": "type A;\nderive p(x) :- " + ", ".join(["A(x)"] * 1_000) + ";",
    "supertypes": "type A0;\n" + "\n".join(f"type A{n + 1} <: A{n};" for n in range(300)),
    "supertypes in a circle": "\n".join(f"type A{n} <: A{(n + 1) % 300};" for n in range(300)),
    "rules": "type A;\n"
    + "\n".join(f"derive p{n}(x) :- p{n + 1}(x);" for n in range(500))
    + "\nderive p500(x) :- A(x);",
    "functions": "\n".join(f"fn f{n}() -> Int = f{n + 1}();" for n in range(1_000)) + "\nfn f1000() -> Int = 1;",
    "modules": "mod m {\n" * 800 + "type A;\n" + "}\n" * 800,
    "imports": "mod m0 { pub type A; }\n"
    + "\n".join(f"mod m{n + 1} {{ pub use super::m{n}::A; }}" for n in range(200)),
    "blocks": 'test "t" {' + "if true {" * 4_000,
    "unclosed": "type A {\n" * 1_000,
    "quotes": "'" * 5_000 + "\n" + '"' * 5_001,
    "signs": "\\+" * 3_000 + "@x" * 3_000 + "&mut" * 3_000,
    "hashes": "# \n#x\n#[\n" * 1_000,
}


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP.keys())
def test_depth_of_any_kind_is_bounded(text: str) -> None:
    begin = time.process_time()
    survives(text.encode(), random.Random(1), 1)
    assert time.process_time() - begin < 30


@pytest.mark.long
def test_five_megabytes_are_answered_whatever_they_hold() -> None:
    chance, lease = random.Random(5), (EXAMPLES / "lease" / "root.ar").read_text("utf-8")
    whole = 5_000_000
    for text in (
        "(" * whole,
        "type A {\n" * (whole // 90),
        '"' + "x" * whole,
        "/* " + "x " * (whole // 2),
        "# " + "x" * whole,
        "".join(chance.choices(SPELLINGS, k=whole // 4)),
    ):
        begin = time.process_time()
        assert checked(text[:whole].encode())
        assert time.process_time() - begin < 240, text[:20]
    assert checked((lease * (whole // 10 // len(lease)))[:-20].encode())
