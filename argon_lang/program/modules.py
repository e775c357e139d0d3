"""The module tree: which files `mod` reaches, and which module each item stands in (language.md §2).

Built from what items declare (`declare.Declared`) and from nothing else, so that it stays as it is while bodies change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from posixpath import dirname

from argon_lang.problems import ItemId
from argon_lang.program.declare import Declared
from argon_lang.program.model import Visibility


@dataclass(frozen=True, slots=True)
class Shape:
    """One item of a file without its text: `inner` names the inline modules around it, outermost first.

    `skipped` items stand in a body that has no meaning in this version (a standpoint's).
    """

    id: ItemId
    inner: tuple[str, ...]
    declared: Declared
    skipped: bool = False


@dataclass(frozen=True, slots=True)
class Module:
    """A module: `path` is canonical, `file` and `inner` say where its items stand, `declared_by` which `mod` opens it.

    `shapes` are its own items in the order of the text; those of its submodules are not among them. `file` is empty
    when the `mod` found none: whatever is sought in such a module counts as found, for the fault is reported already.
    """

    path: str
    parent: str | None
    file: str
    inner: tuple[str, ...]
    visibility: Visibility
    declared_by: ItemId | None
    shapes: tuple[Shape, ...]


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
    around: list[tuple[str, bool]] = []
    seen: dict[str, int] = {}
    for each in declared:
        if each.closes and around:
            around.pop()
        label = "::".join((*(name for name, _ in around), each.label))
        ordinal = seen[label] = seen.get(label, -1) + 1
        inner = tuple(name for name, skipped in around if not skipped)
        found.append(Shape(ItemId(file, label, ordinal), inner, each, any(skipped for _, skipped in around)))
        if each.opens in ("inline", "skipped"):
            around.append((each.name or "?", each.opens == "skipped"))
    return tuple(found)


@dataclass(slots=True)
class _Walk:
    """The state of one walk over the files."""

    shapes: Shapes
    modules: dict[str, Module] = field(default_factory=dict)
    faults: list[ModuleFault] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)

    def open(self, path: str, parent: str | None, file: str, visibility: Visibility, by: ItemId | None) -> None:
        """Read a file as module `path`, and everything that it reaches."""
        self.files[file] = path
        self._level(path, parent, file, (), visibility, by, self.shapes(file) or ())

    def _level(
        self, path: str, parent: str | None, file: str, inner: tuple[str, ...], visibility: Visibility,
        by: ItemId | None, all_shapes: tuple[Shape, ...],
    ) -> None:  # fmt: skip
        """Make one module of the items directly inside `inner`; several inline bodies of one name are one module."""
        if path in self.modules:
            return
        own = tuple(s for s in all_shapes if s.inner == inner and not s.skipped)
        module = self.modules[path] = Module(path, parent, file, inner, visibility, by, own)
        for shape in own:
            if shape.declared.kind == "module" and shape.declared.name is not None:
                self._submodule(module, shape, all_shapes)

    def _submodule(self, module: Module, shape: Shape, all_shapes: tuple[Shape, ...]) -> None:
        name, visibility = shape.declared.name or "_", shape.declared.visibility
        path = f"{module.path}::{name}"
        if shape.declared.opens == "inline":
            inner = (*module.inner, name)
            self._level(path, module.path, module.file, inner, visibility, shape.id, all_shapes)
        elif path not in self.modules:
            self._open_file(path, module, shape, name)

    def _open_file(self, path: str, module: Module, shape: Shape, name: str) -> None:
        """Open `x.ar` or `x/mod.ar` beside the declaring file. An unopened module is empty, and still a module."""
        looked = candidates(module.file, name)
        file = next((each for each in looked if self.shapes(each) is not None), None)
        if file is None:
            self.faults.append(ModuleFault(shape.id, name, looked=looked))
        elif file in self.files:
            self.faults.append(ModuleFault(shape.id, name, cycle=self._chain(module.file, file)))
        else:
            self.open(path, module.path, file, shape.declared.visibility, shape.id)
            return
        self.modules[path] = Module(path, module.path, "", (), shape.declared.visibility, shape.id, ())

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
        walk.open(path, None, file, "public", None)
    return ModuleTree(walk.modules, tuple(walk.faults), tuple(sorted(walk.files)))
