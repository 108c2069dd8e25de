import json
from dataclasses import replace
from itertools import islice
from textwrap import dedent

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from citelsp.base.text import Document, apply
from citelsp.bibliography import citekey, write_entry
from citelsp.bibliography.capitals import protect_capitals
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.syntax.bibtex import parsing

VASWANI = Record(
    source="merged",
    id="1",
    title="Attention Is All You Need",
    authors=(Name("Vaswani", "Ashish"), Name("van den Berg", "Jörg"), Name("Google Brain Team", literal=True)),
    authors_complete=False,
    years=(2017,),
    date="2017-12",
    venue="Advances in Neural Information Processing Systems",
    type="paper-conference",
    identifiers=Identifiers(doi="10.5555/a_b%c", arxiv="1706.03762"),
    pages="5998–6008",
    publisher="Curran & Sons",
)


def added(text, record=VASWANI, key="k", dialect="auto", path="refs.bib", language="bibtex"):
    document = Document(path, dedent(text), language)
    entry = write_entry.write_work(record, key, write_entry.style_of(document), dialect)
    edit = write_entry.insertion(document, entry)
    after = apply(document.text, [edit])
    assert after.startswith(document.text) or language != "bibtex"
    return after


def test_a_new_file():
    assert added("") == dedent("""\
        @inproceedings{k,
          author = {Vaswani, Ashish and van den Berg, Jörg and {Google Brain Team} and others},
          title = {Attention Is All You Need},
          year = {2017},
          month = dec,
          booktitle = {Advances in Neural Information Processing Systems},
          pages = {5998--6008},
          publisher = {Curran \\& Sons},
          doi = {10.5555/a_b%c},
          eprint = {1706.03762},
          archivePrefix = {arXiv},
        }
        """)


def test_the_manner_of_the_file():
    text = """\
        % mine
        @STRING{x = "y"}
        @Article{a,
        \tTitle     = "{Gr{\\"o}bner}",
        \tAuthor    = "Doe, J.",
        \tYear      = 1999,
        \tPublisher = "P"
        }

        @Book{b,
        \tTitle     = "{B}",
        \tAuthor    = "Doe, J.",
        \tYear      = 1999
        }"""
    assert added(text).removeprefix(dedent(text)) == dedent("""\


        @Inproceedings{k,
        \tTitle     = "{Attention Is All You Need}",
        \tAuthor    = "Vaswani, Ashish and van den Berg, J{\\"o}rg and {Google Brain Team} and others",
        \tYear      = "2017",
        \tMonth     = dec,
        \tBooktitle = "Advances in Neural Information Processing Systems",
        \tPages     = "5998--6008",
        \tPublisher = "Curran \\& Sons",
        \tDoi       = "10.5555/a_b%c",
        \tEprint    = "1706.03762",
        \tArchiveprefix = "arXiv"
        }
        """)


def test_biblatex():
    after = added("@article{a,\n  journaltitle = {X},\n  date = {2001-02}\n}\n")
    assert "date = {2017-12}" in after
    assert "eprinttype = {arxiv}" in after
    assert "month" not in after
    assert after.endswith("}\n")
    assert not after.endswith(",\n}\n")


def test_line_ends_and_preprints():
    preprint = Record("arxiv", "1", "On $k$-means: 100% BERT", (Name("Doe", "J."),), years=(2020,),
                      identifiers=Identifiers(arxiv="hep-th/9901001"), type="preprint")  # fmt: skip
    after = added("@misc{a,\r\n  title = {X}\r\n}\r\n", preprint)
    assert "\n" not in after.replace("\r\n", "")
    assert "title = {On $k$-means: 100\\% {BERT}}" in after
    assert "primaryClass = {hep-th}" in after


