"""What the rule compiler says of a rule that it cannot run: a value that the gate turns into a problem."""

from __future__ import annotations

from dataclasses import dataclass

from argon_lang.problems import Args

HEAD = -1
"""The `site` of a refusal that concerns the head of a rule."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A catalog code for rule `rule` (content id) at literal `site` (index into the source map, or `HEAD`).

    `args` fills the code's message, with variables by their canonical names: the gate puts the author's in their place.
    `notes` are keys of the code's notes that apply. `related` is the site of the other half of a conflict.
    """

    code: str
    rule: str
    site: int
    args: Args = ()
    notes: tuple[str, ...] = ()
    related: int | None = None


class Refused(Exception):
    """Carries a `Refusal` out of the planner; never leaves the engine."""

    def __init__(self, refusal: Refusal) -> None:
        """Keep the refusal."""
        super().__init__(refusal.code)
        self.refusal = refusal
