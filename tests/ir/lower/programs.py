"""Small programs for the tests of lowering: lowered, and evaluated by the engine."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from argon_lang.engine.model import Model, compile_program, evaluate
from argon_lang.ir.module import Module
from argon_lang.ir.rules import Rule
from argon_lang.ir.values import Entity, Row, Value
from argon_lang.queries.snippet import check_files, module_of

CLOCK = datetime(2026, 6, 1, 12, tzinfo=UTC)


def lowered(text: str) -> Module:
    """The module of a text, which has no errors."""
    return lowered_files({"root.ar": text})


def lowered_files(files: Mapping[str, str]) -> Module:
    """The module of a package, which has no errors."""
    module = module_of(files)
    assert module is not None, [(each.code, each.message) for each in check_files(files)]
    return module


def model_of(module: Module) -> Model:
    """The module evaluated over its declared facts."""
    facts: dict[str, list[Row]] = {}
    for fact in module.facts:
        facts.setdefault(fact.key, []).append(fact.row)
    return evaluate(compile_program(module), facts, CLOCK)


def rows(text: str, key: str) -> set[Row]:
    """The rows of `pkg::<key>` with individuals by their names."""
    return {tuple(map(plain, row)) for row in model_of(lowered(text)).rows(f"pkg::{key}")}


def plain(value: Value) -> Value:
    """An individual of the root module by its bare name; any other value itself."""
    return value.id.removeprefix("pkg::") if isinstance(value, Entity) else value


def rule(module: Module, key: str) -> Rule:
    """The only rule of `pkg::<key>`."""
    (found,) = [each for each in module.rules if each.key == f"pkg::{key}"]
    return found
