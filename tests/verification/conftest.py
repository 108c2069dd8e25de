from collections.abc import Callable

import pytest

from citelsp.sources.ask_services import Sources
from function_network import QUICK, Web, local


@pytest.fixture
async def sources(tmp_path):
    """sources(handler) → (Sources, Web) over one cache"""
    opened = []

    def start(handler: Callable):
        web = Web(handler)
        found = Sources(local(), directory=tmp_path, transport=web)
        found.client.retry = QUICK
        opened.append(found)
        return found, web

    yield start
    for found in opened:
        await found.aclose()
