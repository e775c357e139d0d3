"""The verbs: fn, derive, query, check, mutate; and test (language reference §3.8, §3.12)."""

from __future__ import annotations

from argon_lang.problems import Edit
from argon_lang.syntax import kinds as K
from argon_lang.syntax.parser import atoms, exprs, selects, stmts, words
from argon_lang.syntax.parser.clauses import end_item, unwanted
from argon_lang.syntax.parser.cursor import Cursor
from argon_lang.syntax.parser.habits import source, tell
from argon_lang.syntax.parser.lists import bracketed, name, path_element
from argon_lang.syntax.parser.starts import EXPR_START, NAME_START, PATH_START
from argon_lang.syntax.parser.type_forms import generics, return_type, type_

_PARAM_START = NAME_START | {K.KW_SELF}
_HEAD_FOREIGN = frozenset((K.EQ, K.COLON, K.KW_IF, K.LT, K.LT_EQ, K.ARROW, K.LBRACE))


def fn(p: Cursor) -> int:
    """`fn f(…) -> T = e;` or with a block."""
    p.pos += 1
    name(p, "a function")
    generics(p)
    named = p.pos - 1
    params(p)
    if p.kinds[p.pos] == K.LBRACE:
        tell(p, "returns", p.pos, p.pos, "`->`", name=p.text(named))
        p.last = p.pos
    else:
        return_type(p)
    if p.kinds[p.pos] in (K.LBRACE, K.COLON):
        stmts.value_block(p)
        p.accept(K.SEMI)
        return K.N_FN_DECL
    first, first_node = p.pos, len(p.out)
    if p.accept(K.EQ):
        exprs.condition(p)
        p.close(K.N_INITIALIZER, first, first_node)
        end_item(p, "the function")
    elif p.member:
        end_item(p, "the function")
    elif p.kinds[p.pos] == K.SEMI or p.ends_here() or p.newline_before(p.pos):
        end_item_or_body(p, "the head of the function", "`=`")
    else:
        p.expected("`=`", "`{`")
        p.skip(frozenset((K.SEMI,)))
        p.accept(K.SEMI)
    return K.N_FN_DECL


def end_item_or_body(p: Cursor, construct: str, body: str) -> None:
    """A head that a body must follow: OE0011 names what could."""
    place = p.after()
    p.report("OE0011", place, place, {"expected": words.one_of((body, "`{`")), "construct": construct})
    p.accept(K.SEMI)


def params(p: Cursor) -> None:
    """`(a: T, …)`, which must be here."""
    if p.kinds[p.pos] != K.LPAREN:
        p.expect(K.LPAREN)
        return
    bracketed(p, K.LPAREN, K.RPAREN, _param, _PARAM_START, K.N_PARAMS)


def _param(p: Cursor) -> None:
    first, first_node = p.pos, len(p.out)
    if p.accept(K.KW_SELF):
        p.close(K.N_SELF_PARAM, first, first_node)
        return
    name(p, "a parameter")
    if p.pos > first:
        if p.expect(K.COLON):
            type_(p)
        if p.kinds[p.pos] == K.EQ:
            _default(p)
        p.close(K.N_PARAM, first, first_node)


def _default(p: Cursor) -> None:
    """`n: T = e`: a parameter has no default."""
    first = p.pos
    p.pos += 1
    exprs.expr(p)
    edits = [Edit(p.end(first - 1), p.end(p.pos - 1), "")]
    tell(p, "no_default", first, first, "`,` or `)`", edits=edits)


def derive(p: Cursor) -> int:
    """`derive p(…) :- atom, …;`."""
    p.pos += 1
    return derive_rest(p)


def derive_rest(p: Cursor) -> int:
    """A rule, its word read."""
    name(p, "a predicate")
    _head(p)
    if p.kinds[p.pos] == K.ARROW:
        unwanted(p, "`derive`", "result type", return_type)
    if p.member and p.accept(K.SEMI):
        return K.N_DERIVE_DECL
    if _turnstile(p):
        atoms.body(p)
        if not _either(p):
            end_item(p, "the rule")
    else:
        end_item(p, "the head of the rule", expected="`:-` or `;`")
    return K.N_DERIVE_DECL


def _either(p: Cursor) -> bool:
    """`a(x); b(x)`: a second body behind the `;`, on the same line, told and read; False when there is none."""
    after = p.pos + 1
    p.far = max(p.far, after + 2)
    if p.kinds[p.pos] != K.SEMI or p.kinds[after] < K.IDENT or p.kinds[after + 1] != K.LPAREN:
        return False
    if p.newline_before(after):
        return False
    sign = next((at for at in range(p.first, p.pos) if p.kinds[at] == K.TURNSTILE), p.pos)
    again = f";\n{source(p, p.first, sign)} "
    edits = [Edit(p.start(p.pos), p.start(after), again)] if sign < p.pos else []
    tell(p, "either", p.pos, p.pos, "`,`", edits=edits, suggestion=f"{source(p, p.first, sign)} …;")
    p.mute = True
    p.pos += 1
    atoms.body(p)
    p.accept(K.SEMI)
    return True


