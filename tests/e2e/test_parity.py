"""One question, one answer: the command line, the MCP server and the language server agree on the saved state.

Each row of the tables is a question, asked through every surface that has it (`parity.py`); a question that a second
surface learns gets its row here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.e2e.parity import (
    PINNED,
    Question,
    Surfaces,
    asked,
    build,
    code,
    computed,
    counted,
    definition,
    diagnostics,
    difference,
    fact,
    fact_in_fork,
    fixes,
    head,
    head_in_fork,
    hover,
    in_fork,
    layout,
    opened,
    opened_elsewhere,
    outcomes,
    query,
    reasons,
    references,
    refusal,
    replay,
    report,
    scenarios,
    statements,
    status,
    suggestions,
    symbols,
    trial,
    violations,
)
from tests.support.lsp_client import Client as Editor
from tests.support.mcp_client import Client as Agent
from tests.support.served_packages import lease, save

KEY = "the first bill"
BILL = {"t": "ben", "amount": "120.00", "due": "2026-04-20"}

ROWS = [
    query("late_payers"),
    query("backers_called"),
    query("reminders", t="ada"),
    query("reminders", t="ben"),
    head("overdue"),
    head("in_arrears"),
    head("answers_for"),
    head("called_upon"),
    head("Person"),
    head("Tenant"),
    head("Guarantor"),
    head("Property"),
    head("Invoice"),
    head("lets"),
    head("guarantees"),
    head("one_tenant_per_flat"),
]
"""Every query and every head of the example; a test holds this list against what the example declares."""

SOUND = [
    *ROWS,
    counted("overdue"),
    counted("Invoice"),
    counted("lets"),
    counted("one_tenant_per_flat"),
    fact("in_arrears(ben)"),
    fact("called_upon(dora)"),
    fact("answers_for(dora, ada)", depth=2),
    fact("lets(ada, garden_flat)"),
    fact('ada.name == "Ada"'),
    fact("called_upon(ben)"),
    fact("overdue(april)"),
    fact("overdue(#1.1)"),
    refusal("argon_query", {"name": "late_payer"}, "query", "late_payer"),
    refusal("argon_query", {"name": "reminders"}, "query", "reminders"),
    refusal("argon_query", {"name": "reminders", "args": {"t": "march"}}, "query", "reminders", "march"),
    refusal("argon_query", {"name": "late_payers", "asOf": "soon"}, "query", "late_payers", "--as-of", "soon"),
    refusal("argon_query", {"name": "late_payers", "asOfTx": 99}, "query", "late_payers", "--as-of-tx", "99"),
    refusal("argon_derive", {"head": "arrears"}, "derive", "arrears"),
    refusal("argon_explain_fact", {"fact": "what?"}, "explain-fact", "what?"),
    refusal("argon_explain_fact", {"fact": "in_arrears(eve)"}, "explain-fact", "in_arrears(eve)"),
    refusal("argon_mutate", {"name": "pay", "args": {"i": "april"}}, "mutate", "pay", "april"),
    refusal("argon_mutate", {"name": "evict", "args": {}}, "mutate", "evict"),
    refusal(
        "argon_mutate",
        {"name": "move_in", "args": {"t": "ben", "unit": "garden_flat", "rent": "7"}},
        *("mutate", "move_in", "ben", "garden_flat", "7"),
    ),
    refusal("argon_compute", {"fn": "late_free"}, "compute", "late_free"),
    refusal("argon_compute", {"fn": "late_fee", "args": {"amount": "7"}}, "compute", "late_fee", "amount=7"),
    refusal("argon_checks_current", {"check": "no_check"}, "checks", "no_check"),
    computed("late_fee", amount="100.00", days_late="11"),
    computed("late_fee", amount="100.00", days_late="10"),
    violations(),
    violations("one_tenant_per_flat"),
    reasons(),
    reasons("one_tenant_per_flat"),
    opened("called_upon(dora)"),
    opened("called_upon(ben)"),
    opened_elsewhere("called_upon(dora)"),
    suggestions("called_upon(ben)"),
    suggestions("lets(ben, garden_flat)"),
    suggestions("overdue(april)"),
    outcomes("arrears"),
    scenarios("falls behind"),
    asked("select { who: i.payer.name, sum: i.amount } from i: Invoice order by i.due"),
    asked("query owed(t: Tenant) -> [Money] { select i.amount from i: Invoice where i.payer == t }", t="ada"),
    refusal(
        "argon_ad_hoc_query",
        {"source": "select i.amont from i: Invoice"},
        *("query", "--eval", "select i.amont from i: Invoice"),
    ),
    refusal("argon_ad_hoc_mutate", {"source": "insert Invoice { }"}, "mutate", "--eval", "insert Invoice { }"),
    statements("insert lets(ben, loft) { rent: 700.00, start: #2026-01-01# };"),
    statements("mutate settle(i: Invoice) { update i set { paid = true }; }", i="march"),
    trial("pay", i="march"),
    trial("move_in", t="ben", unit="loft", rent="700.00"),
    replay("bill", KEY, **BILL),
    in_fork("late_payers"),
    in_fork("reminders", t="ada"),
    head_in_fork("overdue"),
    fact_in_fork("called_upon(dora)"),
    fact_in_fork("in_arrears(ben)"),
    difference(),
    refusal("argon_fork_diff", {"fork": "f-00"}, "fork", "diff", "f-00"),
    refusal("argon_query", {"name": "late_payers", "fork": "f-00"}, "query", "late_payers", "--fork", "f-00"),
    code("OE0101"),
    code("1303"),
    code("UnusedImport"),
    code("ARGON_RUNTIME_NOT_FOUND"),
    status(),
    build(),
    report(),
    diagnostics(),
    definition("root.ar", "payer: Tenant", 8),
    definition("root.ar", "    in_arrears(t),", 5),
    definition("root.ar", "t = i.payer", 6),
    definition("root.ar", "late_fee(i.amount", 2),
    definition("root.ar", "answers_for(p, t)", 12),
    definition("world.ar", "payer: ada", 8),
    definition("tests.ar", "overdue(march)", 9),
    references("root.ar", "pub derive in_arrears", 12),
    references("root.ar", "pub type Invoice", 10),
    references("root.ar", "mut paid: Bool", 5),
    references("parties.ar", "pub type Tenant", 10),
    references("world.ar", "fact Tenant(ada)", 13),
    hover("root.ar", "    in_arrears(t),", 5),
    hover("root.ar", "late_fee(i.amount", 2),
    hover("parties.ar", "district: District", 11),
    symbols("root.ar"),
    symbols("parties.ar"),
    layout("root.ar"),
]
"""Questions about the example with one bill more, as `sound` has it."""

MISTAKES = (
    ("root.ar", "in_arrears(t),", "in_arears(t),"),
    ("root.ar", "    t = i.payer", "    t   =   i.payer"),
    ("world.ar", 'name: "Ben"', "name: 5"),
    ("world.ar", "fact guarantees(cleo, ada)", "fact   guarantees( cleo,ada )"),
    ("parties.ar", "Inner,", "Inner,\n    Inner,"),
    ("tests.ar", "today, ", ""),
)
"""Texts to spoil, and what with."""

SPOILT = [
    diagnostics(),
    report(),
    build(),
    fixes(),
    layout("root.ar"),
    layout("world.ar"),
    layout("parties.ar"),
    definition("root.ar", "=   i.payer", 6),
    references("root.ar", "pub type Invoice", 10),
    symbols("parties.ar"),
    refusal("argon_query", {"name": "late_payers"}, "query", "late_payers"),
    refusal("argon_mutate", {"name": "pay", "args": {"i": "march"}}, "mutate", "pay", "march"),
]
"""Questions about the example with those mistakes, as `spoilt` has it."""


@contextmanager
def served(root: Path) -> Iterator[Surfaces]:
    """A project with everybody on it."""
    with Agent(root) as agent, Editor() as editor:
        yield Surfaces(root, agent, editor)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Surfaces]:
    root = lease(tmp_path_factory.mktemp("sound"))
    with served(root) as found:
        found.agent.call("argon_build")
        found.agent.call("argon_mutate", name="bill", args=BILL, idempotencyKey=KEY)
        yield found


@pytest.fixture(scope="module")
def spoilt(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Surfaces]:
    root = lease(tmp_path_factory.mktemp("spoilt"))
    for file, right, wrong in MISTAKES:
        text = (root / file).read_text("utf-8")
        save(root / file, text.replace(right, wrong, 1))
    with served(root) as found:
        yield found


def names(questions: Sequence[Question]) -> list[str]:
    return [each.name for each in questions]


def agree(surfaces: Surfaces, question: Question) -> None:
    (first, wanted), *others = question.answers(surfaces).items()
    for surface, answer in others:
        assert answer == wanted, f"{first} and {surface} differ"


@pytest.mark.parametrize("question", SOUND, ids=names(SOUND))
def test_every_surface_gives_the_same_answer(sound: Surfaces, question: Question) -> None:
    agree(sound, question)


@pytest.mark.parametrize("question", SPOILT, ids=names(SPOILT))
def test_every_surface_says_the_same_of_a_spoilt_project(spoilt: Surfaces, question: Question) -> None:
    agree(spoilt, question)


def test_every_declaration_of_the_example_is_asked_for(sound: Surfaces) -> None:
    read = sound.agent.request("resources/read", {"uri": "argon://schema/index"})
    index = json.loads(read["contents"][0]["text"])
    heads = [each["name"] for kind in ("concepts", "relations", "predicates", "checks") for each in index[kind]]
    wanted = {f"derive {name}" for name in heads} | {f"query {each['name']}" for each in index["queries"]}
    assert wanted == {each.name.partition(" {")[0] for each in ROWS}


def test_the_spoilt_project_is_spoilt_in_every_file(spoilt: Surfaces) -> None:
    """An agreement about nothing would be none."""
    found = spoilt.agent.call("argon_check")["diagnostics"]
    assert {each["span"]["file"] for each in found} >= {"root.ar", "world.ar", "parties.ar"}
    assert any(each["fixes"] for each in found)


def test_a_proof_points_to_where_the_editor_finds_the_rule(sound: Surfaces) -> None:
    """The clause that a proof names is the declaration that the editor goes to from its use."""
    told = sound.agent.call("argon_explain_fact", fact="in_arrears(ben)", asOf=PINNED)
    clause = told["tree"]["nodes"][0]["derivations"][0]["source"]
    question = definition("root.ar", "    in_arrears(t),", 5)
    ((file, (line, _), _),) = question.asks["editor"](sound)
    assert file == clause["file"]
    assert clause["start"]["line"] <= line <= clause["end"]["line"]
