"""From a module to the bytes of its artifact: a pure function of its arguments."""

from __future__ import annotations

from argon_lang.artifact.layout import pack
from argon_lang.artifact.sections import sections_of
from argon_lang.ir.module import Module


def encode(module: Module, inputs_digest: str) -> bytes:
    """The `.oxbin` of a module. `inputs_digest` names the inputs that it was compiled from.

    Raises `argon_lang.ir.codec.CodecError` for a module that holds something else than the lowered program may.
    """
    return pack(sections_of(module), inputs_digest)
