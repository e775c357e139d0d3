"""Two packages in one editor: what one says of the other, where its items are, and that a save is seen across."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.lsp_client import Client, at

WORDS = "pub struct Street { name: String }\n"
HOUSES = "struct House { street: town::Street }\n"


@pytest.fixture
def houses(tmp_path: Path) -> Path:
    """The package that uses the one beside it."""
    for name, text in {
        "town/ox.toml": '[package]\nname = "town"\n',
        "town/root.ar": WORDS,
        "houses/ox.toml": '[package]\nname = "houses"\n[dependencies]\ntown = { path = "../town" }\n',
        "houses/root.ar": HOUSES,
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path / "houses"


def test_a_definition_leads_into_the_dependency_and_a_save_there_is_seen_here(client: Client, houses: Path) -> None:
    client.initialize(houses)
    uri, town = (houses / "root.ar").as_uri(), houses.parent / "town" / "root.ar"
    client.open(uri, HOUSES)
    assert client.diagnostics(uri, 1) == []
    found = client.request("textDocument/definition", at(uri, 0, 31))
    places = found if isinstance(found, list) else [found]
    assert [place.get("targetUri", place.get("uri")) for place in places] == [town.as_uri()]
    client.open(town.as_uri(), WORDS)
    town.write_text("struct Street { name: String }\n", encoding="utf-8")
    client.notify("textDocument/didSave", {"textDocument": {"uri": town.as_uri()}})
    client.codes_until(uri, ["OE0104"])
    town.write_text("pub struct Street { name: Strin }\n", encoding="utf-8")
    client.notify("textDocument/didSave", {"textDocument": {"uri": town.as_uri()}})
    client.codes_until((houses / "ox.toml").as_uri(), ["OE1247"])
