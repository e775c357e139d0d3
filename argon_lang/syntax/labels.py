"""What an item is called (`problems.ItemId.label`): by what it declares, so that moving it keeps its identity."""

from __future__ import annotations

from collections.abc import Callable

from argon_lang.syntax import kinds as K
from argon_lang.syntax.names import word
from argon_lang.syntax.tree import Item, View

_WORDS = {
    K.N_METAXIS_DECL: "metaxis", K.N_METATYPE_DECL: "metatype", K.N_METAREL_DECL: "metarel",
    K.N_CONCEPT_DECL: "concept", K.N_RELATION_DECL: "relation", K.N_STRUCT_DECL: "struct", K.N_ENUM_DECL: "enum",
    K.N_TRAIT_DECL: "trait", K.N_FN_DECL: "fn", K.N_QUERY_DECL: "query", K.N_CHECK_DECL: "check",
    K.N_MUTATE_DECL: "mutate", K.N_MOD_DECL: "mod", K.N_STANDPOINT_DECL: "standpoint",
}  # fmt: skip


def decl_label(item: Item) -> str:
    """The label of an item: `concept Lease`, `derive owes/2`, `test "pays"`, `fact lets(ada, flat)`."""
    if item.label is None:
        item.label = _label(item)
    return item.label


def declared_word(view: View) -> str:
    """The word of the first Name among a node's children; `?` when it has none."""
    item = view.item
    for index in view.child_indexes:
        if item.node_kinds[index] == K.N_NAME and item.node_starts[index] < item.node_ends[index]:
            return word(item.view(index).text)
    return "?"


def _label(item: Item) -> str:
    root = item.root
    if item.kind in _WORDS:
        return f"{_WORDS[item.kind]} {declared_word(root)}"
    make = _LABELS.get(item.kind)
    return make(root) if make else "?"


def _written(view: View) -> str:
    """The significant tokens of a node, in canonical spacing, long texts cut."""
    item = view.item
    tokens = [item.token(place).text for place in range(item.node_starts[view.index], item.node_ends[view.index])]
    spaced = (" as " if text == "as" else ", " if text == "," else text for text in tokens)
    return "".join(spaced)[:80]


def _first(view: View, *kinds: int) -> list[View]:
    item = view.item
    return [item.view(index) for index in view.child_indexes if item.node_kinds[index] in kinds]


def _derive(view: View) -> str:
    heads = _first(view, K.N_HEAD_PARAMS)
    return f"derive {declared_word(view)}/{len(heads[0].child_indexes) if heads else 0}"


def _fact(view: View) -> str:
    sign = "not_fact" if any(token.kind == K.KW_NOT_FACT for token in view.own_tokens) else "fact"
    return f"{sign} {''.join(_written(part) for part in _first(view, K.N_PATH, K.N_ARG_LIST))}"


def _impl(view: View) -> str:
    targets = [_written(part.children[0]) for part in _first(view, K.N_IMPL_TARGET) if part.children]
    return f"impl {''.join(map(_written, _first(view, K.N_PATH)))} for {''.join(targets)}"


def _words(view: View, *kinds: int) -> str:
    return " ".join(_written(part) for part in _first(view, *kinds))


def _group(view: View) -> str:
    own = [token.text for token in view.own_tokens[:1]]
    return " ".join([*own, *map(_written, _first(view, K.N_PATH, K.N_GROUP_MEMBERS))])


def _test(view: View) -> str:
    titles = [token.text for token in view.own_tokens if token.kind == K.STRING]
    return f"test {titles[0] if titles else '?'}"


_LABELS: dict[int, Callable[[View], str]] = {
    K.N_DERIVE_DECL: _derive,
    K.N_FACT_DECL: _fact,
    K.N_IMPL_DECL: _impl,
    K.N_GROUP_DECL: _group,
    K.N_TEST_DECL: _test,
    K.N_USE_DECL: lambda view: f"use {_words(view, K.N_PATH, K.N_USE_LEAVES)}",
    K.N_FILE_ATTRIBUTE: lambda view: f"attribute {_words(view, K.N_PATH)}",
    K.N_CLOSE_BRACE: lambda view: "}",
    K.N_END_OF_FILE: lambda view: "end",
    K.N_ERROR_ITEM: lambda view: f"error {_written(view)[:40]}",
}
