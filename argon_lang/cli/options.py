"""The options that many commands share, declared once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

JsonFlag = Annotated[bool, typer.Option("--json", help="One JSON object on standard output, nothing else.")]
ProjectDir = Annotated[
    Path | None,
    typer.Option("--project", help="The project's folder (default: the nearest ox.toml upward).", metavar="DIR"),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")]
Color = Annotated[str, typer.Option("--color", help="auto, always or never.", metavar="WHEN")]
AsOf = Annotated[
    str | None, typer.Option("--as-of", help="Read at this date or date-time (valid time).", metavar="WHEN")
]
AsOfTx = Annotated[
    int | None, typer.Option("--as-of-tx", help="Read as known at this transaction.", metavar="TX", min=0)
]
Standpoint = Annotated[
    str | None,
    typer.Option("--standpoint", help="Read in the view of this standpoint, or write its layer.", metavar="NAME"),
]
Truth4 = Annotated[
    bool | None, typer.Option("--truth4/--no-truth4", help="Show rows that are not Is too, each with its truth value.")
]
Dirty = Annotated[
    str,
    typer.Option(
        "--dirty", help="When sources changed since the build: build, refuse or serve-stale.", metavar="POLICY"
    ),
]
Arguments = Annotated[
    list[str] | None,
    typer.Argument(help="Arguments in order, or as name=value.", metavar="[ARGS]...", show_default=False),
]
Batch = Annotated[
    str | None,
    typer.Option(
        "--batch",
        help="Run the mutations of this JSON file as one transaction: a list of {name, args}.",
        metavar="FILE",
        show_default=False,
    ),
]
Format = Annotated[str, typer.Option("--format", help="table, json, jsonl or csv.", metavar="FORMAT")]
Explain = Annotated[bool, typer.Option("--explain", help="Say why each row is there.")]
ExplainDepth = Annotated[int, typer.Option("--depth", help="Levels to unfold, with --explain.", min=1)]
Limit = Annotated[int | None, typer.Option("--limit", help="At most this many rows are shown.", min=1)]
Eval = Annotated[
    str | None,
    typer.Option("--eval", help="Run this text, checked as if the entry file declared it.", metavar="SOURCE"),
]
Fork = Annotated[
    str | None,
    typer.Option("--fork", help="Work on this fork (its handle, or its name).", metavar="FORK", show_default=False),
]
JUnit = Annotated[
    str | None,
    typer.Option("--junit", help="Write the report as JUnit XML, too.", metavar="FILE", show_default=False),
]
