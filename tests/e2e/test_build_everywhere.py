"""One package, many machines: the artifact is a function of its inputs, and two builders do the work once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

BUILD = """
import sys
from pathlib import Path
from argon_lang.session.compiler import compile_inputs
from argon_lang.session.stamps import read_stamp
from argon_lang.workspace.build import build
from argon_lang.workspace.root import find_project
project = find_project(start=Path.cwd())
print("ready", flush=True)
sys.stdin.readline()
result = build(project, compile_inputs, read_stamp)
print(result.wrote, result.current, result.module_hash, result.inputs_digest)
"""


def clone(example: str, folder: Path) -> Path:
    """A clean copy of an example package."""
    shutil.copytree(ROOT / "examples" / example, folder, ignore=shutil.ignore_patterns("target", ".argon"))
    return folder


def builder(folder: Path, **environment: str) -> subprocess.Popen[str]:
    """A process that builds the package in a folder once it is sent a line."""
    env = os.environ | {"PYTHONPATH": str(ROOT)} | environment
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen([sys.executable, "-c", BUILD], cwd=folder, env=env, text=True, **pipes)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n", process.communicate()[1]
    return process


def answer(process: subprocess.Popen[str]) -> list[str]:
    """What the builder says at its end: wrote, current, module hash, inputs digest."""
    output, errors = process.communicate("\n", timeout=60)
    assert (process.returncode, errors) == (0, "")
    return output.split()


@pytest.mark.parametrize("example", ["hello", "lease"])
def test_two_clean_clones_build_the_same_bytes_whatever_folder_hash_seed_and_time_zone(
    example: str, tmp_path: Path
) -> None:
    here = clone(example, tmp_path / "here")
    there = clone(example, tmp_path / "a folder" / "with é" / "there")
    settings = [
        (here, {"PYTHONHASHSEED": "1", "TZ": "UTC", "LC_ALL": "C"}),
        (there, {"PYTHONHASHSEED": "2", "TZ": "Pacific/Auckland", "LC_ALL": "C.UTF-8"}),
    ]
    answers = [answer(builder(folder, **environment)) for folder, environment in settings]
    assert answers[0] == answers[1]
    first, second = ((folder / "target" / "root.oxbin").read_bytes() for folder, _ in settings)
    assert first == second
    assert str(tmp_path).encode() not in first


def test_of_two_processes_that_build_at_once_one_builds_and_the_other_finds_it_done(tmp_path: Path) -> None:
    folder = clone("lease", tmp_path / "lease")
    both = [builder(folder), builder(folder)]
    for process in both:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    answers = sorted(answer(process) for process in both)
    assert [words[:2] for words in answers] == [["False", "True"], ["True", "False"]]
    assert answers[0][2:] == answers[1][2:]
    assert sorted(path.name for path in (folder / "target").iterdir()) == ["root.oxbin"]
