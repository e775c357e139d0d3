"""What checking one item builds up: locals in their scopes, types, meanings, uses, problems.

The only mutable state of inference. It lives for one call of `infer` and is turned into an `Inference` at its end.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal as OneOf

from argon_lang.problems import Args, Fix, Note, Problem, Related
from argon_lang.program.findings import Findings, related_to
from argon_lang.program.model import (
    Binding,
    CallableSig,
    Declarations,
    Inference,
    Resolution,
    Scope,
    ToBinding,
    Use,
)
from argon_lang.program.types import UNKNOWN, Type
from argon_lang.quick import quick
from argon_lang.syntax.tree import Item, View

Verb = OneOf["fn", "derive", "query", "check", "mutation", "test", "fact", "default"]
"""What kind of body is checked: it decides what may be called."""


@quick
@dataclass(frozen=True, slots=True)
class Position:
    """A place that says something about a rule variable: its type there, and the span."""

    type: Type
    start: int
    end: int


@dataclass(slots=True, eq=False)
class Local:
    """A local while its scope is checked.

    `negations` counts the `not` around its scope: only a position under as many of them binds it. `positions` are
    those that give it a type, `binders` the starts of those that give it values, `occurrences` the spans of all.
    `given` locals have their value from outside (parameters). `poisoned`: some position was in error, so an unknown
    type is no news. `fallback` is its type where no position says anything. `aggregated` ones are local to an
    aggregate, where it is no news that they occur once.
    """

    number: int
    name: str
    kind: OneOf["param", "variable", "let", "pattern", "wildcard"]
    start: int
    end: int
    scope: int = -1
    negations: int = 0
    given: bool = False
    type: Type = UNKNOWN
    narrowed: tuple[Type, ...] = ()
    positions: list[Position] = field(default_factory=list)
    binders: list[int] = field(default_factory=list)
    occurrences: list[tuple[int, int]] = field(default_factory=list)
    poisoned: bool = False
    aggregated: bool = False
    fallback: Type = UNKNOWN


@dataclass(slots=True, eq=False)
class Context:
    """One item under inference. `in_rule`: a field that may be absent reads as its value (its atom fails instead).

    `promise` is the span of the result type, blamed where no value is given. `aggregate` is the one whose parts are
    being checked; `scopes` has the clauses that introduced the variables of those in rule bodies, by node. `grouped`:
    an aggregate without atoms is over the rows of a group, or over all rows. `through`: a field of an absent value is
    absent (else it is an error). `outcome` is the result of the function or closure that a `?` may end, `ends` what it
    ends with, `returned` what a closure of unknown result returns. `trials` are those under way. `asked` is what a
    trait says of the member of an `impl` that is checked.
    """

    item: Item
    scope: Scope
    declarations: Declarations
    verb: Verb
    owner: str
    promise: tuple[int, int] | None = None
    in_rule: bool = False
    in_rejects: bool = False
    unsupported: bool = False
    types: dict[int, Type] = field(default_factory=dict)
    names: dict[int, Resolution] = field(default_factory=dict)
    uses: list[Use] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    locals: list[Local] = field(default_factory=list)
    frames: list[dict[str, Local]] = field(default_factory=lambda: [{}])
    aggregate: View | None = None
    scopes: dict[int, object] = field(default_factory=dict)
    grouped: OneOf["", "keys", "all"] = ""
    through: bool = False
    outcome: Type | None = None
    ends: list[Type] = field(default_factory=list)
    returned: list[tuple[View, Type]] = field(default_factory=list)
    trials: int = 0
    asked: CallableSig | None = None

    # -- locals --------------------------------------------------------------------------------------------------------

    def local(self, name: str) -> Local | None:
        """The innermost local of this name."""
        for frame in reversed(self.frames):
            if name in frame:
                return frame[name]
        return None

    def visible(self) -> list[str]:
        """Names of all locals that are visible here."""
        return [name for frame in self.frames for name in frame]

    def declare(
        self,
        name: str,
        kind: OneOf["param", "variable", "let", "pattern", "wildcard"],
        span: tuple[int, int],
        type_: Type = UNKNOWN,
        scope: int = -1,
    ) -> Local:
        """A new local in the innermost frame; a wildcard is in no frame."""
        made = Local(len(self.locals), name, kind, span[0], span[1], scope, type=type_)
        self.locals.append(made)
        if kind != "wildcard":
            self.frames[-1][name] = made
        return made

    @contextmanager
    def frame(self, names: dict[str, Local] | None = None) -> Iterator[None]:
        """A scope inside the current one."""
        self.frames.append({} if names is None else names)
        try:
            yield
        finally:
            self.frames.pop()

    @contextmanager
    def trial(self) -> Iterator[None]:
        """Infer without reporting and without introducing locals: types and names found meanwhile are provisional."""
        kept = len(self.problems), len(self.uses), len(self.locals), self.unsupported
        self.trials += 1
        try:
            yield
        finally:
            del self.problems[kept[0] :], self.uses[kept[1] :], self.locals[kept[2] :]
            self.unsupported = kept[3]
            self.trials -= 1

    @contextmanager
    def state(self, in_rule: bool) -> Iterator[None]:
        """Check what follows as part of a rule body, or as an expression that reads the state."""
        kept, self.in_rule = self.in_rule, in_rule
        try:
            yield
        finally:
            self.in_rule = kept

    # -- findings ------------------------------------------------------------------------------------------------------

    def mean(self, node: View | int, meaning: Resolution, span: tuple[int, int] | None = None) -> None:
        """Record what a node means; with a span also as a use of the name."""
        self.names[node if isinstance(node, int) else node.index] = meaning
        if span is not None:
            self.use(span, meaning)

    def use(self, span: tuple[int, int], meaning: Resolution) -> None:
        """Record one resolved occurrence of a name."""
        self.uses.append(Use(span[0], span[1], meaning))

    def report(
        self,
        code: str,
        at: View | tuple[int, int],
        values: Args = (),
        *,
        related: tuple[Related, ...] = (),
        notes: tuple[Note, ...] = (),
        fixes: tuple[Fix, ...] = (),
    ) -> None:
        """Report a problem at a node or span."""
        start, end = at if isinstance(at, tuple) else (at.start, at.end)
        self.problems.append(Problem(code, start, end, values, related, notes, fixes))

    def declared_at(self, key: str, path: str, **values: object) -> tuple[Related, ...]:
        """A secondary span on the declaration of `path`; none where nothing declares it."""
        return related_to(key, self.declarations.symbols(path), **values)

    @property
    def findings(self) -> Findings:
        """Uses and problems in the form that the shared readers of types and names write to."""
        return Findings(self.uses, self.problems)

    def finish(self) -> Inference:
        """The result, with locals numbered by first occurrence."""
        order = sorted(self.locals, key=lambda each: (each.start, each.number))
        number = {each.number: place for place, each in enumerate(order)}

        moved = {each: ToBinding(place) for each, place in number.items() if each != place}

        def renumbered(meaning: Resolution) -> Resolution:
            return moved.get(meaning.id, meaning) if isinstance(meaning, ToBinding) else meaning

        bindings = tuple(
            Binding(number[each.number], each.name, each.kind, each.type, each.start, each.end, each.scope)
            for each in order
        )
        names, uses = self.names, self.uses
        if moved:
            names = {index: renumbered(meaning) for index, meaning in names.items()}
            uses = [_with_meaning(use, renumbered(use.meaning)) for use in uses]
        uses = sorted(uses, key=_use_order)
        problems = tuple(sorted(dict.fromkeys(self.problems), key=lambda each: (each.start, each.end, each.code)))
        return Inference(self.types, names, bindings, tuple(uses), problems)


def _with_meaning(use: Use, meaning: Resolution) -> Use:
    return use if use.meaning is meaning else Use(use.start, use.end, meaning)


def _use_order(use: Use) -> tuple[int, int]:
    return use.start, use.end
