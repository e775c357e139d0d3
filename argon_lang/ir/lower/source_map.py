"""The source map: from declarations, rules, tests and docs of a module back to the text (outside the module hash)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from argon_lang.ir.lower.fragment import Fragment, Trace
from argon_lang.ir.lower.item import is_sound
from argon_lang.ir.lower.link import Linked
from argon_lang.ir.module import RuleSource, SourceMap, Span
from argon_lang.problems import ItemId
from argon_lang.program.model import Symbol
from argon_lang.program.view import ProgramView, Unit
from argon_lang.text import LineIndex

_UNDECLARED = frozenset({"individual", "module", "unsupported", "test", "metaxis", "metatype", "metarel"})


@dataclass(slots=True)
class Places:
    """Item-relative spans as spans of files; line indexes are made once per file."""

    view: ProgramView
    lines: dict[str, LineIndex] = field(default_factory=dict)

    def span(self, item: ItemId, start: int, end: int) -> Span:
        """Zero-based lines and UTF-16 columns."""
        place = self.view.locate(item, start, end)
        if place.file not in self.lines:
            self.lines[place.file] = LineIndex(self.view.source(place.file))
        index = self.lines[place.file]
        file = self._within_package(place.file)
        return Span(file, *index.position(place.start, "utf-16"), *index.position(place.end, "utf-16"))

    def _within_package(self, file: str) -> str:
        name = self.view.package.name
        return file.removeprefix(f"{name}/") if name else file


def source_map(view: ProgramView, linked: Linked) -> SourceMap:
    """Where everything in the module was written."""
    places = Places(view)
    units = [unit for unit in view.units() if is_sound(unit)]
    return SourceMap(
        tuple(sorted(_declarations(units, places).items())),
        tuple(_rule(trace, view, places) for _, trace in sorted(linked.traces.items())),
        tuple(sorted(_tests(linked.fragments, view, places))),
        tuple(sorted(_docs(units).items())),
    )


def _declared(unit: Unit) -> list[Symbol]:
    return [symbol for symbol in unit.symbols if symbol.kind not in _UNDECLARED]


def _declarations(units: list[Unit], places: Places) -> Mapping[str, Span]:
    """The first declaration of each path, in the order of the view."""
    found: dict[str, Span] = {}
    for unit in units:
        root = unit.item.root
        for symbol in _declared(unit):
            if symbol.path not in found:
                found[symbol.path] = places.span(unit.id, root.start, root.end)
    return found


def _docs(units: list[Unit]) -> Mapping[str, str]:
    found: dict[str, list[str]] = {}
    for unit in units:
        lines = unit.item.root.docs
        for symbol in _declared(unit) if lines else ():
            found.setdefault(symbol.path, []).extend(lines)
    return {path: "\n".join(lines) for path, lines in found.items()}


def _rule(trace: Trace, view: ProgramView, places: Places) -> RuleSource:
    unit = view.unit(trace.item)
    text = unit.item.text if unit else ""
    sites = tuple((places.span(trace.item, start, end), text[start:end]) for start, end in trace.sites)
    return RuleSource(trace.rule, places.span(trace.item, trace.start, trace.end), trace.names, sites)


def _tests(
    fragments: tuple[Fragment, ...], view: ProgramView, places: Places
) -> list[tuple[str, str, Span, tuple[Span, ...]]]:
    found = []
    for fragment in fragments:
        unit = view.unit(fragment.item) if fragment.part.tests else None
        if unit is not None:
            root = unit.item.root
            whole = places.span(fragment.item, root.start, root.end)
            steps = tuple(places.span(fragment.item, start, end) for start, end in fragment.spans)
            found += [(case.module, case.name, whole, steps) for case in fragment.part.tests]
    return found
