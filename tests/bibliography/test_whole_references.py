"""References in the usual styles, each with all that is read of it: nothing is lost, and nothing is made up."""

import pytest

from citelsp.bibliography.reference_reading import read

KNUTH = {
    "title": "Literate programming: The art",
    "journal": "The Computer Journal",
    "volume": "27",
    "number": "2",
    "pages": "97--111",
    "year": "1984",
}

SURE = frozenset()


def without(fields, *names):
    return {name: value for name, value in fields.items() if name not in names}


PRINTED = {
    "APA": (
        "Knuth, D. E., & Byron, A. (1984). Literate programming: The art. The Computer Journal, 27(2), 97–111.",
        "article",
        {**KNUTH, "author": "Knuth, D. E. and Byron, A."},
        SURE,
    ),
    "Vancouver": (
        "Knuth DE, Byron A. Literate programming: The art. The Computer Journal. 1984;27(2):97-111.",
        "article",
        {**KNUTH, "author": "Knuth, D. E. and Byron, A."},
        SURE,
    ),
    "IEEE": (
        "D. E. Knuth and A. Byron, “Literate programming: The art,” The Computer Journal, vol. 27, no. 2, 1984.",
        "article",
        without({**KNUTH, "author": "D. E. Knuth and A. Byron"}, "pages"),
        SURE,
    ),
    "MDPI": (
        "Knuth, D.E.; Byron, A. Literate programming: The art. The Computer Journal 1984, 27, 97–111.",
        "article",
        without({**KNUTH, "author": "Knuth, D.E. and Byron, A."}, "number"),
        SURE,
    ),
    "DIN": (
        "Knuth, Donald E. ; Byron, Ada: Literate programming: The art. In: The Computer Journal 27 (1984), Nr. 2",
        "article",
        without({**KNUTH, "author": "Knuth, Donald E. and Byron, Ada"}, "pages"),
        SURE,
    ),
    "French": (
        "KNUTH, D. E. et BYRON, A. « Literate programming: The art », The Computer Journal, 27, no 2, 1984.",
        "article",
        without({**KNUTH, "author": "KNUTH, D. E. and BYRON, A."}, "pages"),
        SURE,
    ),
    "Spanish": (
        "Knuth, D. E. y Byron, A. (1984). Literate programming: The art. The Computer Journal, 27(2), 97-111.",
        "article",
        {**KNUTH, "author": "Knuth, D. E. and Byron, A."},
        SURE,
    ),
    "GB/T 7714": (
        "Knuth D E, Byron A. Literate programming: The art[J]. The Computer Journal, 1984, 27(2): 97-111.",
        "article",
        {**KNUTH, "author": "Knuth, D. E. and Byron, A."},
        SURE,
    ),
    "chapter": (
        "Byron, A. (1843). Notes by the translator. In R. Taylor & W. Francis (Eds.), Scientific "
        "Memoirs (pp. 666–731). Richard and John Taylor.",
        "incollection",
        {
            "title": "Notes by the translator",
            "author": "Byron, A.",
            "year": "1843",
            "booktitle": "Scientific Memoirs",
            "pages": "666--731",
        },
        SURE,
    ),
    "ieee conf": (
        "A. Vaswani, N. Shazeer, and N. Parmar, “Attention is all you need,” in Advances in Neural "
        "Information Processing Systems, vol. 30, 2017, pp. 5998–6008.",
        "inproceedings",
        {
            "title": "Attention is all you need",
            "author": "A. Vaswani and N. Shazeer and N. Parmar",
            "booktitle": "Advances in Neural Information Processing Systems",
            "pages": "5998--6008",
            "volume": "30",
            "year": "2017",
        },
        SURE,
    ),
    "acm conf": (
        "Ashish Vaswani, Noam Shazeer, and Niki Parmar. 2017. Attention is all you need. In Advances in "
        "Neural Information Processing Systems 30. 5998–6008.",
        "inproceedings",
        {
            "title": "Attention is all you need",
            "author": "Ashish Vaswani and Noam Shazeer and Niki Parmar",
            "year": "2017",
            "booktitle": "Advances in Neural Information Processing Systems",
            "pages": "5998--6008",
        },
        SURE,
    ),
    "chicago note": (
        "Donald E. Knuth, “Literate Programming,” The Computer Journal 27, no. 2 (1984): 97–111.",
        "article",
        {**KNUTH, "title": "Literate Programming", "author": "Donald E. Knuth"},
        SURE,
    ),
    "mla": (
        "Knuth, Donald E. “Literate Programming.” The Computer Journal, vol. 27, no. 2, 1984, pp. 97–111.",
        "article",
        {**KNUTH, "title": "Literate Programming", "author": "Knuth, Donald E."},
        SURE,
    ),
    "harvard": (
        "Knuth, D.E. and Byron, A. (1984) ‘Literate programming’, The Computer Journal, 27(2), pp. 97–111.",
        "article",
        {**KNUTH, "title": "Literate programming", "author": "Knuth, D.E. and Byron, A."},
        SURE,
    ),
    "et al": (
        "Knuth DE, Byron A, et al. Literate programming: the art of it. Comput J. 1984;27(2):97–111. "
        "doi:10.1093/comjnl/27.2.97",
        "article",
        {
            **KNUTH,
            "doi": "10.1093/comjnl/27.2.97",
            "title": "Literate programming: the art of it",
            "author": "Knuth, D. E. and Byron, A. and others",
            "journal": "Comput J",
        },
        SURE,
    ),
    "organisation": (
        "World Health Organization. (2020). Guidelines on physical activity. "
        "https://www.who.int/publications/i/item/9789240015128",
        "online",
        {
            "url": "https://www.who.int/publications/i/item/9789240015128",
            "title": "Guidelines on physical activity",
            "author": "{World Health Organization}",
            "year": "2020",
        },
        SURE,
    ),
    "thesis": (
        "Fielding, R. T. (2000). Architectural styles and the design of network-based software "
        "architectures [Doctoral dissertation, University of California, Irvine].",
        "phdthesis",
        {
            "title": "Architectural styles and the design of network-based software architectures",
            "author": "Fielding, R. T.",
            "year": "2000",
        },
        {"title"},
    ),
    "arxiv": (
        "J. Devlin, M.-W. Chang, and K. Lee. BERT: Pre-training of deep bidirectional transformers. "
        "arXiv preprint arXiv:1810.04805, 2018.",
        "misc",
        {
            "eprint": "1810.04805",
            "archiveprefix": "arXiv",
            "title": "BERT: Pre-training of deep bidirectional transformers",
            "author": "J. Devlin and M.-W. Chang and K. Lee",
            "journal": "arXiv",
            "year": "2018",
        },
        SURE,
    ),
    "untitled": (
        "J. Perdew, Y. Wang, Phys. Rev. B 45, 13244 (1992).",
        "article",
        {
            "author": "J. Perdew and Y. Wang",
            "journal": "Phys. Rev. B",
            "volume": "45",
            "pages": "13244",
            "year": "1992",
        },
        {"title"},
    ),
    "slashes": (
        "Knuth D. E., Byron A. Literate programming: the art // The Computer Journal. 1984. Vol. 27. No. 2. P. 97–111.",
        "article",
        {**KNUTH, "title": "Literate programming: the art", "author": "Knuth, D. E. and Byron, A."},
        SURE,
    ),
    "gost": (
        "Иванов И. И., Петров П. П. Методы поиска литературы // Вестник науки. 2019. Т. 5, № 2. С. 10–15.",
        "article",
        {
            "title": "Методы поиска литературы",
            "author": "Иванов, И. И. and Петров, П. П.",
            "journal": "Вестник науки",
            "pages": "10--15",
            "volume": "5",
            "number": "2",
            "year": "2019",
        },
        SURE,
    ),
    "german": (
        "Müller, Hans: Die Würde des Menschen. In: Juristenzeitung 45 (1990), S. 12–19.",
        "article",
        {
            "title": "Die Würde des Menschen",
            "author": "Müller, Hans",
            "journal": "Juristenzeitung",
            "pages": "12--19",
            "volume": "45",
            "year": "1990",
        },
        SURE,
    ),
    "french": (
        "DUPONT, Jean. « La dignité de la personne », Revue de droit, vol. 12, n° 3, 1999, p. 45-67.",
        "article",
        {
            "title": "La dignité de la personne",
            "author": "DUPONT, Jean",
            "journal": "Revue de droit",
            "pages": "45--67",
            "volume": "12",
            "number": "3",
            "year": "1999",
        },
        SURE,
    ),
    "in press": (
        "Knuth, D. E. (in press). A programming paradigm. Journal of Programs.",
        "article",
        {
            "title": "A programming paradigm",
            "author": "Knuth, D. E.",
            "journal": "Journal of Programs",
            "pubstate": "in press",
        },
        SURE,
    ),
    "nd": (
        "Knuth, D. E. (n.d.). Computer literacy. https://cs.stanford.edu/~knuth",
        "online",
        {"url": "https://cs.stanford.edu/~knuth", "title": "Computer literacy", "author": "Knuth, D. E."},
        {"title"},
    ),
    "suffix": (
        "Davis, M., Jr., & van der Berg, A. B. (2001). A study of names. Onomastics, 3, 1–9.",
        "article",
        {
            "title": "A study of names",
            "author": "Davis, Jr., M. and van der Berg, A. B.",
            "year": "2001",
            "journal": "Onomastics",
            "volume": "3",
            "pages": "1--9",
        },
        SURE,
    ),
    "issue first": (
        "Smith J, Doe R. Heart rates of cats. Vet Rec. 2011 May 3;168(18):470-1.",
        "article",
        {
            "title": "Heart rates of cats",
            "author": "Smith, J. and Doe, R.",
            "journal": "Vet Rec",
            "volume": "168",
            "number": "18",
            "pages": "470--1",
            "year": "2011",
        },
        SURE,
    ),
    "acs": (
        "Smith, J. A.; Doe, R. B. Heart Rates of Cats. J. Am. Vet. Assoc. 2011, 168, 470–481.",
        "article",
        {
            "title": "Heart Rates of Cats",
            "author": "Smith, J. A. and Doe, R. B.",
            "journal": "J. Am. Vet. Assoc",
            "volume": "168",
            "pages": "470--481",
            "year": "2011",
        },
        SURE,
    ),
    "nature": (
        "Smith, J. A. & Doe, R. B. Heart rates of cats. Nature 168, 470–481 (2011).",
        "article",
        {
            "title": "Heart rates of cats",
            "author": "Smith, J. A. and Doe, R. B.",
            "journal": "Nature",
            "volume": "168",
            "pages": "470--481",
            "year": "2011",
        },
        SURE,
    ),
    "science": (
        "J. A. Smith, R. B. Doe, Heart rates of cats. Science 168, 470–481 (2011).",
        "article",
        {
            "title": "Heart rates of cats",
            "author": "J. A. Smith and R. B. Doe",
            "journal": "Science",
            "volume": "168",
            "pages": "470--481",
            "year": "2011",
        },
        SURE,
    ),
    "springer": (
        "Smith, J.A., Doe, R.B.: Heart rates of cats. Lect. Notes Cats 168(2), 470–481 (2011). "
        "https://doi.org/10.1007/s1-2",
        "article",
        {
            "doi": "10.1007/s1-2",
            "title": "Heart rates of cats",
            "author": "Smith, J.A. and Doe, R.B.",
            "journal": "Lect. Notes Cats",
            "volume": "168",
            "number": "2",
            "pages": "470--481",
            "year": "2011",
        },
        SURE,
    ),
}


@pytest.mark.parametrize(("text", "kind", "fields", "unsure"), PRINTED.values(), ids=PRINTED)
def test_all_that_is_read_of_a_reference(text, kind, fields, unsure):
    reading = read(text, "plain")
    assert (reading.kind, dict(reading.fields), reading.unsure) == (kind, fields, unsure)
