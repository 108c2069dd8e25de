import json
from itertools import islice
from textwrap import dedent

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from citelsp.base.text import Document, apply
from citelsp.bibliography import citekey, render
from citelsp.bibliography.capitals import protected
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.syntax import bibtex

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
    entry = render.render(record, key, render.style_of(document), dialect)
    edit = render.insertion(document, entry)
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
    assert protected("BERT: Pre-training of Deep Models") == "{BERT}: Pre-training of Deep Models"
    assert protected("Learning to sleep in Rome at night") == "Learning to sleep in {Rome} at night"
    assert protected("A Markov Model for iPhone GPUs") == "A {Markov} Model for {iPhone} {GPUs}"


def test_a_line_for_people():
    assert render.formatted(VASWANI) == (
        "Vaswani, A., van den Berg, J., Google Brain Team, et al. (2017). Attention Is All You Need. "
        "Advances in Neural Information Processing Systems."
    )
    evil = Record("x", "1", "[x](http://a) <img src=x> `*", years=(2000,))
    assert "](" not in render.formatted(evil, markdown=True).replace("\\]", "")
    assert "\\<img" in render.formatted(evil, markdown=True)


@pytest.mark.parametrize(
    ("pattern", "key"),
    [
        ("", "vaswani2017attention"),
        ("{Auth}_{year}", "Vaswani_2017"),
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


def test_citekeys_without_authors():
    work = Record("", "", "Leveraging Natural Supervision", years=(2021,))
    assert next(citekey.keys(work, "")) == "leveraging2021natural"
    assert next(citekey.keys(work, "{year}{shorttitle}")) == "2021leveraging"


def test_citekeys_are_ascii_and_free():
    keys = citekey.keys(Record("", "", "Über Öl", (Name("Ångström"),), years=(1999,)), "")
    assert list(islice(keys, 3)) == ["angstrom1999uber", "angstrom1999ubera", "angstrom1999uberb"]
    assert next(citekey.keys(Record("", "", "题目", (Name("张三"),), years=(1999,)), "")) == "ref1999"


WORDS = st.text(alphabet=st.sampled_from('abcDE é{}\\$%&#_~^"@,=\n'), max_size=30)


@given(WORDS, WORDS, WORDS, st.booleans(), st.booleans())
def test_what_is_written_is_one_sound_entry(title, name, venue, quotes, modern):
    habits = render.style_of(Document("r.bib", '@misc{a, title = "b"}' if quotes else "", "bibtex"))
    record = Record("x", "1", title, (Name(name, "J."), Name(name)), years=(2000,), venue=venue,
                    identifiers=Identifiers(doi=name), url=title)  # fmt: skip
    text = render.render(record, "k", habits, "biblatex" if modern else "bibtex")
    syntax = bibtex.parse(Document("r.bib", text, "bibtex"))
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
    written = render.render(record, "k", render.style_of(Document("r.bib", "")))
    assert "evil" in written
    assert all(it.isprintable() for it in written.splitlines())
