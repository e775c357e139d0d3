"""Writes the files that follow from the grammar table; `--check` only says whether they are current.

Run as `python -m argon_lang.syntax.generate [--check]` from the root of the repository.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from argon_lang.syntax import generate_editors, generate_emacs, generate_snippets, generate_views

ROOT = Path(__file__).resolve().parents[2]

OUTPUTS: dict[str, Callable[[], str]] = {
    "argon_lang/syntax/kinds.py": generate_views.kinds_module,
    "argon_lang/syntax/nodes.py": generate_views.nodes_module,
    "editors/vscode/syntaxes/argon.tmLanguage.json": generate_editors.textmate,
    "editors/vscode/language-configuration.json": generate_editors.language_configuration,
    "editors/vscode/snippets/argon.json": generate_snippets.snippets,
    "editors/emacs/argon-tokens.el": generate_emacs.emacs_tokens,
    "editors/neovim/syntax/argon.vim": generate_editors.vim_syntax,
    "docs/keywords.md": generate_editors.keywords_page,
}
"""Path of each generated file, and what it must contain."""


def stale(root: Path = ROOT) -> list[str]:
    """The generated files that differ from what the table gives."""
    return [
        path
        for path, content in OUTPUTS.items()
        if not (root / path).is_file() or (root / path).read_text(encoding="utf-8") != content()
    ]


def write(root: Path = ROOT) -> list[str]:
    """Bring every generated file up to date; returns the paths that changed."""
    changed = stale(root)
    for path in changed:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(OUTPUTS[path](), encoding="utf-8", newline="\n")
    return changed


def main(arguments: list[str]) -> int:
    """Entry point: 0 when all is current (or was written), 1 when `--check` found drift."""
    if "--check" in arguments:
        drifted = stale()
        sys.stdout.writelines(f"out of date: {path} (run python -m argon_lang.syntax.generate)\n" for path in drifted)
        return 1 if drifted else 0
    sys.stdout.writelines(f"written: {path}\n" for path in write())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
