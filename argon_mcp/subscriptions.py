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


class Publisher:
    """Publishes on the bus of `subscriptions/listen`, and to the sessions of `resources/subscribe`."""

    def __init__(self) -> None:
        self.bus = InMemorySubscriptionBus()
        self._subscribed: dict[str, ServerSession] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def subscribe(self, uri: str, session: ServerSession) -> None:
        """Tell this client of changes of a resource; there is one client at a time."""
        self._subscribed[uri] = session

    def unsubscribe(self, uri: str) -> None:
        """Tell it no longer."""
        self._subscribed.pop(uri, None)

    def reloaded(self) -> None:
        """Another module serves. Called on the event loop."""
        task = asyncio.get_running_loop().create_task(self._publish())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _publish(self) -> None:
        for uri in PUBLISHED:
            await self.bus.publish(ResourceUpdated(uri=uri))
            session = self._subscribed.get(uri)
            if session is not None:
                await session.send_resource_updated(uri)
