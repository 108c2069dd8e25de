"""What a placeholder asks: the text that candidates are searched with, and the key of its suggestion in Knowledge."""

import re

from citelsp.project import Project
from citelsp.syntax.nodes import Placeholder
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


def of(project: Project, path: str, placeholder: Placeholder) -> str:
    """The manuscript's title, the sentence around the placeholder, its hint words: a line each, empty ones left out."""
    source = project.sources.get(path)
    said = sentence(source.document.text, placeholder.whole) if source else ""
    return "\n".join(filter(None, (title(project), said, placeholder.words.strip())))


def title(project: Project) -> str:
    """Of the first document of the manuscript that has one."""
    titles = (project.sources[path].syntax.title for path in project.manuscript if path in project.sources)
    return _collapsed(_prose(next(filter(None, titles), "")))


def sentence(text: str, span: Span) -> str:
    """The prose of the sentence around `span`, commands, comments and citations left out, spaces collapsed."""
    before = text[max(0, span.start - _REACH) : span.start]
    after = text[span.end : span.end + _REACH]
    before = _prose(before[max((it.end() for it in _PARAGRAPH.finditer(before)), default=0) :])
    end = _PARAGRAPH.search(after)
    after = _prose(after[: end.start()] if end else after)
    before = before[max((it.end() for it in _SENTENCE_END.finditer(before)), default=0) :]
    end = _SENTENCE_END.search(after)
    return _collapsed(f"{before} {after[: end.start()] if end else after}")


def _prose(text: str) -> str:
    return _NOT_PROSE.sub(" ", text)


def _collapsed(text: str) -> str:
    return re.sub(r" ([.,;:!?)])", r"\1", " ".join(text.split()))
