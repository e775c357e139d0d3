"""Expressions by precedence climbing (language reference §3.10).

`expr` is the hottest function of the parser, so names, calls and field steps are handled in line. A missing
expression leaves a `Missing` node: the parts of the node around it keep their positions.
"""

from __future__ import annotations

from argon_lang.problems import Edit, Fix, Note, Related, args
from argon_lang.syntax import kinds as K
from argon_lang.syntax.parser import foreign_exprs, forms, steps, words
from argon_lang.syntax.parser.cursor import SEGMENT_KEYWORDS, Cursor
from argon_lang.syntax.parser.lists import field_name, path, rest_of_list, unclosed
from argon_lang.syntax.parser.patterns import pattern
from argon_lang.syntax.parser.starts import EXPR_START

POSTFIX = 80
UNARY = 70
COMPARISON = 40
_MEMBERSHIP = 30

POWER = [0] * (len(K.TOKEN_NAMES) + 1)
"""Binding power of each token kind behind an expression; 0 ends the expression."""

for _kinds, _power in (
    ((K.OR_OR,), 10), ((K.AND_AND,), 20), ((K.KW_IN, K.KW_IS, K.KW_NOT), _MEMBERSHIP),
    ((K.EQ_EQ, K.NOT_EQ, K.LT, K.LT_EQ, K.GT, K.GT_EQ), COMPARISON), ((K.PLUS, K.MINUS), 50),
    ((K.STAR, K.SLASH, K.PERCENT), 60), ((K.DOT, K.LBRACKET, K.QUESTION), POSTFIX),
):  # fmt: skip
    for _kind in _kinds:
        POWER[_kind] = _power

_GO_ON = frozenset((K.COMMA, K.SEMI, K.LBRACE, K.FAT_ARROW, K.EQ))


def expr(p: Cursor, minimum: int = 0) -> None:
    """An expression whose operators all bind tighter than `minimum`; a Missing node, reported, when there is none."""
    kinds, out = p.kinds, p.out
    first, first_node = p.pos, len(out)
    kind = kinds[first]
    if kind >= K.IDENT or kind in SEGMENT_KEYWORDS:
        following = kinds[first + 1]
        if following >= K.IDENT and p.declares():
            missing(p)
            return
        if following == K.COLON_COLON:
            path(p)
            following = kinds[p.pos]
        else:
            p.pos = first + 1
            out.append((K.N_PATH, first, first + 1, first_node))
        if following == K.LPAREN:
            _call(p, kind, first, first_node)
        elif following == K.LBRACE or following == K.BANG:
            forms.after_path(p, kind, first, first_node)
    elif kind in K.LITERAL:
        p.pos = first + 1
        out.append((K.N_LITERAL, first, first + 1, first_node))
    else:
        prefix = forms.PREFIX.get(kind)
        if prefix is None:
            missing(p)
            return
        prefix(p, first, first_node)
    kind = kinds[p.pos]
    if POWER[kind] > minimum or foreign_exprs.FOLLOWS[kind]:
        operators(p, minimum, first, first_node)


def operators(p: Cursor, minimum: int, first: int, first_node: int) -> None:
    """The postfix steps and binary operators behind the operand that was just read."""
    kinds, out, power, follows = p.kinds, p.out, POWER, foreign_exprs.FOLLOWS
    compared = -1
    while True:
        kind = kinds[p.pos]
        binding = power[kind]
        if binding <= minimum:
            if not follows[kind] or not foreign_exprs.behind(p, kind, minimum, first, first_node):
                return
        elif kind == K.DOT:
            p.pos += 1
            if not p.adjacent(p.pos) and p.full_stop(p.pos - 1):
                p.pos -= 1
                return
            if kinds[p.pos + 1] in steps.REPEATS and steps.step(p, first, first_node):
                return
            _member(p, first, first_node)
        elif binding == POSTFIX:
            _postfix(p, kind, first, first_node)
        elif binding == _MEMBERSHIP:
            if not _membership(p, kind, first, first_node):
                return
        else:
            if binding == COMPARISON:
                if compared >= 0:
                    _chained(p, compared, first)
                compared = p.pos
            p.pos += 1
            if p.enter():
                expr(p, binding)
            p.depth -= 1
            out.append((K.N_BINARY, first, p.pos, first_node))


def _member(p: Cursor, first: int, first_node: int) -> None:
    """The `f` or `m(…)` behind a `.`."""
    if field_name(p) and p.kinds[p.pos] == K.LPAREN:
        arguments(p)
        p.out.append((K.N_METHOD_CALL, first, p.pos, first_node))
    else:
        p.out.append((K.N_FIELD_EXPR, first, p.pos, first_node))


def _chained(p: Cursor, compared: int, first: int) -> None:
    """OE0015 at the second comparison; the fix compares twice."""
    middle = p.end(p.pos - 1)
    shared = p.tokens[p.places[compared] + 1 : p.places[p.pos - 1] + 1]
    written = "".join(shared).strip()
    insert = f" && {written}"
    suggestion = f"{p.text(first)} {p.text(compared)} {written}{insert} {p.text(p.pos)} …"
    fix = Fix("split", (Edit(middle, middle, insert),), args(suggestion=suggestion), safe=False)
    related = (Related("first", p.start(compared), p.end(compared)),)
    p.report("OE0015", p.start(p.pos), p.end(p.pos), {"found": p.text(p.pos), "expected": p.text(compared)},
             related=related, notes=(Note("split", args(suggestion=suggestion)),), fixes=(fix,))  # fmt: skip


