"""Does every way through a list of statements end in a `return`?"""

from __future__ import annotations

from collections.abc import Sequence

from argon_lang.syntax import nodes
from argon_lang.syntax.tree import View


def returns(statements: Sequence[nodes.Stmt]) -> bool:
    """Does every way through the statements end in a `return`?"""
    return any(map(_returns, statements))


def _returns(node: View | None) -> bool:
    match node:
        case nodes.ReturnStmt():
            return True
        case nodes.StmtBlock():
            return returns(node.statements)
        case nodes.ExprStmt():
            return _returns(node.expr)
        case nodes.Block():
            return returns(node.statements) or _returns(node.tail)
        case nodes.IfExpr():
            return node.otherwise is not None and _returns(node.then) and _returns(node.otherwise.body)
        case nodes.MatchExpr():
            return bool(node.arms) and all(_returns(arm.value) for arm in node.arms)
        case nodes.IfStmt():
            return node.otherwise is not None and _returns(node.then) and _returns(node.otherwise.body)
        case nodes.MatchStmt():
            return bool(node.arms) and all(_returns(arm.body) for arm in node.arms)
        case _:
            return False
