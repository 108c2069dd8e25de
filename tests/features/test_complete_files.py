import os
from fnmatch import fnmatch

import pytest

from citelsp.features import complete_files
from fixture_projects import world

FILES = ["/w/refs.bib", "/w/more.bib", "/w/sub/deep.bib", "/w/apa.csl", "/w/sub/other/far.bib", "/up.bib"]


def listed(pattern):
    pattern = os.path.normpath(pattern)
    return [it for it in FILES if fnmatch(it, pattern) and it.count("/") == pattern.count("/")]


def offered(path, text):
    it = world(f"%% {path}\n{text}\n")
    place = complete_files.place(it.project, *it.cursor)
    if place is None:
        return None, ""
    text = it.project.sources[path].document.text
    return complete_files.complete(place, listed), place.span.within(text)


@pytest.mark.parametrize(
    ("path", "text", "names", "replaced"),
    [
        ("/w/m.tex", "\\addbibresource{|}", ["more.bib", "refs.bib", "sub/deep.bib"], ""),
        ("/w/m.tex", "\\addbibresource[label=x]{re|fs.bib}", ["more.bib", "refs.bib", "sub/deep.bib"], "refs.bib"),
        ("/w/m.tex", "\\addbibresource{sub/|}", ["sub/deep.bib", "sub/other/far.bib"], "sub/"),
        ("/w/m.tex", "\\bibliography{refs, |}", ["more", "sub/deep"], ""),
        ("/w/m.tex", "\\bibliography{refs.bib, |}", ["more", "sub/deep"], ""),
        ("/w/m.tex", "\\bibliography{./refs, |}", ["more", "sub/deep"], ""),
        ("/w/m.tex", "\\bibliography{../|}", ["../up", "more", "refs"], "../"),
        ("/w/m.md", "---\nbibliography: |\n---", ["more.bib", "refs.bib", "sub/deep.bib"], ""),
        ("/w/m.md", "---\nbibliography:\n  - refs.bib\n  - m|\n---", ["more.bib", "sub/deep.bib"], "m"),
        ("/w/m.qmd", "---\nbibliography: [refs.bib, |]\n---", ["more.bib", "sub/deep.bib"], ""),
        ("/w/m.md", '---\ncsl: "|"\n---', ["apa.csl"], ""),
    ],
)
def test_names(path, text, names, replaced):
    assert offered(path, text) == (names, replaced)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/w/m.tex", "\\cite{|}"),
        ("/w/m.tex", "\\bibliography{refs}|"),
        ("/w/m.tex", "\\bibliographystyle{|}"),
        ("/w/m.md", "---\ntitle: |\n---"),
        ("/w/m.md", "---\ntitle: x\n---\nbibliography: |"),
    ],
)
def test_nothing_elsewhere(path, text):
    assert offered(path, text) == (None, "")


def test_names_count_from_the_root_that_a_part_belongs_to():
    root = "%% /w/m.tex\n\\documentclass{x}\\input{sub/part}\n"
    it = world(root + "%% /w/sub/part.tex\n\\addbibresource{|}\n")
    place = complete_files.place(it.project, *it.cursor)
    assert (place.base, complete_files.complete(place, listed)) == ("/w", ["more.bib", "refs.bib", "sub/deep.bib"])
