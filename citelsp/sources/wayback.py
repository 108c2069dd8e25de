"""The Internet Archive: copies of pages that are gone."""

import re

from citelsp.sources.client import Client
from citelsp.sources.http_request import Ask
from citelsp.sources.http_response import Reply
from citelsp.sources.service_specs import Spec
from citelsp.sources.shape import dig, obj, text

SPEC = Spec("wayback", "https://archive.org", interval=1.0, attempts=2)

_STAMP = re.compile(r"\d{14}")


async def find_archived_copy(client: Client, url: str) -> str:
    """Ask for the date and time of the Internet Archive's newest copy, as 14 digits; "" if there is none, or no answer.

    {"archived_snapshots": {"closest": {"available": true, "status": "200", "timestamp": "20190502101500"}}}
    """
    # The answer holds the copy closest to a moment; asked without one, the newest.
    reply = await client.ask(Ask("wayback", "/wayback/available", (("url", url),)))
    if not isinstance(reply, Reply):
        return ""
    closest = obj(dig(reply.data, "archived_snapshots", "closest"))
    moment = text(closest.get("timestamp"))
    is_page = closest.get("available") is True and text(closest.get("status")) == "200"
    return moment if is_page and _STAMP.fullmatch(moment) else ""