@pytest.mark.parametrize("text", ["[]", '[\n  {"id": "a"}\n]\n', "", '[{"id": "a"}]'])
def test_csl_json(text):
    items = json.loads(added(text, path="refs.json", language="csl-json"))
    assert items[-1]["id"] == "k"
    assert items[-1]["author"][1] == {"family": "van den Berg", "given": "Jörg"}
    assert items[-1]["issued"] == {"date-parts": [[2017, 12]]}
    assert len(items) == 1 + ('"a"' in text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "references: []\n",
        "references:\n- id: a\n",
        "---\nreferences:\n  - id: a\n    title: x\n...\n",
        "references:\n- id: a\nother: 1",
    ],
)
def test_csl_yaml(text):
    found = next(yaml.safe_load_all(added(text, path="refs.yaml", language="csl-yaml")))
    assert [it["id"] for it in found["references"]] == (["a", "k"] if "id: a" in text else ["k"])


def test_capitals():
    assert protect_capitals("BERT: Pre-training of Deep Models") == "{BERT}: Pre-training of Deep Models"
    assert protect_capitals("Learning to sleep in Rome at night") == "Learning to sleep in {Rome} at night"
    assert protect_capitals("A Markov Model for iPhone GPUs") == "A {Markov} Model for {iPhone} {GPUs}"
    assert protect_capitals("On the X of 3D and S4 Spaces in 2020") == "On the {X} of {3D} and {S4} Spaces in 2020"


@pytest.mark.parametrize(
    ("kind", "venue", "written"),
    [
        ("article-journal", "Nature", "article-journal"), ("paper-conference", "ICML", "paper-conference"),
        ("chapter", "A Book", "chapter"), ("preprint", "arXiv", "article"), ("webpage", "", "webpage"),
        ("book", "", "book"), ("speech", "", "document"),
    ],
)  # fmt: skip
def test_the_type_of_an_element_is_one_of_csl(kind, venue, written):
    made = added("[]", replace(VASWANI, type=kind, venue=venue), path="r.json", language="csl-json")
    assert json.loads(made)[0]["type"] == written


def test_an_element_of_csl_says_where_and_when_only_if_that_is_known():
    (dated,) = json.loads(added("[]", path="r.json", language="csl-json"))
    assert (dated["container-title"], dated["issued"]) == (VASWANI.venue, {"date-parts": [[2017, 12]]})
    (bare,) = json.loads(added("[]", Record("", "", "On Bees"), path="r.json", language="csl-json"))
    assert bare.keys() == {"id", "type", "title"}


def test_only_a_preprint_is_brought_out_by_its_server():
    kinds = [{}, {"type": "preprint", "venue": "arXiv"}]
    made = [added("[]", replace(VASWANI, publisher="", **it), path="r.json", language="csl-json") for it in kinds]
    assert [json.loads(it)[0].get("publisher") for it in made] == [None, "arXiv"]


def test_a_line_for_people():
    assert write_entry.format_work(VASWANI) == (
        "Vaswani, A., van den Berg, J., Google Brain Team, et al. (2017). Attention Is All You Need. "
        "Advances in Neural Information Processing Systems."
    )
    assert write_entry.format_work(Record("x", "1", "On Bees", (Name("Doe", "J."),))) == "Doe, J. On Bees."
    starred = Record("x", "1", "T", (Name("D*e", "J."),))
    assert (write_entry.format_work(starred), write_entry.format_work(starred, markdown=True)) == (
        "D*e, J. T.",
        "D\\*e, J. T.",
    )
    placed = Record("x", "1", "On Bees", venue="J_A")
    assert (write_entry.format_work(placed), write_entry.format_work(placed, markdown=True)) == (
        "On Bees. J_A.",
        r"On Bees. *J\_A*.",
    )
    evil = Record("x", "1", "[x](http://a) <img src=x> `*", years=(2000,))
    assert "](" not in write_entry.format_work(evil, markdown=True).replace("\\]", "")
    assert "\\<img" in write_entry.format_work(evil, markdown=True)


