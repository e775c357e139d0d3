"""What every signature reader is given: where the item stands, what it sees, where findings go."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from argon_lang.problems import Note, Problem, Related, args
from argon_lang.program.findings import Findings, prefix_uses, unresolved, wrong_kind
from argon_lang.program.model import Declarations, Lookup, Scope, Symbol
from argon_lang.program.paths import Segment, name_of, name_token, segments
from argon_lang.program.types import UNKNOWN, Type, holds_function, show
from argon_lang.program.types_of import type_of
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import Token, View


@dataclass(slots=True)
class Context:
    """`module` is the path of the item's module; `declarations` serve secondary spans only."""

    module: str
    scope: Scope
    declarations: Declarations
    out: Findings = field(default_factory=Findings)

    def path(self, name: nodes.Name | None) -> str:
        """The canonical path of the item that `name` declares."""
        return f"{self.module}::{name_of(name) or '_'}"

    def type(self, node: nodes.Type | None) -> Type:
        """The type that `node` denotes here."""
        found = self.value_type(node)
        if node is not None and holds_function(found):
            notes = (Note("call"),)
            self.out.problems.append(Problem("OE0246", node.start, node.end, args(found=show(found)), (), notes))
            return UNKNOWN
        return found

    def value_type(self, node: nodes.Type | None) -> Type:
        """The type that a node denotes, that of a function too."""
        return type_of(node, self.scope, self.out, self.declarations)

    def look(self, path: tuple[Segment, ...]) -> Lookup:
        """Resolve a written path."""
        return self.scope.lookup(tuple(segment.name for segment in path))

    def symbol(self, path: nodes.Path | None, kinds: tuple[str, ...], sought: str, expected: str) -> Symbol | None:
        """The symbol of one of `kinds` that `path` names; otherwise the problem is recorded and None returned.

        `sought` is the kind in a miss (`concept`), `expected` in a mismatch (`a concept`).
        """
        written = segments(path) if path else ()
        if not written:
            return None
        found = self.look(written)
        if found.code is not None:
            declared = self.declarations.symbols(found.candidates[0]) if found.code == "OE0104" else ()
            self.out.problems.append(unresolved(found, written, sought, declared))
            return None
        symbol = self._of_kind(found, written[-1], kinds, expected)
        if symbol is not None:
            self.out.uses.extend(prefix_uses(written, symbol))
        return symbol

    def _of_kind(self, found: Lookup, segment: Segment, kinds: tuple[str, ...], expected: str) -> Symbol | None:
        if found.primitive is not None:
            values = args(name=segment.name, found="a built-in type", expected=expected)
            self.out.problems.append(Problem("OE0201", segment.start, segment.end, values))
            return None
        symbol = next((each for each in found.symbols if each.kind in kinds), None)
        if symbol is None and found.symbols[0].kind != "unsupported":
            self.out.problems.append(wrong_kind(found.symbols[0], segment, expected))
        return symbol

    def distinct(self, written: Iterable[nodes.Name | None], kind: str, of: str) -> None:
        """OE0207 for each name that occurred before among the members of `of`."""
        first: dict[str, Token] = {}
        for each in written:
            name, token = name_of(each), name_token(each)
            if name is None or token is None:
                continue
            earlier = first.setdefault(name, token)
            if earlier is not token:
                related = (Related("first", earlier.start, earlier.end),)
                values = args(kind=kind, name=name, of=of)
                self.out.problems.append(Problem("OE0207", token.start, token.end, values, related))


def unknown_when_missing(node: nodes.Type | None, context: Context) -> Type:
    """The type of an optional annotation: `Unknown` where none is written."""
    return UNKNOWN if node is None else context.type(node)


def opening(root: View) -> tuple[int, int]:
    """The span of the keyword that an item begins with, after attributes and visibility."""
    token = next(iter(root.own_tokens), None)
    return (token.start, token.end) if token is not None else (root.start, root.end)
