"""Servers over real pipes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lsp.packages import lease
from tests.support.lsp_client import Client


@pytest.fixture
def client() -> Iterator[Client]:
    """A server that nobody has greeted yet."""
    with Client() as found:
        yield found


@pytest.fixture
def greeted(client: Client) -> Client:
    """A server without a workspace."""
    client.initialize()
    return client


@pytest.fixture
def lease_root(tmp_path: Path) -> Path:
    """A copy of the lease example."""
    return lease(tmp_path)
