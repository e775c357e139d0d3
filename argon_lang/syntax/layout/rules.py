"""How each kind of node is laid out: one small rule per kind, `LAYOUT` maps kinds to rules."""

from __future__ import annotations

from collections.abc import Callable

from argon_lang.syntax import kinds as K
from argon_lang.syntax.layout.build import POWER, Builder, Part
from argon_lang.syntax.layout.docs import Comments, Doc, Dropped, Group, Hard, Indent, Line, Tok
from argon_lang.syntax.layout.lists import braces

_BLOCKLIKE = frozenset((
    K.N_IF_EXPR, K.N_MATCH_EXPR, K.N_BLOCK, K.N_STRUCT_EXPR, K.N_LIST_EXPR, K.N_CALL, K.N_METHOD_CALL, K.N_LITERAL,
    K.N_PATH, K.N_FIELD_EXPR, K.N_FORMAT_EXPR,
))  # fmt: skip
_CLAUSES = frozenset((
    K.N_FROM_CLAUSE, K.N_OPTIONAL_FROM, K.N_WHERE_ATOMS, K.N_GROUP_BY, K.N_HAVING, K.N_SET_OPERAND, K.N_ORDER_BY,
    K.N_LIMIT_CLAUSE,
))  # fmt: skip

Rule = Callable[[Builder, int, list[Part]], None]


def build(b: Builder) -> Doc:
    """The document of the whole item."""
    for node, kind in enumerate(b.item.node_kinds):
        opener = b.opens_list(node)
        if opener is not None:
            b.list_node(node, opener)
        else:
            LAYOUT.get(kind, _plain)(b, node, b.parts(node))
    return b.docs[-1]


def _plain(b: Builder, node: int, parts: list[Part]) -> None:
    """Parts on one line. Attributes have lines of their own, a `;` behind a closing brace goes."""
    kind = b.item.node_kinds[node]
    parts, dropped = b.without_semicolon(parts) if kind in _ITEMS else (parts, [])
    docs: list[Doc] = []
    for number, part in enumerate(parts):
        if number and b.kind(parts[number - 1]) == K.N_ATTRIBUTE:
            docs.append(Hard() if kind in _ITEMS or b.trivia.newline[b.first(part)] else " ")
        elif number and b.parted(parts[number - 1], part, kind):
            docs.append(" ")
        docs.append(b.doc(part, kind))
    b.docs[node] = [*docs, *dropped]
    b.forced[node] = b.breaks(parts) or any(isinstance(doc, Hard) for doc in docs)


def _statements(b: Builder, node: int, parts: list[Part]) -> None:
    """`{`, statements or members on lines of their own, `}`."""
    inner = parts[1:-1]
    b.docs[node] = b.lines(parts[0], inner, parts[-1], b.item.node_kinds[node])
    b.forced[node] = bool(inner) or b.breaks(parts)


def _value_block(b: Builder, node: int, parts: list[Part]) -> None:
    """A block with a value: on one line, if it is nothing but the value and the author has it so."""
    inner = parts[1:-1]
    only = len(inner) == 1 and b.kind(inner[0]) not in _STATEMENTS
    if not only:
        _statements(b, node, parts)
        return
    b.forced[node] = b.trivia.newline[b.first(inner[0])] or b.breaks(parts)
    comments = any(each.own_line or each.line for each in b.trivia.leading[parts[-1]])
    if comments:
        b.docs[node] = b.lines(parts[0], inner, parts[-1], K.N_BLOCK)
    else:
        b.docs[node] = [Tok(parts[0]), Indent([Line(), b.doc(inner[0], K.N_BLOCK)]), Line(), Tok(parts[-1])]


def _binary(b: Builder, node: int, parts: list[Part]) -> None:
    """Left and right of an operator; operands of the same power share their lines, others have their own."""
    left, op, right = parts
    docs: list[Doc] = []
    for part in (left, right):
        doc = b.doc(part, K.N_BINARY)
        same = part == left and _power(b, part) == POWER[b.token(op)]
        docs.append(Group(Indent(doc), b.forced[~part]) if b.kind(part) == K.N_BINARY and not same else doc)
    b.docs[node] = [docs[0], Line(" ", op), Tok(op), " ", docs[1]]
    b.forced[node] = b.breaks(parts)


def _power(b: Builder, part: Part) -> int:
    if b.kind(part) != K.N_BINARY:
        return 0
    return next((POWER[b.token(own)] for own in b.parts(~part) if b.token(own) in POWER), 0)


