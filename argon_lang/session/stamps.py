"""What an artifact says about itself, read without anything that compiles."""

from __future__ import annotations

from argon_lang.artifact.decode import stamp
from argon_lang.workspace.build import Stamp


def read_stamp(data: bytes) -> Stamp:
    """What an artifact says about itself. Raises ArgonError for bytes that are no whole artifact."""
    found = stamp(data)
    return Stamp(found.inputs_digest, found.module_hash)
