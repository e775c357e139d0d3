"""All items together: the module, and the way back from its rules to the items.

What one item cannot know is done here: functions that read the state are put in place of their calls in rules, defaults
where literals and facts leave a field out, and the columns of derived predicates are typed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from itertools import chain
from operator import attrgetter
from typing import Any, TypeVar

from argon_lang.ir.codec import rule_id
from argon_lang.ir.expr import Expr
from argon_lang.ir.lattice import united
from argon_lang.ir.lower.asked import Readers
from argon_lang.ir.lower.columns import Clause, derived_shapes
from argon_lang.ir.lower.defaults import CyclicDefault, Unfilled, fill_facts, put_defaults, read_defaults
from argon_lang.ir.lower.defeat import defeated, guard_shapes
from argon_lang.ir.lower.fragment import Fragment, Trace, summary_of
from argon_lang.ir.lower.functions import readers
from argon_lang.ir.lower.item import is_sound, lower_item, lower_with
from argon_lang.ir.lower.reflected import reflective_rules
from argon_lang.ir.lower.remember import Last, PerRow
from argon_lang.ir.lower.schema import lower_instance
from argon_lang.ir.lower.traits import written
from argon_lang.ir.lower.walk import parts, rebuild
from argon_lang.ir.module import Claim, Fact, Function, Module, Query
from argon_lang.ir.rules import ATTACK, Predicate, Rule
from argon_lang.ir.statements import TestCase
from argon_lang.problems import ItemId, Note, Problem, args
from argon_lang.program.instances import generic_of, is_instance
from argon_lang.program.model import MetatypeSig, TraitSig
from argon_lang.program.types import UNKNOWN, ListOf, Named, RecordOf
from argon_lang.program.view import ProgramView, Unit
from argon_lang.syntax import kinds as K
from argon_lang.syntax import nodes

T = TypeVar("T")
Units = Mapping[ItemId, Unit]


@dataclass(frozen=True, slots=True)
class Linked:
    """The module without its source map and tiers, its parts in the order of the view; and what each item gave to it.

    `traces` are by rule content id, the first item's where several items write one rule. `problems` are what lowering
    itself refuses. `units` are the sound items.
    """

    module: Module
    units: Mapping[ItemId, Unit]
    fragments: tuple[Fragment, ...]
    traces: Mapping[str, Trace]
    problems: Mapping[ItemId, tuple[Problem, ...]]


def link(view: ProgramView) -> Linked:
    """Lower every sound item and put the parts together."""
    units = {unit.id: unit for unit in view.units() if is_sound(unit)}
    fragments = [view.derive(lower_item, item) for item in units]
    fragments = _instantiated(units, _inlined(units, fragments))
    problems = {each.item: each.problems for each in fragments if each.problems}
    fragments = _demanded(fragments, problems)
    fragments = defeated(_defaulted(units, fragments, problems))
    added, unfilled = _filled(fragments)
    claimed, lacking = _filled_claims(fragments)
    unfilled = [*unfilled, *lacking]
    for item, found in _unfilled(units, fragments, unfilled).items():
        problems[item] = (*problems.get(item, ()), *found)
    module = _assembled(view, fragments, added, claimed)
    return Linked(module, units, tuple(fragments), _traces(fragments), problems)


_MENTIONED: PerRow[frozenset[str]] = PerRow()
_INSTANTIATED: PerRow[Fragment] = PerRow()
_PATHS: dict[tuple[str, ...], tuple[str, ...]] = {}


def _instantiated(units: Units, fragments: list[Fragment]) -> list[Fragment]:
    """The fragments of generic concepts with the concepts that they become where types stand for their parameters."""
    generic = {each.item: each for each in fragments if _is_generic(units[each.item])}
    if not generic:
        return fragments
    named = (path for found in _MENTIONED.all([(each,) for each in fragments], _mentioned) for path in found)
    pending = sorted(set(named))
    wanted: dict[str, list[str]] = {}
    for path in pending:
        wanted.setdefault(generic_of(path), []).append(path)
        sig = next(iter(units.values())).declarations.concept(path)
        pending += [each for each in (sig.supers if sig else ()) if is_instance(each) and each not in pending]
    rows = []
    for item, fragment in generic.items():
        own = (path for concept in fragment.part.concepts for path in wanted.get(concept.path, ()))
        paths = tuple(sorted(own))
        rows.append((units[item], fragment, _PATHS.setdefault(paths, paths)))
    made = _INSTANTIATED.all(rows, _with_instances)
    return _replaced(fragments, generic.values(), made)


def _is_generic(unit: Unit) -> bool:
    root = unit.item.root
    return isinstance(root, nodes.ConceptDecl) and K.N_GENERICS in unit.item.node_kinds


def _mentioned(fragment: Fragment) -> frozenset[str]:
    """The instances of generic concepts that an item's part names."""
    above = (path for concept in fragment.part.concepts for path in concept.supers)
    types = (each.path for each in parts(fragment.part) if isinstance(each, Named) and each.kind == "concept")
    return frozenset(path for path in (*above, *types, *fragment.needs.reads) if is_instance(path))


