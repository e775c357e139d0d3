"""The VS Code extension as a package: what it declares is what its source does and what the language is."""

from __future__ import annotations

import importlib.util
import json
import re
import zlib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import tasks
from argon_lang.syntax import generate_snippets
from argon_lang.syntax.token_table import TOKENS
from argon_lang.version import VERSION
from tests.support import textmate

ROOT = Path(__file__).parents[2]
EXTENSION = ROOT / "editors" / "vscode"
COLOURS = ROOT / "tests" / "fixtures" / "editors" / "colours.test.ar"


def manifest() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((EXTENSION / "package.json").read_text("utf-8"))
    return found


def source() -> str:
    return "\n".join(path.read_text("utf-8") for path in sorted((EXTENSION / "src").glob("*.ts")))


def icon() -> ModuleType:
    spec = importlib.util.spec_from_file_location("icon", EXTENSION / "icon.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_extension_has_the_version_of_argon_and_asks_for_no_newer_one() -> None:
    oldest = re.search(r'OLDEST = "([\d.]+)"', source())
    assert manifest()["version"] == VERSION
    assert f"\n## {VERSION}\n" in (EXTENSION / "CHANGELOG.md").read_text("utf-8")
    assert oldest is not None
    assert tuple(map(int, oldest[1].split("."))) <= tuple(map(int, VERSION.split(".")))


def test_every_file_that_the_manifest_names_is_there() -> None:
    contributes = manifest()["contributes"]
    language, grammar = contributes["languages"][0], contributes["grammars"][0]
    named = [language["configuration"], grammar["path"], contributes["snippets"][0]["path"], manifest()["icon"]]
    assert [path for path in named if not (EXTENSION / path).is_file()] == []
    assert (language["id"], language["extensions"]) == ("argon", [".ar"])
    loaded = textmate.load(EXTENSION / grammar["path"])
    assert (grammar["language"], grammar["scopeName"]) == (language["id"], loaded["scopeName"])


def test_every_command_is_titled_registered_and_explained() -> None:
    declared = {each["command"]: each["title"] for each in manifest()["contributes"]["commands"]}
    registered = set(re.findall(r'registerCommand\("([^"]+)"', source()))
    readme = (EXTENSION / "README.md").read_text("utf-8")
    assert set(declared) == registered
    assert [title for title in declared.values() if f"| Argon: {title} |" not in readme] == []
    listed = [each["command"] for menu in manifest()["contributes"]["menus"].values() for each in menu]
    assert set(listed) <= set(declared)


def test_every_setting_is_described_read_and_explained() -> None:
    settings = manifest()["contributes"]["configuration"]["properties"]
    readme = (EXTENSION / "README.md").read_text("utf-8")
    read = {f"argon.{name}" for name in re.findall(r'getConfiguration\("argon"\)\.get<[^>]+>\("(\w+)"', source())}
    # The protocol's own client reads this one, by the name that it was given.
    assert set(settings) == read | {"argon.trace.server"}
    assert 'new QuietClient("argon",' in source()
    assert [name for name, each in settings.items() if not each["markdownDescription"].endswith(".")] == []
    assert [name for name in settings if f"| `{name}` |" not in readme] == []
    restricted = manifest()["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"]
    assert set(restricted) == {name for name, each in settings.items() if each["scope"] == "machine-overridable"}


def test_the_commands_that_install_name_the_extra_of_the_distribution() -> None:
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    assert '\nname = "argon-lang"\n' in project
    assert "\nlsp = [" in project
    assert "argon-lang[lsp]" in source()
    assert (ROOT / "shared_catalog" / "codes" / "ARGON_EXTRA_MISSING.md").is_file()
    assert '"ARGON_EXTRA_MISSING"' in source()


def test_snippets_begin_with_words_of_the_language_and_number_their_places() -> None:
    words = {spelling for kind in TOKENS for spelling in kind.spellings} | {"derivable"}
    found = json.loads(generate_snippets.snippets())
    assert len(found) > 40
    for name, snippet in found.items():
        body = "\n".join(snippet["body"])
        assert set(re.findall(r"\w+", snippet["prefix"])) <= words, name
        assert body.startswith(snippet["prefix"].split()[0]), name
        numbers = {int(number) for number in re.findall(r"\$\{?(\d)", body)} - {0}
        assert numbers == set(range(1, len(numbers) + 1)), name
        assert not re.search(r"^ {4}", body, re.MULTILINE), name


def test_the_lock_file_pins_what_the_manifest_names_and_names_no_registry() -> None:
    text = (EXTENSION / "package-lock.json").read_text("utf-8")
    lock = json.loads(text)["packages"]
    wanted = {**manifest()["dependencies"], **manifest()["devDependencies"]}
    assert {name: lock[f"node_modules/{name}"]["version"] for name in wanted} == wanted
    assert '"resolved"' not in text
    assert all("integrity" in each for path, each in lock.items() if path)


def test_the_task_says_which_program_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(
        tasks.TaskFailed, match=r"Node\.js 20 or newer and npm .* no node and npm on the PATH"
    ) as failed:
        tasks.npm_of_a_recent_node()
    assert failed.value.status == 3


def test_the_task_turns_an_old_node_away(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    _script(tmp_path / "npm", "exit 0")
    _script(tmp_path / "node", "echo v18.20.4")
    with pytest.raises(tasks.TaskFailed, match=r"20 or newer .*node is v18\.20\.4"):
        tasks.npm_of_a_recent_node()
    _script(tmp_path / "node", "echo v20.0.0")
    assert tasks.npm_of_a_recent_node() == str(tmp_path / "npm")


def _script(path: Path, line: str) -> None:
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(0o755)


def test_the_license_is_that_of_the_project() -> None:
    assert (EXTENSION / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_the_icon_is_what_its_program_draws() -> None:
    drawn, kept = icon(), (EXTENSION / "icon.png").read_bytes()
    data = kept.index(b"IDAT")
    size = int.from_bytes(kept[data - 4 : data], "big")
    assert zlib.decompress(kept[data + 4 : data + 4 + size]) == drawn.rows()
    assert (EXTENSION / "icon.svg").read_text("utf-8") == drawn.svg()


def test_colours_before_the_server_answers_are_those_of_the_fixture() -> None:
    grammar = textmate.load(EXTENSION / "syntaxes" / "argon.tmLanguage.json")
    lines = COLOURS.read_text("utf-8").splitlines()[1:]
    code = [(number, line) for number, line in enumerate(lines) if _assertion(line) is None]
    coloured = dict(
        zip((number for number, _ in code), textmate.scopes(grammar, "\n".join(line for _, line in code)), strict=True)
    )
    wrong, checked, current = [], 0, -1
    for number, line in enumerate(lines):
        claim = _assertion(line)
        if claim is None:
            current = number
            continue
        start, end, scope = claim
        seen = {each[-1:] for each in coloured[current][start:end]}
        checked += 1
        if seen != {(scope,)}:
            wrong.append((lines[current][start:end], scope, seen))
    assert wrong == []
    assert checked > 30


def _assertion(line: str) -> tuple[int, int, str] | None:
    """`// ^^^ scope` speaks of the columns above its carets, `// <--- scope` of as many columns as there are dashes."""
    if found := re.fullmatch(r"// <(-+) (\S+)", line):
        return 0, len(found[1]), found[2]
    if found := re.fullmatch(r"//( *)(\^+) (\S+)", line):
        return 2 + len(found[1]), 2 + len(found[1]) + len(found[2]), found[3]
    return None
