"""What thousands of edits leave behind in memory: next to nothing."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from benchmarks.bench_lsp import MANIFEST, body_edit, resident
from benchmarks.generate_source import package as generated
from tests.support.lsp_client import Client

WARM = 200
PULLS = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}


def grown(client: Client, folder: Path, files: dict[str, str], edits: int) -> tuple[float, float]:
    """Megabytes after a few edits of one file, and after many; each with what an editor asks after it.

    Both are taken when everything is checked: a check that edits interrupt holds less than one that is done.
    """
    root = folder / "workspace"
    root.mkdir()
    (root / "ox.toml").write_text(MANIFEST, encoding="utf-8")
    for path, text in files.items():
        (root / path).write_text(text, encoding="utf-8")
    name = sorted(files)[len(files) // 2]
    uri, lines, chance = (root / name).as_uri(), files[name].split("\n"), random.Random(7)
    document, known, early = {"textDocument": {"uri": uri}}, "", 0.0
    client.initialize(root, capabilities=PULLS)
    client.open(uri, files[name])
    client.request("workspace/diagnostic", {"previousResultIds": []})
    for number in range(edits // 2):
        low, high, new = body_edit(lines, chance)
        for begin, end, written in ((low, high, new), (low, (low[0], low[1] + len(new)), "")):
            client.edit(uri, begin, end, written)
            asked = {**document, "previousResultId": known}
            known = client.request("textDocument/semanticTokens/full/delta", asked)["resultId"]
            client.request("textDocument/diagnostic", document)
        if number == min(WARM, edits // 2) // 2:
            client.request("workspace/diagnostic", {"previousResultIds": []})
            early = resident(client)
    client.request("workspace/diagnostic", {"previousResultIds": []})
    return early, resident(client)


@pytest.mark.long
def test_two_thousand_edits_of_a_large_workspace_leave_memory_as_it_was(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.support.lsp_client.PATIENCE", 600.0)
    early, late = grown(client, tmp_path, dict(generated()), 2_000)
    assert late < early * 1.1, f"from {early:.0f} MB to {late:.0f} MB"


def test_two_hundred_edits_of_a_small_package_leave_memory_as_it_was(client: Client, tmp_path: Path) -> None:
    early, late = grown(client, tmp_path, dict(generated(3, 100)), 200)
    assert late < early * 1.2, f"from {early:.0f} MB to {late:.0f} MB"
