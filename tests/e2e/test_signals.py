"""How a command ends that is stopped: its exit status, no traceback, nothing half done."""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.support.cli import COMMAND, PATIENCE, copy, environment, tree

PEOPLE = 300
ENDLESS = "\n".join(
    [
        "type P;",
        *(f"fact P(p{number});" for number in range(PEOPLE)),
        "derive triple(a: P, b: P, c: P) :- a: P, b: P, c: P;",
        "derive many(a: P) :- triple(a, b, c), triple(b, c, a), triple(c, a, b);",
    ]
)


def start(folder: Path, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*COMMAND, *words],
        cwd=folder,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


def handles_termination(process: subprocess.Popen[str]) -> bool:
    """Has the process put its own handler of SIGTERM in place? Bit 14 of the caught signals, where the system tells."""
    status = Path(f"/proc/{process.pid}/status")
    if not status.exists():
        return process.poll() is None
    caught = next(line.split()[1] for line in status.read_text().splitlines() if line.startswith("SigCgt"))
    return bool(int(caught, 16) >> (signal.SIGTERM - 1) & 1)


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_command_that_is_told_to_stop_stops_in_mid_reasoning(
    tmp_path: Path, number: signal.Signals, status: int
) -> None:
    (tmp_path / "root.ar").write_text(ENDLESS, encoding="utf-8")
    (tmp_path / "ox.toml").write_text('[package]\nname = "big"\nprelude = ["std::core::{type}"]\n', encoding="utf-8")
    before = tree(tmp_path)
    with start(tmp_path, "derive", "many") as process:
        deadline = time.monotonic() + PATIENCE
        while not handles_termination(process):
            assert time.monotonic() < deadline
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err) == (status, "", "")
    assert tree(tmp_path) == before


@pytest.mark.parametrize(
    "words",
    [
        ["query", "late_payers"],
        ["query", "late_payers", "--json"],
        ["derive", "lets", "--format", "csv"],
        ["explain", "OE1317"],
    ],
)
def test_a_reader_that_has_gone_ends_the_command_quietly(tmp_path: Path, words: list[str]) -> None:
    lease = copy("lease", tmp_path / "lease")
    with start(lease, *words) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        err = process.stderr.read()
        process.wait(PATIENCE)
    assert (process.returncode, err) == (141, "")
