"""The tokens of Argon, as data. Order is meaning: trivia come first, names last (`kind >= IDENT` is a name, and
`kind >= CTX_SET` a word that may begin an aggregate).

`generate.py` turns this table into `kinds.py`, the editor grammars and the keyword page.
"""

from __future__ import annotations

from argon_lang.syntax.table import TokenKind

SPECIAL: tuple[TokenKind, ...] = (TokenKind("EOF", "special", (), "end of the input"),)

TRIVIA: tuple[TokenKind, ...] = (
    TokenKind("WHITESPACE", "trivia", (), "blanks within a line"),
    TokenKind("NEWLINE", "trivia", (), "one line end: LF, CR LF or CR"),
    TokenKind("LINE_COMMENT", "trivia", (), "`// …`"),
    TokenKind("BLOCK_COMMENT", "trivia", (), "`/* … */`, nestable"),
    TokenKind("OUTER_DOC", "trivia", (), "`/// …`, documents what follows"),
    TokenKind("INNER_DOC", "trivia", (), "`//! …`, documents the enclosing module"),
    TokenKind("ERROR", "trivia", (), "characters that start no token"),
)

LITERALS: tuple[TokenKind, ...] = (
    TokenKind("INT", "literal", (), "integer, `1_000`"),
    TokenKind("DECIMAL", "literal", (), "exact decimal, `12.50`"),
    TokenKind("STRING", "literal", (), 'string, `"a\\n"`'),
    TokenKind("DATE", "literal", (), "date, `#2026-01-31#`"),
    TokenKind("DATETIME", "literal", (), "date-time with its offset, `#2026-01-31T12:00:00Z#`"),
)

_PUNCTUATION = (
    ("LPAREN", "("), ("RPAREN", ")"), ("LBRACE", "{"), ("RBRACE", "}"), ("LBRACKET", "["), ("RBRACKET", "]"),
    ("HASH_BRACKET", "#["), ("HASH_BANG_BRACKET", "#!["),
    ("COMMA", ","), ("SEMI", ";"), ("COLON", ":"), ("COLON_COLON", "::"), ("TURNSTILE", ":-", "←"),
    ("ARROW", "->", "→"), ("FAT_ARROW", "=>"), ("DOT", "."), ("DOT_DOT", ".."), ("DOT_DOT_EQ", "..="),
    ("QUESTION", "?"), ("EQ", "="), ("PLUS_EQ", "+="), ("MINUS_EQ", "-="), ("SUBTYPE", "<:", "⊑"),
    ("PIPE", "|"), ("BANG", "!"), ("UNDERSCORE", "_"),
    ("EQ_EQ", "=="), ("NOT_EQ", "!=", "≠"), ("LT", "<"), ("LT_EQ", "<=", "≤"), ("GT", ">"), ("GT_EQ", ">=", "≥"),
    ("PLUS", "+"), ("MINUS", "-"), ("STAR", "*"), ("SLASH", "/"), ("PERCENT", "%"),
    ("AND_AND", "&&"), ("OR_OR", "||"),
)  # fmt: skip

PUNCTUATION: tuple[TokenKind, ...] = tuple(TokenKind(row[0], "punctuation", row[1:]) for row in _PUNCTUATION)

_UNICODE_WORDS = {"not": "¬", "forall": "∀", "exists": "∃", "in": "∈", "box": "□", "diamond": "◇"}

_HARD = (
    "as_of across check delete derive else emit enum exists fact false fn for forall from if iff impl in insert is let "
    "match metarel metatype metaxis mod mutate not not_fact pub query require return select self Self standpoint "
    "struct super test trait true update use where"
)

_CONTEXTUAL = (
    "abstract fixed disjoint complete partition derivable rejects assert group order by having limit offset asc desc "
    "with optional distinct union intersect except all into at until pkg std mut refute forget box diamond path "
    "shortest as format upsert detach set sum count min max avg one collect"
)


def _word(word: str, group: str) -> TokenKind:
    prefix = "KW" if group == "keyword" else "CTX"
    name = "KW_SELF_TYPE" if word == "Self" else f"{prefix}_{word.upper()}"
    spellings = (word, _UNICODE_WORDS[word]) if word in _UNICODE_WORDS else (word,)
    return TokenKind(name, "keyword" if group == "keyword" else "contextual", spellings)


KEYWORDS: tuple[TokenKind, ...] = tuple(_word(word, "keyword") for word in _HARD.split())

NAMES: tuple[TokenKind, ...] = (
    TokenKind("IDENT", "name", (), "identifier"),
    *(_word(word, "contextual") for word in _CONTEXTUAL.split()),
)

_PRIMITIVE = (
    "Bool Int Nat Real Decimal Money String Date DateTime Duration f64 Option Result Set Map Range Truth4 Truth4Of Top "
    "Entity TypeRef TraitRef Metatype"
)

PRIMITIVE_TYPES: tuple[str, ...] = tuple(_PRIMITIVE.split())
"""Types that need no import (language reference §2, §4): names, not keywords; for editors and documentation."""

TOKENS: tuple[TokenKind, ...] = SPECIAL + TRIVIA + LITERALS + PUNCTUATION + KEYWORDS + NAMES
"""Every token kind; its number is its place here."""

TOKEN_CLASSES: dict[str, tuple[str, ...]] = {
    "NAME": tuple(kind.name for kind in NAMES),
    "LITERAL": (*(kind.name for kind in LITERALS), "KW_TRUE", "KW_FALSE"),
    "SEGMENT": (*(kind.name for kind in NAMES), "KW_SELF", "KW_SELF_TYPE", "KW_SUPER"),
    "COMPARISON": ("EQ_EQ", "NOT_EQ", "LT", "LT_EQ", "GT", "GT_EQ"),
    "BINARY": ("EQ_EQ", "NOT_EQ", "LT", "LT_EQ", "GT", "GT_EQ", "PLUS", "MINUS", "STAR", "SLASH", "PERCENT",
               "AND_AND", "OR_OR"),
    "AGGREGATE": ("CTX_SUM", "CTX_COUNT", "CTX_MIN", "CTX_MAX", "CTX_AVG", "CTX_ONE", "CTX_COLLECT", "CTX_SET"),
    "HARD_KEYWORD": tuple(kind.name for kind in KEYWORDS),
    "SELECT_CLAUSE": ("CTX_OPTIONAL", "KW_WHERE", "CTX_GROUP", "CTX_HAVING", "CTX_UNION", "CTX_INTERSECT",
                      "CTX_EXCEPT", "CTX_ORDER", "CTX_LIMIT", "CTX_OFFSET"),
}  # fmt: skip
"""Named sets of token kinds that fields and the parser speak of."""
