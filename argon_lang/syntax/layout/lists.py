"""Which nodes are lists in brackets, and how such a list is laid out."""

from __future__ import annotations

from argon_lang.syntax import kinds as K
from argon_lang.syntax.layout.docs import Comments, Doc, Group, IfBroken, Indent, Line, Tok

LISTS: dict[int, int] = {
    K.N_ATTRIBUTE_ARGS: K.LPAREN, K.N_GENERICS: K.LT, K.N_PARAMS: K.LPAREN, K.N_ARG_LIST: K.LPAREN,
    K.N_FIELD_INITS: K.LBRACE, K.N_USE_LEAVES: K.LBRACE, K.N_AXIS_SETTINGS: K.LBRACE, K.N_METAREL_ENDS: K.LPAREN,
    K.N_REFINEMENT: K.LBRACE, K.N_SUBTYPE_LIST: K.LBRACE, K.N_CONCEPT_BODY: K.LBRACE, K.N_ENDPOINTS: K.LPAREN,
    K.N_FIELD_LIST: K.LBRACE, K.N_VARIANT_LIST: K.LBRACE, K.N_TUPLE_PAYLOAD: K.LPAREN, K.N_GROUP_MEMBERS: K.LBRACE,
    K.N_HEAD_PARAMS: K.LPAREN, K.N_TYPE_ARGS: K.LT, K.N_FN_TYPE_PARAMS: K.LPAREN, K.N_LIST_EXPR: K.LBRACKET,
    K.N_MATCH_EXPR: K.LBRACE, K.N_TUPLE_PATTERN: K.LPAREN, K.N_RECORD_PATTERN: K.LBRACE, K.N_ASSIGNMENTS: K.LBRACE,
    K.N_MATCH_STMT: K.LBRACE, K.N_ACROSS_CLAUSE: K.LBRACKET, K.N_FORMAT_EXPR: K.LPAREN,
}  # fmt: skip
"""The opening bracket of each list node. (An ordered axis, a list of targets and `require { … }` are told apart.)"""

CLOSER = {K.LPAREN: K.RPAREN, K.LBRACE: K.RBRACE, K.LBRACKET: K.RBRACKET, K.LT: K.GT, K.PIPE: K.PIPE}

HUGGED = frozenset((K.N_STRUCT_EXPR, K.N_LIST_EXPR, K.N_BLOCK, K.N_MATCH_EXPR, K.N_LAMBDA, K.N_COMPREHENSION))
"""An only element that opens and closes brackets itself needs no lines of its own."""


def braces(opener: int, closer: int, inner: list[Doc], *, flat: str, broken: bool, comments: bool) -> Doc:
    """`{`, indented lines, `}`. `comments`: some stand on their own lines before the closing bracket."""
    tail: list[Doc] = [Line(flat, closer), Comments(closer)] if comments else []
    body: Doc = Indent([Line(flat), *inner, *tail])
    return Group([Tok(opener), body, Line(flat), Tok(closer, bare=comments)], broken)


def comma_list(elements: list[Doc], firsts: list[int], commas: list[int], *, trailing: bool) -> list[Doc]:
    """Elements with their commas, `firsts` being their first tokens and `commas` those of the source.

    `trailing`: a broken list ends in a comma, one on a single line never does.
    """
    parts: list[Doc] = []
    for number, element in enumerate(elements):
        if number:
            parts.append(Line(" ", firsts[number]))
        parts.append(element)
        if number + 1 < len(elements):
            parts.append(Tok(commas[number]))
    last = commas[len(elements) - 1] if elements and len(commas) >= len(elements) else -1
    if trailing or last >= 0:
        parts.append(IfBroken("," if trailing else "", last))
    return parts
