"""What an HTTP answer means: the thing asked for, an honest "not there", or trouble."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Literal
from xml.etree import ElementTree

from citelsp.sources.retry_after import read_retry_after

Want = Literal["json", "xml", "text", "bytes"]

_BOT = (b"re not a bot!", b"anubis_challenge", b"/.within.website/x/")
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]|\xed[\xa0-\xbf]")  # half a pair, as JSON writes it, `\ud83d`, or in bytes
# 520, 522 and 524 are Cloudflare's, for a host behind it that broke off or did not answer.
_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 522, 524})
_MOST_PARTS = 3_000_000  # of JSON or XML, as each takes up to a hundred bytes of memory
# Seconds to leave a service alone that checks for bots, that refuses this machine or key, that sends pages.
_BOT_CHECK, _REFUSAL, _PAGE = 900.0, 600.0, 60.0
_EARLY = 200_000  # bytes of a page in which a bot check names itself


@dataclass(frozen=True, slots=True)
class Reply:
    """`data` is a JSON value, an XML element, text or bytes, as it was asked for."""

    status: int
    data: Any
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Missing:
    """The service says that there is no such thing; `url` is who said it, after redirects."""

    url: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Trouble:
    """Nothing was learnt."""

    why: str
    again: bool = False  # an immediate second try may help
    wait: float | None = None  # seconds the service asks us to wait
    shut: float = 0.0  # seconds to leave the whole service alone
    status: int = 0
    rest: float = 0.0  # seconds for which the host's silence keeps everybody from asking


@dataclass(frozen=True, slots=True)
class Expected:
    want: Want
    html_absence: bool = False  # an HTML page with 404 is this service's honest absence
    answers: tuple[int, ...] = ()  # further statuses that carry an answer


def read(status: int, headers: Mapping[str, str], content: bytes, expected: Expected) -> Reply | Missing | Trouble:
    """Tell what one answer is: a reply of the form that is wanted, the service's word that it has nothing, or trouble.

    The trouble says whether it is worth while to ask again, and for how long the service is to be left alone.  Names of
    headers are in lower case.  `expected` is the form that is wanted, which statuses besides 2xx carry an answer, and
    whether the service says by a page of HTML that it has nothing.
    """
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    is_page = "html" in kind or content[:200].lstrip().lower().startswith((b"<!doctype html", b"<html"))
    if is_page and any(mark in content[:_EARLY].lower() for mark in _BOT):
        return Trouble("a bot check instead of an answer", shut=_BOT_CHECK, status=status)
    if status in {404, 410} and status not in expected.answers:
        # A 404 page of HTML is mostly a gateway's or a moved API's, not the service's word that it is not there.
        is_honest = expected.html_absence or not is_page
        return Missing() if is_honest else Trouble("404 page", status=status)
    if status in _AGAIN:  # overload and the like, which may pass
        return Trouble(_phrase(status), again=True, wait=read_retry_after(headers), status=status)
    # A block or a refused key does not pass within minutes, and asking on makes blocks last.
    if status in {401, 403}:
        return Trouble(_phrase(status), shut=_REFUSAL, status=status)
    if status not in expected.answers and not 200 <= status < 300:
        return Trouble(_phrase(status), status=status)
    if is_page and expected.want in {"json", "xml"}:
        return Trouble(f"HTML instead of {expected.want.upper()}", shut=_PAGE, status=status)
    return _parsed(status, headers, content, expected.want)


def _parsed(status: int, headers: Mapping[str, str], content: bytes, want: Want) -> Reply | Trouble:
    """Parse an answer into the form that is wanted; Trouble if it is not of that form, or would fill the memory."""
    part_marks = {"json": b"[{,", "xml": b"<"}.get(want, b"")  # bytes each of which begins a part
    # 30 MB of nothing but brackets would become gigabytes of lists.
    if len(content) > _MOST_PARTS and sum(content.count(bytes([it])) for it in part_marks) > _MOST_PARTS:
        return Trouble(f"{want.upper()} of more than {_MOST_PARTS:,} parts", status=status)
    try:
        match want:
            case "json":
                return Reply(status, _replace_half_characters(json.loads(content), content), headers=headers)
            case "xml":
                # A zero byte is no sign of XML; in UTF-16, which has them, `<!ENTITY` would not be seen.
                if b"<!ENTITY" in content or b"\0" in content:
                    return Trouble("XML with entities of its own", status=status)
                return Reply(status, ElementTree.fromstring(content), headers=headers)  # noqa: S314  entities refused above
            case "text":
                return Reply(status, content.decode("utf-8", "replace"), headers=headers)
            case "bytes":
                return Reply(status, content, headers=headers)
    except (ValueError, RecursionError, LookupError, ElementTree.ParseError):  # LookupError: of an encoding
        return Trouble(f"unreadable {want.upper()}", again=True, status=status)


def _replace_half_characters(value: Any, content: bytes) -> Any:  # noqa: ANN401  a JSON value
    """The value without halves of characters, which some services cut texts into and no file can hold."""
    if not _SURROGATE.search(content):
        return value
    written = json.dumps(value, ensure_ascii=False)
    return json.loads(written.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))


def _phrase(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)
