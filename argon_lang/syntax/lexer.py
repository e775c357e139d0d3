"""Text to tokens, without a Python loop per token: one regular expression, `findall`, and a table of what was seen.

Kinds come from `_Kinds`, a dict from token text to kind number that classifies a text the first time it occurs.
A token that something is wrong with has `BAD` added to its number there; `lex` takes it off again and lists the
place, so that only texts with lexical errors pay for them. What exactly is wrong is told by `lexical.py`.
"""

from __future__ import annotations

import re
from itertools import accumulate
from sys import intern

from argon_lang.syntax import kinds as K
from argon_lang.syntax.literals import bad_date, bad_number, bad_string, mixes_scripts
from argon_lang.syntax.token_table import TOKENS

BAD = 1000
_COMMENT_DEPTH = 24
_DEEP_COMMENTS = 32
_MEMO_LIMIT = 200_000

_OPERATOR_CHARACTERS = "".join(
    spelling for kind in TOKENS for spelling in kind.spellings[1:] if len(spelling) == 1 and not spelling.isascii()
)


def _letters() -> str:
    """Character class body: every code point above ASCII but the Unicode spellings of operators."""
    body, low = "", 0x80
    for code in sorted(map(ord, _OPERATOR_CHARACTERS)):
        if low < code:
            body += f"\\U{low:08x}-\\U{code - 1:08x}"
        low = code + 1
    return body + f"\\U{low:08x}-\\U0010ffff"


def _comment(depth: int) -> str:
    """A block comment that nests at most `depth` more."""
    plain = r"[^*/]++|\*(?!/)|/(?!\*)"
    pattern = rf"/\*(?:{plain})*+\*/"
    for _ in range(depth):
        pattern = rf"/\*(?:{plain}|{pattern})*+\*/"
    return pattern


_BLOCK = _comment(_COMMENT_DEPTH)
_WHOLE_BLOCK = re.compile(_BLOCK, re.S)
_BLOCK_EDGE = re.compile(r"/\*|\*/")
_ABOVE = _letters()
_ODD_STARTS = "\u2118\u212e\u1885\u1886"
"""The identifier starts of UAX #31 that are no word characters to `re`."""

_TOKEN = re.compile(
    rf"[A-Za-z_][A-Za-z0-9_{_ABOVE}]*+"
    r"|[ \t\f\v]++|\n|[(){}\[\],;]"
    r"|:[:\-]?+|\.(?:\.=?+)?+|<[:=]?+|=[=>]?+|>=?+|!=?+|-[>=]?+|\+=?+"
    rf"|//[^\n\r]*+|{_BLOCK}|/\*.*+"
    r"|[0-9][0-9A-Za-z_]*+(?:\.[0-9][0-9A-Za-z_]*+)?+"
    r'|"(?:[^"\\\n\r]++|\\[^\n\r])*+\\?+"?+'
    r"|'(?:[^'\\\n\r]++|\\[^\n\r])*+\\?+'?+"
    rf"|(?:[^\W\d]|[{_ODD_STARTS}])[A-Za-z0-9_{_ABOVE}]*+"
    r"|&(?:&|mut\b)?+|\|\|?+|\r\n?+|\#(?:!?+\[|[0-9][0-9A-Za-z:+.\-]*+\#?+|[ \t!A-Za-z][^\n\r]*+)?+"
    r"|\\(?:\+|==?+)?+|@(?:[A-Za-z_][A-Za-z0-9_]*+)?+"
    r"|.",
    re.S,
)


_SIGNS = frozenset("&\\@")
"""What begins a sign of another language, which stays whole: `&mut`, `\\+`, `@name`."""


class _Kinds(dict[str, int]):
    """Kind number by token text, `BAD` added where something is wrong; filled as texts occur."""

    __slots__ = ()

    def __missing__(self, text: str) -> int:
        kind = _classify(text)
        if len(text) < 32:
            if len(self) > _MEMO_LIMIT:
                self.clear()
                self.update(_FIXED)
            self[text] = kind
        return kind


_FIXED: dict[str, int] = {spelling: number for number, kind in enumerate(TOKENS) for spelling in kind.spellings}
_FIXED |= {"\n": K.NEWLINE, "\r": K.NEWLINE, "\r\n": K.NEWLINE}
_KINDS = _Kinds(_FIXED)


