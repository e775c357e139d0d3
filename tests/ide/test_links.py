"""Links from `mod x;` to files."""

from __future__ import annotations

from argon_lang.ide.links import links
from tests.ide.packages import marked


def test_a_module_leads_to_its_file_and_an_inline_one_nowhere() -> None:
    package = marked("mod $0more;\nmod inner {\n    type A { }\n}\nmod gone;", more="type B { }")
    found = links(package.db, "root.ar")
    assert [(package.marked([each.location])[0], each.target) for each in found] == [(0, "more.ar")]