def _body(b: Builder, node: int, parts: list[Part]) -> None:
    """Atoms with commas between them; a comma behind the last goes."""
    docs: list[Doc] = []
    for number, part in enumerate(parts):
        if b.token(part) != K.COMMA:
            docs.append(b.doc(part, K.N_BODY))
        elif number + 1 < len(parts):
            docs += [Tok(part), Line(" ", b.first(parts[number + 1]))]
        else:
            docs.append(Dropped(part))
    b.docs[node] = docs
    b.forced[node] = b.breaks(parts)


def _without_brackets(b: Builder, node: int, parts: list[Part]) -> None:
    """A list on the line of what it stands in; a comma behind the last element goes."""
    trailing = len(parts) > 1 and b.token(parts[-1]) == K.COMMA
    _plain(b, node, parts[:-1] if trailing else parts)
    if trailing:
        b.docs[node] = [b.docs[node], Dropped(parts[-1])]


def _rule(b: Builder, node: int, parts: list[Part]) -> None:
    """A derive or check: head, then `:-` and the atoms, on the head's line or one line each."""
    kind = b.item.node_kinds[node]
    turnstile = next((i for i, part in enumerate(parts) if b.token(part) == K.TURNSTILE), None)
    if turnstile is None:
        _plain(b, node, parts)
        return
    _plain(b, node, parts[:turnstile])
    head, after = b.docs[node], parts[turnstile + 1 :]
    ends = b.token(after[-1]) == K.SEMI
    inner = after[:-1] if ends else after
    lines: list[Doc] = []
    for part in inner:
        lines += [Line(" ", b.first(part) if lines else -1), b.doc(part, kind)]
    broken = b.trivia.newline[b.first(inner[0])] or b.breaks([parts[turnstile], *after])
    tail: list[Doc] = [Tok(after[-1])] if ends else []
    b.docs[node] = [head, " ", Group([Tok(parts[turnstile]), Indent(lines)], broken), *tail]
    b.forced[node] = True


def _initializer(b: Builder, node: int, parts: list[Part]) -> None:
    """`= value`, the value on the next line where the author has it there or where it does not fit."""
    value = parts[-1]
    broken = b.trivia.newline[b.first(value)]
    if not broken and (b.kind(value) in _BLOCKLIKE or b.forced[~value]):
        _plain(b, node, parts)
        return
    b.docs[node] = Group([Tok(parts[0]), Indent([Line(), b.doc(value, K.N_INITIALIZER)])], broken)
    b.forced[node] = broken or b.breaks(parts)


def _query(b: Builder, node: int, parts: list[Part]) -> None:
    """A query: its select on lines of its own between the braces."""
    opener = next((i for i, part in enumerate(parts) if b.token(part) == K.LBRACE), None)
    if opener is None:
        _plain(b, node, parts)
        return
    parts, dropped = b.without_semicolon(parts)
    select = next(part for part in parts[opener:] if b.kind(part) == K.N_SELECT)
    extra = [part for part in parts[opener:-1] if b.token(part) == K.SEMI]
    _plain(b, node, parts[:opener])
    inner = Group(b.docs[~select], b.forced[~select])
    comments = any(each.own_line or each.line for each in b.trivia.leading[parts[-1]])
    body = _block(parts[opener], inner, extra, parts[-1], comments)
    b.docs[node] = [b.docs[node], " ", body, *dropped]
    b.forced[node] = True


def _block(opener: Part, inner: Doc, extra: list[Part], closer: Part, comments: bool) -> Doc:
    tail: list[Doc] = [Hard(closer), Comments(closer)] if comments else []
    body: list[Doc] = [Hard(), inner, *map(Tok, extra), *tail]
    return [Tok(opener), Indent(body), Hard(), Tok(closer, bare=comments)]


def _select(b: Builder, node: int, parts: list[Part]) -> None:
    """Clauses on one line, or each on its own; a core's clauses follow the select around it."""
    docs: list[Doc] = []
    kind, broken = b.item.node_kinds[node], b.breaks(parts)
    for number, part in enumerate(parts):
        if number:
            line = b.kind(part) in _CLAUSES or b.kind(parts[number - 1]) == K.N_WITH_CLAUSE
            docs.append(Line(" ", b.first(part)) if line else " ")
            broken = broken or (line and b.trivia.newline[b.first(part)])
        docs.append(b.doc(part, kind))
    b.docs[node] = docs
    b.forced[node] = broken


def _set_operand(b: Builder, node: int, parts: list[Part]) -> None:
    """`union all`, then its core."""
    docs = b.sequence(parts[:-1], K.N_SET_OPERAND)
    b.docs[node] = [*docs, Line(" ", b.first(parts[-1])), b.doc(parts[-1], K.N_SET_OPERAND)]
    b.forced[node] = b.breaks(parts) or b.trivia.newline[b.first(parts[-1])]


