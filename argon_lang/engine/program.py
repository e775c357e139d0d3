"""A module's rules compiled together: components in order, rules by number, refusals for the gate."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from argon_lang.engine.compiled import CompiledRule, compile_rule
from argon_lang.engine.demand import Demand
from argon_lang.engine.exprs import Functions
from argon_lang.engine.intern import Decoders
from argon_lang.engine.openness import OPEN, assuming, open_rules, unknown_fields
from argon_lang.engine.refusal import Refusal
from argon_lang.engine.residual import Clause, clause_of
from argon_lang.engine.strata import Component, NegativeCycle, Strata, stratify
from argon_lang.engine.termination import endless
from argon_lang.engine.walk import matches
from argon_lang.errors import ArgonError
from argon_lang.ir.module import Module
from argon_lang.ir.names import negative_key
from argon_lang.ir.rules import Aggregate, Predicate, Rule
from argon_lang.problems import args


@dataclass(frozen=True, slots=True)
class Unit:
    """One component ready to run: its rules by number, in order of number.

    `open` are the rules of the possible estimate alone. `clauses`, where the component recurses through negation, are
    its rules made ready to be grounded. `reads` are all keys that its rows depend on, its own and their strong
    negatives included; `reads_today` and `reads_now`: some rule looks at the clock.
    """

    keys: frozenset[str]
    recursive: bool
    rules: tuple[tuple[int, CompiledRule], ...]
    open: tuple[tuple[int, CompiledRule], ...]
    clauses: tuple[Clause, ...]
    arities: Mapping[str, int]
    reads: frozenset[str]
    reads_today: bool
    reads_now: bool


class CompiledProgram:
    """Immutable but for caches of code; evaluations in several threads may share it.

    `rules[n]` is the rule numbered n (0 stands for a base fact); numbers follow (key, content id), so they do not
    depend on the order in which the module lists its rules. `may_doubt`: rows may be possible and not definite.
    `home` has the place of each key's component; `demands` is `demand_of`'s;
    `unknown` are the fields of open concepts.
    """

    __slots__ = (
        "_cones",
        "_queries",
        "by_key",
        "decoders",
        "demands",
        "derived",
        "functions",
        "home",
        "may_doubt",
        "rules",
        "shapes",
        "units",
        "unknown",
    )

    def __init__(self, module: Module, rules: tuple[CompiledRule, ...], strata: Strata, functions: Functions) -> None:
        """Number the compiled `rules`, already in order; `compile_program` is the way to make one."""
        self.shapes = _shapes(module)
        self.functions = functions
        self.decoders = Decoders(module)
        self.rules: tuple[CompiledRule | None, ...] = (None, *rules)
        numbered: dict[str, list[tuple[int, CompiledRule]]] = {}
        for number, compiled in enumerate(rules, 1):
            numbered.setdefault(compiled.rule.key, []).append((number, compiled))
        self.by_key: Mapping[str, tuple[tuple[int, CompiledRule], ...]] = {k: tuple(v) for k, v in numbered.items()}
        self.derived = frozenset(numbered)
        denied = {cycle.keys for cycle in strata.negative}
        self.units = tuple(_unit(part, numbered, functions, part.keys in denied) for part in strata.components)
        self.unknown = unknown_fields(module)
        self.may_doubt = bool(self.unknown) or any(unit.clauses or unit.open for unit in self.units)
        self.home = {key: place for place, unit in enumerate(self.units) for key in unit.keys}
        self._cones: dict[int, frozenset[int]] = {}
        self._queries: dict[str, CompiledRule] = {}
        self.demands: dict[object, Demand | None] = {}

    def cone(self, keys: Iterable[str]) -> list[int]:
        """The places of the components that the rows of some keys rest on, in order of evaluation."""
        found: set[int] = set()
        for key in keys:
            if key in self.home:
                found |= self._below(self.home[key])
        return sorted(found)

    def _below(self, place: int) -> frozenset[int]:
        """A component with all that it rests on. Those come earlier, so the ones up to it are made in order."""
        known = self._cones.get(place)
        if known is None:
            pending, found = [place], {place}
            while pending:
                reads = self.units[pending.pop()].reads
                fresh = {self.home[key] for key in reads if key in self.home} - found
                found |= fresh
                pending.extend(fresh)
            known = self._cones[place] = frozenset(found)
        return known

    def query(self, rule: Rule) -> CompiledRule:
        """The compiled form of a query's rule, made on first use. Raises `ARGON_RUNTIME_INTERNAL` for a refused one."""
        found = self._queries.get(rule.id)
        if found is None:
            found = self._queries[rule.id] = _accepted(compile_rule(rule, self.shapes, self.functions))
        return found


