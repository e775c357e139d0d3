"""Parsed texts on disk: a new process parses only the texts that nobody has parsed before, and of those what changed.

Each text has its own entry, by its content and this program's code, so a file that moved or belongs to several packages
is found as well, and an edit makes one entry anew. Of a text without an entry the one that its file had before may have
one: then only the items in which the two differ are parsed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace

import cbor2
from blake3 import blake3

from argon_lang.queries.parsed import Parsed, edited, from_bytes, parse, to_bytes
from argon_lang.session.forks import Beside, beside, may_fork, processors
from argon_lang.workspace.cache import Cache, cache_key

LEAST_TEXT = 4_000
"""Code points: a shorter text is parsed before its entry is found, and many small entries make the cache slow."""
MUCH_TEXT = 400_000
"""Code points: where nothing is known of so much text, the larger part is parsed beside this process."""
BESIDE = 0.75
"""Of the text: meanwhile this process imports the checker, and parses the rest."""


class Trees:
    """What texts parse to, from a cache. `earlier` are texts that files had when they were last looked at."""

    def __init__(self, cache: Cache, earlier: Mapping[str, str] | None = None) -> None:
        self._cache = cache
        self._earlier = earlier or {}
        self._fresh: dict[str, Parsed] = {}
        self._made: dict[str, bytes] = {}
        self._beside: Beside | None = None
        self._theirs: list[str] = []

    def expect(self, texts: Iterable[str]) -> None:
        """Say which texts will be asked for, in this order: of many unknown ones the later are parsed beside."""
        listed = [each for each in texts if len(each) >= LEAST_TEXT]
        whole = sum(map(len, listed))
        if self._cache.folder is None or self._earlier or whole < MUCH_TEXT or processors() < 2 or not may_fork():
            return
        before, later = 0, list[str]()
        for each in listed:
            later += [each] if before >= (1 - BESIDE) * whole else []
            before += len(each)
        if later and all(self._cache.get(_key(each)) is None for each in (listed[0], later[-1])):
            with suppress(OSError):  # no more processes may be begun: then all is parsed here
                self._theirs, self._beside = [_key(each) for each in later], beside(lambda: _parsed_beside(later))

    def _come(self) -> None:
        """Take over what was parsed beside."""
        waiting, self._beside = self._beside, None
        data = waiting.answer() if waiting is not None else None
        found: list[bytes | None] = cbor2.loads(data) if data is not None else []
        self._made.update((key, each) for key, each in zip(self._theirs, found, strict=False) if each is not None)

    def parsed(self, file: str, text: str) -> Parsed | None:
        """What the text of a file parses to; None where it is best parsed by whoever wants to know."""
        if self._cache.folder is None or len(text) < LEAST_TEXT:
            return None
        key = _key(text)
        if self._beside is not None and key in self._theirs:
            self._come()
        made = self._made.get(key)
        found = self._fresh.get(key) or (from_bytes(text, made) if made is not None else self._kept(key, text))
        if found is None:
            before = self._earlier.get(file)
            known = self._kept(_key(before), before) if before is not None and before != text else None
            found = self._fresh[key] = parse(text) if known is None else edited(known, text)
        return found

    def known(self, text: str) -> Parsed | None:
        """What a text parses to, for a database that lives on; None where it was not kept.

        Without the words for `reach`, which such a database is never asked for and would hold as long as it lives.
        """
        found = self._kept(_key(text), text) if self._cache.folder is not None and len(text) >= LEAST_TEXT else None
        return None if found is None else replace(found, reaches=())

    def keep(self) -> None:
        """Put into the cache what was parsed anew."""
        made = {**self._made, **{key: to_bytes(each) for key, each in self._fresh.items()}}
        self._fresh.clear()
        self._made.clear()
        self._cache.put_all({key: data for key, data in made.items() if data is not None})

    def _kept(self, key: str, text: str) -> Parsed | None:
        data = self._cache.get(key)
        return from_bytes(text, data) if data is not None else None


def _parsed_beside(texts: list[str]) -> bytes:
    return cbor2.dumps([to_bytes(parse(each)) for each in texts])


def _key(text: str) -> str:
    return cache_key("tree", blake3(text.encode("utf-8", "surrogatepass")).hexdigest())
