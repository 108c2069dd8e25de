r"""The documents of the project that an `\input`, a `\bibliography` or a YAML `bibliography:` names."""

import os
from pathlib import PurePath

from citelsp.syntax.nodes import Link
from citelsp.workspace import link_paths
from citelsp.workspace.disk import identity
from citelsp.workspace.project import Project
from citelsp.workspace.source import Source


def find_named(project: Project, source: Source, link: Link) -> list[str]:
    """Return the paths of the project's documents that a link names: several for a glob, none if no document read fits.

    A link is looked up beside its own document, then beside every root.  A bibliography that is in neither folder was
    found by a search path such as BIBINPUTS: then one of the same file name is taken.
    """
    # On Windows and macOS one path may be spelt in several ways, which share their identity.
    by_identity = {identity(os.path.normpath(path)): path for path in project.sources}
    language = source.language
    roots = [path for path in project.manuscript if project.sources[path].syntax.is_root]
    for document in dict.fromkeys([source.document.path, *roots]):
        bases = [str(PurePath(document).parent)]
        jobname = link_paths.stem(document)  # which \jobname in a link stands for
        for pattern in link_paths.patterns(link, language, jobname, bases):
            matching = [path for path in project.sources if link_paths.matches(path, os.path.normpath(pattern))]
            if matching:
                return matching
        for candidate in link_paths.candidates(link, language, jobname, bases):
            path = by_identity.get(identity(candidate))
            if path:
                return [path]
    return _find_by_name(project, link) if link.kind == "bibliography" else []


def _find_by_name(project: Project, link: Link) -> list[str]:
    name = link.target.replace("\\", "/").rpartition("/")[2]
    return [path for path in project.bibliographies if PurePath(path).name in (name, f"{name}.bib")][:1]
