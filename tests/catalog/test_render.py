"""Templates and pages."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared_catalog import load, render
from shared_catalog.template import TemplateError, fill, placeholders

TEXT = st.text(st.characters(codec="utf-8"), max_size=20)


def test_a_message_names_what_was_expected_and_found() -> None:
    said = render.message("OE0001", (("expected", "`;`"), ("found", "`class`")))
    assert said == "expected `;`, found `class`"


def test_a_note_may_show_braces() -> None:
    said = render.note("OE0001", "concept_form", (("name", "Lease"),))
    assert said == "a concept is declared by its metatype: `type Lease { field: Type, … }`"


@settings(max_examples=200, deadline=None, derandomize=True)
@given(TEXT, TEXT)
def test_a_value_is_inserted_as_it_is_whatever_it_contains(name: str, found: str) -> None:
    assert fill("{{a}} {name} {found}", {"name": name, "found": found}) == f"{{a}} {name} {found}"


@pytest.mark.parametrize("template", ["{", "a } b", "{name.upper}", "{0}", "{name!r}", "{na me}", "{}"])
def test_a_template_with_a_lone_brace_or_more_than_a_name_is_refused(template: str) -> None:
    with pytest.raises(TemplateError):
        placeholders(template)


def test_a_missing_value_is_an_error_that_names_code_and_placeholder() -> None:
    with pytest.raises(TemplateError, match=r"OE0001 message: no value for found"):
        render.message("OE0001", (("expected", "x"),))


def test_an_unknown_key_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(TemplateError, match=r"OE0009 has no notes\.colour; it has brace_form"):
        render.note("OE0009", "colour")


def test_surplus_values_do_no_harm() -> None:
    assert render.fix_title("OE0014", "plain", (("name", "x"),)) == "make it a plain comment"


@pytest.mark.parametrize("code", load.codes())
def test_pages_show_every_section_of_an_entry(code: str) -> None:
    entry = load.entry(code)
    for page in (render.text(entry), render.markdown(entry)):
        assert code in page
        for part in (entry.title, entry.message, entry.body.example[0].text.splitlines()[0], "Fix", "Why"):
            assert part in page


def test_a_text_page_is_drawn_like_this() -> None:
    page = render.text(load.entry("OE0009"))
    assert page.startswith(
        "error[OE0009] EnumPipeForm (syntax, live, since 0.1.0)\n"
        "Enum variants stand in braces\n\n"
        "  error: the variants of `{name}` stand in braces, not after `=`\n\nWhat\n  The variants"
    )
    assert "Example\n    enum Size = Small | Large;\n    //        ^^^^^^^^^^^^^^^\n\n" in page
    assert "Fix: rename\n    enum Size { Small" in page
    assert page.endswith("See also\n  OE0012: Subtypes stand in braces\n")


def test_a_message_in_another_language_falls_back_to_english() -> None:
    with pytest.raises(load.UnknownLanguage):
        render.message("OE0009", (("name", "Size"),), "tlh")
