from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citelsp.base.text import apply
from citelsp.features import merge_duplicates
from citelsp.features.values import Refused
from fixture_projects import project_of, world


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


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("a.md", "[@{a}; @{b}]", "[@{a}]"),
        ("a.md", "[@{a}; @b]", "[@{a}]"),
        ("a.md", "[@a; @{b}; @{b}; @x]", "[@a; @x]"),
        ("a.md", "[@{b}; @a; -@{b}]", "[@{a}]"),
        ("a.md", "[@{a}, p. 3; @{b}]", "[@{a}, p. 3; @{a}]"),
        ("a.tex", r"\cites{a}{b}", r"\cites{a}"),
        ("a.tex", r"\cites{x,b}{a}{b,x}", r"\cites{x,a,x}"),
        ("a.tex", r"\cites[1]{a}[2]{b}", r"\cites[1]{a}[2]{a}"),
        ("a.org", "cite:&a;&b;&x", "cite:&a;&x"),
        ("a.org", "[[cite:&a;see &b p. 3]]", "[[cite:&a;see &a p. 3]]"),
    ],
)
def test_a_citation_names_the_work_once_however_its_keys_are_parted(name, before, after):
    bibliography = "@article{a, journal = {J}, doi = {10.1/a}}\n@misc{b}\n"
    assert joined({name: before, "r.bib": bibliography}, "a", "b")[name] == after


def test_same_key_in_two_files():
    fixture = (
        "%% r.bib\n@string{j = {J}}\n@misc{a, title = {T}, year = 1}\n"
        '%% s.bib\n@string{j = {K}}\n@misc{a, journal = j # ": A", month = jan}\n'
    )
    assert merged(fixture, "a") == {
        "r.bib": "@string{j = {J}}\n@misc{a, title = {T}, year = 1, journal = {K: A}, month = jan}\n",
        "s.bib": "@string{j = {K}}\n",
    }


def test_a_field_without_macros_is_copied_as_it_is_written():
    kept = "@misc{a, title = {T}, author = {A}, doi = {10.1/a}, publisher = {P}"
    copied = 'year = 2001, month = feb, note = "N"'
    fixture = f"%% r.bib\n{kept}}}\n%% s.bib\n@misc{{a, {copied}}}\n"
    assert merged(fixture, "a")["r.bib"] == f"{kept}, {copied}}}\n"


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


ONE = "@article{a, title = {T}, author = {X, Y}, %s}\n"


@pytest.mark.parametrize(
    ("mine", "its", "after"),
    [
        ("year = 2001", "date = {2001-05-01}, month = may", "year = 2001, month = may"),
        ("date = {2001}", "year = 2001, month = may", "date = {2001}"),
        ("year = 2001", "year = 2002, month = may", "year = 2001"),
        ("journal = {Mind}", "journaltitle = {Mind}, volume = 2", "journal = {Mind}, volume = 2"),
        ("journal = {Mind}", "journal = {Nature}, volume = 2, pages = {3}", "journal = {Mind}"),
        ("journal = {Mind}", "booktitle = {Mind}, pages = {3}", "journal = {Mind}, pages = {3}"),
        ("publisher = {A}, location = {B}", "publisher = {A}, address = {C}", "publisher = {A}, location = {B}"),
        ("publisher = {A}", "publisher = {D}, address = {C}", "publisher = {A}"),
        ("school = {MIT}", "institution = {MIT}, type = {phd}", "school = {MIT}, type = {phd}"),
        ("url = {http://a.b}", "url = {http://c.d}, urldate = {2001-01-01}", "url = {http://a.b}"),
        (
            "eprint = {1706.03762}",
            "eprint = {12345678}, eprinttype = {pubmed}",
            "eprint = {1706.03762}",
        ),
        ("year = 2001, journal = {Mind}", "note = {To appear}", "year = 2001, journal = {Mind}"),
        ("doi = {}, note = {n}", "doi = {10.1/x}", "doi = {10.1/x}, note = {n}"),
        ("keywords = {a, b}", "keywords = {B, c}, groups = {g}", "keywords = {a, b, c}, groups = {g}"),
        ("file = {:a.pdf:PDF}", "file = {:b.pdf:PDF}, pdf = {c}", "file = {:a.pdf:PDF;:b.pdf:PDF}"),
    ],
)
def test_what_would_contradict_is_not_taken_over(mine, its, after):
    files = {"a.tex": "\\cite{a}", "r.bib": ONE % mine + ONE.replace("{a", "{b") % its}
    assert joined(files, "a", "b")["r.bib"] == ONE % after


