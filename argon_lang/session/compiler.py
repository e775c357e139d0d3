"""Saved (or overlaid) inputs to diagnostics and artifact: the loud gate as every front end runs it."""

from __future__ import annotations

from collections.abc import Mapping

from argon_lang.artifact.decode import stamp
from argon_lang.artifact.encode import encode
from argon_lang.problems import Diagnostic, Problem
from argon_lang.queries.collector import collect_again
from argon_lang.queries.database import Database
from argon_lang.queries.publish import Origin, publish
from argon_lang.queries.snippet import renamed
from argon_lang.session.checked import Checked, texts_of
from argon_lang.session.trees import Trees
from argon_lang.workspace.build import Compiled
from argon_lang.workspace.dependencies import Packages, found_by_checking, pins
from argon_lang.workspace.manifest import MANIFEST
from argon_lang.workspace.pins import lock_text
from argon_lang.workspace.sources import Inputs


def compile_inputs(inputs: Inputs, trees: Trees | None = None) -> Compiled:
    """Gates, then encoding: a pure function of the inputs. `trees` spares parsing."""
    packages, database = database_of(inputs, trees, once=True)
    found = diagnostics_of(packages, database)
    module = database.module() if not any(each.severity == "error" for each in found) else None
    if module is None:
        return Compiled(found)
    data = encode(module, inputs.digest)
    return Compiled(found, data, stamp(data).module_hash, lock_of(packages, database))


def lock_of(packages: Packages, database: Database) -> bytes | None:
    """The `ox.lock` of a package without errors; None without dependencies."""
    return lock_text(pins(packages, database)) if packages.dependencies else None


def check_inputs(inputs: Inputs) -> Checked:
    """Everything that the gates say of the inputs."""
    packages, database = database_of(inputs, once=True)
    return Checked(diagnostics_of(packages, database), texts_of(inputs), inputs.digest)


def database_of(inputs: Inputs, trees: Trees | None = None, *, once: bool = False) -> tuple[Packages, Database]:
    """The package of some inputs, ready to be asked (`once`: and then forgotten), and the packages that it depends on.

    `trees` spares parsing.
    """
    collect_again()
    packages = inputs.packages()
    database = Database(packages.info, once=once)
    database.set_package(packages.info, packages.infos)
    for source in inputs.all_sources(packages):
        parsed = trees.parsed(source.file, source.text) if trees is not None else None
        database.set_file(source.file, source.text, source.problems, parsed)
    return packages, database


def diagnostics_of(
    packages: Packages, database: Database, *, gates: bool = True, known: tuple[Diagnostic, ...] | None = None
) -> tuple[Diagnostic, ...]:
    """The manifest's diagnostics, then the sources', names relative to the root; `gates` as the database has it.

    `known` are the sources' diagnostics, where they were found by other means.
    """
    lints = dict(database.package.lints)
    problems = (*packages.problems, *(found_by_checking(packages, database) if gates else ()))
    manifest = [_published(problem, lints) for problem in problems]
    sources = database.diagnostics(gates=gates) if known is None else known
    own = [renamed(each, packages.relative) for each in sources]
    return (*(each for each in manifest if each is not None), *own)


def _published(problem: Problem, lints: Mapping[str, str]) -> Diagnostic | None:
    return publish(problem, Origin(MANIFEST, 0), lambda _: None, lints)
