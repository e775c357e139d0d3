"""What a project keeps on disk, as its owner sees it: status, backups, the artifact."""

from __future__ import annotations

from pathlib import Path

import pytest

from argon_lang.artifact.decode import decode
from argon_lang.errors import ArgonError
from argon_lang.session.keeping import back_up_store, show_artifact
from argon_lang.session.project import Project
from argon_lang.session.status import status_of
from argon_lang.store.sqlite import SqliteStore
from tests.support.served_packages import MANIFEST, SMALL, package


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project.open(package(tmp_path))


def refused(project: Project, target: str | None) -> ArgonError:
    with pytest.raises(ArgonError) as caught:
        back_up_store(project, target)
    return caught.value


def test_the_status_tells_the_state_of_the_store_and_its_forks(project: Project) -> None:
    assert (status_of(project).store.exists, status_of(project).store.forks) == (False, 0)
    service = project.runtime(writes=True)
    service.mutate("arrive", ["Cid"])
    service.create_fork("trial")
    store = status_of(project).store
    instant = service.store.snapshot().transactions()[0].instant
    assert (store.tx, store.generation, store.forks, store.error) == (1, 1, 1, None)
    assert store.last_write == instant.isoformat().replace("+00:00", "Z")
    assert store.module_hash == service.served.module_hash


def test_the_status_says_why_a_store_cannot_be_read(project: Project) -> None:
    project.runtime(writes=True).mutate("arrive", ["Cid"])
    (project.root.root / ".argon" / "store.sqlite3").write_text("no store" * 100)
    store = status_of(project).store
    assert (store.exists, store.id) == (True, None)
    assert store.error == "store `.argon/store.sqlite3`: no Argon store"


def test_a_backup_lies_in_the_project_and_is_a_store_of_the_same_state(project: Project) -> None:
    assert refused(project, None).code == "ARGON_RUNTIME_STORE_UNAVAILABLE"
    service = project.runtime(writes=True)
    service.mutate("arrive", ["Cid"])
    made = back_up_store(project, None)
    assert (made.path, made.tx, made.store_id) == (".argon/backups/store-1.sqlite3", 1, str(service.store.id))
    copied = SqliteStore(project.root.root / made.path)
    assert copied.snapshot().transactions() == service.store.snapshot().transactions()
    assert refused(project, None).code == "ARGON_ALREADY_EXISTS"
    assert refused(project, "../copy").code == "ARGON_PATH_OUTSIDE_PROJECT"


def test_a_store_in_memory_has_no_backup(tmp_path: Path) -> None:
    project = Project.open(package(tmp_path, SMALL, MANIFEST + '[store]\nkind = "memory"\n'))
    assert refused(project, None).code == "ARGON_RUNTIME_CAPABILITY_REQUIRED"


def test_an_artifact_says_what_it_holds_and_whether_it_is_current(project: Project) -> None:
    with pytest.raises(ArgonError) as caught:
        show_artifact(project, None)
    assert caught.value.code == "NO_ARTIFACT"
    built = project.build()
    told = show_artifact(project, None)
    data = (project.root.root / told.path).read_bytes()
    assert (told.module_hash, told.inputs_digest, told.current) == (built.module_hash, built.inputs_digest, True)
    assert (told.bytes, told.package, told.declares["queries"]) == (len(data), "small", 2)
    assert [(row.name, row.length) for row in told.sections] == [
        (row.name, row.length) for row in decode(data).container.rows
    ]
    (project.root.root / "root.ar").write_text(SMALL + "// later\n")
    assert not show_artifact(project, str(project.root.root / told.path)).current
    (project.root.root / told.path).write_bytes(data[:-1])
    with pytest.raises(ArgonError) as caught:
        show_artifact(project, None)
    assert caught.value.code == "OE1216"
