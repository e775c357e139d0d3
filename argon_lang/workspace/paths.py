"""Whether a path argument lies in the project: one pure function, the same rules on every surface.

An argument may be relative, absolute or a `file:` URI, with the separators and drives of its system. It lies in the
root when, after symlinks, `..` and the system's notion of equal names, its leading parts are the root's. The function
touches no disk: the caller hands it the system's rules (`posixpath` or `ntpath`) and a `realpath`, so that a table of
cases for both systems runs on either.
"""

from __future__ import annotations

import ntpath
import os
import posixpath
import sys
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from urllib.parse import unquote, urlsplit

from argon_lang.errors import ArgonError
from argon_lang.problems import Note, args

Realpath = Callable[[str], str]
"""Resolves the symlinks of an absolute path, part by part from the left; parts that do not exist stay as they are."""

_NT_VERBATIM = "\\\\?\\"
_NT_DEVICE = "\\\\.\\"


def _exactly(name: str) -> str:
    return name


def _without_case(name: str) -> str:
    return name.casefold()


def _without_case_and_form(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


@dataclass(frozen=True, slots=True)
class PathStyle:
    """How one system reads paths. `same` maps a name to a key that is equal for names of one and the same file."""

    rules: ModuleType
    same: Callable[[str], str]


POSIX = PathStyle(posixpath, _exactly)
"""Linux and its kin: names are equal when their code points are."""

MACOS = PathStyle(posixpath, _without_case_and_form)
"""macOS: names are equal whatever their case and Unicode normal form."""

WINDOWS = PathStyle(ntpath, _without_case)
"""Windows: drives, UNC shares, both slashes; names are equal whatever their case."""


def host_style() -> PathStyle:
    """The style of the system that this process runs on."""
    if os.name == "nt":
        return WINDOWS
    return MACOS if sys.platform == "darwin" else POSIX


def path_in_project(
    argument: str, *, root: str, base: str, style: PathStyle | None = None, realpath: Realpath = os.path.realpath
) -> str:
    """The path of `argument` relative to `root`, with `/` between its parts; `.` for the root itself.

    `root` and `base` are absolute paths of the system; a relative argument counts from `base`. Raises ArgonError
    `ARGON_PATH_OUTSIDE_PROJECT` for a path that does not lie in the root, and for one that names no file at all.
    """
    style = style or host_style()
    wanted = _local_path(argument, style.rules)
    if wanted is None:
        raise _outside(argument, root)
    inside = _parts(realpath(style.rules.join(base, wanted)), style.rules)
    outer = _parts(realpath(root), style.rules)
    if inside is None or outer is None or not _starts_with(inside, outer, style.same):
        raise _outside(argument, root)
    return "/".join(inside[len(outer) :]) or "."


def _outside(argument: str, root: str) -> ArgonError:
    return ArgonError(
        "ARGON_PATH_OUTSIDE_PROJECT",
        args(path=argument),
        details={"path": argument, "root": root},
        notes=(Note("root", args(root=root)),),
    )


def _local_path(argument: str, rules: ModuleType) -> str | None:
    """The argument as a path of the system; None when it is a URI or name that no file can have."""
    if argument[:5].lower() == "file:":
        argument = _path_of_uri(argument, rules) or "\0"
    if "\0" in argument or any("\ud800" <= letter <= "\udfff" for letter in argument):
        return None
    if rules is not ntpath:
        return argument
    argument = argument.replace("/", "\\")
    if argument.startswith(_NT_DEVICE):
        return None
    if argument[:8].upper() == _NT_VERBATIM + "UNC\\":
        return "\\\\" + argument[8:]
    return argument.removeprefix(_NT_VERBATIM)


def _path_of_uri(uri: str, rules: ModuleType) -> str | None:
    """The path that a `file:` URI names; None when its host or its escapes name nothing here."""
    try:
        split = urlsplit(uri)
        path = unquote(split.path, errors="strict")
        host = "" if split.netloc.lower() == "localhost" else unquote(split.netloc, errors="strict")
    except ValueError:
        return None
    if split.query or split.fragment or not path.startswith("/"):
        return None
    if rules is not ntpath:
        return None if host else path
    if host:
        return f"//{host}{path}"
    has_drive = path[2:3] == ":"
    return path[1:] if has_drive else None


def _parts(path: str, rules: ModuleType) -> tuple[str, ...] | None:
    """Drive and names of an absolute path without `.` and `..`; None when it is not absolute or not a plain name."""
    drive, rest = rules.splitdrive(rules.normpath(path))
    if not rest.startswith(rules.sep) and not drive.startswith(rules.sep * 2):
        return None
    names = tuple(name for name in rest.split(rules.sep) if name)
    if rules is ntpath and any(not name.strip(". ") for name in names):
        return None
    return (drive, *names) if drive else ("", *names)


def _starts_with(path: tuple[str, ...], root: tuple[str, ...], same: Callable[[str], str]) -> bool:
    return len(path) >= len(root) and all(same(mine) == same(its) for mine, its in zip(path, root, strict=False))
