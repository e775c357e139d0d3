"""Declared facts: what is known of an individual, how many values an end takes, what looks misspelt."""

from __future__ import annotations

from tests.gates.checking import codes, fixed, found, marked

LINES = """type Stop;
type Station <: Stop;
rel line(from_stop: Stop, to_stop: Stop) [0..*] [0..1];
fact Stop(harbour);
fact Station(centre);
"""


def test_an_individual_that_no_fact_classifies_is_pointed_at_with_the_fact_to_add() -> None:
    text = LINES + "fact line(harbour, park);"
    diagnostic = found(text, "OE0229")
    assert marked(text, diagnostic) == "park"
    assert diagnostic.message == "`park` is not known to be a `Stop`, which `line` needs for `to_stop`"
    assert codes(fixed(text, diagnostic)) == []


def test_a_fact_of_a_subtype_classifies() -> None:
    assert codes(LINES + "fact line(harbour, centre);") == []


def test_what_another_fact_says_instead_is_shown() -> None:
    text = LINES + "type Zoo;\nfact Zoo(park);\nfact line(harbour, park);"
    diagnostic = found(text, "OE0229")
    assert [each.message for each in diagnostic.related] == ["`park` is classified as `Zoo` here"]


def test_one_value_too_many_is_reported_where_it_is_declared_with_the_first_and_the_bound() -> None:
    text = LINES + "fact line(harbour, centre);\nfact line(harbour, harbour);"
    diagnostic = found(text, "OE0632")
    assert diagnostic.location.start == text.rindex("harbour")
    assert diagnostic.message == "`line` allows at most 1 `to_stop` here, and this would be 2"
    places = [text[each.location.start : each.location.end] for each in diagnostic.related]
    assert places == ["centre", "line"]


def test_the_same_tuple_twice_is_one_value() -> None:
    assert codes(LINES + "fact line(harbour, centre);\nfact line(harbour, centre);") == []


def test_a_tuple_with_a_wrong_endpoint_does_not_count() -> None:
    assert codes(LINES + "fact line(harbour, centre);\nfact line(harbour, park);") == ["OE0229"]


def test_one_letter_off_a_known_name_is_a_warning_with_the_name() -> None:
    text = LINES + "rel mentions(a: Stop, b: Entity);\nfact mentions(harbour, harbor);"
    diagnostic = found(text, "OW0108")
    assert (marked(text, diagnostic), diagnostic.severity) == ("harbor", "warning")
    assert codes(fixed(text, diagnostic)) == []


def test_short_or_distant_names_are_nobodys_slip() -> None:
    text = LINES + "fact Stop(abc);\nrel mentions(a: Stop, b: Entity);\nfact mentions(harbour, abd);\n"
    assert codes(text + "fact mentions(harbour, harbinger);") == []
