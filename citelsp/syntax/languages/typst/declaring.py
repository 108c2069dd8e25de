"""Naming one more bibliography in Typst: `#bibliography("refs.bib")`, of several a list."""

import re
from collections.abc import Iterable, Sequence

from citelsp.base.text import Span, newline_of
from citelsp.syntax.languages.language import Naming, Replacement
from citelsp.syntax.nodes import Link

_TYPED = re.compile(
    r"(?:\bbibliography\(\s*(?:\((?:[^()\"]*\"[^\"\n]*\"\s*,)*\s*)?|(?P<style>\bstyle:\s*))\"(?P<typed>[^\"\n]*)\Z"
)
_LOOK_BACK = 2000  # characters
_LISTED = re.compile(r"[,(]\s*\Z")
_CALLS = re.compile(r"[\w\-]\Z")  # before a bracket, the name of a function


def declare(text: str, _hidden: Sequence[Span], name: str, _texts: Iterable[str]) -> Replacement:
    newline = newline_of(text)
    lead = "" if not text else newline if text.endswith("\n") else newline * 2
    return Replacement(Span(len(text), len(text)), f'{lead}#bibliography("{name}"){newline}')


def insert_beside(text: str, link: Link, name: str) -> Replacement:
    """Return the edit that names the bibliography `name` beside the one that `link` names, in a list of both.

    The list may be there, `("a.bib", "c.bib")`: then the name is added behind the other.  Anywhere else, as among the
    arguments of a call, `bibliography("a.bib")`, or in a dictionary, `(file: "a.bib")`, a list takes the other's place.
    An empty name, `bibliography("")`, is filled in.  `link.insert_at` is where the innermost bracket around the name
    opens.
    """
    if not link.target:
        return Replacement(link.span, name)
    start = link.span.start - 1  # with its quotes
    end = link.span.end + 1
    bracket = link.insert_at or 0
    is_call = _CALLS.search(text, max(bracket - 1, 0), bracket) is not None
    is_list = text.startswith("(", bracket) and not is_call
    if is_list and _LISTED.search(text, max(0, start - _LOOK_BACK), start):
        return Replacement(Span(end, end), f', "{name}"')
    return Replacement(Span(start, end), f'({text[start:end]}, "{name}")')


def naming(text: str, offset: int) -> Naming | None:
    match = _TYPED.search(text, max(0, offset - _LOOK_BACK), offset)
    if match is None:
        return None
    return Naming(match["typed"], ("csl",) if match["style"] else ("bib", "yml", "yaml"))
