"""Use, mod, standpoint, fact, trait and impl (language reference §2, §3.6, §3.7)."""

from __future__ import annotations

from argon_lang.syntax import kinds as K
from argon_lang.syntax.parser import exprs, forms, rules, words
from argon_lang.syntax.parser.attributes import attributes, visibility
from argon_lang.syntax.parser.clauses import at_clause, end_item, until_clause
from argon_lang.syntax.parser.cursor import Cursor
from argon_lang.syntax.parser.habits import source, tell
from argon_lang.syntax.parser.lists import bracketed, name, path, path_prefix, unclosed, without_brackets
from argon_lang.syntax.parser.starts import PATH_START
from argon_lang.syntax.parser.type_forms import behind_supers, supers, type_

_MEMBERS = {
    K.KW_FN: rules.fn, K.KW_DERIVE: rules.derive, K.KW_QUERY: rules.query, K.KW_CHECK: rules.check,
    K.KW_MUTATE: rules.mutate,
}  # fmt: skip
_MEMBER_STOP = frozenset((*_MEMBERS, K.SEMI))


def use(p: Cursor) -> int:
    """`use a::b as c;`, `use a::*;`, `use a::{b, c as d};`."""
    p.pos += 1
    if path_prefix(p) and p.accept(K.COLON_COLON):
        if p.kinds[p.pos] == K.LBRACE:
            bracketed(p, K.LBRACE, K.RBRACE, _leaf, PATH_START, K.N_USE_LEAVES)
        elif not p.accept(K.STAR):
            p.expected(words.NAME, "`*`", "`{`")
    else:
        _alias(p)
    end_item(p, "`use`")
    return K.N_USE_DECL


def _leaf(p: Cursor) -> None:
    first, first_node = p.pos, len(p.out)
    if path(p):
        _alias(p)
        p.close(K.N_USE_LEAF, first, first_node)


def _alias(p: Cursor) -> None:
    first, first_node = p.pos, len(p.out)
    if p.accept(K.CTX_AS):
        name(p, "an import")
        p.close(K.N_USE_ALIAS, first, first_node)


def mod(p: Cursor) -> int:
    """`mod m;`, or `mod m {`, whose items follow as items of the same document."""
    p.pos += 1
    name(p, "a module")
    if not p.accept(K.LBRACE):
        end_item(p, "`mod`", expected="`;` or `{`")
    return K.N_MOD_DECL


def standpoint(p: Cursor) -> int:
    """`standpoint S <: A;`, or with `{`, whose items follow as items of the same document."""
    p.pos += 1
    name(p, "a standpoint")
    first, first_node = p.pos, len(p.out)
    if p.accept(K.SUBTYPE):
        without_brackets(p, path, behind_supers)
        p.close(K.N_STANDPOINT_SUPERS, first, first_node)
    if not p.accept(K.LBRACE):
        end_item(p, "`standpoint`", expected="`;` or `{`")
    return K.N_STANDPOINT_DECL


def fact(p: Cursor) -> int:
    """`fact P(a, …) { … } at d until e;`, and `not_fact`."""
    p.pos += 1
    return fact_rest(p)


def fact_rest(p: Cursor) -> int:
    """A fact, its word read."""
    if path(p):
        if p.kinds[p.pos] == K.LPAREN:
            exprs.arguments(p)
        else:
            p.expect(K.LPAREN)
        if p.kinds[p.pos] == K.LBRACE:
            forms.field_inits(p)
        at_clause(p)
        until_clause(p)
    end_item(p, "the fact")
    return K.N_FACT_DECL


def trait(p: Cursor) -> int:
    """`trait T: Super { … }`."""
    p.pos += 1
    name(p, "a trait")
    supers(p, K.COLON, K.N_SUPERS)
    _members(p)
    return K.N_TRAIT_DECL


def impl(p: Cursor) -> int:
    """`impl T for C { … }`."""
    p.pos += 1
    named = p.pos
    path(p)
    first, first_node = p.pos, len(p.out)
    if p.kinds[first] == K.LBRACE and p.pos > named:
        tell(p, "impl_form", first, first, "`for`", name=source(p, named, first - 1))
    elif p.expect(K.KW_FOR):
        type_(p)
        p.close(K.N_IMPL_TARGET, first, first_node)
    _members(p)
    return K.N_IMPL_DECL


def _members(p: Cursor) -> None:
    first, first_node = p.pos, len(p.out)
    if not p.expect(K.LBRACE):
        return
    p.member = True
    while p.kinds[p.pos] not in (K.RBRACE, K.EOF) and not _next_item(p):
        _member(p)
    p.member = False
    if p.kinds[p.pos] == K.RBRACE:
        p.pos += 1
        p.close(K.N_MEMBER_LIST, first, first_node)
        p.accept(K.SEMI)
        return
    if not p.mute:
        unclosed(p, first, K.RBRACE)
    p.close(K.N_MEMBER_LIST, first, first_node)


def _next_item(p: Cursor) -> bool:
    """Whether an item begins here that is no member. Layout says nothing: members may stand anywhere on a line."""
    kind = p.kinds[p.pos]
    if kind in _MEMBERS or kind == K.HASH_BRACKET or (kind == K.KW_PUB and p.kinds[p.pos + 1] in _MEMBERS):
        return False
    p.member = False
    found = p.at_item(p.pos)
    p.member = True
    return found


def _member(p: Cursor) -> None:
    first, first_node = p.pos, len(p.out)
    attributes(p)
    visibility(p)
    handler = _MEMBERS.get(p.kinds[p.pos])
    if handler is not None:
        p.close(handler(p), first, first_node)
        return
    p.expected(words.MEMBER)
    if p.pos == first or p.kinds[p.pos] not in (K.RBRACE, K.EOF):
        here = p.pos
        p.skip(_MEMBER_STOP)
        p.accept(K.SEMI)
        if p.pos == here:
            p.pos += 1
