"""Read the sources for emitted codes: every code constant, and every call whose values can be read off its text."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from shared_catalog.load import ROOT
from shared_catalog.model import CODE_PATTERN

PACKAGES = ("argon_lang", "argon_lsp", "argon_mcp")
BARE = ("Problem", "ArgonError")
"""Calls that give no values at all when none are written; other callees may add values of their own."""

ARGS_KEYWORDS = ("args", "args_")
KEYED = {"Related": "labels", "Note": "notes", "Fix": "fixes"}
"""Constructors whose first argument is a key of one of the entry's tables."""


@dataclass(frozen=True)
class Emission:
    """A call such as `Problem("OE0101", …)`; `values` is None where they are computed."""

    code: str
    place: str
    values: frozenset[str] | None
    keyed: dict[tuple[str, str], frozenset[str] | None] = field(default_factory=dict)


def sources() -> list[Path]:
    repository = ROOT.parent
    return sorted(path for package in PACKAGES for path in (repository / package).rglob("*.py"))


@cache
def parsed() -> tuple[tuple[Path, ast.Module], ...]:
    return tuple((path, ast.parse(path.read_text(encoding="utf-8"), str(path))) for path in sources())


def mentioned() -> dict[str, list[str]]:
    """Every code that stands as a constant in a source, with its places; names of environment variables excepted."""
    found: dict[str, list[str]] = {}
    for path, tree in parsed():
        variables = _environment(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and node not in variables and _is_code(node.value):
                found.setdefault(str(node.value), []).append(f"{path.name}:{node.lineno}")
    return found


def _is_code(value: object) -> bool:
    return isinstance(value, str) and CODE_PATTERN.fullmatch(value) is not None


def emissions() -> Iterator[Emission]:
    """Every call whose first argument is a code, with the values that can be read off its text."""
    for path, tree in parsed():
        for scope, call in _calls(tree):
            code = _constant(call.args[:1])
            if code and _is_code(code):
                values = _values(call, scope, bare=_callee(call) in BARE)
                yield Emission(code, f"{path.name}:{call.lineno}", values, _keyed(call, scope))


def literal_keys() -> Iterator[tuple[str, str, str]]:
    """(table, key, place) of every `Related`, `Note` and `Fix` whose key is a constant."""
    for path, tree in parsed():
        for node in ast.walk(tree):
            table = KEYED.get(_callee(node))
            if isinstance(node, ast.Call) and table and _constant(node.args[:1]):
                yield table, _constant(node.args[:1]) or "", f"{path.name}:{node.lineno}"


def _environment(tree: ast.Module) -> set[ast.expr]:
    """Constants that name environment variables: of `environ[…]`, `environ.get(…)`, `getenv(…)`, `envvar=…`."""
    found: set[ast.expr] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and "environ" in ast.dump(node.value):
            found.add(node.slice)
        elif isinstance(node, ast.Call):
            if "environ" in ast.dump(node.func) or _callee(node) == "getenv":
                found.update(node.args)
            found.update(keyword.value for keyword in node.keywords if keyword.arg == "envvar")
    return found


def _callee(node: ast.AST) -> str:
    if not isinstance(node, ast.Call):
        return ""
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def _constant(nodes: list[ast.expr]) -> str | None:
    return nodes[0].value if nodes and isinstance(nodes[0], ast.Constant) and isinstance(nodes[0].value, str) else None


def _calls(tree: ast.Module) -> Iterator[tuple[ast.AST, ast.Call]]:
    """Every call with the function (or module) that it stands in."""
    waiting: list[tuple[ast.AST, ast.AST]] = [(tree, tree)]
    while waiting:
        scope, node = waiting.pop()
        if isinstance(node, ast.Call):
            yield scope, node
        inner = node if isinstance(node, ast.FunctionDef) else scope
        waiting += [(inner, child) for child in ast.iter_child_nodes(node)]


def _keyed(call: ast.Call, scope: ast.AST) -> dict[tuple[str, str], frozenset[str] | None]:
    found: dict[tuple[str, str], frozenset[str] | None] = {}
    for node in ast.walk(call):
        table = KEYED.get(_callee(node))
        if isinstance(node, ast.Call) and table and (key := _constant(node.args[:1])):
            found[table, key] = _values(node, scope, bare=True)
    return found


def _values(call: ast.Call, scope: ast.AST, *, bare: bool) -> frozenset[str] | None:
    """Names that the call gives values for; None when they are computed elsewhere."""
    written = [*call.args[1:], *(word.value for word in call.keywords if word.arg in ARGS_KEYWORDS)]
    if any(isinstance(arg, ast.Starred) for arg in call.args) or any(word.arg is None for word in call.keywords):
        bare = False
    for node in written:
        names = _names(node, scope)
        if names is not None:
            return names
        if isinstance(node, ast.Name) or _callee(node) in ("args", "dict"):
            bare = False
    return frozenset() if bare else None


def _names(node: ast.AST, scope: ast.AST) -> frozenset[str] | None:
    """Names that `args(…)`, a dictionary of constants, or a local variable holding one of these supplies."""
    if isinstance(node, ast.Dict):
        keys = [key.value for key in node.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
        return frozenset(keys) if len(keys) == len(node.keys) else None
    if isinstance(node, ast.Call) and _callee(node) == "args" and not node.args:
        names = [keyword.arg for keyword in node.keywords]
        return None if None in names else frozenset(name for name in names if name)
    if isinstance(node, ast.Name):
        before = [value for value in _assigned(scope, node.id) if value.lineno <= node.lineno]
        latest = max(before, key=_line, default=None)
        return None if latest is None or isinstance(latest, ast.Name) else _names(latest, scope)
    return None


def _line(node: ast.expr) -> int:
    return node.lineno


def _assigned(scope: ast.AST, name: str) -> Iterator[ast.expr]:
    for node in ast.walk(scope):
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in node.targets):
            yield node.value
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            yield from [node.value] if node.target.id == name else []
