"""Concepts, relations, structs, enums and their members (language reference §3.2 to §3.5)."""

from __future__ import annotations

from collections.abc import Callable

from argon_lang.problems import Edit, Fix, Note, args
from argon_lang.syntax import kinds as K
from argon_lang.syntax.parser import exprs, words
from argon_lang.syntax.parser.attributes import attributes, visibility
from argon_lang.syntax.parser.clauses import end_item, unwanted
from argon_lang.syntax.parser.cursor import Cursor
from argon_lang.syntax.parser.lists import (
    begins_path,
    bracketed,
    field_name,
    listing,
    name,
    name_element,
    path,
    path_element,
    path_prefix,
)
from argon_lang.syntax.parser.starts import EXPR_START, FIELD_START, NAME_START, PATH_START, TYPE_START
from argon_lang.syntax.parser.type_forms import cardinality, generics, supers, type_, type_annotation

_MEMBER_START = PATH_START | {K.HASH_BRACKET}


def concept(p: Cursor) -> int:
    """The rest of a concept, its metatype and name read."""
    of = p.text(p.pos - 1)
    generics(p)
    supers(p, K.SUBTYPE, K.N_SUPERS)
    supers(p, K.COLON, K.N_INSTANCE_OF)
    _refinement(p, of)
    kind = p.kinds[p.pos]
    if kind == K.LBRACE:
        _concept_body(p)
        p.accept(K.SEMI)
    elif kind == K.EQ:
        pipe_form(p, "OE0012")
    elif p.closes_ahead() and p.opens("`;`"):
        at, node = p.pos, len(p.out)
        listing(p, K.RBRACE, _member, _MEMBER_START)
        p.close(K.N_CONCEPT_BODY, at, node)
    else:
        end_item(p, "the concept", expected="`{` or `;`")
    return K.N_CONCEPT_DECL


def _refinement(p: Cursor, of: str) -> None:
    first, first_node = p.pos, len(p.out)
    if p.kinds[p.pos] not in (K.KW_WHERE, K.KW_IFF):
        return
    p.pos += 1
    if p.expect(K.LBRACE):
        listing(p, K.RBRACE, lambda inner: _condition(inner, of), EXPR_START | _QUANTIFIERS | {K.KW_NOT})
    p.close(K.N_REFINEMENT, first, first_node)


_QUANTIFIERS = frozenset((K.KW_EXISTS, K.KW_FORALL))


def _condition(p: Cursor, of: str) -> None:
    """One condition of the concept `of`; a quantifier in its place is OE0665, and skipped."""
    first = p.pos
    at = first + 1 if p.kinds[first] == K.KW_NOT else first
    if p.kinds[at] not in _QUANTIFIERS:
        exprs.condition(p)
        return
    values = {"name": of, "construct": f"`{p.text(at)}`"}
    p.report("OE0665", p.start(first), p.end(at), values, notes=(Note("own_fields"),))
    p.pos = at + 1
    p.skip(_CONDITION_STOP)


_CONDITION_STOP = frozenset((K.COMMA,))


def _concept_body(p: Cursor) -> None:
    names_only = p.kinds[p.pos + 1] >= K.IDENT and p.kinds[p.pos + 2] in (K.COMMA, K.RBRACE)
    if names_only:
        bracketed(p, K.LBRACE, K.RBRACE, name_element, NAME_START, K.N_SUBTYPE_LIST)
    else:
        bracketed(p, K.LBRACE, K.RBRACE, _member, _MEMBER_START, K.N_CONCEPT_BODY)


def _member(p: Cursor) -> None:
    """A field, `axis::value`, or `name = value`."""
    first, first_node = p.pos, len(p.out)
    attributes(p)
    kind, following = p.kinds[p.pos], p.kinds[p.pos + 1]
    if begins_path(p) and following == K.COLON_COLON and p.pos == first:
        axis_setting(p)
    elif kind >= K.IDENT and following == K.EQ and p.pos == first:
        name(p)
        p.pos += 1
        exprs.expr(p)
        p.close(K.N_MEMBER_VALUE, first, first_node)
    else:
        _field_rest(p, first, first_node)


