"""The Typer application. Imports only the command that the command line names, so that each starts fast."""

from __future__ import annotations

import importlib
import logging
import signal
import sys
from collections.abc import Sequence
from types import FrameType
from typing import NoReturn

import typer

from argon_lang import logs
from argon_lang.cli.exits import INTERNAL, INTERRUPTED, TERMINATED
from argon_lang.cli.output import Output
from argon_lang.errors import ArgonError
from argon_lang.problems import args

COMMANDS = {
    "new": "new",
    "check": "check",
    "build": "build",
    "explain": "explain",
    "fmt": "fmt",
    "test": "test",
    "run-scenario": "run_scenario",
    "query": "query",
    "derive": "derive",
    "mutate": "mutate",
    "checks": "checks",
    "explain-fact": "explain_fact",
    "why-not": "explain_fact:why_not",
    "suggest": "suggest",
    "fork": "fork",
    "compute": "compute",
    "log": "log",
    "status": "status",
    "store": "store",
    "migrate": "migrate",
    "artifact": "artifact",
    "lsp": "lsp",
    "mcp": "mcp",
}
"""Command names and the files under `commands` that define them: `command`, `file:name`, or a `group`."""

LATER = ("init", "import", "export", "diagram")
LATER_TOO = ("doc", "serve", "review", "doctor")
HINT = "run `argon --help` for the commands, `argon COMMAND --help` for one"
EPILOG = "Exit codes: 0 ok, 1 findings or refusals, 2 usage, 3 environment, 70 a fault of argon."
_UsageError: type[Exception] = next(c for c in typer.BadParameter.__mro__ if c.__name__ == "UsageError")


def build_app(names: Sequence[str]) -> typer.Typer:
    """An application with these commands."""
    app = typer.Typer(
        name="argon", no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None, epilog=EPILOG
    )
    app.callback(help="Argon: model a domain; check, build, query and explain it.")(_root)
    for name in names:
        file, _, attribute = COMMANDS[name].partition(":")
        module = importlib.import_module(f"argon_lang.cli.commands.{file}")
        if hasattr(module, "group"):
            app.add_typer(module.group, name=name)
        else:
            command = getattr(module, attribute or "command")
            app.command(name, help=command.__doc__)(command)
    return app


def _root(
    version: bool = typer.Option(False, "--version", "-V", help="Print the version and stop.", is_eager=True),
) -> None:
    if version:
        from argon_lang.version import VERSION

        print(f"argon {VERSION}")
        raise typer.Exit


def run(words: list[str]) -> int:
    """Run a command line that is not answered by the fast path; the exit code."""
    logs.configure()
    signal.signal(signal.SIGTERM, _terminated)
    output = Output(json="--json" in words)
    first = next((word for word in words if not word.startswith("-")), "")
    if first in (*LATER, *LATER_TOO):
        return output.usage(f"`argon {first}` is not built yet", HINT)
    app = build_app([first] if first in COMMANDS else list(COMMANDS))
    try:
        return int(app(words, standalone_mode=False) or 0)
    except ArgonError as error:
        return output.fail(error)
    except _UsageError as error:
        return output.usage(_sentence(error), HINT)
    except typer.Abort:
        return INTERRUPTED
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except SystemExit as stop:
        # Click and Rich each turn a closed pipe into an exit of their own.
        if isinstance(stop.__context__, BrokenPipeError):
            raise stop.__context__ from None
        raise
    except Exception as error:
        logging.getLogger("argon").debug("internal error", exc_info=error)
        output.fail(ArgonError("ARGON_RUNTIME_INTERNAL", args(found=f"{type(error).__name__}: {error}")))
        return INTERNAL


def _sentence(error: BaseException) -> str:
    format_message = getattr(error, "format_message", None)
    return str(format_message()) if format_message else str(error)


def _terminated(_signal: int, _frame: FrameType | None) -> NoReturn:
    sys.exit(TERMINATED)
