"""The packages that a package depends on by paths (artifact.md §1): found, ordered, and refused where they do not fit.

A pure function of the inputs: which bytes belong to which package follows from where manifests lie among them. What is
wrong with a dependency is told at its entry in the package's own `ox.toml`; the dependency's own mistakes are for those
who check it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from posixpath import join, normpath
from typing import TYPE_CHECKING, Any

from argon_lang.problems import Diagnostic, Note, Problem, args
from argon_lang.program.view import PackageInfo
from argon_lang.syntax.token_table import KEYWORDS
from argon_lang.workspace.manifest import MANIFEST, ManifestReading, package_info
from argon_lang.workspace.pins import Pin, mismatch
from argon_lang.workspace.root import manifest_of
from argon_lang.workspace.toml_places import toml_places

if TYPE_CHECKING:
    from argon_lang.queries.database import Database

RESERVED = frozenset(("pkg", "std", "self", "super", *(kind.spellings[0] for kind in KEYWORDS)))
"""Names that no path can begin with as the name of a package."""


@dataclass(frozen=True, slots=True)
class Dependency:
    """A package that is depended on, at any remove. `folder` is relative to the root, with `/`.

    `entry` is the name in the root's own `[dependencies]` by which it is reached.
    """

    info: PackageInfo
    folder: str
    entry: str
    reading: ManifestReading = field(repr=False)


@dataclass(frozen=True, slots=True)
class Packages:
    """A package and all that it depends on, by name; `problems` are those of its `ox.toml`, in order.

    `contents` are the hashes of the dependencies' bytes by name; `locked` is what `ox.lock` says, None when unreadable.
    """

    info: PackageInfo
    reading: ManifestReading
    dependencies: tuple[Dependency, ...] = ()
    problems: tuple[Problem, ...] = ()
    contents: Mapping[str, str] = field(default_factory=dict)
    locked: Mapping[str, Pin] | None = field(default_factory=dict)

    @property
    def infos(self) -> tuple[PackageInfo, ...]:
        """What the checker needs to know of the dependencies."""
        return tuple(each.info for each in self.dependencies)

    def relative(self, file: str) -> str:
        """The path of one of the checker's files, relative to the root; std's files keep their names."""
        name, _, rest = file.partition("/")
        if name == self.info.name:
            return rest
        found = next((each for each in self.dependencies if each.info.name == name), None)
        return join(found.folder, rest) if found is not None else file

    def of_entries(self, codes: Mapping[str, Problem]) -> tuple[Problem, ...]:
        """The problems of these entries of `[dependencies]`, each put at its value in the manifest."""
        places = toml_places(self.reading.text) if codes else {}
        spans = ((places[("dependencies", name)].value, each) for name, each in codes.items())
        return tuple(replace(each, start=span[0], end=span[1]) for span, each in spans)


@lru_cache(maxsize=256)
def dependency_folders(data: bytes, folder: str = "") -> tuple[str, ...]:
    """The folders that a manifest in `folder` names, relative to the root; nothing of what is no path there."""
    if b"dependencies" not in data:
        return ()
    try:
        table = tomllib.loads(data.decode("utf-8").removeprefix("\ufeff")).get("dependencies", {})
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError):
        return ()
    paths = [each["path"] for each in _tables(table) if isinstance(each.get("path"), str)]
    return tuple(inside(folder, path) for path in paths if is_relative(path))


def _tables(table: object) -> list[dict[str, Any]]:
    return [each for each in table.values() if isinstance(each, dict)] if isinstance(table, dict) else []


def is_relative(path: str) -> bool:
    """Is it a relative path with `/`, the same on every machine?"""
    return bool(path) and not path.startswith("/") and not set(path) & set("\\\0:")


def inside(folder: str, path: str) -> str:
    """A path written in a manifest of `folder`, relative to the root; the root itself is the empty one."""
    found = normpath(join(folder, path))
    return "" if found == "." else found


def folder_of(path: str, folders: Iterable[str]) -> str:
    """The innermost of the package folders that an input lies in."""
    return max((each for each in folders if each and path.startswith(f"{each}/")), key=len, default="")


def resolve(data: Mapping[str, bytes]) -> Packages:
    """The packages among some inputs (bytes by path relative to the root)."""
    reading = _read(data.get(MANIFEST))
    walk = _Walk(data, reading)
    info = package_info(reading.manifest)
    if info.name:
        info = replace(info, dependencies=walk.below("", reading, ("",)))
    found = tuple(sorted(walk.found.values(), key=lambda each: each.info.name))
    packages = Packages(info, reading, found)
    problems = (*reading.problems, *packages.of_entries(walk.problems))
    return replace(packages, problems=tuple(sorted(problems, key=lambda each: (each.start, each.code))))


@lru_cache(maxsize=64)
def _read(data: bytes | None) -> ManifestReading:
    return manifest_of(data)


@dataclass(slots=True)
class _Walk:
    """Dependencies by folder, and the problems by the entry of the root's manifest that leads to them."""

    data: Mapping[str, bytes]
    root: ManifestReading
    found: dict[str, Dependency] = field(default_factory=dict)
    problems: dict[str, Problem] = field(default_factory=dict)

    def below(self, folder: str, reading: ManifestReading, around: tuple[str, ...], entry: str = "") -> tuple[str, ...]:
        """The root modules of what the manifest in `folder` depends on; `around` are the folders on the way here."""
        modules = []
        for name, written in reading.manifest.dependencies.items():
            first = entry or name
            found = self._follow(name, folder, written.path, around, first)
            if isinstance(found, Problem):
                self.problems.setdefault(first, found)
            else:
                modules.append(found.info.module)
        return tuple(modules)

    def _follow(self, name: str, folder: str, path: str, around: tuple[str, ...], entry: str) -> Dependency | Problem:
        if not is_relative(path):
            return _form(name, path, Note("relative"))
        place = inside(folder, path)
        if place in around:
            return self._cycle(around[around.index(place) :])
        data = self.data.get(join(place, MANIFEST))
        reading = _read(data)
        if data is None:
            return _form(name, path, Note("missing", args(path=place)))
        if data == self.data.get(MANIFEST):
            # The root's own folder, reached from outside by a name that its inputs do not have.
            return self._cycle(around)
        wrong = self._misnamed(name, path, place, package_info(reading.manifest))
        if wrong is not None or place in self.found:
            return wrong or self.found[place]
        info = package_info(reading.manifest)
        # Entered before it is followed, so that of two packages with one name the nearer one counts.
        self.found[place] = Dependency(info, place, entry, reading)
        below = self.below(place, reading, (*around, place), entry)
        self.found[place] = found = Dependency(replace(info, dependencies=below), place, entry, reading)
        return found

    def _misnamed(self, name: str, path: str, place: str, info: PackageInfo) -> Problem | None:
        """OE1240 where a package cannot be called what it is called."""
        if info.name != name:
            return _form(name, path, Note("named", args(path=place, name=info.name or "?")))
        if info.module in RESERVED:
            return _form(name, path, Note("reserved", args(name=info.module)))
        own = package_info(self.root.manifest).module
        others = {own: "", **{each.info.module: at for at, each in self.found.items()}}
        if others.get(info.module, place) != place:
            return _form(name, path, Note("twice", args(name=name, path=others[info.module] or ".")))
        return None

    def _cycle(self, folders: tuple[str, ...]) -> Problem:
        names = [package_info(_read(self.data.get(join(each, MANIFEST))).manifest).name for each in folders]
        cycle = " → ".join((*names, names[0]))
        return Problem("OE1244", 0, 0, args(name=names[0], cycle=cycle), notes=(Note("extract"),))


