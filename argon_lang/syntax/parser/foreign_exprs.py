"""Expressions and conditions as other languages write them: read as ours, with one message that gives our form."""

from __future__ import annotations

import re

from argon_lang.problems import Edit
from argon_lang.syntax import kinds as K
from argon_lang.syntax.parser import exprs, words
from argon_lang.syntax.parser.cursor import CLOSERS, OPENERS, Cursor
from argon_lang.syntax.parser.habits import line_end, partner, replacing, source, tell
from argon_lang.syntax.parser.starts import EXPR_START

OPERATORS = {"and": "&&", "or": "||", "eq": "==", "ne": "!=", "div": "/", "xor": "!="}
NOTHING = frozenset(("null", "none", "nil", "nothing", "undefined"))
_AGGREGATES = frozenset((K.CTX_SUM, K.CTX_COUNT, K.CTX_MIN, K.CTX_MAX, K.CTX_AVG, K.CTX_COLLECT))
_PREFIXES = frozenset(("f", "F", "r", "b", "rb", "u"))
_HOLE = re.compile(r"\{([^{}:!]+)\}")
_VALUES_ONLY = frozenset((K.DOT, K.PLUS, K.MINUS, K.STAR, K.SLASH, K.PERCENT))
_ENDS = frozenset((K.COMMA, K.SEMI, K.FAT_ARROW, K.EOF)) | CLOSERS | K.SELECT_CLAUSE
_BLOCK_END = frozenset((K.SEMI, K.EOF, K.RBRACE))

FOLLOWS = [False] * (len(K.TOKEN_NAMES) + 1)
"""Token kinds that a foreign form may put behind an operand, where none of ours can stand."""

for _kind in (K.IDENT, K.KW_IF, K.CTX_AS, K.STRING):
    FOLLOWS[_kind] = True


def behind(p: Cursor, kind: int, minimum: int, first: int, first_node: int) -> bool:
    """What another language puts behind an operand: told, and read as ours. False when it is nothing known."""
    if p.newline_before(p.pos):
        return False
    if kind == K.KW_IF:
        return minimum == 0 and _ternary(p, first, first_node)
    if kind == K.CTX_AS:
        return p.atom_at != first and _cast(p, first, first_node)
    if kind == K.STRING:
        return _prefixed_string(p, first, first_node)
    return _word(p, minimum, first, first_node)


def _word(p: Cursor, minimum: int, first: int, first_node: int) -> bool:
    text, following = p.text(p.pos).lower(), p.kinds[p.pos + 1]
    if p.pos == first + 1 and p.text(first) == "lambda":
        return _lambda(p, first, first_node)
    if p.pos == first + 1 and p.kinds[first] in _AGGREGATES and (opener := _braces_behind(p)):
        return _aggregate(p, first, opener, first_node)
    if p.pos == first + 1 and p.text(first) == "case" and text == "when":
        tell(p, "ternary", first, p.pos, words.EXPRESSION, suggestion="if c { a } else { b }")
        return _swallowed(p, first_node)
    if text in ("like", "between") and following in EXPR_START:
        return _sql_operator(p, text, first, first_node)
    ours = OPERATORS.get(text)
    if ours is None or following not in EXPR_START | {K.KW_NOT}:
        return False
    binding = 20 if ours == "&&" else 10 if ours == "||" else exprs.COMPARISON
    if binding <= minimum or (ours == "&&" and minimum == 0 and p.atom_at == first):
        return False
    p.foreign(ours, expected=f"`{ours}`")
    p.pos += 1
    exprs.expr(p, binding)
    p.close(K.N_BINARY, first, first_node)
    return True


def _swallowed(p: Cursor, first_node: int) -> bool:
    """Skip to the end of the expression; what was told is all there is to tell."""
    first = p.pos
    p.skip(_BLOCK_END)
    if p.pos == first:
        p.pos += 1
    p.last = p.pos
    return True