def _with_instances(unit: Unit, fragment: Fragment, paths: tuple[str, ...]) -> Fragment:
    made = [fragment.part, *(lower_instance(path, unit) for path in paths)]
    part = replace(
        fragment.part,
        concepts=tuple(each for part in made for each in part.concepts),
        predicates=tuple(each for part in made for each in part.predicates),
        rules=tuple(each for part in made for each in part.rules),
    )
    return replace(fragment, part=part, needs=summary_of(part))


def _demanded(fragments: list[Fragment], problems: dict[ItemId, tuple[Problem, ...]]) -> list[Fragment]:
    """The fragments without the rules of predicates that are there for readers alone, where nothing reads them; why one
    that is read has no rule is a problem."""
    holding = [each for each in fragments if each.on_demand or each.held]
    if not holding:
        return fragments
    read = _read(fragments)
    for each in holding:
        found = tuple(problem for key, problem in each.held if key in read)
        if found:
            problems[each.item] = (*problems.get(each.item, ()), *found)
    idle = [each for each in holding if not read.issuperset(each.on_demand)]
    return _replaced(fragments, idle, [_without(each, frozenset(each.on_demand) - read) for each in idle])


def _read(fragments: Iterable[Fragment]) -> frozenset[str]:
    """The predicates that something reads, the rules that nothing reads themselves left out."""
    read: set[str] = set()
    waiting: dict[str, set[str]] = {}
    for each in fragments:
        if each.on_demand:
            for rule in each.part.rules:
                keys = waiting.setdefault(rule.key, set()) if rule.key in each.on_demand else read
                keys |= summary_of(rule).reads
            read |= summary_of(replace(each.part, rules=())).reads
        else:
            read |= each.needs.reads
    queue = list(read)
    for key in queue:
        fresh = waiting.pop(key, set()) - read
        read |= fresh
        queue += fresh
    return frozenset(read)


def _without(fragment: Fragment, keys: frozenset[str]) -> Fragment:
    rules = tuple(each for each in fragment.part.rules if each.key not in keys)
    part = replace(fragment.part, rules=rules)
    traces = tuple(each for each in fragment.traces if each.key not in keys)
    return replace(fragment, part=part, traces=traces, needs=summary_of(part))


_READING: Last[Mapping[str, Function]] = Last()
_INLINED: PerRow[Fragment] = PerRow()


def _inlined(units: Units, fragments: list[Fragment]) -> list[Fragment]:
    """Rules with the functions that read the state, and the queries that they ask, put in place of their calls;
    functions marked accordingly."""
    asking = any(each.needs.asks for each in fragments)
    holders = [each for each in fragments if each.part.functions or (asking and each.part.queries)]
    reading = _READING.get(holders, lambda: _readers(units, holders))
    if not reading:
        return fragments
    names = reading.keys()
    touched = [
        each for each in fragments if not (names.isdisjoint(each.needs.calls) and names.isdisjoint(each.needs.asks))
    ]
    made = _INLINED.all([(units[each.item], each, reading) for each in touched], _inline)
    return _replaced(fragments, touched, made)


def _readers(units: Units, holders: Iterable[Fragment]) -> Mapping[str, Function]:
    listed = list(holders)
    queries = {path: found for each in listed if each.part.queries for path, found in written(units[each.item])}
    return Readers(readers(listed), queries)


def _replaced(fragments: list[Fragment], old: Iterable[Fragment], new: Iterable[Fragment]) -> list[Fragment]:
    """`fragments` with `new` ones in the places of `old` ones."""
    changed = {id(before): after for before, after in zip(old, new, strict=True)}
    return [changed.get(id(each), each) for each in fragments]


def _inline(unit: Unit, fragment: Fragment, reading: Mapping[str, Function]) -> Fragment:
    made = lower_with(unit, reading) if fragment.traces else fragment
    if made.part.functions:
        known = {each.path for each in made.part.functions if each.reads_state}.union(reading)
        marked = tuple(replace(each, reads_state=each.path in known) for each in made.part.functions)
        return replace(made, part=replace(made.part, functions=marked))
    return made


# -- defaults ---------------------------------------------------------------------------------------------------------


_DEFAULTS: Last[Mapping[str, Expr]] = Last()
_DEFAULTED: PerRow[Fragment] = PerRow()


