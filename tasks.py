#!/usr/bin/env python3
"""The project's task runner: one command per habit, the standard library alone.

    python3 tasks.py setup | fix | check | test | long | docs | bench | new-code | demo | vscode | ci

Each task makes the environment in `.venv` first if it is missing or out of date, so every one of them works in a fresh
clone. The file keeps to the syntax of Python 3.6, so that an old Python can read the sentence that turns it away.
"""

import sys

OLDEST = (3, 11)
if sys.version_info < OLDEST:
    sys.stderr.write(
        "Argon needs Python 3.11 or newer, and this is Python %d.%d: run the same command with a newer python3.\n"
        % sys.version_info[:2]
    )
    sys.exit(3)

import argparse
import datetime
import functools
import hashlib
import os
import platform
import shlex
import shutil
import subprocess
import tempfile
import typing
from pathlib import Path

ROOT = Path(__file__).resolve().parent
STAMP = "argon-setup"
PACKAGES = ("argon_lang", "argon_lsp", "argon_mcp", "shared_catalog")
GENERATORS = (
    "shared_catalog.generate",
    "argon_lang.syntax.generate",
    "argon_lang.runtime.schemas",
    "tests.docs.coverage",
    "tests.docs.tools",
)


class TaskFailed(Exception):
    """A task that cannot go on, in one sentence; `status` is the exit status of `tasks.py`."""

    def __init__(self, sentence: str, status: int = 1) -> None:
        """Keep the sentence for the user and the status for the shell."""
        super().__init__(sentence)
        self.status = status


class Environment:
    """The virtual environment that the tasks run in."""

    def __init__(self, folder: Path) -> None:
        """Name the environment at `folder`; nothing is created yet."""
        self.folder = folder
        self.bin = folder / ("Scripts" if os.name == "nt" else "bin")
        self.python = self.bin / ("python.exe" if os.name == "nt" else "python")

    def run(self, *words: str, cwd: Path = ROOT) -> None:
        """Run one program of the environment, echoing nothing; raises TaskFailed with its exit status."""
        program, *arguments = words
        path = self.python if program == "python" else self.bin / program
        sys.stdout.flush()
        status = subprocess.call([str(path), *arguments], cwd=str(cwd))
        if status:
            raise TaskFailed("`" + " ".join(words) + f"` failed with exit status {status}", status if status > 0 else 1)

    def wanted_stamp(self) -> str:
        """A digest of everything the environment is made from."""
        digest = hashlib.sha256(repr((sys.version_info[:3], str(ROOT))).encode())
        for name in ("pyproject.toml", "constraints.txt"):
            digest.update((ROOT / name).read_bytes())
        return digest.hexdigest()

    def ready(self) -> bool:
        """Whether the environment exists and was made from the present pyproject and constraints."""
        stamp = self.folder / STAMP
        return self.python.exists() and stamp.exists() and stamp.read_text() == self.wanted_stamp()

    def make(self, fresh: bool = False) -> None:
        """Create the environment and install the project into it, editable, with all extras."""
        if self.ready() and not fresh:
            return
        print(f"setting up {self.folder.name} (Python {sys.version_info[0]}.{sys.version_info[1]}) …")
        if fresh and self.folder.exists():
            shutil.rmtree(str(self.folder))
        if subprocess.call([sys.executable, "-m", "venv", str(self.folder)]):
            raise TaskFailed(
                "this Python cannot create virtual environments; on Debian or Ubuntu install python3-venv", 3
            )
        quiet = ("-qq", "--disable-pip-version-check")
        self.run("python", "-m", "pip", "install", *quiet, "-c", "constraints.txt", "-e", ".[all]")
        (self.folder / STAMP).write_text(self.wanted_stamp())


def setup(env: Environment, options: argparse.Namespace) -> None:
    """Create or refresh the environment."""
    env.make(fresh=options.fresh)
    print(f"ready: {env.bin / 'argon'}")


