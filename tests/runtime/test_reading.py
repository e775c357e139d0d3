"""Reads: two times, the clock, what is remembered and for how long, limits, results (semantics S1, S2, S11)."""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from typing import Any

import pytest

from argon_lang.engine.governor import Governor, Limits
from argon_lang.errors import ArgonError
from argon_lang.runtime.models import Models
from argon_lang.runtime.service import At
from tests.runtime.worlds import World, short

TIMES = """
use std::time::{today, now};
type Person { name: String, mut rank: Decimal = 1, mut boss: Person?, born: Date? }
rel visit(who: Person, day: Date);
fact Person(ann) { name: "Ann", rank: 2.50, born: #2000-05-01# };
fact Person(ben) { name: "Ben", boss: ann };
fact Person(zoe) {};
fact visit(ann, #2026-01-01#) at #2026-01-01# until #2026-03-11#;
fact visit(ben, #2026-03-11#) at #2026-03-11#;
derive due(p: Person) :- visit(p, d), d <= today();
derive under(a: Person, b: Person) :- a: Person, b = a.boss;
derive under(a: Person, b: Person) :- under(a, c), under(c, b);
check late(p: Person) :- visit(p, d), d < today() => Diagnostic { severity: Severity::Warning, message: p.name };
query people() -> [Person] { select p from p: Person }
query names() -> [String] { select p.name from p: Person order by p.name desc }
query cards() -> [Card] { select Card { name: p.name, rank: p.rank } from p: Person where p.rank > 0 }
query one(p: Person) -> String { select p.name from q: Person where q == p }
query maybe(n: String) -> Person? { select p from p: Person where p.name == n }
query only() -> Person { select p from p: Person }
query page(n: Nat, m: Nat) -> [Person] { select p from p: Person order by p.name limit n offset m }
query seen() -> [Date] { select d from visit(p, d) where d <= today() }
query instant() -> [DateTime] { select now() from p: Person where p.name == "Ann" }
query ratio(n: Int) -> [Real] { select 10 / n from p: Person where p.name == "Ann" }
query everyone() -> Person;
struct Card { name: String, rank: Decimal }
fn deep(n: Int) -> Int = if n == 0 { 0 } else { deep(n - 1) + 1 };
query depth(n: Int) -> [Int] { select deep(n) from p: Person where p.name == "Ann" }
mutate rank(p: Person, r: Decimal) { update p set { rank = r }; }
mutate visited(p: Person, d: Date) { insert visit(p, d) at d; }
mutate add(name: String) { insert Person { name: name }; }
"""


@pytest.fixture
def world() -> World:
    return World(TIMES)


# -- two times --------------------------------------------------------------------------------------------------------


def test_a_bare_read_is_now_and_valid_time_and_transaction_time_combine(world: World) -> None:
    world.do("visited", "ann", "2026-02-01")
    world.clock.advance(days=5)
    world.do("visited", "ann", "2026-02-02")
    assert len(world.rows("visit")) == 3
    assert len(world.rows("visit", valid="2026-02-01")) == 2
    assert len(world.rows("visit", valid="2026-02-03", tx=1)) == 2
    assert len(world.rows("visit", valid="2026-02-03", tx=0)) == 1
    assert world.rows("visit", valid="2025-01-01") == []


def test_the_answer_says_where_it_was_read(world: World) -> None:
    answer = world.service.derive("visit", At("2026-02-03", 0))
    assert answer.as_of.model_dump() == {"valid": "2026-02-03T00:00:00Z", "tx": 0}
    assert (answer.generation, answer.view, answer.module_hash) == (0, "default", world.service.served.module_hash)


@pytest.mark.parametrize(
    ("at", "name"),
    [(At(tx=1), "asOfTx"), (At(tx=-1), "asOfTx"), (At("soon"), "asOf"), (At("2026-01-01T00:00:00"), "asOf")],
)
def test_a_read_point_that_is_none_is_refused(world: World, at: At, name: str) -> None:
    with pytest.raises(ArgonError) as error:
        world.service.derive("visit", at)
    assert error.value.code == "ARGON_RUNTIME_VALIDATION_FAILED"
    assert dict(error.value.args_)["name"] == name


