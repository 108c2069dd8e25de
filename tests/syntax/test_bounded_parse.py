"""A document that takes too long to read: its keys and the files that it names are known, and that is what is said."""

import json

import pytest

from citelsp.base import bounds, effort
from citelsp.base.settings import Settings
from citelsp.base.text import Document, Span
from citelsp.checks import notes
from citelsp.features import definition
from citelsp.syntax import languages, parse, reparse
from citelsp.syntax.bibtex import parsing
from citelsp.workspace import include_graph, link_scan
from citelsp.workspace.files import DiskFiles
from citelsp.workspace.source import Source

ENTRIES, KEYS = 5000, 2000
TEXTS = {
    "main.tex": "\\documentclass{article}\\addbibresource{refs.bib}\\cite[p. 3]{a, gone} \\textcite{a}\n",
    "main.md": "---\nbibliography: refs.bib\n---\nSee [@a; @gone] and @a.\n",
    "main.org": "#+bibliography: refs.bib\nSee [cite:@a;@gone] and [cite:@a].\n",
    "main.typ": "See @a, @gone and #cite(<a>).\n#bibliography(\"refs.bib\")\n",
    "main.ipynb": json.dumps({
        "cells": [
            {"cell_type": "raw", "source": ["---\n", "bibliography: refs.bib\n", "---\n"]},
            {"cell_type": "markdown", "source": ["See [@a; @gone] and @a.\n"]},
        ]
    }),
}  # fmt: skip


class HastyFiles(DiskFiles):
    """No time is left for a manuscript; the clock of a machine would make another test each time."""

    def read(self, path, language=None):
        source = super().read(path, language)
        if source is None or not source.language.manuscript:
            return source
        return Source(source.document, parse(source.document, (), 0.0), source.open, source.writable, source.encoding)


