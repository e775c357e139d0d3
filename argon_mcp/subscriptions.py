"""Who is told when another module begins to serve: open listen streams of one era, subscribers of the other."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from mcp.server.subscriptions import InMemorySubscriptionBus, ResourceUpdated

from argon_mcp.resources import PUBLISHED

if TYPE_CHECKING:
    from mcp.server.session import ServerSession

log = logging.getLogger("argon.mcp")


MOST = 4_096
"""Subscriptions of the older era that are kept: a client over HTTP may go without a word, so the oldest end."""


class Publisher:
    """Publishes on the bus of `subscriptions/listen`, and to the sessions of `resources/subscribe`."""

    def __init__(self) -> None:
        self.bus = InMemorySubscriptionBus()
        self._subscribed: dict[tuple[str, str], ServerSession] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def subscribe(self, uri: str, client: str, session: ServerSession) -> None:
        """Tell a client of changes of a resource. `client` tells apart those that are served at once."""
        if uri in PUBLISHED:
            self._subscribed[uri, client] = session
        if len(self._subscribed) > MOST:
            del self._subscribed[next(iter(self._subscribed))]

    def unsubscribe(self, uri: str, client: str) -> None:
        """Tell it no longer."""
        self._subscribed.pop((uri, client), None)

    def reloaded(self) -> None:
        """Another module serves. Called on the event loop."""
        task = asyncio.get_running_loop().create_task(self._publish())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _publish(self) -> None:
        for uri in PUBLISHED:
            await self.bus.publish(ResourceUpdated(uri=uri))
        for (uri, _), session in list(self._subscribed.items()):
            await session.send_resource_updated(uri)
