"""A damaged, truncated, foreign or inconsistent file is one clear error: never a traceback, never a partial load."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.artifact import layout
from argon_lang.artifact.decode import decode, stamp
from argon_lang.artifact.encode import encode
from argon_lang.artifact.layout import pack, unpack
from argon_lang.artifact.sections import SHAPES, sections_of
from argon_lang.errors import ArgonError
from argon_lang.ir import codec
from argon_lang.ir import expr as e
from argon_lang.ir import rules as r
from argon_lang.ir.module import Group, Module
from tests.artifact.sample import X, rule, sample

DATA = encode(sample(), "d" * 64)
CODES = {"OE1202", "OE1203", "OE1204", "OE1210", "OE1213", "OE1214", "OE1216"}


def refusal(data: bytes) -> ArgonError:
    with pytest.raises(ArgonError) as caught:
        decode(data, "target/p.oxbin")
    return caught.value


def told(error: ArgonError) -> dict[str, str]:
    return dict(error.args_)


def outcome(data: bytes) -> str:
    """`same` for an equal artifact, else the code of the refusal."""
    try:
        loaded = decode(data)
    except ArgonError as error:
        return error.code
    return "same" if encode(loaded.whole, loaded.inputs_digest) == DATA else "other"


# -- bytes ------------------------------------------------------------------------------------------------------------


def test_a_flip_of_any_byte_is_refused() -> None:
    for at in range(len(DATA)):
        flipped = bytearray(DATA)
        flipped[at] ^= 0x5A
        assert outcome(bytes(flipped)) in CODES, at


def test_a_cut_at_any_byte_is_refused_and_says_how_much_is_missing() -> None:
    for length in range(len(DATA)):
        error = refusal(DATA[:length])
        assert error.code == "OE1216"
        if length >= 8:
            assert told(error)["found"].startswith(f"it ends after {length} of ")


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.binary(min_size=1, max_size=50))
def test_bytes_after_the_end_are_refused(more: bytes) -> None:
    assert told(refusal(DATA + more)) == {"path": "target/p.oxbin", "found": f"{len(more)} bytes after its end"}


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.integers(0, len(DATA)), st.integers(0, 40), st.binary(max_size=40))
def test_any_region_replaced_by_any_bytes_is_refused_or_changes_nothing(at: int, length: int, new: bytes) -> None:
    data = DATA[:at] + new + DATA[at + length :]
    assert outcome(data) in (CODES if data != DATA else {"same"})


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.binary(max_size=300))
def test_any_bytes_after_the_magic_are_refused(data: bytes) -> None:
    assert outcome(b"ARGOXBIN" + data) in CODES


@pytest.mark.parametrize("data", [b"", b"\0" * 500, b"PK\x03\x04" + b"x" * 500, b"argoxbin" + DATA[8:]])
def test_a_foreign_file_is_called_no_artifact(data: bytes) -> None:
    error = refusal(data)
    assert (error.code, told(error)) == ("OE1216", {"path": "target/p.oxbin", "found": "no Argon artifact"})


def test_a_stamp_is_refused_for_the_same_bytes() -> None:
    for at in range(0, len(DATA), 7):
        flipped = bytearray(DATA)
        flipped[at] ^= 0x5A
        with pytest.raises(ArgonError):
            stamp(bytes(flipped))


def test_sizes_are_judged_before_anything_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    huge = bytearray(DATA)
    huge[88:92] = struct.pack(">I", 2**32 - 1)
    assert "directory" in told(refusal(bytes(huge)))["found"]
    monkeypatch.setattr(layout, "MAX_FILE", len(DATA) - 1)
    assert told(refusal(DATA))["found"] == f"{len(DATA)} bytes, more than {len(DATA) - 1}"


# -- versions and sections --------------------------------------------------------------------------------------------


def with_axes(monkeypatch: pytest.MonkeyPatch, **axes: tuple[int, int]) -> bytes:
    with monkeypatch.context() as patch:
        for name, version in axes.items():
            patch.setitem(layout.AXES, name, version)
        return encode(sample(), "d" * 64)


@pytest.mark.parametrize("axis", ["format", "core_ir", "tier_ladder", "runtime_contract"])
def test_another_major_of_any_axis_is_refused_by_name(axis: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for version, shown in (((9, 3), "9.3"), ((0, 9), "0.9")):
        error = refusal(with_axes(monkeypatch, **{axis: version}))
        assert error.code == "OE1202"
        known = ".".join(map(str, layout.AXES[axis]))
        assert told(error) == {"path": "target/p.oxbin", "name": axis, "found": shown, "expected": known}


def test_a_newer_minor_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    assert decode(with_axes(monkeypatch, core_ir=(layout.AXES["core_ir"][0], 7))).whole == sample()


def test_a_missing_mandatory_section_is_named() -> None:
    sections = sections_of(sample())
    for name in layout.MANDATORY:
        error = refusal(pack({k: v for k, v in sections.items() if k != name}, ""))
        assert (error.code, told(error)["name"], told(error)["found"]) == ("OE1203", name, "missing")


def test_an_unknown_mandatory_section_is_refused_and_an_unknown_optional_one_is_left_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sections = {**sections_of(sample()), "proofs": b"\x01"}
    packed = {}
    for kind in ("OPTIONAL", "MANDATORY"):
        with monkeypatch.context() as patch:
            patch.setattr(layout, kind, (*getattr(layout, kind), "proofs"))
            packed[kind] = pack(sections, "")
    assert decode(packed["OPTIONAL"]).whole == sample()
    error = refusal(packed["MANDATORY"])
    assert (error.code, told(error)["name"], told(error)["found"]) == ("OE1203", "proofs", "unknown")


def test_a_header_with_another_module_hash_is_a_signature_mismatch() -> None:
    changed = bytearray(DATA)
    changed[24:56] = bytes(32)
    error = refusal(bytes(changed))
    assert error.code == "OE1213"
    assert told(error)["expected"] == "0" * 16
    assert told(error)["found"] == unpack(DATA, "").module_hash[:16]


# -- contents that fit their hashes -----------------------------------------------------------------------------------


def crafted(name: str, content: Any) -> bytes:
    """An artifact with one section's content replaced and every hash right."""
    sections = sections_of(sample())
    return pack({**sections, name: codec.to_cbor(codec.encode(content, SHAPES[name]))}, "")