def fix(env: Environment, options: argparse.Namespace) -> None:
    """Repair what a program can repair: lint fixes, format, generated files."""
    env.make()
    env.run("ruff", "check", "--fix", ".")
    env.run("ruff", "format", ".")
    for module in GENERATORS:
        env.run("python", "-m", module)


def check(env: Environment, options: argparse.Namespace) -> None:
    """Judge the code without running it: lint, format, types, import contracts, generated files."""
    env.make()
    all_of(
        lambda: env.run("ruff", "check", "."),
        lambda: env.run("ruff", "format", "--check", "--quiet", "."),
        lambda: env.run("mypy", "--strict", *(word for package in PACKAGES for word in ("-p", package))),
        lambda: env.run("mypy", "--strict", "tasks.py"),
        lambda: env.run("lint-imports"),
        *(functools.partial(env.run, "python", "-m", module, "--check") for module in GENERATORS),
    )


def all_of(*steps: "typing.Callable[[], None]") -> None:
    """Run every step, so that one run shows everything there is to mend; raises what the failed ones said."""
    failures = []
    for step in steps:
        try:
            step()
        except TaskFailed as failure:
            failures.append(failure)
    if failures:
        raise TaskFailed("; ".join(map(str, failures)), failures[0].status)


def test(env: Environment, options: argparse.Namespace) -> None:
    """Run the tests; further arguments go to pytest."""
    env.make()
    env.run("python", "-m", "pytest", *(options.rest or ["-q", "-n", "auto"]))


EVIDENCE = ROOT / "docs" / "evidence"


