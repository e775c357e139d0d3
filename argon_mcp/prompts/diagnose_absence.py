"""`argon_diagnose_absence`: why rows are missing, and the smallest change that would bring them about."""

from __future__ import annotations

from collections.abc import Mapping

from argon_mcp.prompts.prompt import Argument, Guide

_TEXT = """\
Rows of `{goal}` are missing. Find out why.

1. Call argon_status, and argon_check when the sources changed: an answer from old sources explains nothing.
2. Look at the counts that are hidden before anything else: call argon_query or argon_derive for `{head}` and read
   `hidden`. Rows that are `Can` or `Both` are there and undecided, which is another matter than rows that are not. When
   there are some, call argon_derive with `projectK3: false`, and explain one of them instead of a missing row.
3. Call argon_derive for `{head}` and compare with what should be there. Choose one missing tuple that stands for the
   others.
4. Call argon_explain_fact with that tuple and `suggest: 3`. `whyNot` shows for every clause the conditions that hold
   and the first that fails. Follow a condition that is derived itself with another argon_explain_fact. Tell apart: a
   base fact is missing; a value is another one than expected; a rule does not cover the case; a stronger rule defeats
   it; the standpoint or the time of the question leaves it out (`standpoint`, `asOf`).
5. When a base fact is missing, take the smallest change of `suggestions` that says what is the case, and try it with
   argon_ad_hoc_mutate, `dryRun: true` and `includeDerivedDelta: true`. It is type-checked, and nothing is written.

Report: the failing condition in plain words, the change as source text with its arguments, and everything else that
its delta brings about. Do not commit it: a person confirms that it is true first. When a rule is at fault, propose the
edit of the source and check it as `overlay` of argon_check.
"""


def _text(given: Mapping[str, str]) -> str:
    goal = given["goal"]
    return _TEXT.format(goal=goal, head=goal.partition("(")[0].strip())


GUIDE = Guide(
    name="argon_diagnose_absence",
    title="Diagnose missing rows",
    description="Why rows of a query or predicate are missing, and the smallest change that would bring them about.",
    text=_text,
    arguments={"goal": Argument("a query, a predicate or one fact that is missing", "goal")},
)
