"""Counts what a question costs on the way to a server: requests, and round trips, in which several are out at once."""

import asyncio

import httpx

_TURNS = 10  # of the event loop, in which requests that go out together have begun


class Trips(httpx.AsyncBaseTransport):
    """Another transport; a round trip begins if no other request is out."""

    def __init__(self, network: httpx.AsyncBaseTransport) -> None:
        self._network = network
        self.requests = self.trips = self._out = 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.requests += 1
        self.trips += not self._out
        self._out += 1
        try:
            for _ in range(_TURNS):  # an imitation answers at once, a network never does
                await asyncio.sleep(0)
            return await self._network.handle_async_request(request)
        finally:
            self._out -= 1
