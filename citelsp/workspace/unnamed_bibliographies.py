"""Who reads a bibliography that no manuscript names: a site, or whoever reads those that manuscripts around it name."""

from citelsp.syntax import languages
from citelsp.syntax.nodes import Reader
from citelsp.workspace import jekyll, roots
from citelsp.workspace.roots import Files

_TEXT_OF_PANDOC = "$body$"  # what each of pandoc's templates holds


def guess_reader(files: Files, bibliography: str) -> Reader:
    """Guess which program reads a bibliography that no manuscript of the workspace names; "" if that is not known.

    In a workspace of R Markdown alone, an export of a reference manager is for pandoc, though no document names it yet.
    So the guess is the one program that reads all bibliographies that manuscripts do name.  It is not known if LaTeX
    reads any, as biber or BibTeX may do that, or if no manuscript names one.
    """
    if jekyll.prints(files, bibliography):  # on a page of its site, by CSL as pandoc does
        return "pandoc"
    if roots.is_named_by_settings(files, bibliography):  # of programs that read it as pandoc does
        return "pandoc"
    readers: set[Reader] = set()
    for path in files.manuscripts():
        outline = files.outline(path)
        manuscript = languages.language_of_path(path).manuscript
        names_any = outline is not None and any(link.kind == "bibliography" for link in outline.links)
        if manuscript is None or not names_any:
            continue
        if manuscript.reader is not None:
            readers.add(manuscript.reader)
            continue
        # LaTeX, for which no one program reads; a template of pandoc is LaTeX too, but names what pandoc fills in.
        if not _is_template(files, path):
            return ""
    return readers.pop() if len(readers) == 1 else ""


def _is_template(files: Files, path: str) -> bool:
    """True for LaTeX that pandoc fills in."""
    source = files.read(path)
    return source is not None and _TEXT_OF_PANDOC in source.document.text