@pytest.mark.parametrize(
    ("pattern", "key"),
    [
        ("", "vaswani2017attention"),
        ("{Auth}_{year}", "Vaswani_2017"),
        ("{auth} ({year})", "vaswani2017"),
        ("{auth:upper}{shortyear}", "VASWANI17"),
        ("auth.lower + year + shorttitle(1, 0)", "vaswani2017Attention"),
        ("[auth:lower][year]", "vaswani2017"),
        ("[auth:lower][shorttitle3_3][year]", "vaswaniAttentionAllYou2017"),
        ("auth.lower + shorttitle(3,3) + year", "vaswaniAttentionAllYou2017"),
        ("authEtal2.lower + '-' + shortyear", "vaswani.etal-17"),
        ("authAuthEa + year", "Vaswani.vandenBerg.ea2017"),
        ("authorIni + authForeIni", "Vaswa.v.GA"),
        ("auth(0,2) + authorsAlpha + authshort", "vandenBergVvGV.v.G"),
        ("auth(0,9) + veryshorttitle.lower", "attention"),
        ("auth.etal + '_' + year", "VaswaniEtAl_2017"),
        ("volume | auth(3).upper", "VAS"),
        ("{nonsense}{auth}", "vaswani"),
    ],
)
def test_citekeys(pattern, key):
    assert next(citekey.keys(VASWANI, pattern)) == key


ONE = Record("", "", "On Bees", (Name("Doe", "Jane"),), years=(2017,), date="2017-03-01", pages="12-19")
FIVE = Record("", "", "On Bees", tuple(map(Name, ("Ada", "Byron", "Curie", "Dirac", "Euler"))))


@pytest.mark.parametrize(
    ("record", "pattern", "key"),
    [
        (VASWANI, "auth.substring(2,3)", "asw"),
        (VASWANI, "title.select(2,2) + year", "AllYou2017"),
        (VASWANI, "auth + title.select(3)", "VaswaniYouNeed"),
        (VASWANI, "auth.select(2) + year", "ref2017"),
        (VASWANI, "journal.select(1,2).lower", "advancesin"),
        (replace(VASWANI, title="BERT on iPhones"), "title.abbr + year", "BI2017"),
        (VASWANI, "title.abbr(2)", "AtAlYoNe"),
        (VASWANI, "[title:abbr2]", "AtAlYoNe"),
        (ONE, "shorttitle(2).capitalize", "Bees"),
        (VASWANI, "[auth:etal2:lower]", "vaswanietal"),
        (VASWANI, "inits + year", "VvG2017"),
        (VASWANI, "authorsn(2) + authorlast", "VaswanivandenBergEtAlGoogleBrainTeam"),
        (VASWANI, "title.abbr", "AAYN"),
        (VASWANI, "auth.prefix('by-').postfix(-x)", "by-Vaswani-x"),
        (VASWANI, "journal.abbr + lastpage", "AINIPS6008"),
        (VASWANI, "auth + pages", "Vaswani5998"),
        (VASWANI, "auth + arxiv", "Vaswani1706.03762"),
        (replace(VASWANI, volume="30"), "auth + volume", "Vaswani30"),
        (ONE, "authorsAlpha + authshort + month", "DoeDoe03"),
        (ONE, "firstpage + authorlastforeini + auth.etal", "12JDoe"),
        (FIVE, "authorsAlpha + authshort", "ABC+A.B.C+"),
        (Record("", "", "On Bees"), "authorsAlpha + authshort + shorttitle", "Bees"),
        (Record("", "", "On Bees"), "inits | authini | title", "Bees"),
    ],
)
def test_better_bibtex_formulas(record, pattern, key):
    assert next(citekey.keys(record, pattern)) == key


def test_citekeys_without_authors():
    work = Record("", "", "Leveraging Natural Supervision", years=(2021,))
    assert next(citekey.keys(work, "")) == "leveraging2021natural"
    assert next(citekey.keys(work, "{year}{shorttitle}")) == "2021leveraging"


def test_citekeys_are_ascii_and_free():
    keys = citekey.keys(Record("", "", "Über Öl", (Name("Ångström"),), years=(1999,)), "")
    assert list(islice(keys, 3)) == ["angstrom1999uber", "angstrom1999ubera", "angstrom1999uberb"]
    assert next(citekey.keys(Record("", "", "题目", (Name("张三"),), years=(1999,)), "")) == "ref1999"


