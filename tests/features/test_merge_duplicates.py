from hypothesis import given
from hypothesis import strategies as st

from citelsp.features import merge_duplicates
from citelsp.features.values import Refused
from citelsp.text import apply
from worlds import project_of, world


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
    fixture = (
        "%% r.bib\n@string{j = {J}}\n@misc{a, title = {T}, year = 1}\n"
        '%% s.bib\n@string{j = {K}}\n@misc{a, journal = j # ": A", month = jan}\n'
    )
    assert merged(fixture, "a") == {
        "r.bib": "@string{j = {J}}\n@misc{a, title = {T}, year = 1, journal = {K: A}, month = jan}\n",
        "s.bib": "@string{j = {K}}\n",
    }


def test_an_entry_without_fields_gets_those_of_the_other():
    files = {"a.tex": "\\cite{a}\\cite{a}", "r.bib": "@misc{a}\n@misc{b, title = {T}}\n"}
    assert joined(files, "a", "b")["r.bib"] == "@misc{a, title = {T}}\n"


def test_aliases_of_an_entry_removed_are_cited_by_the_key_kept():
    rest = "@misc{a, note = {n}}\n@misc{c}\n"
    files = {"a.tex": "\\cite{old,a} \\cite{old} \\cite{c}", "r.bib": rest + "@misc{b, ids = {old, c}}\n"}
    assert joined(files, "a", "b") == {"a.tex": "\\cite{a} \\cite{a} \\cite{c}", "r.bib": rest}


def test_line_breaks_are_those_of_the_file():
    files = {
        "r.bib": "@misc{a,\r\n  title = {T},\r\n  year = 1,\r\n}\r\n",
        "s.bib": "@misc{b,\n  note = {m\n\x0cn},\n}\n",
    }
    after = joined(files, "a", "b")["r.bib"]
    assert after == "@misc{a,\r\n  title = {T},\r\n  year = 1,\r\n  note = {m\r\n\x0cn},\r\n}\r\n"


def joined(files, *keys):
    """The files after merging these entries."""
    project = project_of(files)
    change = merge_duplicates.edits_for(project, [place for key in keys for place in project.find(key)])
    return {path: apply(text, [it for it in change.edits if it.path == path]) for path, text in files.items()}


def test_refusals():
    assert merged("%% r.bib\n@misc{a}\n", "a") == "There is only one entry."
    assert merged("%% r.bib\n@misc{a}@misc{a}\n", "a", read_only=("r.bib",)) == "r.bib is read-only."


KEYS = st.sampled_from(["a", "b", "x", "bb"])
GROUPS = st.lists(KEYS, min_size=1, max_size=4).map(lambda keys: f"\\citep[p.~1]{{{', '.join(keys)}}}")
BIB = "@misc{a, title = {T}, year = 1}\n\n@misc{b, title = {T}}\n@misc{x}\n"


@given(st.lists(GROUPS, max_size=6))
def test_the_old_key_is_cited_nowhere_and_the_others_as_before(groups):
    files = {"a.tex": "\n".join(groups), "r.bib": BIB}
    project = project_of(files)
    change = merge_duplicates.edits_for(project, [*project.find("a"), *project.find("b")])
    texts = {path: apply(text, [it for it in change.edits if it.path == path]) for path, text in files.items()}
    after = project_of(texts)
    [kept] = {"a", "b"} & {place.node.key for place in after.entries()}
    gone = "b" if kept == "a" else "a"
    assert gone not in after.cited
    assert {"a", "b"} & project.cited == set() or kept in after.cited
    assert sum(it.key == "x" for _, it in after.citations()) == sum(it.key == "x" for _, it in project.citations())
