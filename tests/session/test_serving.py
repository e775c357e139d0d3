"""A served project: source, artifact, store and module stay coherent, whoever changes them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from argon_lang.artifact.decode import LoadedArtifact
from argon_lang.errors import ArgonError
from argon_lang.problems import args
from argon_lang.runtime.testing import run_tests
from argon_lang.session import dirty
from argon_lang.session.cancellation import Cancellation
from argon_lang.session.project import Project
from argon_lang.session.serving import Serving, Session
from argon_lang.session.settings import Policy, Settings
from argon_lang.workspace import lock_trace
from tests.support.served_packages import BROKEN, SMALL, package, save

GO = Cancellation()
NOBODY_KNOWS = (
    'pub type Person { name: String }\nfact Person(ann) { name: "Ann" };\nfact Person(bob) { name: "Bob" };\n'
)
"""A module in which nothing of `knows` is declared, so facts of it are orphans."""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return package(tmp_path)


def serve(root: Path, policy: Policy = "build", *, read_only: bool = False, store: str = "project") -> Session:
    return Session(Settings(project=str(root), policy=policy, read_only=read_only, store=store))


def names(serving: Serving) -> list[str]:
    return [row.values[0] for row in serving.service.query("everyone").rows]


def artifact(root: Path) -> Path:
    return root / "target" / "root.oxbin"


def refusal(session: Session, *, writing: bool = False) -> ArgonError:
    with pytest.raises(ArgonError) as caught:
        session.ensure(GO, writing=writing)
    return caught.value


def test_a_reader_builds_in_memory_and_leaves_nothing_on_disk(root: Path) -> None:
    serving = serve(root).ensure(GO)
    assert names(serving) == ["Ann", "Bob"]
    assert (serving.stale, serving.needs_build) == (False, True)
    assert sorted(each.name for each in root.iterdir()) == ["ox.toml", "root.ar"]


def test_a_writer_leaves_the_artifact_that_it_wrote_under(root: Path) -> None:
    serving = serve(root).ensure(GO, writing=True)
    receipt = serving.service.mutate("arrive", {"name": "Cid"})
    assert not serving.needs_build
    assert Project.open(root).freshness().stamp is not None
    assert receipt.module_hash == serving.service.served.module_hash


def test_a_saved_change_is_served_by_the_next_answer(root: Path) -> None:
    session = serve(root)
    before = session.ensure(GO)
    save(root / "root.ar", SMALL + 'fact Person(cid) { name: "Cid" };\n')
    after = session.ensure(GO)
    assert names(after) == ["Ann", "Bob", "Cid"]
    assert before.inputs_digest != after.inputs_digest
    assert before.service.served.module_hash != after.service.served.module_hash


def test_a_comment_changes_the_digest_and_not_the_module(root: Path) -> None:
    session = serve(root)
    before = session.ensure(GO)
    save(root / "root.ar", "// nothing new\n" + SMALL)
    after = session.ensure(GO)
    assert before.inputs_digest != after.inputs_digest
    assert before.service.served.program is after.service.served.program
    assert not after.stale


def test_a_test_that_was_edited_is_the_one_that_runs(root: Path) -> None:
    session = serve(root)
    for line, passed in (("1 == 2", False), ("1 == 1", True)):
        save(root / "root.ar", f'{SMALL}// moved\ntest "sums" {{ assert {line}; }}\n')
        service = session.ensure(GO).service
        (outcome,) = run_tests(service.served, "sums", service.clock, service.governor).tests
        assert (outcome.outcome == "passed") is passed
    assert outcome.span is not None
    assert outcome.span.start.line == SMALL.count("\n") + 1


def test_sources_that_do_not_build_are_never_answered_from_old_rows(root: Path) -> None:
    session = serve(root)
    session.ensure(GO)
    save(root / "root.ar", BROKEN)
    error = refusal(session)
    assert (error.code, error.details["diagnosticCodes"]) == ("DIRTY_WORKSPACE", ["OE0101"])
    save(root / "root.ar", SMALL)
    assert names(session.ensure(GO)) == ["Ann", "Bob"]


def test_refuse_answers_only_from_a_current_artifact(root: Path) -> None:
    session = serve(root, "refuse")
    assert refusal(session).code == "NO_ARTIFACT"
    assert session.build(GO).result.ok
    assert names(session.ensure(GO)) == ["Ann", "Bob"]
    save(root / "root.ar", SMALL + "// later\n")
    assert refusal(session).code == "DIRTY_WORKSPACE"
    artifact(root).unlink()
    assert refusal(session).code == "NO_ARTIFACT"


def test_serve_stale_answers_from_the_artifact_and_says_so(root: Path) -> None:
    session = serve(root, "serve-stale")
    assert refusal(session).code == "NO_ARTIFACT"
    session.build(GO)
    save(root / "root.ar", BROKEN)
    serving = session.ensure(GO)
    assert (names(serving), serving.stale, serving.needs_build) == (["Ann", "Bob"], True, True)


def test_a_build_reloads_and_serves_what_it_built(root: Path) -> None:
    session = serve(root)
    session.ensure(GO)
    save(root / "root.ar", SMALL + 'fact Person(cid) { name: "Cid" };\n')
    built = session.build(GO)
    assert (built.result.wrote, built.reloaded, built.needs_build) == (True, True, False)
    assert session.active is not None
    assert session.active.served.module_hash == built.result.module_hash
    again = session.build(GO)
    assert (again.result.current, again.reloaded) == (True, False)


def test_a_refused_build_says_which_gates_failed_and_writes_nothing(root: Path) -> None:
    save(root / "root.ar", BROKEN)
    built = serve(root).build(GO)
    assert not built.result.ok
    assert built.result.compiled is not None
    assert [each.code for each in built.result.compiled.diagnostics] == ["OE0101"]
    assert not (root / "target").exists()


def test_under_read_only_nothing_is_written(root: Path) -> None:
    session = serve(root, read_only=True)
    assert session.build(GO).result.ok
    assert names(session.ensure(GO, writing=True)) == ["Ann", "Bob"]
    assert sorted(each.name for each in root.iterdir()) == ["ox.toml", "root.ar"]


def test_an_artifact_that_was_deleted_or_damaged_is_built_again(root: Path) -> None:
    session = serve(root)
    session.build(GO)
    for spoil in (lambda: artifact(root).unlink(), lambda: save(artifact(root), "no artifact")):
        spoil()
        serving = session.ensure(GO)
        assert (names(serving), serving.needs_build) == (["Ann", "Bob"], True)
        assert not session.ensure(GO, writing=True).needs_build


def test_a_glance_takes_over_what_another_process_built(root: Path) -> None:
    told: list[str] = []
    session = Session(Settings(project=str(root)), told.append)
    first = session.ensure(GO).service.served.module_hash
    save(root / "root.ar", SMALL + 'fact Person(cid) { name: "Cid" };\n')
    session.glance()
    assert told == [first]
    other = Project.open(root).build().module_hash
    session.glance()
    assert told == [first, other]


def test_a_module_that_does_not_fit_the_store_leaves_the_old_one_serving(root: Path) -> None:
    session = serve(root)
    old = session.ensure(GO, writing=True).service
    old.mutate("meet", {"a": "bob", "b": "ann"})
    save(root / "root.ar", NOBODY_KNOWS)
    built = session.build(GO)
    assert built.result.wrote
    assert not built.reloaded
    assert built.reason is not None
    assert built.reason.code == "ARGON_RUNTIME_SCHEMA_INCOMPATIBLE"
    serving = session.ensure(GO)
    assert serving.service.served is old.served
    assert (serving.stale, serving.reason is not None, names(serving)) == (True, True, ["Ann", "Bob"])
    save(root / "root.ar", SMALL)
    assert not session.ensure(GO).stale


def test_a_fresh_server_refuses_a_module_that_does_not_fit_the_store(root: Path) -> None:
    serve(root).ensure(GO, writing=True).service.mutate("meet", {"a": "bob", "b": "ann"})
    save(root / "root.ar", NOBODY_KNOWS)
    assert refusal(serve(root)).code == "ARGON_RUNTIME_SCHEMA_INCOMPATIBLE"
    with pytest.raises(ArgonError) as caught:
        Project.open(root).runtime(writes=False)
    assert caught.value.code == "ARGON_RUNTIME_SCHEMA_INCOMPATIBLE"


def test_a_project_that_was_moved_away_is_not_an_empty_one(root: Path) -> None:
    session = serve(root)
    session.ensure(GO)
    away = root.with_name("away")
    root.rename(away)
    assert refusal(session).code == "ARGON_PROJECT_NOT_FOUND"
    with pytest.raises(ArgonError):
        session.build(GO)
    away.rename(root)
    assert names(session.ensure(GO)) == ["Ann", "Bob"]


def test_a_folder_without_sources_is_no_project(tmp_path: Path) -> None:
    assert refusal(Session(Settings(start=str(tmp_path)))).code == "ARGON_PROJECT_NOT_FOUND"
    save(tmp_path / "root.ar", "")
    assert Session(Settings(start=str(tmp_path))).ensure(GO).service.served.module.package == ""


def test_a_manifest_that_breaks_while_serving_is_a_gate_failure(root: Path) -> None:
    session = serve(root)
    session.ensure(GO)
    save(root / "ox.toml", "[package\n")
    error = refusal(session)
    assert error.code == "DIRTY_WORKSPACE"
    assert "OE1243" in str(error.details["diagnosticCodes"])


def test_an_unreadable_input_counts_as_dirty(root: Path) -> None:
    session = serve(root, "refuse")
    session.build(GO)
    (root / "more.ar").mkdir()
    (root / "other.ar").symlink_to(root / "nowhere.ar")
    assert refusal(session).code == "DIRTY_WORKSPACE"
    assert refusal(serve(root)).code == "ARGON_INPUT_UNREADABLE"


def test_an_isolated_store_leaves_that_of_the_project_alone(root: Path) -> None:
    session = serve(root, store="memory")
    session.ensure(GO, writing=True).service.mutate("arrive", {"name": "Cid"})
    assert names(session.ensure(GO)) == ["Ann", "Bob", "Cid"]
    assert not (root / ".argon" / "store.sqlite3").exists()
    assert names(serve(root).ensure(GO)) == ["Ann", "Bob"]


def test_a_cancelled_request_stops_waiting_for_the_session(root: Path) -> None:
    session = serve(root)
    cancelled = Cancellation()
    cancelled.cancel()
    with session._gate.held(), pytest.raises(ArgonError) as caught:
        session.ensure(cancelled)
    assert caught.value.code == "ARGON_RUNTIME_CANCELLED"


def test_every_lock_that_a_write_takes_is_in_the_trace(root: Path) -> None:
    serve(root).ensure(GO, writing=True).service.mutate("arrive", {"name": "Cid"})
    assert {each.lock for each in lock_trace.waits()} >= {"session", "program", "project", "store"}


def test_the_lock_trace_goes_to_a_file_on_request(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trace = tmp_path / "trace.jsonl"
    monkeypatch.setenv("ARGON_LOCK_TRACE", str(trace))
    Project.open(root).build()
    assert '"lock": "project"' in trace.read_text("utf-8")


def test_the_artifact_of_a_folder_that_was_replaced_is_read_again(root: Path) -> None:
    session = serve(root)
    session.build(GO)
    copy = root.with_name("copy")
    shutil.copytree(root, copy)
    save(copy / "root.ar", SMALL + 'fact Person(cid) { name: "Cid" };\n')
    Project.open(copy).build()
    shutil.rmtree(root)
    copy.rename(root)
    serving = session.ensure(GO)
    assert (names(serving), serving.needs_build) == (["Ann", "Bob", "Cid"], False)


@pytest.mark.parametrize("writing", [False, True])
def test_an_artifact_of_another_form_under_the_same_version_is_built_anew(
    root: Path, monkeypatch: pytest.MonkeyPatch, writing: bool
) -> None:
    Project.open(root).build()
    whole, calls = dirty.decode, list[int]()

    def once_unreadable(data: bytes) -> LoadedArtifact:
        calls.append(len(data))
        if len(calls) == 1:
            raise ArgonError("OE1216", args(of="artifact", found="another form"))
        return whole(data)

    monkeypatch.setattr(dirty, "decode", once_unreadable)
    assert refusal(serve(root, "serve-stale")).code == "OE1216"
    calls.clear()
    session = serve(root)
    assert names(session.ensure(GO, writing=writing)) == ["Ann", "Bob"]
    assert names(session.ensure(GO)) == ["Ann", "Bob"]
    assert len(calls) == 2
