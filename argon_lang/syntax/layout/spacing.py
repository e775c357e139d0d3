"""Whether a blank stands between two neighbours of one node, when they are on one line."""

from __future__ import annotations

from argon_lang.syntax import kinds as K

GLUED_NODES = frozenset((
    K.N_ARG_LIST, K.N_PARAMS, K.N_HEAD_PARAMS, K.N_ENDPOINTS, K.N_METAREL_ENDS, K.N_TUPLE_PAYLOAD,
    K.N_FN_TYPE_PARAMS, K.N_ATTRIBUTE_ARGS, K.N_TYPE_ARGS, K.N_GENERICS, K.N_REPETITION,
))  # fmt: skip
"""Nodes that stand right behind what is before them."""

SOLID_NODES = frozenset((K.N_PATH, K.N_STEP_ATOM, K.N_STEP_RELATION, K.N_REPETITION, K.N_UNARY, K.N_LITERAL_PATTERN,
                         K.N_BOUND, K.N_LOW, K.N_HIGH, K.N_FORMAT_EXPR, K.N_VISIBILITY, K.N_STRUCT_BASE))  # fmt: skip
"""Nodes without a blank between their parts."""

_NEVER_BEFORE = frozenset((K.COMMA, K.SEMI, K.RPAREN, K.RBRACKET, K.DOT, K.QUESTION, K.COLON, K.COLON_COLON,
                           K.DOT_DOT, K.DOT_DOT_EQ))  # fmt: skip
_NEVER_AFTER = frozenset((K.LPAREN, K.LBRACKET, K.DOT, K.COLON_COLON, K.HASH_BRACKET, K.HASH_BANG_BRACKET,
                          K.DOT_DOT, K.DOT_DOT_EQ))  # fmt: skip
_CALL_LIKE = frozenset((K.N_AGGREGATE_CALL, K.N_ASSERT_REJECTS, K.N_TUPLE_PATTERN))
_INDEX_LIKE = frozenset((K.N_INDEX_EXPR, K.N_SLICE_EXPR))


def blank(parent: int, previous_token: int, next_token: int, next_node: int) -> bool:
    """Whether a blank parts two neighbours.

    `previous_token` is the last token of the left one, or -1 when that is a node whose end says nothing; `next_token`
    the first token of the right one; `next_node` its node kind, or -1 when it is a token.
    """
    if parent in SOLID_NODES or next_node in GLUED_NODES or next_token == K.COLON:
        return False
    if previous_token in _NEVER_AFTER:
        return False
    if next_node >= 0:
        return True
    if next_token == K.LPAREN:
        return parent not in _CALL_LIKE
    if next_token == K.LBRACKET:
        return parent not in _INDEX_LIKE
    return next_token not in _NEVER_BEFORE
