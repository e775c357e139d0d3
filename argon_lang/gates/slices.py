"""The part of a program that one check rests on: the rules, facts and functions that can bear on its violations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from argon_lang.ir.lower.fragment import Fragment, Summary
from argon_lang.ir.lower.link import Linked
from argon_lang.ir.lower.remember import Last
from argon_lang.ir.module import Check, Concept, Fact, Function, Module
from argon_lang.ir.names import negative_key
from argon_lang.ir.rules import ATTACK, Match, Predicate, Rule
from argon_lang.program.reflection import KEYS


@dataclass(frozen=True, slots=True)
class Slice:
    """A check with the module of what it rests on. Equal slices have equal violations; the hash is the check's."""

    check: Check
    module: Module

    def __hash__(self) -> int:
        """Cheap, and equal for equal slices."""
        return hash((self.check.path, self.check.rule.id, len(self.module.facts)))


@dataclass(slots=True)
class _Index:
    """The program by what its parts are looked up by."""

    rules: dict[str, list[tuple[Rule, Summary]]] = field(default_factory=dict)
    functions: dict[str, tuple[Function, Summary]] = field(default_factory=dict)
    facts: dict[str, list[Fact]] = field(default_factory=dict)
    shapes: dict[str, Predicate] = field(default_factory=dict)
    opened: dict[str, tuple[str, ...]] = field(default_factory=dict)


def slices(linked: Linked) -> Iterator[Slice]:
    """The slice of each check that declarations and declared facts decide: it reads no clock and asks no query."""
    index = _indexed(linked)
    for fragment in linked.fragments:
        for check in fragment.part.checks:
            part = _slice(fragment, linked.module, index)
            if part is not None and (part.facts or any(rule.key in KEYS for rule in part.rules)):
                yield Slice(check, part)


def _closure(rule: Rule) -> Summary:
    """What a subsumption rule reads."""
    return Summary(frozenset(literal.key for literal in rule.body if isinstance(literal, Match)))


_BY_KEY: Last[dict[str, list[Fact]]] = Last()


def _by_key(facts: tuple[Fact, ...]) -> dict[str, list[Fact]]:
    found: dict[str, list[Fact]] = {}
    for fact in facts:
        found.setdefault(fact.key, []).append(fact)
    return found


def _indexed(linked: Linked) -> _Index:
    facts = linked.module.facts
    index = _Index(shapes={shape.key: shape for shape in linked.module.predicates})
    index.facts = _BY_KEY.get(facts, lambda: _by_key(facts))
    roots = tuple(concept.path for concept in linked.module.concepts if not concept.supers)
    index.opened = {each.path: (*(each.supers or roots), negative_key(each.path)) for each in _opened(linked.module)}
    for fragment in linked.fragments:
        for rule in fragment.part.rules:
            needs = fragment.needs if rule.origin in ("clause", ATTACK) else _closure(rule)
            index.rules.setdefault(rule.key, []).append((rule, needs))
        for function in fragment.part.functions:
            index.functions[function.path] = (function, fragment.needs)
    for rule in linked.module.rules:
        if rule.key in KEYS:
            index.rules.setdefault(rule.key, []).append((rule, _closure(rule)))
    return index


def _opened(whole: Module) -> Iterator[Concept]:
    return (concept for concept in whole.concepts if concept.open)


def _slice(fragment: Fragment, whole: Module, index: _Index) -> Module | None:
    """Everything that the check's item needs, in turn; None when that includes the clock or a query."""
    keys: dict[str, None] = {}
    called: dict[str, None] = {}
    rules: dict[str, Rule] = {}
    pending = [fragment.needs]
    for needs in pending:
        if needs.ticks or needs.asks:
            return None
        for path in needs.calls - called.keys():
            called[path] = None
            pending += [index.functions[path][1]] if path in index.functions else []
        for key in needs.reads - keys.keys():
            keys[key] = None
            if key in index.opened:
                pending.append(Summary(frozenset(index.opened[key])))
            for rule, below in index.rules.get(key, ()):
                rules[rule.id] = rule
                pending.append(below)
    return _module(fragment, whole, index, keys, called, rules)


def _with_negatives(keys: Iterable[str]) -> set[str]:
    """The keys, and those under which stands what is said against their rows."""
    listed = list(keys)
    return {*listed, *map(negative_key, listed)}


def _module(
    fragment: Fragment,
    whole: Module,
    index: _Index,
    keys: Mapping[str, None],
    called: Mapping[str, None],
    rules: Mapping[str, Rule],
) -> Module:
    shapes = [*(index.shapes[key] for key in sorted(keys) if key in index.shapes), *fragment.part.predicates]
    opened = any(key in index.opened for key in keys)
    return Module(
        "",
        "",
        concepts=whole.concepts if opened else (),
        structs=whole.structs,
        enums=whole.enums,
        predicates=tuple(shapes),
        rules=tuple(rules[name] for name in sorted(rules)),
        facts=tuple(fact for key in sorted(_with_negatives(keys)) for fact in index.facts.get(key, ())),
        functions=tuple(index.functions[path][0] for path in sorted(called) if path in index.functions),
        checks=fragment.part.checks,
    )
