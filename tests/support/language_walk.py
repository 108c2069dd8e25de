"""Everything that citelsp does in a language, walked through: a language that forgets a place fails here."""

from dataclasses import replace

import marks
from citelsp import checks
from citelsp.base.text import Document, Edit, Span, apply
from citelsp.bibliography.completion_search.libraries import Libraries
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.features import (
    complete_files,
    complete_keys,
    declarations,
    insert_entry,
    lookup_target,
    rename,
)
from citelsp.features.values import Refused
from citelsp.knowledge import Candidate, Knowledge
from citelsp.syntax import parse, prose, reparse
from citelsp.syntax.languages.language import Form
from citelsp.workspace.link_scan import skim

BIB = "@book{knuth84, author = {Knuth, Donald E.}, title = {Literate Programming}, publisher = {P}, year = 1984}\n"
BOTH = BIB + "@book{turing50, author = {Turing, Alan}, title = {Minds}, publisher = {P}, year = 1950}\n"
# What is said of a manuscript.
CODES = {"undefined-citation", "missing-bibliography", "stale-suppression", "open-placeholder"}
RECORD = Record(
    "crossref",
    "10.1000/q",
    "Quicksort",
    (Name("Hoare", "C. A. R."),),
    years=(1962,),
    venue="The Computer Journal",
    type="article-journal",
    identifiers=Identifiers(doi="10.1000/q"),
)


