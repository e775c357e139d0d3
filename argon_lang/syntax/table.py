"""How the grammar table is written down: the record types of `grammar.py`, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Group = Literal["special", "trivia", "literal", "punctuation", "keyword", "name", "contextual"]
Cardinality = Literal["one", "optional", "many", "token", "tokens", "flag"]


@dataclass(frozen=True, slots=True)
class TokenKind:
    """One kind of token. `spellings[0]` is ASCII; a second one is the Unicode spelling of the same token."""

    name: str
    group: Group
    spellings: tuple[str, ...] = ()
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """A named part of a node.

    `accepts` names node kinds or categories (`one`, `optional`, `many`) or token kinds or token classes
    (`token`, `tokens`, `flag`). Fields stand in the order of the text. `one` is None in a view of a broken tree only.
    """

    name: str
    cardinality: Cardinality
    accepts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NodeKind:
    """One kind of node: its fields in order, and the form in the notation of the language reference."""

    name: str
    form: str
    fields: tuple[Field, ...] = ()


def one(name: str, *accepts: str) -> Field:
    """A part that a well-formed node always has."""
    return Field(name, "one", accepts)


def opt(name: str, *accepts: str) -> Field:
    """A part that may be absent."""
    return Field(name, "optional", accepts)


def many(name: str, *accepts: str) -> Field:
    """A part that occurs any number of times."""
    return Field(name, "many", accepts)


def tok(name: str, *accepts: str) -> Field:
    """The first own token of one of these kinds."""
    return Field(name, "token", accepts)


def toks(name: str, *accepts: str) -> Field:
    """All own tokens of these kinds."""
    return Field(name, "tokens", accepts)


def flag(name: str, *accepts: str) -> Field:
    """Whether the node has an own token of one of these kinds."""
    return Field(name, "flag", accepts)


def node(name: str, form: str, *fields: Field) -> NodeKind:
    """A node kind with its fields."""
    return NodeKind(name, form, fields)
