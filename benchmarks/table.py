"""What a benchmark says: budgets, the samples that are held against them, and the table of both.

A bench module (`bench_*.py`) has `BUDGETS`, one per line of the table, and `measure(quick)`, which yields the samples
of each. Limits are those of the architecture's table, in milliseconds at the reference speed (`calibrate`) or in
megabytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

Samples = Iterator[tuple[str, list[float]]]
"""Samples by the `what` of a budget."""


@dataclass(frozen=True, slots=True)
class Budget:
    """One line: what is measured, and at most how much p50 and p95 may be (None: measured without a limit)."""

    what: str
    p50: float | None = None
    p95: float | None = None
    unit: Literal["ms", "MB", "×"] = "ms"


@dataclass(frozen=True, slots=True)
class Bench:
    """A bench module: `name` is what `--only` takes."""

    name: str
    budgets: tuple[Budget, ...]
    measure: Callable[[bool], Samples]


@dataclass(frozen=True, slots=True)
class Figure:
    """The samples of one line, and how many times slower than the reference the machine was just then."""

    budget: Budget
    samples: Sequence[float] = field(repr=False)
    slowness: float

    def quantile(self, share: float) -> float:
        """The sample below which `share` of all lie."""
        ordered = sorted(self.samples)
        return ordered[min(len(ordered) - 1, int(len(ordered) * share))]

    def scaled(self, share: float) -> float:
        """The quantile at the reference speed; neither memory nor a ratio depends on speed."""
        return self.quantile(share) / (self.slowness if self.budget.unit == "ms" else 1.0)

    @property
    def ratio(self) -> float | None:
        """How much of the budget is used, the worse of both limits; above 1 it is exceeded."""
        limits = ((0.5, self.budget.p50), (0.95, self.budget.p95))
        used = [self.scaled(share) / limit for share, limit in limits if limit is not None]
        return max(used, default=None)


HEADER = ("what", "unit", "budget p50 / p95", "measured p50 / p95", "at reference speed", "of the budget")


def row(figure: Figure) -> tuple[str, ...]:
    """The cells of one line."""
    budget = figure.budget
    used = figure.ratio
    return (
        budget.what,
        budget.unit,
        " / ".join("–" if limit is None else f"{limit:g}" for limit in (budget.p50, budget.p95)),
        " / ".join(_number(figure.quantile(share)) for share in (0.5, 0.95)),
        " / ".join(_number(figure.scaled(share)) for share in (0.5, 0.95)),
        "–" if used is None else f"{used:.2f}{' (over)' if used > 1 else ''}",
    )


def _number(value: float) -> str:
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def markdown(rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table of lines below `HEADER`."""
    lines = [HEADER, ("---",) * len(HEADER), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines) + "\n"
