"""Items as other languages begin them: rules and facts without their word, tables, classes, functions, directives."""

from __future__ import annotations

from collections.abc import Callable

from argon_lang.problems import Edit
from argon_lang.syntax import kinds as K
from argon_lang.syntax.parser import modules, rules, words
from argon_lang.syntax.parser.cursor import Cursor
from argon_lang.syntax.parser.habits import line_end, partner, replacing, source, tell

_WORDS = {
    "def": "fn", "func": "fn", "function": "fn", "fun": "fn", "rule": "derive", "predicate": "derive",
    "procedure": "mutate", "action": "mutate", "transaction": "mutate", "import": "use", "include": "use",
    "using": "use", "constraint": "check", "invariant": "check",
}  # fmt: skip
"""First words of other languages, and ours."""

_FORMS = {"fn": "function_form", "derive": "rule_form", "mutate": "write_form", "use": "use_form", "check": "rule_form"}
_CONSTANTS = frozenset(("const", "static", "var", "val", "let", "final"))
_WRITES = frozenset(("insert", "update", "delete", "drop", "alter"))
_TABLES = frozenset(("table", "type", "class", "view"))
_RULE_SIGNS = frozenset((K.TURNSTILE, K.LT_EQ, K.KW_IF))

PassOver = Callable[[Cursor], None]


def foreign_item(p: Cursor, pass_over: PassOver) -> int | None:
    """The item here as one of another language: told in one message and passed over or read; None when it is none."""
    kind, following = p.kinds[p.pos], p.kinds[p.pos + 1]
    if kind >= K.IDENT and following == K.LPAREN:
        return _bare_head(p)
    if kind >= K.IDENT:
        return _by_word(p, pass_over)
    if kind in (K.MINUS, K.PERCENT) and (kind == K.PERCENT or (following == K.MINUS and p.adjacent(p.pos + 1))):
        return _comment(p)
    if kind == K.QUESTION or kind == K.TURNSTILE:
        return _goal(p, pass_over)
    if kind == K.DOT and following >= K.IDENT:
        return _declared(p, pass_over)
    if kind in (K.KW_SELECT, K.KW_FROM, K.KW_LET, K.KW_INSERT, K.KW_UPDATE, K.KW_DELETE):
        return _by_word(p, pass_over)
    return None


def _bare_head(p: Cursor) -> int | None:
    """`p(a) :- …` without `derive`, `p(a, b).` without `fact`."""
    close = partner(p, p.pos + 1)
    after = p.kinds[close + 1] if close < p.count else K.EOF
    first = p.pos
    if after in _RULE_SIGNS or (after == K.LT and p.kinds[close + 2] == K.MINUS):
        return _read(p, first, "rule_head", "derive ", rules.derive_rest)
    ends = after in (K.SEMI, K.DOT, K.EOF) or p.newline_before(close + 1)
    return _read(p, first, "fact_head", "fact ", modules.fact_rest) if ends and p.kinds[close] == K.RPAREN else None


def _read(p: Cursor, first: int, key: str, word: str, rest: Callable[[Cursor], int]) -> int:
    """Read an item that only lacks its word, and tell of it together with the full stop it may end with."""
    p.mute, p.stopped = True, -1
    node = rest(p)
    p.mute = False
    start = p.start(first)
    edits = [Edit(start, start, word)]
    if p.stopped >= 0:
        edits.append(replacing(p, p.stopped, p.stopped, ";"))
    suggestion = word + p.text(first) + source(p, first + 1, partner(p, first + 1))
    tell(p, key, first, first, words.ITEM, edits=edits, suggestion=suggestion, name=p.text(first))
    p.mute = True
    return node


def _comment(p: Cursor) -> int:
    """A comment in the signs of another language: the rest of its line."""
    first, last = p.pos, line_end(p, p.pos)
    sign = first if p.kinds[first] == K.PERCENT else first + 1
    tell(p, "comment", first, sign, words.ITEM, edits=[replacing(p, first, sign, "//")], suggestion="//")
    p.pos = last + 1
    p.out.append((K.N_ERROR, first, p.pos, len(p.out)))
    return K.N_ERROR_ITEM