def _with(b: Builder, node: int, parts: list[Part]) -> None:
    """`with w = (select …);`"""
    at = next(i for i, part in enumerate(parts) if b.kind(part) == K.N_SELECT)
    select = parts[at]
    head, tail = b.sequence(parts[: at - 1], K.N_WITH_CLAUSE), parts[at + 1 :]
    inner: list[Doc] = [Tok(parts[at - 1]), Indent([Line(""), b.docs[~select]]), Line(""), Tok(tail[0])]
    b.forced[node] = b.breaks(parts) or b.trivia.newline[b.first(select)]
    b.docs[node] = [*head, " ", Group(inner, b.forced[node]), *map(Tok, tail[1:])]


def _sources(b: Builder, node: int, parts: list[Part]) -> None:
    """A clause word and atoms."""
    words, body = b.sequence(parts[:-1], b.item.node_kinds[node]), parts[-1]
    b.docs[node] = [*words, " ", Group(Indent(b.docs[~body]), b.forced[~body])]
    b.forced[node] = b.breaks(parts)


def _atoms_in_braces(b: Builder, node: int, parts: list[Part]) -> None:
    """`exists { … }`, `count { … }`."""
    kind = b.item.node_kinds[node]
    opener = next(i for i, part in enumerate(parts) if b.token(part) == K.LBRACE)
    inner, closer = parts[opener + 1 : -1], parts[-1]
    broken = b.trivia.newline[b.first(inner[0])] or b.breaks(parts)
    comments = any(each.own_line or each.line for each in b.trivia.leading[closer])
    docs: list[Doc] = []
    for part in inner:
        docs += [Line(" ", b.first(part))] if docs else []
        docs.append(b.doc(part, kind))
    head = b.sequence(parts[:opener], kind)
    b.docs[node] = [*head, " ", braces_of(parts[opener], docs, closer, broken, comments)]
    b.forced[node] = broken


def braces_of(opener: Part, docs: list[Doc], closer: Part, broken: bool, comments: bool) -> Doc:
    """Braces around documents that are separated already."""
    return braces(opener, closer, docs, flat=" ", broken=broken or comments, comments=comments)


_STATEMENTS = frozenset((
    K.N_REQUIRE_STMT, K.N_LET_STMT, K.N_INSERT_STMT, K.N_UPDATE_STMT, K.N_DELETE_STMT, K.N_REFUTE_STMT,
    K.N_FORGET_STMT, K.N_FOR_STMT, K.N_IF_STMT, K.N_MATCH_STMT, K.N_EMIT_STMT, K.N_RETURN_STMT, K.N_EXPR_STMT,
    K.N_ASSERT_STMT, K.N_ASSERT_DERIVABLE, K.N_ASSERT_REJECTS,
))  # fmt: skip
_ITEMS = frozenset((
    K.N_USE_DECL, K.N_MOD_DECL, K.N_STANDPOINT_DECL, K.N_METAXIS_DECL, K.N_METATYPE_DECL, K.N_METAREL_DECL,
    K.N_CONCEPT_DECL, K.N_RELATION_DECL, K.N_STRUCT_DECL, K.N_ENUM_DECL, K.N_TRAIT_DECL, K.N_IMPL_DECL,
    K.N_GROUP_DECL, K.N_FACT_DECL, K.N_FN_DECL, K.N_DERIVE_DECL, K.N_QUERY_DECL, K.N_CHECK_DECL, K.N_MUTATE_DECL,
    K.N_TEST_DECL, K.N_ASSERT_REJECTS, K.N_FILE_ATTRIBUTE, K.N_CLOSE_BRACE,
))  # fmt: skip

LAYOUT: dict[int, Rule] = {
    K.N_STMT_BLOCK: _statements, K.N_MEMBER_LIST: _statements, K.N_BLOCK: _value_block, K.N_BINARY: _binary,
    K.N_BODY: _body, K.N_DERIVE_DECL: _rule, K.N_CHECK_DECL: _rule, K.N_INITIALIZER: _initializer,
    K.N_QUERY_DECL: _query, K.N_SELECT: _select, K.N_SELECT_CORE: _select, K.N_SET_OPERAND: _set_operand,
    K.N_WITH_CLAUSE: _with, K.N_FROM_CLAUSE: _sources, K.N_OPTIONAL_FROM: _sources, K.N_WHERE_ATOMS: _sources,
    K.N_SUPERS: _without_brackets, K.N_INSTANCE_OF: _without_brackets, K.N_STANDPOINT_SUPERS: _without_brackets,
    K.N_GROUP_BY: _without_brackets, K.N_ORDER_BY: _without_brackets,
    K.N_EXISTS_ATOM: _atoms_in_braces, K.N_AGGREGATE_BLOCK: _atoms_in_braces,
}  # fmt: skip
