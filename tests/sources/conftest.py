from collections.abc import Callable

import pytest

from citelsp.sources.ask_services import Sources
from citelsp.sources.client import Client
from citelsp.sources.shared_pace import Limits
from function_network import QUICK, Web, local


@pytest.fixture
async def asking(tmp_path):
    """asking(handler, **settings) → (Client, Web), closed after the test; mirrors on this machine are not spaced."""
    opened = []

    def start(handler: Callable, **settings):
        web = Web(handler)
        client = Client(local(**settings), Limits(tmp_path / "limits.sqlite"), web, QUICK)
        opened.append(client)
        return client, web

    yield start
    for client in opened:
        await client.aclose()


@pytest.fixture
async def sources(tmp_path):
    """sources(handler, **settings) → (Sources, Web)"""
    opened = []

    def start(handler: Callable, **settings):
        web = Web(handler)
        found = Sources(local(**settings), directory=tmp_path, transport=web)
        found.client.retry = QUICK
        opened.append(found)
        return found, web

    yield start
    for found in opened:
        await found.aclose()