def _unit(
    part: Component, numbered: Mapping[str, list[tuple[int, CompiledRule]]], functions: Functions, negative: bool
) -> Unit:
    rules = tuple(sorted((pair for key in part.keys for pair in numbered[key]), key=lambda pair: pair[0]))
    read = {match.key for _, compiled in rules for match, _ in matches(compiled.rule.body)}
    called = {name for _, compiled in rules for name in functions.intrinsics(compiled.rule.body)}
    arities = {compiled.rule.key: len(compiled.rule.terms) for _, compiled in rules}
    return Unit(
        part.keys,
        part.recursive,
        tuple(pair for pair in rules if pair[1].rule.origin != OPEN),
        tuple(pair for pair in rules if pair[1].rule.origin == OPEN),
        tuple(clause_of(number, compiled, part.keys) for number, compiled in rules) if negative else (),
        arities,
        part.keys | read | frozenset(map(negative_key, part.keys)),
        "today" in called,
        "now" in called,
    )


def program_rules(module: Module) -> tuple[Rule, ...]:
    """All rules of the fixpoint (clauses, subsumption, checks), each once, by (key, content id)."""
    written = (*module.rules, *(check.rule for check in module.checks))
    companions = (companion for companion, _ in assuming(written, unknown_fields(module)))
    listed = (*written, *open_rules(module), *companions)
    rules = {(rule.key, rule.id): rule for rule in listed}
    return tuple(rules[name] for name in sorted(rules))


def compile_program(module: Module) -> CompiledProgram:
    """Compile a module that passed the gates. Raises `ARGON_RUNTIME_INTERNAL` when it holds a refused rule."""
    functions, shapes = Functions(module.functions), _shapes(module)
    rules = program_rules(module)
    strata = stratify(rules)
    for refusal in negative_cycles(strata):
        _accepted(refusal)
    compiled = tuple(_accepted(compile_rule(rule, shapes, functions)) for rule in rules)
    return CompiledProgram(module, compiled, strata, functions)


def refusals(module: Module) -> tuple[Refusal, ...]:
    """Everything that the rule compiler refuses in a module: the evaluability gate's question, queries included."""
    functions, shapes = Functions(module.functions), _shapes(module)
    rules = program_rules(module)
    asked = (*rules, *(rule for query in module.queries for rule in query.rules))
    found = [made for rule in asked if isinstance(made := compile_rule(rule, shapes, functions), Refusal)]
    strata = stratify(rules)
    return (*found, *negative_cycles(strata), *endless(rules, strata))


def negative_cycles(strata: Strata) -> tuple[Refusal, ...]:
    """Recursion through aggregates, which has no meaning (OE0503)."""
    return tuple(_cyclic(cycle, cycle.aggregate) for cycle in strata.negative if cycle.aggregate is not None)


def _cyclic(cycle: NegativeCycle, aggregate: Aggregate) -> Refusal:
    name, of = (key.rsplit("::", 1)[-1] for key in (cycle.rule.key, cycle.literal.key))
    return Refusal("OE0503", cycle.rule.id, aggregate.site, args(name=name, of=of, cycle=", ".join(sorted(cycle.keys))))


def _shapes(module: Module) -> dict[str, Predicate]:
    return {predicate.key: predicate for predicate in module.predicates}


def _accepted(made: CompiledRule | Refusal) -> CompiledRule:
    if isinstance(made, Refusal):
        values = ", ".join(f"{name} {text}" for name, text in made.args)
        raise ArgonError("ARGON_RUNTIME_INTERNAL", args(found=f"rule {made.rule} is refused ({made.code}: {values})"))
    return made
