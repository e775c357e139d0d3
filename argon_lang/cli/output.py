"""What a command prints, and the exit code that follows: human text by Rich, or one JSON object and nothing else."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from argon_lang.cli.exits import ENVIRONMENT, FINDINGS, INTERNAL, USAGE
from argon_lang.errors import ArgonError

if TYPE_CHECKING:
    from rich.console import Console

    from argon_lang.runtime.envelopes import Versioned

_ENVIRONMENT_CODES = frozenset(
    {
        "ARGON_PROJECT_LOCKED",
        "ARGON_PROJECT_NOT_FOUND",
        "ARGON_TARGET_UNWRITABLE",
        "ARGON_INPUT_UNREADABLE",
        "ARGON_EXTRA_MISSING",
        "ARGON_ADDRESS_UNAVAILABLE",
        "ARGON_RUNTIME_STORE_BUSY",
        "ARGON_RUNTIME_STORE_UNAVAILABLE",
    }
)
_USAGE_CODES = frozenset({"ARGON_PATH_OUTSIDE_PROJECT", "ARGON_NAME_INVALID"})


@dataclass(frozen=True)
class Output:
    """How this invocation speaks. `color`: `auto` (a terminal and no `NO_COLOR`), `always` or `never`."""

    json: bool = False
    quiet: bool = False
    color: str = "auto"

    @cached_property
    def out(self) -> Console:
        """Standard output, for people."""
        return self._console(stderr=False)

    @cached_property
    def err(self) -> Console:
        """Standard error: errors, and everything that is not the answer."""
        return self._console(stderr=True)

    def _console(self, *, stderr: bool) -> Console:
        from rich.console import Console

        plain = self.color == "never" or (self.color == "auto" and bool(os.environ.get("NO_COLOR")))
        forced = True if self.color == "always" else None
        return Console(stderr=stderr, no_color=plain, force_terminal=forced, highlight=False, soft_wrap=True)

    def emit(self, envelope: Versioned, human: Callable[[Console], None]) -> None:
        """Print an answer: the envelope as JSON, or what `human` draws."""
        if self.json:
            self.write_json(envelope.dump())
        elif not self.quiet:
            human(self.out)

    def write_json(self, value: Mapping[str, Any]) -> None:
        """One JSON object on standard output."""
        sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")

    def fail(self, error: ArgonError, module_hash: str | None = None) -> int:
        """Print an error; its exit code."""
        from argon_lang.session.refusals import error_body

        body = error_body(error)
        if self.json:
            envelope = {"schemaVersion": "1.0", "error": body, "requestId": str(uuid4())}
            self.write_json(envelope | ({"moduleHash": module_hash} if module_hash else {}))
        else:
            self.err.print(f"[bold red]error\\[{error.code}][/]: ", end="")
            self.err.print(str(body["message"]), markup=False)
            for line in body.get("help", []):
                self.err.print("  = help: ", style="bold", end="")
                self.err.print(line, markup=False)
            if (step := error.details.get("batchStep")) is not None:
                self.err.print(f"  = step {step} of the batch", style="bold", markup=False)
            self._draw_violations(error)
            self._draw_diagnostics(error)
        return exit_code(error.code)

    def _draw_violations(self, error: ArgonError) -> None:
        """The proof of each violation that refused a write."""
        violations = error.details.get("violations")
        if not isinstance(violations, list):
            return
        from argon_lang.cli.report import draw_violation
        from argon_lang.runtime.envelopes import Violation

        for violation in violations:
            draw_violation(self.err, Violation.model_validate(violation))

    def _draw_diagnostics(self, error: ArgonError) -> None:
        """Where a text of the caller's goes wrong."""
        found = error.details.get("diagnostics")
        for each in found if isinstance(found, list) else ():
            start = each["span"]["start"]
            place = f"{each['span']['file']}:{start['line'] + 1}:{start['character'] + 1}"
            self.err.print(f"  {place}: {each['severity']} {each['code']}: {each['message']}", markup=False)

    def usage(self, message: str, hint: str) -> int:
        """Print a usage error; 2."""
        if self.json:
            body = {"code": "ARGON_USAGE", "message": message, "details": {}, "help": [hint], "retryable": False}
            self.write_json({"schemaVersion": "1.0", "error": body, "requestId": str(uuid4())})
        else:
            self.err.print("[bold red]error[/]: ", end="")
            self.err.print(message, markup=False)
            self.err.print(hint, style="dim", markup=False)
        return USAGE


def exit_code(code: str) -> int:
    """The exit code that goes with a catalog code."""
    if code in _ENVIRONMENT_CODES or code.startswith("OE12"):
        return ENVIRONMENT
    if code in _USAGE_CODES:
        return USAGE
    return INTERNAL if code == "ARGON_RUNTIME_INTERNAL" else FINDINGS