def _defaulted(units: Units, fragments: list[Fragment], problems: dict[ItemId, tuple[Problem, ...]]) -> list[Fragment]:
    """Struct literals with the defaults of the fields that they leave out."""
    structs = [struct for each in fragments for struct in each.part.structs]
    concepts = [concept for each in fragments for concept in each.part.concepts]
    defaults = _DEFAULTS.get([*structs, *concepts], lambda: read_defaults(structs, concepts))
    names = defaults.keys()
    touched = [each for each in fragments if not names.isdisjoint(each.needs.calls)]
    made = _DEFAULTED.all([(units[each.item], each, defaults) for each in touched], _default)
    problems.update((each.item, each.problems) for each in made if each.problems)
    return _replaced(fragments, touched, made)


def _default(unit: Unit, fragment: Fragment, defaults: Mapping[str, Expr]) -> Fragment:
    try:
        if fragment.part != Module("", ""):
            return _with_ids(fragment, put_defaults(fragment.part, defaults))
        values = {path: _constant(path, put_defaults(expr, defaults)) for path, expr in defaults.items()}
        return lower_with(unit, values)
    except CyclicDefault:
        values_ = args(construct="a default that needs itself", rule=unit.id.label)
        root = unit.item.root
        return Fragment(unit.id, problems=(Problem("OE1317", root.start, root.end, values_),))


def _constant(path: str, value: Expr) -> Function:
    return Function(path, (), UNKNOWN, value, False)


def _whole(units: Units, item: ItemId) -> tuple[int, int]:
    return units[item].item.root.start, units[item].item.root.end


def _with_ids(fragment: Fragment, part: Module) -> Fragment:
    """The fragment with a changed part; rules whose content changed get their new id, in the traces too."""
    renamed: dict[str, str] = {}

    def change(node: Any) -> Any:
        if not isinstance(node, Rule):
            return node
        new = rule_id(node.key, node.terms, node.body)
        renamed[node.id] = new
        return node if new == node.id else replace(node, id=new)

    changed = rebuild(part, change)
    traces = tuple(replace(trace, rule=renamed.get(trace.rule, trace.rule)) for trace in fragment.traces)
    return replace(fragment, part=changed, traces=traces, needs=summary_of(changed))


_FILLED: Last[tuple[list[Fact], list[Unfilled]]] = Last()


def _filled(fragments: Iterable[Fragment]) -> tuple[list[Fact], list[Unfilled]]:
    parts = [each.part for each in fragments if each.part.facts or each.part.concepts or each.part.relations]

    def fill() -> tuple[list[Fact], list[Unfilled]]:
        facts = [fact for part in parts for fact in part.facts]
        concepts = [concept for part in parts for concept in part.concepts]
        return fill_facts(facts, concepts, [relation for part in parts for relation in part.relations])

    return _FILLED.get(parts, fill)


def _filled_claims(fragments: Iterable[Fragment]) -> tuple[list[Claim], list[Unfilled]]:
    """What defaults add to the facts of standpoints, in their own layers; the default layer's values count as given."""
    parts = [each.part for each in fragments]
    said: dict[str, list[Fact]] = {}
    for claim in (claim for part in parts for claim in part.claims if not claim.against):
        said.setdefault(claim.standpoint, []).append(claim.fact)
    if not said:
        return [], []
    concepts = [concept for part in parts for concept in part.concepts]
    relations = [relation for part in parts for relation in part.relations]
    below = [fact for part in parts for fact in part.facts]
    found: list[Claim] = []
    unfilled: list[Unfilled] = []
    for name in sorted(said):
        added, lacking = fill_facts(said[name], concepts, relations, below)
        found += [Claim(fact, name) for fact in added]
        unfilled += lacking
    return found, unfilled


def _unfilled(units: Units, fragments: Iterable[Fragment], unfilled: list[Unfilled]) -> dict[ItemId, list[Problem]]:
    """OE0669 at each fact that leaves out a field whose default is no constant."""
    wanted: dict[int, list[str]] = {}
    for each in unfilled:
        wanted.setdefault(id(each.fact), []).append(each.field)
    found: dict[ItemId, list[Problem]] = {}
    for fragment in fragments if wanted else ():
        for fact in (*fragment.part.facts, *(claim.fact for claim in fragment.part.claims)):
            for name in wanted.get(id(fact), ()):
                of = fact.key.removesuffix("^").rsplit("::", 1)[-1]
                notes = (Note("constant", args(name=name)),)
                found.setdefault(fragment.item, []).append(
                    Problem("OE0669", *_whole(units, fragment.item), args(of=of, name=f"`{name}`"), (), notes)
                )
    return found


# -- assembly ---------------------------------------------------------------------------------------------------------


