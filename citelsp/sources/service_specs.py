"""The services: where they live, how they want to be asked, and which are on without any setting."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Literal
from urllib.parse import urlsplit

from citelsp.base.settings import Service, Settings

OFFLINE = "offline"
Default = Literal["on", "off", "email", "key", "local"]
# Which are asked without any setting.  "email", "key": as soon as the user gave one; "local": while it answers here.
DEFAULTS: Mapping[str, Default] = {
    "crossref": "on",
    "doi": "on",
    "datacite": "on",
    "arxiv": "on",
    "openalex": "on",
    "europepmc": "on",
    "semantic_scholar": "on",
    "aclanthology": "on",
    "openlibrary": "on",
    "unpaywall": "email",
    "dblp": "off",
    "dblp_sparql": "off",
    "pubmed": "off",
    "inspire": "off",
    "ads": "key",
    "openreview": "key",
    "zbmath": "off",
    "wayback": "on",
    "zotero": "local",
    "grobid": "off",
}


@dataclass(frozen=True, slots=True)
class Spec:
    """How one service wants to be asked.  Intervals are seconds between two requests of the user's whole machine."""

    name: str
    base_url: str
    interval: float
    concurrency: int = 1
    polite_interval: float | None = None  # with the user's e-mail address
    polite_concurrency: int | None = None
    keyed_interval: float | None = None
    timeout: float = 10.0
    attempts: int = 3
    key_header: str = ""  # "Authorization" is sent as a bearer token
    key_query: str = ""
    email_query: str = ""
    people: int = 0  # how many authors its search is told, and with them the year; 0: title or words alone
    keyless: bool = False  # answers without the key too, where the key is refused
    html_absence: bool = False  # its honest 404 is an HTML page


@cache
def find_spec(name: str) -> Spec:
    """How a service wants to be asked, as its own file says, `SPEC` of `sources/NAME.py`.

    That is read at first use: a session that is started asks none, and many never ask most.
    """
    spec: Spec = import_module(f"{__package__}.{name}").SPEC
    return spec


def find_setting(settings: Settings, name: str) -> Service:
    """The user's setting for a service; without its own, DBLP's SPARQL is on and mirrored where DBLP is."""
    if name == "dblp_sparql" and name not in settings.services:
        shared = settings.services.get("dblp", Service())
        return Service(enabled=shared.enabled, base_url=shared.base_url)
    return settings.services.get(name, Service())


def has_key(service: Service) -> bool:
    return bool(service.key or (service.key_env and os.environ.get(service.key_env)) or service.key_command)


def refusal(settings: Settings, name: str) -> str:
    """Say for people why this service is not asked; "" if it is asked."""
    default = DEFAULTS[name]
    service = find_setting(settings, name)
    if service.enabled is False:  # None leaves it to the service's default
        return "switched off"
    if default == "key" and not has_key(service):
        return "needs a key"
    if default == "email" and not settings.email:
        return "needs an e-mail address"
    if default == "off" and not service.enabled:
        return "off unless enabled"
    # The last of the reasons: whom nothing else keeps from being asked answers from the cache when offline.
    return OFFLINE if settings.offline else ""


def concurrency(settings: Settings, name: str) -> int:
    """Return how many requests the service takes at once."""
    spec = find_spec(name)
    return (spec.polite_concurrency if settings.email else None) or spec.concurrency


def enabled(settings: Settings) -> tuple[str, ...]:
    """The services that would be asked now."""
    return tuple(name for name in DEFAULTS if not refusal(settings, name))


def base_url(settings: Settings, name: str) -> str:
    return (find_setting(settings, name).base_url or find_spec(name).base_url).rstrip("/")


def is_local(url: str) -> bool:
    """Whether the address is this machine: a user's own mirror or Zotero, which needs no politeness."""
    return (urlsplit(url).hostname or "") in {"localhost", "127.0.0.1", "::1"}
