"""Bibliographies with habits of their own, for measuring what is added to them."""

from collections.abc import Mapping

_TABS = """% my papers
@STRING{jacm = "Journal of the {ACM}"}

@Article{cook71,
\tAuthor\t= {Cook, Stephen A.},
\tTitle\t= {The Complexity of Theorem-Proving Procedures},
\tJournal\t= jacm,
\tYear\t= 1971
}

@Book{knuth73,
\tAuthor\t= {Knuth, Donald E.},
\tTitle\t= {Sorting and Searching},
\tPublisher\t= {Addison-Wesley},
\tYear\t= 1973
}
"""
_ALIGNED = """@article{shannon48,
  author    = {Shannon, Claude E.},
  title     = {A Mathematical Theory of Communication},
  journal   = {Bell System Technical Journal},
  volume    = {27},
  number    = {3},
  pages     = {379--423},
  year      = {1948}
}

@inproceedings{codd82,
  author    = {Codd, E. F.},
  title     = {Relational Database},
  booktitle = {Turing Award Lecture},
  month     = feb,
  year      = {1982}
}"""
_QUOTES = """@ARTICLE{dijkstra68,
    AUTHOR = "Dijkstra, Edsger W.",
    TITLE = "Go To Statement Considered Harmful",
    JOURNAL = "Communications of the ACM",
    MONTH = mar,
    YEAR = "1968",
}


@MISC{hopper52,
    AUTHOR = "Hopper, Grace",
    TITLE = "The Education of a Computer",
    YEAR = "1952",
}
"""
_TEX = r"""@article{godel31,
  author = {G{\"o}del, Kurt},
  title = {{\"U}ber formal unentscheidbare S{\"a}tze},
  journal = {Monatshefte f{\"u}r Mathematik},
  year = 1931,
}
@article{lukasiewicz20,
  author = {{\L}ukasiewicz, Jan},
  title = {O logice tr{\'o}jwarto{\'s}ciowej},
  journal = {Ruch Filozoficzny},
  year = 1920,
}
"""
_UTF8 = """@article{erdos59,
  author = {Erdős, Paul and Rényi, Alfréd},
  title = {On Random Graphs {I}},
  journal = {Publicationes Mathematicae},
  year = {1959},
}
"""
_BIBLATEX = """@article{turing50,
  author = {Turing, A. M.},
  title = {Computing Machinery and Intelligence},
  journaltitle = {Mind},
  date = {1950-10},
  volume = {59},
}

@online{w3c,
  author = {{World Wide Web Consortium}},
  title = {HTML},
  date = {2011},
  url = {https://www.w3.org/TR/html/},
}
"""
_DOUBLED = """@article{hoare62,
  title = {{Quicksort}},
  author = {Hoare, C. A. R.},
  journal = {{The Computer Journal}},
  year = {1962}
}
@article{floyd62,
  title = {{Algorithm 97: Shortest Path}},
  author = {Floyd, Robert W.},
  journal = {{Communications of the ACM}},
  year = {1962}
}
"""
_JSON = """[
    {
        "id": "lamport78",
        "type": "article-journal",
        "title": "Time, Clocks, and the Ordering of Events in a Distributed System",
        "author": [{"family": "Lamport", "given": "Leslie"}],
        "issued": {"date-parts": [[1978]]}
    }
]
"""
_YAML = """# papers
references:
- id: lamport78
  type: article-journal
  title: Time, Clocks, and the Ordering of Events in a Distributed System
  author:
  - family: Lamport
    given: Leslie
  issued: 1978
"""

FILES: Mapping[str, tuple[str, str]] = {
    "new": ("refs.bib", ""),
    "tabs": ("refs.bib", _TABS),
    "aligned": ("refs.bib", _ALIGNED),
    "quotes": ("refs.bib", _QUOTES),
    "CRLF": ("refs.bib", _ALIGNED.replace("\n", "\r\n")),
    "TeX": ("refs.bib", _TEX),
    "UTF-8": ("refs.bib", _UTF8),
    "biblatex": ("refs.bib", _BIBLATEX),
    "double braces": ("refs.bib", _DOUBLED),
    "CSL-JSON": ("refs.json", _JSON),
    "CSL-YAML": ("refs.yaml", _YAML),
}
