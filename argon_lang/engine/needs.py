"""What generated code takes as parameters: rows, indexes, constants, expressions, and what folds or compares values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from argon_lang.engine.aggregates import Folding
from argon_lang.engine.doubt import DoubtfulFold
from argon_lang.engine.exprs import Run
from argon_lang.ir.values import Value


@dataclass(frozen=True, slots=True)
class RowsOf:
    """The row dictionary of a key: `side` 0 in the estimate that is being computed, 1 in the other."""

    key: str
    arity: int
    side: int = 0


@dataclass(frozen=True, slots=True)
class IndexOf:
    """The `get` of a key's index by these columns."""

    key: str
    arity: int
    columns: tuple[int, ...]
    side: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class NumberOf:
    """The number of a constant."""

    value: Value


@dataclass(frozen=True, slots=True, eq=False)
class RunOf:
    """A compiled expression."""

    run: Run


@dataclass(frozen=True, slots=True)
class FoldOf:
    """What makes one value of an aggregate's rows."""

    fold: Folding


@dataclass(frozen=True, slots=True)
class DoubtOf:
    """What makes one value of an aggregate's rows where some of them are in doubt."""

    fold: DoubtfulFold


@dataclass(frozen=True, slots=True)
class CompareOf:
    """A comparison of an aggregate's bounds with a value, in the possible estimate or the definite one."""

    op: str
    possible: bool


Need = RowsOf | IndexOf | NumberOf | RunOf | FoldOf | DoubtOf | CompareOf


@dataclass(frozen=True, slots=True)
class Code:
    """A factory `make(S, V, I, T, *needs)` and what to call it with.

    `S` is the expression context, `V` the table of values, `I` interns one, `T` is the governor's tick.
    """

    make: Callable[..., Callable[..., Any]]
    needs: tuple[Need, ...]
