from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

import marks
from citelsp.base.text import Span, apply
from citelsp.features import rename
from citelsp.features.values import Change, Refused
from fixture_projects import project_of, world

PROJECT = r"""
%% main.tex
See \cite{ol|d} and \citep[p.~3]{x, old}; not \cite{older} % \cite{old}
%% part.md
As [@old, p. 3; -@old] and @{old} say.
%% refs.bib
@book{old, title = {The old way}}
@misc{x, crossref = "old", xdata = {a, old}, note = {old}}
%% more.bib
@book{old, title = {Again}}
"""


def test_everywhere_at_once():
    it = world(PROJECT)
    edits = rename.edits_for(it.project, *it.cursor, "new")
    assert it.after(Change(edits)) == {
        "main.tex": "See \\cite{new} and \\citep[p.~3]{x, new}; not \\cite{older} % \\cite{old}\n",
        "part.md": "As [@new, p. 3; -@new] and @{new} say.\n",
        "refs.bib": '@book{new, title = {The old way}}\n@misc{x, crossref = "new", xdata = {a, new}, note = {old}}\n',
        "more.bib": "@book{new, title = {Again}}\n",
    }


def test_where_single_values_come_from():
    it = world(
        "%% main.tex\n\\cite{x} \\addbibresource{r.bib}\n%% r.bib\n"
        "@xdata{o|ld, title = {T}}\n@misc{x, title = {xdata=old-title}, author = {A and xdata=old-a-1}, note = {old}}\n"
    )
    edits = rename.edits_for(it.project, *it.cursor, "new")
    after = (
        "@xdata{new, title = {T}}\n@misc{x, title = {xdata=new-title}, author = {A and xdata=new-a-1}, note = {old}}\n"
    )
    assert it.after(Change(edits)) == {"r.bib": after}


def test_braces_where_markdown_needs_them():
    it = world("%% main.md\nSee @o|ld and \\cite{a, old}.\n%% refs.bib\n@misc{old}\n")
    edits = rename.edits_for(it.project, *it.cursor, "new.")
    after = {"main.md": "See @{new.} and \\cite{a, new.}.\n", "refs.bib": "@misc{new.}\n"}
    assert it.after(Change(edits)) == after


def test_labels_that_code_of_typst_names_are_keys_if_entries_have_them():
    it = world(
        "%% a.typ\n#let in-text(k) = cite(k)\n#in-text(<o|ld>) #fig([x], <fig>) @fig @old\n"
        '#in-text(label("old"))\n%% refs.bib\n@misc{old}\n'
    )
    edits = rename.edits_for(it.project, *it.cursor, "new")
    after = '#let in-text(k) = cite(k)\n#in-text(<new>) #fig([x], <fig>) @fig @new\n#in-text(label("new"))\n'
    assert it.after(Change(edits)) == {"a.typ": after, "refs.bib": "@misc{new}\n"}
    assert [citation.key for _, citation in it.project.citations()] == ["old", "old", "old"]


def test_alias():
    it = world("%% main.tex\n\\cite{al|ias}\n%% refs.bib\n@misc{a, ids = {b, alias}}\n")
    assert it.after(Change(rename.edits_for(it.project, *it.cursor, "c"))) == {
        "main.tex": "\\cite{c}\n",
        "refs.bib": "@misc{a, ids = {b, c}}\n",
    }


def test_a_number_for_a_key_becomes_a_string():
    marked = marks.parse('%% n.md\n---\nbibliography: r.json\n---\n@5|\n%% r.json\n[{"id": 5, "title": "T"}]\n')
    edits = rename.edits_for(marks.project(marked), *marked.cursor, "five")
    json = apply(marked.files["r.json"], [it for it in edits if it.path == "r.json"])
    assert json == '[{"id": "five", "title": "T"}]\n'


GROUPS = r"""@misc{%s, note = {See \cite{x,%s} and \citet[p.~1]{x}}}
@misc{x, related = {%s}}
@comment{jabref-meta: groupstree:
0 AllEntriesGroup:;
1 ExplicitGroup:%s\;0\;x\;%s\;;
2 ExplicitGroup:a\\\;b\;2\;%s\;;
1 KeywordGroup:old\;0\;keywords\;old\;0\;0\;;
}
@comment{BibDesk Static Groups{
<plist><array><dict><key>group name</key><string>old</string>
<key>keys</key><string>x,%s</string></dict></array></plist>
}}
"""