def _classify(text: str) -> int:
    first = text[0]
    if first in " \t\f\v":
        return K.WHITESPACE
    if first == "/":
        return _comment_kind(text)
    if first == '"':
        return K.STRING + BAD * bad_string(text)
    if first == "'":
        return K.STRING + BAD
    if first in "0123456789":
        return (K.DECIMAL if "." in text else K.INT) + BAD * bad_number(text)
    if first == "#" and len(text) > 1:
        if text[1] not in "0123456789":
            return K.LINE_COMMENT + BAD
        return (K.DATETIME if "T" in text or "t" in text else K.DATE) + BAD * bad_date(text)
    if text.isidentifier():
        return K.IDENT + BAD * mixes_scripts(text)
    return K.ERROR + BAD


def _comment_kind(text: str) -> int:
    if text.startswith("///") and not text.startswith("////"):
        return K.OUTER_DOC
    if text.startswith("//"):
        return K.INNER_DOC if text.startswith("//!") else K.LINE_COMMENT
    return K.BLOCK_COMMENT + BAD * (not (text.endswith("*/") and _WHOLE_BLOCK.fullmatch(text)))


def lex(text: str) -> tuple[list[str], list[int], list[int]]:
    """Tokens and their kinds, covering `text` exactly, and the places of the tokens with a lexical problem.

    Equal tokens are one object: a program says the same words again and again.
    """
    tokens = list(map(intern, _TOKEN.findall(text)))
    kinds = list(map(_KINDS.__getitem__, tokens))
    if not kinds or max(kinds) < BAD:
        return tokens, kinds, []
    if tokens[-1].startswith("/*") and kinds[-1] >= BAD:
        tokens, kinds = _close_deep_comments(tokens, kinds)
    if any(kind == K.ERROR + BAD for kind in kinds):
        tokens, kinds = _split_errors(tokens, kinds)
    bad = [place for place, kind in enumerate(kinds) if kind >= BAD]
    return tokens, [kind - BAD if kind >= BAD else kind for kind in kinds], bad


def _close_deep_comments(tokens: list[str], kinds: list[int]) -> tuple[list[str], list[int]]:
    """Find by hand the end of comments that nest deeper than the expression can count.

    Only so many per text: past that the rest is one unterminated comment, which keeps hostile input linear.
    """
    for _ in range(_DEEP_COMMENTS):
        rest = tokens[-1]
        end = _comment_end(rest)
        if end is None:
            break
        more = _TOKEN.findall(rest, end)
        tokens[-1:] = [rest[:end], *more]
        kinds[-1:] = [K.BLOCK_COMMENT, *map(_KINDS.__getitem__, more)]
        if not (more and more[-1].startswith("/*") and kinds[-1] >= BAD):
            break
    return tokens, kinds


def _comment_end(text: str) -> int | None:
    """Where the block comment that `text` begins with ends, however deep it nests; None when it does not."""
    if "*/" not in text:
        return None
    depth = 0
    for match in _BLOCK_EDGE.finditer(text):
        depth += 1 if match[0] == "/*" else -1
        if depth == 0:
            return match.end()
    return None


def _split_errors(tokens: list[str], kinds: list[int]) -> tuple[list[str], list[int]]:
    """Cut a run of letters that is no identifier into identifiers, numbers and single wrong characters."""
    new_tokens: list[str] = []
    new_kinds: list[int] = []
    for token, kind in zip(tokens, kinds, strict=True):
        if kind != K.ERROR + BAD or len(token) == 1 or token[0] in _SIGNS:
            new_tokens.append(token)
            new_kinds.append(kind)
            continue
        for part in _identifier_parts(token):
            new_tokens.append(part)
            new_kinds.append(_KINDS[part])
    return new_tokens, new_kinds


def _identifier_parts(run: str) -> list[str]:
    parts: list[str] = []
    joins = False
    for character in run:
        if joins and ("a" + character).isidentifier():
            parts[-1] += character
        else:
            parts.append(character)
            joins = character.isidentifier() or character in "0123456789"
    return parts


def kind_of(word: str) -> int:
    """The kind number of a well-formed word."""
    return _KINDS[word] % BAD


def closed(text: str) -> bool:
    """Whether the block comment `text` has its end."""
    return _comment_end(text) == len(text)


def offsets(tokens: list[str]) -> list[int]:
    """Start offset of every token, and the end of the last."""
    return list(accumulate(map(len, tokens), initial=0))