def test_derived_facts_expire_at_the_next_boundary_without_a_write(world: World) -> None:
    assert world.rows("due") == [["ann"]]
    world.clock.instant = datetime(2026, 3, 10, 23, 59, 59, tzinfo=UTC)
    assert world.rows("due") == [["ann"]]
    world.clock.instant = datetime(2026, 3, 11, tzinfo=UTC)
    assert world.rows("due") == [["ben"]]


def test_they_expire_where_no_rule_reads_the_clock_too() -> None:
    noon = World(
        "type P; fact P(ann); rel due(p: P); derive owes(p: P) :- due(p);"
        " mutate bill(p: P, d: DateTime, e: DateTime) { insert due(p) at d until e; }"
    )
    noon.do("bill", "ann", "2026-03-10T13:00:00Z", "2026-03-10T14:30:00Z")
    seen = []
    for hour, minute in ((12, 59), (13, 0), (14, 29), (14, 30)):
        noon.clock.instant = datetime(2026, 3, 10, hour, minute, tzinfo=UTC)
        seen.append(noon.rows("owes"))
    assert seen == [[], [["ann"]], [["ann"]], []]


def test_today_is_read_anew_after_midnight(world: World) -> None:
    assert world.rows("late") == [["ann"]]
    assert world.ask("seen") == [["2026-01-01"]]
    world.clock.instant = datetime(2026, 3, 12, 1, tzinfo=UTC)
    assert world.rows("late") == [["ben"]]
    world.clock.instant = datetime(2026, 3, 13, 1, tzinfo=UTC)
    assert world.ask("seen") == [["2026-03-11"]]


def test_now_is_the_instant_of_the_read(world: World) -> None:
    assert world.ask("instant") == [["2026-03-10T12:00:00Z"]]
    world.clock.advance(seconds=1)
    assert world.ask("instant") == [["2026-03-10T12:00:01Z"]]


def test_today_is_the_clock_even_when_the_past_is_read(world: World) -> None:
    assert world.rows("due", valid="2026-02-01") == [["ann"]]


# -- what is remembered -----------------------------------------------------------------------------------------------


