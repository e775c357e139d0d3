"""Turns: what comes after one was taken stops it, however little was done of it; nothing is lost, the order holds."""

from __future__ import annotations

from collections.abc import Callable

from argon_lang.session.turns import Job, Turn, Turns


class Diary:
    """Jobs that write down their names."""

    def __init__(self) -> None:
        self.entries: list[str] = []

    def job(self, name: str) -> Job:
        return lambda: self.entries.append(name)

    def do(self, turn: Turn) -> None:
        """What the thread that reasons does with a turn."""
        for each in turn.news:
            each()
        if turn.job is not None:
            turn.job()


def arrivals(turns: Turns, diary: Diary) -> dict[str, Callable[[], None]]:
    """Everything that can come while a turn is under way."""
    return {
        "news": lambda: turns.tell(diary.job("news")),
        "question": lambda: turns.ask(diary.job("question")),
        "background": lambda: turns.later("other", diary.job("background")),
    }


def test_news_come_first_then_questions_in_their_order_then_the_background() -> None:
    turns, diary = Turns(), Diary()
    turns.later("a", diary.job("check a"))
    turns.later("b", diary.job("check b"))
    turns.ask(diary.job("hover"))
    turns.ask(diary.job("definition"))
    turns.tell(diary.job("edit"))
    turns.tell(diary.job("close"))
    for _ in range(4):
        diary.do(turns.take())
    assert diary.entries == ["edit", "close", "hover", "definition", "check a", "check b"]


def test_work_in_the_background_is_done_once_however_often_it_is_wanted() -> None:
    turns, diary = Turns(), Diary()
    for _ in range(3):
        turns.later("a", diary.job("check"))
    diary.do(turns.take())
    turns.ask(diary.job("hover"))
    diary.do(turns.take())
    assert diary.entries == ["check", "hover"]


def test_what_comes_after_a_turn_was_taken_stops_it_though_nothing_of_it_was_done_yet() -> None:
    stops = {"check": {"news", "question"}, "hover": {"news"}}
    for running, stopped_by in stops.items():
        for name in ("news", "question", "background"):
            turns, diary = Turns(), Diary()
            if running == "check":
                turns.later("a", diary.job("check"))
            else:
                turns.ask(diary.job("hover"))
            turn = turns.take()
            arrivals(turns, diary)[name]()
            assert turn.stop() is (name in stopped_by), (running, name)


def test_what_was_stopped_is_done_after_what_stopped_it() -> None:
    turns, diary = Turns(), Diary()
    turns.later("a", diary.job("check"))
    turn = turns.take()
    turns.ask(diary.job("hover"))
    turns.again(turn)
    diary.do(turns.take())
    diary.do(turns.take())
    assert diary.entries == ["hover", "check"]


def test_a_question_that_was_stopped_keeps_its_place_before_others_and_comes_after_the_news() -> None:
    turns, diary = Turns(), Diary()
    turns.ask(diary.job("hover"))
    turn = turns.take()
    turns.ask(diary.job("definition"))
    turns.tell(diary.job("edit"))
    turns.again(turn)
    diary.do(turns.take())
    diary.do(turns.take())
    assert diary.entries == ["edit", "hover", "definition"]


def test_a_turn_that_is_over_is_stopped_by_nothing_that_matters() -> None:
    turns, diary = Turns(), Diary()
    turns.later("a", diary.job("check"))
    diary.do(turns.take())
    turns.ask(diary.job("hover"))
    turn = turns.take()
    assert not turn.stop()
    diary.do(turn)
    assert diary.entries == ["check", "hover"]
