"""Versions of the lease example that all fit one store, and what a fresh check and build say of each combination."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from argon_lang.session.compiler import check_inputs, compile_inputs
from argon_lang.session.wire import check_report
from argon_lang.workspace.sources import inputs_of
from tests.support.served_packages import EXAMPLES

Json = Any
ROOT, WORLD, PARTIES = "root.ar", "world.ar", "parties.ar"
PLAIN = "plain"

VERSIONS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    ROOT: {
        PLAIN: ("", ""),
        "remark": ("/// The fee for paying", "// A remark moves what follows.\n\n/// The fee for paying"),
        "fee": ("amount * 0.05", "amount * 0.07"),
        "more": ("/// Every tenant in arrears.", "/// Everyone.\npub query people() -> Person;\n\n/// In arrears."),
        "typo": ("    in_arrears(t),\n", "    in_arears(t),\n"),
        "torn": ("late_payers() -> in_arrears;", "late_payers() -> in_arrears"),
    },
    WORLD: {
        PLAIN: ("", ""),
        "may": (
            "fact Invoice(march)",
            "fact Invoice(may) { payer: dan, amount: 9.00, due: #2026-05-03# };\n\n"
            'fact Tenant(dan) { name: "Dan" };\n\nfact Invoice(march)',
        ),
        "clash": ('name: "Ben"', "name: 5"),
    },
    PARTIES: {
        PLAIN: ("", ""),
        "remark": ("/// Someone who can sign.", "// Äffin 🐒 \U0001f412\n/// Someone who can sign."),
        "twice": ("    Inner,\n", "    Inner,\n    Inner,\n"),
    },
}
"""By file and version: the words of the example that are replaced, and by what."""

DECLARED_DEBTORS: Mapping[str, tuple[str, ...]] = {PLAIN: (), "may": ("dan",), "clash": ()}
"""Tenants in arrears by a version of `world.ar`, beside Ada while March is open."""


@dataclass(frozen=True, slots=True)
class State:
    """The version of each file that changes."""

    root: str = PLAIN
    world: str = PLAIN
    parties: str = PLAIN

    def version(self, file: str) -> str:
        """The version of a file."""
        return str(getattr(self, file.removesuffix(".ar")))

    def having(self, file: str, version: str) -> State:
        """The same with another version of one file."""
        return replace(self, **{file.removesuffix(".ar"): version})

    def text(self, file: str) -> str:
        """The text of a file in its version."""
        return text_of(file, self.version(file))


@cache
def text_of(file: str, version: str) -> str:
    """The text of one version of a file."""
    old, new = VERSIONS[file][version]
    plain = (EXAMPLES / "lease" / file).read_text("utf-8")
    assert old in plain
    return plain.replace(old, new, 1)


@dataclass(frozen=True, slots=True)
class Judged:
    """What a check and a build from nothing say of a state; `module_hash` is None where a gate refuses."""

    inputs_digest: str
    diagnostics: tuple[Json, ...]
    module_hash: str | None

    @property
    def codes(self) -> set[str]:
        """The codes of the errors."""
        return {each["code"] for each in self.diagnostics if each["severity"] == "error"}

    def of(self, file: str) -> list[Json]:
        """The diagnostics of one file, in order."""
        return [each for each in self.diagnostics if each["span"]["file"] == file]


@cache
def judged(state: State) -> Judged:
    """Check and build a state anew, from its texts alone."""
    folder = EXAMPLES / "lease"
    texts = {path.name: path.read_text("utf-8") for path in [folder / "ox.toml", *folder.glob("*.ar")]}
    inputs = inputs_of(texts | {file: state.text(file) for file in VERSIONS})
    report = check_report(check_inputs(inputs)).dump()
    return Judged(inputs.digest, tuple(report["diagnostics"]), compile_inputs(inputs).module_hash)
