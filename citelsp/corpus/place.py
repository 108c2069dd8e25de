"""The place of a placeholder in a manuscript, as a query sees it: its surroundings without markup."""

import re

from citelsp.corpus.query import Place
from citelsp.project import Project, Source
from citelsp.syntax.nodes import Placeholder

_LEFT, _RIGHT = 3000, 1500  # characters of source
_MONTHS = "january february march april may june july august september october november december".split()
_CITATION = re.compile(
    r"~?\\[A-Za-z]*cite[A-Za-z]*\*?\s*(?:\[[^\]]*\]\s*)*\{[^{}]*\}|\[[^\[\]]*@[^\[\]]*\]|(?<!\w)@[\w:.#$%&+?<>~/-]+\w"
)
_DROPPED = re.compile(
    r"(?<!\\)%[^\n]*|<!--.*?-->|\\(?:label|ref|eqref|[cC]ref|autoref|url|includegraphics|input|include|begin|end|vspace|hspace)"
    r"\*?(?:\[[^\]]*\])?\{[^{}]*\}|\$\$.*?\$\$|`{3}.*?`{3}",
    re.DOTALL,
)
_COMMAND = re.compile(r"\\[A-Za-z]+\*?\s?|\\.|[{}$*_`~]")


def of(project: Project, path: str, placeholder: Placeholder) -> Place:
    """The place of a placeholder in the document at `path`; KeyError where the project does not hold it."""
    source = project.sources[path]
    text = source.document.text
    before = text[max(0, placeholder.whole.start - _LEFT) : placeholder.whole.start]
    after = text[placeholder.whole.end : placeholder.whole.end + _RIGHT]
    roots = [project.sources[it].syntax for it in project.manuscript if it in project.sources]
    syntaxes = [source.syntax, *roots]
    return Place(
        before=plain(before),
        after=plain(after),
        title=plain(next((it.title for it in syntaxes if it.title), "")),
        hint=placeholder.words,
        heading=_heading(source, placeholder.whole.start),
        date=date_of(next((it.date for it in syntaxes if it.date), "")),
    )


def plain(markup: str) -> str:
    """Text without LaTeX or Markdown markup; other citations become `[REF]`."""
    text = _CITATION.sub(" [REF]", _DROPPED.sub(" ", markup))
    return " ".join(_COMMAND.sub(" ", text).split())


def date_of(written: str) -> str:
    """A date as authors write it, as "YYYY-MM" or "YYYY"; "" where no year stands in it."""
    year = re.search(r"(?<!\d)(?:19|20)\d\d(?!\d)", written)
    if not year:
        return ""
    numeric = re.match(r"-(0[1-9]|1[0-2])(?!\d)", written[year.end() :])
    if numeric:
        return f"{year[0]}-{numeric[1]}"
    words = re.findall(r"[a-z]{3,}", written.lower())
    month = next((n for n, name in enumerate(_MONTHS, 1) for it in words if name.startswith(it)), None)
    return f"{year[0]}-{month:02d}" if month else year[0]


def _heading(source: Source, offset: int) -> str:
    earlier = [it.title for it in source.syntax.headings if it.span.start <= offset]
    return plain(earlier[-1]) if earlier else ""
