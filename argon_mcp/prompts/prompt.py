"""What a prompt is: its listing, the text that its arguments make, and what may stand in each argument."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from mcp_types import GetPromptResult, Prompt, PromptArgument, PromptMessage, TextContent

Text = Callable[[Mapping[str, str]], str]


@dataclass(frozen=True)
class Argument:
    """One argument. `kind` is one of `completing.KINDS`."""

    description: str
    kind: str


@dataclass(frozen=True)
class Guide:
    """A prompt of this server; all its arguments are required."""

    name: str
    title: str
    description: str
    text: Text
    arguments: Mapping[str, Argument] = field(default_factory=dict)

    def listed(self) -> Prompt:
        """As `prompts/list` has it."""
        wanted = [
            PromptArgument(name=name, description=each.description, required=True)
            for name, each in self.arguments.items()
        ]
        return Prompt(name=self.name, title=self.title, description=self.description, arguments=wanted)

    def result(self, given: Mapping[str, str]) -> GetPromptResult:
        """The message that these arguments make."""
        message = PromptMessage(role="user", content=TextContent(text=self.text(given)))
        return GetPromptResult(description=self.description, messages=[message])