class Manuscripts:
    """The steps for one language of manuscripts, each with what an author would see."""

    def __init__(self, language):
        self.language, self.written = language, language.manuscript
        self.path = f"paper.{language.endings[0]}"

    def walk(self):
        steps = [getattr(self, it) for it in dir(type(self)) if it.startswith("step_")]
        for step in steps:
            step()

    def parse(self, text):
        return parse(Document(self.path, text, self.language.name))

    def declaring(self, text, name="refs.bib"):
        return apply(text, [Edit("", *self.written.declare(text, (), name, [text]))])

    def project(self, text, bib=BOTH, **others):
        return marks.project(marks.Marked({self.path: text, "refs.bib": bib} | others), self.path)

    def cited(self, key):
        return self.written.cite([key], Form())

    def sentence(self, citation):
        return self.declaring(f"Before it nothing. Programs are written for people {citation} to read.\n")

    def step_cite(self):
        text = self.sentence(self.cited("knuth84"))
        [citation] = self.parse(text).citations
        assert (citation.key, citation.span.within(text)) == ("knuth84", "knuth84")
        assert self.project(text).citation_at(self.path, citation.span.start) == citation

    def step_cite_several(self):
        for form in (Form(locator="p. 4"), Form(textual=True, locator="p. 4")):
            text = self.sentence(self.written.cite(["knuth84", "turing50"], form))
            assert [it.key for it in self.parse(text).citations] == ["knuth84", "turing50"], text

    def step_complete(self):
        whole = self.sentence(self.cited("knuth84"))
        [citation] = self.parse(whole).citations
        text = whole[: citation.span.start] + "knu" + whole[citation.span.end :]
        found = complete_keys.complete(self.project(text), Libraries(), self.path, citation.span.start + 3)
        assert [it.key for it in found.items][:1] == ["knuth84"]
        assert text[: found.span.start] + found.items[0].new_text + text[found.span.end :] == whole

    def step_fill_a_placeholder(self):
        text = self.sentence(self.written.placeholder("some words"))
        [placeholder] = self.parse(text).placeholders
        assert placeholder.words == "some words"
        for keys in (["knuth84"], ["knuth84", "turing50"]):
            after = apply(text, [Edit("", placeholder.span, self.written.fill(placeholder, keys))])
            assert [it.key for it in self.parse(after).citations] == keys
            assert not self.parse(after).placeholders

    def step_accept_and_insert(self):
        text = self.sentence(self.written.placeholder("sorting"))
        [placeholder] = self.parse(text).placeholders
        project = self.project(text)
        insertion = insert_entry.edits_for(project, self.path, placeholder, Candidate(RECORD))
        after = self.changed({self.path: text, "refs.bib": BOTH}, insertion.change)
        assert [it.key for it in self.parse(after[self.path]).citations] == [insertion.key]
        assert insertion.key in after["refs.bib"]
        assert not checks.run(self.project(after[self.path], after["refs.bib"]), Knowledge(), codes=CODES)
        several = insert_entry.edits_for_several(project, self.path, placeholder, [Candidate(RECORD)])
        assert not isinstance(several, Refused)

    def step_cite_an_identifier(self):
        text = self.sentence("10.1000/q")
        at = text.index("10.1000/q") + 2
        project = self.project(text)
        found = lookup_target.find_target(project, self.path, Span(at, at))
        change = lookup_target.change(project, self.path, found, RECORD)
        after = self.changed({self.path: text, "refs.bib": BOTH}, change.change)
        assert [it.key for it in self.parse(after[self.path]).citations] == [change.key]

    def step_declare(self):
        first = self.sentence(self.cited("knuth84"))
        assert [it.target.removesuffix(".bib") for it in self.links(first)] == ["refs"]
        project = self.project(first)
        assert list(project.bibliographies) == ["refs.bib"]
        edit = declarations.edit_for(project, self.path, "more.bib")
        after = apply(first, [edit])
        assert [it.target.removesuffix(".bib") for it in self.links(after)] == ["refs", "more"]
        assert list(self.project(after, **{"more.bib": ""}).bibliographies) == ["refs.bib", "more.bib"]

    def step_declare_a_new_file(self):
        text = f"Programs {self.written.placeholder('sorting')} sort.\n"
        project = marks.project(marks.Marked({self.path: text}), self.path)
        [placeholder] = self.parse(text).placeholders
        insertion = insert_entry.edits_for(project, self.path, placeholder, Candidate(RECORD))
        after = self.changed({self.path: text}, insertion.change)
        project = self.project(after.pop(self.path), **after)
        assert not project.unresolved
        assert project.find(insertion.key)

    def step_name_a_file(self):
        text = self.sentence("")
        [link] = self.links(text)
        at = link.span.start + 2
        place = complete_files.place(self.project(text), self.path, at)
        assert place is not None
        offered = complete_files.complete(place, lambda pattern: ["refs.bib"] if pattern == "*.bib" else [])
        assert [text[: place.span.start] + it + text[place.span.end :] for it in offered] in ([text], [])

    def step_rename(self):
        text = self.sentence(self.cited("knuth84"))
        project = self.project(text)
        at = self.parse(text).citations[0].span.start
        edits = rename.edits_for(project, self.path, at, "knuth-1984")
        after = apply(text, [it for it in edits if it.path == self.path])
        assert after == self.sentence(self.cited("knuth-1984"))
        assert {it.path for it in edits} == {self.path, "refs.bib"}
        strange = rename.edits_for(project, self.path, at, ":odd+")
        if not isinstance(strange, Refused):
            after = apply(text, [it for it in strange if it.path == self.path])
            assert [it.key for it in self.parse(after).citations] == [":odd+"]

    def step_suppress(self):
        text = self.sentence(self.cited("gone"))
        [finding] = checks.run(self.project(text), Knowledge(), codes=CODES)
        assert finding.code == "undefined-citation"
        line = text.rfind("\n", 0, finding.span.start) + 1
        comment = self.written.comment("citelsp: ignore[undefined-citation]")
        silenced = f"{text[:line]}{comment}\n{text[line:]}"
        assert not checks.run(self.project(silenced), Knowledge(), codes=CODES)
        assert not self.parse(f"Words.\n{self.written.comment(self.cited('gone'))}\n").citations

    def step_say_nothing_of_what_is_right(self):
        text = self.sentence(self.cited("knuth84"))
        assert not checks.run(self.project(text), Knowledge(), codes=CODES)

    def step_skim(self):
        text = self.sentence(self.cited("knuth84"))
        whole, skimmed = self.parse(text), skim(Document(self.path, text, self.language.name))
        assert [it.target for it in skimmed.links] == [it.target for it in whole.links]
        assert (skimmed.root, skimmed.is_root) == (whole.root, whole.is_root)

    def step_edit(self):
        text = self.sentence(self.cited("knuth84"))
        old = self.parse(text)
        span = old.citations[0].span
        after = Document(self.path, text[: span.start] + "turing50" + text[span.end :], self.language.name)
        again = reparse(old, after, span, "turing50")
        assert [it.key for it in again.citations] == ["turing50"]
        assert again == replace(parse(after), entries=again.entries)

    def step_read_prose(self):
        text = self.sentence(self.written.placeholder("sorting"))
        syntax = self.parse(text)
        found = prose.sentence(Document(self.path, text, self.language.name), syntax, syntax.placeholders[0].whole)
        assert found == "Programs are written for people to read."

    def links(self, text):
        return [it for it in self.parse(text).links if it.kind == "bibliography"]

    def changed(self, files, change):
        edited = {it.path for it in change.edits}
        after = {path: apply(files[path], [it for it in change.edits if it.path == path]) for path in edited}
        return files | after | {it.path: it.text for it in change.files}