def field(p: Cursor) -> None:
    """A field with its attributes."""
    first, first_node = p.pos, len(p.out)
    attributes(p)
    _field_rest(p, first, first_node)


def _field_rest(p: Cursor, first: int, first_node: int) -> None:
    if p.kinds[p.pos] == K.KW_PUB and p.kinds[p.pos + 1] >= K.IDENT:
        unwanted(p, "a field", "`pub`", visibility)
    if p.kinds[p.pos] == K.CTX_MUT and p.kinds[p.pos + 1] >= K.IDENT:
        p.pos += 1
    if p.kinds[p.pos] < K.IDENT and p.kinds[p.pos] not in K.HARD_KEYWORD:
        p.expected(words.FIELD, "`}`")
    else:
        name(p, "a field")
        type_annotation(p)
        at, node = p.pos, len(p.out)
        if p.accept(K.EQ):
            exprs.expr(p)
            p.close(K.N_INITIALIZER, at, node)
        _view(p)
    if p.pos > first:
        p.close(K.N_FIELD_DECL, first, first_node)


def _view(p: Cursor) -> None:
    first, first_node = p.pos, len(p.out)
    if p.accept(K.KW_FROM):
        path(p)
        if p.expect(K.DOT):
            field_name(p)
        p.close(K.N_VIEW_CLAUSE, first, first_node)


def axis_setting(p: Cursor) -> None:
    """`axis::value`, `axis: value`; the last name of a path that no `:` follows is the value."""
    first, first_node = p.pos, len(p.out)
    if not begins_path(p):
        p.expected(words.NAME)
        return
    p.pos += 1
    while p.kinds[p.pos] == K.COLON_COLON and p.kinds[p.pos + 1] >= K.IDENT and p.kinds[p.pos + 2] in _BEFORE_VALUE:
        p.pos += 2
    p.close(K.N_PATH, first, first_node)
    if p.kinds[p.pos] in _BEFORE_VALUE:
        p.pos += 1
        _axis_value(p)
    else:
        p.expected("`::`", "`:`")
    p.close(K.N_AXIS_SETTING, first, first_node)


_BEFORE_VALUE = (K.COLON, K.COLON_COLON)


def _axis_value(p: Cursor) -> None:
    first, first_node = p.pos, len(p.out)
    if p.kinds[first] in K.LITERAL:
        p.pos += 1
        p.close(K.N_LITERAL, first, first_node)
        p.close(K.N_AXIS_VALUE, first, first_node)
    elif field_name(p):
        p.close(K.N_AXIS_VALUE, first, first_node)


def relation(p: Cursor) -> int:
    """The rest of a relation, its metarel and name read; the `(` is here."""
    bracketed(p, K.LPAREN, K.RPAREN, _endpoint, NAME_START, K.N_ENDPOINTS)
    while p.kinds[p.pos] == K.LBRACKET:
        cardinality(p)
    supers(p, K.SUBTYPE, K.N_SUPERS)
    if p.kinds[p.pos] == K.LBRACE:
        field_list(p)
        p.accept(K.SEMI)
    else:
        end_item(p, "the relation", expected="`{` or `;`")
    return K.N_RELATION_DECL


def _endpoint(p: Cursor) -> None:
    first, first_node = p.pos, len(p.out)
    name(p, "an endpoint")
    if p.pos > first:
        type_annotation(p)
        p.close(K.N_ENDPOINT, first, first_node)


def field_list(p: Cursor) -> None:
    """`{ field, … }`, which must be here."""
    bracketed(p, K.LBRACE, K.RBRACE, field, FIELD_START, K.N_FIELD_LIST)


def struct(p: Cursor) -> int:
    """`struct S { … }`."""
    p.pos += 1
    name(p, "a struct")
    generics(p)
    if p.kinds[p.pos] in (K.SUBTYPE, K.COLON):
        unwanted(p, "`struct`", "supertypes", _any_supers)
    _braces(p, field_list, "the head of the struct")
    return K.N_STRUCT_DECL


