"""What sentences claim of the works that they cite, and the content under which the evidence for it is known."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from citelsp.project import Place, Project, Source
from citelsp.syntax.nodes import Citation
from citelsp.text import Span

_REACH = 2000  # characters looked at on either side of a placeholder
_PARAGRAPH = re.compile(
    r"\n[ \t]*\n"
    r"|\\(?:begin|end|section|subsection|subsubsection|paragraph|chapter|item)\b[^\n]*"
    r"|^#+ .*$"
    r"|^(?:---|\.\.\.)[ \t]*$",
    re.MULTILINE,
)
_SENTENCE_END = re.compile(
    r"(?<![A-Z]\.)(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bal\.)(?<!\bcf\.)(?<!\bFig\.)(?<=[.!?])[\s~]+(?=[^a-z\s])"
)
_NOT_PROSE = re.compile(
    r"(?<!\\)%[^\n]*"
    r"|<!--.*?-->"
    r"|\\[a-zA-Z]*cite[a-zA-Z]*\*?(?:<[^<>\n]*>?|\s*(?:\[[^\]]*\]\s*)*\{[^}]*\})"
    r"|\[[^\[\]]*@[^\[\]]*\]"
    r"|\\(?:label|ref|eqref|cref|autoref|footnote)\{[^}]*\}"
    r"|\\[a-zA-Z]+\*?\s?|[{}$~]",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence and one of the works that it cites."""

    source: Source
    citation: Citation
    sentence: str
    entry: Place

    @property
    def content(self) -> str:
        """The same wherever the sentence moves; another one where it or the entry says something else."""
        return f"{self.entry.content}\n{self.sentence}"


def of(project: Project, path: str = "", offset: int | None = None) -> Iterator[Claim]:
    """The claims of a manuscript's documents, or of the one at `path`, or at one place there."""
    for source, citation in project.citations():
        if path and source.document.path != path:
            continue
        if offset is not None and not citation.span.touches(offset):
            continue
        said = sentence(source.document.text, citation.whole)
        for place in project.find(citation.key)[:1] if said else ():
            yield Claim(source, citation, said, place)


def sentence(text: str, span: Span) -> str:
    """The prose of the sentence around `span`, commands, comments and citations left out, spaces collapsed."""
    before = text[max(0, span.start - _REACH) : span.start]
    after = text[span.end : span.end + _REACH]
    before = prose(before[max((it.end() for it in _PARAGRAPH.finditer(before)), default=0) :])
    end = _PARAGRAPH.search(after)
    after = prose(after[: end.start()] if end else after)
    before = before[max((it.end() for it in _SENTENCE_END.finditer(before)), default=0) :]
    end = _SENTENCE_END.search(after)
    return collapsed(f"{before} {after[: end.start()] if end else after}")


def prose(text: str) -> str:
    """The text without commands, comments and citations."""
    return _NOT_PROSE.sub(" ", text)


def collapsed(text: str) -> str:
    """With single spaces, and none before punctuation."""
    return re.sub(r" ([.,;:!?)])", r"\1", " ".join(text.split()))
