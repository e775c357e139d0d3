"""What `query` and `mutate` run: a declaration by name, or the text of `--eval`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from argon_lang.ir.module import Query
    from argon_lang.runtime.arguments import Given
    from argon_lang.runtime.envelopes import Receipt
    from argon_lang.runtime.options import WriteOptions
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


def run_mutation(
    project: Project,
    service: RuntimeService,
    source: str | None,
    policy: str,
    name: str | None,
    words: Sequence[str],
    options: WriteOptions,
) -> Receipt:
    """Run the mutation with this name, or the one that a text makes, on the words that are its arguments."""
    from argon_lang.runtime.arguments import from_words

    if source is None:
        mutation, given = service.served.schema.mutation(_named(name)), list(words)
    else:
        service, snippet = project.ad_hoc(service, source, "mutate", policy)
        mutation, given = snippet.mutation(), _all(name, words)
    return service.run(mutation, from_words(mutation.params, mutation.path.rsplit("::", 1)[-1], given), options)


def batch_of(
    project: Project, file: str | None, name: str | None, source: str | None
) -> list[tuple[str, Given]] | None:
    """The steps of `--batch`, which stands alone; None without it."""
    if file is None:
        return None
    if name is not None or source is not None:
        raise typer.BadParameter("--batch stands alone: the file says the mutations and their arguments")
    from argon_lang.session.batches import steps_of_file

    return steps_of_file(project, file)


def _named(name: str | None) -> str:
    if name is None:
        raise typer.BadParameter("give a NAME, or a text with --eval")
    return name


def _all(first: str | None, words: Sequence[str]) -> list[str]:
    """With `--eval` there is no name: every word is an argument."""
    return [*([first] if first is not None else []), *words]
