"""The dirty policy (artifact.md §3): what answers when the sources changed since the build.

Decided before any store transaction: `build` makes the artifact current first, `refuse` answers `DIRTY_WORKSPACE` or
`NO_ARTIFACT`, `serve-stale` serves the artifact that is there.
"""

from __future__ import annotations

from dataclasses import dataclass

from argon_lang.artifact.decode import decode
from argon_lang.errors import ArgonError
from argon_lang.problems import Note, args
from argon_lang.runtime.served import Served
from argon_lang.workspace.build import BuildResult, Stamp

_OF_ARTIFACTS = "OE12"


@dataclass(frozen=True, slots=True)
class Active:
    """The module that answers, and the digest of the inputs that it was compiled from."""

    served: Served
    inputs_digest: str


def builds_first(policy: str, *, dirty: bool, stamp: Stamp | None, artifact: str) -> bool:
    """Is there to be a build before the answer? Otherwise the artifact serves, whose stamp is None where none is whole.

    Raises `DIRTY_WORKSPACE`, `NO_ARTIFACT`.
    """
    if dirty and policy == "build":
        return True
    if stamp is None:
        raise no_artifact(artifact)
    if dirty and policy == "refuse":
        raise dirty_workspace()
    return False


def loaded(data: bytes) -> Active:
    """The module of an artifact. Raises ArgonError for one that cannot be read."""
    artifact = decode(data)
    return Active(Served.of(artifact.whole, artifact.module_hash), artifact.inputs_digest)


def builds_anew(policy: str, error: ArgonError) -> bool:
    """Is the error that an artifact, whole as it is, has no form that this argon reads, and the policy to build?

    Then another argon wrote it under the same version.
    """
    return policy == "build" and error.code.startswith(_OF_ARTIFACTS)


def no_artifact(path: str) -> ArgonError:
    """`NO_ARTIFACT` at a path relative to the root."""
    return ArgonError("NO_ARTIFACT", args(path=path), retryable=True, notes=(Note("build"),))


def dirty_workspace() -> ArgonError:
    """`DIRTY_WORKSPACE`: the sources changed since the build."""
    return ArgonError("DIRTY_WORKSPACE", retryable=True, notes=(Note("build"),))


def gates_failed(result: BuildResult) -> ArgonError:
    """`DIRTY_WORKSPACE` for sources that do not build, with the codes under `details`."""
    found = result.compiled.diagnostics if result.compiled is not None else ()
    codes = sorted({each.code for each in found if each.severity == "error"})
    return ArgonError(
        "DIRTY_WORKSPACE",
        details={"diagnosticCodes": codes},
        retryable=True,
        notes=(Note("gates", args(candidates=", ".join(codes))),),
    )