def _ternary(p: Cursor, first: int, first_node: int) -> bool:
    """`a if c else b`."""
    end = line_end(p, p.pos)
    middle = next((at for at in range(p.pos, end) if p.kinds[at] == K.KW_ELSE), None)
    if middle is None or p.kinds[p.pos + 1] not in EXPR_START:
        return False
    stop = _end_of_value(p, middle + 1)
    value, other = source(p, first, p.pos - 1), source(p, middle + 1, stop)
    ours = f"if {source(p, p.pos + 1, middle - 1)} {{ {value} }} else {{ {other} }}"
    tell(p, "ternary", p.pos, p.pos, "`;`", edits=[replacing(p, first, stop, ours)], suggestion=ours)
    p.pos += 1
    exprs.expr(p, 1)
    if p.accept(K.KW_ELSE):
        exprs.expr(p, 1)
    p.close(K.N_PAREN_EXPR, first, first_node)
    return True


def _end_of_value(p: Cursor, pos: int) -> int:
    """The last token before what ends a value: a comma, a semicolon, a closing bracket."""
    depth = 0
    while pos < p.count:
        kind = p.kinds[pos]
        if depth == 0 and kind in _ENDS:
            break
        depth += (kind in OPENERS) - (kind in CLOSERS)
        pos += 1
    p.far = max(p.far, pos + 1)
    return pos - 1


def _cast(p: Cursor, first: int, first_node: int) -> bool:
    """`x as T`."""
    if p.kinds[p.pos + 1] < K.IDENT:
        return False
    name = p.text(p.pos + 1)
    edits, suggestion = [], ""
    if name in ("Int", "Real", "Decimal", "Money", "f64"):
        suggestion = f".to_{name.lower()}()"
        edits = [Edit(p.end(p.pos - 1), p.end(p.pos + 1), suggestion)]
    tell(p, "cast" if suggestion else "column", p.pos, p.pos, "`;`", edits=edits, suggestion=suggestion, name=name)
    p.pos += 2
    p.close(K.N_PAREN_EXPR, first, first_node)
    return True


def _prefixed_string(p: Cursor, first: int, first_node: int) -> bool:
    """`f"…{x}…"`, and three quotes in a row."""
    if not p.adjacent(p.pos) or p.pos != first + 1:
        return False
    text = p.text(p.pos)
    if p.text(first) == '""':
        more = p.kinds[p.pos + 1] == K.STRING and p.text(p.pos + 1) == '""'
        last = p.pos + more
        tell(p, "one_quote", first, last, words.STRING, edits=[replacing(p, first, last, text)], suggestion=text)
        p.pos = last + 1
        return True
    if p.text(first) not in _PREFIXES:
        return False
    holes = _HOLE.findall(text)
    ours = f"format!({', '.join([_HOLE.sub('{}', text), *holes])})" if holes else text
    tell(p, "foreign", first, p.pos, words.EXPRESSION, edits=[replacing(p, first, p.pos, ours)], suggestion=ours,
         found=source(p, first, p.pos))  # fmt: skip
    p.pos += 1
    return True


def _lambda(p: Cursor, first: int, first_node: int) -> bool:
    """`lambda x, y: e`."""
    colon = next((at for at in range(p.pos, min(p.count, p.pos + 16)) if p.kinds[at] == K.COLON), None)
    if colon is None:
        return False
    ours = f"|{source(p, p.pos, colon - 1)}|"
    tell(p, "foreign", first, colon, words.EXPRESSION, edits=[replacing(p, first, colon, ours)], suggestion=ours,
         found=source(p, first, colon))  # fmt: skip
    p.pos = colon + 1
    exprs.expr(p)
    p.close(K.N_PAREN_EXPR, first, first_node)
    return True


def _braces_behind(p: Cursor) -> int:
    """The `{` of `min x : { … }` within a few tokens, or 0."""
    for at in range(p.pos, min(p.count, p.pos + 12)):
        if p.kinds[at] == K.COLON:
            p.far = max(p.far, at + 2)
            return at + 1 if p.kinds[at + 1] == K.LBRACE else 0
        if p.kinds[at] in _BLOCK_END or p.kinds[at] == K.COMMA:
            break
    return 0


