"""`argon_investigate_fact`: what a fact rests on, down to who said so."""

from __future__ import annotations

import json
from collections.abc import Mapping

from argon_mcp.prompts.prompt import Argument, Guide

_TEXT = """\
Find out what `{fact}` rests on.

1. Call argon_status. Note `moduleHash`, `storeId` and `generation`; every answer below has to carry the same. When
   `staleArtifact` is true or an error stands, say so first: what follows is about the module that still serves.
2. Call argon_explain_fact with `fact: {quoted}`. Read `truth4` before `derived`:
   - `Is`: there is support for it and none against it.
   - `Not`: it is supported that it does not hold.
   - `Can`: it is possible, and nothing says that it holds.
   - `Both`: there is support for it and against it. Report both sides, and do not choose one.
   - no `truth4`: nothing supports it at all, and `whyNot` says which condition fails in each clause.
3. Follow the proof to its leaves: declared facts with their place, events with their transaction and principal. Where
   a node is `folded`, call argon_expand_proof with its `nodeId`. Read the truth value of every row on the way: a fact
   that rests on a `Both` or a `Can` is no better than that.
4. Where a node has more than one alternative, say whether the fact would still hold without the one shown.

Report: the truth value, the shortest chain of reasons in plain words, each leaf with where it comes from, and what
would have to change for the answer to change. Do not write anything.
"""


def _text(given: Mapping[str, str]) -> str:
    fact = given["fact"]
    return _TEXT.format(fact=fact, quoted=json.dumps(fact, ensure_ascii=False))


GUIDE = Guide(
    name="argon_investigate_fact",
    title="Investigate a fact",
    description="What a fact rests on: its truth value, its proof down to declared facts and events, who said them.",
    text=_text,
    arguments={"fact": Argument("a fact, as in `in_arrears(ada)`; `_` stands for any value", "fact")},
)
