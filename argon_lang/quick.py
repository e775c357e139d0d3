"""Frozen dataclasses that are made by the hundred thousand, made quickly.

The `__init__` that `dataclass(frozen=True)` writes calls `object.__setattr__` for every field, four times the price of
an assignment; a tenth of a cold check went there. An instance made here is written as one of a twin class of the same
layout that is not frozen, and then declared to be of the class itself. Nothing else of the class is different.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from typing import Any, TypeVar

T = TypeVar("T")


def quick(cls: type[T]) -> type[T]:
    """`cls`, a frozen dataclass with slots, no base, no subclass, no factories and no `__post_init__`, made quickly.

    Raises TypeError for any other class.
    """
    listed: tuple[Field[Any], ...] = fields(cls)  # type: ignore[arg-type]  # a dataclass, which a bare type does not say
    names = [each.name for each in listed]
    slots = tuple(vars(cls).get("__slots__", ()))
    factories = any(each.default_factory is not MISSING or not each.init for each in listed)
    if cls.__bases__ != (object,) or slots != tuple(names) or factories or hasattr(cls, "__post_init__"):
        raise TypeError(f"{cls.__name__} is no plain frozen dataclass with slots")
    twin = type(cls.__name__, (), {"__slots__": slots})
    setattr(cls, "__new__", _maker(cls, twin, listed))  # noqa: B010  # a class is not assigned to in typed code
    delattr(cls, "__init__")
    setattr(cls, "__reduce__", lambda self: (cls, tuple(getattr(self, name) for name in names)))  # noqa: B010
    return cls


def _maker(cls: type, twin: type, listed: tuple[Field[Any], ...]) -> Callable[..., Any]:
    """The `__new__` that writes a twin and turns it into a `cls`."""
    known = {f"_{each.name}": each.default for each in listed if each.default is not MISSING}
    heads = [f"{each.name}=_{each.name}" if f"_{each.name}" in known else each.name for each in listed]
    lines = [f"    self.{each.name} = {each.name}" for each in listed]
    text = "\n".join([f"def __new__(_cls, {', '.join(heads)}):", "    self = _twin()", *lines,
                      "    self.__class__ = _cls", "    return self"])  # fmt: skip
    namespace: dict[str, Any] = {**known, "_twin": twin}
    exec(text, namespace)
    made: Callable[..., Any] = namespace["__new__"]
    made.__qualname__ = f"{cls.__qualname__}.__new__"
    return made
