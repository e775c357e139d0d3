"""The page about the server says what the server is."""

from __future__ import annotations

import re
from pathlib import Path

import typer
from typer.main import get_command

from argon_lang.cli.commands import mcp
from argon_mcp import resources
from argon_mcp.options import MAX_BYTES, MAX_ROWS
from argon_mcp.promptbox import GUIDES
from argon_mcp.toolbox import TOOLS

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
