"""What sentences claim of the works that they cite, and the content under which the evidence for it is known."""

from collections.abc import Iterator
from dataclasses import dataclass

from citelsp.syntax import prose
from citelsp.syntax.nodes import Citation
from citelsp.workspace import question as questions
from citelsp.workspace.project import Place, Project
from citelsp.workspace.source import Source

_SHORT_IN_ORG = "cite/n"  # for `cite/nocite`


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence and one of the works that it cites."""

    source: Source
    citation: Citation
    sentence: str
    entry: Place

    @property
    def content(self) -> str:
        """Return what the evidence is cached by: it changes if the sentence or the entry does, not if they move."""
        return f"{self.entry.content}\n{self.sentence}"


def is_in_sentence(citation: Citation) -> bool:
    r"""True unless a citation only lists its work, as `\nocite` does: the words beside it say nothing of the work.

    So do commands of packages whose names have that word in them: multibib's `\nociteown`, apacite's `\masknocite`.
    """
    return "nocite" not in citation.command and citation.command != _SHORT_IN_ORG


def mark_sentence(project: Project, claim: Claim) -> str:
    """Return the claim's sentence with the key where it is cited: “It was discovered by [mayor95] in 1995.”"""
    source = claim.source
    meanings = questions.acronyms(project)
    return prose.sentence(
        source.document, source.syntax, claim.citation.whole, meanings, mark=f"[{claim.citation.key}]"
    )


def find_claims(project: Project, path: str = "", offset: int | None = None) -> Iterator[Claim]:
    """Yield the claims of a manuscript's documents, or only of the one at `path`, or only at one `offset` there.

    A citation whose key has no entry makes no claim, as there is nothing to compare it with, nor does one with no words
    around it, or one that `is_in_sentence` denies; of several entries with its key the first counts.
    """
    meanings = questions.acronyms(project)
    for source, citation in project.citations():
        if path and source.document.path != path:
            continue
        if offset is not None and not citation.span.touches(offset):
            continue
        if not is_in_sentence(citation):
            continue
        sentence = prose.sentence(source.document, source.syntax, citation.whole, meanings)
        if sentence and (place := project.find_first(citation.key)):
            yield Claim(source, citation, sentence, place)
