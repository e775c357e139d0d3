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
ARGS_POSITION = {"Problem": 3, "ArgonError": 1}
"""Calls that emit a code as first argument, and where their values stand."""

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
            text = node.value if isinstance(node, ast.Constant) and node not in variables else None
            if isinstance(text, str) and CODE_PATTERN.fullmatch(text):
                found.setdefault(text, []).append(f"{path.name}:{node.lineno}")
    return found


def emissions() -> Iterator[Emission]:
    for path, tree in parsed():
        for node in ast.walk(tree):
            name = _callee(node)
            if isinstance(node, ast.Call) and name in ARGS_POSITION and _constant(node.args[:1]):
                place = f"{path.name}:{node.lineno}"
                yield Emission(_constant(node.args[:1]) or "", place, _values(node, ARGS_POSITION[name]), _keyed(node))


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


def _keyed(call: ast.Call) -> dict[tuple[str, str], frozenset[str] | None]:
    found: dict[tuple[str, str], frozenset[str] | None] = {}
    for node in ast.walk(call):
        table = KEYED.get(_callee(node))
        if isinstance(node, ast.Call) and table and (key := _constant(node.args[:1])):
            found[table, key] = _values(node, 1 if table == "notes" else len(node.args))
    return found


def _values(call: ast.Call, position: int) -> frozenset[str] | None:
    """Names that `args(…)` is given; the empty set without one, None when it is computed elsewhere."""
    given = [keyword.value for keyword in call.keywords if keyword.arg in ARGS_KEYWORDS] or call.args[position:][:1]
    if not given:
        computed = any(keyword.arg is None for keyword in call.keywords)
        return None if computed or any(isinstance(arg, ast.Starred) for arg in call.args) else frozenset()
    value = given[0]
    if not isinstance(value, ast.Call) or _callee(value) != "args" or value.args:
        return None
    names = [keyword.arg for keyword in value.keywords]
    return None if None in names else frozenset(name for name in names if name)
