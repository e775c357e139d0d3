"""The incremental program: texts in, diagnostics and a lowered module out.

A database knows one package and those that it depends on by paths. Files are named `<package>/<relative POSIX path>`
(`lease/root.ar`; the relative path alone in a nameless package). It may be asked and changed from several threads: one
at a time works, and a change cancels what is being answered (`memo.Cancelled`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TypeVar
from weakref import WeakKeyDictionary

from argon_lang.ir.module import Module
from argon_lang.problems import Diagnostic, ItemId, Location, Place, Problem, args
from argon_lang.program.declarations import Table
from argon_lang.program.declare import Declared, declared
from argon_lang.program.findings import NAME_OF_ITEM, insertion_point
from argon_lang.program.lookup import World
from argon_lang.program.model import Declarations, Inference, Lookup, Scope, Signature, Symbol, Use
from argon_lang.program.module_scope import ModuleScope
from argon_lang.program.modules import Shape, shapes, with_known
from argon_lang.program.name_problems import name_span
from argon_lang.program.types import Type
from argon_lang.program.view import PackageInfo, ProgramView, Unit
from argon_lang.queries import program, traits, whole
from argon_lang.queries.collector import paused
from argon_lang.queries.columns import column_types, groups, settled
from argon_lang.queries.doubts import doubtful, items_in_doubt
from argon_lang.queries.exports import exports
from argon_lang.queries.idle import in_error, unused_items
from argon_lang.queries.knock_on import lost_in, lost_names, told
from argon_lang.queries.memo import Cancelled, Memory
from argon_lang.queries.name_checks import clash_index
from argon_lang.queries.once import Once
from argon_lang.queries.parsed import Parsed
from argon_lang.queries.problems_of import faulty, gate_problems, gates_at, item_problems, once, orphan
from argon_lang.queries.publish import Origin, publish
from argon_lang.queries.reach import Reach, reach_of
from argon_lang.queries.sources import changed, opened, reused
from argon_lang.queries.standard import standard
from argon_lang.queries.table import Remembered
from argon_lang.syntax.document import Document
from argon_lang.syntax.tree import Item

__all__ = ["Cancelled", "Database"]

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

SWEEP_EVERY = 256
"""Revisions between two sweeps of what is no longer asked for."""


WALLS = (
    program.modules, program.module_at, program.ambient, program.names, program.world, clash_index,
    program.imports_index, program.symbol_index, groups, settled, doubtful, items_in_doubt, in_error,
)  # fmt: skip
"""What nearly everything rests on and an edit seldom changes, each after those that it rests on itself."""


class Database:
    """One package under check, together with its path dependencies, of which nothing is reported but that they fail.

    `base` is the database of the std packages. `roots` (root module → entry file) is given for that one alone, which
    has several root modules and no base. One that is asked `once` forgets everything with the next change, and answers
    one thread alone.
    """

    def __init__(self, package: PackageInfo, roots: Mapping[str, str] | None = None, *, once: bool = False) -> None:
        self.memory: Memory[Database] = Once(self) if once else Memory(self, WALLS)
        self.base: Database | None = standard() if roots is None else None
        self._documents: dict[str, Document] = {}
        self._trees: dict[str, tuple[Item, ...]] = {}
        self._places: dict[str, dict[ItemId, int]] = {}
        self._declared: WeakKeyDictionary[Item, Declared] = WeakKeyDictionary()
        self._reaches: WeakKeyDictionary[Item, Reach] = WeakKeyDictionary()
        self._scopes: dict[str, Scope] = {}
        self._swept = 0
        handles = (self.disjoint_groups, self.impls_of, self.complete_groups)
        self._table = Remembered(self, self.signatures_at, self.symbols_at, self.columns_at, *handles)
        with self.memory.changing():
            self.memory.set("files", frozenset())
            self._set_package(package, (), roots)

    # -- inputs --------------------------------------------------------------------------------------------------------

    def set_package(self, package: PackageInfo, dependencies: tuple[PackageInfo, ...] = ()) -> None:
        """Change the package's options, and which packages it depends on (those that they depend on are among them)."""
        with self.memory.changing():
            self._set_package(package, dependencies, None)

    def _set_package(
        self, package: PackageInfo, dependencies: tuple[PackageInfo, ...], roots: Mapping[str, str] | None
    ) -> None:
        packages = {"pkg": package, **{each.module: each for each in dependencies}}
        entries = {root: f"{each.name}/{each.entry}" if each.name else each.entry for root, each in packages.items()}
        self.memory.set("package", package)
        self.memory.set("packages", packages)
        self.memory.set("roots", dict(roots) if roots is not None else entries)

    def set_file(
        self, file: str, text: str | None, problems: tuple[Problem, ...] = (), parsed: Parsed | None = None
    ) -> None:
        """Give a file its text, or take it away (None). `problems` are of the whole file (not UTF-8).

        `parsed` is what the text parses to, where that is known.
        """
        with self.memory.changing(), paused():
            self._set(file, text, problems, parsed)

    def set_files(self, texts: Mapping[str, str]) -> None:
        """Give several files their texts in one revision."""
        with self.memory.changing(), paused():
            for file, text in texts.items():
                self._set(file, text, ())

    def narrow(self, part: frozenset[ItemId] | None) -> None:
        """Answer for some items alone, among which is everything that they rest on; for all of them again (None).

        Names are still those of the whole package. Whoever narrows knows that nothing is wrong with the other items.
        """
        with self.memory.changing():
            self.memory.set("part", part)

    def shapes(self, file: str) -> tuple[Shape, ...]:
        """What the items of a file declare, in the order of the text; nothing when there is no such file."""
        return self._shapes(file)

    def reaches(self, file: str) -> Mapping[ItemId, Reach]:
        """What the items of a file write and declare, for the graph of `reach`."""
        pairs = zip(self._shapes(file), self._trees.get(file, ()), strict=True)
        return {shape.id: self._reaches.get(item) or reach_of(item, shape.declared) for shape, item in pairs}

    def edit_file(self, file: str, start: int, end: int, text: str) -> None:
        """Replace `[start, end)` of a file. Raises KeyError when there is no such file."""
        with self.memory.changing():
            self._keep(file, self._documents[file].edit(start, end, text))

    def _set(self, file: str, text: str | None, problems: tuple[Problem, ...], parsed: Parsed | None = None) -> None:
        if text is None:
            self._documents.pop(file, None)
            self._trees.pop(file, None)
            self._places.pop(file, None)
            self._drop(shape.id for shape in self._shapes(file))
            self.memory.set(("shapes", file), None)
            self.memory.set(("broken", file), False)
            self.memory.set(("lost", file), frozenset())
        else:
            known = self._documents.get(file)
            if parsed is not None:
                self._declared.update(zip(parsed.document.items, parsed.declared, strict=True))
                self._reaches.update(zip(parsed.document.items, parsed.reaches, strict=False))
                self._keep(file, parsed.document)
            else:
                self._keep(file, opened(text) if known is None else changed(known, text))
        self.memory.set(("problems", file), problems if text is not None else ())
        self.memory.set("files", frozenset(self._documents))

    def _keep(self, file: str, document: Document) -> None:
        """Take a document; of its items only those that the last edit damaged can differ from the known ones.

        In place of a damaged item comes the known one that is the same, if there is one; then nothing changed.
        """
        known, trees = self._documents.get(file), self._trees.get(file, ())
        if known is document:
            return
        damage = document.damage if known is not None else None
        low, removed, added = (damage.first, damage.removed, damage.added) if damage else (0, len(trees), None)
        fresh = reused(trees[low : low + removed], document.items[low : low + added if added is not None else None])
        self._documents[file] = document
        self._places.pop(file, None)
        self._trees[file] = trees[:low] + fresh + trees[low + removed :]
        self.memory.set(("broken", file), any(each.problems and program.has_error(each) for each in self._trees[file]))
        self.memory.set(("lost", file), lost_in(self._trees[file]))
        self._renew(file, low, removed, fresh)

    def _renew(self, file: str, low: int, removed: int, fresh: tuple[Item, ...]) -> None:
        """Set the inputs of one file, where `fresh` took the place of `removed` items: shapes, and each item's tree.

        While the fresh items declare what the old ones did, the shapes stay, and so do all other trees.
        """
        known = self._shapes(file)
        before, declared = [each.declared for each in known], list(map(self.declared, fresh))
        if program.file_shapes(self, file) is not None and before[low : low + removed] == declared:
            for shape, item in zip(known[low:], fresh, strict=False):
                self.memory.set(("tree", shape.id), item)
            return
        found = with_known(known, shapes(file, (*before[:low], *declared, *before[low + removed :])))
        self.memory.set(("shapes", file), found)
        for shape, item in zip(found, self._trees[file], strict=True):
            self.memory.set(("place", shape.id), shape.inner)
            self.memory.set(("tree", shape.id), item)
        self._drop({shape.id for shape in known}.difference(shape.id for shape in found))

    def _drop(self, items: Iterable[ItemId]) -> None:
        """Take away the trees of items that are no more."""
        for each in items:
            self.memory.set(("tree", each), None)
            self.memory.set(("place", each), None)

    def _shapes(self, file: str) -> tuple[Shape, ...]:
        return program.file_shapes(self, file) or ()

    # -- handles for queries -------------------------------------------------------------------------------------------

    @property
    def package(self) -> PackageInfo:
        """The package's options."""
        found: PackageInfo = self.memory.input("package")
        return found

    @property
    def declarations(self) -> Declarations:
        """Every signature of the package and of std."""
        return self._table

    def table(self) -> Table:
        """The declarations with the questions that only checks of signatures ask."""
        return self._table

    def ask(self, query: Callable[[Database, K], V], key: K) -> V:
        """Ask a query from outside this database."""
        return self.memory.ask(query, key)

    def owner(self, file: str) -> Database:
        """The database that holds a file: that of the std packages for theirs."""
        return self.base if self.base is not None and program.is_std(file) else self

    def files(self) -> frozenset[str]:
        """The files of the package and of its path dependencies."""
        found: frozenset[str] = self.memory.input("files")
        return found

    @property
    def dependencies(self) -> tuple[PackageInfo, ...]:
        """The packages that it depends on by paths, at any remove."""
        packages: Mapping[str, PackageInfo] = self.memory.input("packages")
        return tuple(each for root, each in packages.items() if root != "pkg")

    def files_of(self, package: PackageInfo) -> list[str]:
        """The files of the package, or of one of its dependencies, by name."""
        if package.name:
            return sorted(file for file in self.files() if file.startswith(f"{package.name}/"))
        return sorted(self.files())

    def world(self) -> World:
        """The names of all modules."""
        return self.ask(program.world, None)

    def scope(self, module: str) -> Scope:
        """What a module sees."""
        if self.base is not None and program.is_std(module):
            return self.base.scope(module)
        if module not in self._scopes:
            self._scopes[module] = ModuleScope(module, self._lookup, self._names, self._is_free)
        return self._scopes[module]

    def declared(self, item: Item) -> Declared:
        """What an item declares, found once per tree."""
        known = self._declared.get(item)
        if known is None:
            known = self._declared[item] = declared(item)
        return known

    def view(self) -> ProgramView:
        """The program at this revision, as the gates read it."""
        return whole.View(self)

    def _lookup(self, module: str, path: tuple[str, ...]) -> Lookup:
        return self.memory.ask(program.lookup, (module, path))

    def _is_free(self, module: str, name: str) -> bool:
        return self.memory.ask(program.is_free, (module, name))

    def _names(self, module: str) -> Mapping[str, tuple[Symbol, ...]]:
        return self.ask(program.module_names, module)

    def signatures_at(self, path: str) -> tuple[Signature, ...]:
        """Every signature declared under a canonical path."""
        return self.memory.ask(program.signatures_at, path)

    def symbols_at(self, path: str) -> tuple[Symbol, ...]:
        """Everything declared under a canonical path."""
        return self.ask(program.symbols_at, path)

    def disjoint_groups(self) -> tuple[tuple[str, ...], ...]:
        """The members of every group whose members exclude each other."""
        return self.ask(program.disjoint_groups, None)

    def impls_of(self, trait: str) -> traits.Impls:
        """Every `impl` of a trait, with its item."""
        return self.ask(traits.impls_of, trait)

    def complete_groups(self, whole: str) -> tuple[tuple[str, ...], ...]:
        """The members of each group that leaves nothing of one concept over."""
        return self.ask(traits.complete_groups, whole)

    def columns_at(self, path: str, arity: int) -> tuple[Type, ...] | None:
        """The inferred column types of a predicate whose heads leave some open."""
        self.ask(settled, None)
        return self.ask(column_types, (path, arity))

    def known_columns_at(self, path: str, arity: int) -> tuple[Type, ...] | None:
        """As `columns_at`, while the types are being found: what is read has been typed before."""
        return self.ask(column_types, (path, arity))

    # -- answers -------------------------------------------------------------------------------------------------------

    def diagnostics(self, file: str | None = None, *, gates: bool = True) -> tuple[Diagnostic, ...]:
        """Everything wrong with one file, or with the package: by file, offset, code. Raises Cancelled.

        Without `gates`, only what syntax, names and types say of each item.
        """
        with self.memory.lock, paused():
            wanted = self.files_of(self.package) if file is None else [file]
            found = [each for name in wanted for each in self._file_diagnostics(name, gates, idle=True)]
            found += self._entry_missing("pkg") if file is None else []
            if file is None and self.memory.revision >= self._swept + SWEEP_EVERY:
                self.memory.sweep()
                self._swept = self.memory.revision
        return tuple(found)

    def own_diagnostics(self, file: str) -> tuple[Diagnostic, ...]:
        """Of what is wrong with one file, that for which no other file's items are checked. Raises Cancelled."""
        with self.memory.lock, paused():
            return tuple(self._file_diagnostics(file, with_gates=False, idle=False))

    def _file_diagnostics(self, file: str, with_gates: bool, idle: bool) -> list[Diagnostic]:
        """Without `idle`, nothing is said of items that nobody uses: while any file is in error, nobody knows."""
        lints, whole_file = dict(self.package.lints), Origin(file, 0)
        own: list[Problem] = list(self.memory.input(("problems", file)) or ())
        lost = self.memory.get(orphan, file) if file in self.files() else None
        found = [publish(each, whole_file, self.locate, lints) for each in ([*own, lost] if lost else own)]
        for item, unused in self.memory.get(unused_items, file) if idle else ():
            found.append(publish(unused, self._origin(item, self._starts(file)[item]), self.locate, lints))
        gates = self.memory.get(gate_problems, None) if with_gates else {}
        found += [publish(each, Origin(file, start), self.locate, lints) for start, each in self._syntax(file)]
        missing = self.memory.get(lost_names, None)
        starts, by_gates = self._starts(file), self.memory.get(gates_at, file) if with_gates else ()
        for item in dict.fromkeys((*self.memory.get(faulty, file), *by_gates)):
            problems = told(once((*self.memory.get(item_problems, item), *gates.get(item, ()))), missing)
            origin = self._origin(item, starts[item])
            found += [publish(each, origin, self.locate, lints) for each in problems]
        listed = [each for each in found if each is not None]
        return sorted(listed, key=lambda each: (each.location.start, each.code, each.location.end, each.message))

    def _origin(self, item: ItemId, start: int) -> Origin:
        tree = program.tree(self, item)
        return Origin(item.file, start, insertion_point(tree) if tree is not None else 0)

    def _syntax(self, file: str) -> list[tuple[int, Problem]]:
        """The syntax problems of a file, each with the offset that it counts from."""
        document = self._documents.get(file)
        found = [] if document is None else [(document.starts[index], each) for index, each in document.problems]
        if not self.memory.input(("problems", file)):
            return found
        # A file that is not UTF-8 has said so: what stands in for its bytes is no second mistake.
        text = document.text if document is not None else ""
        return [(at, each) for at, each in found if text[at + each.start : at + each.end].strip("\ufffd")]

    def _entry_missing(self, root: str) -> list[Diagnostic]:
        """OE0103 at the place where a root module's file would be."""
        roots: Mapping[str, str] = self.memory.input("roots")
        missing = [(module, file) for module, file in roots.items() if file not in self.files() and module == root]
        problems = [(file, Problem("OE0103", 0, 0, args(name=module))) for module, file in missing]
        found = [publish(each, Origin(file, 0), self.locate, {}) for file, each in problems]
        return [each for each in found if each is not None]

    def broken_dependencies(self) -> Mapping[str, Diagnostic]:
        """The first error in each path dependency that has any, by its root module. Raises Cancelled."""
        with self.memory.lock:
            listed = ((each, self.files_of(each)) for each in self.dependencies)
            found = {
                package.module: [
                    *self._entry_missing(package.module),
                    *(each for file in files for each in self._file_diagnostics(file, True, True)),
                ]
                for package, files in listed
            }
        errors = {root: [each for each in listed if each.code[1:2] == "E"] for root, listed in found.items()}
        return {root: listed[0] for root, listed in errors.items() if listed}

    def exports(self, root: str) -> str:
        """A hash of what a dependency (by root module) promises to those that depend on it."""
        with self.memory.lock:
            return exports(self, root)

    def lost_preludes(self) -> tuple[tuple[int, str], ...]:
        """The entries of the package's prelude that lead to nothing, by number, each with the path that fails."""
        return self.ask(program.lost_preludes, None)

    def module(self) -> Module | None:
        """The lowered module; None while a diagnostic of severity error stands. Raises Cancelled."""
        with self.memory.lock, paused():
            if self.broken_dependencies() or self.lost_preludes():
                return None
            if any(each.severity == "error" for each in self.diagnostics()):
                return None
            return self.memory.get(whole.lowered, None)

    def inference(self, item: ItemId) -> Inference:
        """What checking one item yielded; empty for an item without a body."""
        return self.owner(item.file).ask(program.inference, item)

    def uses(self, item: ItemId) -> tuple[Use, ...]:
        """Every resolved occurrence of a name in one item."""
        return self.owner(item.file).ask(program.uses, item)

    def unit(self, item: ItemId) -> Unit | None:
        """One item with everything that its meaning rests on."""
        return self.owner(item.file).ask(whole.unit, item)

    def symbol(self, path: str) -> Symbol | None:
        """The first declaration under a canonical path; None when nothing declares it."""
        return next(iter(self.symbols_at(path)), None)

    def all_symbols(self) -> Mapping[str, tuple[Symbol, ...]]:
        """Everything that the package and its path dependencies declare, by canonical path."""
        return self.ask(program.symbol_index, None)

    # -- places --------------------------------------------------------------------------------------------------------

    def documents(self) -> Mapping[str, Document]:
        """The package's files, parsed."""
        return dict(self._documents)

    def text(self, file: str) -> str | None:
        """The text of a file of the package, a dependency or std; None when there is none."""
        document = self.owner(file)._documents.get(file)
        return None if document is None else document.text

    def tree(self, item: ItemId) -> Item | None:
        """One item's tree; None when there is no such item."""
        return program.tree(self.owner(item.file), item)

    def items(self, file: str) -> tuple[ItemId, ...]:
        """The items of a file in the order of the text."""
        return tuple(self.owner(file)._starts(file))

    def module_of(self, item: ItemId) -> str | None:
        """The module that an item stands in; None when none reaches it."""
        return self.owner(item.file).ask(program.module_of, item)

    def item_at(self, file: str, offset: int) -> tuple[ItemId, int] | None:
        """The item at an offset of a file, and the offset within it; None outside of the file."""
        starts = list(self.owner(file)._starts(file).items())
        index = bisect_right(starts, offset, key=lambda each: each[1]) - 1
        return (starts[index][0], offset - starts[index][1]) if index >= 0 else None

    def locate(self, place: Place) -> Location | None:
        """Where a place is now; None when its item is no more. The name of an item is found in its tree."""
        owner = self.owner(place.item.file)
        start = owner._starts(place.item.file).get(place.item)
        found = program.tree(owner, place.item)
        if start is None or found is None:
            return None
        own = name_span(found) if place.start == NAME_OF_ITEM else (place.start, place.end)
        return Location(place.item.file, start + own[0], start + own[1])

    def _starts(self, file: str) -> dict[ItemId, int]:
        """Where the items of a file begin, in the order of the text.

        Kept out of the queries: moving an item must change no remembered value.
        """
        known = self._places.get(file)
        if known is None:
            document = self._documents.get(file)
            ids = (shape.id for shape in self._shapes(file))
            known = {} if document is None else dict(zip(ids, document.starts, strict=True))
            self._places[file] = known
        return known
