"""References in TeX as text with signs, and the fields that a style names itself."""

import pytest

from citelsp.bibliography.printed_signs import BLOCK, BOLD, ITALIC, LIGHT, ROMAN
from citelsp.bibliography.reference_reading.marked import mark_tex, strip_signs

# As they are shown here: | begins a block, <…> is in italics, *…* is bold.
SHOWN = str.maketrans({BLOCK: "|", ITALIC: "<", ROMAN: ">", BOLD: "*", LIGHT: "*"})


def shown(tex):
    return mark_tex(tex).text.translate(SHOWN)


TEXTS = {
    "blocks": (r"A. Byron. \newblock {\em On engines}. \newblock 1843.", "A. Byron. | <On engines>. | 1843."),
    "emph and textbf": (r"\emph{Memoirs} \textbf{12}", "<Memoirs> *12*"),
    "textit and textsl": (r"\textit{M} \textsl{N}", "<M> <N>"),
    "commands of apacite and babelbib": (r"\Bem{M} \BBem{N} \btxjournalfont{O} \btxvolumefont{7}", "<M> <N> <O> *7*"),
    "em": (r"{\em Memoirs} 12", "<Memoirs> 12"),
    "it, with TeX's correction": (r"{\it Memoirs\/} 12", "<Memoirs> 12"),
    "itshape, sl, slshape": (r"{\itshape M} {\sl N} {\slshape O}.", "<M> <N> <O>."),
    "bf and bfseries": (r"{\bf 12} {\bfseries 13}.", "*12* *13*."),
    "a group in italics": (r"{\em On {the} engine}, Notes", "<On the engine>, Notes"),
    "italics up to the end": (r"A. Byron, \em On engines", "A. Byron, <On engines>"),
    "italics in italics": (r"\emph{On \emph{E. coli}}", "<On <E. coli>>"),
    "a comment": ("Notes % of hers\n   on it", "Notes on it"),
    "a percent sign": (r"50\% of it", "50% of it"),
    "natbib's penalties": (r"Notes 27\penalty0 (2):\penalty0 97", "Notes 27(2):97"),
    "a penalty below zero": (r"Notes\penalty -100 27", "Notes27"),
    "IEEE's gap behind a book": (
        r"Engines.\hskip 1em plus 0.5em minus 0.4em\relax Wiley",
        "Engines. Wiley",
    ),
    "IEEE's structure": (r"\BIBentryALTinterwordspacing A. Byron\BIBentrySTDinterwordspacing", "A. Byron"),
    "mciteplus's structure": (r"A. Byron\mciteBstWouldAddEndPuncttrue\EndOfBibitem", "A. Byron"),
    "abntex2's names for citations": (r"\abntrefinfo{Byron}{BYRON}{1843} {BYRON, A. Notes.}", "BYRON, A. Notes."),
    "addresses": (
        r"\url{https://a.org/b_c},\path{d},\nolinkurl{e},\showURL{f}",
        "https://a.org/b_c , d , e , f",
    ),
    "a word that is a link": (r"\href{https://example.org/}{Memoirs} 3", "Memoirs 3"),
    "a link without words": (r"A. Byron \href{https://example.org/}", "A. Byron"),
    "words of a DOI": (r"\mn@doi [Science] {10.1000/abc}, 3", "Science, 3"),
    "a DOI without words": (r"Notes \mn@doi {10.1000/abc}, 3", "Notes , 3"),
    "a DOI that is missing": (r"Notes \mn@doi", "Notes"),
    "what is not printed": (r"1843\natexlab{a} \noopsort{b}Notes\BCnt{1}\label{c}", "1843 Notes"),
    "what prints nothing": (r"Notes\relax{} on\protect{} it\unskip{}.", "Notes on it."),
    "words in a language": (r"\foreignlanguage{german}{Notizen} \BIBforeignlanguage{en}{Notes}", "Notizen Notes"),
    "words in colour": (r"\textcolor{red}{Notes}", "Notes"),
    "TeX and a bookmark": (r"\texorpdfstring{H$_2$O}{H2O} of life", "H_2O of life"),
    "of which the second is missing": (r"\foreignlanguage{german} Notes", "Notes"),
    "environments": (r"\begin{sloppypar}Notes\end{sloppypar}", "Notes"),
    "small capitals": (r"\textsc{Byron}, {\sc Knuth}", "Byron, Knuth"),
    "a command nobody knows": (r"\mystyle{Notes} on it", "Notes on it"),
    "accents": (r"\'{E}tudes, \v{C}apek \& {\L}ukasz", "Études, Čapek & Łukasz"),
    "gaps": ("Notes~on\n\n  it \t.", "Notes on it ."),
}


@pytest.mark.parametrize(("tex", "text"), TEXTS.values(), ids=TEXTS)
def test_what_a_reader_sees_of_a_reference(tex, text):
    assert shown(tex) == text


