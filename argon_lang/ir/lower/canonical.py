"""Canonical variables: `v0`, `v1`, … by first occurrence, head first, so an author's names change no content id."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache
from operator import attrgetter, is_
from typing import Any, TypeVar, cast

from argon_lang.ir.codec import rule_id
from argon_lang.ir.expr import Closure, Comprehend, LetIn, Local
from argon_lang.ir.lower.leading import Leading
from argon_lang.ir.lower.walk import OPAQUE
from argon_lang.ir.module import GroupFold
from argon_lang.ir.rules import Aggregate, Bind, Each, Literal, Rule, Term, Var
from argon_lang.ir.schema import BY_CLASS

T = TypeVar("T")
_NAMED: dict[type, str] = {
    **dict.fromkeys((Var, Local, LetIn, Comprehend, GroupFold), "name"),
    **dict.fromkeys((Bind, Each, Aggregate), "var"),
    Closure: "params",
}
"""What has a variable's name, or several, and in which field."""
_LEADING = Leading(_NAMED)


@dataclass(frozen=True, slots=True)
class _Form:
    """How to read a class: all its fields, the numbers of those in which variables may stand, that of its own names."""

    read: Callable[[Any], tuple[Any, ...]]
    inside: tuple[int, ...]
    own: int | None


class _Forms(dict[type, _Form | None]):
    """The form of each class; None for one in whose instances no variables stand."""

    def __missing__(self, cls: type) -> _Form | None:
        self[cls] = found = _form(cls)
        return found


def _form(cls: type) -> _Form | None:
    if not is_dataclass(cls) or cls in OPAQUE or (cls in BY_CLASS and _LEADING[cls] is None):
        return None
    listed = [each.name for each in fields(cls)]
    inside = _LEADING.names(cls) if cls in BY_CLASS else listed
    own = _NAMED.get(cls)
    read = attrgetter(*listed) if len(listed) > 1 else lambda part: tuple(getattr(part, name) for name in listed)
    return _Form(read, tuple(map(listed.index, inside)), None if own is None else listed.index(own))


_FORMS = _Forms()


@dataclass(slots=True)
class Renaming:
    """Names given so far, in the order in which they were met."""

    given: dict[str, str] = field(default_factory=dict)

    def name(self, old: str) -> str:
        """The canonical name of a variable."""
        return self.given.setdefault(old, f"v{len(self.given)}")

    def apply(self, part: T) -> T:
        """`part` with canonical variables, in the order in which they are met on the way down.

        What has none stays the object.
        """
        return cast(T, self._renamed(part))

    def _renamed(self, part: Any) -> Any:
        cls: type[Any] = type(part)
        if cls is Var:
            return _variable(self.name(part.name))
        if cls is Local:
            return _local(self.name(part.name))
        if cls is tuple:
            listed = tuple([self._renamed(each) for each in part])
            return part if all(map(is_, listed, part)) else listed
        form = _FORMS[cls]
        return part if form is None else self._rebuilt(part, form)

    def _rebuilt(self, part: Any, form: _Form) -> Any:
        values, changed = list(form.read(part)), form.own is not None
        if form.own is not None:
            own = values[form.own]
            values[form.own] = tuple(map(self.name, own)) if isinstance(own, tuple) else self.name(own)
        for place in form.inside:
            value = values[place]
            values[place] = new = self._renamed(value) if value else value
            changed = changed or new is not value
        return type(part)(*values) if changed else part


@cache
def _variable(name: str) -> Var:
    """One object for each canonical name: a program has few of them, many times."""
    return Var(name)


@cache
def _local(name: str) -> Local:
    return Local(name)


def canonical_rule(
    key: str, terms: Sequence[Term], body: Iterable[Literal], origin: str, inputs: Sequence[str] = ()
) -> tuple[Rule, Renaming]:
    """The rule with canonical variables and its content id, and the renaming for what else reads its variables."""
    names = Renaming()
    head, literals = names.apply((tuple(terms), tuple(body)))
    bound = tuple(names.name(name) for name in inputs)
    return Rule(rule_id(key, head, literals), key, head, literals, origin, bound), names