def test_content_of_another_shape_is_damage_and_names_its_section() -> None:
    for name in layout.MANDATORY:
        error = refusal(pack({**sections_of(sample()), name: codec.to_cbor([1, 2, 3])}, ""))
        assert error.code == "OE1216"
        assert name in told(error)["found"]


def test_an_optional_section_of_another_shape_is_damage_when_it_is_read() -> None:
    loaded = decode(pack({**sections_of(sample()), "tests": codec.to_cbor([1])}, ""))
    with pytest.raises(ArgonError) as caught:
        _ = loaded.whole
    assert caught.value.code == "OE1216"


UNRESOLVED: list[tuple[Callable[[Module], Module], str]] = [
    (lambda module: replace(module, relations=()), "p::knows"),
    (lambda module: replace(module, structs=()), "p::Note"),
    (lambda module: replace(module, enums=()), "p::Size"),
    (lambda module: replace(module, rules=module.rules[:4]), "p::shy/1"),
    (lambda module: replace(module, facts=(replace(module.facts[0], key="p::Gone.x"),)), "p::Gone.x"),
    (lambda module: replace(module, functions=(replace(module.functions[0], body=e.CallFn("p::f", ())),)), "p::f"),
    (lambda module: replace(module, queries=(replace(module.queries[0], extent="p::Gone"),)), "p::Gone"),
    (lambda module: replace(module, standpoints=module.standpoints[:1]), "p::Tax"),
    (lambda module: replace(module, groups=(Group(("p::Other",), None, True, False),)), "p::Other"),
    (lambda module: replace(module, groups=(Group((), "p::Whole", False, True),)), "p::Whole"),
]


