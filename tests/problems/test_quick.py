"""Classes whose instances are made quickly are frozen dataclasses in every other respect."""

from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, replace

import pytest

from argon_lang.quick import quick


@dataclass(frozen=True, slots=True)
class Slow:
    """As the standard library makes it."""

    name: str
    count: int = 3
    site: int = field(default=-1, compare=False)


@quick
@dataclass(frozen=True, slots=True)
class Quick:
    """The same, made quickly."""

    name: str
    count: int = 3
    site: int = field(default=-1, compare=False)


def test_an_instance_has_the_fields_and_defaults_of_the_class() -> None:
    made = Quick("a", site=7)
    assert (type(made), made.name, made.count, made.site) == (Quick, "a", 3, 7)
    assert repr(made) == repr(Slow("a", site=7)).replace("Slow", "Quick")


def test_equality_and_hash_leave_out_what_the_class_leaves_out() -> None:
    assert Quick("a", 1, 2) == Quick("a", 1, 9)
    assert hash(Quick("a", 1, 2)) == hash(Slow("a", 1, 5))
    assert Quick("a") != Quick("b")


def test_an_instance_is_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        Quick("a").name = "b"  # type: ignore[misc]


def test_replacing_copying_and_pickling_give_equal_instances() -> None:
    made = Quick("a", 1, 2)
    assert replace(made, count=5) == Quick("a", 5)
    assert copy.copy(made) == made
    assert copy.deepcopy(made).site == 2
    assert pickle.loads(pickle.dumps(made)) == made


def test_patterns_match_by_position() -> None:
    match Quick("a", 4):
        case Quick(name, count):
            assert (name, count) == ("a", 4)


def test_a_missing_or_unknown_argument_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match="name"):
        Quick()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="other"):
        Quick("a", other=1)  # type: ignore[call-arg]


def test_a_class_with_factories_or_bases_or_without_slots_is_refused() -> None:
    @dataclass(frozen=True, slots=True)
    class Lists:
        names: list[str] = field(default_factory=list)

    @dataclass(frozen=True)
    class Loose:
        name: str

    @dataclass(frozen=True, slots=True)
    class Lower(Slow):
        more: int = 0

    for each in (Lists, Loose, Lower):
        with pytest.raises(TypeError, match=each.__name__):
            quick(each)
