"""What `test` and `run-scenario` share beside their report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from argon_lang.errors import ArgonError
from argon_lang.problems import args

if TYPE_CHECKING:
    from argon_lang.runtime.envelopes import TestReport
    from argon_lang.session.project import Project


def write_junit(project: Project, path: str | None, report: TestReport, name: str) -> None:
    """Write the report as JUnit XML to a path in the project, if one is given.

    Raises `ARGON_PATH_OUTSIDE_PROJECT`, `ARGON_TARGET_UNWRITABLE`.
    """
    if path is None:
        return
    from argon_lang.cli.junit import junit_xml

    relative = project.root.relative(path)
    target = project.root.root / relative
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(junit_xml(report, name))
    except OSError as error:
        found = error.strerror or type(error).__name__
        raise ArgonError("ARGON_TARGET_UNWRITABLE", args(path=relative, found=found)) from error
