"""`argon new` and `argon init`: a package that passes check, test and build at once. Nothing is ever overwritten."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from importlib import resources
from pathlib import Path

from argon_lang.errors import ArgonError
from argon_lang.problems import Note, args
from argon_lang.workspace.manifest import MANIFEST, is_package_name
from argon_lang.workspace.writing import unwritable

ENTRY = "root.ar"
_KEPT = frozenset({".gitignore", ".gitattributes"})
"""Files that a folder may have before it becomes a package; they are then left alone."""

_MANIFEST_TEXT = """\
[package]
name = "{name}"
version = "0.1.0"
entry = "root.ar"
prelude = ["std::core::{{type, rel}}"]
"""
_GITIGNORE = "target/\n.argon/\n"
_GITATTRIBUTES = "*.ar text eol=lf\n"


def create(name: str, under: Path) -> tuple[str, ...]:
    """Make the package `name` in a folder of that name, absent or empty; the paths in it of what was written.

    Raises ArgonError `ARGON_ALREADY_EXISTS`, `ARGON_NAME_INVALID` (with a suggestion) or `ARGON_TARGET_UNWRITABLE`, and
    then nothing is left behind.
    """
    _check_name(name)
    folder = under / name
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise _exists(name)
    return _write_package(folder, name)


def init_package(folder: Path, name: str | None = None) -> tuple[str, ...]:
    """Make a package of an existing folder, beside the files that it holds; raises as `create` does."""
    name = folder.resolve().name if name is None else name
    _check_name(name)
    for path in (MANIFEST, ENTRY):
        if (folder / path).exists():
            raise _exists(path)
    return _write_package(folder, name)


def suggested_name(wanted: str) -> str:
    """The nearest name that a package may have."""
    return re.sub(r"[\W_]*-[\W_]*|[^\w-]+", "_", wanted.strip()).strip("_-0123456789") or "my_package"


def _check_name(name: str) -> None:
    if not is_package_name(name):
        suggestion = suggested_name(name)
        raise ArgonError(
            "ARGON_NAME_INVALID",
            args(name=name),
            details={"name": name, "suggestion": suggestion},
            notes=(Note("rule"), Note("suggest", args(suggestion=suggestion))),
        )


def _write_package(folder: Path, name: str) -> tuple[str, ...]:
    texts = _package_files(name)
    return _write_all(
        folder, {path: texts[path] for path in texts if path not in _KEPT or not (folder / path).exists()}
    )


def _package_files(name: str) -> Mapping[str, str]:
    template = resources.files("argon_lang.workspace") / "template"
    return {
        MANIFEST: _MANIFEST_TEXT.format(name=name),
        ENTRY: (template / ENTRY).read_text("utf-8"),
        ".gitignore": _GITIGNORE,
        ".gitattributes": _GITATTRIBUTES,
    }


def _write_all(folder: Path, texts: Mapping[str, str]) -> tuple[str, ...]:
    """All of the files or none; a file that appeared meanwhile is a refusal too."""
    made = not folder.exists()
    written: list[Path] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in texts.items():
            with open(folder / path, "x", encoding="utf-8", newline="\n") as file:
                written.append(folder / path)
                file.write(text)
    except OSError as error:
        _take_back(folder, written, made)
        if isinstance(error, FileExistsError):
            raise _exists(Path(error.filename or folder).name) from error
        raise unwritable(folder.name, error) from error
    return tuple(texts)


def _take_back(folder: Path, written: list[Path], made: bool) -> None:
    with suppress(OSError):
        for path in written:
            path.unlink()
        if made:
            folder.rmdir()


def _exists(path: str) -> ArgonError:
    return ArgonError("ARGON_ALREADY_EXISTS", args(path=path), details={"path": path}, notes=(Note("elsewhere"),))
