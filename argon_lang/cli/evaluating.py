"""What `query` and `mutate` run: a declaration by name, or the text of `--eval`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from argon_lang.ir.module import Mutation, Query
    from argon_lang.runtime.service import RuntimeService
    from argon_lang.session.project import Project


def query_of(
    project: Project, service: RuntimeService, source: str | None, policy: str, name: str | None, words: Sequence[str]
) -> tuple[RuntimeService, Query, list[str]]:
    """The query, the service that knows it, and the words that are its arguments."""
    if source is None:
        return service, service.served.schema.query(_named(name)), list(words)
    enlarged, snippet = project.ad_hoc(service, source, "query", policy)
    return enlarged, snippet.query(), _all(name, words)


def mutation_of(
    project: Project, service: RuntimeService, source: str | None, policy: str, name: str | None, words: Sequence[str]
) -> tuple[RuntimeService, Mutation, list[str]]:
    """The mutation, the service that knows it, and the words that are its arguments."""
    if source is None:
        return service, service.served.schema.mutation(_named(name)), list(words)
    enlarged, snippet = project.ad_hoc(service, source, "mutate", policy)
    return enlarged, snippet.mutation(), _all(name, words)


def _named(name: str | None) -> str:
    if name is None:
        raise typer.BadParameter("give a NAME, or a text with --eval")
    return name


def _all(first: str | None, words: Sequence[str]) -> list[str]:
    """With `--eval` there is no name: every word is an argument."""
    return [*([first] if first is not None else []), *words]
