"""Texts that nobody would write: ten times as much of one takes about ten times the work, and never very much more.

What is measured is CPU time, the least of several tries, as other programs take theirs: of texts so short that only
what grows by the square shows, and of one in four.  `--growth` measures texts of 20 kB, and `--thorough` of 200 kB and
2 MB, of all.
"""

import gc
import time
from functools import partial

from citelsp import checks
from citelsp.base.settings import Settings
from citelsp.base.text import Document, Span
from citelsp.bibliography.completion_search.libraries import Libraries
from citelsp.checks import ahead
from citelsp.features import (
    code_actions,
    code_lens,
    complete_fields,
    complete_files,
    complete_keys,
    complete_placeholder,
    definition,
    document_links,
    document_symbols,
    explain_entry,
    export_entries,
    folding_ranges,
    format_entries,
    highlight,
    hover,
    inlay_hints,
    lookup_target,
    overview,
    references,
    rename,
    sort_entries,
    workspace_symbols,
    write_targets,
)
from citelsp.knowledge import Knowledge
from citelsp.syntax import parse, reparse
from citelsp.workspace.project import Project
from citelsp.workspace.source import Source
from hostile_texts import LANGUAGES, LIBRARIES, document, pieces

LENGTHS = {"thorough": (20_000, 200_000), "growth": (2_000,)}  # characters; a tenth of the large text
BRIEF = (500,)
STEEPEST = 20.0  # times the work of a tenth: 13 if it is sorted, 15 in memory beyond the caches, 100 by the square
STEEPEST_BRIEF = 25.0  # as a millisecond is measured less well than a tenth of a second
SHORT = 0.03  # seconds in which a large text shows nothing
SHORT_BRIEF = 0.002
TRIES = 8
NOTHING = Knowledge()


def nowhere(_):
    return False