def _goal(p: Cursor, pass_over: PassOver) -> int:
    """`?- goal.` and `:- directive.`"""
    first = p.pos
    goal = p.kinds[first] == K.QUESTION
    sign = first + 1 if goal and p.kinds[first + 1] == K.MINUS else first
    last = line_end(p, first)
    asked = source(p, sign + 1, last).rstrip(".")
    row = next((p.text(at) for at in range(sign + 3, last) if p.kinds[at] == K.IDENT), "x")
    tell(p, "ask" if goal else "directive", first, sign, words.ITEM, suggestion=f"select {row} from {asked}")
    return _passed(p, pass_over)


def _declared(p: Cursor, pass_over: PassOver) -> int:
    """`.decl edge(x: T, y: T)`, `.input edge`."""
    first, last = p.pos, line_end(p, p.pos)
    edits: list[Edit] = []
    suggestion = ""
    if p.text(first + 1) == "decl":
        suggestion = f"rel {source(p, first + 2, last)};"
        edits = [replacing(p, first, last, suggestion)]
    tell(p, "directive", first, first + 1, words.ITEM, edits=edits, suggestion=suggestion)
    p.pos = last
    return _passed(p, pass_over)


def _passed(p: Cursor, pass_over: PassOver) -> int:
    p.mute = True
    pass_over(p)
    return K.N_ERROR_ITEM


def _by_word(p: Cursor, pass_over: PassOver) -> int | None:
    """An item by its first word: `def`, `class`, `const`, `CREATE TABLE`, `SELECT`, `import`."""
    first, text = p.pos, p.text(p.pos)
    lower = text.lower()
    if lower in ("create", "alter", "drop") and p.text(first + 1).lower() in _TABLES:
        tell(p, "concept_form", first, first + 1, words.ITEM, name=p.text(first + 2) or "T")
    elif lower == "select":
        tell(p, "ask", first, first, words.ITEM, suggestion=source(p, first, line_end(p, first)).rstrip(";"))
    elif lower in _WRITES and p.kinds[first + 1] not in (K.LPAREN, K.LBRACE, K.SEMI) and p.kinds[first + 2] != K.LBRACE:
        tell(p, "write_form", first, first, words.ITEM, name="m")
    elif text in _CONSTANTS and _is_constant(p):
        named = first + 1 + (p.kinds[first + 1] == K.CTX_MUT)
        tell(p, "constant", first, first, words.ITEM, name=p.text(named).lower())
    elif text == "from" and p.kinds[first + 1] >= K.IDENT:
        tell(p, "use_form", first, first, words.ITEM)
    elif text == "class" and p.kinds[first + 2] == K.COLON and p.newline_before(first + 3):
        tell(p, "concept_form", first, first, words.ITEM, name=p.text(first + 1))
    elif (ours := _WORDS.get(text)) is not None and _reads_foreign(p, ours):
        edit, name = replacing(p, first, first, ours), p.text(first + 1)
        edits = [] if p.kinds[line_end(p, first)] == K.COLON else [edit]
        tell(p, _FORMS[ours], first, first, words.ITEM, edits=edits, suggestion=ours, name=name)
    else:
        return None
    p.pos += 1
    return _passed(p, pass_over)


def _is_constant(p: Cursor) -> bool:
    """Whether `word name = …` or `word name: T = …` follows, which declares no concept."""
    pos = p.pos + 1 + (p.kinds[p.pos + 1] == K.CTX_MUT)
    if p.kinds[pos] < K.IDENT or p.newline_before(pos):
        return False
    last = line_end(p, pos)
    return any(p.kinds[at] == K.EQ for at in range(pos + 1, min(last + 1, pos + 8)))


def _reads_foreign(p: Cursor, ours: str) -> bool:
    """Whether what follows the word fits the foreign item and not a declaration by a vocabulary of that name."""
    following, third = p.kinds[p.pos + 1], p.kinds[p.pos + 2]
    if following < K.IDENT:
        return False
    if ours == "use":
        return third in (K.COLON_COLON, K.DOT, K.SEMI, K.EOF) or third >= K.IDENT or p.newline_before(p.pos + 2)
    return third == K.LPAREN and not _is_relation(p)


def _is_relation(p: Cursor) -> bool:
    """Whether `word name(…)` ends as a relation does."""
    after = partner(p, p.pos + 2) + 1
    return p.kinds[min(after, p.count)] in (K.SEMI, K.LBRACE, K.LBRACKET, K.SUBTYPE)