@pytest.mark.parametrize(("change", "name"), UNRESOLVED, ids=[name for _, name in UNRESOLVED])
def test_a_name_that_nothing_declares_is_refused(change: Callable[[Module], Module], name: str) -> None:
    error = refusal(encode(change(sample()), ""))
    assert (error.code, told(error)) == ("OE1210", {"path": "target/p.oxbin", "name": name})


def test_a_symbol_table_that_is_not_that_of_the_declarations_is_refused() -> None:
    table = codec.decode(codec.from_cbor(sections_of(sample())["symbol-table"]), SHAPES["symbol-table"])
    assert told(refusal(crafted("symbol-table", table[1:])))["name"] == table[0][1]
    assert told(refusal(crafted("symbol-table", (*table, ("concept", "p::Ghost")))))["name"] == "p::Ghost"
    assert told(refusal(crafted("symbol-table", (*table, table[3]))))["name"] == table[3][1]
    assert told(refusal(crafted("symbol-table", (table[1], table[0], *table[2:]))))["name"] == table[1][1]


@pytest.mark.parametrize(
    "lattice",
    [
        (),
        (("default", ("p::A",)), ("p::A", ())),
        (("default", ()), ("p::A", ("p::C",))),
        (("default", ()), ("p::B", ()), ("p::A", ())),
        (("default", ()), ("p::A", ()), ("p::A", ())),
    ],
    ids=["none", "above default", "unknown", "order", "twice"],
)
def test_a_lattice_that_no_program_can_declare_is_damage(lattice: Any) -> None:
    error = refusal(crafted("standpoint-lattice", lattice))
    assert error.code == "OE1216"
    assert "standpoint-lattice" in told(error)["found"]


def test_a_lattice_with_a_circle_in_it_names_the_circle() -> None:
    rows = (("default", ()), ("p::A", ("p::B",)), ("p::B", ("p::C",)), ("p::C", ("p::B",)))
    error = refusal(crafted("standpoint-lattice", rows))
    assert (error.code, told(error)) == ("OE1211", {"name": "p::B", "cycle": "p::B <: p::C <: p::B"})


def test_a_tier_that_this_runtime_does_not_evaluate_is_refused() -> None:
    error = refusal(crafted("tier-table", (("p::near/2", "modal"),)))
    assert (error.code, told(error)["found"], told(error)["expected"]) == ("OE1204", "modal", "recursive")


@pytest.mark.parametrize(
    ("tiers", "name", "found", "expected"),
    [
        ({"p::near/2": "structural"}, "p::near/2", "structural", "expressive"),
        ({"p::near/2": "heroic"}, "p::near/2", "heroic", "expressive"),
        ({"p::near/2": None}, "p::near/2", "nothing", "expressive"),
        ({"p::ghost/1": "structural"}, "p::ghost/1", "structural", "nothing"),
    ],
)
def test_a_tier_table_that_is_not_that_of_the_rules_is_refused(
    tiers: dict[str, str | None], name: str, found: str, expected: str
) -> None:
    changed = {**dict(sample().tiers), **tiers}
    error = refusal(crafted("tier-table", tuple((key, tier) for key, tier in changed.items() if tier)))
    assert error.code == "OE1214"
    assert told(error) == {"path": "target/p.oxbin", "name": name, "found": found, "expected": expected}


def test_a_rule_nested_beyond_reason_is_one_refusal() -> None:
    literal: r.Literal = r.Match("p::Person", (X,))
    for _ in range(600):
        literal = r.Not((literal,))
    sections = sections_of(replace(sample(), rules=(*sample().rules, rule("p::deep/1", (X,), literal))))
    assert refusal(pack(sections, "")).code in ("OE1214", "OE1216")