def written(text="", dialect="bibtex", **changes):
    """The type and the fields of VASWANI, changed, added to a file of this text."""
    document = Document("refs.bib", text, "bibtex")
    made = write_entry.write_work(replace(VASWANI, **changes), "k", write_entry.style_of(document), dialect)
    entry = Entry(parsing.parse(Document("r.bib", made, "bibtex")).entries.node(0))
    return entry.kind, {it.name: entry.text(it.name) for it in entry.fields}


@pytest.mark.parametrize(
    ("changes", "dialect", "kind", "fields"),
    [
        ({"type": "thesis"}, "bibtex", "phdthesis", {"school": "Curran & Sons"}),
        ({"type": "thesis"}, "biblatex", "thesis", {"institution": "Curran & Sons", "type": "phdthesis"}),
        ({"type": "report", "publisher": ""}, "bibtex", "techreport", {"institution": VASWANI.venue}),
        ({"type": "report"}, "biblatex", "report", {"institution": "Curran & Sons", "type": "techreport"}),
        ({"type": "preprint", "venue": "arXiv"}, "biblatex", "online", {"organization": None, "publisher": None}),
        (
            {"type": "preprint", "venue": "bioRxiv", "identifiers": Identifiers()},
            "bibtex", "misc", {"howpublished": "bioRxiv", "publisher": "Curran & Sons"},
        ),
        (
            {"type": "preprint", "venue": "bioRxiv", "identifiers": Identifiers()},
            "biblatex", "online", {"organization": "bioRxiv"},
        ),
        (
            {"identifiers": Identifiers(url='https://a.org/{x}"')},
            "bibtex", "inproceedings", {"url": "https://a.org/%7Bx%7D%22"},
        ),
        ({"identifiers": Identifiers(url="https://a.org/x\\y")}, "bibtex", "inproceedings", {"url": "https://a.org/x%5Cy"}),
    ],
)  # fmt: skip
def test_where_a_work_appeared_is_written_as_its_type_asks(changes, dialect, kind, fields):
    found = written(dialect=dialect, **changes)
    assert found[0] == kind
    assert {name: found[1].get(name) for name in fields} == fields


def test_a_month_is_written_as_the_file_writes_months():
    entries = "".join(f"@misc{{k{it},\n  title={{T}},\n  year={{2000}}@\n}}\n\n" for it in range(3))
    assert "month" not in written(entries.replace("@\n", "\n"))[1]
    assert written(entries.replace("@\n", ",\n  month=may\n"))[1]["month"] == "dec"
    assert written(entries.replace("@\n", ",\n  month={5}\n"))[1]["month"] == "12"
    assert "month" not in written(date="2016-12")[1]  # of the preprint


def test_fields_stand_where_they_stand_in_entries_however_long_these_are():
    long = "@misc{a,\n  title = {T},\n  author = {A},\n  year = 2000,\n  pages = {1},\n  doi = {10.1000/a}\n}\n"
    short = "@misc{b,\n  title = {T},\n  doi = {10.1000/b}\n}\n"
    names = [it for it in written(long + short)[1] if it in long]
    assert names == ["title", "author", "year", "pages", "doi"]


def test_a_field_that_the_file_never_has_stands_where_others_of_its_role_do():
    article = "@article{a,\n  title = {T},\n  author = {A},\n  journal = {J},\n  volume = 1,\n  year = 2000\n}\n"
    names = [name for name in written(article)[1] if name in ("title", "author", "booktitle", "year")]
    assert names == ["title", "author", "booktitle", "year"]


def test_a_field_that_is_being_typed_shows_no_habit():
    text = '@misc{a,\n  title = ,\n  note = "Bees"\n}\n'
    assert write_entry.style_of(Document("r.bib", text, "bibtex")).quotes