def _turnstile(p: Cursor) -> bool:
    """`:-`, or what other languages have in its place, corrected."""
    if p.accept(K.TURNSTILE):
        return True
    kind, following = p.kinds[p.pos], p.kinds[p.pos + 1]
    if kind not in _HEAD_FOREIGN or kind == K.LBRACE or p.pos == p.last:
        return False
    double = (kind, following) in ((K.COLON, K.EQ), (K.LT, K.MINUS))
    p.foreign(":-", expected="`:-`", end=p.pos + double)
    p.pos += 1 + double
    return True


def check(p: Cursor) -> int:
    """`check c(…) :- atom, … => e;`."""
    p.pos += 1
    name(p, "a check")
    _head(p)
    if p.kinds[p.pos] == K.ARROW:
        unwanted(p, "`check`", "result type", return_type)
    if p.member and p.accept(K.SEMI):
        return K.N_CHECK_DECL
    if _turnstile(p):
        atoms.body(p)
        _report(p)
    else:
        p.expected("`:-`")
    end_item(p, "the check")
    return K.N_CHECK_DECL


def _report(p: Cursor) -> None:
    first, first_node = p.pos, len(p.out)
    if p.expect(K.FAT_ARROW):
        exprs.expr(p)
        p.close(K.N_REPORT, first, first_node)


def _head(p: Cursor) -> None:
    if p.kinds[p.pos] != K.LPAREN:
        p.expect(K.LPAREN)
        return
    if p.enter():
        bracketed(p, K.LPAREN, K.RPAREN, _head_param, EXPR_START, K.N_HEAD_PARAMS)
    p.depth -= 1


def _head_param(p: Cursor) -> None:
    first, first_node = p.pos, len(p.out)
    following = p.kinds[first + 1]
    if p.kinds[first] >= K.IDENT and following in (K.COMMA, K.COLON, K.RPAREN):
        name(p)
        if p.accept(K.COLON):
            type_(p)
        p.close(K.N_HEAD_VAR, first, first_node)
    else:
        exprs.expr(p)


def query(p: Cursor) -> int:
    """`query q(…) -> T { select }`, or without a body."""
    p.pos += 1
    name(p, "a query")
    params(p)
    return_type(p)
    _across(p)
    while p.kinds[p.pos] == K.KW_AS_OF:
        first, first_node = p.pos, len(p.out)
        p.pos += 1
        exprs.head_value(p)
        p.close(K.N_AS_OF_CLAUSE, first, first_node)
    if p.kinds[p.pos] == K.LBRACE:
        _query_body(p)
    else:
        end_item(p, "the query", expected="`{` or `;`")
    return K.N_QUERY_DECL


def _query_body(p: Cursor) -> None:
    opener = p.pos
    p.pos += 1
    selects.select(p)
    p.accept(K.SEMI)
    atoms.close_brace(p, opener)
    p.accept(K.SEMI)


def _across(p: Cursor) -> None:
    first, first_node = p.pos, len(p.out)
    if p.accept(K.KW_ACROSS):
        if p.expect(K.LBRACKET):
            p.pos -= 1
            at = len(p.out)
            bracketed(p, K.LBRACKET, K.RBRACKET, path_element, PATH_START, K.N_ACROSS_CLAUSE)
            if len(p.out) > at:
                p.out.pop()
        p.close(K.N_ACROSS_CLAUSE, first, first_node)


def mutate(p: Cursor) -> int:
    """`mutate m(…) -> T { … }`."""
    p.pos += 1
    name(p, "a mutation")
    params(p)
    if p.kinds[p.pos] in (K.ARROW, K.COLON):
        return_type(p)
    if p.kinds[p.pos] in (K.KW_ACROSS, K.KW_AS_OF):
        word = words.quoted(p.kinds[p.pos])
        unwanted(p, "`mutate`", word, _across if p.kinds[p.pos] == K.KW_ACROSS else _as_of)
    if p.member and p.accept(K.SEMI):
        return K.N_MUTATE_DECL
    _body(p, "the head of the mutation")
    return K.N_MUTATE_DECL


def _as_of(p: Cursor) -> None:
    p.pos += 1
    exprs.head_value(p)


def _body(p: Cursor, construct: str) -> None:
    if p.kinds[p.pos] == K.LBRACE:
        stmts.stmt_block(p)
        p.accept(K.SEMI)
    elif p.kinds[p.pos] == K.SEMI or p.ends_here():
        place = p.after()
        p.report("OE0011", place, place, {"expected": words.BODY, "construct": construct})
        p.accept(K.SEMI)
    else:
        at = p.pos
        stmts.stmt_block(p)
        if p.pos == at:
            p.skip(frozenset((K.SEMI, K.LBRACE)))
            if p.kinds[p.pos] == K.LBRACE:
                stmts.stmt_block(p)
        p.accept(K.SEMI)


def test(p: Cursor) -> int:
    """`test "…" { … }`."""
    p.pos += 1
    if not p.accept(K.STRING):
        p.expected(words.STRING)
        if p.kinds[p.pos] >= K.IDENT:
            p.pos += 1
    p.in_test = True
    _body(p, "the title of the test")
    p.in_test = False
    return K.N_TEST_DECL