def anywhere(ask, project, path):
    """At places all over the text."""
    length = len(project.sources[path].document.text)
    for offset in {length // 2, length}:
        ask(project, path, offset)


def checked(project, path):
    return checks.run(project, NOTHING), list(ahead.prepare(project)), checks.notes(project)


def lenses(project, path):
    found = code_lens.find(project, NOTHING, path), code_lens.evidence(project, NOTHING, path)
    return found, code_lens.count_cited(project, path)


def hinted(project, path):
    return inlay_hints.find(project, path, Span(0, len(project.sources[path].document.text)))


# What reads every entry comes first: what others find read already would make them look steep.
READING = {
    "search": lambda project, _: workspace_symbols.find(project.libraries(Libraries()), "a"),
    "export": lambda project, _: export_entries.export(project),
    "checks": checked,
}
WORKS = {
    "symbols": document_symbols.find,
    "folding": folding_ranges.find,
    "links": partial(document_links.find, exists=nowhere),
    "lens": lenses,
    "hints": hinted,
    "format": format_entries.edits,
    "sort": sort_entries.edits,
    "overview": lambda project, _: overview.find(project, NOTHING),
    "targets": partial(write_targets.find, exists=nowhere),
    "hover": partial(anywhere, lambda project, path, at: hover.find(project, NOTHING, path, at)),
    "definition": partial(anywhere, definition.find),
    "references": partial(anywhere, references.find),
    "highlight": partial(anywhere, highlight.find),
    "linked": partial(anywhere, highlight.find_linked),
    "prepare": partial(anywhere, rename.prepare),
    "rename": partial(anywhere, lambda project, path, at: rename.edits_for(project, path, at, "new")),
    "keys": partial(anywhere, lambda project, path, at: complete_keys.complete(project, Libraries(), path, at)),
    "fields": partial(anywhere, complete_fields.complete),
    "files": partial(anywhere, complete_files.place),
    "explain": partial(anywhere, explain_entry.find),
    "offers": partial(
        anywhere,
        lambda project, path, at: (
            (found := project.placeholder_at(path, at)) and complete_placeholder.offers(project, path, found, at, None)
        ),
    ),
    "actions": partial(anywhere, lambda project, path, at: code_actions.actions(project, {}, [], path, Span(at, at))),
    "sought": partial(anywhere, lambda project, path, at: lookup_target.find_target(project, path, Span(at, at))),
}


def read(path, text, language):
    written = Document(path, text, language)
    return Source(written, parse(written), open=True)


def project_around(source):
    """The text as a manuscript with a bibliography, or as the bibliography of a manuscript."""
    path = source.document.path
    if source.document.language in LIBRARIES:
        other = read("main.tex", rf"\documentclass{{a}}\addbibresource{{{path}}}\cite{{k}}\cite{{a}}", "latex")
        manuscript, bibliographies = (other.document.path,), (path,)
    else:
        other = read("refs.bib", "@book{a, title = {A}, year = 2000}\n", "bibtex")
        manuscript, bibliographies = (path,), (other.document.path,)
    sources = {path: source, other.document.path: other}
    return Project(sources, Settings(), manuscript, bibliographies, rooted=True, subject=path)


def edited(source):
    """One sign typed in the middle."""
    text, at = source.document.text, len(source.document.text) // 2
    new = Document(source.document.path, f"{text[:at]}x{text[at:]}", source.document.language)
    return reparse(source.syntax, new, Span(at, at), "x")


def seconds(work, *given):
    """CPU time of this thread, with what the work gives."""
    began = time.thread_time()
    found = work(*given)
    return time.thread_time() - began, found


def times(texts, names):
    """The seconds of what is done with some texts by turns, by name: of all that comes first, and of others named."""
    gc.disable()
    try:
        taken, sources = {"parse": 0.0}, []
        for it in texts:
            spent, source = seconds(read, it.path, it.text, it.language)
            taken["parse"] += spent
            sources.append(source)
        if "edit" in names:
            taken["edit"] = sum(seconds(edited, it)[0] for it in sources)
        projects = list(map(project_around, sources))
        works = READING | {name: work for name, work in WORKS.items() if name in names}
        return taken | {name: sum(seconds(work, it, it.subject)[0] for it in projects) for name, work in works.items()}
    finally:
        gc.enable()


def steep(language, piece, length, steepest, short):
    """What grows faster than the text, with the seconds for a text and for one of ten times its length.

    What seems to grow is compared with ten texts that are held at once too, each read before any is asked about: one
    alone lies in the processor's caches, in which the large one never does, and looks cheaper than a tenth by half.
    """
    # An even number of pieces has its middle between two, where the work may be half of that within one.
    pair = 2 * len(piece)
    small, large, alone, together, left = length // pair * pair, {}, {}, {}, ["edit", *WORKS]
    whole = document(language, piece, 10 * small)
    # Of different lengths, or what was found out about one would be remembered for the next.
    tenths = [document(language, piece, small + it * len(piece)) for it in range(-5, 5)]
    for attempt in range(TRIES):
        large = least(large, times([whole], left))
        left = [it for it, taken in large.items() if taken > short]
        if left:
            alone = least(alone, times(tenths[5:6], left))
            if attempt:
                together = least(together, times(tenths, left))
            left = [it for it in left if large[it] > steepest * max(alone[it], together.get(it, 0.0) / len(tenths))]
        if not left:
            break
    return {it: (alone[it], large[it]) for it in left}


def least(known, new):
    return known | {name: min(known.get(name, it), it) for name, it in new.items()}


FAMILY = [(language, piece) for language in LANGUAGES for piece in pieces(language)]
EVERY = 4  # of which one is opened without a flag


def pytest_generate_tests(metafunc):
    whole = any(metafunc.config.getoption(f"--{flag}") for flag in LENGTHS)
    metafunc.parametrize(("language", "piece"), FAMILY if whole else FAMILY[::EVERY])


def test_what_is_opened_again_and_again_takes_work_in_proportion(request, language, piece):
    """Of parsers, checks and features."""
    asked = next((it for flag, it in LENGTHS.items() if request.config.getoption(f"--{flag}")), BRIEF)
    bounds = (STEEPEST_BRIEF, SHORT_BRIEF) if asked == BRIEF else (STEEPEST, SHORT)
    for length in asked:
        assert not steep(language, piece, length, *bounds)