def _membership(p: Cursor, kind: int, first: int, first_node: int) -> bool:
    """`in`, `not in` or `is`; False when a `not` here is none of them."""
    if kind == K.KW_IS:
        at, node = p.pos, len(p.out)
        p.pos += 1
        if p.kinds[p.pos] != K.KW_NOT:
            pattern(p)
        if foreign_exprs.is_value(p, at, node, first, first_node):
            return True
        if p.pos == at + 1:
            pattern(p)
        p.close(K.N_IS_EXPR, first, first_node)
        return True
    if kind == K.KW_NOT:
        if p.kinds[p.pos + 1] != K.KW_IN:
            return False
        p.pos += 1
    p.pos += 1
    expr(p, _MEMBERSHIP)
    p.close(K.N_IN_EXPR, first, first_node)
    return True


def _postfix(p: Cursor, kind: int, first: int, first_node: int) -> None:
    """`?`, `[i]` or `[a..b]`."""
    p.pos += 1
    if kind == K.QUESTION:
        p.close(K.N_TRY_EXPR, first, first_node)
        return
    node = K.N_INDEX_EXPR
    if p.enter():
        struct, p.no_struct = p.no_struct, False
        expr(p)
        if p.accept(K.DOT_DOT):
            expr(p)
            node = K.N_SLICE_EXPR
        p.no_struct = struct
        p.expect(K.RBRACKET)
    p.depth -= 1
    p.close(node, first, first_node)


def _call(p: Cursor, kind: int, first: int, first_node: int) -> None:
    if kind >= K.CTX_SET and p.pos == first + 1:
        p.out.pop()
        forms.aggregate_call(p, first, first_node)
        return
    arguments(p)
    p.out.append((K.N_CALL, first, p.pos, first_node))


def arguments(p: Cursor) -> None:
    """`(a, _, …)` as an ArgList; the `(` is here."""
    kinds, out = p.kinds, p.out
    first, first_node = p.pos, len(out)
    p.pos += 1
    if not p.enter():
        p.depth -= 1
        return
    struct, p.no_struct = p.no_struct, False
    while kinds[p.pos] in EXPR_START and not (kinds[p.pos + 1] >= K.IDENT and p.at_item(p.pos)):
        at = p.pos
        argument(p)
        if kinds[p.pos] == K.EQ and p.pos == at + 1:
            foreign_exprs.named_argument(p, at)
        if kinds[p.pos] != K.COMMA:
            break
        p.pos += 1
    if kinds[p.pos] == K.RPAREN:
        p.pos += 1
    else:
        rest_of_list(p, first, K.RPAREN, argument, EXPR_START)
    p.no_struct = struct
    p.depth -= 1
    out.append((K.N_ARG_LIST, first, p.pos, first_node))


def expr_element(p: Cursor) -> None:
    """An expression as the element of a list."""
    expr(p)


def rest(p: Cursor, opener: int, closer: int) -> None:
    """Go on in a list of expressions that went wrong here."""
    if foreign_exprs.list_pattern(p, opener):
        return
    rest_of_list(p, opener, closer, expr_element, EXPR_START)


def close_paren(p: Cursor, opener: int) -> None:
    """The `)` that is not here: reported, and looked for a little further on."""
    if foreign_exprs.several(p, opener):
        return
    if p.ends_here():
        unclosed(p, opener, K.RPAREN)
        return
    p.expected("`)`", related=(Related("opened", p.start(opener), p.end(opener)),), fixes=p.insertion(")"))
    if p.kinds[p.pos] in _GO_ON:
        return
    p.skip(_GO_ON)
    p.accept(K.RPAREN)


def argument(p: Cursor) -> None:
    """One argument: an expression or `_`."""
    if p.kinds[p.pos] == K.UNDERSCORE:
        p.pos += 1
        p.close(K.N_WILDCARD, p.pos - 1, len(p.out))
    else:
        expr(p)


def condition(p: Cursor) -> None:
    """An expression that must be a Bool: `=` after it is taken for `==`, with a message."""
    first, first_node = p.pos, len(p.out)
    expr(p)
    if p.kinds[p.pos] == K.EQ:
        equals_for_comparison(p)
        p.pos += 1
        expr(p, COMPARISON)
        p.close(K.N_BINARY, first, first_node)
        operators(p, 0, first, first_node)


def equals_for_comparison(p: Cursor) -> None:
    """OE0001 at a `=` that should be `==`."""
    start, end = p.start(p.pos), p.end(p.pos)
    fix = Fix("replace", (Edit(start, end, "=="),), args(suggestion="=="))
    p.report("OE0001", start, end, {"expected": "`==`", "found": "`=`"}, notes=(Note("equals"),), fixes=(fix,))


def head(p: Cursor) -> None:
    """A condition before a block: no struct literal outside brackets."""
    struct, p.no_struct = p.no_struct, True
    condition(p)
    p.no_struct = struct


def head_value(p: Cursor) -> None:
    """An expression before a block that need not be a Bool."""
    struct, p.no_struct = p.no_struct, True
    expr(p)
    p.no_struct = struct


def missing(p: Cursor) -> None:
    """Report that an expression is missing here, and leave a Missing node."""
    if foreign_exprs.instead(p):
        return
    p.expected(words.EXPRESSION)
    p.close(K.N_MISSING, p.pos, len(p.out))
