"""Whose tuple is it? The relation under which a tuple entity is known, whatever sub-relation asserted it.

A sub-relation tuple *is* the parent tuple (language §3.3), so one name must stand for both in `TupleValue.relation` and
in the rows of relation fields: the topmost relation above it, the first by path where there are several.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable


def tuple_root(relation: str, supers: Callable[[str], Iterable[str]]) -> str:
    """The relation whose name identifies the tuples of `relation`; `supers` gives the direct superrelations."""
    seen, queue, tops = {relation}, [relation], []
    for path in queue:
        above = [parent for parent in supers(path) if parent not in seen]
        seen.update(above)
        queue.extend(above)
        if not above:
            tops.append(path)
    return min(tops)
