"""The colours of the drawings: one family per sort of node, each by day and by night."""

from __future__ import annotations

from collections.abc import Mapping

COLOURS: Mapping[str, tuple[str, str, str, str]] = {
    "derived": ("#e8f5e9", "#2e7d32", "#16321a", "#81c784"),
    "base": ("#f1f8e9", "#7cb342", "#232f14", "#aed581"),
    "condition": ("#e3f2fd", "#1976d2", "#12283d", "#90caf9"),
    "absent": ("#ffebee", "#c62828", "#3d1516", "#ef9a9a"),
    "clause": ("#fff8e1", "#ff8f00", "#3a2c0c", "#ffd54f"),
    "way": ("#f5f5f5", "#9e9e9e", "#2a2a2a", "#9e9e9e"),
}
"""Fill and line by day, fill and line by night."""

_FAMILIES: Mapping[str, str] = {
    "derived": "derived",
    "asserted": "base",
    "declared": "base",
    "holds": "base",
    "negation": "condition",
    "aggregate": "condition",
    "builtin": "condition",
    "absent": "absent",
    "failed": "absent",
    "blocking": "absent",
    "refuted": "absent",
    "clause": "clause",
    "attempt": "way",
    "way": "way",
}


def family(kind: str) -> str:
    """Which colours a kind of node has."""
    return _FAMILIES[kind]


def rules(fill: str, line: str) -> str:
    """CSS of all families, by day and by night: `fill` and `line` are the properties that take the two colours."""
    day = [f".{name} {{ {fill}: {one}; {line}: {two}; }}" for name, (one, two, _, _) in COLOURS.items()]
    night = [f".{name} {{ {fill}: {one}; {line}: {two}; }}" for name, (_, _, one, two) in COLOURS.items()]
    return "\n".join([*day, "@media (prefers-color-scheme: dark) {", *night, "}"])


def xml_text(text: str) -> str:
    """Text that XML can hold, escaped; what it cannot hold becomes U+FFFD."""
    legal = "".join(each if _legal(ord(each)) else "\ufffd" for each in text)
    for plain, escaped in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        legal = legal.replace(plain, escaped)
    return legal


def _legal(code: int) -> bool:
    return code in (0x9, 0xA, 0xD) or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or code >= 0x10000
