"""Suggestions in tests: texts compiled behind the source of a world, as `mutate --eval` compiles them."""

from __future__ import annotations

from argon_lang.errors import ArgonError
from argon_lang.ir.module import Mutation
from argon_lang.problems import args
from argon_lang.queries.snippet import check_files, module_of
from argon_lang.runtime.wires import Suggestion, Suggestions
from tests.runtime.worlds import World

_NAMES = ("pkg::adhoc", "pkg::suggested")


def compiled(source: str, text: str) -> Mutation:
    """A text as a mutation of the program. Raises VALIDATION_FAILED with what the gates say."""
    declared = text if text.startswith("mutate ") else f"mutate adhoc() {{ {text} }}"
    files = {"root.ar": f"{source}\n{declared}"}
    module = module_of(files)
    if module is None:
        found = "; ".join(each.message for each in check_files(files))
        raise ArgonError("ARGON_RUNTIME_VALIDATION_FAILED", args(name="source", expected="statements", found=found))
    return next(each for each in module.mutations if each.path in _NAMES)


def suggested(world: World, fact: str, most: int = 5, standpoint: str | None = None) -> Suggestions:
    """What the world's service suggests."""
    return world.service.suggest(fact, lambda text: compiled(world.source, text), most, standpoint)


def apply(world: World, suggestion: Suggestion) -> None:
    """Paste a suggestion."""
    world.service.run(compiled(world.source, suggestion.source), suggestion.args)
