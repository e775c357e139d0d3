"""What the runtime takes over a store in a file: whole writes, durable ones, reads of now and then, builds, loads.

On the program of `bench_write`. A write and a build wait for the disk and are wall clock; the rest is processor time.
The past is read at another day each time, right after the present, and told as a multiple of what the present took.
"""

from __future__ import annotations

import random
import shutil
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from argon_lang.artifact.decode import decode
from argon_lang.runtime.base import ReadPoint, base_facts
from argon_lang.runtime.models import Models
from argon_lang.runtime.served import Served
from argon_lang.runtime.service import At, RuntimeService
from argon_lang.session.cancellation import Cancellation
from argon_lang.session.serving import Session
from argon_lang.session.settings import Settings
from argon_lang.store.sqlite import SqliteStore
from benchmarks.bench_write import PEOPLE, service
from benchmarks.table import Budget, Samples

POINT = "runtime: ask for one fact, 1,000 facts, 50 rules"
PIPELINE = "runtime: a whole write of one event, durable, 1,000 facts, 50 rules"
HUNDRED = "runtime: a batch of 100 mutations as one durable write, 1,000 facts, 50 rules"
NOW = "runtime: stored facts as of now, 1,000 facts"
THEN = "runtime: stored facts as of a past day and transaction, as many times those of now"
LOADED = "artifact: load and serve examples/tax again, its schema unchanged"
IDLE = "build of examples/tax when nothing changed"
BUDGETS = (
    Budget(POINT, p95=5),
    Budget(PIPELINE),
    Budget(HUNDRED),
    Budget(NOW),
    Budget(THEN, p50=2, unit="×"),
    Budget(LOADED, p50=200),
    Budget(IDLE, p50=150),
)
EXAMPLE = Path(__file__).parents[1] / "examples" / "tax"


def _times(rounds: int, work: Callable[[int], object], clock: Callable[[], float]) -> list[float]:
    """Milliseconds of each round."""
    found = []
    for number in range(rounds):
        begin = clock()
        work(number)
        found.append((clock() - begin) * 1e3)
    return found


def _on_file(folder: Path, people: int) -> RuntimeService:
    """The service of `bench_write` over a store in a file, with the same facts."""
    made = service(people, random.Random(5))
    store = SqliteStore(folder / "store.sqlite3")
    for transaction in made.store.snapshot().transactions():
        with store.write(transaction.instant) as writer:
            writer.replay(transaction.events)
            writer.commit()
    ticking = (datetime(2026, 2, 1, tzinfo=UTC) + timedelta(seconds=n) for n in range(10**6))
    return RuntimeService(made.served, store, clock=lambda: next(ticking), principal="user:bench", models=Models())


def _reads(runtime: RuntimeService, rounds: int) -> Samples:
    """How long the facts of now take, and those of a past point as a multiple of that."""
    snapshot, module = runtime.store.snapshot(), runtime.served.module
    latest = datetime(2026, 3, 1, tzinfo=UTC)

    def facts(tx: int | None, at: datetime) -> float:
        return _times(1, lambda _: base_facts(module, snapshot, ReadPoint(at, tx)), time.process_time)[0]

    pairs = [(facts(None, latest), facts(snapshot.head, latest - timedelta(days=n + 1))) for n in range(rounds)]
    yield NOW, [now for now, _ in pairs]
    yield THEN, [then / now for now, then in pairs]


def _builds(folder: Path, rounds: int) -> Samples:
    """Loads of the artifact, and builds that have nothing to do, in a session that has done both before."""
    root = Path(shutil.copytree(EXAMPLE, folder / "tax", ignore=shutil.ignore_patterns("target", ".argon")))
    session = Session(Settings(project=str(root)))
    session.build(Cancellation())
    data = (root / "target" / "root.oxbin").read_bytes()

    def reload(_: int) -> None:
        loaded = decode(data)
        _ = Served.of(loaded.module, loaded.module_hash).program

    yield LOADED, _times(rounds, reload, time.process_time)
    yield IDLE, _times(rounds, lambda _: session.build(Cancellation()), time.perf_counter)


def measure(quick: bool) -> Samples:
    """See the module's docstring."""
    people, rounds = (20, 3) if quick else (PEOPLE, 60)
    pick = random.Random(7)
    with TemporaryDirectory() as name:
        runtime = _on_file(Path(name), people)

        def two() -> tuple[str, str]:
            return f"p{pick.randrange(people)}", f"p{pick.randrange(people)}"

        def point(_: int) -> None:
            runtime.explain(f"knows({', '.join(two())})", At("2026-03-01"))

        yield POINT, _times(rounds, point, time.process_time)
        yield PIPELINE, _times(rounds, lambda _: runtime.mutate("meet", two()), time.perf_counter)
        steps = [("meet", two()) for _ in range(100)]
        yield HUNDRED, _times(max(rounds // 10, 2), lambda _: runtime.batch(steps), time.perf_counter)
        yield from _reads(runtime, rounds)
        runtime.store.close()
        yield from _builds(Path(name), min(rounds, 15))
