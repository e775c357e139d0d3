"""`argon_authoring_loop`: how to change a package, step by step."""

from __future__ import annotations

from argon_mcp.prompts.prompt import Guide

_TEXT = """\
Work on this Argon package in a loop.

1. Call argon_status. When it reports an error or a lock, deal with that first.
2. Read argon://schema/index, and the sources that you are going to change.
3. Edit the files. For a risky edit, call argon_check with the new text as `overlay` before you save it.
4. Call argon_check. For each code that you do not know, call argon_explain_code. Apply a fix that a diagnostic offers
   when it says what you mean; otherwise mend the source yourself. Repeat until no error stands, then look at the
   warnings.
5. Call argon_build. `moduleHash` is what answers from now on.
6. Call argon_query or argon_derive for what the change was about, and compare with what you expected. For every row
   that surprises you, and for every row that is missing, call argon_explain_fact.
7. When facts have to change, call argon_mutate with `dryRun: true` and `includeDerivedDelta: true`, read the delta,
   then call it without.

Finish with what changed, the module hash, and the facts that you verified.
"""

GUIDE = Guide(
    name="argon_authoring_loop",
    title="Change a package",
    description="The loop of edit, check, build, query and explain, with what to do at each refusal.",
    text=lambda _: _TEXT,
)
