"""All items together: the module, and the way back from its rules to the items.

What one item cannot know is done here: functions that read the state are put in place of their calls in rules, defaults
where literals and facts leave a field out, and the columns of derived predicates are typed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

from argon_lang.ir.codec import rule_id
from argon_lang.ir.expr import Expr
from argon_lang.ir.lower.columns import derived_shapes
from argon_lang.ir.lower.defaults import CyclicDefault, Unfilled, fill_facts, put_defaults, struct_defaults
from argon_lang.ir.lower.fragment import Fragment, Trace, summary_of
from argon_lang.ir.lower.functions import readers
from argon_lang.ir.lower.item import is_sound, lower_item, lower_with
from argon_lang.ir.lower.walk import rebuild
from argon_lang.ir.module import Fact, Function, Module, Query, TestCase
from argon_lang.ir.rules import Predicate, Rule
from argon_lang.problems import ItemId, Note, Problem, args
from argon_lang.program.types import UNKNOWN, ListOf, RecordOf
from argon_lang.program.view import ProgramView

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Linked:
    """The module without its source map and tiers, and what each item gave to it.

    `traces` are by rule content id, the first item's where several items write one rule. `problems` are what lowering
    itself refuses. `defaulted` are the fact rows that defaults added.
    """

    module: Module
    fragments: tuple[Fragment, ...]
    traces: Mapping[str, Trace]
    problems: Mapping[ItemId, tuple[Problem, ...]]
    defaulted: tuple[Fact, ...] = ()


def link(view: ProgramView) -> Linked:
    """Lower every sound item and put the parts together."""
    units = [unit for unit in view.units() if is_sound(unit)]
    fragments = [view.derive(lower_item, unit.id) for unit in units]
    fragments = _inlined(view, fragments)
    problems = {each.item: each.problems for each in fragments if each.problems}
    fragments = _defaulted(view, fragments, problems)
    added, unfilled = _filled(fragments)
    for item, found in _unfilled(view, fragments, unfilled).items():
        problems[item] = (*problems.get(item, ()), *found)
    module = _assembled(view, fragments, added)
    return Linked(module, tuple(fragments), _traces(fragments), problems, tuple(added))


def _inlined(view: ProgramView, fragments: list[Fragment]) -> list[Fragment]:
    """Rules with the functions that read the state put in place of their calls; functions marked accordingly."""
    reading = readers(fragments)
    return [_inline(view, each, reading) if each.needs.calls & reading.keys() else each for each in fragments]


def _inline(view: ProgramView, fragment: Fragment, reading: Mapping[str, Function]) -> Fragment:
    if fragment.part.functions:
        marked = tuple(replace(each, reads_state=True) for each in fragment.part.functions)
        return replace(fragment, part=replace(fragment.part, functions=marked))
    unit = view.unit(fragment.item) if fragment.traces else None
    return lower_with(unit, reading) if unit is not None else fragment


# -- defaults ---------------------------------------------------------------------------------------------------------


def _defaulted(
    view: ProgramView, fragments: list[Fragment], problems: dict[ItemId, tuple[Problem, ...]]
) -> list[Fragment]:
    """Struct literals with the defaults of the fields that they leave out."""
    defaults = struct_defaults(struct for each in fragments for struct in each.part.structs)
    found = []
    for each in fragments:
        try:
            found.append(_default(view, each, defaults) if each.needs.calls & defaults.keys() else each)
        except CyclicDefault:
            values = args(construct="a default that needs itself", rule=each.item.label)
            problems[each.item] = (Problem("OE1317", *_whole(view, each.item), values),)
            found.append(Fragment(each.item))
    return found


def _default(view: ProgramView, fragment: Fragment, defaults: Mapping[str, Expr]) -> Fragment:
    unit = view.unit(fragment.item) if fragment.part == Module("", "") else None
    if unit is None:
        return _with_ids(fragment, put_defaults(fragment.part, defaults))
    values = {path: Function(path, (), UNKNOWN, put_defaults(expr, defaults), False) for path, expr in defaults.items()}
    return lower_with(unit, values)


def _whole(view: ProgramView, item: ItemId) -> tuple[int, int]:
    unit = view.unit(item)
    return (unit.item.root.start, unit.item.root.end) if unit is not None else (0, 0)


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


def _filled(fragments: Iterable[Fragment]) -> tuple[list[Fact], list[Unfilled]]:
    listed = list(fragments)
    facts = [fact for each in listed for fact in each.part.facts]
    concepts = [concept for each in listed for concept in each.part.concepts]
    relations = [relation for each in listed for relation in each.part.relations]
    return fill_facts(facts, concepts, relations)


def _unfilled(
    view: ProgramView, fragments: Iterable[Fragment], unfilled: list[Unfilled]
) -> dict[ItemId, list[Problem]]:
    """OE0703 at each fact that leaves out a field whose default is no constant."""
    wanted: dict[int, list[str]] = {}
    for each in unfilled:
        wanted.setdefault(id(each.fact), []).append(each.field)
    found: dict[ItemId, list[Problem]] = {}
    for fragment in fragments:
        for fact in fragment.part.facts:
            for name in wanted.get(id(fact), ()):
                construct = f"a declared fact without `{name}`, whose default is no constant,"
                notes = (Note("nearest", args(nearest=f"`{name}: …` in the fact")),)
                found.setdefault(fragment.item, []).append(
                    Problem("OE0703", *_whole(view, fragment.item), args(construct=construct), (), notes)
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


def _assembled(view: ProgramView, fragments: list[Fragment], added: list[Fact]) -> Module:
    info = view.package
    merged: dict[str, Any] = {"package": info.name, "version": info.version}
    for field in fields(Module):
        if field.name not in ("package", "version", "tiers", "source"):
            merged[field.name] = tuple(entry for each in fragments for entry in getattr(each.part, field.name))
    merged["facts"] += tuple(added)
    merged["predicates"] += tuple(_derived(merged, fragments, view).values())
    queries = _typed_extents(merged["queries"], merged["predicates"])
    return Module(**{name: _sorted(name, entries) for name, entries in {**merged, "queries": queries}.items()})


def _derived(merged: Mapping[str, Any], fragments: Iterable[Fragment], view: ProgramView) -> dict[str, Predicate]:
    known = {shape.key: shape for shape in merged["predicates"]}
    clauses = []
    for fragment in fragments:
        traces = {trace.rule: trace for trace in fragment.traces}
        clauses += [(rule, traces[rule.id]) for rule in fragment.part.rules if rule.id in traces]
    return derived_shapes(clauses, known, view.declarations)


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


def _sorted(name: str, entries: Any) -> Any:
    """Each entry once, by its path, key or content."""
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
        case TestCase():
            return entry.module, entry.name, repr(entry.steps)
        case tuple():
            return (entry[0],)
        case _:
            return (entry.path,)