def test_a_large_file_shows_its_habits_at_its_ends():
    large = "".join(f"@Misc{{k{it},\n\ttitle={{T}},\n\tkey={{{'x' * 60}}},\n}}\n\n" for it in range(500))
    assert len(large) > 40_000
    after = added(large)[len(large) :]
    assert after.strip().startswith("@Inproceedings{k,\n\t") and "\n\tyear={2017},\n" in after


def test_what_is_added_sets_the_sign_as_the_file_does():
    assert "\n  year={2017}" in added("@misc{a,\n  title={T}, note={N},\n  key = {K}\n}\n")


WORDS = st.text(alphabet=st.sampled_from('abcDE é{}\\$%&#_~^"@,=\n'), max_size=30)


@given(WORDS, WORDS, WORDS, st.booleans(), st.booleans())
def test_what_is_written_is_one_sound_entry(title, name, venue, quotes, modern):
    habits = write_entry.style_of(Document("r.bib", '@misc{a, title = "b"}' if quotes else "", "bibtex"))
    record = Record("x", "1", title, (Name(name, "J."), Name(name)), years=(2000,), venue=venue,
                    identifiers=Identifiers(doi=name), url=title)  # fmt: skip
    text = write_entry.write_work(record, "k", habits, "biblatex" if modern else "bibtex")
    syntax = parsing.parse(Document("r.bib", text, "bibtex"))
    assert len(syntax.entries) == 1
    assert syntax.entries.node(0).source == text
    assert not syntax.entries.node(0).problems()
    if "$" not in title:
        assert Entry(syntax.entries.node(0)).text("title") == " ".join(title.split())


def test_nothing_written_moves_a_cursor_or_turns_the_direction():
    evil = "\x1b]0;evil\x07\x9b2J\u202elive\u2066"
    record = Record(
        "x", "1", f"On {evil} nets", (Name(f"Kingma{evil}", evil),), years=(2014,), venue=f"J {evil}", pages=evil
    )
    written = write_entry.write_work(record, "k", write_entry.style_of(Document("r.bib", "")))
    assert "evil" in written
    assert all(it.isprintable() for it in written.splitlines())


def test_identifiers_and_addresses_hold_no_command():
    hostile = Identifiers(doi="10.5555/p^^5cinput{a}", arxiv="1706.03762^^5cinput{a}")
    made = added("", replace(VASWANI, identifiers=hostile, primary_class="$^^5cinput{a}$"))
    assert "doi = {10.5555/p%5E%5E5cinput%7Ba%7D}" in made
    assert "eprint = {1706.037625cinputa}" in made
    assert "^" not in made.replace("{\\textasciicircum}", "")
    page = replace(VASWANI, identifiers=Identifiers(), url="https://a.org/^^5cinput{a}")
    assert "url = {https://a.org/%5E%5E5cinput%7Ba%7D}" in added("", page)


def test_names_are_spelled_as_in_the_file_and_an_archive_stands_beside_its_number():
    before = (
        "@article{a, title = {T}, archiveprefix = {arXiv}, DOI = {10.1/x}, eprint = {1}}\n"
        "@article{b, title = {T}, archiveprefix = {arXiv}, DOI = {10.1/y}, eprint = {2}}\n"
        "@article{c, title = {T}, archivePrefix = {arXiv}, DOI = {10.1/z}, eprint = {3}}\n"
    )
    known = Identifiers(doi="10.1000/x", arxiv="2001.00001")
    record = Record("crossref", "x", "A Title", (Name("Doe"),), years=(2001,), identifiers=known)
    habits = write_entry.style_of(Document("r.bib", before, "bibtex"))
    names = [it.split("=")[0].strip() for it in write_entry.write_work(record, "k", habits).splitlines()[1:-1]]
    wanted = [it for it in names if it.lower() in ("doi", "eprint", "archiveprefix")]
    assert wanted == ["DOI", "archiveprefix", "eprint"]


def test_types_of_entries_are_spelled_as_in_the_file():
    old = "@InProceedings{a,\n  title = {A Title},\n}\n\n@Article{b,\n  title = {B Title},\n}\n"
    assert "@InProceedings{k," in added(old)
