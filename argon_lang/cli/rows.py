"""Rows of an answer: a table for people, JSON, JSON lines or CSV for programs."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import typer
from rich.table import Table
from rich.text import Text

from argon_lang.runtime.drawings.values import plain

if TYPE_CHECKING:
    from rich.console import Console

    from argon_lang.cli.output import Output
    from argon_lang.runtime.envelopes import Answer

FORMATS = ("table", "json", "jsonl", "csv")


def print_answer(output: Output, answer: Answer, wanted: str, limit: int | None) -> None:
    """Print an answer in the wanted format; `limit` bounds the rows shown, never the count told."""
    if wanted not in FORMATS:
        raise typer.BadParameter(f"--format takes {', '.join(FORMATS)}, not `{wanted}`")
    shown = answer if limit is None else answer.model_copy(update={"rows": answer.rows[:limit]})
    if output.json or wanted == "json":
        output.write_json(shown.dump())
    elif wanted == "jsonl":
        names = [column.name for column in shown.columns]
        for row in shown.rows:
            sys.stdout.write(json.dumps(dict(zip(names, row.values, strict=True)), ensure_ascii=False) + "\n")
    elif wanted == "csv":
        sys.stdout.write(_csv(shown))
    else:
        _table(output.out, shown)


def _csv(answer: Answer) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(column.name for column in answer.columns)
    writer.writerows([plain(value) for value in row.values] for row in answer.rows)
    return out.getvalue()


def _table(console: Console, answer: Answer) -> None:
    columns, rows = _spread([column.name for column in answer.columns], [row.values for row in answer.rows])
    told = [(row.truth4, row.tag) for row in answer.rows]
    extra = [index for index in range(2) if any(each[index] is not None for each in told)]
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in (*columns, *(("truth4", "tag")[index] for index in extra)):
        table.add_column(Text(name))
    for row, marks in zip(rows, told, strict=True):
        table.add_row(*(Text(plain(value)) for value in row), *(Text(marks[index] or "") for index in extra))
    if columns and rows:
        console.print(table)
    shown = f" (showing {len(answer.rows)})" if len(answer.rows) < answer.row_count else ""
    hidden = "".join(f", {count} {word}" for word, count in _hidden(answer) if count)
    console.print(Text(f"{answer.row_count} row{'s' if answer.row_count != 1 else ''}{shown}{hidden}", "dim"))


def _hidden(answer: Answer) -> tuple[tuple[str, int], ...]:
    """How many rows are not Is, by their truth value."""
    return ("Can", answer.hidden.can), ("Both", answer.hidden.both), ("Not", answer.hidden.not_)


def _spread(columns: list[str], rows: Sequence[list[Any]]) -> tuple[list[str], Sequence[list[Any]]]:
    """A lone column of structs is shown as its fields."""
    values = [row[0] for row in rows if len(row) == 1]
    if len(columns) != 1 or not values or not all(isinstance(v, dict) and "struct" in v for v in values):
        return columns, rows
    names = list(values[0]["fields"])
    return names, [[value["fields"].get(name) for name in names] for value in values]
