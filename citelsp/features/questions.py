"""What a placeholder asks: the text that candidates are searched with, and the key of its suggestion in Knowledge."""

from citelsp import claims
from citelsp.project import Project
from citelsp.syntax.nodes import Placeholder


def of(project: Project, path: str, placeholder: Placeholder) -> str:
    """The manuscript's title, the sentence around the placeholder, its hint words: a line each, empty ones left out."""
    source = project.sources.get(path)
    said = claims.sentence(source.document.text, placeholder.whole) if source else ""
    return "\n".join(filter(None, (title(project), said, placeholder.words.strip())))


def title(project: Project) -> str:
    """Of the first document of the manuscript that has one."""
    titles = (project.sources[path].syntax.title for path in project.manuscript if path in project.sources)
    return claims.collapsed(claims.prose(next(filter(None, titles), "")))
