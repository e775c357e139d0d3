"""The page about the server says what the server is."""

from __future__ import annotations

import json
import re
from pathlib import Path

import typer
from typer.main import get_command

from argon_lang.cli.commands import mcp
from argon_mcp import resources
from argon_mcp.options import MAX_BYTES, MAX_ROWS, Options, options_of
from argon_mcp.promptbox import GUIDES
from argon_mcp.toolbox import TOOLS
from tests.docs import tools

PAGE = (Path(__file__).parents[2] / "docs" / "agents.md").read_text("utf-8")


def test_every_tool_resource_and_prompt_has_its_line() -> None:
    assert re.findall(r"^\| `(argon_\w+)` \|", PAGE, re.MULTILINE) == [tool.name for tool in TOOLS]
    addresses = {each.uri for each in resources.RESOURCES} | {each.uri_template for each in resources.TEMPLATES}
    assert set(re.findall(r"^\| `(argon://[^`]+)` \|", PAGE, re.MULTILINE)) == addresses
    assert re.findall(r"^\| `(argon_\w+)\([^`]*\)` \|", PAGE, re.MULTILINE) == list(GUIDES)


def test_every_option_is_told_with_its_default() -> None:
    app = typer.Typer()
    app.command()(mcp.command)
    options = {name for each in get_command(app).params for name in each.opts if name.startswith("--")}
    assert {name for name in options if name not in PAGE and "completion" not in name} == set()
    assert f"`--max-rows` ({MAX_ROWS})" in PAGE
    assert f"`--max-bytes` ({MAX_BYTES})" in PAGE


def test_the_page_of_the_tools_is_current() -> None:
    assert tools.main(["--check"]) == 0


def configurations() -> dict[str, str]:
    """The JSON that the page shows, by the file that it goes into."""
    return dict(re.findall(r"`([^`\n]+\.json)`:\n\n```json\n(.*?)```", PAGE, re.DOTALL))


def test_every_configuration_that_the_page_shows_starts_the_server() -> None:
    shown = configurations()
    assert len(shown) >= 6
    for file, text in shown.items():
        (servers,) = json.loads(text).values()
        words = [servers["argon"]["command"], *servers["argon"]["args"]]
        assert words[:2] == ["argon", "mcp"], file
        assert options_of(words[2:]) == Options(), file
