"""How long a service wants one to wait, as the headers of its answers say, and how long one does before a new try."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC

from citelsp.base import bounds
from citelsp.sources.shape import number

_SLOWEST = 60.0  # seconds between two requests that a service may ask for; more would be a closure
_MARGIN = 1.15  # as requests are not as far from each other when they arrive


@dataclass(frozen=True, slots=True)
class Retry:
    """How long one question may be insisted on: seconds."""

    first: float = 0.5  # before the second try, then doubled
    longest: float = 5.0  # a longer Retry-After closes the service instead

    def choose_delay(self, attempt: int, asked: float | None) -> float | None:
        """Return how long to wait before the next try; None if that is longer than one insists.

        `attempt` counts the tries, from 0; `asked`: the seconds that the service asked for, None if it said nothing.
        """
        delay = self.first * 2**attempt if asked is None else asked
        return delay if delay <= self.longest else None


def read_retry_after(headers: Mapping[str, str]) -> float | None:
    """Read the seconds to wait, at most bounds.SHUT, from a number or a date in Retry-After; None if it has neither."""
    value = headers.get("retry-after", "").strip()
    if value.replace(".", "", 1).isdigit() and value.isascii():
        return min(float(value), bounds.SHUT)
    from email.utils import parsedate_to_datetime

    try:
        moment = parsedate_to_datetime(value)
        in_zone = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        seconds = in_zone.timestamp() - time.time()
    except (ValueError, OverflowError):  # the latter of dates that no clock shows
        return None
    return min(max(0.0, seconds), bounds.SHUT)


def read_interval(headers: Mapping[str, str]) -> float | None:
    """Seconds between two requests, as Crossref announces them; None if the headers do not say.

    X-Rate-Limit-Limit: 5 requests in X-Rate-Limit-Interval: 1s.
    """
    # Crossref changed its limits twice within a year: what its headers say counts, not what was once written down.
    limit = number(headers.get("x-rate-limit-limit"))
    span = number(headers.get("x-rate-limit-interval", "").removesuffix("s"))
    if not limit or span is None or not 0 <= span / limit <= _SLOWEST:
        return None
    return span / limit * _MARGIN


def budget_closed_until(headers: Mapping[str, str]) -> float | None:
    """Return the moment, in seconds since 1970, until which a spent daily budget closes OpenAlex or NASA ADS.

    It is at most bounds.SHUT seconds from now.  None while one more request of this price is paid for, or if the
    headers do not say.
    """
    left = number(headers.get("x-ratelimit-remaining"))
    renewal = number(headers.get("x-ratelimit-reset"))
    price = number(headers.get("x-ratelimit-credits-required")) or 1
    if left is None or renewal is None or left >= max(1, price):
        return None
    now = time.time()
    # OpenAlex says in how many seconds the day's budget is renewed; NASA ADS at which second since 1970.
    until = now + renewal if renewal < 10 * bounds.SHUT else float(renewal)
    return min(until, now + bounds.SHUT)