def _aggregate(p: Cursor, first: int, opener: int, first_node: int) -> bool:
    """`count : { … }`, `min x : { … }`, the opening brace at `opener`."""
    close = partner(p, opener)
    if close >= p.count:
        return False
    body, word = source(p, opener + 1, close - 1), p.text(first)
    value = source(p, first + 1, opener - 2)
    ours = f"{word}({value}, {body})" if value else f"{word} {{ {body} }}"
    tell(p, "aggregate_form", first, opener - 1, words.EXPRESSION, edits=[replacing(p, first, close, ours)],
         suggestion=ours)  # fmt: skip
    p.pos = close + 1
    return True


def aggregate_colon(p: Cursor, first: int, first_node: int) -> bool:
    """`count : { … }`, met at the colon behind the word."""
    if p.kinds[first] not in _AGGREGATES or p.pos != first + 1 or p.kinds[p.pos + 1] != K.LBRACE:
        return False
    return _aggregate(p, first, p.pos + 1, first_node)


def _sql_operator(p: Cursor, word: str, first: int, first_node: int) -> bool:
    """`x like "A%"`, `x between a and b`."""
    value, at = source(p, first, p.pos - 1), p.pos
    if word == "like":
        pattern = p.text(at + 1).strip('"')
        method = "ends_with" if pattern.startswith("%") else "starts_with"
        method = "contains" if pattern.startswith("%") and pattern.endswith("%") else method
        ours = f'{value}.{method}("{pattern.strip("%")}")'
        stop = at + 1
    else:
        middle = next((pos for pos in range(at, line_end(p, at)) if p.text(pos).lower() == "and"), at + 1)
        stop = _end_of_value(p, middle + 1)
        ours = f"{value} >= {source(p, at + 1, middle - 1)} && {value} <= {source(p, middle + 1, stop)}"
    tell(p, "foreign", at, at, "`,`", edits=[replacing(p, first, stop, ours)], suggestion=ours,
         found=source(p, first, stop))  # fmt: skip
    p.pos = stop + 1
    p.close(K.N_PAREN_EXPR, first, first_node)
    return True


# -- where an expression is missing ------------------------------------------------------------------------------------


def instead(p: Cursor) -> bool:
    """A token that begins no expression, but does in another language; False, nothing read, when it is none."""
    kind, before = p.kinds[p.pos], p.kinds[p.pos - 1] if p.pos > p.first else K.EOF
    if p.newline_before(p.pos):
        return False
    if kind == K.KW_NOT:
        return _not(p)
    if kind == before and kind in (K.PLUS, K.MINUS) and p.kinds[p.pos + 1] in (K.SEMI, K.RBRACE, K.EOF):
        return _increment(p)
    if kind == K.GT and before == K.LT and p.adjacent(p.pos):
        return _operator(p, p.pos - 1, "!=")
    if kind == K.STAR and before == K.STAR and p.adjacent(p.pos):
        base = p.text(p.pos - 2)
        ours = f"{base}.pow({p.text(p.pos + 1)})"
        edit = replacing(p, p.pos - 2, p.pos + 1, ours)
        tell(p, "foreign", p.pos - 1, p.pos, words.EXPRESSION, edits=[edit], suggestion=ours, found="**")
        return _rest(p)
    if kind == K.KW_LET and before == K.KW_IF:
        return _if_let(p)
    if kind == K.STAR and before in (K.KW_SELECT, K.LPAREN):
        return _star(p, before)
    return False


def _rest(p: Cursor) -> bool:
    """The operand behind a sign that was told of."""
    p.pos += 1
    p.last = p.pos
    exprs.expr(p, exprs.COMPARISON)
    return True


def _if_let(p: Cursor) -> bool:
    """`if let P = x {`: told, and skipped to the block."""
    first, first_node = p.pos, len(p.out)
    tell(p, "if_let", first, first, words.EXPRESSION)
    while p.kinds[p.pos] not in _BLOCK_END and p.kinds[p.pos] != K.LBRACE:
        p.pos += 1
    p.last = p.pos
    p.close(K.N_ERROR, first, first_node)
    return True


