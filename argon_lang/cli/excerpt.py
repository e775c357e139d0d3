"""A diagnostic drawn as rustc draws one: message, place, the source lines with carets, secondary spans, help, fixes.

Pure: from `Diagnostic`s and source texts to Rich text; what prints it is `argon_lang.cli.output`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text

from argon_lang.problems import Diagnostic, Location, PublishedFix
from argon_lang.text import LineIndex

STYLES = {"error": "bold red", "warning": "bold yellow", "info": "bold cyan"}
GUTTER = "bold blue"
TAB = "    "
LONGEST, BEFORE = 240, 60
"""A longer line is shown in part: so many characters of it, so many of these before the first mark."""
_TO_BLANKS = str.maketrans(dict.fromkeys("\r\n\f\v\0\x1b", " "))


@dataclass(frozen=True, slots=True)
class Source:
    """A file as shown: its name for people, its text, its line index."""

    name: str
    text: str
    lines: LineIndex


@dataclass(frozen=True, slots=True)
class Mark:
    """A span under one line: cell columns `[start, end)` of the shown line, with a label.

    `column` is where it begins, in characters of the whole line; `window` the characters of it that are shown.
    """

    line: int
    column: int
    window: tuple[int, int]
    start: int
    end: int
    label: str
    primary: bool
    more: bool


Sources = Callable[[str], Source | None]
"""Gives the source of a file key; None when it is not at hand."""


def draw(diagnostic: Diagnostic, sources: Sources) -> Text:
    """The whole block for one diagnostic, ending with a newline."""
    style = STYLES[diagnostic.severity]
    out = Text()
    out.append(f"{diagnostic.severity}[{diagnostic.code}]", style).append(f": {diagnostic.message}\n", "bold")
    width = _gutter_width(diagnostic, sources)
    for index, (file, marks) in enumerate(_by_file(diagnostic, sources)):
        _draw_file(out, sources(file), file, marks, width, style, first=index == 0)
    for line in diagnostic.help:
        out.append(" " * (width + 1) + "= ", GUTTER).append("help", "bold").append(f": {line}\n")
    for fix in diagnostic.fixes:
        _draw_fix(out, fix, sources, width)
    return out


def _gutter_width(diagnostic: Diagnostic, sources: Sources) -> int:
    places = [diagnostic.location, *(related.location for related in diagnostic.related)]
    lines = [s.lines.position(p.start)[0] + 1 for p in places if (s := sources(p.file)) is not None]
    return len(str(max(lines, default=1)))


def _by_file(diagnostic: Diagnostic, sources: Sources) -> Iterator[tuple[str, list[Mark]]]:
    spans = [(diagnostic.location, "", True), *((r.location, r.message, False) for r in diagnostic.related)]
    files = dict.fromkeys(location.file for location, _, _ in spans)
    for file in files:
        source, windows = sources(file), dict[int, tuple[int, int]]()
        yield file, [_mark(source, windows, *span) for span in spans if span[0].file == file] if source else []


def _mark(source: Source, windows: dict[int, tuple[int, int]], location: Location, label: str, primary: bool) -> Mark:
    """Marks of one line share its window, which the first of them decides."""
    (line, column), (end_line, end_column) = map(source.lines.position, (location.start, location.end))
    text = source.lines.line_text(line)
    window = windows.setdefault(line, _window(text, column))
    start = cell_len(_clipped(text, window, column))
    stop = cell_len(_clipped(text, window, end_column if end_line == line else len(text)))
    return Mark(line, column, window, start, max(stop, start + 1), label, primary, end_line > line)


def _window(text: str, column: int) -> tuple[int, int]:
    if len(text) <= LONGEST:
        return 0, len(text)
    begin = max(0, min(column - BEFORE, len(text) - LONGEST))
    return begin, begin + LONGEST


def _clipped(text: str, window: tuple[int, int], end: int | None = None) -> str:
    """What is shown of a line, or what is shown of it before the character at `end`."""
    lead = "…" if window[0] else ""
    if end is not None:
        return lead + _shown(text[window[0] : min(end, window[1])])
    return lead + _shown(text[window[0] : window[1]]).rstrip() + ("…" if window[1] < len(text) else "")


def _shown(text: str) -> str:
    return text.replace("\t", TAB).translate(_TO_BLANKS)


def _draw_file(
    out: Text, source: Source | None, file: str, marks: list[Mark], width: int, style: str, *, first: bool
) -> None:
    arrow = "-->" if first else ":::"
    if source is None:
        out.append(" " * width + arrow, GUTTER).append(f" {file}\n")
        return
    head = marks[0]
    out.append(" " * width + arrow, GUTTER).append(f" {source.name}:{head.line + 1}:{head.column + 1}\n")
    out.append(" " * (width + 1) + "|\n", GUTTER)
    previous: int | None = None
    for line in sorted({mark.line for mark in marks}):
        if previous is not None and line > previous + 1:
            out.append("...\n", GUTTER)
        here = sorted((m for m in marks if m.line == line), key=lambda m: (not m.primary, m.start))
        shown = _clipped(source.lines.line_text(line), here[0].window)
        out.append(f"{line + 1:>{width}} | ", GUTTER).append(f"{shown}\n")
        for mark in here:
            _draw_mark(out, mark, width, style)
        previous = line


def _draw_mark(out: Text, mark: Mark, width: int, style: str) -> None:
    sign, colour = ("^", style) if mark.primary else ("-", GUTTER)
    tail = "..." if mark.more else ""
    out.append(" " * (width + 1) + "| ", GUTTER).append(" " * mark.start)
    out.append(sign * (mark.end - mark.start) + tail, colour)
    out.append(f" {mark.label}\n" if mark.label else "\n", colour)


def _draw_fix(out: Text, fix: PublishedFix, sources: Sources, width: int) -> None:
    out.append(" " * (width + 1) + "= ", GUTTER).append("fix", "bold green").append(f": {fix.title}\n")
    for source, row, edits in _by_line(fix, sources):
        line = source.lines.line_text(row)
        first = min(column for column, _, _ in edits)
        for column, end, text in sorted(edits, reverse=True):
            line = line[:column] + text + line[end:]
        out.append(f"{row + 1:>{width}} ", GUTTER).append("~ ", "green").append(
            _clipped(line, _window(line, first)) + "\n"
        )


def _by_line(fix: PublishedFix, sources: Sources) -> Iterator[tuple[Source, int, list[tuple[int, int, str]]]]:
    """The lines that a fix changes, each with its edits (start and end column, new text); none of several lines."""
    lines: dict[tuple[str, int], list[tuple[int, int, str]]] = {}
    for edit in fix.edits:
        source = sources(edit.location.file)
        if source is None or "\n" in edit.text:
            continue
        (row, column), (end_row, end) = map(source.lines.position, (edit.location.start, edit.location.end))
        if row == end_row:
            lines.setdefault((edit.location.file, row), []).append((column, end, edit.text))
    for (file, row), edits in lines.items():
        source = sources(file)
        if source is not None:
            yield source, row, edits


def summary(diagnostics: Iterable[Diagnostic]) -> Text:
    """One closing line: how many errors and warnings."""
    found = [d.severity for d in diagnostics]
    errors, warnings = found.count("error"), found.count("warning")
    if not errors and not warnings:
        return Text("no problems found", "bold green")
    parts = [_count(n, word) for n, word in ((errors, "error"), (warnings, "warning")) if n]
    return Text(" and ".join(parts) + " found", "bold red" if errors else "bold yellow")


def _count(number: int, word: str) -> str:
    return f"{number} {word}" + ("s" if number != 1 else "")
