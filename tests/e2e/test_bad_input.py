"""Bad input: each gives one clear message with a code, the right exit status, and leaves the project as it was."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.cli import ROOT, argon, copy, environment, tree

FINDINGS, USAGE, ENVIRONMENT = 1, 2, 3
BRACKETS = 10_000_000


@pytest.fixture
def lease(tmp_path: Path) -> Path:
    return copy("lease", tmp_path / "lease")


def refused(folder: Path, *words: str, status: int, code: str, says: str = "") -> str:
    """Run a command that must be refused with this code, once, and change nothing; what it said."""
    before = tree(folder)
    done = argon(*words, cwd=folder)
    assert done.status == status, done.said
    assert done.said.count(f"error[{code}]") == 1, done.said
    assert says in done.said
    assert "Traceback" not in done.said
    assert tree(folder) == before
    return done.said


# -- sources ----------------------------------------------------------------------------------------------------------


def append(folder: Path, file: str, text: str) -> None:
    path = folder / file
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")


def not_utf8(folder: Path) -> None:
    (folder / "world.ar").write_bytes((folder / "world.ar").read_bytes() + b"// caf\xe9\n")


def missing_module(folder: Path) -> None:
    (folder / "world.ar").unlink()
    (folder / "tests.ar").unlink()
    (folder / "root.ar").write_text("mod world;\n", encoding="utf-8")
    (folder / "parties.ar").unlink()


SOURCES: list[tuple[Callable[[Path], object], str, str]] = [
    (not_utf8, "OE0005", "`world.ar` is not UTF-8: byte 0xE9"),
    (missing_module, "OE0103", "no file for module `world`"),
    (lambda folder: append(folder, "world.ar", "mod parties;\n"), "OE0103", "parties"),
    (lambda folder: append(folder, "ox.toml", 'colour = "red"\n'), "OE1241", "`colour` is no key of `[package]`"),
    (lambda folder: append(folder, "ox.toml", "name =\n"), "OE1243", "ox.toml"),
    (lambda folder: append(folder, "world.ar", "fact Invoice(may) { payer: ada"), "OE0002", "never closed"),
    (lambda folder: append(folder, "root.ar", "pub derive half(p: Person) :-"), "OE0001", "expected"),
]


@pytest.mark.parametrize(("spoil", "code", "says"), SOURCES)
def test_a_spoilt_source_is_pointed_at_once(lease: Path, spoil: Callable[[Path], object], code: str, says: str) -> None:
    spoil(lease)
    refused(lease, "check", status=FINDINGS, code=code, says=says)
    done = argon("build", cwd=lease)
    assert (done.status, done.said.count(f"error[{code}]")) == (FINDINGS, 1)
    assert not (lease / "target").exists()
    assert not (lease / ".argon").exists()


def test_a_query_of_sources_that_do_not_build_names_the_codes(lease: Path) -> None:
    append(lease, "root.ar", "derive wrong(p: Nobody) :- p: Nobody;\n")
    assert "OE0101" in refused(lease, "query", "late_payers", status=FINDINGS, code="DIRTY_WORKSPACE")


def test_an_empty_file_is_an_empty_package(tmp_path: Path) -> None:
    (tmp_path / "root.ar").touch()
    (tmp_path / "ox.toml").write_text('[package]\nname = "empty"\n', encoding="utf-8")
    assert argon("check", cwd=tmp_path).out == "no problems found\n"
    assert argon("build", cwd=tmp_path).status == 0
    refused(tmp_path, "query", "anything", status=FINDINGS, code="ARGON_RUNTIME_NOT_FOUND")


def test_ten_million_brackets_are_one_error_in_part_shown(tmp_path: Path) -> None:
    (tmp_path / "root.ar").write_text("(" * BRACKETS, encoding="utf-8")
    (tmp_path / "ox.toml").write_text('[package]\nname = "deep"\n', encoding="utf-8")
    said = refused(tmp_path, "check", status=FINDINGS, code="OE0001")
    assert len(said) < 2_000


def test_a_folder_without_a_manifest_is_a_nameless_package(lease: Path) -> None:
    (lease / "ox.toml").unlink()
    assert argon("check", cwd=lease).status == 0
    assert "(nameless)" in argon("status", cwd=lease).out


# -- folders ----------------------------------------------------------------------------------------------------------


def test_a_project_that_is_no_folder_is_named(lease: Path) -> None:
    refused(lease, "check", "--project", "nowhere", status=ENVIRONMENT, code="ARGON_PROJECT_NOT_FOUND", says="nowhere")


@pytest.mark.parametrize("path", ["../outside.ar", "/etc", "world.ar/../../x.ar"])
def test_a_path_outside_the_project_is_refused(lease: Path, path: str) -> None:
    (lease.parent / "outside.ar").write_text("type A;\n", encoding="utf-8")
    refused(lease, "check", path, status=USAGE, code="ARGON_PATH_OUTSIDE_PROJECT")


def test_a_path_that_is_not_there_is_named(lease: Path) -> None:
    refused(lease, "check", "nothing.ar", status=ENVIRONMENT, code="ARGON_INPUT_UNREADABLE", says="nothing.ar")


def test_a_new_package_never_replaces_a_folder(lease: Path) -> None:
    refused(lease.parent, "new", "lease", status=FINDINGS, code="ARGON_ALREADY_EXISTS")
    refused(lease.parent, "new", "no/name", status=USAGE, code="ARGON_NAME_INVALID")


@contextmanager
def unwritable(folder: Path) -> Iterator[None]:
    """A folder in which nothing can be made: a file stands in its place, which no right of a superuser gets round."""
    folder.write_text("in the way", encoding="utf-8")
    try:
        yield
    finally:
        folder.unlink()


def test_a_target_that_cannot_be_written_is_named_and_reading_goes_on(lease: Path) -> None:
    with unwritable(lease / "target"):
        refused(lease, "build", status=ENVIRONMENT, code="ARGON_TARGET_UNWRITABLE", says="target")
        assert argon("query", "late_payers", cwd=lease).status == 0


# -- artifacts and locks ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("damage", [lambda data: data[:100], lambda data: b"nothing", lambda data: b""])
def test_a_damaged_artifact_is_no_artifact_and_is_built_anew(lease: Path, damage: Callable[[bytes], bytes]) -> None:
    argon("build", cwd=lease)
    path = lease / "target" / "root.oxbin"
    whole = path.read_bytes()
    path.write_bytes(damage(whole))
    refused(lease, "query", "late_payers", "--dirty", "refuse", status=FINDINGS, code="NO_ARTIFACT")
    assert "unreadable" in argon("status", cwd=lease).out
    assert argon("query", "late_payers", cwd=lease).status == 0
    assert argon("build", cwd=lease).status == 0
    assert path.read_bytes() == whole


def test_a_stale_artifact_is_refused_or_served_as_asked(lease: Path) -> None:
    argon("build", cwd=lease)
    append(lease, "world.ar", 'fact Tenant(eve) { name: "Eve" };\n')
    refused(lease, "derive", "Tenant", "--dirty", "refuse", status=FINDINGS, code="DIRTY_WORKSPACE")
    assert "eve" not in argon("derive", "Tenant", "--dirty", "serve-stale", cwd=lease).out
    assert "eve" in argon("derive", "Tenant", cwd=lease).out
    refused(lease, "derive", "Tenant", "--dirty", "maybe", status=FINDINGS, code="ARGON_RUNTIME_VALIDATION_FAILED")


HOLDER = """
import sys
from argon_lang.workspace.lock import project_lock
from argon_lang.workspace.root import find_project
with project_lock(find_project(sys.argv[1]), "argon build (slow)"):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_locked_project_names_who_holds_it(lease: Path) -> None:
    argon("build", cwd=lease)
    append(lease, "world.ar", "// one more line\n")
    command = [sys.executable, "-c", HOLDER, str(lease)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(), text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdin is not None
        assert holder.stdout.readline() == "held\n"
        said = refused(lease, "build", status=ENVIRONMENT, code="ARGON_PROJECT_LOCKED")
        assert "argon build (slow)" in said
        assert str(holder.pid) in said
        assert f"pid {holder.pid}" in argon("status", cwd=lease).out
        holder.stdin.close()
    assert argon("build", cwd=lease).status == 0


@pytest.mark.parametrize("content", [b"", b"plain text, no store", b"SQLite format 3\0" + bytes(200)])
def test_a_foreign_or_torn_store_is_refused_and_kept(lease: Path, content: bytes) -> None:
    argon("build", cwd=lease)
    (lease / ".argon" / "store.sqlite3").write_bytes(content)
    for words in (("query", "late_payers"), ("mutate", "pay", "march")):
        refused(lease, *words, status=ENVIRONMENT, code="ARGON_RUNTIME_STORE_UNAVAILABLE", says="store.sqlite3")
    assert "store.sqlite3: unreadable" in argon("status", cwd=lease).out


# -- questions --------------------------------------------------------------------------------------------------------

QUESTIONS = [
    (["query", "late_payer"], "ARGON_RUNTIME_NOT_FOUND", "late_payers"),
    (["derive", "in_arears"], "ARGON_RUNTIME_NOT_FOUND", "in_arrears"),
    (["mutate", "evict"], "ARGON_RUNTIME_NOT_FOUND", "evict"),
    (["query", "reminders"], "ARGON_RUNTIME_SIGNATURE_MISMATCH", "t: Tenant"),
    (["query", "reminders", "ada", "ben"], "ARGON_RUNTIME_SIGNATURE_MISMATCH", "t: Tenant"),
    (["query", "reminders", "x=ada"], "ARGON_RUNTIME_SIGNATURE_MISMATCH", "`x`"),
    (["query", "reminders", "loft"], "ARGON_RUNTIME_VALIDATION_FAILED", "Tenant"),
    (["query", "reminders", "nobody"], "ARGON_RUNTIME_NOT_FOUND", "nobody"),
    (["mutate", "bill", "ben", "much", "2026-01-01"], "ARGON_RUNTIME_VALIDATION_FAILED", "Money"),
    (["mutate", "bill", "ben", "1.00", "2026-02-30"], "ARGON_RUNTIME_VALIDATION_FAILED", "Date"),
    (["explain-fact", "in_arrears(ada"], "ARGON_RUNTIME_VALIDATION_FAILED", "in_arrears(ada"),
    (["why-not", "in_arrears(ada, ben)"], "ARGON_RUNTIME_SIGNATURE_MISMATCH", "in_arrears"),
    (["query", "late_payers", "--as-of", "tomorrow"], "ARGON_RUNTIME_VALIDATION_FAILED", "tomorrow"),
    (["query", "late_payers", "--as-of-tx", "7"], "ARGON_RUNTIME_VALIDATION_FAILED", "7"),
    (["checks", "nothing"], "ARGON_RUNTIME_NOT_FOUND", "one_tenant_per_flat"),
]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = copy("lease", tmp_path_factory.mktemp("asked") / "lease")
    assert argon("build", cwd=folder).status == 0
    return folder


@pytest.mark.parametrize(("words", "code", "says"), QUESTIONS)
def test_a_question_that_cannot_be_answered_says_what_was_expected(
    built: Path, words: list[str], code: str, says: str
) -> None:
    refused(built, *words, status=FINDINGS, code=code, says=says)


@pytest.mark.parametrize(
    "words",
    [
        ["quary"],
        ["query"],
        ["query", "x", "--nothing"],
        ["derive", "lets", "--format", "xml"],
        ["check", "--deny", "all"],
    ],
)
def test_a_usage_error_is_a_sentence_and_the_next_step(built: Path, words: list[str]) -> None:
    done = argon(*words, cwd=built)
    assert (done.status, done.out) == (USAGE, "")
    assert done.err.startswith("error: ")
    assert "argon --help" in done.err
    shown = argon(*words, "--json", cwd=built)
    assert (shown.status, shown.err) == (USAGE, "")
    assert json.loads(shown.out)["error"]["code"] == "ARGON_USAGE"


@pytest.mark.parametrize("command", ["serve", "review", "export", "import"])
def test_a_command_that_is_not_built_yet_says_so(built: Path, command: str) -> None:
    done = argon(command, "x", cwd=built)
    assert (done.status, done.out) == (USAGE, "")
    assert f"`argon {command}` is not built yet" in done.err


# -- Pythons ----------------------------------------------------------------------------------------------------------

OLD = """
import runpy, sys
sys.version_info = (3, 10, 14, "final", 0)
sys.argv = ["argon", "check"]
runpy.run_module("argon_lang", run_name="__main__")
"""


def test_an_old_python_is_turned_away_in_one_sentence(tmp_path: Path) -> None:
    command = [sys.executable, "-c", OLD]
    done = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == ENVIRONMENT
    assert done.stderr == "error: argon needs Python 3.11 or newer; this is Python 3.10\n"
    assert done.stdout == ""


def test_the_head_of_the_program_is_readable_by_an_old_python() -> None:
    head = (ROOT / "argon_lang" / "__main__.py").read_text(encoding="utf-8")
    assert head.index("sys.version_info") < head.index("from argon_lang")
    compile(head, "__main__.py", "exec", flags=0, dont_inherit=True, optimize=0)
