"""The command line as a real process, on a copy of an example; what it prints with `--json` is tried on its schema."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

ROOT = Path(__file__).resolve().parents[2]
COMMAND = (sys.executable, "-m", "argon_lang")
PATIENCE = 180.0
"""Seconds after which a command hangs; generous, since the machine may be busy."""
SCHEMAS = {
    "check": "check-report",
    "build": "build-report",
    "query": "answer",
    "derive": "answer",
    "explain-fact": "explanation",
    "why-not": "explanation",
    "suggest": "suggestions",
    "mutate": "receipt",
    "checks": "violations",
    "test": "test-report",
    "run-scenario": "test-report",
    "fmt": "format-report",
    "new": "new-report",
    "status": "status",
    "explain": "explain",
    "compute": "computed",
    "migrate": "migration-report",
    "log": "log-report",
    "store backup": "backup-report",
    "artifact show": "artifact-report",
    "fork create": "fork-report",
    "fork list": "fork-list",
    "fork diff": "fork-diff",
    "fork abort": "fork-report",
    "fork promote": "receipt",
}


@dataclass(frozen=True)
class Done:
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str

    @property
    def said(self) -> str:
        """Both streams, for messages."""
        return self.out + self.err


def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a command: this repository's code, no colours asked for."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("ARGON_")}
    return {**plain, "PYTHONPATH": str(ROOT), "ARGON_CACHE": "off", **(more or {})}


def argon(*words: str, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> Done:
    """Run one command to its end."""
    done = subprocess.run(
        [*COMMAND, *words],
        cwd=cwd,
        env=environment(env),
        capture_output=True,
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
        timeout=PATIENCE,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def asked(*words: str, cwd: Path) -> tuple[int, dict[str, Any]]:
    """Run one command with `--json`: its status, and the one object that it printed, of the schema it promises."""
    done = argon(*words, "--json", cwd=cwd)
    assert done.err == "", done.err
    answer: dict[str, Any] = json.loads(done.out)
    fits(words[0] if words[0] in SCHEMAS else " ".join(words[:2]), answer)
    return done.status, answer


def fits(command: str, answer: Mapping[str, Any]) -> None:
    """Fail when an answer is not of its command's schema, or of the error's."""
    name = "error-envelope" if "error" in answer else SCHEMAS[command]
    _validator(name).validate(answer)


@cache
def _validator(name: str) -> Draft202012Validator:
    schema = json.loads((ROOT / "docs" / "schemas" / f"{name}.json").read_text(encoding="utf-8"))
    return Draft202012Validator(schema)


def copy(example: str, folder: Path) -> Path:
    """A fresh copy of an example, neither built nor written to."""
    ignored = shutil.ignore_patterns("target", ".argon")
    shutil.copytree(ROOT / "examples" / example, folder, ignore=ignored)
    return folder


def tree(folder: Path) -> dict[str, bytes]:
    """Every file of a folder with its bytes."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
