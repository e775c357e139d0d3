"""Servers over real pipes; one per module where a test leaves it as it found it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.mcp_client import Client
from tests.support.served_packages import lease, package


@pytest.fixture
def small_root(tmp_path: Path) -> Path:
    """A small package."""
    return package(tmp_path)


@pytest.fixture
def small(small_root: Path) -> Iterator[Client]:
    """A server of a small package."""
    with Client(small_root) as found:
        yield found


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A server of the lease example, for tests that only ask."""
    with Client(lease(tmp_path_factory.mktemp("shared"))) as found:
        yield found