def test_an_author_here_is_no_further_editor():
    files = {"r.bib": "@book{a, author = {X, Y}, year = 1}\n@book{b, editor = {X, Y}}\n"}
    assert joined(files, "a", "b")["r.bib"] == "@book{a, author = {X, Y}, year = 1}\n"


def test_a_subtitle_that_the_title_holds():
    files = {"r.bib": "@book{a, title = {T: S}, year = 1}\n@book{b, title = {T}, subtitle = {S}}\n"}
    assert joined(files, "a", "b")["r.bib"] == "@book{a, title = {T: S}, year = 1}\n"


def test_the_publication_is_kept_and_the_preprint_gives_its_number():
    bib = "@article{p, journal = {arXiv preprint arXiv:1706.03762}, volume = {abs/1706.03762}, eprint = {1706.03762}}\n"
    files = {"a.tex": "\\cite{p}", "r.bib": bib + "@inproceedings{q, booktitle = {NeurIPS}, pages = {1--9}}\n"}
    assert joined(files, "p", "q") == {
        "a.tex": "\\cite{q}",
        "r.bib": "@inproceedings{q, booktitle = {NeurIPS}, pages = {1--9}, eprint = {1706.03762}}\n",
    }


def test_nothing_comes_to_point_at_itself_or_twice_at_another():
    rest = "@misc{c, related = {%s}, xref = {%s}}\n"
    files = {
        "a.tex": "\\cite{a}\\cite{a}",
        "r.bib": "@misc{a, related = {b}, title = {T}, xref = {d}}\n@misc{b, crossref = {a}}\n"
        + rest % ("a, b,d", "b"),
    }
    after = "@misc{a, title = {T}, xref = {d}}\n" + rest % ("a, d", "a")
    assert joined(files, "a", "b")["r.bib"] == after


def test_letter_case_makes_no_other_entry_to_point_at_with_bibtex():
    manuscript = "\\cite{a}\\cite{a}\\bibliographystyle{plain}\\bibliography{r}"
    bib = "@misc{a, title = {T}}\n@misc{b, crossref = {A}, year = 1}\n@misc{c, xref = {B, A}}\n"
    after = joined({"a.tex": manuscript, "r.bib": bib}, "a", "b")["r.bib"]
    assert after == "@misc{a, title = {T}, year = 1}\n@misc{c, xref = {a}}\n"


def test_where_single_values_come_from():
    files = {"r.bib": "@xdata{a, title = {T}}\n@xdata{b, note = {N}}\n@misc{c, note = {xdata=b-note}}\n"}
    assert joined(files, "a", "b")["r.bib"].endswith("@misc{c, note = {xdata=a-note}}\n")


def test_a_list_of_keys_is_parted_as_before():
    files = {"r.bib": "@misc{a, title = {T}}\n@misc{b, year = 1}\n@set{s, entryset = {b,c}}\n"}
    assert joined(files, "a", "b")["r.bib"].endswith("@set{s, entryset = {a,c}}\n")


def test_groups_and_notes():
    rest = "@misc{c, note = {\\cite{%s}}}\n@comment{jabref-meta: groupstree:\n1 ExplicitGroup:G\\;0\\;%s\\;;\n}\n"
    files = {"r.bib": "@misc{a, title = {T}}\n@misc{b, year = 1}\n" + rest % ("b", "b")}
    assert joined(files, "a", "b")["r.bib"] == "@misc{a, title = {T}, year = 1}\n" + rest % ("a", "a")


def test_refusals():
    assert merged("%% r.bib\n@misc{a}\n", "a") == "There is only one entry."
    assert merged("%% r.bib\n@misc{a}@misc{a}\n", "a", read_only=("r.bib",)) == "r.bib is read-only."
    items = "%% r.yaml\n- id: a\n  title: T\n- id: a\n  volume: 3\n"
    assert merged(f"%% a.md\n---\nbibliography: r.yaml\n---\n{items}", "a") == (
        "Only entries in BibTeX’s format are merged."
    )


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


NAMES = ["year", "date", "month", "journal", "journaltitle", "booktitle", "volume", "publisher", "address", "location"]
VALUES = st.sampled_from(["{2001}", '"Mind"', "{}", "may", "jan # { 2001}", "{Nature}", "{a,\n b}", "{{X}}"])
FIELDS = st.dictionaries(st.sampled_from([*NAMES, "keywords", "eprint", "eprinttype", "note", "author"]), VALUES)


