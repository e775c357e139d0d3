"""What a signature owes to others': cycles of `<:`, narrowing of fields and endpoints, the metarel's arity."""

from __future__ import annotations

from collections.abc import Iterator

from argon_lang.problems import Edit, Fix, ItemId, Note, Problem, args
from argon_lang.program.declarations import LOST, Table
from argon_lang.program.findings import related_to
from argon_lang.program.model import (
    ConceptSig,
    FieldSig,
    GroupSig,
    ImplSig,
    MetarelSig,
    MetatypeSig,
    RelationSig,
    Signature,
)
from argon_lang.program.paths import name_of, segments
from argon_lang.program.signatures.axes import wrong_choices
from argon_lang.program.signatures.impls import wrong_impl
from argon_lang.program.signatures.views import wrong_views
from argon_lang.program.types import ListOf, Named, Type, Unknown, show
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import Item, View


def conformance(item: Item, own: Signature, table: Table, module: str, id_: ItemId) -> tuple[Problem, ...]:
    """Problems of what `item` of `module` declares first, `own`, with the signatures that it rests on. Never raises."""
    root, path = item.root, own.path
    match root:
        case nodes.ImplDecl() if isinstance(own, ImplSig):
            return tuple(wrong_impl(root, own, table, module, id_))
        case nodes.TraitDecl():
            return tuple(_cycle(root.supers, root.name, path, table))
        case nodes.GroupDecl() if isinstance(own, GroupSig):
            return tuple(_outside(root, own, table))
        case nodes.ConceptDecl():
            fields = [each for each in root.body.members if isinstance(each, nodes.FieldDecl)] if root.body else []
            settings = [each for each in root.body.members if isinstance(each, nodes.AxisSetting)] if root.body else []
            chosen = wrong_choices(settings, own.choices if isinstance(own, ConceptSig) else (), "concept", table)
            views = wrong_views(fields, path, table)
            return (*_cycle(root.supers, root.name, path, table), *_narrowed(fields, path, table), *chosen, *views)
        case nodes.RelationDecl():
            fields = root.body.fields if root.body else []
            cycle = _cycle(root.supers, root.name, path, table)
            return (*cycle, *_narrowed(fields, path, table), *_ends(root, path, table), *_metarel(root, path, table))
        case nodes.StandpointDecl():
            return tuple(_lattice_cycle(root, path, table))
        case nodes.MetatypeDecl(settings=settings) if settings is not None and isinstance(own, MetatypeSig):
            return tuple(wrong_choices(settings.settings, own.choices, "metatype", table))
        case nodes.MetarelDecl(settings=settings) if settings is not None and isinstance(own, MetarelSig):
            return tuple(wrong_choices(settings.settings, own.choices, "metarel", table))
        case _:
            return ()


def _outside(root: nodes.GroupDecl, own: GroupSig, table: Table) -> Iterator[Problem]:
    """OE0243 for each member that does not specialize the whole."""
    written = root.members.paths if root.members else []
    for each, member in zip(written, own.members, strict=True):
        if own.whole and member and not table.is_subtype(Named("concept", member), Named("concept", own.whole)):
            of, last = _short(own.whole), segments(each)[-1]
            related = related_to("declared", table.symbols(member), name=last.name)
            notes = (Note("specialize", args(name=last.name, of=of)),)
            yield Problem("OE0243", last.start, last.end, args(name=last.name, of=of), related, notes)


def _short(path: str) -> str:
    return path.rsplit("::", 1)[-1]


def _cycle(written: nodes.Supers | None, name: nodes.Name | None, path: str, table: Table) -> list[Problem]:
    """OE0221 at the superconcept through which the way leads back; of a cycle's members the first by path has it."""
    for each in written.types if written else []:
        target = _target(each, path, table)
        chain = _way_back(target, path, table) if target else []
        if chain and path == min(chain):
            cycle = " <: ".join(_short(step) for step in (path, *chain))
            values = args(name=name_of(name) or "_", cycle=cycle)
            related = related_to("next", table.symbols(chain[0])) if chain[0] != path else ()
            return [Problem("OE0221", each.start, each.end, values, related, (Note("break"),))]
    return []


