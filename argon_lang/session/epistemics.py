"""How a module reasons, for an agent: tiers, the standpoint lattice, open worlds, rules with exceptions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from argon_lang.ir.lattice import layers_of
from argon_lang.ir.names import attacked_key
from argon_lang.ir.rules import ATTACK
from argon_lang.runtime.envelopes import SCHEMA_VERSION, Json
from argon_lang.runtime.schema import matching, not_found
from argon_lang.runtime.served import Served

Entry = tuple[str, dict[str, Json]]
"""What an entry is about, by path, and the entry."""


def epistemics(served: Served, construct: str | None = None) -> Json:
    """All of it; with `construct` one part by its name, or what is said of one declaration, by path or short name.

    Raises `ARGON_RUNTIME_NOT_FOUND` for a name of which nothing is said.
    """
    whole = {name: list(part(served)) for name, part in PARTS.items()}
    head = {"schemaVersion": SCHEMA_VERSION, "moduleHash": served.module_hash}
    if construct is None:
        return head | {name: [each for _, each in entries] for name, entries in whole.items()}
    if construct in whole:
        return head | {construct: [each for _, each in whole[construct]]}
    paths = {path for entries in whole.values() for path, _ in entries}
    wanted = set(matching(construct, paths))
    if not wanted:
        raise not_found("declaration", construct, paths)
    told = {name: [each for path, each in entries if path in wanted] for name, entries in whole.items()}
    return head | {name: entries for name, entries in told.items() if entries}


def _tiers(served: Served) -> Iterator[Entry]:
    for key, tier in served.module.tiers:
        yield _path(key), {"name": _path(key), "tier": tier}


def _standpoints(served: Served) -> Iterator[Entry]:
    """Each with those directly above it, and with the layers that its view reads, the default one first."""
    module = served.module
    for each in module.standpoints:
        said = [claim for claim in module.claims if claim.standpoint == each.path]
        yield (
            each.path,
            {
                "path": each.path,
                "supers": list(each.supers),
                "layers": list(layers_of(module.standpoints, each.path)),
                "declares": sum(not claim.against for claim in said),
                "denies": sum(claim.against for claim in said),
                "checks": [check.path for check in module.checks if check.standpoint == each.path],
            },
        )


def _worlds(served: Served) -> Iterator[Entry]:
    for concept in served.module.concepts:
        if concept.open:
            yield concept.path, {"concept": concept.path, "world": "open"}


def _exceptions(served: Served) -> Iterator[Entry]:
    """Each default clause with its label, and the predicates whose clauses defeat it."""
    labels = {each.rule: each.label for each in served.module.defaults}
    for key, clauses in served.defaults.items():
        for rule in clauses:
            by = _attackers(served, key, labels[rule])
            yield _path(key), {"predicate": _path(key), "label": labels[rule] or None, "defeatedBy": by}


def _attackers(served: Served, key: str, label: str) -> list[str]:
    attacks = (rule for rule in served.module.rules if rule.origin == ATTACK and attacked_key(rule.key) == key)
    meant = (rule for rule in attacks if rule.key.partition("~")[2].partition("[")[0] in ("", label))
    heads = {rule.id: rule.key for rule in served.module.rules}
    found = (heads.get(served.exceptions.get(rule.id, "")) for rule in meant)
    return sorted({_path(head) for head in found if head is not None})


PARTS: Mapping[str, Callable[[Served], Iterator[Entry]]] = {
    "tiers": _tiers,
    "standpoints": _standpoints,
    "worlds": _worlds,
    "exceptions": _exceptions,
}
"""The parts by name, in the order in which they are told."""


def _path(key: str) -> str:
    """The declaration that a key belongs to."""
    return key.removesuffix("!").removesuffix("?").partition("/")[0]
