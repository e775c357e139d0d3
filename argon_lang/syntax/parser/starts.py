"""Which tokens can begin what: the sets by which lists and bodies decide how to go on after a mistake."""

from __future__ import annotations

from argon_lang.syntax import kinds as K
from argon_lang.syntax.parser.cursor import SEGMENT_KEYWORDS

NAME_START = frozenset(K.NAME)
PATH_START = NAME_START | SEGMENT_KEYWORDS
TYPE_START = PATH_START | {K.LBRACKET, K.KW_FN}
PATTERN_START = PATH_START | K.LITERAL | {K.UNDERSCORE, K.MINUS}
EXPR_START = (
    PATH_START | K.LITERAL
    | {K.LPAREN, K.LBRACKET, K.LBRACE, K.MINUS, K.BANG, K.PIPE, K.OR_OR, K.KW_IF, K.KW_MATCH, K.UNDERSCORE}
)  # fmt: skip
ATOM_START = EXPR_START | {K.KW_NOT, K.KW_EXISTS, K.KW_FORALL}
FIELD_START = NAME_START | {K.HASH_BRACKET}
