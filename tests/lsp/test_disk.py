"""What happens on disk beside the editor: noticed without the client's help, and survived."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.lsp.packages import MANIFEST, package
from tests.support.lsp_client import Client, at

PEOPLE = "pub type Person { name: String }\n"
ROOT = "use self::people::{Person};\n\nmod people;\n\npub derive known(p: Person) :- p: Person;\n"


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return package(tmp_path, root=ROOT, people=PEOPLE)


def opened(client: Client, root: Path) -> str:
    """The URI of root.ar, opened and clean."""
    client.initialize(root)
    uri = (root / "root.ar").as_uri()
    client.open(uri, ROOT)
    assert client.diagnostics(uri, 1) == []
    return uri


def test_a_file_that_another_program_changes_is_checked_again(client: Client, small: Path) -> None:
    opened(client, small)
    people = small / "people.ar"
    people.write_text("pub type Person { name: Strin }\n", encoding="utf-8")
    client.codes_until(people.as_uri(), ["OE0101"])
    people.write_text(PEOPLE, encoding="utf-8")
    client.codes_until(people.as_uri(), [])


def test_a_file_that_is_renamed_on_disk_is_missed_until_it_is_back(client: Client, small: Path) -> None:
    uri = opened(client, small)
    (small / "people.ar").rename(small / "persons.ar")
    client.until(lambda: "OE0103" in codes(client, uri), "the missing module")
    (small / "persons.ar").rename(small / "people.ar")
    client.codes_until(uri, [])


def test_a_file_that_is_deleted_while_it_is_open_counts_as_the_editor_has_it(client: Client, small: Path) -> None:
    uri = opened(client, small)
    people = (small / "people.ar").as_uri()
    client.open(people, PEOPLE)
    client.diagnostics(people, 1)
    (small / "people.ar").unlink()
    (small / "other.ar").write_text("pub type A { b: Int }\n", encoding="utf-8")
    client.codes_until((small / "other.ar").as_uri(), ["OW0107"])
    assert codes(client, uri) == []


def test_a_broken_manifest_is_told_of_in_the_manifest_and_nowhere_else(client: Client, small: Path) -> None:
    uri = opened(client, small)
    manifest = small / "ox.toml"
    manifest.write_text("[package\nname = ", encoding="utf-8")
    client.codes_until(manifest.as_uri(), ["OE1243"])
    assert codes(client, uri) == []
    assert client.request("textDocument/hover", at(uri, 4, 12)) is not None
    manifest.write_text(MANIFEST, encoding="utf-8")
    client.codes_until(manifest.as_uri(), [])
    assert codes(client, uri) == []


def test_a_manifest_in_the_editor_is_checked_as_it_is_typed(client: Client, small: Path) -> None:
    opened(client, small)
    manifest = (small / "ox.toml").as_uri()
    client.open(manifest, MANIFEST)
    assert client.diagnostics(manifest, 1) == []
    version = client.edit(manifest, (1, 0), (1, 4), "nam")
    found = client.diagnostics(manifest, version)
    assert {each["code"] for each in found} == {"OE1241", "OE1246"}
    slip = next(each for each in found if each["code"] == "OE1241")
    asked = {"textDocument": {"uri": manifest}, "range": slip["range"], "context": {"diagnostics": [slip]}}
    action = next(each for each in client.request("textDocument/codeAction", asked) if each["isPreferred"])
    (edit,) = action["edit"]["changes"][manifest]
    assert edit["newText"] == "name"
    version = client.change(manifest, {"range": edit["range"], "text": edit["newText"]})
    assert client.diagnostics(manifest, version) == []


def test_a_package_that_is_renamed_in_its_manifest_stays_clean(client: Client, small: Path) -> None:
    uri = opened(client, small)
    (small / "ox.toml").write_text(MANIFEST.replace("small", "large"), encoding="utf-8")
    (small / "people.ar").write_text("pub type Person { name: Strin }\n", encoding="utf-8")
    client.codes_until((small / "people.ar").as_uri(), ["OE0101"])
    assert codes(client, uri) == []
    assert client.request("textDocument/hover", at(uri, 4, 12)) is not None


def test_a_folder_that_is_moved_away_leaves_a_server_that_answers(client: Client, small: Path) -> None:
    uri = opened(client, small)
    away = small.with_name("away")
    small.rename(away)
    version = client.edit(uri, (4, 20), (4, 26), "Persom")
    assert [each["code"] for each in client.diagnostics(uri, version)] == ["OE0101"]
    assert client.request("textDocument/hover", at(uri, 4, 12)) is not None
    away.rename(small)
    version = client.edit(uri, (4, 20), (4, 26), "Person")
    assert client.diagnostics(uri, version) == []
    (small / "people.ar").write_text("pub type Person { name: Strin }\n", encoding="utf-8")
    client.codes_until((small / "people.ar").as_uri(), ["OE0101"])


def test_a_folder_that_is_deleted_leaves_a_server_that_answers(client: Client, small: Path) -> None:
    uri = opened(client, small)
    shutil.rmtree(small)
    version = client.edit(uri, (4, 0), (4, 0), "// still here\n")
    client.diagnostics(uri, version)
    assert client.leave() == 0


def test_bytes_that_are_not_utf_8_are_told_of_in_their_file(client: Client, small: Path) -> None:
    opened(client, small)
    (small / "people.ar").write_bytes(PEOPLE.encode() + b"// \xe9\n")
    client.codes_until((small / "people.ar").as_uri(), ["OE0005"])


def test_a_manifest_that_appears_beside_a_lone_file_makes_it_a_package(client: Client, tmp_path: Path) -> None:
    folder = tmp_path / "fresh"
    folder.mkdir()
    client.initialize()
    uri = (folder / "root.ar").as_uri()
    client.open(uri, "mod more;\npub type A { b: Int }\n")
    assert codes_of(client.diagnostics(uri, 1)) == ["OE0103"]
    (folder / "more.ar").write_text("pub type B { c: Int }\n", encoding="utf-8")
    (folder / "ox.toml").write_text(MANIFEST, encoding="utf-8")
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": (folder / "ox.toml").as_uri(), "type": 1}]})
    client.codes_until(uri, [])


def test_saving_is_enough_to_notice_a_manifest_that_appeared(client: Client, tmp_path: Path) -> None:
    folder = tmp_path / "fresh"
    folder.mkdir()
    client.initialize()
    uri = (folder / "main.ar").as_uri()
    client.open(uri, "mod more;\npub type A { b: Int }\n")
    assert codes_of(client.diagnostics(uri, 1)) == ["OE0103"]
    (folder / "more.ar").write_text("pub type B { c: Int }\n", encoding="utf-8")
    (folder / "ox.toml").write_text(MANIFEST + 'entry = "main.ar"\n', encoding="utf-8")
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    client.codes_until(uri, [])


def codes(client: Client, uri: str) -> list[str]:
    pushed = [each["params"] for each in client.notifications if each.get("params", {}).get("uri") == uri]
    return codes_of(pushed[-1]["diagnostics"]) if pushed else []


def codes_of(diagnostics: list[dict[str, str]]) -> list[str]:
    return sorted(each["code"] for each in diagnostics)