def found_by_checking(packages: Packages, database: Database) -> tuple[Problem, ...]:
    """What is wrong in `ox.toml` by what the packages turn out to say. Raises Cancelled."""
    lost = tuple(_lost(packages, index, path) for index, path in database.lost_preludes())
    broken = database.broken_dependencies()
    return (*lost, *_in_error(packages, broken), *_not_as_locked(packages, database, broken))


def pins(packages: Packages, database: Database) -> tuple[Pin, ...]:
    """What each dependency is now."""
    return tuple(
        Pin(each.info.name, each.folder or ".", packages.contents[each.info.name], database.exports(each.info.module))
        for each in packages.dependencies
    )


def _not_as_locked(packages: Packages, database: Database, broken: Mapping[str, Diagnostic]) -> tuple[Problem, ...]:
    """OE1242 at the entries of dependencies that are not what was locked; nothing while one is in error."""
    if broken or packages.locked == {}:
        return ()
    found: dict[str, Problem] = {}
    for each, pin in zip(packages.dependencies, pins(packages, database), strict=True):
        problem = mismatch(pin, packages.locked)
        if problem is not None:
            found.setdefault(each.entry, problem)
    return packages.of_entries(found)


def _lost(packages: Packages, index: int, path: str) -> Problem:
    """OE0101 at an entry of the prelude."""
    place = toml_places(packages.reading.text)[("package", "prelude", index)]
    return Problem("OE0101", *place.value, args(kind="item", name=path))


def _in_error(packages: Packages, broken: Mapping[str, Diagnostic]) -> tuple[Problem, ...]:
    """OE1247 for each dependency in error (by root module, with its first error), or whose own manifest is."""
    found: dict[str, Problem] = {}
    for each in packages.dependencies:
        first = broken.get(each.info.module)
        slips = [problem.code for problem in each.reading.problems if problem.code[1:2] == "E"]
        if first is not None or slips:
            file = join(each.folder, MANIFEST) if slips or first is None else packages.relative(first.location.file)
            code = slips[0] if slips or first is None else first.code
            values = args(name=each.info.name, found=code, path=file)
            note = Note("check", args(path=each.folder))
            found.setdefault(each.entry, Problem("OE1247", 0, 0, values, notes=(note,)))
    return packages.of_entries(found)


def _form(name: str, path: str, note: Note) -> Problem:
    return Problem("OE1240", 0, 0, args(name=name, found=path), notes=(note,))
