"""Diagnostics as they are pushed: complete, for every file concerned, at the right version."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from argon_lang.session.project import Project
from argon_lsp.framing import frame
from tests.lsp.packages import covered, package, position
from tests.support.lsp_client import Client, at

PEOPLE = "pub type Person { name: String }\n"
ROOT = "use self::people::{Person};\n\nmod people;\n\npub derive known(p: Person) :- p: Person;\n"


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return package(tmp_path, root=ROOT, people=PEOPLE)


def test_an_error_appears_and_goes_with_its_version(client: Client, small: Path) -> None:
    client.initialize(small)
    uri = (small / "root.ar").as_uri()
    client.open(uri, ROOT)
    assert client.diagnostics(uri, 1) == []
    line, column = position(ROOT, "Person) :-")
    version = client.edit(uri, (line, column), (line, column + 6), "Persom")
    (found,) = client.diagnostics(uri, version)
    assert (found["code"], found["severity"], found["source"]) == ("OE0101", 1, "argon")
    version = client.edit(uri, (line, column), (line, column + 6), "Person")
    assert client.diagnostics(uri, version) == []


def test_a_diagnostic_links_to_its_page_and_carries_its_fixes(client: Client, small: Path) -> None:
    client.initialize(small)
    uri = (small / "root.ar").as_uri()
    text = ROOT.replace("p: Person;", "p: Persom;")
    client.open(uri, text)
    (found,) = client.diagnostics(uri, 1)
    page = Path(found["codeDescription"]["href"].removeprefix("file://"))
    assert page.name == "OE0101.md"
    assert page.is_file()
    assert covered(text, found["range"]) == "Persom"
    assert found["data"]["fixes"]


def test_a_quick_fix_mends_what_it_names(client: Client, small: Path) -> None:
    client.initialize(small)
    uri = (small / "root.ar").as_uri()
    text = ROOT.replace("p: Person;", "p: Persom;")
    client.open(uri, text)
    (found,) = client.diagnostics(uri, 1)
    asked = {"textDocument": {"uri": uri}, "range": found["range"], "context": {"diagnostics": [found]}}
    action, *_ = client.request("textDocument/codeAction", asked)
    assert (action["kind"], action["isPreferred"]) == ("quickfix", True)
    (edit,) = action["edit"]["changes"][uri]
    assert (covered(text, edit["range"]), edit["newText"]) == ("Persom", "Person")
    version = client.change(uri, {"range": edit["range"], "text": edit["newText"]})
    assert client.diagnostics(uri, version) == []


def test_no_fix_is_offered_to_who_wants_other_actions(client: Client, small: Path) -> None:
    client.initialize(small)
    uri = (small / "root.ar").as_uri()
    client.open(uri, ROOT.replace("p: Person;", "p: Persom;"))
    (found,) = client.diagnostics(uri, 1)
    asked: dict[str, Any] = {"textDocument": {"uri": uri}, "range": found["range"]}
    for only, count in ((["refactor"], 0), (["quickfix"], 1), ([""], 1), ([], 0)):
        context = {"diagnostics": [], "only": only}
        found = client.request("textDocument/codeAction", {**asked, "context": context})
        assert [each["kind"] for each in found].count("quickfix") == count


def test_an_edit_of_one_file_tells_of_another_that_is_not_open(client: Client, small: Path) -> None:
    client.initialize(small)
    people, root = (small / "people.ar").as_uri(), (small / "root.ar").as_uri()
    client.open(people, PEOPLE)
    client.diagnostics(people, 1)
    client.edit(people, *[position(PEOPLE, "Person"), position(PEOPLE, " {")], "Human")
    client.until(lambda: has_codes(client, root), "errors in the other file")
    assert "version" not in last_push(client, root)
    client.edit(people, (0, 9), (0, 14), "Person")
    client.codes_until(root, [])


def test_unsaved_text_counts_across_files_until_the_document_is_closed(client: Client, small: Path) -> None:
    client.initialize(small)
    people, root = (small / "people.ar").as_uri(), (small / "root.ar").as_uri()
    client.open(people, PEOPLE + "pub type Robot { name: String }\n")
    client.open(root, ROOT.replace("{Person}", "{Person, Robot}") + "pub derive built(r: Robot) :- r: Robot;\n")
    assert client.diagnostics(root, 1) == []
    client.close(people)
    client.until(lambda: has_codes(client, root), "errors when the unsaved text is gone")


def test_a_second_declaration_points_at_the_first(client: Client, small: Path) -> None:
    client.initialize(small)
    uri = (small / "people.ar").as_uri()
    client.open(uri, PEOPLE + PEOPLE)
    found = next(each for each in client.diagnostics(uri, 1) if each["code"] == "OE0206")
    (related,) = found["relatedInformation"]
    assert related["location"]["uri"] == uri
    assert related["location"]["range"]["start"] == {"line": 0, "character": 9}


def test_an_unused_import_is_tagged_as_unnecessary(client: Client, small: Path) -> None:
    client.initialize(small)
    uri = (small / "root.ar").as_uri()
    client.open(uri, ROOT.replace("p: Person) :- p: Person", 'p: String) :- p = "a"'))
    found = next(each for each in client.diagnostics(uri, 1) if each["code"] == "OW0105")
    assert (found["severity"], found["tags"]) == (2, [1])


def test_a_lone_file_is_a_package_of_its_own(client: Client, tmp_path: Path) -> None:
    client.initialize()
    uri = (tmp_path / "lone.ar").as_uri()
    client.open(uri, "pub type A { b: Nothing }\n")
    assert [each["code"] for each in client.diagnostics(uri, 1)] == ["OE0101"]
    client.close(uri)
    client.codes_until(uri, [])


def test_an_unsaved_document_without_a_file_is_checked(client: Client) -> None:
    client.initialize()
    client.open("untitled:Untitled-1", "pub type A { b: Nothing }\n")
    assert [each["code"] for each in client.diagnostics("untitled:Untitled-1", 1)] == ["OE0101"]


def test_a_folder_of_the_workspace_is_checked_before_a_file_is_opened(client: Client, small: Path) -> None:
    (small / "people.ar").write_text("pub type Person { name: Strin }\n", encoding="utf-8")
    client.initialize(small)
    client.codes_until((small / "people.ar").as_uri(), ["OE0101"])


def test_a_folder_that_leaves_the_workspace_takes_its_diagnostics_along(client: Client, small: Path) -> None:
    (small / "people.ar").write_text("pub type Person { name: Strin }\n", encoding="utf-8")
    client.initialize(small)
    client.codes_until((small / "people.ar").as_uri(), ["OE0101"])
    gone = {"added": [], "removed": [{"uri": small.as_uri(), "name": "small"}]}
    client.notify("workspace/didChangeWorkspaceFolders", {"event": gone})
    client.codes_until((small / "people.ar").as_uri(), [])


def test_a_question_about_a_text_that_was_edited_meanwhile_is_stale(client: Client, small: Path) -> None:
    client.initialize(small)
    uri = (small / "root.ar").as_uri()
    client.open(uri, ROOT)
    numbers = []
    for _ in range(50):
        numbers.append(client.ask("textDocument/hover", at(uri, 4, 12)))
        client.edit(uri, (0, 0), (0, 0), "\n")
    answers = [client.answer(number) for number in numbers]
    assert {each["error"]["code"] for each in answers if "error" in each} <= {-32801}
    assert client.diagnostics(uri, 51) == []


def test_a_position_is_never_read_in_a_text_that_came_after_it(client: Client, small: Path) -> None:
    client.initialize(small)
    uri = (small / "root.ar").as_uri()
    client.open(uri, ROOT)
    client.diagnostics(uri, 1)
    line, column = position(ROOT, "known")
    question = {"jsonrpc": "2.0", "id": "q", "method": "textDocument/hover", "params": at(uri, line, column)}
    document = {"uri": uri, "version": 2}
    change = {"textDocument": document, "contentChanges": [{"text": "\n" + ROOT}]}
    edit = {"jsonrpc": "2.0", "method": "textDocument/didChange", "params": change}
    client.send_bytes(b"".join(frame(json.dumps(each).encode()) for each in (question, edit)))
    answer = client.answer("q")
    assert answer.get("error", {}).get("code") == -32801 or covered(ROOT, answer["result"]["range"]) == "known"


def test_a_scenario_file_is_told_what_does_not_fit_its_form_as_who_runs_it_is(client: Client, small: Path) -> None:
    (small / "scenarios").mkdir()
    path = small / "scenarios" / "story.toml"
    text = 'title = "😀"\n\n[[step]]\ndo = "query"\npath = 3\nstrange = 1\n'
    path.write_text(text, encoding="utf-8")
    client.initialize(small)
    client.codes_until(path.as_uri(), ["ARGON_RUNTIME_VALIDATION_FAILED"] * 2)
    found = client.diagnostics(path.as_uri())
    assert [covered(text, each["range"]) for each in found] == ["3", "1"]
    ran = Project.open(small).scenarios((), None)
    assert ran.tests[0].failures[0].message.endswith(found[0]["message"])
    client.open(path.as_uri(), text.replace("path = 3", 'path = "q"').replace("strange = 1\n", ""))
    assert client.diagnostics(path.as_uri(), 1) == []
    version = client.change(path.as_uri(), {"text": "title = \n"})
    (broken,) = client.diagnostics(path.as_uri(), version)
    assert "TOML" in broken["message"]
    client.close(path.as_uri())
    client.codes_until(path.as_uri(), ["ARGON_RUNTIME_VALIDATION_FAILED"] * 2)
    path.unlink()
    client.codes_until(path.as_uri(), [])


def has_codes(client: Client, uri: str) -> bool:
    pushed = [each for each in client.notifications if each.get("params", {}).get("uri") == uri]
    return bool(pushed) and bool(pushed[-1]["params"]["diagnostics"])


def last_push(client: Client, uri: str) -> dict[str, Any]:
    pushed = [each["params"] for each in client.notifications if each.get("params", {}).get("uri") == uri]
    found: dict[str, Any] = pushed[-1]
    return found