def test_a_model_is_evaluated_once_for_as_long_as_it_holds(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    from argon_lang.runtime import models

    calls: list[Any] = []
    evaluate = models.evaluate
    monkeypatch.setattr(models, "evaluate", lambda *a, **k: (calls.append(a), evaluate(*a, **k))[1])
    source = "type P;\nfact P(a);\nderive q(p: P) :- p: P;\nmutate add() { insert P {}; }"
    plain = World(source)
    for _ in range(3):
        plain.rows("q")
        plain.clock.advance(days=400)
    assert len(calls) == 1
    plain.do("add")
    plain.rows("q")
    before = len(calls)
    plain.rows("q")
    assert len(calls) == before


def test_only_so_many_models_are_kept(world: World) -> None:
    world.service.models = Models(2)
    for day in range(1, 6):
        world.rows("visit", valid=f"2025-0{day}-01")
        world.rows("visit", valid=f"2026-01-0{day}")
    assert len(world.service.models._kept) == 2


def test_readers_in_many_threads_see_whole_states(world: World) -> None:
    stop, bad = threading.Event(), list[Any]()

    def read() -> None:
        while not stop.is_set():
            answer = world.service.derive("Person")
            if answer.row_count != 3 + answer.generation:
                bad.append((answer.row_count, answer.generation))

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for number in range(15):
        world.do("add", f"n{number}")
    stop.set()
    for thread in threads:
        thread.join()
    assert bad == []
    assert world.service.derive("Person").row_count == 18


# -- answers ----------------------------------------------------------------------------------------------------------


def test_rows_come_in_the_canonical_order_or_as_asked(world: World) -> None:
    world.do("add", "Adam")
    assert world.ask("people") == [["ann"], ["ben"], ["zoe"], ["#1.1"]]
    assert world.ask("names") == [["Ben"], ["Ann"], ["Adam"], [None]]
    assert world.ask("page", 1, 1) == [["#1.1"]]


def test_an_absent_field_shows_as_nothing_in_an_answer(world: World) -> None:
    assert world.ask("cards") == [
        [{"name": None, "rank": "1"}],
        [{"name": "Ann", "rank": "2.5"}],
        [{"name": "Ben", "rank": "1"}],
    ]


def test_numbers_print_in_one_form_whatever_scale_they_were_written_in(world: World) -> None:
    world.do("rank", "ben", "2.5")
    first = [row[0]["rank"] for row in world.ask("cards")]
    world.do("rank", "ann", "7")
    world.do("rank", "ann", "2.500")
    assert [row[0]["rank"] for row in world.ask("cards")] == first == ["1", "2.5", "2.5"]


def test_an_extent_is_a_query_without_a_body(world: World) -> None:
    assert world.ask("everyone") == [["ann"], ["ben"], ["zoe"]]


def test_a_query_for_one_row_says_how_many_there_are(world: World) -> None:
    assert world.ask("one", "ann") == [["Ann"]]
    assert world.ask("maybe", "Nobody") == []
    with pytest.raises(ArgonError) as error:
        world.ask("only")
    assert error.value.code == "ARGON_RUNTIME_DERIVE_FAILED"
    assert dict(error.value.args_)["found"] == "3 rows"


def test_division_by_zero_is_a_domain_error(world: World) -> None:
    assert world.ask("ratio", 4) == [["5/2"]]
    with pytest.raises(ArgonError) as error:
        world.ask("ratio", 0)
    assert error.value.code == "ARGON_RUNTIME_ARITHMETIC"


def test_a_name_may_be_short_or_whole_and_a_wrong_one_suggests_near_ones(world: World) -> None:
    assert world.rows("pkg::under") == world.rows("under") == world.rows("under/2") == [["ben", "ann"]]
    with pytest.raises(ArgonError) as error:
        world.rows("undr")
    assert error.value.details["candidates"] == ["under"]
    with pytest.raises(ArgonError) as error:
        world.rows("under/3")
    assert error.value.code == "ARGON_RUNTIME_SIGNATURE_MISMATCH"


# -- limits -----------------------------------------------------------------------------------------------------------


def limited(**limits: int) -> World:
    return World(TIMES, limits=Limits(**limits))


def code_of(world: World, name: str, *given: Any) -> tuple[str, Any]:
    with pytest.raises(ArgonError) as error:
        world.ask(name, *given)
    return error.value.code, error.value.details.get("knob")


def test_more_rows_than_allowed_are_refused_never_cut() -> None:
    assert code_of(limited(max_rows=2), "people") == ("ARGON_RUNTIME_RESULT_TOO_LARGE", "maxRows")


def test_functions_nest_as_deep_as_allowed() -> None:
    assert World(TIMES).ask("depth", 900) == [[900]]
    assert code_of(World(TIMES), "depth", 1001) == ("ARGON_RUNTIME_BUDGET_EXCEEDED", "fnDepth")
    assert code_of(limited(fn_depth=10), "depth", 11) == ("ARGON_RUNTIME_BUDGET_EXCEEDED", "fnDepth")
    assert code_of(World(TIMES), "depth", -1) == ("ARGON_RUNTIME_BUDGET_EXCEEDED", "fnDepth")


def test_an_evaluation_has_bounds_of_time_and_size() -> None:
    assert code_of(limited(max_derived=1), "people") == ("ARGON_RUNTIME_BUDGET_EXCEEDED", "maxDerived")
    late = Governor(Limits(timeout_ms=10), clock=iter([0.0, *[9.0] * 99]).__next__)
    with pytest.raises(ArgonError) as error:
        World(TIMES).service.query("people", governor=late)
    assert error.value.code == "ARGON_RUNTIME_TIMEOUT"


def test_a_remembered_model_serves_later_requests_under_their_own_governor(world: World) -> None:
    seconds = [0.0]
    first = Governor(Limits(timeout_ms=1_000), clock=lambda: seconds[0])
    assert world.service.query("people", governor=first).row_count == 3
    seconds[0] = 3_600.0
    assert world.service.query("people").row_count == 3
    cancelled = Governor()
    cancelled.cancel()
    with pytest.raises(ArgonError) as error:
        world.service.query("depth", [500], governor=cancelled)
    assert error.value.code == "ARGON_RUNTIME_CANCELLED"


def test_equal_reads_give_equal_bytes(world: World) -> None:
    other = World(TIMES, store=world.store)
    for ask in (lambda w: w.service.query("cards"), lambda w: w.service.explain("under(ben, ann)")):
        assert ask(world).model_dump_json(by_alias=True) == ask(other).model_dump_json(by_alias=True)
    assert short({"money": "1.00"}) == "1.00"