def _any_supers(p: Cursor) -> None:
    supers(p, p.kinds[p.pos], K.N_SUPERS)


def _braces(p: Cursor, body: Callable[[Cursor], None], construct: str) -> None:
    if p.kinds[p.pos] == K.LBRACE:
        body(p)
        p.accept(K.SEMI)
    elif p.kinds[p.pos] == K.SEMI or p.ends_here():
        place = p.after()
        p.report("OE0011", place, place, {"expected": words.BODY, "construct": construct})
        p.accept(K.SEMI)
    else:
        p.expected("`{`")
        p.skip(frozenset((K.SEMI, K.LBRACE)) if not p.closes_ahead() else frozenset((K.RBRACE,)))
        if p.kinds[p.pos] == K.LBRACE:
            body(p)
        p.accept(K.RBRACE)
        p.accept(K.SEMI)


def enum(p: Cursor) -> int:
    """`enum E { … }`."""
    p.pos += 1
    name(p, "an enum")
    generics(p)
    if p.kinds[p.pos] in (K.SUBTYPE, K.COLON):
        unwanted(p, "`enum`", "supertypes", _any_supers)
    if p.kinds[p.pos] == K.EQ:
        pipe_form(p, "OE0009")
    else:
        _braces(p, _variants, "the head of the enum")
    return K.N_ENUM_DECL


def _variants(p: Cursor) -> None:
    bracketed(p, K.LBRACE, K.RBRACE, _variant, FIELD_START, K.N_VARIANT_LIST)


def _variant(p: Cursor) -> None:
    first, first_node = p.pos, len(p.out)
    attributes(p)
    if p.kinds[p.pos] < K.IDENT and p.kinds[p.pos] not in K.HARD_KEYWORD:
        p.expected(words.VARIANT, "`}`")
    else:
        name(p, "a variant")
        if p.kinds[p.pos] == K.LPAREN:
            bracketed(p, K.LPAREN, K.RPAREN, type_, TYPE_START, K.N_TUPLE_PAYLOAD)
        elif p.kinds[p.pos] == K.LBRACE:
            field_list(p)
    if p.pos > first:
        p.close(K.N_VARIANT, first, first_node)


def pipe_form(p: Cursor, code: str) -> None:
    """OE0009, OE0012: `= A | B`, refused with the brace form as the fix."""
    first = p.pos
    p.pos += 1
    p.accept(K.PIPE)
    named = []
    while p.kinds[p.pos] >= K.IDENT:
        named.append(p.text(p.pos))
        p.pos += 1
        if not p.accept(K.PIPE):
            break
    last, owner = p.pos, p.text(first - 1)
    regular = bool(named) and (p.kinds[last] == K.SEMI or p.at_item(last) or p.kinds[last] == K.EOF)
    p.pos = first
    if regular:
        _refuse_pipes(p, code, first, last, owner, "{ " + ", ".join(named) + " }")
    else:
        p.expected("`{`", "`;`") if code == "OE0012" else p.expected("`{`")
    p.skip(frozenset((K.SEMI,)))
    p.accept(K.SEMI)


def _refuse_pipes(p: Cursor, code: str, first: int, last: int, owner: str, braces: str) -> None:
    end = p.end(last) if p.kinds[last] == K.SEMI else p.end(last - 1)
    head = " ".join(p.text(pos) for pos in range(p.first, first))
    fix = Fix("replace", (Edit(p.start(first), end, braces),), args(suggestion=f"{head} {braces}"))
    p.report(code, p.start(first), p.end(last - 1), {"name": owner},
             notes=(Note("brace_form", args(suggestion=f"{head} {braces}")),), fixes=(fix,))  # fmt: skip


def group(p: Cursor) -> int:
    """`disjoint { … }`, `complete P { … }`, `partition P { … }`."""
    alone = p.kinds[p.pos] == K.CTX_DISJOINT
    p.pos += 1
    if not alone:
        path_prefix(p)
    bracketed(p, K.LBRACE, K.RBRACE, path_element, PATH_START, K.N_GROUP_MEMBERS)
    p.accept(K.SEMI)
    return K.N_GROUP_DECL
