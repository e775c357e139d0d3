"""The descriptors that a typed view's fields are made of; each finds its part by kind and position."""

from __future__ import annotations

from collections.abc import Set
from typing import Generic, TypeVar, cast, overload

from argon_lang.syntax import kinds as K
from argon_lang.syntax.tree import Token, View

V = TypeVar("V")


class One(Generic[V]):
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
        item, accepts = view.item, self.accepts
        kinds, firsts = item.node_kinds, item.node_firsts
        low, child, found = firsts[view.index], view.index - 1, []
        while child >= low:
            if kinds[child] in accepts:
                found.append(child)
            child = firsts[child] - 1
        if len(found) <= self.nth or kinds[found[-1 - self.nth]] == K.N_MISSING:
            return None
        return cast(V, item.view(found[-1 - self.nth]))


class Many(Generic[V]):
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
        found = [i for i in view.child_indexes if kinds[i] in accepts][self.skip :]
        return [cast(V, item.view(i)) for i in found if kinds[i] != K.N_MISSING]


class Tok:
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
        item = view.item
        places = item.extent[0]
        for place in view.own_places():
            if item.kinds[places[place]] in self.kinds:
                return item.token(place)
        return None


class Toks:
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
        return [token for token in view.own_tokens if token.kind in self.kinds]


class Flag:
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
        return any(kinds[places[place]] in self.kinds for place in view.own_places())
