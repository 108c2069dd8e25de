"""A citation whose key no entry has, or that BibTeX leaves undefined as the key is spelt in another way elsewhere.

The first is said only if the namespace is closed (`Project.closed`): a key may stand in whatever could not be read.
A manuscript that names no bibliography and cites from a running Zotero has the keys that Zotero answered with.
Of a chapter that its main document does not include it is information: nothing that is printed lacks the entry.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import PurePath

from citelsp.base.text import Edit
from citelsp.bibliography import similar_keys
from citelsp.checks.finding import Check, Finding, Fix, Safety
from citelsp.knowledge import Knowledge
from citelsp.syntax.nodes import Citation
from citelsp.workspace import borrowing, link_paths
from citelsp.workspace.project import Project
from citelsp.workspace.source import Source

CODE = "undefined-citation"
_PRINTING_NOTHING = frozenset({"addtocategory"})  # commands with keys of which biblatex needs none to have an entry
_SEVERAL_LISTS = frozenset({"bibtopic.sty", "bibunits.sty", "chapterbib.sty", "multibbl.sty", "multibib.sty"})
_MAX_COMPARED = 100_000  # keys looked at for similar ones in one run: some 40 ms


def check(project: Project, _: Knowledge) -> list[Finding]:
    undefined = {key for key in project.cited if not project.defines(key)}
    closed = project.closed or project.closed_by_library
    return [
        *(_find_without_entry(project, undefined) if closed and undefined else ()),
        *_find_misspelt(project, undefined),
    ]


def _find_without_entry(project: Project, undefined: set[str]) -> list[Finding]:
    """Report each citation of an undefined key, with similar keys.

    Of very many keys only the first in the alphabet are compared, one at least, some hundred at most.
    If not all was read that may define keys, or the keys are those of a running Zotero, only what surely is a citation
    is reported.
    """
    count = sum(len(source.syntax.entries or ()) for source in project.defining)
    most_compared = 1 + _MAX_COMPARED // (count + 1000)  # each is compared with all keys of entries
    guesses = {key: _find_similar(project, key) for key in sorted(undefined)[:most_compared]}
    parked = _find_parked(project)  # documents that nothing includes: of these the finding is information
    findings: list[Finding] = []
    for source, citation in project.citations():
        # Closed is a project of which all was read that may define keys.
        is_certain = project.closed or borrowing.is_surely_citation(source, citation)
        if citation.key not in undefined or not is_certain:
            continue
        finding = _make_finding(source, citation, guesses.get(citation.key, []), in_zotero=bool(project.lent))
        if source.document.path in parked:
            finding = _mark_parked(project, finding)
        elif citation.command in _PRINTING_NOTHING:  # such as \addtocategory: its key need not have an entry
            finding = replace(finding, severity="information")
        findings.append(finding)
    return findings


def _find_parked(project: Project) -> Collection[str]:
    """The paths of a chapter that its main document does not include, and of what only the chapter includes."""
    if _is_included(project):
        return ()
    # What the main document includes was read before the chapter, which was added to it.
    return project.manuscript[project.manuscript.index(project.subject) :]


def _mark_parked(project: Project, finding: Finding) -> Finding:
    main = PurePath(project.manuscript[0]).name
    return replace(finding, message=f"{finding.message} {main} does not include this file.", severity="information")


def _find_misspelt(project: Project, undefined: set[str]) -> Iterator[Finding]:
    """Report citations of a key that is cited in another letter case, too, with the spelling that all should have.

    BibTeX takes such keys for one, reports a "Case mismatch error between cite keys" and leaves the reference to all
    but one spelling undefined; so only if all citations come to one list, which one run of BibTeX makes.  Keys that no
    entry has are left to `_find_without_entry`.
    """
    # `cited_once` has keys as BibTeX compares them (canonical): they are fewer only if two spellings come to one.
    is_each_spelt_once = len(project.cited_once) == len(project.cited)
    if project.reader != "bibtex" or is_each_spelt_once or not _is_one_list(project):
        return
    spellings: dict[str, dict[str, None]] = {}  # by canonical key, in the order of the text
    for _, citation in project.citations():
        spellings.setdefault(project.canonical(citation.key), {})[citation.key] = None
    preferred: dict[str, str] = {}
    for canonical, spelt in spellings.items():
        if len(spelt) > 1 and undefined.isdisjoint(spelt):
            preferred[canonical] = _choose_spelling(project, list(spelt))
    if not preferred:
        return
    for source, citation in project.citations():
        better = preferred.get(project.canonical(citation.key), citation.key)
        if citation.key != better:
            message = f"“{citation.key}” is cited as “{better}” too: BibTeX leaves one of two spellings undefined."
            fix = _make_fix(source, citation, better, "safe")
            yield Finding(CODE, source.document.path, citation.span, message, key=citation.key, fixes=(fix,))


def _choose_spelling(project: Project, spellings: Sequence[str]) -> str:
    """Choose from the spellings in which a key is cited that of its entry, else the first."""
    keys_of_entries = (place.node.key for place in project.find(spellings[0]))
    return next((key for key in keys_of_entries if key in spellings), spellings[0])


def _is_one_list(project: Project) -> bool:
    """True if all citations come to one list of references, so that one run of BibTeX reads them."""
    packages = {link.target for it in project.parts for link in it.syntax.links if link.kind == "package"}
    one_root = sum(it.syntax.is_root for it in project.parts) == 1
    return one_root and packages.isdisjoint(_SEVERAL_LISTS) and _is_included(project)


def _is_included(project: Project) -> bool:
    """False if the document asked about is a chapter whose main document does not include it; else True.

    It names that document (`% !TeX root`), but the two are compiled apart.
    """
    chapter = project.sources.get(project.subject)
    if chapter is None or not chapter.syntax.root:
        return True
    for part in project.parts:
        if part is chapter:
            continue
        for link in part.syntax.links:
            if link_paths.may_mean(link, part.document.path, project.subject):
                return True
    return False


def _find_similar(project: Project, key: str) -> list[str]:
    """The keys of all bibliographies that are spelt most alike; each bibliography remembers its own."""
    of_each: list[str] = []
    for source in project.defining:
        if key not in source.similar:
            source.similar[key] = similar_keys.find_similar(key, source.keys_by_length)
        of_each += source.similar[key]
    return similar_keys.find_similar(key, similar_keys.group_by_length(of_each))


def _make_finding(source: Source, citation: Citation, guesses: list[str], *, in_zotero: bool) -> Finding:
    """Report a citation whose key no entry has; `guesses` are the few keys most like it, each of which is a fix.

    A guess that differs in nothing but letter case is the first.  `in_zotero` is true if a running Zotero has the keys.
    """
    path = source.document.path
    message = f"No entry has the key “{citation.key}”."
    # In Typst `@name` also refers to figures and sections.
    may_mean_label = source.language.search == "document" and citation.command in ("@", "ref")
    if may_mean_label:
        message = f"Neither an entry nor a label has the name “{citation.key}”."
    elif in_zotero:
        message = f"No entry in your Zotero library has the key “{citation.key}”."
    if any(it.casefold() == citation.key.casefold() for it in guesses):
        message = f"{message[:-1]}; “{guesses[0]}” differs in letter case."
    elif guesses:
        message += f" Similar: {', '.join(guesses)}."
    fixes = tuple(_make_fix(source, citation, it, "review") for it in guesses)
    return Finding(CODE, path, citation.span, message, key=citation.key, fixes=fixes)


def _make_fix(source: Source, citation: Citation, key: str, safety: Safety) -> Fix:
    edit = Edit(source.document.path, *source.language.key(source.document.text, citation.span, key))
    return Fix(f"Cite “{key}” instead", safety, (edit,))


CHECK = Check(
    CODE,
    "warning",
    "No entry has the cited key. With BibTeX, also a key that is cited in two spellings.",
    check,
    needs="project",
)
