"""Answers as short text: wire values as people read them, rows, proof trees."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from argon_mcp.handle import Json

_TAGGED = ("decimal", "real", "money", "date", "dateTime", "duration", "f64")


def value(wire: Json) -> str:
    """One wire value."""
    match wire:
        case {"entity": id_, **rest}:
            return str(rest.get("label", id_))
        case {"enum": path, **rest}:
            variant = _last(path)
            return f"{variant}({_joined(rest['payload'])})" if "payload" in rest else variant
        case {"struct": path, "fields": fields}:
            return f"{_last(path)} {{ {_joined(fields)} }}"
        case {"tuple": relation, "ends": ends}:
            return f"{_last(relation)}({_joined(ends)})"
        case dict() if len(wire) == 1 and next(iter(wire)) in _TAGGED:
            return str(next(iter(wire.values())))
        case list():
            return f"[{_joined(wire)}]"
        case _:
            return json.dumps(wire, ensure_ascii=False)


def _last(path: Json) -> str:
    return str(path).rsplit("::", 1)[-1]


def _joined(parts: Json) -> str:
    if isinstance(parts, dict):
        return ", ".join(f"{name}: {value(part)}" for name, part in parts.items())
    return ", ".join(map(value, parts)) if isinstance(parts, list) else value(parts)


def rows(answer: Mapping[str, Json]) -> str:
    """Rows of an answer, one a line, under their columns."""
    columns = ", ".join(f"{each['name']}: {each['type']}" for each in answer["columns"])
    count = answer["rowCount"]
    lines = [f"{count} row{'s' if count != 1 else ''} ({columns})"]
    for row in answer["rows"]:
        tags = " ".join(str(row[key]) for key in ("truth4", "tag") if row.get(key) not in (None, "Is"))
        lines.append("- " + " | ".join(map(value, row["values"])) + (f"  [{tags}]" if tags else ""))
    hidden = {key: number for key, number in answer["hidden"].items() if number}
    if hidden:
        lines.append("hidden: " + ", ".join(f"{number} {key}" for key, number in hidden.items()))
    if "nextCursor" in answer:
        lines.append(f"nextCursor: {answer['nextCursor']}")
    lines.append(f"view={answer['view']} asOf={_as_of(answer['asOf'])}")
    return "\n".join(lines)


def _as_of(as_of: Mapping[str, Json]) -> str:
    return str(as_of["valid"]) + (f" tx {as_of['tx']}" if "tx" in as_of else "")


def tree(nodes: Sequence[Mapping[str, Json]], root: str) -> str:
    """A tree that travels as a list with parents, indented."""
    children: dict[str, list[Mapping[str, Json]]] = {}
    known = {node["id"]: node for node in nodes}
    for node in nodes:
        children.setdefault(node.get("parent", ""), []).append(node)
    lines: list[str] = []
    waiting = [(known[root], 0)]
    while waiting:
        node, depth = waiting.pop()
        lines.append("  " * depth + _node(node))
        waiting += [(child, depth + 1) for child in reversed(children.get(node["id"], []))]
    return "\n".join(lines)


def _node(node: Mapping[str, Json]) -> str:
    told = [node["kind"]]
    told += [_clause(each) for each in node.get("derivations", ())]
    if node.get("substitution"):
        told.append(_bindings(node["substitution"]))
    if "source" in node:
        told.append(place(node["source"]))
    if "event" in node:
        told.append(f"tx {node['event']['tx']} by {node['event']['principal']}")
    if "left" in node:
        told.append(f"{value(node['left'])} against {value(node['right'])}")
    if (count := node.get("alternatives", 0)) > 1:
        told.append(f"{count} alternatives")
    if node.get("folded"):
        told.append(f"folded, id {node['id']}")
    return f"{node['fact']}  [{'; '.join(told)}]"


def _clause(derivation: Mapping[str, Json]) -> str:
    where = f" at {place(derivation['source'])}" if "source" in derivation else ""
    bound = f" with {_bindings(derivation['substitution'])}" if derivation["substitution"] else ""
    return f"by {derivation['clause']}{where}{bound}"


def _bindings(substitution: Mapping[str, Json]) -> str:
    return ", ".join(f"{name} = {value(part)}" for name, part in substitution.items())


def place(span: Mapping[str, Json]) -> str:
    """`root.ar:12:5`, counted from 1."""
    return f"{span['file']}:{span['start']['line'] + 1}:{span['start']['character'] + 1}"


def details(found: Mapping[str, Json]) -> str:
    """The details of an error: violations with their proofs, the rest as plain values."""
    lines = []
    for name, detail in found.items():
        if name == "violations":
            lines += [violation(each) for each in detail]
        elif detail not in ([], {}, None):
            lines.append(f"{name}: {detail if isinstance(detail, str) else json.dumps(detail, ensure_ascii=False)}")
    return "\n".join(lines)


def violation(found: Mapping[str, Json]) -> str:
    """A violated check with its proof."""
    code = f"[{found['code']}]" if "code" in found else ""
    head = f"{found['severity']}{code} {found['check']}: {found['message']}"
    said = f"\n{found['prose']}" if "prose" in found else ""
    return (
        f"{head}{said}\n{tree(found['nodes'], found['rootId'])}" if found.get("nodes") else f"{head} ({found['fact']})"
    )


def suggestion(found: Mapping[str, Json]) -> str:
    """A suggested change, with what it takes for granted and what it would break."""
    given = ", ".join(f"{name}={text}" for name, text in found.get("args", {}).items())
    lines = [f"suggestion: {found['source']}" + (f" with {given}" if given else "")]
    if found.get("assumed"):
        lines.append(f"  assumes {', '.join(found['assumed'])}: ask what is the case")
    effect = "brings about" if found["accepted"] else "refused by"
    lines += [f"  {effect} {violation(each)}" for each in found["breaks"]]
    return "\n".join(lines)


def diagnostics(found: Sequence[Mapping[str, Json]]) -> str:
    """Diagnostics with their source lines, secondary places, help and fixes."""
    lines: list[str] = []
    for each in found:
        lines.append(f"{place(each['span'])}: {each['severity']}[{each['code']}]: {each['message']}")
        if each.get("sourceLine"):
            lines.append(f"  | {each['sourceLine'].strip()}")
        lines += [f"  {place(other['span'])}: {other['message']}" for other in each["related"]]
        lines += [f"  help: {line}" for line in each["help"]]
        for fix in each["fixes"]:
            edits = "; ".join(f"{place(edit['span'])} -> {json.dumps(edit['text'])}" for edit in fix["edits"])
            lines.append(f"  fix: {fix['title']} ({edits})")
    return "\n".join(lines)
