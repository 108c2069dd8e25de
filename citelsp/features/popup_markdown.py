"""What a feature shows in a pop-up, as values, and its rendering to Markdown or plain text.

Titles, abstracts and quotations come from files and services that nobody has checked: every such string passes through
`escape_markdown`, so it can become no heading, link, image or HTML.  Links are written by us, to http(s) only.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote, urlsplit

_SPECIAL = re.compile(
    r"[\\`*_\[\]<>~^$|]|&(?=[#\w])|!(?=\[)|:(?=//)|@(?=\w)|(?<=www)\.|^[#+=-]|(?<=^\d)[.)]|(?<=^\d\d)[.)]",
    re.IGNORECASE,
)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]")


@dataclass(frozen=True, slots=True)
class ShownLink:
    """A label and where it leads; shown as its label alone where the address is not http(s)."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph: plain text with a role, and links after it."""

    text: str
    role: Literal["text", "strong", "quote", "note"] = "text"
    links: tuple[ShownLink, ...] = ()


def to_markdown(blocks: Sequence[Block]) -> str:
    """CommonMark without HTML, images or command links, whatever the blocks say."""
    return "\n\n".join(filter(None, map(_markdown_block, blocks)))


def to_plain(blocks: Sequence[Block]) -> str:
    return "\n\n".join(filter(None, map(_plain_block, blocks)))


def escape_markdown(text: str) -> str:
    """Text that any CommonMark or GitHub-flavoured renderer shows as it is, on one line.

    Every character with a meaning at its place is escaped, so that not even a bare address becomes a link, and no
    other, as Neovim shows the backslash; control and direction characters are dropped, spaces collapsed.
    """
    return _SPECIAL.sub(r"\\\g<0>", " ".join(_CONTROL.sub("", text).split()))


def web_address(url: str) -> str:
    """The address, percent-encoded so that it cannot end a link, if it is http(s) with a host; else ""."""
    url = url.strip()
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    if parts.scheme.lower() not in ("http", "https") or not parts.netloc or "@" in parts.netloc:
        return ""
    return quote(url, safe="%/:=&?~#+!$,;'@*-._")


def _markdown_block(block: Block) -> str:
    text = escape_markdown(block.text)
    match block.role:
        case "strong" if text:
            text = f"**{text}**"
        case "quote" if text:
            text = f"> {text}"
        case "note" if text:
            text = f"_{text}_"
    return " · ".join(filter(None, (text, *map(_markdown_link, block.links))))


def _markdown_link(link: ShownLink) -> str:
    url = web_address(link.url)
    label = escape_markdown(link.label)
    return f"[{label}](<{url}>)" if url else label


def _plain_block(block: Block) -> str:
    text = " ".join(_CONTROL.sub("", block.text).split())
    if block.role == "quote" and text:
        text = f"“{text}”"
    links = [" ".join(filter(None, (link.label, web_address(link.url)))) for link in block.links]
    return " · ".join(filter(None, (text, *links)))
