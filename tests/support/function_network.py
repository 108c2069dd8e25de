"""A network made of functions: requests go to a handler, nothing leaves the process."""

import asyncio
import json

import httpx

from citelsp.base.settings import SERVICES, Service, Settings
from citelsp.sources.retry_after import Retry


class Web(httpx.AsyncBaseTransport):
    """Answers by `handler(request)`, a response or a coroutine of one; remembers what was asked."""

    def __init__(self, handler):
        self.handler = handler
        self.requests = []

    async def handle_async_request(self, request):
        await request.aread()
        self.requests.append(request)
        answer = self.handler(request)
        return await answer if asyncio.iscoroutine(answer) else answer

    def paths(self):
        return [request.url.path for request in self.requests]


def reply(data, status=200, **headers):
    return httpx.Response(status, content=json.dumps(data), headers={"content-type": "application/json"} | headers)


def page(text="<html><h1>hello</h1></html>", status=200):
    return httpx.Response(status, content=text, headers={"content-type": "text/html"})


QUICK = Retry(first=0.001, longest=0.05)


def local(**settings):
    """Settings in which every service is a mirror below http://127.0.0.1/NAME."""
    services = {name: Service(base_url=f"http://127.0.0.1/{name}") for name in SERVICES}
    services |= settings.pop("services", {})
    return Settings(services=services, **settings)
