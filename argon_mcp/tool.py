"""What a tool is: its contract as data, how it answers, and how the answer reads as text."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from argon_mcp.common import Given, Rested, Result
from argon_mcp.handle import Json, RuntimeHandle, Stage
from argon_mcp.options import Options
from argon_mcp.schemas import Schema, input_schema, output_schema

I = TypeVar("I", bound=Given)


@dataclass(frozen=True, slots=True)
class Call:
    """One call: the runtime to ask, how the server was started, who calls, whom to tell of stages."""

    handle: RuntimeHandle
    options: Options
    client: str
    stage: Stage

    async def ask(self, question: str, given: dict[str, Json]) -> dict[str, Json]:
        """The runtime's answer. Raises Refused."""
        return await self.handle.ask(question, given, self.stage)


@dataclass(frozen=True)
class Tool(Generic[I]):
    """A tool as the server lists and runs it. `toolset` is one of `options.TOOLSETS`.

    `writes`: it changes something on disk, and is dropped under `--read-only`. `destructive`: it changes facts.
    `capability`: what a person has to have granted when the server was started.
    """

    name: str
    title: str
    description: str
    toolset: str
    given: type[I]
    result: type[Result]
    answer: Callable[[Call, I], Awaitable[dict[str, Any]]]
    text: Callable[[dict[str, Any]], str]
    writes: bool = False
    destructive: bool = False
    idempotent: bool = True
    capability: str | None = None

    @cached_property
    def input_schema(self) -> Schema:
        """Of its arguments."""
        return input_schema(self.given)

    @cached_property
    def output_schema(self) -> Schema:
        """Of its structured result."""
        return output_schema(self.result, Rested)
