"""`argon explain CODE`: the catalog's entry. `argon_lang.cli.entry` answers it without Typer; this is its help."""

from __future__ import annotations

from typing import Annotated

import typer

from argon_lang.cli.options import JsonFlag


def command(
    code: Annotated[str | None, typer.Argument(help="A code, its number, or its name.", metavar="CODE")] = None,
    json: JsonFlag = False,
    lang: Annotated[str, typer.Option("--lang", help="Language of the text.", metavar="LANG")] = "en",
    everything: Annotated[bool, typer.Option("--all", help="List every code.")] = False,
) -> int:
    """Explain a diagnostic or run-time code: what, why, an example, the fix."""
    from shared_catalog import fast

    words = [code] if code else []
    return fast.main([*words, *(["--json"] if json else []), *(["--all"] if everything else []), f"--lang={lang}"])
