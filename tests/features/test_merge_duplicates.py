from citelsp.features import merge_duplicates
from citelsp.features.values import Refused
from worlds import world


def merged(fixture, *keys, **kwargs):
    it = world(fixture, **kwargs)
    places = [place for key in keys for place in it.project.find(key)]
    change = merge_duplicates.edits_for(it.project, places)
    return change.reason if isinstance(change, Refused) else it.after(change)


def test_fields_citations_and_pointers():
    fixture = r"""
    %% a.tex
    \cite{one} and \cite{one, x} and \cite{two, y} and \cite{one,two, z}
    %% r.bib
    @misc{one,
      title = {A},
      year = 2001
    }

    @misc{two, title = {A}, doi = {10.1/a}, note = {n}}

    @misc{c, crossref = {two}}
    """
    assert merged(fixture, "one", "two") == {
        "a.tex": "\\cite{one} and \\cite{one, x} and \\cite{one, y} and \\cite{one, z}\n",
        "r.bib": "@misc{one,\n  title = {A},\n  year = 2001,\n  doi = {10.1/a},\n  note = {n}\n}\n\n"
        "@misc{c, crossref = {one}}\n",
    }


def test_markdown_groups():
    fixture = "%% a.md\n[@a; @b] [see @a; also @b, p. 3] @a @{b}\n%% r.bib\n@misc{a}\n@misc{b}\n"
    assert merged(fixture, "a", "b") == {"a.md": "[@a] [see @a; also @a, p. 3] @a @{a}\n", "r.bib": "@misc{a}\n"}


def test_same_key_in_two_files():
    fixture = "%% r.bib\n@string{j = {J}}\n@misc{a, title = {T}}\n%% s.bib\n@string{j = {K}}\n@misc{a, journal = j}\n"
    assert merged(fixture, "a") == {"s.bib": "@string{j = {K}}\n"}


def test_refusals():
    assert merged("%% r.bib\n@misc{a}\n", "a") == "There is only one entry."
    assert merged("%% r.bib\n@misc{a}@misc{a}\n", "a", read_only=("r.bib",)) == "r.bib is read-only."
