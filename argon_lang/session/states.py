"""The last state of a package in which nothing was in error, kept on disk; imports nothing that checks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cbor2
from blake3 import blake3

from argon_lang.problems import ItemId
from argon_lang.workspace.cache import Cache, cache_key
from argon_lang.workspace.dependencies import Packages
from argon_lang.workspace.manifest import MANIFEST
from argon_lang.workspace.sources import Inputs


@dataclass(frozen=True, slots=True)
class State:
    """A package in which nothing was in error: texts by file, and the items that had a diagnostic."""

    texts: Mapping[str, str]
    remarked: tuple[ItemId, ...]


def state_key(inputs: Inputs, packages: Packages) -> str:
    """Where the state of a package is kept: by everything but the texts of its files."""
    whole = blake3()
    names = (each.path.encode() for each in inputs.files)
    for part in (inputs.data(MANIFEST) or b"", repr(packages.info).encode(), *names):
        whole.update(len(part).to_bytes(8, "little"))
        whole.update(part)
    return cache_key("state", whole.hexdigest())


def recall_state(cache: Cache, inputs: Inputs, packages: Packages) -> State | None:
    """The kept state; None when there is none, or what is there is none, or the package depends on others."""
    data = cache.get(state_key(inputs, packages)) if not packages.dependencies else None
    if data is None:
        return None
    try:
        texts, remarked = cbor2.loads(data)
        state = State({str(file): str(text) for file, text in texts}, tuple(_item(*each) for each in remarked))
    except (ValueError, TypeError, cbor2.CBORError):
        return None
    return state


def _item(file: str, label: str, ordinal: int) -> ItemId:
    return ItemId(str(file), str(label), int(ordinal))