OF_APACITE = {
    r"Knuth, D\BPBI E.\BCBT {}\ \BBA {} Roe, J\BHBI P.": "Knuth, D. E. & Roe, J.-P.",
    r"Knuth, D.\BDBL {}Roe, V.": "Knuth, D. … Roe, V.",
    r"Knuth, D.\BOthersPeriod {}": "Knuth, D. et al.",
    r"Knuth, D.\BOthers {.} Notes": "Knuth, D. et al. Notes",
    r"{\BBOQ}Notes{\BBCQ} \BBOP 1843\BBCP": "“Notes” (1843)",
    r"\BIn {} A. Byron \BED {} and \BEDS {}": "In A. Byron Ed. and Eds.",
    r"A\BBACOMMA {} B\BBCOMMA {} \BBIN {} C": "A, B, in C",
    r"\BVOL {}~3, \BVOLS {}~4, \BNUM {}~5, \BPG {}~6, \BPGS {}~7, \BCHAP {}~8": (
        "Vol. 3, Vols. 4, No. 5, p. 6, pp. 7, chap. 8"
    ),
    r"\BTR {} 12": "Tech. Rep. 12",
    r"\BPhD {}; \BUPhD {}": "Doctoral dissertation; Doctoral dissertation",
    r"\BMTh {}; \BUMTh {}": "Master’s thesis; Master’s thesis",
    r"\BAvailFrom {} a; \BRetrievedFrom {} b; \BRetrieved {} c": "Available from a; Retrieved from b; Retrieved c",
    r"\APACrefYearMonthDay{1984}{May}{2}. Notes": "(1984). Notes",
    r"\APACrefYearMonthDay": "",
    r"\APACbVolEdTR{}{2nd \BED}": "2nd Ed.",
    r"\APACbVolEdTR{Vol. 3}{2nd ed.}": "Vol. 3 2nd ed.",
    r"\APACrefatitle {On engines} {On Engines}.": "On engines.",
    r"\APACjournalVolNumPages{Nature}{521}{}{436}.": "Nature 521 436.",
    r"\APACaddressPublisherEqAuth{London}{Author}.": "London: Author.",
    r"\APACaddressPublisher{}{Wiley}.": "Wiley.",
    r"\APACtypeAddressSchool{Thesis}{Oxford}{Christ Church}.": "Thesis, Oxford, Christ Church.",
}


@pytest.mark.parametrize("tex", OF_APACITE)
def test_what_the_commands_of_apacite_print(tex):
    assert shown(tex) == OF_APACITE[tex]


PEOPLE = r"\bibinfo{author}{\bibfnamefont{A.} \bibnamefont{Byron}}"
FIELDS = {
    "a person in parts": (PEOPLE, {"author": "Byron, A."}),
    "people in order": (rf"{PEOPLE} and \bibinfo{{author}}{{Don Knuth}},", {"author": "Byron, A. and Don Knuth"}),
    "an organisation": (r"\bibinfo{author}{\bibnamefont{CERN}}", {"author": "{CERN}"}),
    "a person of the ACM": (r"\bibinfo{person}{Ada Byron}", {"author": "Ada Byron"}),
    "an editor": (r"\bibinfo{editor}{Ada Byron}, \bibinfo{editor}{Don Knuth}", {"editor": "Ada Byron and Don Knuth"}),
    "accents in a name": (r"\bibinfo{author}{\bibfnamefont{\'E.} \bibnamefont{M\"uller}}", {"author": "Müller, É."}),
    "others": (r"\bibfield{author}{\bibinfo{person}{A. Byron} {et~al\mbox{.}}}", {"author": "A. Byron and others"}),
    "and others": (r"\bibfield{editor}{\bibinfo{editor}{A. Byron} and others}", {"editor": "A. Byron and others"}),
    "nobody": (r"\bibfield{author}{}", {}),
    "a title": (r"\bibinfo{title}{On \emph{E. coli}},", {"title": "On E. coli"}),
    "signs behind a value": (r"\bibinfo{title}{On engines,}", {"title": "On engines"}),
    "each field": (
        "".join(rf"\bibinfo{{{it}}}{{{it}}} " for it in ("booktitle", "journal", "year", "volume", "number", "pages")),
        {it: it for it in ("booktitle", "journal", "year", "volume", "number", "pages")},
    ),
    "each further field": (
        "".join(rf"\bibinfo{{{it}}}{{{it}}} " for it in ("publisher", "series", "edition", "school", "institution")),
        {it: it for it in ("publisher", "series", "edition", "school", "institution")},
    ),
    "identifiers": (
        r"\bibinfo{doi}{10.1/a} \bibinfo{eprint}{2101.00001} \bibinfo{isbn}{1} \bibinfo{url}{u}",
        {"doi": "10.1/a", "eprint": "2101.00001", "isbn": "1", "url": "u"},
    ),
    "an article's number": (r"\bibinfo{eid}{012301}", {"pages": "012301"}),
    "the first of two": (r"\bibinfo{year}{1843} \bibinfo{year}{1984}", {"year": "1843"}),
    "a field nobody knows": (r"\bibinfo{month}{May}", {}),
    "what surrounds fields is none": (r"\bibfield{journal}{\bibinfo{journal}{Memoirs} 3}", {"journal": "Memoirs"}),
    "gaps around a name": (r"\bibinfo { title } {Notes}", {"title": "Notes"}),
    "an empty value": (r"\bibinfo{title}{}", {}),
    "no value": (r"\bibinfo{title}", {}),
    "the ACM's title": (r"\showarticletitle{On engines.}", {"title": "On engines."}),
    "babelbib's title": (r"\btxtitlefont{On engines}", {"title": "On engines"}),
    "apacite's title": (r"\APACrefbtitle{On engines}{On Engines}", {"title": "On engines"}),
    "apacite's title alone": (r"\APACrefatitle{On engines}", {"title": "On engines"}),
    "apacite's journal": (
        r"\APACjournalVolNumPages{\emph{Nature}}{521}{7553}{436--444}",
        {"journal": "Nature", "volume": "521", "number": "7553", "pages": "436–444"},
    ),
    "apacite's journal without a number": (
        r"\APACjournalVolNumPages{Nature}{521}{}{436}",
        {"journal": "Nature", "volume": "521", "pages": "436"},
    ),
    "apacite's publisher": (r"\APACaddressPublisher{London}{Wiley}", {"publisher": "Wiley"}),
    "apacite's author as publisher": (r"\APACaddressPublisherEqAuth{London}{Author}", {}),
    "apacite's institution": (r"\APACaddressInstitution{Geneva}{CERN}", {"institution": "CERN"}),
    "apacite's school": (r"\APACaddressSchool{Oxford}{Christ Church}", {"school": "Christ Church"}),
    "apacite: kind and school": (r"\APACtypeAddressSchool{Thesis}{Oxford}{Christ Church}", {"school": "Christ Church"}),
    "apacite without arguments": (r"\APACaddressPublisher \APACrefatitle \APACjournalVolNumPages", {}),
    "a DOI": (r"\doi{10.1000/a_b}", {"doi": "10.1000/a_b"}),
    "the DOI of a link": (r"\href{https://doi.org/10.1000/a\_b}{Memoirs}", {"url": "https://doi.org/10.1000/a_b"}),
    "the preprint of a link": (
        r"\href{https://arxiv.org/abs/2101.00001}{Memoirs}",
        {"url": "https://arxiv.org/abs/2101.00001"},
    ),
    "another link": (r"\href{https://example.org/}{Memoirs}", {}),
    "the DOI of MNRAS": (r"\mn@doi [Science] {10.1000/abc}", {"doi": "10.1000/abc"}),
}


