"""Answers as a broken, hostile or half-dead service might send them, made from good ones by a seeded die."""

import copy
import gzip
import json
import random
from dataclasses import dataclass, field

import httpx

STRANGE = [
    "",
    "x",
    "\ud83d",
    "9" * 400,
    0,
    -1,
    5,
    10**15,
    10**40,
    1e308,
    True,
    False,
    [],
    {},
    [[]],
    [{}],
    {"a": {"b": 1}},
]
DATES = ["Wed, 21 Oct 2999999999 07:28:00 GMT", "Mon, 01 Jan 0001 00:00:00 +2359", "9" * 9999, "²", "-1", "soon", "1e9"]
RATES = ["0", "²", "9" * 5000, "-5", "1s", "٣", ""]
KINDS = ["text/html", "application/xml", "image/png", "", "application/json; charset=utf-16", "text/html; charset=x"]
STATUSES = [200, 200, 200, 201, 204, 206, 299, 301, 302, 400, 401, 403, 404, 410, 429, 500, 503, 520, 599, 700]
PLACES = [
    "",
    "http://[",
    "https://[::1",
    "//",
    "file:///etc/passwd",
    "https://\x00/",
    "http://127.0.0.1:99999/x",
    "?" * 99,
]


@dataclass
class Answer:
    """What is sent; `tells`: it may still be what a service says of a work that it does not have."""

    content: bytes
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    tells: bool = False

    def response(self):
        raw = [(name.encode(), value.encode("utf-8", "surrogatepass")) for name, value in self.headers.items()]
        return httpx.Response(self.status, headers=raw, stream=Sent(self.content))


class Sent(httpx.AsyncByteStream):
    """Bytes as a network brings them: unpacked by who reads them."""

    def __init__(self, content):
        self.content = content

    async def __aiter__(self):
        for start in range(0, len(self.content), 65536):
            yield self.content[start : start + 65536]


def mutated(text: str, kind: str, dice: random.Random) -> Answer:
    """The answer with one thing wrong, or several."""
    answer = Answer(text.encode(), headers={"content-type": kind})
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        change = dice.choice((_retyped,) * 8 + (_nested, _torn, _scrambled, _headed, _moved, _packed, _sent, _empty))
        change(answer, dice)
    return answer


def retyped(text: str, kind: str, dice: random.Random) -> Answer:
    """The answer with one value of another type, one element of another name, or without its end."""
    answer = Answer(text.encode(), headers={"content-type": kind})
    dice.choice((_retyped, _retyped, _retyped, _torn))(answer, dice)
    return answer


def _retyped(answer, dice):
    try:
        data = json.loads(answer.content)
    except (ValueError, RecursionError):
        _renamed(answer, dice)
        return
    places = list(_places(data))
    if not places:
        return
    way = dice.choice(places)
    parent = data
    for step in way[:-1]:
        parent = parent[step]
    old = parent[way[-1]]
    parent[way[-1]] = copy.deepcopy(dice.choice([it for it in STRANGE if _type(it) != _type(old)]))
    answer.content = json.dumps(data).encode("utf-8", "surrogatepass")


def _places(value, way=()):
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in items:
        yield (*way, step)
        yield from _places(inner, (*way, step))


def _type(value):
    return float if isinstance(value, int | float) and not isinstance(value, bool) else type(value)


def _renamed(answer, dice):
    """Of XML and other text: a tag or a word is another."""
    words = answer.content.split(b"<")
    at = dice.randrange(len(words))
    words[at] = dice.choice((b"x", b"/x>", b"!ENTITY a 'b'>", b"\xff\xfe", b"y>")) + words[at][dice.randrange(9) :]
    answer.content = b"<".join(words)


def _nested(answer, dice):
    opening, closing = dice.choice(((b"[", b"]"), (b'{"a":', b"}"), (b"<a>", b"</a>")))
    answer.content = opening * 50_000 + answer.content + closing * 50_000


def _torn(answer, dice):
    answer.content = answer.content[: dice.randrange(1, max(2, len(answer.content) - 1))]


def _scrambled(answer, dice):
    raw = bytearray(answer.content)
    for _ in range(dice.randrange(1, 6)):
        raw[dice.randrange(len(raw)) if raw else 0 : 0] = dice.choice(
            (b"\0", b"\xff", b"NaN", b"-Infinity", b"\\ud800", b"1" * 5000, b"\xed\xa0\x80", b'"', b"}", b"<")
        )
    answer.content = bytes(raw)


def _headed(answer, dice):
    names = ("retry-after", "x-rate-limit-limit", "x-rate-limit-interval", "x-ratelimit-remaining", "x-ratelimit-reset")
    answer.headers |= {name: dice.choice(DATES + RATES) for name in names}
    answer.headers["content-type"] = dice.choice(KINDS)


def _moved(answer, dice):
    answer.status = dice.choice((301, 302, 307, 308))
    answer.headers["location"] = dice.choice(PLACES)


def _packed(answer, dice):
    how = dice.choice(("gzip", "deflate", "br", "gzip, gzip", "x"))
    answer.headers["content-encoding"] = how
    answer.content = gzip.compress(answer.content)[: dice.choice((None, 20, -5))]


def _sent(answer, dice):
    answer.status = dice.choice(STATUSES)
    answer.headers["retry-after"] = dice.choice(DATES)
    answer.tells = answer.tells or answer.status in {400, 404, 410}


def _empty(answer, dice):
    answer.content = dice.choice((b"", b"null", b"{}", b"[]", b"0", b'""', b"<a/>", b"<html></html>", b"\xef\xbb\xbf"))
