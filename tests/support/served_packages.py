"""Packages on disk to serve: the lease example, small ones, and one whose only query never ends."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"
MANIFEST = '[package]\nname = "small"\nversion = "0.1.0"\nprelude = ["std::core::{type, rel}"]\n'

SMALL = """\
pub type Person { name: String }
fact Person(ann) { name: "Ann" };
fact Person(bob) { name: "Bob" };
pub rel knows(who: Person, whom: Person);
fact knows(ann, bob);
pub derive liked(p: Person) :- knows(_, p);
pub query everyone() -> [String] { select p.name from p: Person order by p.name }
pub query all_liked() -> liked;
pub mutate meet(a: Person, b: Person) { insert knows(a, b); }
pub mutate arrive(name: String) { insert Person { name: name }; }
"""

BROKEN = SMALL.replace("knows(_, p)", "nows(_, p)")
"""The same with a name that nothing has: OE0101."""


def lease(folder: Path) -> Path:
    """A copy of the lease example."""
    root = folder / "lease"
    shutil.copytree(EXAMPLES / "lease", root, ignore=shutil.ignore_patterns("target", ".argon"))
    return root


def package(folder: Path, text: str = SMALL, manifest: str = MANIFEST, **others: str) -> Path:
    """A package of one root source, and of others by module name."""
    root = folder / "small"
    root.mkdir()
    save(root / "ox.toml", manifest)
    for name, source in {"root": text, **others}.items():
        save(root / f"{name}.ar", source)
    return root


_PEOPLE = "\n".join(f"fact P(p{number}) {{ n: {number} }};" for number in range(60))
_JOIN = f"{', '.join(f'{name}: P' for name in 'abcdefgh')}, {' + '.join(f'{name}.n' for name in 'abcdefgh')} < 0"
"""A body that joins for hours in little memory, and never holds."""


def endless_check(folder: Path) -> Path:
    """A package whose declared facts are checked for as long as the checker allows."""
    report = 'Diagnostic { severity: Severity::Error, message: "never" }'
    text = f"use std::core::{{Diagnostic, Severity}};\npub type P {{ n: Int }}\n{_PEOPLE}\n"
    return package(folder, f"{text}check hit(a: P) :- {_JOIN} => {report};\n")


def endless(folder: Path) -> Path:
    """A package that is checked and built at once, and whose query joins for hours in little memory."""
    rule = f"pub derive hit(a: P) :- {_JOIN};"
    text = f"pub type P {{ n: Int }}\n{_PEOPLE}\n{rule}\npub query hits() -> hit;\n"
    text += "pub mutate add(n: Int) { insert P { n: n }; }\n"
    return package(folder, text, MANIFEST + "[limits]\ntimeoutMs = 36000000\nmaxRounds = 1000000000\n")


def save(path: Path, text: str) -> None:
    """Save as an editor does: a whole new file under the old name."""
    beside = path.with_name(f".{path.name}.new")
    beside.write_text(text, encoding="utf-8")
    os.replace(beside, path)