def _increment(p: Cursor) -> bool:
    """`x.f++;` at the second sign."""
    at, first = p.pos, p.pos - 2
    if not p.adjacent(at) or p.kinds[at - 3] != K.DOT:
        return False
    while first > p.first and (p.kinds[first - 1] == K.DOT or p.kinds[first] == K.DOT):
        first -= 1
    ours = f"update {source(p, first, at - 4)} set {{ {p.text(at - 2)} {p.text(at)}= 1 }}"
    tell(p, "field_write", at - 1, at, "`;`", edits=[replacing(p, first, at, ours)], suggestion=ours)
    p.pos += 1
    p.last = p.pos
    return True


def _operator(p: Cursor, first: int, ours: str) -> bool:
    edit = replacing(p, first, p.pos, ours)
    tell(p, "foreign", first, p.pos, f"`{ours}`", edits=[edit], suggestion=ours, found=source(p, first, p.pos))
    return _rest(p)


def _not(p: Cursor) -> bool:
    """`not e` inside an expression."""
    first, first_node, known = p.pos, len(p.out), len(p.problems)
    p.pos += 1
    if p.enter():
        exprs.expr(p, 20)
    p.depth -= 1
    if len(p.problems) == known:
        simple = p.pos == first + 2 or p.kinds[first + 1] == K.LPAREN
        inner = source(p, first + 1, p.pos - 1)
        ours = f"!{inner}" if simple else f"!({inner})"
        tell(p, "foreign", first, first, words.EXPRESSION, edits=[replacing(p, first, p.pos - 1, ours)],
             suggestion=ours, found="not")  # fmt: skip
    p.close(K.N_UNARY, first, first_node)
    return True


def _star(p: Cursor, before: int) -> bool:
    """`select * from T`, `count(*)`."""
    first, first_node = p.pos, len(p.out)
    name = p.text(first + 2) if p.kinds[first + 1] == K.KW_FROM and p.kinds[first + 2] >= K.IDENT else "T"
    if before == K.LPAREN:
        tell(p, "star_argument", first, first, words.EXPRESSION)
    elif name != "T" and p.kinds[first + 3] == K.COLON:
        edits = [replacing(p, first, first, name)]
        tell(p, "star", first, first, words.EXPRESSION, edits=edits, suggestion=f"select {name} from {name}: …")
        p.stopped = first
    else:
        edits = [replacing(p, first, first + 2, f"x from x: {name}")] if name != "T" else []
        tell(p, "star", first, first, words.EXPRESSION, edits=edits, suggestion=f"select x from x: {name}")
        p.stopped = first
    p.pos += 1
    p.last = p.pos
    p.close(K.N_MISSING, first, first_node)
    return True


# -- conditions --------------------------------------------------------------------------------------------------------


def comparison(p: Cursor) -> bool:
    """`=<`, `=:=` and the like at a `=`: told and stepped over up to the operand."""
    kinds, at = p.kinds, p.pos
    if kinds[at + 1] == K.LT and p.adjacent(at + 1):
        ours, last = "<=", at + 1
    elif kinds[at + 1] == K.GT and p.adjacent(at + 1):
        ours, last = ">=", at + 1
    elif kinds[at + 1] == K.COLON and kinds[at + 2] == K.EQ and p.adjacent(at + 2):
        ours, last = "==", at + 2
    else:
        return False
    edit = replacing(p, at, last, ours)
    tell(p, "foreign", at, last, f"`{ours}`", edits=[edit], suggestion=ours, found=source(p, at, last))
    p.pos = last + 1
    return True


