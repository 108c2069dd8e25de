"""Why a bibliography that a document names was not read, and which other one may be meant.

It is missing only if it should be there: not so if macros make its name, TeX brings it along, a build file mentions it,
git ignores it or has it in a submodule, its path is one of another machine, or some other tool looks for it elsewhere.
"""

import os
import re
from collections.abc import Sequence

from citelsp.syntax.nodes import Link
from citelsp.workspace import link_paths, roots
from citelsp.workspace.disk import is_inside
from citelsp.workspace.project import Unresolved, Why
from citelsp.workspace.roots import Files
from citelsp.workspace.source import Source

# The .bib files below bibtex/bib and pbibtex/bib of Debian 12's texlive packages: first those that hold macros alone.
_WITHOUT_ENTRIES = frozenset(
    """acompat amsj archaeologie-lstabbrv archaeologie-lstlocations archaeologie-lstpublishers comment glsbase ieeeabrv
    ieeefull jourabbr jourfull""".split()
)
_DISTRIBUTED = _WITHOUT_ENTRIES.union(
    """abntex2-options archaeologie-bibancient archaeologie-bibcorpora archaeologie-examples attachfile
    biblatex-examples book business cnltx dtk-bibliography epodd family font frankenstein harvard ieeeexample jbtest
    jbtesthu jxampl litteratur lsc nostarch oberdiek-bundle oberdiek-source printing-history report sample serif
    texbook1 texbook2 texbook3 texgraph texjourn texnique tugboat type typeset xampl""".split()
)
_DISTRIBUTED_FAMILIES = ("example-glossaries-", "testidx-glossaries-")
_BUILD_FILES = (
    "Makefile makefile GNUmakefile justfile latexmkrc .latexmkrc Snakefile CMakeLists.txt Rakefile build.sh "
    "SConstruct wscript tasks.py dodo.py _targets.R dvc.yaml"
).split()
_L3BUILD = "build.lua"
_IGNORED = re.compile(r"^/?\*\.bib[ \t\r]*$", re.MULTILINE)  # in .gitignore
_SUBMODULE = re.compile(r"^[ \t]*path[ \t]*=[ \t]*(?P<path>\S[^\n]*)", re.MULTILINE)  # in .gitmodules
_WITH_CODE = (".rmd", ".qmd", ".rnw", ".snw", ".rtex")
_MOST_DIRECTORIES = 3  # in which bibliographies that may be meant are looked for
_SEARCH_PATHS = ("BIBINPUTS", "resource-path")  # in a build file: it says where to look for bibliographies
# A name without signs of templates, variables or patterns.
_PLAIN_NAME = re.compile(r"[^<>{}$%*?\[\]|\n]+")
_ENDING = re.compile(r"\.[A-Za-z]{2,8}\Z")


def holds_macros_alone(link: Link) -> bool:
    """True for what TeX distributions bring along without a single entry: no key can be missing with it."""
    return _stem(link) in _WITHOUT_ENTRIES


def explain(files: Files, link: Link, source: Source, root: str, tried: Sequence[str]) -> Unresolved:
    """Tell why a link of `source` leads to no bibliography, and which others may be meant.

    It was looked for under the paths `tried`, the likeliest first; they are empty if its name cannot be read.
    """
    path = source.document.path
    # TeX counts from where it is run, which is beside the main document; others from the document that names it.
    base = os.path.dirname(root if source.language.search == "kpathsea" else path)
    namesakes = _find_namesakes(files, link, tried)
    if not tried:
        return Unresolved(path, link, "remote" if link_paths.is_remote(link) else "unclear", base, namesakes)
    why = _tell_why(files, link, source, root, tried)
    # One of its name lies in another folder; the reason “elsewhere” says that something else may bring it.
    is_elsewhere = why == "missing" and bool(files.libraries(os.path.basename(tried[0])))
    return Unresolved(path, link, why, base, near=namesakes, elsewhere=is_elsewhere)


def _tell_why(files: Files, link: Link, source: Source, root: str, tried: Sequence[str]) -> Why:
    """Tell why none of the paths `tried` gave the bibliography; the first reason below that holds counts.

    The file is there and cannot be read (how, `Unread` names); its name is made by macros or a template, or is a
    pattern ("unclear"); it comes with TeX ("distributed"); something else may bring it ("elsewhere"); the list compiled
    from it came along instead ("compiled"); or it is simply "missing".
    """
    # If the file is there, the author has to know that it could not be read.
    for path in tried:
        reason = files.unread(path)
        if reason:
            return reason
    if not _PLAIN_NAME.fullmatch(link_paths.expand(link.target, "") or ""):
        return "unclear"
    stem = _stem(link)
    is_distributed = stem in _DISTRIBUTED or stem.startswith(_DISTRIBUTED_FAMILIES)
    if source.language.search == "kpathsea" and is_distributed:
        return "distributed"
    # The answer is cached under the question until a file comes, goes or is saved; None: no one document decides it.
    question = ("elsewhere", root, source.document.path, link.target)
    if files.recall(question, None, lambda: _is_elsewhere(files, link, source, root, tried)):
        return "elsewhere"
    # Sources without any .bib, as from arXiv, bring the compiled list; beside others a missing one is misspelt.
    is_compiled = _are_alone(files, tried) and files.exists(link_paths.compiled(root))
    return "compiled" if is_compiled else "missing"


