"""The source map: places in lines and UTF-16 columns, written names, docs; and the tier table."""

from __future__ import annotations

from tests.ir.lower.programs import lowered, lowered_files

TEXT = """/// Someone.
/// Anyone.
type Person { age: Int }
rel knows(a: Person, b: Person);
/* 𝕏 */ derive far(x, y) :- knows(x, mid), far(mid, y), x.age > 3;
derive far(x, y) :- knows(x, y);
derive alone(x) :- Person(x), not knows(x, _);
query q() -> [Person] { select p from alone(p) }
"""


def test_a_declaration_and_its_docs_are_found_by_path() -> None:
    source = lowered(TEXT).source
    places = {path: (span.file, span.line, span.character) for path, span in source.declarations}
    assert places["pkg::Person"] == ("root.ar", 2, 0)
    assert places["pkg::far"] == ("root.ar", 4, 9)
    assert dict(source.docs)["pkg::Person"] == "Someone.\nAnyone."


def test_a_rule_knows_its_clause_its_names_and_the_text_of_its_atoms() -> None:
    module = lowered(TEXT)
    (rule,) = [each for each in module.rules if each.key == "pkg::far/2" and len(each.body) > 1]
    (source,) = [each for each in module.source.rules if each.rule == rule.id]
    assert dict(source.names) == {"v0": "x", "v1": "y", "v2": "mid", "v3": "x.age"}
    assert [text for _, text in source.sites] == ["knows(x, mid)", "far(mid, y)", "x.age > 3"]
    assert (source.span.line, source.span.character, source.span.end_character) == (4, 9, 67)
    assert source.sites[0][0].character == 29


def test_places_are_in_the_file_that_they_were_written_in() -> None:
    source = lowered_files({"root.ar": "mod a;\n", "a.ar": "\n  pub type T;\n"}).source
    ((path, span),) = [each for each in source.declarations if each[0].startswith("pkg")]
    assert (path, span.file, span.line, span.character) == ("pkg::a::T", "a.ar", 1, 2)


def test_every_predicate_check_and_query_has_its_tier() -> None:
    assert dict(lowered(TEXT).tiers) == {
        "pkg::alone/1": "expressive",
        "pkg::far/2": "recursive",
        "pkg::q?": "structural",
    }
