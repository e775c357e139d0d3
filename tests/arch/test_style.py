"""The house's measures: docstrings, lengths, and no trace of the machine that a file was written on."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.arch.trees import Module, modules, offences, texts

LONGEST_FILE = 500
LONGEST_FUNCTION = 60
MACHINE_PATHS = tuple(f"/{folder}/" for folder in ("work", "tmp", "root", "home"))
GENERIC = ("/home/user/", "/home/me/", "/home/you/", "/home/ada/")

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def public_definitions(body: list[ast.stmt], prefix: str = "") -> Iterator[tuple[str, Definition]]:
    """Public functions, classes, and methods of public classes."""
    for node in body:
        if isinstance(node, Definition) and not node.name.startswith("_"):
            yield prefix + node.name, node
            if isinstance(node, ast.ClassDef):
                yield from public_definitions(node.body, f"{node.name}.")


def is_declaration_only(node: Definition) -> bool:
    """A member of a protocol, an overload, or a property's setter: the text stands elsewhere."""
    if isinstance(node, ast.ClassDef):
        return False
    ellipsis = len(node.body) == 1 and ast.unparse(node.body[0]) == "..."
    decorators = {ast.unparse(decorator).rpartition(".")[2] for decorator in node.decorator_list}
    return ellipsis or bool(decorators & {"overload", "setter", "override"})


def written() -> Iterator[Module]:
    """The modules that people write."""
    return (module for module in modules() if not module.generated)


def test_every_module_says_what_it_is() -> None:
    found = ((module, 1, "no docstring") for module in modules() if ast.get_docstring(module.tree) is None)
    assert offences(found) == []


def test_every_public_name_says_what_it_is() -> None:
    found = (
        (module, node.lineno, name)
        for module in written()
        for name, node in public_definitions(module.tree.body)
        if ast.get_docstring(node) is None and not is_declaration_only(node)
    )
    assert offences(found) == []


def test_no_file_is_longer_than_a_reader_can_hold() -> None:
    lengths = ((module, module.text.count("\n")) for module in written())
    assert offences((module, lines, "too long") for module, lines in lengths if lines > LONGEST_FILE) == []


def test_no_function_is_longer_than_a_screen() -> None:
    found = (
        (module, node.lineno, f"{node.name}: {node.end_lineno - node.lineno + 1} lines")
        for module in written()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno >= LONGEST_FUNCTION
    )
    assert offences(found) == []


def test_no_file_names_a_folder_of_the_machine_that_it_was_written_on() -> None:
    found = []
    for path, text in texts():
        for generic in GENERIC:
            text = text.replace(generic, "")
        found += [f"{path}: {folder}" for folder in MACHINE_PATHS if folder in text]
    assert found == []


@pytest.mark.parametrize("package", ["argon_lang", "shared_catalog"])
def test_the_rules_see_the_whole_of_a_package(package: str) -> None:
    assert sum(module.path.startswith(f"{package}/") for module in modules()) > 5