def is_value(p: Cursor, at: int, node: int, first: int, first_node: int) -> bool:
    """`x is null`, `n is a + 1` where `at` is the word `is`; its pattern is read already, from node `node` on."""
    negated = p.kinds[at + 1] == K.KW_NOT
    word = at + 1 + negated
    if p.text(word).lower() in NOTHING:
        value = source(p, first, at - 1)
        if p.atom_at == first:
            ours = f"exists {{ v = {value} }}" if negated else f"not exists {{ v = {value} }}"
        else:
            ours = value + (".is_some()" if negated else ".is_none()")
        tell(p, "no_null", at, word, "`==`", edits=[replacing(p, first, word, ours)], suggestion=ours)
    elif negated:
        del p.out[node:]
        tell(p, "foreign", at, at + 1, "`!=`", edits=[replacing(p, at, at + 1, "!=")], suggestion="!=", found="is not")
        p.pos = word
        exprs.expr(p, exprs.COMPARISON)
        p.close(K.N_BINARY, first, first_node)
        return True
    elif p.kinds[p.pos] in _VALUES_ONLY and not p.newline_before(p.pos):
        ours = "=" if p.atom_at == first and at == first + 1 else "=="
        tell(p, "is_value", at, at, f"`{ours}`", edits=[replacing(p, at, at, ours)], suggestion=ours)
        del p.out[node:]
        p.pos = at + 1
        exprs.expr(p, exprs.COMPARISON)
        p.close(K.N_BINARY, first, first_node)
        return True
    else:
        return False
    del p.out[node:]
    p.pos = word + 1
    p.last = -1
    p.close(K.N_PAREN_EXPR, first, first_node)
    return True


def several(p: Cursor, opener: int) -> bool:
    """`(a, b)` as a list of values, `(p(x); q(x))` as a choice: told, and skipped to the `)`."""
    kind = p.kinds[p.pos]
    close = partner(p, opener)
    if kind not in (K.COMMA, K.SEMI) or p.kinds[close] != K.RPAREN or close >= p.count:
        return False
    if kind == K.SEMI:
        tell(p, "either", p.pos, p.pos, "`)`")
    else:
        ours = f"[{source(p, opener + 1, close - 1)}]"
        edits = [replacing(p, opener, opener, "["), replacing(p, close, close, "]")]
        tell(p, "several", p.pos, p.pos, "`)`", edits=edits, suggestion=ours)
    p.out.append((K.N_ERROR, p.pos, close, len(p.out)))
    p.pos = close + 1
    return True


def macro(p: Cursor, first: int) -> None:
    """`println!(…)`, `vec![…]` at the `!`: told, and passed over with its brackets."""
    opener = p.pos + 1
    close = partner(p, opener)
    ours = source(p, opener, close) if p.text(first) == "vec" else ""
    edits = [replacing(p, first, close, ours)] if ours else []
    tell(p, "no_macro", first, p.pos, words.EXPRESSION, edits=edits, suggestion=ours)
    p.out.append((K.N_ERROR, p.pos, min(close + 1, p.count), len(p.out)))
    p.pos = min(close + 1, p.count)


def cut(p: Cursor, at: int) -> None:
    """Prolog's `!` as a condition, stepped over."""
    edits = [Edit(p.end(at - 2), p.end(at), "")] if p.kinds[at - 1] == K.COMMA else []
    tell(p, "cut", at, at, words.ATOM, edits=edits)


def named_argument(p: Cursor, at: int) -> None:
    """`f(n = 3)` at the `=` behind the argument that began at `at`: told, and the value read."""
    edits = [Edit(p.start(at), p.start(p.pos + 1), "")]
    tell(p, "by_place", at, p.pos, "`,` or `)`", edits=edits, suggestion=p.text(p.pos + 1))
    p.pos += 1
    exprs.expr(p)


def list_pattern(p: Cursor, opener: int) -> bool:
    """`[h | t]` at the `|`: told, and skipped to the `]`."""
    close = partner(p, opener)
    if p.kinds[p.pos] != K.PIPE or p.kinds[close] != K.RBRACKET or close >= p.count:
        return False
    tell(p, "list_pattern", p.pos, p.pos, "`,` or `]`")
    p.out.append((K.N_ERROR, p.pos, close, len(p.out)))
    p.pos = close + 1
    return True