@pytest.mark.parametrize(("tex", "fields"), FIELDS.values(), ids=FIELDS)
def test_what_a_style_names_itself(tex, fields):
    assert mark_tex(tex).exact == fields


def test_a_doi_that_a_command_names_is_printed_so_that_it_is_found():
    assert shown(r"Notes.\doi{10.1000/a_b}.") == "Notes. doi:10.1000/a_b ."


def test_beyond_a_dozen_groups_in_each_other_nothing_is_read():
    assert shown(r"\emph{" * 12 + "Notes" + "}" * 12) == "<" * 12 + "Notes" + ">" * 12
    assert shown(r"\emph{" * 13 + "Notes" + "}" * 13) == "<" * 13 + ">" * 13


def test_of_a_reference_longer_than_any_only_the_beginning_is_read():
    assert mark_tex("a " * 20_000).text == " ".join(["a"] * 10_000)


def test_signs_and_gaps_are_taken_out():
    assert strip_signs(f" A. {BLOCK}  {ITALIC}Byron{ROMAN}\n{BOLD}12{LIGHT} ") == "A. Byron 12"


def test_editors_of_a_book_are_no_authors_of_a_paper_in_it():
    text = r"""\bibfield{author}{\bibinfo{person}{Ada Byron} {and} \bibinfo{person}{Don Knuth}.} \bibinfo{year}{2018}.
      \newblock \showarticletitle{Engines}. In \bibinfo{booktitle}{{\em Looms}},
      \bibfield{editor}{\bibinfo{person}{Isa Roe} {and} \bibinfo{person}{Ulrike Doe}} (Eds.)."""
    assert mark_tex(text).exact["author"] == "Ada Byron and Don Knuth"
    assert mark_tex(text).exact["editor"] == "Isa Roe and Ulrike Doe"


@pytest.mark.parametrize("editors", ["", "Ada Byron"])
def test_a_field_of_editors_that_names_no_person_has_none(editors):
    assert "editor" not in mark_tex(rf"\bibfield{{editor}}{{{editors}}} \bibinfo{{year}}{{2018}}.").exact


def test_a_name_that_holds_letters_of_others_ends_no_list():
    text = r"\bibfield{author}{\bibinfo{person}{Chris Carothers} {and} \bibinfo{person}{Violet al-Roe}.} Title."
    assert mark_tex(text).exact["author"] == "Chris Carothers and Violet al-Roe"


def test_what_begins_no_comment():
    links = r"\url{https://example.org/a%20b}, \href{https://example.org/%41}{C%} no"
    text = "A\\\\% no\n B 5\\% of " + links + "\n} D% no"
    assert mark_tex(text).text == "A B 5% of https://example.org/a%20b , C D"