def _lattice_cycle(root: nodes.StandpointDecl, path: str, table: Table) -> Iterator[Problem]:
    """OE1211 at the `<:` through which the way leads back; of a cycle's members the first by path has it."""
    for each in root.supers.paths if root.supers else []:
        last = segments(each)[-1] if segments(each) else None
        target = next((above for above in table.above(path) if last is not None and _short(above) == last.name), None)
        chain = _way_back(target, path, table) if target else []
        if chain and path == min(chain):
            cycle = " <: ".join(_short(step) for step in (path, *chain))
            related = related_to("next", table.symbols(chain[0])) if chain[0] != path else ()
            fix = Fix("remove", (Edit(*_clause(root, each), ""),), args(of=each.text), safe=False)
            values = args(name=_short(path), cycle=cycle)
            yield Problem("OE1211", each.start, each.end, values, related, (Note("break"),), (fix,))
            return


def _clause(root: nodes.StandpointDecl, path: nodes.Path) -> tuple[int, int]:
    """The `<: …` of a standpoint with the blank before it; of several paths the one with its comma."""
    written = root.supers
    if written is None or len(written.paths) == 1:
        begin = written.start if written is not None else path.start
        return begin - root.item.text[:begin].endswith(" "), path.end
    first = path.index == written.paths[0].index
    others = [each for each in written.paths if each.index != path.index]
    return (path.start, others[0].start) if first else (max(e.end for e in others if e.end < path.start), path.end)


def _target(written: View, path: str, table: Table) -> str | None:
    """Which direct superconcept of `path` a written one is: the one with its last name."""
    names = segments(written.path) if isinstance(written, nodes.NamedType) and written.path else ()
    direct = table.direct_supers(path)
    return next((each for each in direct if names and _short(each) == names[-1].name), None)


def _way_back(start: str, goal: str, table: Table) -> list[str]:
    """A shortest way from `start` to `goal` along `<:`, both included; empty when there is none."""
    before: dict[str, str | None] = {start: None}
    todo = [start]
    for at in todo:
        if at == goal:
            way = [at]
            while (previous := before[way[-1]]) is not None:
                way.append(previous)
            return way[::-1]
        for above in (*table.direct_supers(at), *table.above(at)):
            if above not in before and above != LOST:
                before[above] = at
                todo.append(above)
    return []


def _narrowed(written: list[nodes.FieldDecl], path: str, table: Table) -> list[Problem]:
    """OE0222 for each own field whose type does not specialize the inherited one's."""
    own = {each.name: each for each in table.own_fields(path)}
    found = []
    for each in written:
        name = name_of(each.name)
        inherited = _inherited(path, name or "", table)
        if name in own and inherited is not None and each.type is not None:
            problem = _widened(each.type, own[name], inherited, table)
            found.extend([problem] if problem else [])
    return found


def _inherited(path: str, name: str, table: Table) -> FieldSig | None:
    for above in table.supers(path)[1:]:
        for each in table.own_fields(above):
            if each.name == name:
                return each
    return None


def _widened(written: nodes.Type, own: FieldSig, inherited: FieldSig, table: Table) -> Problem | None:
    if table.is_subtype(own.type, inherited.type) and not _looser(own.type, inherited.type):
        return None
    values = args(of=_short(own.owner), name=own.name, expected=show(inherited.type), found=show(own.type))
    related = related_to(
        "inherited", table.symbols(inherited.owner), name=own.name, expected=show(inherited.type)
    )  # fmt: skip
    suggestion = show(inherited.type)
    fix = Fix("replace", (Edit(written.start, written.end, suggestion),), args(suggestion=suggestion), safe=False)
    return Problem("OE0222", written.start, written.end, values, related, (Note("narrow"),), (fix,))


