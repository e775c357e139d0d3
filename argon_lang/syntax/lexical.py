"""The problems of tokens that the lexer marked: one problem per mistake, with the fix where there is one."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from argon_lang.problems import Edit, Fix, Note, Problem, args
from argon_lang.syntax import kinds as K
from argon_lang.syntax.lexer import closed, offsets
from argon_lang.syntax.literals import (
    LOOKALIKES,
    date_closed,
    date_fault,
    scripts,
    string_closed,
    wrong_escapes,
)

_INSTEAD = {
    "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "'": '"', "‘": '"', "’": '"', "`": '"', "–": "-", "—": "-",
    "−": "-", "…": "..", "∧": "&&", "∨": "||", "×": "*", "÷": "/", "⇒": "=>", "∉": "not in", "&": "&&",
}  # fmt: skip
"""What someone meant who wrote this character."""

_SIGNS = {"\\+": ("not", "foreign"), "\\=": ("!=", "foreign"), "\\==": ("!=", "foreign")}
"""Signs of other languages, ours, and the note that says so."""

_BEGINNINGS = frozenset((K.EOF, K.SEMI, K.COMMA, K.LBRACE, K.RBRACE))
"""What an attribute stands behind."""

_OPERANDS = frozenset(K.NAME) | K.LITERAL | {K.RPAREN, K.RBRACKET}
"""What a sign between two operands stands behind."""


def lexical_problems(tokens: list[str], kinds: list[int], bad: list[int]) -> list[Problem]:
    """Problems of the marked tokens, with offsets from the first token; runs of wrong characters give one."""
    starts = offsets(tokens)
    found: list[Problem] = []
    skip = previous = -2
    for number, place in enumerate(bad):
        if place == skip:
            continue
        run = kinds[place] == K.ERROR and place == previous + 1 and kinds[previous] == K.ERROR
        partner = _closing_quote(tokens, kinds, bad, number)
        if partner is not None:
            found.append(_foreign_quotes(tokens[place], starts[place], starts[partner]))
            skip = partner
        elif not run:
            before = _before(kinds, place)
            found.extend(_problems(tokens[place], kinds[place], starts[place], before))
        previous = place
    return found


def _before(kinds: list[int], place: int) -> int:
    """Kind of the significant token before a place; EOF when there is none."""
    return next((kinds[at] for at in range(place - 1, -1, -1) if kinds[at] > K.ERROR), K.EOF)


def _closing_quote(tokens: list[str], kinds: list[int], bad: list[int], number: int) -> int | None:
    """The next marked token, when it and this one are foreign quotes around a text on one line."""
    if number + 1 == len(bad) or _INSTEAD.get(tokens[bad[number]]) != '"':
        return None
    first, second = bad[number], bad[number + 1]
    return second if _INSTEAD.get(tokens[second]) == '"' and K.NEWLINE not in kinds[first:second] else None


def _foreign_quotes(quote: str, start: int, end: int) -> Problem:
    edits = (Edit(start, start + 1, '"'), Edit(end, end + 1, '"'))
    return Problem("OE0004", start, start + 1, args(found=quote, codepoint=f"U+{ord(quote):04X}"),
                   notes=(Note("suggest", args(suggestion='"')),),
                   fixes=(Fix("replace", edits, args(suggestion='"')),))  # fmt: skip


def _problems(token: str, kind: int, start: int, before: int) -> Iterator[Problem]:
    end = start + len(token)
    if kind == K.STRING and token[0] == "'":
        whole = len(token) > 1 and token[-1] == "'"
        yield _foreign_quotes("'", start, end - 1) if whole else _wrong_character(token, start)
    elif kind == K.LINE_COMMENT:
        yield _instead("#", start, start + 1, "//", "comment")
    elif kind == K.ERROR and token in _SIGNS:
        yield _instead(token, start, end, *_SIGNS[token])
    elif kind == K.ERROR and token[0] == "&" and before not in _OPERANDS:
        yield _instead(token, start, end, "", "no_reference")
    elif kind == K.ERROR and token[0] == "@" and len(token) > 1 and before in _BEGINNINGS:
        yield _instead(token, start, end, f"#[{token[1:]}]", "attribute")
    elif kind == K.STRING:
        yield from _string_problems(token, start)
    elif kind == K.BLOCK_COMMENT and not closed(token):
        yield _unterminated("block comment", start, start + 2, end, "*/", nested=token.count("/*") > 1)
    elif kind in (K.INT, K.DECIMAL):
        yield Problem("OE0010", start, end, args(found=token), notes=(Note(_number_note(token)),))
    elif kind in (K.DATE, K.DATETIME):
        yield _date_problem(token, kind, start)
    elif kind == K.IDENT:
        yield _mixed(token, start)
    elif kind == K.ERROR:
        yield _wrong_character(token, start)


def _instead(token: str, start: int, end: int, ours: str, note: str) -> Problem:
    """A sign of another language, with ours; an empty one is to be removed."""
    fix = Fix("replace" if ours else "remove", (Edit(start, end, ours),), args(suggestion=ours), safe=False)
    return Problem("OE0004", start, end, args(found=token, codepoint=f"U+{ord(token[0]):04X}"),
                   notes=(Note(note, args(suggestion=ours, found=token)),), fixes=(fix,))  # fmt: skip


def _unterminated(kind: str, start: int, shown: int, end: int, close: str, *, nested: bool = False) -> Problem:
    notes = (Note("nested"),) if nested else (Note("close", args(suggestion=close)),)
    fix = Fix("insert", (Edit(end, end, close),), args(suggestion=close), safe=False)
    return Problem("OE0003", start, shown, args(kind=kind), notes=notes, fixes=(fix,))


def _string_problems(token: str, start: int) -> Iterator[Problem]:
    if not string_closed(token):
        end = start + len(token.rstrip(" \t);,]}")) if len(token.strip('"); ,]}\t')) else start + len(token)
        yield _unterminated("string", start, start + len(token), end, '"')
        return
    for low, high in wrong_escapes(token):
        escape = token[low:high]
        note = "codepoint" if escape.startswith("\\u") else "known"
        mended = "\\" + escape
        fix = Fix("replace", (Edit(start + low, start + high, mended),), args(suggestion=mended), safe=False)
        yield Problem("OE0008", start + low, start + high, args(found=escape), notes=(Note(note),), fixes=(fix,))


def _number_note(token: str) -> str:
    tail = token.lstrip("0123456789_.")
    if tail[:1] in ("e", "E"):
        return "no_exponent"
    return "no_suffix" if tail and tail.isalpha() else "digits"


def _date_problem(token: str, kind: int, start: int) -> Problem:
    end = start + len(token)
    if not date_closed(token):
        return _unterminated("date", start, end, end, "#")
    what = "a date-time" if kind == K.DATETIME else "a date"
    note, values = date_fault(token) or ("form", {})
    fixes: tuple[Fix, ...] = ()
    if note == "offset" and token[-2:-1].isdigit() and "+" not in token:
        mended = token[:-1] + "Z#"
        fixes = (Fix("replace", (Edit(end - 1, end - 1, "Z"),), args(suggestion=mended), safe=False),)
    notes = (Note(note, args(**values)),)
    return Problem("OE0013", start, end, args(found=token, expected=what), notes=notes, fixes=fixes)


def _mixed(token: str, start: int) -> Problem:
    found = scripts(token)
    names = " and ".join(name.capitalize() for name in found)
    plain = "".join(LOOKALIKES.get(each, each) for each in token)
    notes: tuple[Note, ...] = ()
    fixes: tuple[Fix, ...] = ()
    if plain != token and len(scripts(plain)) == 1:
        odd = next(each for each in token if each in LOOKALIKES)
        notes = (Note("looks", args(found=odd, expected=LOOKALIKES[odd])), Note("suggest", args(suggestion=plain)))
        fixes = (Fix("replace", (Edit(start, start + len(token), plain),), args(suggestion=plain), safe=False),)
    return Problem("OW0006", start, start + len(token), args(name=token, scripts=names), notes=notes, fixes=fixes)


def _wrong_character(token: str, start: int) -> Problem:
    character = token[0]
    code = f"U+{ord(character):04X}"
    instead = _INSTEAD.get(character) or _compatible(character)
    if character.isspace() or unicodedata.category(character) in ("Cf", "Cc", "Zs", "Zl", "Zp"):
        fix = Fix("replace", (Edit(start, start + 1, " "),), args(suggestion=" "), safe=False)
        return Problem("OE0004", start, start + 1, args(found=_visible(character), codepoint=code),
                       notes=(Note("invisible"),), fixes=(fix,))  # fmt: skip
    notes = (Note("suggest", args(suggestion=instead)),) if instead else ()
    change = Fix("replace", (Edit(start, start + 1, instead),), args(suggestion=instead), safe=False) if instead else (
        Fix("remove", (Edit(start, start + 1, ""),), safe=False))  # fmt: skip
    return Problem("OE0004", start, start + 1, args(found=_visible(character), codepoint=code), notes=notes,
                   fixes=(change,))  # fmt: skip


def _visible(character: str) -> str:
    """The character, or its escape where it would not show or could not be encoded."""
    return character if character.isprintable() and not character.isspace() else f"\\u{{{ord(character):x}}}"


def _compatible(character: str) -> str:
    """The ASCII punctuation that a full-width or otherwise compatible character stands for; empty when none."""
    plain = unicodedata.normalize("NFKC", character)
    return plain if plain.isascii() and plain != character else ""
