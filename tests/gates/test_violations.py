"""Users' checks over declared facts: severity, message, place; and what is left to run time."""

from __future__ import annotations

import pytest

from argon_lang.engine.governor import Governor
from argon_lang.gates import violations
from argon_lang.queries.memo import Cancelled
from argon_lang.queries.snippet import check_files, database_of
from tests.gates.checking import codes, found, marked

WORLD = """type Flat { rent: Int, rooms: Int = 1, owner: Person? }
type Person { name: String }
rel rents(tenant: Person, flat: Flat);
fact Flat(loft) { rent: 900 };
fact Flat(attic) { rent: 400 };
fact Person(ann) { name: "Ann" };
fact Person(bob) { name: "Bob" };
fact rents(ann, loft);
"""
SHARED = """check one(f: Flat) :- rents(a, f), rents(b, f), a != b
    => Diagnostic { message: format!("{} too", b.name) };
"""


def test_a_violation_is_an_error_at_the_check_with_its_message_and_the_fact() -> None:
    text = WORLD + "fact rents(bob, loft);\n" + SHARED
    diagnostic = found(text, "OE1354")
    assert marked(text, diagnostic) == "one"
    assert diagnostic.message == "the declared facts violate `one(loft)`: Ann too"
    ((related),) = diagnostic.related
    assert text[related.location.start : related.location.end] == "fact rents(bob, loft);"


def test_no_violation_says_nothing() -> None:
    assert codes(WORLD + SHARED) == []


@pytest.mark.parametrize(
    ("severity", "code", "level"),
    [("Error", "OE1354", "error"), ("Warning", "OW1355", "warning"), ("Info", "OI1356", "info")],
)
def test_the_severity_of_the_report_decides(severity: str, code: str, level: str) -> None:
    text = WORLD + f"check any(f: Flat) :- f: Flat, f.rent > 800 => Diagnostic {{ severity: Severity::{severity}, "
    diagnostic = found(text + 'message: "dear", code: "R7" };', code)
    assert diagnostic.severity == level
    assert diagnostic.help == ("the check's own code is `R7`",)


def test_further_violations_stand_beside_the_first() -> None:
    text = WORLD + 'check any(f: Flat) :- Flat(f) => Diagnostic { message: "a flat" };'
    diagnostic = found(text, "OE1354")
    assert [each.message for each in diagnostic.related][1:] == ["and `any(loft)`: a flat"]


def test_a_check_without_a_head_is_violated_as_a_whole() -> None:
    text = WORLD + 'check any() :- Flat(f), f.rent > 800 => Diagnostic { message: "dear" };'
    assert found(text, "OE1354").message == "the declared facts violate `any()`: dear"


def test_facts_of_different_times_do_not_meet() -> None:
    apart = WORLD.replace("rents(ann, loft)", "rents(ann, loft) until #2020-01-01#") + SHARED
    assert codes(apart + "fact rents(bob, loft) at #2020-01-01#;") == []
    assert codes(apart + "fact rents(bob, loft) at #2019-12-31#;") == ["OE1354"]


def test_when_it_is_so_is_told_where_it_is_not_always_so() -> None:
    dated = WORLD.replace("rents(ann, loft)", "rents(ann, loft) at #2019-06-01#") + SHARED
    (help_,) = found(dated + "fact rents(bob, loft) at #2020-01-01# until #2021-01-01#;", "OE1354").help
    assert "from 2020-01-01 on" in help_
    unlet = 'check any(f: Flat) :- Flat(f), not rents(_, f) => Diagnostic { message: "free" };'
    early = WORLD.replace("rents(ann, loft)", "rents(ann, loft) at #2019-06-01T10:00:00Z#")
    early = early.replace("fact Flat(attic) { rent: 400 };\n", "")
    told = "it is so before 2019-06-01T10:00:00Z: a fact without `at` has always held"
    assert found(early + unlet, "OE1354").help == (told,)
    assert found(WORLD + SHARED + "fact rents(bob, loft);", "OE1354").help == ()


def test_what_reads_the_clock_is_left_to_run_time() -> None:
    text = "use std::time::now;\n" + WORLD
    text += "derive late(f: Flat) :- Flat(f), now() > #2000-01-01T00:00:00Z#;\n"
    assert codes(text + 'check c(f: Flat) :- late(f) => Diagnostic { message: "late" };') == []


def test_a_query_in_a_report_is_left_to_run_time() -> None:
    text = WORLD + "query names() -> [String] { select p.name from Person(p) }\n"
    assert codes(text + 'check c(f: Flat) :- Flat(f) => Diagnostic { message: format!("{}", names().length) };') == []


def test_a_check_that_ends_in_an_error_is_undecided() -> None:
    text = WORLD + 'check c(f: Flat) :- Flat(f), f.rent / (f.rooms - 1) > 2 => Diagnostic { message: "x" };'
    diagnostic = found(text, "OW1357")
    assert "division by zero" in diagnostic.message


def test_a_report_that_cannot_be_computed_leaves_the_violation() -> None:
    text = WORLD.replace(' { name: "Ann" }', "") + "fact rents(bob, loft);\n" + SHARED
    assert found(text, "OE1354").message.startswith("the declared facts violate `one(loft)`: ")


def test_nothing_is_decided_while_anything_is_in_error() -> None:
    text = WORLD + "fact rents(bob, loft);\n" + SHARED + "derive p(f) :- Flat(f), f.rant > 3;"
    assert codes(text) == ["OE0225"]


def test_an_edit_that_mends_the_facts_clears_the_violation() -> None:
    db = database_of({"root.ar": WORLD + "fact rents(bob, loft);\n" + SHARED})
    assert [each.code for each in db.diagnostics()] == ["OE1354"]
    db.set_files({"root.ar": WORLD + "fact rents(bob, attic);\n" + SHARED})
    assert [each.code for each in db.diagnostics()] == []
    db.set_files({"root.ar": WORLD + "fact rents(ann, attic);\nfact rents(bob, attic);\n" + SHARED})
    assert [each.message for each in db.diagnostics()] == [
        each.message
        for each in check_files({"root.ar": WORLD + "fact rents(ann, attic);\nfact rents(bob, attic);\n" + SHARED})
    ]


def test_a_decision_under_way_gives_way_to_whoever_announces_a_change(monkeypatch: pytest.MonkeyPatch) -> None:
    report = 'Diagnostic { severity: Severity::Error, message: "late" }'
    db = database_of(
        {
            "root.ar": "use std::core::{Diagnostic, Severity};\ntype Given { n: Int }\nfact Given(only) { n: 4711 };\n"
            f"check late(g: Given) :- g: Given, g.n > 3 => {report};"
        }
    )

    class Disturbed(Governor):
        """A change is announced as soon as the evaluation looks at its clock for the first time."""

        def check(self) -> float:
            if not announced:
                announced.append(True)
                db.memory.announce()
            return super().check()

    announced: list[bool] = []
    monkeypatch.setattr(violations, "Governor", Disturbed)
    with pytest.raises(Cancelled):
        db.diagnostics()
    with db.memory.changing(announced=True):
        pass
    assert [each.code for each in db.diagnostics()] == ["OE1354"]