def _is_elsewhere(files: Files, link: Link, source: Source, root: str, tried: Sequence[str]) -> bool:
    """True if the bibliography may well be there where the author works, though it is not here."""
    # A document that was never saved has no folder yet: what it names may lie where it will be saved.
    if roots.NOWHERE in root:
        return True
    # A link into the author's own library leads nowhere for everybody else.
    if any(map(os.path.islink, tried)):
        return True
    # A path of another machine; but if other bibliographies lie in the folder that it names, its name is wrong.
    if link_paths.is_of_one_machine(link):
        return _are_alone(files, tried)
    if source.language.search == "pandoc" and _is_looked_for_elsewhere(files, link, source):
        return True
    # Code in the document may write the file as it runs.
    if source.document.path.lower().endswith(_WITH_CODE) and _is_in_code(source, link):
        return True
    if _is_in_submodule(files, source, tried) or _is_copied(files, link, source):
        return True
    return _is_built_or_ignored(files, link, source, alone=_are_alone(files, tried))


def _are_alone(files: Files, tried: Sequence[str]) -> bool:
    """True if no bibliography lies where these paths were looked for."""
    return not any(map(files.bibliographies, dict.fromkeys(map(os.path.dirname, tried))))


def _find_namesakes(files: Files, link: Link, tried: Sequence[str]) -> tuple[str, ...]:
    """Return bibliographies that may be meant instead: of the same name in the workspace, or beside the paths `tried`.

    The one of the same name comes first.  Empty if no name could be read, or for a pattern.
    """
    # `files.libraries` looks a name up in the whole workspace, `files.bibliographies` lists the .bib files of a folder.
    if not tried or link_paths.is_glob(link.target):
        return ()
    namesakes: dict[str, None] = {}
    same_name = files.libraries(os.path.basename(tried[0]))  # the paths differ in their folders, hardly in their names
    if len(same_name) == 1:  # of several nobody knows which is meant
        namesakes |= dict.fromkeys(same_name)
    directories = list(dict.fromkeys(map(os.path.dirname, tried)))
    for directory in directories[:_MOST_DIRECTORIES]:
        # Among those listed are links that lead nowhere, and files deleted since.
        namesakes |= dict.fromkeys(filter(files.exists, files.bibliographies(directory)))
    return tuple(namesakes)


def _is_looked_for_elsewhere(files: Files, link: Link, source: Source) -> bool:
    """True if pandoc, or what calls it, may look for a bibliography of Markdown in another directory.

    Quarto and R Markdown always count from the document's directory, unless the document's name begins with `_`: those
    they pass over, as others include them.  A name without an ending is no file to pandoc.
    """
    path = source.document.path
    counts_from_document = path.lower().endswith((".qmd", ".rmd"))
    is_passed_over = counts_from_document and os.path.basename(path).startswith("_")
    name = os.path.basename(link.target.strip())
    if not _ENDING.search(name) or is_passed_over:
        return True
    if counts_from_document:
        return False
    # One of this name lies elsewhere in the workspace: pandoc may be run there, or be told to look there.
    return any(os.path.basename(library) == name for library in files.libraries(name))


def _is_built_or_ignored(files: Files, link: Link, source: Source, *, alone: bool) -> bool:
    """True if a build file (Makefile) beside the document or above may make the bibliography, or git ignores it.

    A build file names the file, or says where to look for it.  What git ignores only the author has.  With `alone`, no
    other .bib is there, so that a rule for all of them (`*.bib`) counts too.  The search goes up to the workspace
    folder; outside of one it ends beside the document.
    """
    name = _file_name(link)
    for directory in roots.folders_above(source.document.path):
        for build_name in _BUILD_FILES:
            build_file = files.read(os.path.join(directory, build_name))
            if build_file and any(sign in build_file.document.text for sign in (*_SEARCH_PATHS, name)):
                return True
        gitignore = files.read(os.path.join(directory, ".gitignore"))
        if gitignore:
            ignored = gitignore.document.text
            if name in ignored or (alone and _IGNORED.search(ignored)):
                return True
        is_in_workspace = any(is_inside(directory, folder) for folder in files.folders())
        if directory in files.folders() or not is_in_workspace:
            break
    return False


def _is_copied(files: Files, link: Link, source: Source) -> bool:
    """True if l3build, which copies files to where it runs TeX, finds one of this name in the workspace."""
    if not files.libraries(_file_name(link)):
        return False
    for directory in roots.folders_above(source.document.path):
        is_in_workspace = any(is_inside(directory, folder) for folder in files.folders())
        if is_in_workspace and files.exists(os.path.join(directory, _L3BUILD)):
            return True
    return False


def _is_in_submodule(files: Files, source: Source, tried: Sequence[str]) -> bool:
    """True if the bibliography was looked for in a submodule of git, which a clone doesn't fetch by itself.

    The nearest .gitmodules above the document tells; of the paths `tried` the likeliest counts.
    """
    for directory in roots.folders_above(source.document.path):
        modules = files.read(os.path.join(directory, ".gitmodules"))
        if modules is None:
            continue
        likeliest = tried[0] if tried else ""
        for submodule in _SUBMODULE.finditer(modules.document.text):
            if is_inside(likeliest, os.path.join(directory, submodule["path"].strip())):
                return True
        return False
    return False


def _is_in_code(source: Source, link: Link) -> bool:
    """True if the file's name stands in the text beside the declaration, as in `write_bib("packages.bib")`."""
    text = source.document.text
    name = _file_name(link)
    return text.count(name) > link.span.within(text).count(name)


def _file_name(link: Link) -> str:
    return os.path.basename(link.target).removesuffix(".bib") + ".bib"


def _stem(link: Link) -> str:
    return _file_name(link).lower().removesuffix(".bib")
