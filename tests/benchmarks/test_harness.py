"""The benchmarks run, and the table that is committed is the table of what they measure. No time is judged here."""

from __future__ import annotations

import re

import pytest

from benchmarks import beside, beside_lsp
from benchmarks.__main__ import RESULTS, benches, main, results
from benchmarks.calibrate import slowness
from benchmarks.table import HEADER, Budget, Figure, row

NAMES = [bench.name for bench in benches()]


@pytest.mark.parametrize("name", NAMES)
def test_a_bench_measures_each_of_its_lines_once_and_in_order(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--quick", "--only", name]) == 0
    shown = [line.split(" | ")[0] for line in capsys.readouterr().out.splitlines()]
    (bench,) = (bench for bench in benches() if bench.name == name)
    assert shown == [HEADER[0], *(budget.what for budget in bench.budgets)]


def test_the_committed_table_has_the_lines_that_the_benches_measure() -> None:
    written = re.findall(r"^\| (.+?) \| (?:ms|MB|×) \|", RESULTS.read_text(encoding="utf-8"), re.MULTILINE)
    listed = [budget.what for bench in benches() for budget in bench.budgets]
    assert written[: len(listed)] == listed
    others = [budget.what for budget in (*beside.BUDGETS, *beside_lsp.BUDGETS)]
    assert [what for what in others if what in written[len(listed) :]] == written[len(listed) :]


def test_the_committed_table_has_the_budgets_that_the_benches_have() -> None:
    written = re.findall(r"^\| .+? \| (?:ms|MB|×) \| (.+?) \|", RESULTS.read_text(encoding="utf-8"), re.MULTILINE)
    listed = [row(Figure(budget, [1.0], 1.0))[2] for bench in benches() for budget in bench.budgets]
    assert written[: len(listed)] == listed
    assert set(written[len(listed) :]) <= {"– / –"}


def test_a_quick_or_partial_run_may_not_be_kept(capsys: pytest.CaptureFixture[str]) -> None:
    for options in (["--write", "--quick"], ["--write", "--only", NAMES[0]]):
        with pytest.raises(SystemExit) as left:
            main(options)
        assert left.value.code == 2
        assert "leave out --only and --quick" in capsys.readouterr().err


def test_a_figure_is_scaled_to_the_reference_speed_and_held_against_the_worse_limit() -> None:
    figure = Figure(Budget("a", p50=10, p95=20), [float(number) for number in range(1, 101)], slowness=2.0)
    assert (figure.quantile(0.5), figure.quantile(0.95)) == (51.0, 96.0)
    assert figure.ratio == 51 / 2 / 10
    assert row(figure) == ("a", "ms", "10 / 20", "51.0 / 96.0", "25.5 / 48.0", "2.55 (over)")


def test_memory_is_not_scaled_and_a_line_without_limit_has_no_ratio() -> None:
    assert Figure(Budget("a", p50=100, unit="MB"), [50.0], slowness=2.0).ratio == 0.5
    assert row(Figure(Budget("b"), [5.0], slowness=2.0))[-2:] == ("2.50 / 2.50", "–")


def test_the_kept_text_says_when_and_with_what_it_was_taken() -> None:
    text = results([Figure(Budget("a", p50=10), [5.0], slowness=1.5)])
    assert re.search(r"Taken \d{4}-\d\d-\d\d with Python 3\.\d+", text)
    assert "1.50\ntimes slower" in text
    assert "| a | ms | 10 / – | 5.00 / 5.00 | 3.33 / 3.33 | 0.33 |" in text


def test_the_files_beside_which_others_are_measured_are_python_of_the_length_that_is_said() -> None:
    for lines, first in ((500, 0), (500, 300), (5_000, 0)):
        text = beside.text_of(lines, first)
        compile(text, "part.py", "exec")
        assert lines <= text.count("\n") < lines + 40


def test_the_speed_of_the_machine_is_a_positive_number() -> None:
    assert slowness(1) > 0