@given(FIELDS, FIELDS, st.booleans())
def test_what_is_merged_says_nothing_twice(mine, its, on_lines):
    between = ",\n  " if on_lines else ", "
    one, other = (
        f"@article{{{key}" + ("".join(f"{between}{name} = {value}" for name, value in fields.items()) or ",") + "}\n"
        for key, fields in (("a", mine), ("b", its))
    )
    rest = "@misc{x, year = 1}\n"
    after = project_of(joined({"r.bib": one + rest + other}, "a", "b"))
    [kept, x] = sorted(after.entries(), key=lambda it: it.node.key)
    fields_of_both = mine | its  # biber reads no entry without a field and its comma
    before = mine if kept.node.key == "a" else its
    names = [it.name for it in kept.node.fields()]
    assert len(names) == len(set(names)) and x.node.source == rest.strip()
    serious = [it.message for it in kept.node.problems() if it.serious and (fields_of_both or it.reader != "biber")]
    assert not [it for it in serious if it != "This entry has no key"]
    assert all(kept.node.written(name)[:-1].startswith(value[:-1]) for name, value in before.items() if value != "{}")
    said = {it for it in names if kept.entry.own[it]}
    for pair in ({"year", "date"}, {"journal", "journaltitle"}, {"address", "location"}):
        assert not pair <= said or pair <= before.keys()


def test_an_empty_field_is_filled():
    assert merged(
        "%% r.bib\n@misc{a, title = {T}, year = { {} }, note = {}}\n@misc{b, title = {T}, year = 2001}\n", "a", "b"
    ) == {"r.bib": "@misc{a, title = {T}, year = 2001, note = {}}\n"}


def test_exported_bibliographies_are_merged_where_they_come_from():
    bib = "%% r.bib\n% Exported from Zotero\n@misc{a}@misc{a}\n"
    assert merged(bib, "a") == "r.bib is exported by Zotero: merge the items there."


def test_the_most_cited_stays_then_the_fullest_then_the_first():
    bib = "%% r.bib\n@misc{a, title = {T}}\n@misc{b, title = {T}, year = 1}\n@misc{c, title = {T}, year = 1}\n"
    for citing, kept in (("", "b"), ("\\cite{a}", "a"), ("\\cite{a,c}\\cite{c}", "c")):
        project = world(f"%% a.tex\n{citing}\n{bib}").project
        assert merge_duplicates.survivor(project, list(project.entries())).node.key == kept


def test_keywords_and_files_of_all_are_kept_in_braces_or_quotes():
    bib = '%% r.bib\n@misc{a, title = {T}, keywords = "x, y", file = {a.pdf}}\n'
    bib += "@misc{b, keywords = {y, z}, file = {b.pdf}}\n"
    after = merged(bib, "a", "b")["r.bib"]
    assert 'keywords = "x, y, z"' in after and "file = {a.pdf;b.pdf}" in after


def test_one_of_several_works_in_a_citation_is_renamed():
    files = {
        "a.tex": "\\cite{a}\\cite{a}\\cite{a} \\cite{x, b} \\cite{b, x} \\cite{x, b, y, a}",
        "r.bib": "@misc{a, note = {N}}\n@misc{b}\n@misc{x}\n@misc{y}\n",
    }
    assert joined(files, "a", "b")["a.tex"] == "\\cite{a}" * 3 + " \\cite{x, a} \\cite{a, x} \\cite{x, a, y}"


def test_chapters_that_nothing_includes_are_told_of_the_key_that_stays():
    it = world("%% a.tex\n\\cite{one}\n%% b.tex\n\\cite{two}\n%% r.bib\n@misc{one, title = {A}}\n@misc{two}\n")
    chapter = it.project.sources["b.tex"]
    without = {path: source for path, source in it.project.sources.items() if path != "b.tex"}
    project = replace(it.project, sources=without, manuscript=("a.tex",), strays=(chapter,))
    change = merge_duplicates.edits_for(project, [*project.find("one"), *project.find("two")])
    assert it.after(change)["b.tex"] == "\\cite{one}\n"


def test_a_field_that_stands_twice_is_written_once_each():
    fixture = r"""
    %% r.bib
    @misc{one, title = {A}, year = 2001}
    @misc{two, title = {A}, year = 2001}
    @misc{c, related = {two}, title = {Kept}, related = {z}}
    """
    assert merged(fixture, "one", "two")["r.bib"].splitlines()[-1] == (
        "@misc{c, related = {one}, title = {Kept}, related = {z}}"
    )
