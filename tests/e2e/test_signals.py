"""How a command ends that is stopped: its exit status, no traceback, nothing half done."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.support.cli import COMMAND, PATIENCE, copy, environment, tree

PEOPLE = 300
START_SECONDS = 2.0
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


def reasons(process: subprocess.Popen[str]) -> bool:
    """Has the process computed for longer than any start takes? Where the system does not tell, it is taken to."""
    stat = Path(f"/proc/{process.pid}/stat")
    if not stat.exists():
        return process.poll() is None
    user, system = stat.read_text(encoding="utf-8").rpartition(")")[2].split()[11:13]
    return int(user) + int(system) > START_SECONDS * os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_command_that_is_told_to_stop_stops_in_mid_reasoning(
    tmp_path: Path, number: signal.Signals, status: int
) -> None:
    (tmp_path / "root.ar").write_text(ENDLESS, encoding="utf-8")
    (tmp_path / "ox.toml").write_text('[package]\nname = "big"\nprelude = ["std::core::{type}"]\n', encoding="utf-8")
    before = tree(tmp_path)
    with start(tmp_path, "derive", "many") as process:
        deadline = time.monotonic() + PATIENCE
        while not reasons(process):
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
