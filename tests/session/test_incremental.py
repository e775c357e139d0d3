"""The database of one package under work: told only what differs, stopped without harm."""

from __future__ import annotations

import pytest

from argon_lang.queries.database import Cancelled, Database
from argon_lang.session.cancellation import Cancellation
from argon_lang.session.incremental import Incremental
from argon_lang.workspace.sources import Inputs, inputs_of
from tests.support.served_packages import MANIFEST

GO = Cancellation()
TEXTS = {"root.ar": "mod a;\nmod b;\npub type R { n: Nowhere }\n", "a.ar": "pub type A { n: Int }\n", "b.ar": "\n"}


def inputs(**changed: str) -> Inputs:
    """The package with some files changed."""
    named = {f"{name}.ar": text for name, text in changed.items()}
    return inputs_of({**TEXTS, **named, "ox.toml": MANIFEST})


def loaded(held: Incremental, found: Inputs, cancellation: Cancellation = GO) -> Database:
    packages = found.packages()
    return held.load(packages, found.all_sources(packages), cancellation)


@pytest.fixture
def held() -> Incremental:
    return Incremental(Database(inputs().packages().info))


class After(Cancellation):
    """Cancelled when it has been asked so many times."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self._left = count

    def __call__(self) -> bool:
        self._left -= 1
        return self._left < 0


@pytest.mark.parametrize("count", range(3))
def test_a_load_that_was_stopped_goes_on_with_the_next_one(held: Incremental, count: int) -> None:
    with pytest.raises(Cancelled):
        loaded(held, inputs(), After(count))
    cold = loaded(Incremental(Database(held.database.package)), inputs())
    assert loaded(held, inputs()).diagnostics() == cold.diagnostics()


def test_a_load_of_the_same_sources_begins_no_revision(held: Incremental) -> None:
    revision = loaded(held, inputs()).memory.revision
    assert loaded(held, inputs()).memory.revision == revision


def test_an_edit_is_undone_by_a_load_of_what_was_before(held: Incremental) -> None:
    before = loaded(held, inputs()).diagnostics()
    held.edit("small/a.ar", "pub type A { n: Nothing }\n")
    assert held.database.diagnostics() != before
    assert loaded(held, inputs()).diagnostics() == before


def test_a_question_that_was_cancelled_before_it_began_is_not_answered_and_the_next_one_is(held: Incremental) -> None:
    database, cancelled = loaded(held, inputs()), Cancellation()
    cancelled.cancel()
    with pytest.raises(Cancelled):
        held.ask(database.diagnostics, cancelled)
    assert held.ask(database.diagnostics, GO) == loaded(held, inputs()).diagnostics()


def test_another_package_name_is_another_database(held: Incremental) -> None:
    first = loaded(held, inputs())
    renamed = inputs_of({**TEXTS, "ox.toml": MANIFEST.replace("small", "large")})
    second = loaded(held, renamed)
    assert second is not first
    assert {each.location.file for each in second.diagnostics()} >= {"large/root.ar"}
