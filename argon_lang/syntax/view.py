"""The descriptors that a typed view's fields are made of; each finds its part by kind and position.

What is found is kept in the view under the field's own name, so that the next reading finds it there and asks no
descriptor. A field's list is therefore not the reader's to change.
"""

from __future__ import annotations

from collections.abc import Set
from typing import Generic, TypeVar, cast, overload

from argon_lang.syntax import kinds as K
from argon_lang.syntax.tree import Token, View

V = TypeVar("V")


class Part:
    """A field that remembers in the view what it found."""

    __slots__ = ("name",)

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name


class One(Part, Generic[V]):
    """The `nth` child among those of `accepts`; None where the tree lacks it. A `Missing` node counts, as None."""

    __slots__ = ("accepts", "nth")

    def __init__(self, accepts: Set[int], nth: int = 0) -> None:
        self.accepts = accepts
        self.nth = nth

    @overload
    def __get__(self, view: None, owner: type) -> One[V]: ...
    @overload
    def __get__(self, view: View, owner: type) -> V | None: ...
    def __get__(self, view: View | None, owner: type) -> One[V] | V | None:
        if view is None:
            return self
        item, accepts, before = view.item, self.accepts, self.nth
        kinds, found = item.node_kinds, None
        for child in view.child_indexes:
            kind = kinds[child]
            if kind not in accepts:
                continue
            if not before:
                found = cast(V, item.view(child)) if kind != K.N_MISSING else None
                break
            before -= 1
        setattr(view, self.name, found)
        return found


class Many(Part, Generic[V]):
    """All children of `accepts` but the first `skip`, in the order of the text."""

    __slots__ = ("accepts", "skip")

    def __init__(self, accepts: Set[int], skip: int = 0) -> None:
        self.accepts = accepts
        self.skip = skip

    @overload
    def __get__(self, view: None, owner: type) -> Many[V]: ...
    @overload
    def __get__(self, view: View, owner: type) -> list[V]: ...
    def __get__(self, view: View | None, owner: type) -> Many[V] | list[V]:
        if view is None:
            return self
        item, accepts = view.item, self.accepts
        kinds = item.node_kinds
        places = [i for i in view.child_indexes if kinds[i] in accepts][self.skip :]
        found = [cast(V, item.view(i)) for i in places if kinds[i] != K.N_MISSING]
        setattr(view, self.name, found)
        return found


class Tok(Part):
    """The node's first own token of one of the kinds; None where the tree lacks it."""

    __slots__ = ("kinds",)

    def __init__(self, kinds: Set[int]) -> None:
        self.kinds = kinds

    @overload
    def __get__(self, view: None, owner: type) -> Tok: ...
    @overload
    def __get__(self, view: View, owner: type) -> Token | None: ...
    def __get__(self, view: View | None, owner: type) -> Tok | Token | None:
        if view is None:
            return self
        item, wanted, found = view.item, self.kinds, None
        places, kinds = item.extent[0], item.kinds
        for place in view.own_places():
            if kinds[places[place]] in wanted:
                found = item.token(place)
                break
        setattr(view, self.name, found)
        return found


class Toks(Part):
    """All of the node's own tokens of the kinds, in the order of the text."""

    __slots__ = ("kinds",)

    def __init__(self, kinds: Set[int]) -> None:
        self.kinds = kinds

    @overload
    def __get__(self, view: None, owner: type) -> Toks: ...
    @overload
    def __get__(self, view: View, owner: type) -> list[Token]: ...
    def __get__(self, view: View | None, owner: type) -> Toks | list[Token]:
        if view is None:
            return self
        found = [token for token in view.own_tokens if token.kind in self.kinds]
        setattr(view, self.name, found)
        return found


class Flag(Part):
    """Whether the node has an own token of one of the kinds."""

    __slots__ = ("kinds",)

    def __init__(self, kinds: Set[int]) -> None:
        self.kinds = kinds

    @overload
    def __get__(self, view: None, owner: type) -> Flag: ...
    @overload
    def __get__(self, view: View, owner: type) -> bool: ...
    def __get__(self, view: View | None, owner: type) -> Flag | bool:
        if view is None:
            return self
        places, kinds = view.item.extent[0], view.item.kinds
        found = any(kinds[places[place]] in self.kinds for place in view.own_places())
        setattr(view, self.name, found)
        return found
