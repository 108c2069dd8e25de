from citelsp.base.text import Document
from citelsp.syntax import parse

BIBER = r"""
\refsection{0}
  \datalist[entry]{nty/global//global/global}
    \entry{knuth84}{article}{}
      \name{author}{2}{ul=1}{%
        {{un=0,hash=1}{%
           family={Knuth},
           familyi={K\bibinitperiod},
           given={Donald\bibnamedelima E.},
           giveni={D\bibinitperiod}}}%
        {{hash=2}{%
           family={ACM},
           familyi={A\bibinitperiod}}}%
      }
      \list{publisher}{1}{%
        {Oxford}%
      }
      \true{moreauthor}
      \field{title}{Literate {Programming}}
      \field{sortinit}{K}
      \field{year}{1984}
      \verb{doi}
      \verb 10.1093/comjnl/27_2.97
      \endverb
    \endentry
  \enddatalist
  \datalist[entry]{none/global//global/global}
    \entry{knuth84}{article}{}
    \endentry
    \entry{old}{book}{}
      \name{author}{1}{}{%
        {{}{Byron}{B.}{Ada}{A.}{}{}{}{}}%
      }
      \field{title}{Notes}
    \endentry
"""


def entries(text):
    found = parse(Document("main.bbl", text, "bbl")).entries
    return [found.node(it) for it in range(len(found))]


def values(node):
    return {it.name: node.raw(it.name) for it in node.fields()}


def test_fields_of_biber():
    first, second = entries(BIBER)
    assert (first.key, first.kind) == ("knuth84", "article")
    assert values(first) == {
        "author": "Knuth, Donald E. and {ACM} and others", "publisher": "Oxford", "title": "Literate {Programming}",
        "year": "1984", "doi": "10.1093/comjnl/27_2.97",
    }  # fmt: skip
    assert values(second) == {"author": "Byron, Ada", "title": "Notes"}


def test_what_biber_writes_of_pages_teams_and_addresses():
    people = r"{{hash=1}{family={{ACM {\&} co}}}}{{hash=2}{family={{A} and {B}}}}"
    text = rf"""\entry{{a}}{{article}}{{}}
      \name{{author}}{{2}}{{}}{{{people}}}
      \field{{dateera}}{{ce}}
      \field{{pages}}{{1\bibrangedash 9\bibrangessep 12\bibrangedash 15}}
      \verb{{urlraw}}
      \verb http://x.org/a_b
      \endverb
    \endentry"""
    assert values(entries(text)[0]) == {"author": r"{ACM {\&} co} and {{A} and {B}}", "pages": "1--9, 12--15"}


def test_a_paper_of_many_people():
    person = r"{{hash=0123456789abcdef0123456789abcdef}{family={Li},familyi={L\bibinitperiod},given={An}}}"
    text = rf"\entry{{a}}{{article}}{{}} \name{{author}}{{999}}{{}}{{{999 * person}}} \field{{year}}{{2000}} \endentry"
    assert values(entries(text)[0]) == {"author": " and ".join(999 * ["Li, An"]), "year": "2000"}


def test_fields_stand_where_they_are_written():
    first = entries(BIBER)[0]
    assert {it.name: it.value_span.within(first.source) for it in first.fields()}["title"] == "Literate {Programming}"


def test_references_of_bibtex():
    label = r"[\protect\citeauthoryear{%" + "\nKnuth%\n}{%\n1984}]"
    text = f"\\begin{{thebibliography}}{{9}}\n\\bibitem{label}{{%\nknuth84}}\nD. Knuth.\n\\end{{thebibliography}}"
    read = parse(Document("main.bbl", text, "bbl"))
    assert not read.citations
    [item] = entries(text)
    assert (item.key, item.kind, item.text) == ("knuth84", "bibitem", "D. Knuth.")


def test_a_label_with_all_authors_of_a_large_paper():
    label = "{" + ", ".join(f"Author{it}" for it in range(900)) + "(2000)}"
    assert [it.key for it in entries(f"\\bibitem[{label}]{{atlas}} ATLAS. Higgs.")] == ["atlas"]


def test_nothing_else():
    assert parse(Document("main.bbl", "\\input{x}\\bibliography{y}", "bbl")).links == ()
