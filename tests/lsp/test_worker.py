"""The worker: one job at a time, the urgent ones first."""

from __future__ import annotations

import threading

import pytest

from argon_lsp.worker import BACKGROUND, QUESTION, Worker

PATIENCE = 20


def blocked(worker: Worker) -> threading.Event:
    """Keep the worker busy until the event is set."""
    begun, release = threading.Event(), threading.Event()

    def wait() -> None:
        begun.set()
        release.wait(PATIENCE)

    worker.submit(QUESTION, wait)
    assert begun.wait(PATIENCE)
    return release


def test_a_question_overtakes_work_in_the_background() -> None:
    worker, order = Worker(), list[str]()
    release = blocked(worker)
    last = worker.submit(BACKGROUND, lambda: order.append("check"))
    worker.submit(QUESTION, lambda: order.append("hover"))
    worker.submit(QUESTION, lambda: order.append("definition"))
    release.set()
    last.result(PATIENCE)
    assert order == ["hover", "definition", "check"]


def test_a_job_that_was_cancelled_while_it_waited_never_runs() -> None:
    worker, ran = Worker(), list[int]()
    release = blocked(worker)
    job = worker.submit(QUESTION, lambda: ran.append(1))
    after = worker.submit(BACKGROUND, lambda: ran.append(2))
    assert job.cancel()
    release.set()
    after.result(PATIENCE)
    assert ran == [2]


def test_a_job_that_fails_tells_who_waits_and_the_next_one_runs() -> None:
    worker = Worker()
    failing = worker.submit(QUESTION, lambda: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        failing.result(PATIENCE)
    assert worker.submit(QUESTION, lambda: "fine").result(PATIENCE) == "fine"