def _looser(own: Type, inherited: Type) -> bool:
    """May the list hold fewer or more elements than the inherited one? Which it holds, its type alone does not say."""
    if not isinstance(own, ListOf) or not isinstance(inherited, ListOf):
        return False
    fewer = own.low < inherited.low
    return fewer or (inherited.high is not None and (own.high is None or own.high > inherited.high))


def _ends(root: nodes.RelationDecl, path: str, table: Table) -> list[Problem]:
    """OE0223 for each endpoint that does not specialize its parent's; OE0209 for another number of them."""
    own = table.relation(path)
    found: list[Problem] = []
    for above in own.supers if own else ():
        parent = table.relation(above)
        if own is not None and parent is not None and root.endpoints is not None:
            found.extend(_against(root, own, parent, table))
    return found


def _against(root: nodes.RelationDecl, own: RelationSig, parent: RelationSig, table: Table) -> list[Problem]:
    written = root.endpoints.endpoints if root.endpoints else []
    if len(own.ends) != len(parent.ends):
        values = args(
            name=_short(own.path), expected=f"{len(parent.ends)} endpoints as `{_short(parent.path)}`",
            found=len(own.ends),
        )  # fmt: skip
        start, end = (root.endpoints.start, root.endpoints.end) if root.endpoints else (root.start, root.end)
        return [Problem("OE0209", start, end, values)]
    pairs = zip(written, own.ends, parent.ends, strict=False)
    return [
        _uncovered(each.type, mine.type, theirs.type, mine.name, own, parent, table)
        for each, mine, theirs in pairs
        if each.type is not None and not table.is_subtype(mine.type, theirs.type)
    ]


def _uncovered(
    written: nodes.Type, mine: Type, theirs: Type, name: str, own: RelationSig, parent: RelationSig, table: Table
) -> Problem:
    values = args(name=name, of=_short(own.path), found=show(mine), expected=show(theirs))
    related = related_to("inherited", table.symbols(parent.path), parent=_short(parent.path))
    suggestion = show(theirs)
    fix = Fix("replace", (Edit(written.start, written.end, suggestion),), args(suggestion=suggestion), safe=False)
    return Problem("OE0223", written.start, written.end, values, related, (Note("narrow"),), (fix,))


def _metarel(root: nodes.RelationDecl, path: str, table: Table) -> list[Problem]:
    """OE0633 for another number of ends than the metarel's; OE0631 for an end that has no metatype."""
    own = table.relation(path)
    metarel = table.metarel(own.metarel) if own is not None else None
    if own is None or metarel is None or metarel.ends is None or root.name is None:
        return []
    of = _short(metarel.path)
    related = related_to("metarel", table.symbols(metarel.path), of=of)
    if len(metarel.ends) != len(own.ends):
        values = args(of=of, name=_short(path), expected=_ends_word(len(metarel.ends)), found=len(own.ends))
        return [Problem("OE0633", root.name.start, root.name.end, values, related)]
    written = root.endpoints.endpoints if root.endpoints else []
    found = []
    for each, end, wanted in zip(written, own.ends, metarel.ends, strict=False):
        if wanted and each.type is not None and not _has_metatype(end.type, wanted, table):
            values = args(name=end.name, found=_metatype_word(end.type, table), of=of, expected=_short(wanted))
            found.append(Problem("OE0631", each.type.start, each.type.end, values, related))
    return found


def _ends_word(count: int) -> str:
    return "one end" if count == 1 else f"{count} ends"


def _has_metatype(ty: Type, wanted: str, table: Table) -> bool:
    """Is it a concept whose metatype makes all choices of the wanted one? What is in error agrees with everything."""
    if not isinstance(ty, Named) or ty.kind != "concept":
        return isinstance(ty, Unknown)
    concept, above = table.concept(ty.path), table.metatype(wanted)
    own = table.metatype(concept.metatype) if concept is not None else None
    return own is None or above is None or set(above.choices) <= set(own.choices)


def _metatype_word(ty: Type, table: Table) -> str:
    """What a message says that an endpoint is: its concept's metatype, else its type."""
    concept = table.concept(ty.path) if isinstance(ty, Named) else None
    return _short(concept.metatype) if concept is not None else show(ty)
