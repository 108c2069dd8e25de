"""Citations in notebooks by an attribute, `<cite data-cite="key">…</cite>`, of which nbconvert makes `\\cite`."""

import re

from citelsp.base import effort
from citelsp.base.text import Document, Span
from citelsp.syntax.languages.latex.cite_arguments import Gathering
from citelsp.syntax.languages.markdown.hidden import Hidden
from citelsp.syntax.nodes import Citation, KeyArgument

_TAG = re.compile(r"<[A-Za-z][^<>\"'=]{0,200}\sdata-cite=([\"'])(?P<keys>[^\"'<>\n]*)\1[^<>]{0,400}>")
_KEY = re.compile(r"[^\s,](?:[^,]*[^\s,])?")
_COMMAND = "data-cite"


def read(document: Document, hidden: tuple[Hidden, ...], gathering: Gathering) -> None:
    """Add to `gathering` what `data-cite` cites outside of `hidden`: one key, or several between commas.

    Nothing is added outside notebooks, as the attribute names specifications elsewhere.
    """
    if _COMMAND not in document.text or ".ipynb" not in document.path.lower():
        return
    for tag in effort.iterate(_TAG.finditer(document.text)):
        if not any(it.covers(tag.start()) for it in hidden):
            for key in _KEY.finditer(document.text, *tag.span("keys")):
                span = Span(*key.span())
                gathering.arguments.append(KeyArgument(span, _COMMAND, "{"))
                gathering.citations.append(Citation(key[0], span, _COMMAND, Span(*tag.span())))