def test_groups_and_notes_of_a_bibliography():
    before = GROUPS % ("old", "old", "old", "old", "o\nld", "old", "old")
    project = project_of({"r.bib": before})
    for offset in (before.index("old"), before.index("old\\;;"), before.rindex("old")):
        edits = rename.edits_for(project, "r.bib", offset, "new")
        assert apply(before, edits) == GROUPS % ("new", "new", "new", "old", "new", "new", "new")


def test_citation_keys_of_csl():
    for written in ('[{"id": "old", "citation-key": "old"}]', '[{"id":"old","type":"book",\n "citation-key" : "old"}]'):
        marked = marks.parse(f"%% n.md\n---\nbibliography: r.json\n---\n@old|\n%% r.json\n{written}\n")
        edits = rename.edits_for(marks.project(marked), *marked.cursor, "new")
        json = apply(marked.files["r.json"], [it for it in edits if it.path == "r.json"])
        assert json == written.replace("old", "new") + "\n"


def refusal(fixture, new_key, **kwargs):
    it = world(fixture, **kwargs)
    found = rename.edits_for(it.project, *it.cursor, new_key)
    assert isinstance(found, Refused)
    return found.reason


def test_refusals_say_why():
    assert refusal(PROJECT, "a b") == "A key cannot contain a space."
    assert refusal(PROJECT, "a,b") == "A key cannot contain the character ,."
    assert refusal(PROJECT, "") == "A key cannot be empty."
    assert refusal(PROJECT, "x") == "There is already an entry with the key x."
    assert refusal(PROJECT, "-x") == "In Markdown and YAML, a key must begin with a letter, a digit or an underscore."
    assert refusal(PROJECT, "x:") == "In Markdown and YAML, a key cannot end with a colon."
    assert refusal(PROJECT, "new", read_only=("more.bib",)) == "more.bib is read-only."
    assert refusal("%% a.tex\nno ke|y\n", "new") == "There is no citation key here."


def test_exported_bibliographies_are_left_alone():
    said = refusal("%% a.tex\n\\cite{a|}\n%% z.bib\n% Exported from Zotero\n@misc{a}\n", "new")
    assert said == "z.bib is exported by Zotero: rename it there; the next export would undo the change."


def test_a_mistyped_key_may_become_one_that_exists():
    it = world("%% a.tex\n\\cite{knut|h}\n%% r.bib\n@misc{knuth84}\n")
    assert it.after(Change(rename.edits_for(it.project, *it.cursor, "knuth84"))) == {"a.tex": "\\cite{knuth84}\n"}


def test_prepare_gives_the_key_alone():
    it = world(PROJECT)
    assert rename.prepare(it.project, *it.cursor) == rename.Prepared(Span(10, 13), "old")


KEYS = st.from_regex(r"[A-Za-z0-9_]{2,5}(?:[:+/-][A-Za-z0-9_]{1,3})?", fullmatch=True)


@settings(deadline=None)
@given(KEYS.filter(lambda it: it not in ("old", "older")))
def test_there_and_back_is_identity(key):
    it = world(PROJECT)
    there = it.after(Change(rename.edits_for(it.project, *it.cursor, key)))
    changed = world(PROJECT)
    changed.marked.files |= there
    back = rename.edits_for(project_of(changed.marked.files), *it.cursor, "old")
    assert changed.after(Change(back)) == {path: it.marked.files[path] for path in there}


def test_refused_where_the_entry_may_stand_in_what_was_not_read():
    front = "%% a.md\n---\nbibliography: refs.ris\n---\n[@ol|d]\n"
    read = marks.parse(f"{front}%% refs.ris\nTY  - JOUR\n")
    for refused in (
        rename.edits_for(marks.project(read), *read.cursor, "new"),
        rename.prepare(marks.project(read), *read.cursor),
    ):
        assert refused == Refused("Its entry may be in refs.ris, which was not read.")
    assert rename.edits_for(marks.project(marks.parse(front)), *read.cursor, "new")


def test_refused_where_documents_were_left_out():
    it = world(PROJECT)
    refused = rename.edits_for(replace(it.project, bounded=True), *it.cursor, "new")
    assert isinstance(refused, Refused) and "Some documents" in refused.reason


def test_a_macro_is_not_renamed_where_documents_were_left_out():
    it = world("%% refs.bib\n@string{x| = {X}}\n@misc{a, note = x}\n")
    assert rename.edits_for(it.project, *it.cursor, "y")
    refused = rename.edits_for(replace(it.project, bounded=True), *it.cursor, "y")
    assert isinstance(refused, Refused) and "could not be read" in refused.reason


def test_an_entry_without_a_key_has_nothing_to_rename():
    it = world("%% r.bib\n@misc{|, title = {A}}\n@misc{, title = {B}}\n")
    assert rename.prepare(it.project, *it.cursor) is None
