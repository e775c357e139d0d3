"""What anybody may do in a round: each step begins something, and after the others have begun too, ends it.

A step is a generator with one `yield`: what comes before it runs in one random order, what comes after in another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tests.coherence.ledger import Write
from tests.coherence.sources import PARTIES, ROOT, VERSIONS, WORLD
from tests.coherence.world import PINNED, Step, World
from tests.support.lsp_client import at

Json = Any
INTERNAL_ERROR, CONTENT_MODIFIED = -32603, -32801


def _version(world: World, file: str) -> str:
    """A version of a file: as often as not one that builds."""
    good = [each for each in VERSIONS[file] if each not in ("typo", "torn", "clash", "twice")]
    return world.dice.choice(good if world.dice.random() < 0.6 else list(VERSIONS[file]))


def _write(world: World) -> Write:
    """A bill that is like no other, or the payment of one."""
    unpaid = next(world.ledger.open_invoices(), None)
    if unpaid is not None and world.dice.random() < 0.3:
        return world.ledger.begin("pay", {"i": unpaid})
    amount = f"{100 + len(world.ledger.tried)}.50"
    return world.ledger.begin("bill", {"t": world.dice.choice(["ada", "ben"]), "amount": amount, "due": "2026-02-01"})


# -- the editor -------------------------------------------------------------------------------------------------------


def the_editor_types(world: World) -> Iterator[None]:
    file = world.dice.choice(world.editor.OPEN)
    world.editor.edit(file, _version(world, file))
    yield


def the_editor_saves(world: World) -> Iterator[None]:
    file = world.dice.choice(world.editor.OPEN)
    world.save(file, world.editor.texts.version(file))
    world.editor.saved(file)
    yield


def the_editor_goes_to_a_definition(world: World) -> Iterator[None]:
    """Typed and asked in one breath: the answer is about what was typed."""
    world.editor.edit(ROOT, _version(world, ROOT))
    client, edits = world.editor.client, world.editor.edits
    lines = world.editor.texts.text(ROOT).split("\n")
    used = next(number for number, line in enumerate(lines) if "+ late_fee(" in line)
    place = at(world.editor.uri(ROOT), used, lines[used].index("late_fee(") + 2)
    number = client.ask("textDocument/definition", place)
    yield
    if client is not world.editor.client:
        return
    response = client.answer(number)
    code = response.get("error", {}).get("code")
    if code == INTERNAL_ERROR and world.editor.lost:
        return
    if code == CONTENT_MODIFIED:
        assert world.editor.edits > edits, "refused as modified, where nothing was"
        return
    found = response["result"][0] if isinstance(response["result"], list) else response["result"]
    span = found.get("range") or found["targetSelectionRange"]
    assert lines[span["start"]["line"]].startswith("pub fn late_fee"), "stale: the definition is not there any more"


def somebody_else_saves(world: World) -> Iterator[None]:
    file = world.dice.choice([ROOT, WORLD, PARTIES])
    world.save(file, _version(world, file))
    yield


# -- the agent --------------------------------------------------------------------------------------------------------


def the_agent_checks(world: World) -> Iterator[None]:
    window, call = world.asking(), world.agent.begin("argon_check")
    yield
    world.take_report(window, world.agent.end(call))


def the_agent_tries_a_text(world: World) -> Iterator[None]:
    """Every file that changes is sent along, so that the answer rests on nothing saved."""
    over = world.editor.texts.having(PARTIES, _version(world, PARTIES))
    overlay = [{"path": file, "text": over.text(file)} for file in VERSIONS]
    window, call = world.asking(), world.agent.begin("argon_check", overlay=overlay)
    yield
    world.take_report(window, world.agent.end(call), over)


def the_agent_builds(world: World) -> Iterator[None]:
    window, call = world.asking(), world.agent.begin("argon_build", force=world.dice.random() < 0.5)
    yield
    world.take_build(window, world.agent.end(call))


def the_agent_asks(world: World) -> Iterator[None]:
    window, call = world.asking(), world.agent.begin("argon_query", name="late_payers", args={}, asOf=PINNED)
    yield
    world.take_rows(window, world.agent.end(call))


def the_agent_explains(world: World) -> Iterator[None]:
    window, call = world.asking(), world.agent.begin("argon_explain_fact", fact="in_arrears(ben)", asOf=PINNED)
    yield
    answer = world.agent.end(call)
    if answer is not None and not world.refused_as_dirty(window, answer):
        wanted = ["ben" in world.ledger.debtors(*each) for each in world.resting(window, answer)]
        assert answer["derived"] in wanted, f"stale: {answer}"


def the_agent_writes(world: World) -> Iterator[None]:
    window, write = world.asking(), _write(world)
    call = world.agent.begin("argon_mutate", name=write.name, args=dict(write.args), idempotencyKey=write.key)
    yield
    world.take_receipt(window, write, world.agent.end(call))


def the_agent_gives_up_a_write(world: World) -> Iterator[None]:
    """Cancelled, it is there as a whole or not at all."""
    write = _write(world)
    call = world.agent.begin("argon_mutate", name=write.name, args=dict(write.args), idempotencyKey=write.key)
    world.agent.cancel(call)
    yield


def the_agent_is_refused(world: World) -> Iterator[None]:
    """Nothing of a write that breaks a check is observable."""
    window, write = world.asking(), world.ledger.begin("move_in", {"t": "ben", "unit": "garden_flat", "rent": "7"})
    call = world.agent.begin("argon_mutate", name=write.name, args=dict(write.args), idempotencyKey=write.key)
    yield
    answer = world.agent.end(call)
    world.ledger.refused.add(write.key)
    if answer is not None and not world.refused_as_dirty(window, answer):
        assert answer["error"]["code"] == "ARGON_RUNTIME_CHECK_VIOLATION" or world.lost, answer


# -- the command line -------------------------------------------------------------------------------------------------


def the_terminal_asks(world: World) -> Iterator[None]:
    window, command = world.asking(), world.terminal("query", "late_payers", "--as-of", PINNED)
    yield
    world.take_rows(window, command.answer())


def the_terminal_builds(world: World) -> Iterator[None]:
    window, command = world.asking(), world.terminal("build", *world.dice.choice([(), ("--force",)]))
    yield
    world.take_build(window, command.answer())


def the_terminal_writes(world: World) -> Iterator[None]:
    window, write = world.asking(), _write(world)
    command = world.terminal("mutate", *write.words)
    yield
    world.take_receipt(window, write, command.answer())


# -- kills ------------------------------------------------------------------------------------------------------------


def a_build_is_killed(world: World) -> Iterator[None]:
    window, command = world.asking(), world.terminal("build", "--force")
    yield
    world.kill(command)
    world.take_build(window, command.answer())


def a_write_is_killed(world: World) -> Iterator[None]:
    window, write = world.asking(), _write(world)
    command = world.terminal("mutate", *write.words)
    yield
    world.kill(command)
    world.take_receipt(window, write, command.answer())


def the_worker_is_killed(world: World) -> Iterator[None]:
    world.lost = True
    world.agent.kill_worker(world.dice.random() * 0.1)
    yield


def the_editor_s_worker_is_killed(world: World) -> Iterator[None]:
    world.editor.kill_worker(world.dice.random() * 0.1)
    yield


def the_agent_is_killed(world: World) -> Iterator[None]:
    world.agent.kill(world.dice.random() * 0.1)
    yield


def the_editor_is_killed(world: World) -> Iterator[None]:
    world.editor.kill()
    yield


QUIET: Mapping[Step, int] = {
    the_editor_types: 6,
    the_editor_goes_to_a_definition: 4,
    the_agent_checks: 3,
    the_agent_tries_a_text: 2,
    the_agent_builds: 5,
    the_agent_asks: 5,
    the_agent_explains: 3,
    the_agent_writes: 6,
    the_agent_gives_up_a_write: 2,
    the_agent_is_refused: 2,
    the_terminal_asks: 2,
    the_terminal_builds: 3,
    the_terminal_writes: 4,
}
"""Steps of which a round has any number, with their weights."""

SAVES: Mapping[Step, int] = {the_editor_saves: 2, somebody_else_saves: 2}
"""Of these a round has at most one: what a reader finds between two saves was never meant by anybody."""

KILLS: Mapping[Step, int] = {
    a_build_is_killed: 3,
    a_write_is_killed: 3,
    the_worker_is_killed: 4,
    the_editor_s_worker_is_killed: 2,
    the_agent_is_killed: 2,
    the_editor_is_killed: 1,
}
"""Of these a round has at most one, so that what must be answered all the same is clear."""
