"""What is read of a document that takes too long or cites too much: what looks like a key, and the files it names."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from citelsp.base import bounds, effort
from citelsp.base.text import Document, Span
from citelsp.syntax import languages
from citelsp.syntax.nodes import Citation, KeyArgument, Link, Reduced, Syntax

_CITED = re.compile(
    r"\\[A-Za-z]{0,20}cite[A-Za-z]{0,20}\*?(?:\[[^\[\]]{0,200}\]){0,2}\{(?P<keys>[^{}\\#]*+)\}"
    r"|(?<![\w@\\.])@(?P<key>\w(?:[\w:.+/-]{0,200}\w)?)"
    r"|#cite\(\s*<(?P<label>[\w:.-]{1,200})>"
)
_KEY = re.compile(r"[^\s,](?:[^,]*[^\s,])?")
_START = Span(0, 0)
_END = 50_000  # characters at the beginning and at the end of a document, where files are named


def read(document: Document, cite_commands: tuple[str, ...], why: Reduced) -> Syntax:
    """Read what can be read in little time of a document that is too much to be read whole, for the reason `why`.

    That is what looks like a citation, and the files that the document names, without their places; neither is read
    of a bibliography.  The result is `opaque`, so that no key in it is called undefined, and `reduced` for the reason
    `why`: the time, or too many keys, files or commands.
    """
    is_manuscript = languages.language_of(document).manuscript is not None
    citations = tuple(islice(_citations(document.text), bounds.KEYS)) if is_manuscript else ()
    # Where citekeys are typed, each behind a sign.  Keys between commas count as behind a brace too, as the true sign
    # before each is not looked for.
    arguments = tuple(KeyArgument(it.span, it.command, "{" if it.command != "@" else "@") for it in citations)
    return replace(
        _named(document, cite_commands), citations=citations, arguments=arguments, placeholders=(), opaque=True,
        reduced=why,
    )  # fmt: skip


def cut(whole: Syntax, why: Reduced) -> Syntax:
    """Return as much as `read` would, of a document that was read as a whole but has too much in it, for `why`.

    An edit is read by `read`, so links have no places here either.
    """
    return Syntax(
        citations=whole.citations[: bounds.KEYS], arguments=whole.arguments[: bounds.KEYS], links=_links(whole),
        is_root=whole.is_root, root=whole.root, signs=whole.signs, opaque=True, reduced=why,
    )  # fmt: skip


def _named(document: Document, cite_commands: tuple[str, ...]) -> Syntax:
    """Read which files a document names, and what it says of its root and of who reads its bibliographies (`signs`).

    For that only those lines are parsed that the language's `skim` takes for such, and of many the first and the last.
    Its links have no places, as they were read in another text.  The Syntax is empty if even this takes too long, or if
    the document is no manuscript.  `cite_commands`: the author's own commands that cite.
    """
    language = languages.language_of(document)
    if language.manuscript is None:
        return Syntax()
    try:
        # Only a part of READING: all of it may have been spent already on the document as a whole.
        with effort.limit(bounds.READING / 4):
            skimmed = language.manuscript.skim(document)
            # Files are named at the beginning and at the end of a document.
            if len(skimmed) > 2 * _END:
                skimmed = f"{skimmed[:_END]}\n{skimmed[-_END:]}"
            lines = Document(document.path, skimmed + "\n", document.language)
            read = language.parse(lines, cite_commands, None)
    except effort.TooLongError:
        return Syntax()
    return Syntax(links=_links(read), is_root=read.is_root, root=read.root, signs=read.signs)


def _links(read: Syntax) -> tuple[Link, ...]:
    """The links of what was read, without their places, which `read` does not know: it parses other text."""
    return tuple(replace(link, span=_START) for link in read.links[: bounds.FOUND])


def _citations(text: str) -> Iterator[Citation]:
    """Yield what looks like a citation in LaTeX, Markdown or Typst."""
    for match in _CITED.finditer(text):
        whole = Span(*match.span())
        group = match.lastgroup or ""
        if group == "keys":
            for key in _KEY.finditer(text, *match.span("keys")):
                yield Citation(key[0], Span(*key.span()), "cite", whole)
        else:
            yield Citation(match[group], Span(*match.span(group)), "@", whole)
