"""Items: what begins one, where it ends, and how a token that begins none is passed over."""

from __future__ import annotations

from collections.abc import Callable

from argon_lang.problems import Note
from argon_lang.syntax import kinds as K
from argon_lang.syntax.parser import data, meta, modules, rules, words
from argon_lang.syntax.parser.attributes import attribute_body, attributes, visibility
from argon_lang.syntax.parser.cursor import ITEM_KEYWORDS, Cursor
from argon_lang.syntax.parser.foreign_items import foreign_item
from argon_lang.syntax.parser.lists import begins_path, name, segments

Handler = Callable[[Cursor], int]

ITEMS: dict[int, Handler] = {
    K.KW_USE: modules.use, K.KW_MOD: modules.mod, K.KW_STANDPOINT: modules.standpoint, K.KW_FACT: modules.fact,
    K.KW_NOT_FACT: modules.fact, K.KW_TRAIT: modules.trait, K.KW_IMPL: modules.impl, K.KW_METAXIS: meta.metaxis,
    K.KW_METATYPE: meta.metatype, K.KW_METAREL: meta.metarel, K.KW_STRUCT: data.struct, K.KW_ENUM: data.enum,
    K.KW_FN: rules.fn, K.KW_DERIVE: rules.derive, K.KW_QUERY: rules.query, K.KW_CHECK: rules.check,
    K.KW_MUTATE: rules.mutate, K.KW_TEST: rules.test,
}  # fmt: skip
"""How an item goes on that begins with this keyword; returns the node kind."""

_FOREIGN_CLAUSES = {"extends": "<:", "implements": "<:", "inherits": "<:", "isa": "<:", "is_a": "<:"}
_MODIFIERS = frozenset((K.CTX_ABSTRACT, K.CTX_FIXED))
_GROUPS = frozenset((K.CTX_DISJOINT, K.CTX_COMPLETE, K.CTX_PARTITION))
_STOP = frozenset((K.SEMI,))
_AFTER_NAME = frozenset((K.LPAREN, K.LBRACE, K.SEMI, K.SUBTYPE))


def item(p: Cursor) -> None:
    """One item, with at least one token; its root is the last node of `out`."""
    first = p.pos
    if p.kinds[first] == K.HASH_BANG_BRACKET:
        attribute_body(p)
        p.close(K.N_FILE_ATTRIBUTE, first, 0)
        return
    if p.kinds[first] == K.RBRACE:
        p.pos += 1
        p.accept(K.SEMI)
        p.close(K.N_CLOSE_BRACE, first, 0)
        return
    attributes(p)
    visibility(p)
    handler = ITEMS.get(p.kinds[p.pos])
    node = handler(p) if handler else _declaration(p)
    p.close(node, first, 0)


def _declaration(p: Cursor) -> int:
    """An item that begins with a name: a group, a modified metatype, a concept or a relation; or none."""
    kind, following = p.kinds[p.pos], p.kinds[p.pos + 1]
    if kind in _MODIFIERS and (following in _MODIFIERS or following in (K.KW_METATYPE, K.KW_METAREL)):
        return _modified(p)
    if kind in _GROUPS and _is_group(p):
        return data.group(p)
    if begins_path(p) and (following >= K.IDENT or following == K.COLON_COLON or _names_with_keyword(p)):
        return _vocabulary_item(p)
    return _nothing(p)


def _modified(p: Cursor) -> int:
    while p.kinds[p.pos] in _MODIFIERS:
        p.pos += 1
    handler = {K.KW_METATYPE: meta.metatype, K.KW_METAREL: meta.metarel}.get(p.kinds[p.pos])
    if handler is not None:
        return handler(p)
    p.expected("`metatype`", "`metarel`")
    p.skip(_STOP)
    p.accept(K.SEMI)
    return K.N_ERROR_ITEM


def _is_group(p: Cursor) -> bool:
    if p.kinds[p.pos] == K.CTX_DISJOINT:
        return p.kinds[p.pos + 1] == K.LBRACE
    pos = p.pos + 1
    while p.kinds[pos] >= K.IDENT and p.kinds[pos + 1] == K.COLON_COLON and pos < p.pos + 20:
        pos += 2
    p.far = max(p.far, pos + 2)
    return p.kinds[pos] >= K.IDENT and p.kinds[pos + 1] == K.LBRACE


def _vocabulary_item(p: Cursor) -> int:
    """`metatype Name …` or `metarel Name(…) …`."""
    first = p.pos
    foreign = foreign_item(p, _pass_over) if p.kinds[first] == K.IDENT else None
    if foreign is not None:
        return foreign
    segments(p)
    if p.kinds[p.pos] < K.IDENT and not _names_with_keyword(p, 0):
        p.expected(words.NAME)
        _pass_over(p)
        return K.N_ERROR_ITEM
    name(p, "a relation" if p.kinds[p.pos + 1] == K.LPAREN else "a concept")
    if p.kinds[p.pos] == K.LPAREN:
        return data.relation(p)
    if p.kinds[p.pos] == K.IDENT and (ours := _FOREIGN_CLAUSES.get(p.text(p.pos))) and p.kinds[p.pos + 1] >= K.IDENT:
        p.foreign(ours, expected=f"`{ours}`")
        p.kinds[p.pos] = K.SUBTYPE
    return data.concept(p) if p.pos > first else K.N_ERROR_ITEM


def _names_with_keyword(p: Cursor, ahead: int = 1) -> bool:
    """Whether a keyword stands `ahead` of here, on this line, where only the name of a declaration can."""
    at = p.pos + ahead
    return p.kinds[at] in K.HARD_KEYWORD and p.kinds[at + 1] in _AFTER_NAME and not p.newline_before(at)


def _nothing(p: Cursor) -> int:
    """A token that begins no item."""
    if p.kinds[p.pos] == K.EOF or (p.pos > p.first and p.at_item(p.pos)):
        p.expected(words.ITEM)
        return K.N_ERROR_ITEM
    foreign = foreign_item(p, _pass_over) if p.pos == p.first else None
    if foreign is not None:
        return foreign
    p.expected(words.ITEM, notes=(Note("item_start"),))
    p.mute = True
    _pass_over(p)
    return K.N_ERROR_ITEM


def _pass_over(p: Cursor) -> None:
    """Skip what belongs to a broken item: to its `;`, past its block, or to the next item."""
    first, kinds = p.pos, p.kinds
    while True:
        kind = kinds[p.pos]
        if kind == K.EOF or (p.pos > p.first and (kind == K.RBRACE or p.at_item(p.pos))):
            break
        if kind == K.SEMI:
            p.pos += 1
            break
        if kind == K.LBRACE:
            p.skip_pair()
            break
        if kind in (K.LPAREN, K.LBRACKET):
            p.skip_pair()
        else:
            p.pos += 1
        if p.newline_before(p.pos) and _starts_fresh(p):
            break
    if p.pos > first:
        p.close(K.N_ERROR, first, len(p.out))


def _starts_fresh(p: Cursor) -> bool:
    """Whether the line here begins like an item, even one without its keyword."""
    column = p.column(p.pos)
    return column is not None and column <= p.indent and (p.kinds[p.pos] in ITEM_KEYWORDS or begins_path(p))