@pytest.fixture(scope="module", autouse=True)
def few():
    """So few entries and keys are read that the tests need not write thousands."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bounds, "ENTRIES", ENTRIES)
        patch.setattr(bounds, "KEYS", KEYS)
        yield


@pytest.mark.parametrize("name", TEXTS)
def test_keys_and_definitions_are_served_and_the_rest_is_said(tree, name):
    folder = tree({name: TEXTS[name], "refs.bib": "@book{a, title = {A}}\n"})
    path = str(folder / name)
    project = include_graph.build(HastyFiles([str(folder)]), path, Settings())
    assert [it.key for _, it in project.citations()] == ["a", "gone", "a"]
    assert definition.find(project, path, TEXTS[name].index("gone") - 3) is not None
    assert [it.text for it in notes(project)][:1] == [
        f"{path} takes more than 2 seconds to read, so citelsp knows only its keys."
    ]
    assert not project.closed


def test_a_key_typed_into_it_is_not_waited_for():
    text = TEXTS["main.tex"]
    old = parse(Document("a", text, "latex"), (), 0.0)
    new = reparse(old, Document("a", f"\\cite{{b}}{text}", "latex"), Span(0, 0), "\\cite{b}")
    assert (new.reduced, new.citations[0].key) == ("time", "b")
    assert not parse(Document("a", text, "latex")).reduced


def test_the_time_is_that_of_the_processor():
    with pytest.raises(effort.TooLongError), effort.limit(0.01):
        for _ in effort.iterate(range(10**9)):
            pass
    assert list(effort.iterate(range(1000))) == list(range(1000))


def test_a_limit_within_another_is_no_longer_than_that():
    with pytest.raises(effort.TooLongError), effort.limit(0), effort.limit(1000):
        list(effort.iterate([1]))


@pytest.mark.parametrize("name", TEXTS)
def test_links_that_take_long_to_find_are_left_to_the_reading_of_the_whole(name):
    with effort.limit(0):
        found = link_scan.skim(Document(name, TEXTS[name], languages.language_of_path(name).name))
    assert (found.reduced, found.links) == ("time", ())


def test_a_document_ends_with_its_time():
    """Ten seconds without one."""
    syntax = parse(Document("a", "*@a" * 150_000, "markdown"), (), 0.2)
    assert (syntax.reduced, len(syntax.citations)) == ("time", bounds.KEYS)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("latex", f"\\cite{{a{',a' * KEYS}}}"),
        ("latex", "\\cite{a}" * (KEYS + 1)),
        ("markdown", f"[@a{'; @a' * KEYS}]"),
        ("org", f"[cite:@a{';@a' * KEYS}]"),
        ("typst", "@a " * (KEYS + 1)),
    ],
)
def test_more_keys_than_anyone_cites(language, text):
    """Typing goes on, and the last of those that are allowed is read whole."""
    new = parse(Document("a", text, language))
    assert (new.reduced, len(new.citations)) == ("keys", bounds.KEYS)
    assert reparse(new, Document("a", f"{text}\n", language), Span(len(text), len(text)), "\n").reduced == "keys"
    assert not parse(Document("a", text.replace("a", "", 1).replace("@", "", 1), language)).reduced


@pytest.mark.parametrize(
    ("language", "text"), [("latex", "\\input{a}"), ("markdown", "{{< include a >}}\n\n"), ("org", "#+include: a\n")]
)
def test_more_files_than_anyone_names(language, text):
    new = parse(Document("a", text * (bounds.FOUND + 1), language))
    assert (new.reduced, len(new.links)) == ("files", bounds.FOUND)


@pytest.mark.parametrize("entry", ["@book{k,title={A}}", "@a{k}", "@comment{k}\n", "% @a{k}\n", "@ ", "@string{a=b}"])
def test_more_entries_than_anyone_writes(tree, entry):
    """The first are served, the rest is said, and no key is undefined because of it."""
    written = "\\documentclass{article}\\addbibresource{refs.bib}\\cite{k, last}\n"
    folder = tree({"main.tex": written, "refs.bib": entry * (bounds.ENTRIES + 2000) + "@book{last, title={Z}}\n"})
    project = include_graph.build(DiskFiles([str(folder)]), str(folder / "main.tex"), Settings())
    found = project.sources[str(folder / "refs.bib")].syntax.entries
    assert not project.closed and found.cut and len(found) < bounds.ENTRIES + 1000
    assert (
        f"{folder / 'refs.bib'} has more entries and macros than citelsp reads, so citelsp knows only its "
        f"first {len(found):,} entries."
    ) in {it.text for it in notes(project)}


def test_typing_into_too_many_entries():
    text = "@a{k}" * (bounds.ENTRIES - 1)
    few = parse(Document("a", text, "bibtex"))
    many = reparse(few, Document("a", f"@a{{k}}@a{{l}}{text}", "bibtex"), Span(0, 0), "@a{k}@a{l}")
    again = reparse(many, Document("a", text, "bibtex"), Span(0, 10), "")
    assert [it.entries.cut for it in (few, many, again)] == [False, True, False]


@pytest.fixture(scope="module")
def cut():
    text = "@a{k}\n" * (bounds.ENTRIES + 2000)
    return text, parse(Document("a", text, "bibtex"))


@pytest.mark.parametrize(("at", "typed"), [(0, " "), (0.5, "x"), (0.5, "@b{l}"), (0.99, "x"), (1, "@"), (1, "@b{l}")])
def test_a_key_typed_into_what_was_cut_reads_only_what_it_touches(cut, at, typed):
    text, old = cut
    place = round(at * len(text)) // 6 * 6
    new = reparse(old, Document("a", text[:place] + typed + text[place:], "bibtex"), Span(place, place), typed)
    nodes = set(new.entries) - set(old.entries)
    assert new.entries.cut and len(nodes) <= 2 and len(old.entries) <= len(new.entries)


def test_a_bibliography_that_took_too_long_is_not_read_anew_at_each_key():
    text = "@book{k, title={A}}\n" * 2000
    with effort.limit(0):
        old = parsing.parse(Document("a", text, "bibtex"))
    new = reparse(old, Document("a", f"{text} ", "bibtex"), Span(len(text), len(text)), " ")
    assert (len(old.entries), len(new.entries), new.entries.cut) == (0, 0, True)


@pytest.mark.parametrize(("language", "item"), [("csl-json", '{"id":"a"},'), ("ris", "TY  - JOUR\nID  - a\nER  - \n")])
def test_more_items_than_anyone_writes(language, item):
    text = item * (bounds.ENTRIES + 1)
    found = parse(Document("a", f"[{text}]" if language == "csl-json" else text, language)).entries
    assert (len(found), found.cut) == (bounds.ENTRIES, True)


def test_a_library_is_read_whole():
    entry = f"@book{{k, title = {{{'A' * bounds.ENTRY_LENGTH}}}}}\n"
    found = parse(Document("a", entry * (bounds.ENTRIES + 1), "bibtex")).entries
    assert (len(found), found.cut) == (bounds.ENTRIES + 1, False)


@pytest.mark.parametrize(("more", "problems"), [(0, 0), (1, 1)])
def test_as_many_fields_as_are_read_are_not_too_many(more, problems):
    node = parse(Document("a", f"@book{{k, {'a = {1}, ' * (bounds.FIELDS + more)}", "bibtex")).entries.node(0)
    assert sum("more than" in it.message for it in node.problems()) == problems


@pytest.mark.parametrize("field", ["a = {1},", "a = {", 'a = "', "a, ", "%\n"])
def test_more_fields_than_anyone_writes(field):
    node = parse(Document("a", f"@book{{k, {field * (2 * bounds.FIELDS + 10)}", "bibtex")).entries.node(0)
    assert len(node.fields()) <= 2 * bounds.FIELDS
    assert len(node.problems()) <= 3 * bounds.FIELDS
