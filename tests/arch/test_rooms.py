"""What each room may touch. The order of imports is a contract of import-linter; these rules see what it does not."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.arch.trees import Module, modules, offences

FORBIDDEN = {
    "argon_lang/engine/": ("argon_lang.text", "argon_lang.syntax"),
    "argon_lang/ide/": ("argon_lang.store", "argon_lang.runtime", "argon_lang.artifact"),
    "argon_lsp/": ("argon_mcp",),
    "argon_mcp/": ("argon_lsp",),
    "shared_catalog/": ("argon_lang", "argon_lsp", "argon_mcp"),
}

GENERATORS = (
    "argon_lang/runtime/schemas.py",
    "argon_lang/syntax/generate.py",
    "shared_catalog/generate.py",
    "shared_catalog/new_code.py",
)
SPEAKS = (
    "argon_lang/cli/",
    "argon_lang/__main__.py",
    "argon_lsp/",
    "argon_mcp/",
    "shared_catalog/fast.py",
    *GENERATORS,
)
TOUCHES_DISK = (
    "argon_lang/workspace/",
    "argon_lang/session/",
    "argon_lang/store/",
    "argon_lang/cli/",
    "argon_lang/__main__.py",
    "argon_lang/logs.py",  # reads the environment, touches no file
    "argon_lang/queries/standard.py",
    "argon_lsp/",
    "argon_mcp/",
    "shared_catalog/",
    *GENERATORS,
)
DISK = {"os", "pathlib", "io", "shutil", "tempfile", "glob", "fileinput", "sqlite3", "importlib.resources", "mmap"}
WORLD = DISK | {
    "socket",
    "subprocess",
    "urllib.request",
    "http.client",
    "asyncio.subprocess",
    "signal",
    "multiprocessing",
}
PURE = ("syntax", "program", "ir", "engine", "gates")
EXITS = {"print", "exit", "quit", "input", "sys.exit", "os._exit", "os.abort"}
STREAMS = ("sys.stdout.", "sys.stderr.", "sys.stdin.")


def uses(module: Module, forbidden: set[str]) -> Iterator[tuple[int, str]]:
    """Imports of modules in `forbidden`, and every use of `open`."""
    for line, name in module.imports():
        if any(name == one or name.startswith(f"{one}.") for one in forbidden):
            yield line, name
    for line, name in module.calls():
        if name == "open":
            yield line, "open(…)"


@pytest.mark.parametrize(("room", "others"), FORBIDDEN.items())
def test_a_room_never_imports_what_it_must_not_know(room: str, others: tuple[str, ...]) -> None:
    found = (
        (module, line, name)
        for module in modules()
        if module.within(room)
        for line, name in module.imports()
        if any(name == other or name.startswith(f"{other}.") for other in others)
    )
    assert offences(found) == []


def test_only_the_command_line_and_the_servers_print_read_the_terminal_or_exit() -> None:
    def found() -> Iterator[tuple[Module, int, str]]:
        for module in modules():
            if module.within(*SPEAKS):
                continue
            for line, name in module.calls():
                if name in EXITS or name.startswith(STREAMS):
                    yield module, line, f"{name}(…)"
            for node in ast.walk(module.tree):
                if isinstance(node, ast.Name) and node.id == "SystemExit":
                    yield module, node.lineno, "SystemExit"

    assert offences(found()) == []


def test_only_the_rooms_that_know_paths_touch_the_disk() -> None:
    found = (
        (module, line, name)
        for module in modules()
        if not module.within(*TOUCHES_DISK)
        for line, name in uses(module, DISK)
    )
    assert offences(found) == []


@pytest.mark.parametrize("room", PURE)
def test_a_pure_room_does_no_input_or_output_at_all(room: str) -> None:
    found = (
        (module, line, name)
        for module in modules()
        if module.within(f"argon_lang/{room}/") and not module.within(*GENERATORS)
        for line, name in uses(module, WORLD)
    )
    assert offences(found) == []


def test_nothing_is_pickled_or_marshalled() -> None:
    found = (
        (module, line, name)
        for module in modules()
        for line, name in module.imports()
        if name.split(".")[0] in {"pickle", "marshal", "shelve", "dill"}
    )
    assert offences(found) == []


def test_a_package_file_imports_nothing_heavy() -> None:
    heavy = {"pydantic", "typer", "rich", "mcp", "pygls", "lsprotocol", "watchfiles", "numpy", "hypothesis"}
    found = (
        (module, line, name)
        for module in modules()
        if module.path.endswith("__init__.py")
        for line, name in module.imports()
        if name.split(".")[0] in heavy
    )
    assert offences(found) == []


def test_each_rule_finds_a_breach_that_is_put_before_it() -> None:
    text = "import pathlib\nfrom os import path\nfrom ..store import memory\nopen('x')\nimport argon_mcp.tools\n"
    module = Module("argon_lang/ide/bad.py", text, ast.parse(text))
    assert [name for _, name in uses(module, DISK)] == ["pathlib", "os", "os.path", "open(…)"]
    names = {name for _, name in module.imports()}
    assert {"argon_lang.store", "argon_lang.store.memory", "argon_mcp.tools"} <= names
    assert offences(iter([(module, 3, "x")])) == ["argon_lang/ide/bad.py:3: x"]
