"""Rows of an answer: a table for people, JSON, JSON lines or CSV for programs."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import typer
from rich.table import Table
from rich.text import Text

from argon_lang.runtime.drawings.values import plain

if TYPE_CHECKING:
    from rich.console import Console

    from argon_lang.cli.output import Output
    from argon_lang.runtime.envelopes import Answer, AnswerRow, Receipt, Versioned

FORMATS = ("table", "json", "jsonl", "csv")


def print_answer(output: Output, answer: Answer, wanted: str, limit: int | None) -> None:
    """Print an answer in the wanted format; `limit` bounds the rows shown, never the count told."""
    shown = answer if limit is None else answer.model_copy(update={"rows": answer.rows[:limit]})
    # Whoever reads rows that are not all Is has to be told which are which.
    marks = [name for name in ("truth4", "tag") if any(getattr(row, name) is not None for row in shown.rows)]
    columns = [*(column.name for column in shown.columns), *marks]
    records = [[*row.values, *(getattr(row, name) for name in marks)] for row in shown.rows]
    print_records(output, shown, wanted, columns, records, lambda console: _table(console, shown))


def print_records(
    output: Output,
    envelope: Versioned,
    wanted: str,
    columns: Sequence[str],
    records: Sequence[Sequence[Any]],
    human: Callable[[Console], None],
) -> None:
    """Print an answer that is no table of rows: for people as `human` draws it, for programs by its `records`."""
    known(wanted)
    if output.json or wanted == "json":
        output.write_json(envelope.dump())
    elif wanted == "jsonl":
        _lines(columns, records)
    elif wanted == "csv":
        sys.stdout.write(_csv(columns, records))
    elif not output.quiet:
        human(output.out)


def print_receipt(output: Output, receipt: Receipt, wanted: str) -> None:
    """The answer of a write; for programs its events, one by one."""
    from argon_lang.cli.report import draw_receipt

    columns = ("op", "fact", "validFrom", "validTo", "id")
    records = [(each.op, each.fact, each.valid_from, each.valid_to, each.id) for each in receipt.events]
    print_records(output, receipt, wanted, columns, records, lambda console: draw_receipt(console, receipt))


def known(wanted: str) -> None:
    """Refuse a format that is none."""
    if wanted not in FORMATS:
        raise typer.BadParameter(f"--format takes {', '.join(FORMATS)}, not `{wanted}`")


def _lines(columns: Sequence[str], records: Sequence[Sequence[Any]]) -> None:
    for record in records:
        sys.stdout.write(json.dumps(dict(zip(columns, record, strict=True)), ensure_ascii=False) + "\n")


def _csv(columns: Sequence[str], records: Sequence[Sequence[Any]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([plain(value) for value in record] for record in records)
    return out.getvalue()


def _table(console: Console, answer: Answer) -> None:
    columns, rows = _spread([column.name for column in answer.columns], [row.values for row in answer.rows])
    told = [(row.truth4, row.tag) for row in answer.rows]
    extra = [index for index in range(2) if any(each[index] is not None for each in told)]
    names = [*columns, *(("truth4", "tag")[index] for index in extra)]
    marked = [[*row, *(marks[index] or "" for index in extra)] for row, marks in zip(rows, told, strict=True)]
    if columns and rows:
        draw_table(console, names, marked)
    for record, row in zip(marked, answer.rows, strict=True):
        _because(console, record, row)
    shown = f" (showing {len(answer.rows)})" if len(answer.rows) < answer.row_count else ""
    hidden = "".join(f", {count} {word}" for word, count in _hidden(answer) if count)
    console.print(Text(f"{answer.row_count} row{'s' if answer.row_count != 1 else ''}{shown}{hidden}", "dim"))


def draw_table(console: Console, columns: Sequence[str], records: Sequence[Sequence[Any]]) -> None:
    """Records under the names of their columns, for people."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in columns:
        table.add_column(Text(name))
    for record in records:
        table.add_row(*(Text(plain(value)) for value in record))
    console.print(table)


def _because(console: Console, record: Sequence[Any], row: AnswerRow) -> None:
    """Why a row is there: the proof of each fact that it comes from."""
    if row.because is None:
        return
    from argon_lang.cli.trees import draw_nodes

    console.print(Text(", ".join(plain(value) for value in record), "bold"))
    for proof in row.because:
        draw_nodes(console, proof.nodes, proof.root_id)


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