def long(env: Environment, options: argparse.Namespace) -> None:
    """Run the full-length evidence (fuzzers, kills, interleavings) and keep its dated log in docs/evidence."""
    env.make()
    words = [str(env.python), "-m", "pytest", "-m", "long", "-v", "--no-header", "--durations=0", *options.rest]
    EVIDENCE.mkdir(parents=True, exist_ok=True)
    log = EVIDENCE / datetime.datetime.now(datetime.timezone.utc).strftime("long-%Y-%m-%d.log")
    with log.open("w", encoding="utf-8") as kept:
        kept.write(f"{platform.python_implementation()} {platform.python_version()}, {os.cpu_count()} processors\n")
        run = subprocess.Popen(words, cwd=str(ROOT), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for line in run.stdout or ():
            print(line, end="", flush=True)
            kept.write(line.replace(str(ROOT), "."))
    if run.wait():
        raise TaskFailed(f"the evidence is not whole; see {log.relative_to(ROOT)}", run.returncode)


def docs(env: Environment, options: argparse.Namespace) -> None:
    """Regenerate the generated pages and run every claim of the docs that can run."""
    env.make()
    env.run("python", "-m", "shared_catalog.generate")
    env.run("python", "-m", "pytest", "-q", "tests/docs", *options.rest)


def bench(env: Environment, options: argparse.Namespace) -> None:
    """Measure the budgets of the architecture, or the named benchmarks alone; never part of the tests."""
    env.make()
    every = sorted(path.stem[len("bench_") :] for path in (ROOT / "benchmarks").glob("bench_*.py"))
    for name in options.rest or every:
        env.run("python", "-m", f"benchmarks.bench_{name}")


def new_code(env: Environment, options: argparse.Namespace) -> None:
    """Start the entry of a new diagnostic code in shared_catalog/codes."""
    env.make()
    env.run("python", "-m", "shared_catalog.new_code", *options.rest)


DEMO = (
    ("check",),
    ("build",),
    ("query", "late_payers"),
    ("mutate", "bill", "ben", "450.00", "2026-02-01", "--delta"),
    ("query", "late_payers"),
    ("explain-fact", "in_arrears(ben)"),
    ("explain-fact", "called_upon(dora)"),
)
"""The main job, as commands of `argon`: someone new is late, and the proofs say why and who is asked to pay."""


def demo(env: Environment, options: argparse.Namespace) -> None:
    """The main job on a copy of examples/lease: check, build, query, mutate, query again, explain."""
    env.make()
    with tempfile.TemporaryDirectory() as folder:
        lease = Path(folder) / "lease"
        shutil.copytree(str(ROOT / "examples" / "lease"), str(lease), ignore=shutil.ignore_patterns("target", ".argon"))
        for words in DEMO:
            print("\n$ argon " + " ".join(shlex.quote(word) for word in words))
            env.run("argon", *words, cwd=lease)


OLDEST_NODE = 20
VSCODE_STEPS = (("run", "typecheck"), ("test",), ("run", "bundle"), ("run", "package"))
"""What npm does for the extension once its packages are there, each step without the network."""


def vscode(env: Environment, options: argparse.Namespace) -> None:
    """Build the VS Code extension and package it as editors/vscode/argon.vsix; needs Node.js 20 or newer with npm."""
    folder, npm = ROOT / "editors" / "vscode", npm_of_a_recent_node()
    wanted, installed = folder / "package-lock.json", folder / "node_modules" / ".package-lock.json"
    fresh = installed.exists() and installed.stat().st_mtime >= wanted.stat().st_mtime
    for words in (*(() if fresh else (("ci", "--ignore-scripts"),)), *VSCODE_STEPS):
        sys.stdout.flush()
        if subprocess.call([npm, *words], cwd=str(folder)):
            raise TaskFailed("`npm " + " ".join(words) + "` failed in editors/vscode")
    print(f"ready: {folder / 'argon.vsix'}; install it with: code --install-extension editors/vscode/argon.vsix")


def npm_of_a_recent_node() -> str:
    """The path of npm; raises TaskFailed when it or a recent Node.js is missing, with where to get them."""
    node, npm = shutil.which("node"), shutil.which("npm")
    need = f"the extension is built with Node.js {OLDEST_NODE} or newer and npm (https://nodejs.org)"
    if node is None or npm is None:
        missing = " and ".join(name for name, path in (("node", node), ("npm", npm)) if path is None)
        raise TaskFailed(f"{need}, and there is no {missing} on the PATH", 3)
    version = subprocess.run([node, "--version"], stdout=subprocess.PIPE, text=True).stdout.strip()
    if not version.startswith("v") or int(version[1:].split(".")[0]) < OLDEST_NODE:
        raise TaskFailed(f"{need}, and {node} is {version or 'no Node.js'}", 3)
    return npm


def ci(env: Environment, options: argparse.Namespace) -> None:
    """Everything that guards the main branch, in a fresh environment; pytest's closing line comes last."""
    env.make(fresh=True)
    all_of(lambda: check(env, options), lambda: test(env, options))


TASKS = {
    "setup": setup,
    "fix": fix,
    "check": check,
    "test": test,
    "long": long,
    "docs": docs,
    "bench": bench,
    "new-code": new_code,
    "demo": demo,
    "vscode": vscode,
    "ci": ci,
}


def command_line() -> argparse.ArgumentParser:
    """The arguments of `tasks.py`; what a task does not know it hands to the program it runs."""
    parser = argparse.ArgumentParser(prog="tasks.py", description="Argon's task runner.")
    parser.add_argument("--venv", default=".venv", help="folder of the virtual environment (default .venv)")
    commands = parser.add_subparsers(dest="task", metavar="TASK", required=True)
    for name, task in TASKS.items():
        command = commands.add_parser(name, help=(task.__doc__ or "").split("\n")[0])
        if name == "setup":
            command.add_argument("--fresh", action="store_true", help="remove the old environment first")
        command.set_defaults(rest=[])
    return parser


def main(arguments: "list[str]") -> int:
    """Run one task; the exit status is that of the first program that failed."""
    options, rest = command_line().parse_known_args(arguments)
    options.rest = rest
    try:
        TASKS[options.task](Environment(ROOT / options.venv), options)
    except TaskFailed as failure:
        print(f"tasks.py {options.task}: {failure}", file=sys.stderr)
        return failure.status
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
