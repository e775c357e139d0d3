"""The source that the budgets are measured on is good Argon, and the same everywhere."""

from __future__ import annotations

from argon_lang.queries.snippet import check_files
from argon_lang.syntax import nodes
from argon_lang.syntax.document import Document
from benchmarks.generate_source import MODULES, package, source


def test_one_file_checks_clean_whatever_the_seed() -> None:
    for seed in (1, 7):
        assert check_files({"root.ar": source(400, seed)}) == []


def test_a_package_checks_clean() -> None:
    assert check_files(package(3, 120)) == []


def test_equal_arguments_give_equal_text_and_others_do_not() -> None:
    assert source(700, 3) == source(700, 3)
    assert source(700, 4) != source(700, 3)


def test_there_are_as_many_lines_and_modules_as_asked() -> None:
    text = source(5_000)
    assert 5_000 <= text.count("\n") < 5_000 + MODULES * 150
    assert text.count("pub mod ") == MODULES
    files = package(5, 200)
    assert len(files) == 6
    assert all(text.count("\n") >= 200 for path, text in files.items() if path != "root.ar")


def test_more_than_two_fifths_of_the_lines_are_rules_and_queries() -> None:
    text = source(2_000)
    wanted = (nodes.DeriveDecl, nodes.CheckDecl, nodes.QueryDecl)
    items = (item for item in Document.parse(text).items if isinstance(item.root, wanted))
    assert sum(item.text.strip().count("\n") + 1 for item in items) > 0.4 * text.count("\n")
