"""The module tree: which files `mod` reaches, and which module each item stands in (language.md §2).

Built from what items declare (`declare.Declared`) and from nothing else, so that it stays as it is while bodies change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from posixpath import dirname

from argon_lang.problems import ItemId
from argon_lang.program.declare import Declared
from argon_lang.program.model import Visibility
from argon_lang.quick import quick


@quick
@dataclass(frozen=True, slots=True)
class Shape:
    """One item of a file without its text: `inner` names the modules and standpoints around it, outer ones first."""

    id: ItemId
    inner: tuple[str, ...]
    declared: Declared


@dataclass(frozen=True, slots=True)
class Module:
    """A module: `path` is canonical, `file` and `inner` say where its items stand, `declared_by` which `mod` opens it.

    A standpoint is one too, for the names of its items; it is declared and opened by any number of items. `shapes`
    are its own items in the order of the text; those of its submodules are not among them. `file` is empty when the
    `mod` found none: whatever is sought in such a module counts as found, for the fault is reported already.
    """

    path: str
    parent: str | None
    file: str
    inner: tuple[str, ...]
    visibility: Visibility
    declared_by: ItemId | None
    shapes: tuple[Shape, ...]
    standpoint: bool = False


@dataclass(frozen=True, slots=True)
class ModuleFault:
    """A `mod` that opens no file (`looked` lists where it was sought) or an open one (`cycle` lists the files)."""

    item: ItemId
    name: str
    looked: tuple[str, ...] = ()
    cycle: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ModuleTree:
    """Modules by path, parents first; `faults` of `mod` items; the `files` that are reached."""

    modules: Mapping[str, Module]
    faults: tuple[ModuleFault, ...]
    files: tuple[str, ...]


Shapes = Callable[[str], tuple[Shape, ...] | None]
"""The shapes of a file; None when there is no such file."""


def shapes(file: str, declared: Iterable[Declared]) -> tuple[Shape, ...]:
    """Number the items of one file and find the inline modules around each."""
    found: list[Shape] = []
    around: list[str] = []
    seen: dict[str, int] = {}
    for each in declared:
        if each.closes and around:
            around.pop()
        label = "::".join((*around, each.label))
        ordinal = seen[label] = seen.get(label, -1) + 1
        found.append(Shape(ItemId(file, label, ordinal), tuple(around), each))
        if each.opens == "inline":
            around.append(each.name or "?")
    return tuple(found)


def with_known(known: Iterable[Shape], fresh: Iterable[Shape]) -> tuple[Shape, ...]:
    """`fresh` shapes, each the known object where it is the same, and with the known id where only that is."""
    by_id = {shape.id: shape for shape in known}
    return tuple(_known(by_id.get(shape.id), shape) for shape in fresh)


def _known(known: Shape | None, fresh: Shape) -> Shape:
    if known is None or known == fresh:
        return known or fresh
    return replace(fresh, id=known.id)


@dataclass(slots=True)
class _Walk:
    """The state of one walk over the files. `waiting` holds the modules still to be opened, the next one last."""

    shapes: Shapes
    modules: dict[str, Module] = field(default_factory=dict)
    faults: list[ModuleFault] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    waiting: list[tuple[Module, Shape]] = field(default_factory=list)
    by_inner: dict[str, dict[tuple[str, ...], tuple[Shape, ...]]] = field(default_factory=dict)

    def root(self, path: str, file: str) -> None:
        """Read a root module and everything that it reaches; with a stack, for modules may nest deeply."""
        self.files[file] = path
        self._add(Module(path, None, file, (), "public", None, ()))
        while self.waiting:
            self._submodule(*self.waiting.pop())

    def _add(self, module: Module) -> None:
        """Give a module the items directly inside it; its submodules wait, the first in the text at the end."""
        own = self._grouped(module.file).get(module.inner, ())
        self.modules[module.path] = made = replace(module, shapes=own)
        inner = [s for s in own if s.declared.kind in ("module", "standpoint") and s.declared.name is not None]
        self.waiting.extend((made, shape) for shape in reversed(inner))

    def _grouped(self, file: str) -> dict[tuple[str, ...], tuple[Shape, ...]]:
        """The items of a file by the inline modules around them; several bodies of one name are one module."""
        known = self.by_inner.get(file)
        if known is None:
            lists: dict[tuple[str, ...], list[Shape]] = {}
            for shape in self.shapes(file) or ():
                lists.setdefault(shape.inner, []).append(shape)
            known = self.by_inner[file] = {inner: tuple(found) for inner, found in lists.items()}
        return known

    def _submodule(self, module: Module, shape: Shape) -> None:
        name, visibility = shape.declared.name or "_", shape.declared.visibility
        path = f"{module.path}::{name}"
        if path in self.modules:
            return
        if shape.declared.kind == "standpoint" or shape.declared.opens == "inline":
            inner, standpoint = (*module.inner, name), shape.declared.kind == "standpoint"
            self._add(Module(path, module.path, module.file, inner, visibility, shape.id, (), standpoint))
        else:
            self._open_file(path, module, shape, name)

    def _open_file(self, path: str, module: Module, shape: Shape, name: str) -> None:
        """Open `x.ar` or `x/mod.ar` beside the declaring file. An unopened module is empty, and still a module."""
        looked = candidates(module.file, name)
        file = next((each for each in looked if self.shapes(each) is not None), None)
        opened = Module(path, module.path, "", (), shape.declared.visibility, shape.id, ())
        if file is not None and file not in self.files:
            self.files[file] = path
            self._add(replace(opened, file=file))
            return
        cycle = self._chain(module.file, file) if file is not None else ()
        self.faults.append(ModuleFault(shape.id, name, looked=() if cycle else looked, cycle=cycle))
        self.modules[path] = opened

    def _chain(self, start: str, file: str) -> tuple[str, ...]:
        """The files from `file` down to `start` and back to `file`; the two alone when `start` is not below `file`."""
        chain, path = [start], self.files[start]
        while path != self.files[file]:
            parent = self.modules[path].parent
            if parent is None:
                return (file, start, file)
            path = parent
            if self.modules[path].file != chain[-1]:
                chain.append(self.modules[path].file)
        return (*reversed(chain), file)


def candidates(file: str, name: str) -> tuple[str, str]:
    """Where `mod name;` in `file` looks for its file, in this order."""
    folder = dirname(file)
    prefix = f"{folder}/" if folder else ""
    return f"{prefix}{name}.ar", f"{prefix}{name}/mod.ar"


def module_tree(roots: Mapping[str, str], shapes_of: Shapes) -> ModuleTree:
    """The tree below `roots` (module path → entry file, `{"pkg": "lease/root.ar"}`). Absent entries are empty."""
    walk = _Walk(shapes_of)
    for path, file in roots.items():
        walk.root(path, file)
    return ModuleTree(walk.modules, tuple(walk.faults), tuple(sorted(walk.files)))