def _traces(fragments: Iterable[Fragment]) -> dict[str, Trace]:
    """Traces by rule id; of several items that write one rule, the least by name."""
    found: dict[str, Trace] = {}
    for trace in (trace for each in fragments for trace in each.traces):
        known = found.get(trace.rule)
        if known is None or _place(trace) < _place(known):
            found[trace.rule] = trace
    return found


def _place(trace: Trace) -> tuple[str, str, int]:
    return trace.item.file, trace.item.label, trace.item.ordinal


_LISTS = tuple(f.name for f in fields(Module) if f.name not in ("package", "version", "tiers", "source"))
_lists: Callable[[Module], tuple[tuple[Any, ...], ...]] = attrgetter(*_LISTS)


def _assembled(view: ProgramView, fragments: list[Fragment], added: list[Fact], claimed: list[Claim]) -> Module:
    info = view.package
    merged: dict[str, Any] = {"package": info.name, "version": info.version}
    columns = zip(*(_lists(each.part) for each in fragments), strict=True) if fragments else ((),) * len(_LISTS)
    for name, column in zip(_LISTS, columns, strict=True):
        merged[name] = tuple(chain.from_iterable(column))
    merged["facts"] += tuple(added)
    merged["claims"] += tuple(claimed)
    merged["standpoints"] = united(merged["standpoints"])
    merged["predicates"] += tuple(_derived(merged, fragments, view).values())
    read = {key for each in fragments for key in each.needs.reads}
    concepts, relations = merged["concepts"], merged["relations"]
    rules, shapes = reflective_rules(read, concepts, relations, _vocabulary(view), view.declarations)
    merged["rules"] += rules
    merged["predicates"] += shapes
    queries = _typed_extents(merged["queries"], merged["predicates"])
    return Module(**{**merged, "queries": queries})


def _vocabulary(view: ProgramView) -> Iterable[MetatypeSig | TraitSig]:
    return (sig for unit in view.units() for sig in unit.signatures if isinstance(sig, MetatypeSig | TraitSig))


def _derived(merged: Mapping[str, Any], fragments: Iterable[Fragment], view: ProgramView) -> dict[str, Predicate]:
    known = {shape.key: shape for shape in merged["predicates"]}
    traced = _CLAUSES.all([(each,) for each in fragments if each.traces], _clauses)
    found = derived_shapes(chain.from_iterable(traced), known, view.declarations)
    return found | {each.key: each for each in guard_shapes(merged["defaults"], merged["rules"], found)}


_CLAUSES: PerRow[list[Clause]] = PerRow()


def _clauses(fragment: Fragment) -> list[Clause]:
    """The rules of an item that have a trace, with it; those of a concept, whose shape is known, left out."""
    traces = {trace.rule: trace for trace in fragment.traces}
    typed = {shape.key for shape in fragment.part.predicates}
    rules = (rule for rule in fragment.part.rules if rule.id in traces and rule.key not in typed)
    rules = (rule for rule in rules if rule.origin != ATTACK)
    return [(rule, traces[rule.id]) for rule in rules]


def _typed_extents(queries: Iterable[Query], shapes: Iterable[Predicate]) -> tuple[Query, ...]:
    """Extents with the columns of the predicate that they read, and the type of their rows."""
    known = {shape.key: shape.columns for shape in shapes}
    found = []
    for query in queries:
        columns = known.get(query.extent) if query.extent is not None else None
        if columns is not None:
            typed = tuple(
                (name, type_, expr) for (name, type_), (_, _, expr) in zip(columns, query.columns, strict=True)
            )
            row = columns[0][1] if len(columns) == 1 else RecordOf(columns)
            type_ = ListOf(row) if query.type == ListOf(UNKNOWN) else query.type
            query = replace(query, columns=typed, type=type_)
        found.append(query)
    return tuple(found)


def ordered(module: Module) -> Module:
    """The module with each entry once, by its path, key or content: the same whatever the order of the items."""
    return Module(**{field.name: _sorted(getattr(module, field.name)) for field in fields(Module)})


def _sorted(entries: Any) -> Any:
    if not isinstance(entries, tuple):
        return entries
    keyed = {_order(entry): entry for entry in entries}
    return tuple(keyed[key] for key in sorted(keyed))


def _order(entry: Any) -> tuple[str, ...]:
    match entry:
        case Rule():
            return entry.key, entry.id
        case Fact():
            return entry.key, repr(entry.row), repr(entry.start), repr(entry.end)
        case Predicate():
            return (entry.key,)
        case Claim():
            return entry.standpoint, str(entry.against), *_order(entry.fact)
        case TestCase():
            return entry.module, entry.name, repr(entry.steps)
        case tuple():
            return (entry[0],)
        case _:
            return (entry.path,)
