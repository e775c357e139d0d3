"""Check and build by content: what was found out about the same inputs before is taken from the cache.

The inputs digest covers every byte that a check reads, and the key covers this program's code, so a kept answer is the
one that a check would give. It is kept as bytes of CBOR and rebuilt; what does not rebuild is checked again. An answer
that took so long that one of its gates may have run out of time is not kept: a faster machine may answer more.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import cbor2

from argon_lang.errors import ArgonError
from argon_lang.problems import args
from argon_lang.queries.collector import paused
from argon_lang.session.checked import Checked, from_kept_form, kept_form, texts_of
from argon_lang.workspace.build import Compiled
from argon_lang.workspace.cache import Cache, cache_key, user_cache
from argon_lang.workspace.root import Project
from argon_lang.workspace.sources import Inputs, read_inputs

_KIND, _BUILD = "check", "build"


def remembered_compile(inputs: Inputs, cache: Cache | None = None) -> Compiled:
    """Gates, then encoding: what `compiler.compile_inputs` makes of the inputs."""
    cache = cache or user_cache()
    key = cache_key(_BUILD, inputs.digest)
    known = _compiled(cache.get(key))
    if known is not None:
        return known
    from argon_lang.session.trees import Trees

    begin, trees = time.monotonic(), Trees(cache)
    trees.expect(source.text for source in inputs.all_sources(inputs.packages()))
    from argon_lang.session.compiler import compile_inputs  # while the texts are parsed beside

    found = compile_inputs(inputs, trees)
    trees.keep()
    diagnostics = kept_form(found.diagnostics)
    if diagnostics is not None and _is_whole(begin):
        cache.put(key, cbor2.dumps([diagnostics, found.artifact, found.module_hash, found.lock]))
    return found


def _compiled(data: bytes | None) -> Compiled | None:
    if data is None:
        return None
    try:
        kept, artifact, module_hash, lock = cbor2.loads(data)
        diagnostics = from_kept_form(kept)
    except (ValueError, TypeError, cbor2.CBORError):
        return None
    return Compiled(diagnostics, artifact, module_hash, lock) if diagnostics is not None else None


def remembered_check(inputs: Inputs, cache: Cache | None = None) -> Checked:
    """Everything that the gates say of the inputs."""
    cache = cache or user_cache()
    known = recall(inputs, cache)
    if known is not None:
        return known
    with paused():
        return _checked(inputs, cache)


def _checked(inputs: Inputs, cache: Cache) -> Checked:
    from argon_lang.session.states import recall_state
    from argon_lang.session.trees import Trees

    begin, packages = time.monotonic(), inputs.packages()
    state = recall_state(cache, inputs, packages)
    trees = Trees(cache, state.texts if state is not None else None)
    trees.expect(source.text for source in inputs.all_sources(packages))
    from argon_lang.session.recheck import check_since  # while the texts are parsed beside

    found, keep_state = check_since(inputs, cache, packages, state, trees)
    keep(found, cache, begin)
    trees.keep()
    if cache.folder is not None and _is_whole(begin):
        keep_state()
    return found


def check_saved(root: Project, only: Sequence[Path] = ()) -> Checked:
    """The gates' diagnostics of a package as it is saved, of some files alone when `only` names them.

    Raises `ARGON_PATH_OUTSIDE_PROJECT`, `ARGON_INPUT_UNREADABLE`.
    """
    wanted = relative_paths(root, only)
    return remembered_check(read_inputs(root)).only(wanted)


def relative_paths(root: Project, paths: Sequence[Path]) -> tuple[str, ...]:
    """Path arguments relative to the root. Raises `ARGON_PATH_OUTSIDE_PROJECT`, `ARGON_INPUT_UNREADABLE`."""
    found = tuple(root.relative(str(path)) for path in paths)
    for path in found:
        if not (root.root / path).exists():
            raise ArgonError("ARGON_INPUT_UNREADABLE", args(path=path, found="no such file or folder"))
    return found


def _is_whole(begin: float) -> bool:
    """Can no gate have run out of time since `begin`?"""
    from argon_lang.engine.governor import Limits

    return (time.monotonic() - begin) * 1_000 < Limits().timeout_ms


def recall(inputs: Inputs, cache: Cache) -> Checked | None:
    """What is known of these inputs; None when nothing is."""
    data = cache.get(cache_key(_KIND, inputs.digest))
    diagnostics = from_kept_form(data) if data is not None else None
    return Checked(diagnostics, texts_of(inputs), inputs.digest) if diagnostics is not None else None


def keep(found: Checked, cache: Cache, begin: float) -> None:
    """Remember the whole answer of a check that began at `begin` (`time.monotonic`)."""
    data = kept_form(found.diagnostics)
    if data is not None and _is_whole(begin):
        cache.put(cache_key(_KIND, found.inputs_digest), data)
