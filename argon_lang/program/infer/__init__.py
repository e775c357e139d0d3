"""Inference: types and meanings of one item's body."""

from argon_lang.program.infer.entry import head_types, infer

__all__ = ["head_types", "infer"]
