"""The services: where they live, how they want to be asked, and which are on without any setting."""

import os
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from citelsp.base.settings import Service, Settings

OFFLINE = "offline"
Default = Literal["on", "off", "email", "key", "local"]


@dataclass(frozen=True, slots=True)
class Spec:
    """How one service wants to be asked.  Intervals are seconds between two requests of the user's whole machine."""

    name: str
    base_url: str
    default: Default  # "email", "key": on as soon as the user gave one; "local": on while a program here answers
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


# Intervals keep a margin to what services announce: arXiv one request in 3 s, Semantic Scholar one a second with a key,
# NCBI three a second or ten with a key, INSPIRE 15 in 5 s, Crossref's lists one a second, or three with an address.
_ALL = (
    Spec(
        "crossref", "https://api.crossref.org", "on", 1.0, 1, polite_interval=0.35, polite_concurrency=3, timeout=15,
        email_query="mailto", key_header="Crossref-Plus-API-Token", keyed_interval=0.02, people=3,
    ),
    Spec("doi", "https://doi.org", "on", 0.3, 2, html_absence=True),
    Spec("datacite", "https://api.datacite.org", "on", 0.6, 2, polite_interval=0.3, people=1),
    Spec("arxiv", "https://export.arxiv.org", "on", 3.1, 1, timeout=15, html_absence=True),
    Spec(
        "openalex", "https://api.openalex.org", "on", 0.1, 4, key_query="api_key", html_absence=True,
    ),
    Spec("europepmc", "https://www.ebi.ac.uk/europepmc/webservices/rest", "on", 0.25, 2, html_absence=True),
    Spec(
        "semantic_scholar", "https://api.semanticscholar.org", "on", 1.1, 1, attempts=2, key_header="x-api-key",
        keyed_interval=1.1, keyless=True,
    ),
    Spec("aclanthology", "https://aclanthology.org", "on", 2.0, 1, html_absence=True),
    Spec("openlibrary", "https://openlibrary.org", "on", 1.0, 1, polite_interval=0.35, people=1),
    Spec("unpaywall", "https://api.unpaywall.org", "email", 0.1, 2, email_query="email"),
    Spec("dblp", "https://dblp.org", "off", 2.0, 1, attempts=2),
    Spec("dblp_sparql", "https://sparql.dblp.org", "off", 2.0, 1, attempts=2),
    Spec(
        "pubmed", "https://eutils.ncbi.nlm.nih.gov/entrez/eutils", "off", 0.35, 2, keyed_interval=0.11,
        key_query="api_key", email_query="email",
    ),
    Spec("inspire", "https://inspirehep.net/api", "off", 0.4, 2),
    Spec("ads", "https://api.adsabs.harvard.edu/v1", "key", 0.5, 1, key_header="Authorization"),
    Spec("openreview", "https://api2.openreview.net", "key", 1.0, 1),
    Spec("zbmath", "https://api.zbmath.org/v1", "off", 1.0, 1),
    Spec("wayback", "https://archive.org", "on", 1.0, 1, attempts=2),
    Spec("zotero", "http://127.0.0.1:23119", "local", 0.0, 4, attempts=1, timeout=5),
    Spec("grobid", "http://127.0.0.1:8070", "off", 0.0, 2, attempts=2, timeout=60),
)  # fmt: skip
SERVICES = {spec.name: spec for spec in _ALL}


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
    spec = SERVICES[name]  # its `default` says what it needs to be asked: a key, an address, or to be switched on
    service = find_setting(settings, name)
    if service.enabled is False:  # None leaves it to the service's default
        return "switched off"
    if spec.default == "key" and not has_key(service):
        return "needs a key"
    if spec.default == "email" and not settings.email:
        return "needs an e-mail address"
    if spec.default == "off" and not service.enabled:
        return "off unless enabled"
    # The last of the reasons: whom nothing else keeps from being asked answers from the cache when offline.
    return OFFLINE if settings.offline else ""


def concurrency(settings: Settings, name: str) -> int:
    """Return how many requests the service takes at once."""
    spec = SERVICES[name]
    return (spec.polite_concurrency if settings.email else None) or spec.concurrency


def enabled(settings: Settings) -> tuple[str, ...]:
    """The services that would be asked now."""
    return tuple(name for name in SERVICES if not refusal(settings, name))


def base_url(settings: Settings, name: str) -> str:
    return (find_setting(settings, name).base_url or SERVICES[name].base_url).rstrip("/")


def is_local(url: str) -> bool:
    """Whether the address is this machine: a user's own mirror or Zotero, which needs no politeness."""
    return (urlsplit(url).hostname or "") in {"localhost", "127.0.0.1", "::1"}
