"""Folding: braces, comments and imports that cover several lines."""

from __future__ import annotations

from argon_lang.ide.folding import folds
from tests.ide.packages import marked


def shown(source: str) -> list[tuple[str, str]]:
    """Kind and text of each fold."""
    package = marked(source)
    return [(each.kind, package.text(each.location)) for each in folds(package.db, "root.ar")]


def test_braces_over_several_lines_fold_and_those_of_one_line_do_not() -> None:
    assert shown("type A {\n    a: Int,\n}\ntype B { b: Int }") == [("region", "{\n    a: Int,\n}")]


def test_folds_nest() -> None:
    source = "mod m {\n    type A {\n    }\n}"
    assert [text.count("\n") for _, text in shown(source)] == [3, 1]


def test_a_run_of_comment_lines_folds_and_a_blank_line_ends_it() -> None:
    assert shown("// a\n// b\n\n// c\ntype A { }") == [("comment", "// a\n// b")]


def test_docs_fold_as_comments() -> None:
    assert shown("/// a\n/// b\ntype A { }") == [("comment", "/// a\n/// b")]


def test_imports_that_follow_each_other_fold_together() -> None:
    assert shown("use std::time::{today};\nuse std::time::{now};\ntype A { }")[0] == (
        "imports",
        "use std::time::{today};\nuse std::time::{now};",
    )


def test_an_unclosed_brace_hides_no_other_fold() -> None:
    assert ("region", "{\n}") in shown("type A {\ntype B {\n}\n")


def test_a_file_that_is_not_there_has_no_folds() -> None:
    assert folds(marked("").db, "other.ar") == ()
