"""Entries that no author wrote: a verdict or none, never a crash or a wait."""

import random
import time

from hypothesis import given, settings
from hypothesis import strategies as st

from citelsp.base.text import Document
from citelsp.bibliography.entry import Entry, fingerprint
from citelsp.knowledge import Verdict
from citelsp.syntax.bibtex import parsing
from citelsp.verification.decide import verdict
from citelsp.verification.plan import questions
from written_references import ALL, PAPER, answers, by, cited, found

HOSTILE = st.text(st.sampled_from("aZ0 {}\\\"%#$&~^_,=@-\n\t\x00\ufffdéß\u0301漢\ud800'"), max_size=40)


def judged(text):
    """Every entry of a text, against PAPER as three services know it."""
    syntax = parsing.parse(Document("r.bib", text, "bibtex"))
    for index in range(len(syntax.entries)):
        entry = Entry(syntax.entries.node(index), syntax.strings)
        said = answers(entry, PAPER, by("openalex"), found("crossref", "doi", entry.identifiers.doi, PAPER))
        fingerprint(entry)
        questions(entry, said, ALL)
        yield verdict(entry, said, ALL)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from("title author year booktitle pages doi eprint volume".split()), HOSTILE))
def test_any_field(fields):
    text = "@inproceedings{k, " + ", ".join(f"{name} = {{{value}}}" for name, value in fields.items()) + "}"
    assert all(isinstance(it, Verdict) for it in judged(text))


def test_random_bytes():
    text = random.Random(1).randbytes(300_000).decode("latin-1")  # noqa: S311  nothing secret
    started = time.process_time()
    assert all(isinstance(it, Verdict) for it in judged(text + "@a{k, title = {T}}\n@a{unclosed, title = {"))
    assert time.process_time() - started < 10


def test_endless_titles():
    started = time.process_time()
    for title in ("a" * 300_000, "word " * 60_000, "(" * 20_000, "$" * 20_000):
        entry = cited(title=title)
        verdict(entry, answers(entry, PAPER, by("openalex", title=title[::-1])), ALL)
    assert time.process_time() - started < 5
