"""Every fixture through every front end: the terminal, an agent's server and an editor's say the same of it.

One agent's server and one editor's live through all fixtures. The terminal's answer is taken in this process, for the
start of a process takes longer than the check; for a sample, taken by its names, it is a process of its own.
"""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from argon_lang.cli.entry import main
from tests.support.cli import argon
from tests.support.lsp_client import Client as Editor
from tests.support.markers import FIXTURES, files_of
from tests.support.mcp_client import Client as Agent

MANIFEST = '[package]\nname = "parity"\nversion = "0.1.0"\nprelude = ["std::core::{type, rel}"]\n'
SOURCES = sorted((
    *(path for path in (FIXTURES / "check").iterdir() if path.is_dir() or path.suffix == ".ar"),
    *(FIXTURES / "beginners").glob("*.ar"),
))  # fmt: skip
SAMPLE = random.Random(4).sample(SOURCES, 3)
"""Those that a process of their own checks as well."""

SEVERITIES = {1: "error", 2: "warning", 3: "info"}
Json = Any


class Served:
    """One folder after the other, with an agent's server on the one that stands for all, and an editor's on each."""

    def __init__(self, folder: Path, agent: Agent, editor: Editor) -> None:
        self.folder, self.root, self.agent, self.editor = folder, folder / "same", agent, editor
        editor.initialize(folder)

    def lay_out(self, source: Path) -> tuple[Path, list[str]]:
        """The fixture as the agent's project, and as a project of its own for the editor; its files."""
        files = {"ox.toml": MANIFEST, **files_of(source)}
        own = self.folder / f"{source.parent.name}_{source.stem}"
        shutil.rmtree(self.root)
        for root in (self.root, own):
            for file, text in files.items():
                (root / file).parent.mkdir(parents=True, exist_ok=True)
                (root / file).write_text(text, "utf-8", newline="")
        return own, sorted(file for file in files if file.endswith(".ar"))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("parity")
    (folder / "same").mkdir()
    (folder / "same" / "ox.toml").write_text(MANIFEST, "utf-8")
    (folder / "same" / "root.ar").write_text("type A;\n", "utf-8")
    with Agent(folder / "same") as agent, Editor() as editor:
        yield Served(folder, agent, editor)


def terminal(root: Path) -> Json:
    """What `argon check --json` answers, asked in this process."""
    with redirect_stdout(StringIO()) as said:
        status = main(["check", "--json", "--project", str(root)])
    assert status in (0, 1), said.getvalue()
    return json.loads(said.getvalue())


def plain(report: Json) -> Json:
    """All that is said, but the source lines that only a terminal draws."""
    return [{key: value for key, value in each.items() if key != "sourceLine"} for each in report["diagnostics"]]


def by_file(report: Json, files: list[str]) -> dict[str, list[Json]]:
    """Code, severity, message and span by file, as an editor can tell them."""
    found: dict[str, list[Json]] = {file: [] for file in files}
    for each in report["diagnostics"]:
        place = each["span"]
        if place["file"] in found:
            found[place["file"]].append((each["code"], each["severity"], each["message"], *ends(place)))
    return found


def ends(span: Json) -> tuple[Json, ...]:
    """Line and column of both ends."""
    return tuple((span[end]["line"], span[end]["character"]) for end in ("start", "end"))


def pushed(editor: Editor, uri: str) -> list[Json]:
    """What the editor's server pushed last for a document."""
    found = [
        each["params"]["diagnostics"]
        for each in editor.notifications
        if each["method"] == "textDocument/publishDiagnostics" and each["params"]["uri"] == uri
    ]
    return [told(each) for each in found[-1]] if found else []


def settle(editor: Editor, uri: str, wanted: list[Json]) -> None:
    """Wait until what was pushed last for a document is what is wanted: an editor is told the first words at once."""
    editor.until(lambda: pushed(editor, uri) == wanted, f"{wanted} in {uri}")


def told(each: Json) -> Json:
    """One pushed diagnostic in the form of `by_file`."""
    message = each["message"].partition("\n")[0]
    return each["code"], SEVERITIES[each["severity"]], message, *ends(each["range"])


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_front_end_says_the_same_of_a_fixture(served: Served, source: Path) -> None:
    own, files = served.lay_out(source)
    wanted = terminal(served.root)
    assert plain(served.agent.call("argon_check")) == plain(wanted)
    expected = by_file(wanted, files)
    for file in files:
        served.editor.open((own / file).as_uri(), (own / file).read_text("utf-8"))
    for file, listed in expected.items():
        uri = (own / file).as_uri()
        served.editor.diagnostics(uri)
        settle(served.editor, uri, listed)
        served.editor.close(uri)
    served.editor.notifications.clear()


@pytest.mark.parametrize("source", SAMPLE, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_process_of_its_own_says_what_this_one_says(served: Served, source: Path) -> None:
    served.lay_out(source)
    done = argon("check", "--json", "--project", str(served.root))
    assert plain(json.loads(done.out)) == plain(terminal(served.root))


def test_the_fixtures_have_something_to_say() -> None:
    """An agreement about nothing would be none."""
    assert len(SOURCES) > 90
    assert len(SAMPLE) == len(set(SAMPLE)) == 3
