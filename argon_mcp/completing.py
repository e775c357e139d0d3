"""What may stand in an argument of a prompt or in a placeholder of a resource's address, as far as it is written."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import mcp_types as types

from argon_mcp import resources, shown
from argon_mcp.handle import Json, Refused, RuntimeHandle
from argon_mcp.promptbox import GUIDES

MOST = 100
"""Values of one completion; the protocol allows no more."""

_HEADS = ("predicates", "concepts", "relations")


@dataclass(frozen=True)
class Wanted:
    """What is completed: the text so far, the arguments that are given already, the runtime that knows the names."""

    text: str
    given: Mapping[str, str]
    handle: RuntimeHandle

    async def ask(self, question: str, given: dict[str, Json]) -> Json:
        """An answer of the runtime; nothing where it refuses, for a completion has no place for a reason."""
        try:
            return await self.handle.ask(question, given, lambda _: None)
        except Refused:
            return {}


Completer = Callable[[Wanted], Awaitable[list[str]]]


async def completion(params: types.CompleteRequestParams, handle: RuntimeHandle) -> types.Completion:
    """The values that fit; none for an argument that has none."""
    given = (params.context.arguments if params.context else None) or {}
    kind = _kind(params.ref, params.argument.name)
    found = await KINDS[kind](Wanted(params.argument.value, given, handle)) if kind is not None else []
    few = found[:MOST]
    return types.Completion(values=few, total=len(found), has_more=len(few) < len(found))


def _kind(ref: Any, argument: str) -> str | None:
    if isinstance(ref, types.ResourceTemplateReference):
        return _PLACEHOLDERS.get((ref.uri, argument))
    guide = GUIDES.get(ref.name)
    return guide.arguments[argument].kind if guide is not None and argument in guide.arguments else None


async def _codes(wanted: Wanted) -> list[str]:
    return sorted(code for code in wanted.handle.codes() if code.startswith(wanted.text.upper()))


async def _paths(wanted: Wanted) -> list[str]:
    """Declarations, by path or by the beginning of their name."""
    rows = [row for _, row in _declared(await wanted.ask("schema", {}))]
    return sorted({row["path"] for row in rows if row["path"].startswith(wanted.text) or _begins(row, wanted.text)})


async def _facts(wanted: Wanted) -> list[str]:
    """Patterns of facts; once the head is written, the facts that hold."""
    head, opened, _ = wanted.text.partition("(")
    if not opened:
        return await _patterns(wanted)
    answer = await wanted.ask("derive", {**_NOW, "head": head, "page": {"size": MOST}})
    facts = [f"{head}({', '.join(map(shown.value, row['values']))})" for row in answer.get("rows", ())]
    return sorted(fact for fact in facts if fact.startswith(wanted.text))


async def _goals(wanted: Wanted) -> list[str]:
    schema = await wanted.ask("schema", {})
    queries = [row["name"] for row in schema.get("queries", ()) if _begins(row, wanted.text)]
    return sorted(queries) + await _patterns(wanted)


async def _patterns(wanted: Wanted) -> list[str]:
    """Each head with `_` in every place, which is a fact to ask for already."""
    schema = await wanted.ask("schema", {})
    rows = [(kind, row) for kind, row in _declared(schema) if kind in _HEADS and _begins(row, wanted.text)]
    return sorted(f"{row['name']}({', '.join('_' * _arity(kind, row['signature']))})" for kind, row in rows)


async def _mutations(wanted: Wanted) -> list[str]:
    rows = (await wanted.ask("schema", {})).get("mutations", ())
    return sorted(row["name"] for row in rows if _begins(row, wanted.text))


async def _arguments(wanted: Wanted) -> list[str]:
    """The object with the parameters of the mutation that was chosen, its values left open."""
    found = (await wanted.ask("lookup", {"name": wanted.given.get("mutation", "")})).get("declaration", {})
    if found.get("kind") != "mutation":
        return []
    text = json.dumps({each["name"]: "" for each in found["params"]}, ensure_ascii=False)
    return [text] if text.startswith(wanted.text) else []


def _declared(schema: Mapping[str, Json]) -> Iterator[tuple[str, Mapping[str, Json]]]:
    for kind, rows in schema.items():
        if isinstance(rows, list):
            yield from ((kind, row) for row in rows)


def _begins(row: Mapping[str, Json], text: str) -> bool:
    return str(row["name"]).lower().startswith(text.lower())


def _arity(kind: str, signature: str) -> int:
    """How many places a head has: a signature names each with its type, which may have commas inside of brackets."""
    if kind == "concepts":
        return 1
    depth, places = 0, 0
    for letter in signature.replace("::", ""):
        depth += (letter in "([<{") - (letter in ")]>}")
        if depth == 0 and letter == ")":
            break
        places += depth == 1 and letter == ":"
    return places


KINDS: Mapping[str, Completer] = {
    "code": _codes,
    "path": _paths,
    "fact": _facts,
    "goal": _goals,
    "mutation": _mutations,
    "args": _arguments,
}
_PLACEHOLDERS = {(resources.CODE_TEMPLATE, "code"): "code", (resources.SCHEMA_TEMPLATE, "path"): "path"}
_NOW: dict[str, Json] = {"fork": None, "standpoint": None, "asOf": None, "asOfTx": None, "principal": None}
