import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citelsp.bibliography.decode_tex import decode
from citelsp.bibliography.reference_reading import people, read

STYLES = {
    "plain": r"""Donald~E. Knuth and Ada Byron.
\newblock Literate programming: {T}he art.
\newblock {\em The Computer Journal}, 27(2):97--111, 1984.""",
    "chicago": r"""Knuth, D.~E. and A.~Byron (1984).
\newblock Literate programming: The art.
\newblock {\em The Computer Journal\/}~{\em 27\/}(2), 97--111.""",
    "IEEEtran": r"""D.~E. Knuth and A.~Byron, ``Literate programming: The art,'' \emph{The Computer
  Journal}, vol.~27, no.~2, pp. 97--111, 1984.""",
    "siam": r"""{\sc D.~E. Knuth and A.~Byron}, {\em Literate programming: The art}, The Computer Journal, 27 (1984),
  pp.~97--111.""",
    "ACM": r"""\bibfield{author}{\bibinfo{person}{Donald~E. Knuth} {and} \bibinfo{person}{Ada Byron}.}
  \bibinfo{year}{1984}\natexlab{}.
\newblock \showarticletitle{Literate programming: The art}.
\newblock \bibinfo{journal}{\emph{The Computer Journal}} \bibinfo{volume}{27}, \bibinfo{number}{2}
  (\bibinfo{year}{1984}), \bibinfo{pages}{97--111}.""",
    "REVTeX": r"""\BibitemOpen
  \bibfield  {author} {\bibinfo {author} {\bibfnamefont {D.~E.}\ \bibnamefont {Knuth}}\ and\ \bibinfo {author}
  {\bibfnamefont {A.}~\bibnamefont {Byron}},\ }\bibfield  {title} {\bibinfo {title} {Literate programming: The art},\ }
  \href {https://doi.org/10.1093/comjnl/27.2.97} {\bibfield  {journal} {\bibinfo  {journal} {The Computer Journal}\ }
  \textbf {\bibinfo {volume} {27}},\ \bibinfo {pages} {97} (\bibinfo {year} {1984})}\BibitemShut {NoStop}%""",
    "apacite": r"""\APACinsertmetastar {k}\begin{APACrefauthors}Knuth, D\BPBI E.\BCBT {}\ \BBA {} Byron, A.%
\end{APACrefauthors}%
\unskip\ \newblock \APACrefYearMonthDay{1984}{}{}.
\newblock {\BBOQ}\APACrefatitle {Literate programming: The art} {Literate programming: The art}.{\BBCQ}
\newblock \APACjournalVolNumPages{The Computer Journal}{27}{2}{97--111}.""",
    "splncs": r"Knuth, D.E., Byron, A.: Literate programming: The art. The Computer Journal \textbf{27}(2), 97 (1984)",
    "ACS": r"""Knuth,~D.~E.; Byron,~A. Literate programming: The art. \emph{The Computer Journal} \textbf{1984},
  \emph{27}, 97--111\relax""",
    "NAR": r"""Knuth, D.~E. and Byron, A. (May, 1984)
Literate programming: The art.
{\em The Computer Journal,} {\bf 27}(2), 97--111.""",
    "IEEEtran, in a language": r"""D.~E. Knuth and A.~Byron, ``\BIBforeignlanguage{en}{Literate programming: {The}
  art},'' \emph{\BIBforeignlanguage{en}{The Computer Journal}}, vol.~27, no.~2, pp. 97--111, 1984.""",
    "babelbib": r"""Donald~E. Knuth and Ada Byron. \btxtitlefont {\btxifchangecase {Literate programming: The
  art}{Literate Programming: The Art}}. {\em The Computer Journal}, 27(2):97--111, 1984.""",
    "elsarticle": r"D.~E. Knuth, A.~Byron, Literate programming: The art, The Computer Journal 27~(2) (1984) 97--111.",
}
PLAIN = {
    "APA": "Knuth, D. E., & Byron, A. (1984). Literate programming: The art. The Computer Journal, 27(2), 97–111.",
    "Vancouver": "Knuth DE, Byron A. Literate programming: The art. The Computer Journal. 1984;27(2):97-111.",
    "IEEE": "D. E. Knuth and A. Byron, “Literate programming: The art,” The Computer Journal, vol. 27, no. 2, 1984.",
    "MDPI": "Knuth, D.E.; Byron, A. Literate programming: The art. The Computer Journal 1984, 27, 97–111.",
    "DIN": "Knuth, Donald E. ; Byron, Ada: Literate programming: The art. In: The Computer Journal 27 (1984), Nr. 2",
    "French": "KNUTH, D. E. et BYRON, A. « Literate programming: The art », The Computer Journal, 27, no 2, 1984.",
    "Spanish": "Knuth, D. E. y Byron, A. (1984). Literate programming: The art. The Computer Journal, 27(2), 97-111.",
    "GB/T 7714": "Knuth D E, Byron A. Literate programming: The art[J]. The Computer Journal, 1984, 27(2): 97-111.",
}


@pytest.mark.parametrize("text", STYLES.values(), ids=STYLES)
def test_a_reference_as_a_style_writes_it(text):
    found = read(text, "tex")
    assert found.fields["title"].replace("{", "").replace("}", "") == "Literate programming: The art"
    assert names(found) == ["Knuth", "Byron"]
    assert found.fields["year"] == "1984"
    assert found.fields.get("volume", "27") == "27"


@pytest.mark.parametrize("text", PLAIN.values(), ids=PLAIN)
def test_a_reference_without_markup(text):
    found = read(text, "plain")
    assert (found.fields["title"], found.fields["year"]) == ("Literate programming: The art", "1984")
    assert [it.lower() for it in names(found)] == ["knuth", "byron"]


def names(found):
    people = [it.replace(".", "").split(", ") for it in found.fields["author"].split(" and ")]
    return [it[0] if len(it) > 1 else it[0].split()[-1] for it in people]


def test_chinese():
    found = read("张三, 李四, 等. 基于深度学习的文献检索研究[J]. 计算机学报, 2020, 43(5): 801-815.", "plain")
    assert found.fields["title"] == "基于深度学习的文献检索研究"
    assert found.fields["author"] == "{张三} and {李四} and others"


def test_identifiers():
    text = "A. Byron. Notes. 1843. arXiv:2101.00001, https://doi.org/10.1000/x_1. ISBN 978-3-16-148410-0"
    fields = read(text, "plain").fields
    assert (fields["doi"], fields["eprint"], fields["isbn"]) == ("10.1000/x_1", "2101.00001", "9783161484100")


@pytest.mark.parametrize("when", ["1843", "Apr. 1843", "April 1843", "Apr. 2, 1843", "2 April 1843", "1843a"])
def test_a_date_between_people_and_a_quotation_is_no_name(when):
    found = read(f"Byron, Ada and Donald Knuth ({when}). “On engines and notes.” In: Memoirs 12.3, pp. 4–9.", "plain")
    assert (found.fields["author"], found.fields["year"]) == ("Byron, Ada and Donald Knuth", "1843")


def test_a_doi_that_only_a_link_has():
    text = r"A. Byron, \href{https://doi.org/10.1000/abc}{J. Notes 1 (1843)}"
    assert read(text, "tex").fields["doi"] == "10.1000/abc"


def test_a_doi_behind_the_words_that_lead_to_it():
    found = read(r"{Byron} A.,  {Knuth} D.,  1984, \mn@doi [Science] {10.1000/abc}, 27, L97", "tex")
    assert (found.fields["doi"], found.plain) == ("10.1000/abc", "Byron A., Knuth D., 1984, Science, 27, L97")


@pytest.mark.parametrize("where", ["806, L198", "88, 063537 (1984)", "Science, 337, 444", "arXiv"])
def test_a_volume_and_a_page_are_no_title(where):
    found = read(f"Byron A., Knuth D., 1984, {where}, doi:10.1000/abc", "plain")
    assert "title" not in found.fields and found.fields["doi"] == "10.1000/abc"


def test_a_year_in_bold_is_no_volume():
    assert "volume" not in read(r"Byron,~A. On engines. \emph{Notes} \textbf{1984}, 97--111", "tex").fields


def test_what_may_be_cut_is_not_sure():
    text = "Byron, A. (1843). On engines. A second sentence of the title? Or a house"
    assert read(text, "plain").unsure >= {"title"}


def test_no_people_are_made_of_what_is_no_list():
    assert "author" not in read("The programming of computer art: 17 notes for everybody 2001", "plain").fields


def test_years_in_a_title_are_no_year():
    text = "A. Byron. \\newblock A history of 1900 to 1950. \\newblock {\\em Notes}, 3(1):2--9, 1984."
    assert read(text, "tex").fields["year"] == "1984"


SIGNS = st.sampled_from("Ab1,.:;()[]{}\\“”\"'&- \n%$\ue000")


@given(st.text(alphabet=SIGNS, max_size=300), st.sampled_from(["tex", "plain"]))
def test_any_text_is_read(text, markup):
    found = read(text, markup)
    assert all(found.fields.values())


HOSTILE = [r"\em{" * 3000, r"{\em " * 3000, r"\href{a}{" * 2000, "a, " * 9000, "A. " * 9000, "(" * 9000, "A B " * 9000]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_takes_no_time(text):
    read(text, "tex")
    read(text, "plain")


def test_a_penalty_of_natbib_is_no_part_of_a_volume():
    text = r"A. Byron. \newblock Notes on it. \newblock \emph{Memoirs}, 27\penalty0 (2):\penalty0 97--111, 1984."
    fields = read(text, "tex").fields
    assert (fields["volume"], fields["number"], fields["pages"]) == ("27", "2", "97--111")


def test_initials_behind_the_last_name_end_no_list_too_early():
    text = "Casella, G. and Berger, R. L. Statistical inference for everybody. In Proceedings of Notes, 2024."
    found = read(text, "plain")
    assert (found.fields["title"], names(found)) == ("Statistical inference for everybody", ["Casella", "Berger"])


def test_a_server_of_preprints_is_no_end_of_a_title():
    text = "Avni, I. and Arac, A. (2026). Contributions of weakness to the function of arms. biorxiv."
    assert read(text, "plain").fields["title"] == "Contributions of weakness to the function of arms"


@pytest.mark.parametrize(
    "text, title",
    {
        # A book of physicists' styles: who printed it stands in brackets, perhaps behind its series.
        "A. Byron, Engines (Clarendon Press, Oxford, 1843).": "Engines",
        "A. Byron and D. Knuth, The Engine: A Reprint Volume (World Scientific, 1992).": "The Engine: A Reprint Volume",
        "A. Byron, On the engine, Ph.D. thesis, University of London (1843).": "On the engine",
        "A. Byron, On engines, arXiv e-prints , arXiv:1506.03512 (2015), arXiv:1506.03512 [hist].": "On engines",
        "A. Byron, On engines, Memoirs 97, 565 (1999), arXiv:gr-qc/9904067 [gr-qc].": "On engines",
        # A book of engineers' styles.
        "A. Byron and D. Knuth, Engines. Springer Science & Business Media, 2012.": "Engines",
        "A. Byron, Engines of the past: For readers. MIT press, 2016, vol. 1.": "Engines of the past: For readers",
        "Ada Byron and Donald Knuth. Engines and survival, volume 169. Wiley, 2011.": "Engines and survival",
        "Byron, A., Tuković, v., Knuth, D.: On engines. Memoirs of Engines 109(13), 1777–1803 (2017)": "On engines",
        # Initials and names that only seem to end a list.
        "Ada Byron, Panos K. Knuth, and George Doe. On engines. In Proceedings of Memoirs, 2007.": "On engines",
        "A.A. Byron, L.P. Knuth, and Samaras I.E., On engines, Memoirs 3, 12 (1963).": "On engines",
        "Wetzler, N., Heule, M., Jr., W.A.H.: On engines. In: Memoirs. pp. 422-429. Springer (2014)": "On engines",
        "The Collaboration, A. Byron, D. Knuth, et al., Engines: 2015 results, A&A 594, A13 (2016).": (
            "Engines: 2015 results"
        ),
        # A quotation within a title.
        "Ada C Byron. Correction:‘on engines and their notes’. Memoirs, 32(6):1078–1078, 2013.": (
            "Correction:‘on engines and their notes’"
        ),
        # Two sentences before a venue with its volume.
        "Byron, A., & Knuth, D. (2022). Do engines think? A diary study of engines. Memoirs of Engines, 9(2), 1–9.": (
            "Do engines think? A diary study of engines"
        ),
        "Byron, A. (1986) Fat in engines. An examination of their many constraints. Memoirs of Engines 238, 781–786.": (
            "Fat in engines. An examination of their many constraints"
        ),
        "A. Byron. Engines and tables. Journal of the Royal Society. Series B, 34(2):187–220, 1972.": (
            "Engines and tables"
        ),
        # Small letters begin a title.
        "Ada L Byron, Pete Knuth, and Ruwan Kolam. joinerml: a package for engines. Memoirs, 18(1):50, 2018.": (
            "joinerml: a package for engines"
        ),
        # The people are those before, or nobody.
        "——. Initial access. Accessed on: Nov. 21, 2023. [Online]. Available: https://example.org/": "Initial access",
        "Institute of Engines. On engines and notes. Accessed on: Dec. 6, 2023.": "On engines and notes",
        "Ada Byron. Inscriptions of Engines, 2017. URL https://example.org/a.": "Inscriptions of Engines",
        "World Health Organization. Standards of Engines: 2022; 2023.": "Standards of Engines: 2022",
        "Njala University.: Healthy engines. https://example.org/.": "Healthy engines",
        # Of medicine's styles the date stands before the volume.
        "Byass P. The imperfect world. Memoirs. 2010 Nov;7(11):e1001006.": "The imperfect world",
        "Adair T, Byron A. Who dies where? Estimating the engines. Memoirs of Health. 2021 Sep;6(9):e00.": (
            "Who dies where? Estimating the engines"
        ),
        "Maqungo M, Knuth D, et al. Can engines think? Key findings and lessons from the national study of all causes. "
        "Global Health Action. 2024 Dec;17(1):23.": (
            "Can engines think? Key findings and lessons from the national study of all causes"
        ),
        "Ada Byron, Don Knuth, and 32 others. 2022. Engines of feedback. Preprint, arXiv:2212.08073.": (
            "Engines of feedback"
        ),
        "N. Byron and S. Knuth, On engines and kernels (2020), arXiv:2012.14482 [math.ST].": "On engines and kernels",
        "H. B. Keller, Maschinelle Intelligenz. Wiesbaden: Vieweg, 2000.": "Maschinelle Intelligenz",
        "Byron JH. The causes of engines. vol. 2. Oxford University Press; 1994.": "The causes of engines",
        "Byron, A., & Knuth, D. 1994, On engines, Vol. 1 (Society of Engines)": "On engines",
        "Byron, A., & Knuth, D. 2015, On engines: a model, Tech. rep.": "On engines: a model",
        "Ada Byron. Built for engines, pages 1–45. Springer, Boston, 2000.": "Built for engines",
        "Byron J, Knuth EL (????). “On engines and notes.” 17(2), 18.": "On engines and notes",
        "Wang F. The cost of engines: Causes. Memoirs of the Society. 2018.": "The cost of engines: Causes",
        "Meyer X. Adaptive engines of notes. Memoirs. 2019; p. 783597.": "Adaptive engines of notes",
        "Hill K. The secretive engine. The New York Times. 2020 Jan.": "The secretive engine",
        "A. S. d’Avila Garcez, K. Broda, Engines: Foundations, Springer, 2012.": "Engines: Foundations",
        "A. Byron, The unicorn and the engine, Memoirs, (1983).": "The unicorn and the engine",
        # What styles put behind a title.
        "Byron, A. (2020). Engines with notes (Third edition). Wiley.": "Engines with notes",
        "Byron, A. (2008). Engines with notes [Series Title: Lectures]. In D. Knuth (Ed.), Memoirs (pp. 1–2).": (
            "Engines with notes"
        ),
    }.items(),
)
def test_where_a_title_begins_and_ends_without_markup(text, title):
    assert read(text, "plain").fields.get("title") == title


@pytest.mark.parametrize(
    "text",
    [
        "Institute of Engines. On engines and notes. Accessed on: Dec. 6, 2023.",
        "A. Byron, Engines, Notes of the Memoirs (Clarendon Press, Oxford, 1843).",
    ],
)
def test_a_title_that_may_end_elsewhere_is_not_sure(text):
    assert "title" in read(text, "plain").unsure


def test_pages_are_no_title():
    assert "pages" not in read("Ada Byron and Donald Knuth. Engines. pages 245–258, 2011.", "plain").fields["title"]


def test_italics_within_a_title_do_not_end_it():
    text = "Wagner DM (2014) \ue001Yersinia pestis\ue002 and the plague: an analysis. \ue001Lancet\ue002 14:319–326."
    assert read(text, "plain").fields["title"] == "Yersinia pestis and the plague: an analysis"


@pytest.mark.parametrize(
    "text, markup, kind",
    [
        (r"J. Park. \newblock A study of reactors. \newblock {\em Energy Policy}, 2022.", "tex", "article"),
        (r"J. Park, ``De-extinction,'' \emph{Trends in Ecology \& Evolution}, 2003.", "tex", "article"),
        ("J. Park, “De-extinction,” in Proceedings of the Conference on Ecology, 2003.", "plain", "inproceedings"),
        (r"J. Park. \newblock {\em A study of reactors}. \newblock Wiley, 2022.", "tex", "book"),
    ],
)
def test_of_what_type_a_reference_is(text, markup, kind):
    assert read(text, markup).kind == kind


def test_a_title_before_the_name_of_a_journal_is_whole():
    text = "Banerjee, A., Su, Y.: Labor market impacts: Evidence. Journal of Policy Analysis and Management (2017)"
    assert read(text, "plain").unsure == frozenset()


@pytest.mark.parametrize(
    "text, author",
    [
        ("MITRE Corporation. Enterprise tactics and notes. Memoirs, 2(1):1-9, 2023.", "{MITRE Corporation}"),
        (
            "National Institute of Standards and Technology, “On engines,” Memoirs, vol. 2, 1984.",
            "{National Institute of Standards and Technology}",
        ),
        ("U.S. Department of Energy, “On engines,” Memoirs, vol. 2, 1984.", "{U.S. Department of Energy}"),
        (
            "LIGO Collaboration and Virgo Collaboration. On engines. Memoirs, 2(1):1-9, 2023.",
            "{LIGO Collaboration} and",
        ),
    ],
)
def test_an_organisation_is_one_author(text, author):
    assert read(text, "plain").fields["author"].startswith(author)


@pytest.mark.parametrize(
    "people, author",
    {
        "Le Zhuo, Zewen Chi, and Donald Knuth": "Le Zhuo and Zewen Chi and Donald Knuth",
        "Le Zhuo and Zewen Chi": "Le Zhuo and Zewen Chi",
        "Le Cun, Yann, and Donald Knuth": "Le Cun, Yann and Donald Knuth",
        "van Gogh, Vincent Willem, and Donald Knuth": "van Gogh, Vincent Willem and Donald Knuth",
    }.items(),
)
def test_a_name_that_particles_have_too(people, author):
    text = f"{people}. On engines and their notes. In Proceedings of Memoirs, 2007."
    assert read(text, "plain").fields["author"] == author


def test_who_printed_a_book_is_no_journal():
    found = read("A. Byron, K. Knuth, Engines and their notes: Foundations, Springer, 2012.", "plain")
    assert (found.kind, found.fields["publisher"], "journal" in found.fields) == ("book", "Springer", False)


@pytest.mark.parametrize(
    "text, markup",
    [
        (r"Byron J, Knuth EL (????). \newblock \enquote{On engines and notes.} \newblock \textbf{17}(2), 18.", "tex"),
        ("Byron, J., & Knuth, E. L. (n.d.). On engines and notes. Memoirs of Engines, 17(2), 18.", "plain"),
        ("Byron, J. y Knuth, E. L. (s.f.). On engines and notes. Memoirs of Engines, 17(2), 18.", "plain"),
        ("Byron, J., & Knuth, E. L. (in press). On engines and notes. Memoirs of Engines.", "plain"),
    ],
)
def test_a_reference_without_a_year(text, markup):
    found = read(text, markup)
    assert (found.fields["title"], names(found), found.fields.get("year")) == (
        "On engines and notes",
        ["Byron", "Knuth"],
        None,
    )


@pytest.mark.parametrize(
    "text, publisher",
    {
        "A. Byron. On engines. In Proceedings of the Meeting, pages 1–9, Dublin, 2022. Elsevier.": "Elsevier",
        "A. Byron, On engines, in: Proceedings of the Meeting (Volume 1), Springer, Online, 2021, pp. 1–3.": "Springer",
        "A. Byron. On engines. In Proceedings of the ACM Meeting of Engines, pages 1–9, 2022.": None,
        "A. Byron. On engines. IEEE Memoirs, 3(1):2–9, 2022.": None,
    }.items(),
)
def test_a_publisher_behind_a_venue(text, publisher):
    assert read(text, "plain").fields.get("publisher") == publisher


ENGINES = {"title": "On engines: A history", "year": "2012", "volume": "27", "pages": "97--111"}


@pytest.mark.parametrize(
    "text, venue",
    {
        # chemists, and MDPI
        "Byron, A. A.; Knuth, D.-E. On engines: A history. J. Notes Hist. 2012, 27 (3), 97–111.": (
            "J. Notes Hist",
            "3",
        ),
        "Byron, A.A.; van Gogh, V.; Knuth, D. On engines: A history. Notes 2012, 27, 97–111.": ("Notes", None),
        "Byron, A. A.; et al. On engines: A history. Notes 2012, 27, 97–111.": ("Notes", None),
        # Copernicus
        "Byron, A. and Knuth, D.: On engines: A history, Notes Hist., 27, 97–111, 2012.": ("Notes Hist", None),
        "Byron, A. and Knuth, D.: On engines: A history, Phys. Notes B, 27, 97–111, 2012.": ("Phys. Notes B", None),
        # Science and PNAS
        "A. A. Byron, D. Knuth, On engines: A history. Phys. Notes B 27, 97–111 (2012).": ("Phys. Notes B", None),
        "A. A. Byron, et al., On engines: A history. Notes of History 27, 97–111 (2012).": ("Notes of History", None),
        # GOST
        "Byron A. A., Knuth D. E. On engines: A history // Notes. 2012. Т. 27. № 3. С. 97–111.": ("Notes", "3"),
        "Byron A. и др. On engines: A history // Notes. 2012. Т. 27. С. 97–111.": ("Notes", None),
        # AMA, with names in full
        "Ada P. Byron, Don E. Knuth. On engines: A history. Notes. 2012;27(3):97-111.": ("Notes", "3"),
        "Ada P. Byron. On engines: A history. Comput Notes. 2012;27(3):97-111.": ("Comput Notes", "3"),
        "Byron AA, Knuth D-E, Cunha AS da. On engines: A history. Notes. 2012;27(3):97-111.": ("Notes", "3"),
        # transport research
        "Byron, A., D. E. Knuth, and V. Roe. On engines: A history. Notes, Vol. 27, No. 3, 2012, pp. 97–111.": (
            "Notes",
            "3",
        ),
        # Lancet, BMJ, Springer, APA, Nature
        "Byron AA, Knuth DE. On engines: A history. Notes 2012; 27: 97–111.": ("Notes", None),
        "Byron AA, Knuth DE. On engines: A history. Notes. 2012;27:97–111.": ("Notes", None),
        "Byron A, Knuth D (2012) On engines: A history. J Notes 27:97–111": ("J Notes", None),
        "Byron, A., & Knuth, D. E. (2012). On engines: A history. Energy Notes, 27, 97–111.": ("Energy Notes", None),
        "Byron, A. & Knuth, D. On engines: A history. Nat. Notes 27, 97–111 (2012).": ("Nat. Notes", None),
        # DIN 1505
        "Byron, A. ; Knuth, D. E.: On engines: A history. In: Notes Bd. 27 (2012), Nr. 3, S. 97–111": ("Notes", "3"),
    }.items(),
)
def test_an_article_as_styles_of_word_processors_print_it(text, venue):
    found = read(text, "plain")
    assert {name: found.fields.get(name) for name in ENGINES} == ENGINES
    assert found.fields["author"].startswith(("Byron, A", "A. A. Byron", "Ada P. Byron"))
    assert found.unsure == frozenset()
    printed = found.fields.get("journal") or found.fields.get("booktitle")
    assert (printed, found.fields.get("number")) == venue


@pytest.mark.parametrize(
    "text, title",
    {
        # A year in a title
        "Byron A, Roe SS. A reply (Doe, Poe, & Coe, 1999). Notes. 2014;45:199–201.": "A reply (Doe, Poe, & Coe, 1999)",
        "A. Byron, S.S. Roe, A reply (Doe, & Coe, 1999), Notes 45 (2014) 199–201.": "A reply (Doe, & Coe, 1999)",
        "Lee N. Interview: January 13, 2005. Comput Notes. 2005;3:1–2.": "Interview: January 13, 2005",
        # A list that is only others
        "R. Abbasi, others. On an engine. Notes. 2010;618:139-152.": "On an engine",
        # Books of medicine's styles
        "Roe-Poe R. On an engine. Notes Berlin; 2008.": "On an engine",
        "Roe J-P. On an engine. Reinbek: Rowohlt; 1943.": "On an engine",
        "Roe PM. On an engine [Internet]. Memoirs. 2008;2:1–9.": "On an engine",
        # A quotation that ends a title
        "Roe S. An approach to the category “Engine”. In: Doe R, editor. Memoirs. Wiley; 1989. p. 1–9.": (
            "An approach to the category “Engine”"
        ),
        # Quotations before what begins with a small letter
        "B. Roe and M. Doe, “A spectrum of engines,” pacmnotes, vol. 2, pp. 71–72, 2018.": "A spectrum of engines",
    }.items(),
)
def test_where_a_title_ends_beside_years_and_names(text, title):
    assert read(text, "plain").fields["title"] == title.replace("&", "\\&")


@pytest.mark.parametrize(
    "text",
    [
        "Byron D, Roe M. Extracting the parameters of models with R. JOSS. 2020;5:2445.",
        "Byron RD, Roe JL. Classic sweeps were rare in history. science. 2011;331:920–4.",
    ],
)
def test_a_title_that_may_hold_its_venue_is_not_sure(text):
    assert "title" in read(text, "plain").unsure


@pytest.mark.parametrize(
    "text, volume",
    {
        "Byron, A. (2012). On engines. Notes, January 13, 2012.": None,
        "Byron, A. (2012). On engines. Notes, 27, pp. 3, 4.": "27",
        "Byron, A. (2012). On engines. Notes, no. 5, 9.": None,
        "Byron, Ada. “On Engines.” Phys. Notes X 13, no. 1 (2023): 011048.": "13",
        "Byron, Ada. “On Engines.” Phys. Notes, no. 1 (2023): 011048.": None,
        "BYRON, A. On engines. Notes, v. 2, n. 8, p. 124, 2012.": "2",
        "Byron, A. (2012). On engines. Notes, 2(meeting), 71:1–71:32.": "2",
        "Byron, A. (2012). On engines. Journal of Notes 2012, 12–13.": None,
    }.items(),
)
def test_numbers_that_are_no_volume(text, volume):
    assert read(text, "plain").fields.get("volume") == volume


def test_editors_before_a_book_are_no_part_of_its_name():
    text = "Byron, A. (2019). The engine. In G. Doe & B. Roe (Eds.), Proceedings of Notes (pp. 12–34). Springer."
    fields = read(text, "plain").fields
    assert (fields["booktitle"], fields["publisher"], fields["pages"]) == ("Proceedings of Notes", "Springer", "12--34")


@pytest.mark.parametrize(
    "text, journal, volume",
    [
        ("Byron A., Knuth D., 2020, MNRAS, 499, 3295", "MNRAS", "499"),
        ("Byron, A., Knuth, D. E., & Roe, V. 2018, ApJ, 859, 101, doi: 10.3847/1538-4357/aabf33", "ApJ", "859"),
        ("A. Byron and D. Knuth, Phys. Rev. D 98, 083007 (2018).", "Phys. Rev. D", "98"),
        ("A. Byron, D. Knuth, and V. Roe, Rev. Mod. Phys. 81, 109 (2009).", "Rev. Mod. Phys", "81"),
        ("A. Byron, JHEP 04 (2008) 063.", "JHEP", "04"),
    ],
)
def test_where_no_title_is_printed_none_is_read(text, journal, volume):
    found = read(text, "plain")
    assert "title" not in found.fields
    assert (found.fields["journal"], found.fields["volume"]) == (journal, volume)
    assert names(found)[0] == "Byron"


APACITE = r"""\APACinsertmetastar {k}\begin{APACrefauthors}Byron, A\BPBI P.%
, Knuth, D.\BDBL {}Roe, V.\end{APACrefauthors}%
\unskip\ \newblock \APACrefYearMonthDay{1984}{}{}. \newblock \APACrefbtitle {On engines} {On Engines}\
\APACbVolEdTR{}{\BTR{}\ 12}.
\newblock \APACaddressPublisher{London}{Wiley}."""


def test_of_two_references_that_were_not_parted_no_place_is_read():
    first = "Cui, W. and L. Bai (2023). Contrastive learning with an amplifier. Journal of Things 37, 7279–7287."
    second = "Fischer, K. and M. Simon (2021). Robust feature matching on clouds. In CVPR, pp. 313–323."
    assert read(first, "").fields["journal"] == "Journal of Things"
    fields = read(f"{first} {second}", "").fields
    assert fields["title"] == "Contrastive learning with an amplifier"
    assert not fields.keys() & {"journal", "booktitle", "volume", "pages"}


def test_what_apacite_names():
    found = read(APACITE, "tex")
    fields = found.fields
    assert (fields["title"], fields["publisher"], fields["year"]) == ("On engines", "Wiley", "1984")
    assert fields["author"] == "Byron, A. P. and Knuth, D. and others"
    assert "On Engines" not in found.plain and "London: Wiley" in found.plain and "Tech. Rep. 12" in found.plain


def test_a_gap_in_a_list_of_people():
    text = "Byron, A., Knuth, D. E., Doe, J., … Roe, V. (2012). On engines. Notes, 27(3), 97–111."
    assert read(text, "plain").fields["author"] == "Byron, A. and Knuth, D. E. and Doe, J. and others"


def test_initials_twice_belong_to_one_person():
    found = read("Miller, J., J.D. & Roe, V. (1988). On engines. Memoirs of Engines, 3(1), 2–9.", "plain")
    assert names(found) == ["Miller", "Roe"]


def test_initials_alone_are_nobody():
    assert not people.read("J.D., Ada Byron").sure


def test_given_names_in_brackets():
    text = "Riguet (Marine) et Boukhaled (Mohamed Amine), « Sur les machines », Notes, vol. 8, 2020, p. 1-27."
    assert read(text, "plain").fields["author"] == "Riguet, Marine and Boukhaled, Mohamed Amine"


@pytest.mark.parametrize(
    "where", ["Memoirs of the Society, 488, 1501", "in Roe V., ed., Memoirs Vol. 12, Engines. p. 1"]
)
def test_astronomers_print_the_year_first_and_no_title(where):
    fields = read(f"Byron A. M., Knuth D.-E., 2019, {where}", "plain").fields
    assert ("title" in fields, fields["year"]) == (False, "2019")


@pytest.mark.parametrize("server", ["ArXiv e-prints", "arXiv preprint", "ArXiv Astrophysics e-prints", "eprint arXiv"])
def test_a_server_of_preprints_is_no_title(server):
    assert "title" not in read(f"A. Byron, {server} (2012), arXiv:1210.0032.", "plain").fields


@pytest.mark.parametrize(
    "text",
    [
        "V. Springel and A. Byron, 364, 1105 (2005), astro-ph/0505010",
        "M. White, Astroparticle Physics 22, 211 (2004), astro-ph/0405593",
        "M. White, Physics Reports 22, 211 (2004), arXiv:1210.8201 [astro-ph.CO]",
    ],
)
def test_a_place_and_a_preprint_are_no_title(text):
    assert "title" not in read(text, "plain").fields


IN_A_BOOK = r"""\bibfield {author} {\bibinfo {author} {\bibfnamefont {J.} \bibnamefont {Amiaux}},\ }in\ \href {https://doi.org/10.1/a}
{\emph {\bibinfo {booktitle} {Memoirs of Engines}}},\ Vol.\ 8442\ (\bibinfo {year} {2012})"""


def test_the_book_that_a_work_stands_in_is_not_its_title():
    fields = read(IN_A_BOOK, "tex").fields
    assert (fields.get("title"), fields["booktitle"]) == (None, "Memoirs of Engines")


def test_an_acronym_begins_a_title():
    assert read("A. Byron, GPU 3 kernels for engines, J. Notes 3, 12 (2012).", "plain").fields["title"] == (
        "GPU 3 kernels for engines"
    )


PLACES = {
    "Phys. Rev. Lett. 95, 110405 (2005)": ("Phys. Rev. Lett", "95", "110405", "2005"),
    "Phys. Lett. B 716 (2012) 1–29.": ("Phys. Lett. B", "716", "1–29", "2012"),
    "Phys. Rev. Lett., vol. 95, p. 110405, 2005.": ("Phys. Rev. Lett", "95", "110405", "2005"),
    "Proc. R. Soc. London, Ser. A 392, 45 (1984).": ("Proc. R. Soc. London, Ser. A", "392", "45", "1984"),
    "J. Phys.: Condens. Matter 21, 395502 (2009).": ("J. Phys.: Condens. Matter", "21", "395502", "2009"),
    "Nature (London) 415, 39 (2002).": ("Nature (London)", "415", "39", "2002"),
    "Physical Review Letters, 116, 061102 (2016)": ("Physical Review Letters", "116", "061102", "2016"),
    "Living Rev. Relativity 21, 4 (2018)": ("Living Rev. Relativity", "21", "4", "2018"),
    "Science 337, 444 (2012), arXiv:1210.8201 [astro-ph.CO]": ("Science", "337", "444", "2012"),
    "A&A, 571, A16 (2014)": ("A&A", "571", "A16", "2014"),
    "Phys. Rev. Lett. 95, 1 (2005); 96, 2 (2006).": ("Phys. Rev. Lett", "95", "1", "2005"),
}


@pytest.mark.parametrize("people", ["A. Byron and D. Knuth", "A. Byron, D. Knuth, and V. Roe"])
@pytest.mark.parametrize("where", PLACES)
def test_the_place_is_read_where_no_title_is_printed(people, where):
    fields = read(f"{people}, {where}", "plain").fields
    assert "title" not in fields
    assert tuple(decode(fields[it]) for it in ("journal", "volume", "pages", "year")) == PLACES[where]


@pytest.mark.parametrize("journal", ["Nano Lett", "J. Am. Chem. Soc", "Chemical Reviews"])
def test_chemists_print_the_year_before_the_volume(journal):
    text = rf"Byron,~A.; Knuth,~D. \emph{{{journal}.}} \textbf{{2008}}, \emph{{130}}, 16504--16505"
    found = read(text, "tex")
    assert "title" not in found.fields and names(found) == ["Byron", "Knuth"]
    assert [found.fields[it] for it in ("journal", "volume", "pages", "year")] == [
        journal,
        "130",
        "16504--16505",
        "2008",
    ]


def test_the_initial_of_a_journal_is_nobodys():
    found = read("Byron, A.; Knuth, D. J. Am. Chem. Soc. 2008, 130, 16504–16505", "plain")
    assert found.fields["author"] == "Byron, A. and Knuth, D."
    assert found.fields["journal"] == "J. Am. Chem. Soc"


@pytest.mark.parametrize(
    "text",
    [
        "A. Byron, Sketch of the engine. Memoirs 12, 34 (1984)",
        "A. Byron, Sketch of the engine, Memoirs 12, 34 (1984)",
        "A. Byron, Engine runner, 2, 2010.",
        "A. Byron, “Sketch of the engine,” Memoirs 12, 34 (1984)",
    ],
)
def test_a_title_before_a_place_is_read(text):
    assert read(text, "plain").fields["title"].startswith(("Sketch of the engine", "Engine runner"))


def test_a_name_in_a_block_ends_a_title():
    text = r"Byron S, Roe J (1999). \newblock \enquote{Numerical Engines.} \newblock \emph{Wiley-House}, \textbf{35}, 6"
    assert read(text, "tex").fields["title"] == "Numerical Engines"


def test_a_name_in_italics_ends_a_title():
    fields = read(r"A. Byron, Sketch of the engine \emph{Memoirs} \textbf{12}, 34 (1984)", "tex").fields
    assert (fields["title"], fields["journal"]) == ("Sketch of the engine", "Memoirs")


@pytest.mark.parametrize(
    "text",
    [
        r"{Byron} A.,  {Knuth} D.,  2020, \mn@doi [\mnras] {10.1093/mnras/staa456}, {493, 2352}",
        r"{Byron}, A., {Knuth}, D. 2020, \mnras, 493, 2352",
        r"{Byron}, A., {Knuth}, D. 2020, {\mnras}, 493, 2352",
        r"A. {Byron}, {\bibinfo {journal} {\mnras}\ }\textbf {\bibinfo {volume} {493}}, 2352 (2020)",
    ],
)
def test_a_command_of_astronomers_names_a_journal(text):
    fields = read(text, "tex").fields
    assert "title" not in fields
    assert fields["journal"] == "Monthly Notices of the Royal Astronomical Society"
    assert (fields["volume"], fields["pages"], fields["year"]) == ("493", "2352", "2020")


def test_a_command_in_a_title_is_the_authors_own():
    assert (
        "Nature"
        not in read(r"A. Byron. \newblock Engines of \nat and more. \newblock Notes 1:2--3, 1843.", "tex").plain
    )


ACCESSED = [
    "Sep. 2015, pp. 218–225, isbn: 978-1-4673-7133-9 978-1-4673-7135-3. (visited on 09/26/2024).",
    "vol. 58, no. 11, pp. 218–225, Nov. 2015, issn: 0018-9383, 1557-9646. (visited on 09/26/2024).",
    "2015, pp. 218–225. Accessed September 21, 2024. https://example.org/a",
    "2015, pp. 218–225 [accessed Sep 21, 2024]",
    "2015, S. 218–225 (besucht am 3. März 2024).",
    "2015, p. 218–225 (consulté le 1er mai 2024).",
]


@pytest.mark.parametrize("behind", ACCESSED)
def test_when_an_address_was_looked_at_is_no_year_and_an_isbn_no_pages(behind):
    fields = read(f"B. Byron, D. Knuth, “The defect of engines,” Memoirs, {behind}", "plain").fields
    assert (fields["year"], fields["pages"]) == ("2015", "218--225")


def test_a_title_may_speak_of_visits():
    fields = read(
        "Byron, A. (2019). Engines visited on foot. Notes, 12(3), 4–5. Visited on 5 May 2021.", "plain"
    ).fields
    assert (fields["title"], fields["year"]) == ("Engines visited on foot", "2019")


@pytest.mark.parametrize(
    "journal", ["Proc. Natl. Acad. Sci. U.S.A", "Proc. R. Soc. B", "Proc. IEEE", "Proc. VLDB Endow"]
)
def test_a_journal_may_be_called_proceedings(journal):
    found = read(f"J. A. Byron, R. B. Knuth, Heart rates of engines. {journal}. 108, 470–481 (2011).", "plain")
    assert (found.kind, found.fields["journal"], found.fields["volume"]) == ("article", journal, "108")


def test_what_is_cut_short_does_not_end_a_name():
    fields = read(
        "B. Byron, D. Knuth, “On engines,” in Proc. 45th Engine Days (ED ’15), 2015, pp. 2–3.", "plain"
    ).fields
    assert fields["booktitle"] == "Proc. 45th Engine Days"


@pytest.mark.parametrize(
    ("where", "number"),
    [
        ("Memoirs of Engines 22/3 (2017), 1146-1193.", "3"),
        ("Memoirs of Engines, 22.3-4 (2017), pp. 1146–93", "3-4"),
        ("Memoirs of Engines. 2017, 22(3), s. 1146–1193.", "3"),
        ("Memoirs of Engines. 2017, 22, s. 1146–1193.", None),
        ("in: Memoirs of Engines, Jg. 22, 2017, S. 1146–1193.", None),
    ],
)
def test_volumes_as_the_languages_write_them(where, number):
    fields = read(f"Byron, A. and Knuth, D., “Fast engines”, {where}", "plain").fields
    assert (fields["volume"], fields.get("number"), fields["year"]) == ("22", number, "2017")


def test_short_family_names_in_capitals_are_no_initials():
    assert names(read("KOB, W., LEE, H. C. Testing engines. Memoirs. 1995, 51(5), s. 46.", "plain")) == ["KOB", "LEE"]


# Habits of languages and word processors: what is read is title, first and last person, year.
HABITS = {
    "commas behind the year": "Byron, A. and Knuth, D. (2017). A study of engines, Memoirs of Engines 22(3): 46–93.",
    "Polish": "Byron A., Knuth D., 2017, A study of engines, „Memoirs of Engines” 18, nr 4: 40-42.",
    "Czech": "Byron, A. - Knuth, D.: A study of engines. Memoirs of Engines, 19, 2017, č. 4, s. 151–159.",
    "German": "Byron, A. / Knuth, D.: A study of engines. In: Memoirs of Engines 127 (2017), Nr. 1, S. 6–9",
    "German u.": "Byron, Ada u. Knuth, Donald: A study of engines. In: Memoirs of Engines. 2017, S. 33–40.",
    "with a label": "Byron, Knuth 2017 Byron A., Knuth D., « A study of engines », Memoirs of Engines, 22, p. 3",
    "AAAI": "Byron, A.; and Knuth, D. E. 2017. A study of engines. In Conference on Engines (CE).",
    "nicknames": "Ada (Jack) Byron, Charles Babbage, and Don Knuth. 2017. A study of engines. Notes 12, 3.",
    "names in capitals": "BYRON, Ada M., ROE, Vera et KNUTH, Don D. A study of engines. Notes [en ligne]. 2017, 39",
    "French": "Byron (Ada), Babbage (Charles) et Knuth (Don), « A study of engines », dans Notes, Paris, 2017",
}


@pytest.mark.parametrize("habit", HABITS)
def test_references_as_word_processors_and_languages_write_them(habit):
    found = read(HABITS[habit], "plain")
    people = [it.upper() for it in names(found)]
    assert found.fields["title"] == "A study of engines"
    assert (people[0], people[-1], found.fields["year"]) == ("BYRON", "KNUTH", "2017")


def test_a_year_ends_people_whom_no_sign_parts():
    fields = read("Byron Ada Knuth Donald et Roe Vera, 2017, « A study of engines », n° 564, p. 3", "plain").fields
    assert (fields["title"], fields["year"]) == ("A study of engines", "2017")


def test_one_person_with_a_full_given_name():
    fields = read("BYRON, Ada. A study of engines. 2. ed. [S.l.]: Springer, 2013. 286 p.", "plain").fields
    assert (fields["title"], fields["author"]) == ("A study of engines", "BYRON, Ada")


@pytest.mark.parametrize(
    "text",
    [
        "IEA, A study of engines, Tech. rep., International Energy Agency (Sep. 2021).",
        "The White House, A study of engines (Apr. 2021).",
        "Byron, A. (2021). A study of engines, The MIT Press.",
        "Byron, Ada (2021): A study of engines, 2. Aufl., Springer.",
    ],
)
def test_commas_before_a_publisher_or_a_report_end_a_title(text):
    fields = read(text, "plain").fields
    assert (fields["title"], fields["year"]) == ("A study of engines", "2021")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Byron A. 2013. Calculating engines, with notes", "Calculating engines, with notes"),
        ("Byron, A. (2005). Interview: January 13, 2005. Notes, 3(1).", "Interview: January 13, 2005"),
        (
            "Byron, A. (2000). Styles of engines [Dissertation, University of Notes, Irvine].",
            "Styles of engines",
        ),
        ("Byron, A. Literate Programming. Comput. J. 1984, 27 (2), 97–111.", "Literate Programming"),
    ],
)
def test_a_comma_in_a_title_stays_there(text, title):
    assert read(text, "plain").fields["title"] == title


@pytest.mark.parametrize(
    ("text", "title", "people"),
    [
        ("Byron, Ada K. Engines of the Past. Cambridge University Press, 1966.", "Engines of the Past", ["Byron"]),
        ("Byron, Ada. Engines of the past. 6 Jan. 2022, https://a.org/.", "Engines of the past", ["Byron"]),
        ("Byron, A. Engines; Wiley: London, 1966.", "Engines", ["Byron"]),
        ("Byron, A.; Knuth, D. Engines, 2nd ed.; Notes; Wiley: London, 1966; pp 3–9.", "Engines", ["Byron", "Knuth"]),
        ("Byron, A., & Knuth, D. (2022). Engines (arXiv:2209.00103). arXiv. https://a", "Engines", ["Byron", "Knuth"]),
        ("Byron, A. (2003). Engines and people (1; Vol. 2, pp. 1–16). https://a.org", "Engines and people", ["Byron"]),
    ],
)  # fmt: skip
def test_one_person_a_book_and_what_stands_in_brackets(text, title, people):
    found = read(text, "plain")
    assert (found.fields["title"], names(found)) == (title, people)


@pytest.mark.parametrize(
    "text",
    [
        "World report of engines. (2021). https://example.org/report",
        "World report of engines. (2007). Association for Computing Machinery.",
        "World report of engines. World Health Organization; 2018.",
        "World Report of Engines. Association for Computing Machinery, 2007, www.example.org",
        "World report of engines. https://www.example.org/, 2009.",
        "World Report of Engines. 2nd ed., New York: Penguin, Oct. 1987. Print.",
    ],
)
def test_a_title_that_nobody_stands_before_is_read_and_not_sure(text):
    found = read(text, "plain")
    assert found.fields["title"].lower() == "world report of engines" and found.unsure == {"title"}
    assert "author" not in found.fields


def test_sentences_are_no_list_of_people():
    found = read("Ada Byron. Digital Engines and Notes. 1st ed. Knuth Publishers Inc.; 2003.", "plain")
    assert (found.fields["author"], found.fields["title"]) == ("Ada Byron", "Digital Engines and Notes")


@pytest.mark.parametrize(
    ("end", "eprint"),
    {", 384, 291 (2008), 0706.3220.": "0706.3220", " 16, 6 (2013), hep-th/9901001.": "hep-th/9901001"}.items(),
)
def test_a_bare_number_at_the_end_is_a_preprints(end, eprint):
    fields = read(f"A. Byron and D. Knuth, Living Reviews in Relativity{end}", "plain").fields
    assert (fields["eprint"], fields.get("title")) == (eprint, None)


@pytest.mark.parametrize(
    "people", ["P. D. Byron, Jr., C. D. Roe, and D. Knuth", "Byron, Jr., P. D., Roe, C. D., & Knuth, D."]
)
def test_a_suffix_is_no_person(people):
    found = read(f"{people} (2001). Engines of the past. Memoirs, 3(2), 4–9.", "plain")
    assert names(found) == ["Byron", "Roe", "Knuth"]


@pytest.mark.parametrize(
    "end", ["(citado nas pgs. viii, 8, 9).", "[cf. p. 1, 4, 5, 6]", "(cit. on p. 3).", "Cited on pages 12 and 14."]
)
def test_where_a_reference_is_cited_is_no_part_of_it(end):
    fields = read(f"A. Byron and D. Knuth, Ice in engines, Memoirs 12 (2013) 3–9. {end}", "plain").fields
    assert (fields["title"], fields["pages"], fields["year"]) == ("Ice in engines", "3--9", "2013")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("A. Byron. “Lines “null” and “t” of engines,” Memoirs, vol. 19, 1977.", "Lines “null” and “t” of engines"),
        ("A. Byron, Primes in sequences. A trichotomy, Memoirs 45 (2007) 5–6.", "Primes in sequences. A trichotomy"),
        ("Byron, A. 2026. May I Decide? On engines. In Conference on Engines.", "May I Decide? On engines"),
        ("Byron, A. (2023). Engines in R. R package version 2.11.0, https://a.org.", "Engines in R"),
        ("H. Byron, D. ben Knuth, Ice in engines, Memoirs 9 (2007) 175.", "Ice in engines"),
        ("Byron, J. 2007, Ice in engines, Memoirs 9, 175", "Ice in engines"),
        ("Ada do Byron e Don Ken Knuth. “Ice in engines”. Memoirs 3 (2020), pp. 1–9.", "Ice in engines"),
        ("Ice in engines. https://www.a.org/b.html. Accessed: 2020-2021.", "Ice in engines"),
        ("Clean Energy, Our way by 2025 (Dec. 2021). URL https://a.org", "Our way by 2025"),
        ("D. Byron and W. Knuth, Eds., Ice in engines, 2nd ed. Wiley, 2005.", "Ice in engines"),
    ],
)
def test_where_titles_end_in_more_habits(text, title):
    assert read(text, "plain").fields["title"] == title


def test_a_title_that_a_comma_may_cut_is_not_sure():
    text = "Byron, A. (2020). Extracting, Computing and Exploring Models Using R. Journal of Software, 5(53), 24."
    assert read(text, "plain").unsure == {"title"}
    assert read("Byron, P. 2015, Library of Engines, Vol. 415, Solar Ice, 4", "plain").unsure == {"title"}


def test_two_people_are_no_organisation():
    fields = read("A. J. Byron and M. A. Knuth, J. Phys. C: Solid State Physics 18, L927 (1985)", "plain").fields
    assert (fields["author"], fields["volume"]) == ("A. J. Byron and M. A. Knuth", "18")


@pytest.mark.parametrize(
    "text",
    [
        "Byron A. A study of engines. London: Knuth and Sons, 1992.",
        "Byron A. A study of engines. In: Memoirs of Knuth. New York: ACM, 1992: 4–9.",
        "Byron A. A study of engines: a history. Memoirs 1992 (in press).",
        "Byron A. Study of Engines with Python. Knuth, 1992.",
    ],
)
def test_one_initial_before_words_that_are_no_name_ends_the_people(text):
    found = read(text, "plain")
    assert names(found) == ["Byron"]
    assert re.match("(?i)(a )?study of engines", found.fields["title"])


def test_words_that_a_title_quotes_are_no_title():
    text = "Byron, B. W., Knuth, A. I. Defining and Interpreting “Engines” in Notes of “Effect”. Memoirs 5 (2020), 6–7."
    assert read(text, "plain").fields.get("title") != "Engines"


def test_accents_that_stand_alone_are_parts_of_letters():
    found = read("Aroyo, L.; Serapio-Garcı\u0301a, G.; Knuth, D. Engines for all. Memoirs 2023, 36, 5–9.", "plain")
    assert names(found) == ["Aroyo", "Serapio-García", "Knuth"]


def test_a_consortium_may_stand_among_people():
    found = read("C. Byron, J. Roe, The Engine Consortium, D. Knuth, On engines, Memoirs 3 (2020) 4–5.", "plain")
    assert found.fields["title"] == "On engines" and found.fields["author"].endswith("D. Knuth")


def test_a_title_before_a_house_alone_is_sure():
    assert not read("Byron, Ada, and Don Knuth. Engines of the Past. Cambridge University Press, 1966.", "plain").unsure


def test_a_full_name_before_initials_is_no_family_name():
    found = read(
        "Ada Byron, E. Don Knuth, Vera Roe, and P. Doe. A survey of engines. Memoirs, 3(2):4–9, 2018.", "plain"
    )
    assert (names(found)[0], found.fields["title"]) == ("Byron", "A survey of engines")


def test_an_initial_within_names_before_a_bracket_is_not_the_last():
    found = read("Ada V. Byron, Don Knuth (eds.) (2014). Engines of the Past. Springer.", "plain")
    assert found.fields["title"] == "Engines of the Past"
    assert found.fields["editor"] == "Ada V. Byron and Don Knuth"


def test_words_without_an_address_are_no_title():
    assert "title" not in read("Something that says nothing", "plain").fields
    assert read("Engines of the past. url: https://a.org/b.", "plain").fields["title"] == "Engines of the past"


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        (
            r"A.~Byron et~al., ATLAS collaboration, \emph{{Search for engines}}, Phys. \textbf{B716} (2012), 1--29.",
            "tex",
        ),
        ("A. Byron et al., ATLAS collaboration, Search for engines, Phys. Lett. B716 (2012), 1–29.", "plain"),
    ],
)
def test_a_collaboration_behind_the_people_is_no_title(text, markup):
    fields = read(text, markup).fields
    assert (fields["author"], fields["title"], fields["volume"]) == (
        "A. Byron and others",
        "Search for engines",
        "B716",
    )


@pytest.mark.parametrize(
    ("people", "author"),
    [
        ("C.~Collaboration, CMS collaboration", "{CMS collaboration}"),
        ("T.~A. collaboration", None),
        (
            "{Cosine-100 Collaboration}, A.~Byron, D.~Knuth et~al.",
            "{Cosine-100 Collaboration} and A. Byron and D. Knuth and others",
        ),
    ],
)
def test_the_initials_of_a_collaboration_name_nobody(people, author):
    fields = read(rf"{people}, \emph{{{{Search for engines with the detector}}}}.", "tex").fields
    assert (fields["title"], fields.get("author")) == ("Search for engines with the detector", author)


IOP = [
    (
        r"Byron A~A and Knuth D 1843 {\em Memoirs on engines\/} {\bf 97}(2) 767--837 On looms: from notes to cards",
        "tex",
    ),
    (r"Byron A~A and Knuth D 1843 {\em arXiv preprint arXiv:1711.05101\/} On looms: from notes to cards", "tex"),
    (
        r"Byron A~A and Knuth D 1843 {\em Looms\/} 767--837 On looms: from notes to cards ISSN 0027-8424",
        "tex",
    ),
    (r"Byron A~A and Knuth D 1843 {\em Memoirs on engines\/} {\bf 11} On looms: from notes to cards", "tex"),
    (r"Byron A~A and Knuth D 1843 On looms: from notes to cards {\em Memoirs on engines\/} {\bf 97} 767", "tex"),
    (r"Byron A~A and Knuth D 1843 {\em On looms: from notes to cards\/} (Oxford University Press)", "tex"),
    ("Byron A A and Knuth D 1843 Memoirs on engines 97(2) 767–837 On looms: from notes to cards", "plain"),
]


@pytest.mark.parametrize(("text", "markup"), IOP)
def test_a_year_between_spaces_parts_people_from_what_follows(text, markup):
    reading = read(text, markup)
    assert reading.fields["author"] == "Byron, A. A. and Knuth, D."
    assert (reading.fields["year"], reading.fields["title"]) == ("1843", "On looms: from notes to cards")
    assert ("title" in reading.unsure) == (markup == "plain")  # only signs say where the place ends


def test_people_are_read_where_no_title_follows_the_pages():
    fields = read(r"Byron A~A 1843 {\em Memoirs on engines\/} {\bf 97}(2) 767--837", "tex").fields
    assert (fields["author"], fields["volume"], fields["pages"]) == ("Byron, A. A.", "97", "767--837")
    assert "title" not in fields


@pytest.mark.parametrize(
    "behind",
    [
        r", ({Animal Looms}), Preprint.",
        r" in {\em 2017 Conference on Looms ({COL})}. \newblock ({IEEE}, Oxford), pp. 48--49.",
        r" in {\em Looms and notes}, eds.{} Knuth D, et~al. \newblock ({Wiley}, Oxford) Vol.{} 31, pp. 12--18.",
    ],
)
def test_where_a_work_is_to_be_had_is_no_part_of_its_title(behind):
    reading = read(rf"Byron A, Knuth D (1943) On engines in the wild{behind}", "tex")
    assert (reading.fields["title"], reading.unsure) == ("On engines in the wild", frozenset())


def test_a_species_in_italics_behind_in_ends_no_title():
    text = r"Byron A, Knuth D (1943) Foraging in {\em Caenorhabditis elegans}. \newblock {\em eLife} 3:e04220."
    assert read(text, "tex").fields["title"] == "Foraging in Caenorhabditis elegans"


def test_a_series_behind_a_book_is_no_part_of_its_title():
    text = r"Byron A, Knuth D (1943) {\em On looms: an introduction}, Studies of Looms. \newblock ({Wiley}, Oxford)."
    reading = read(text, "tex")
    assert (reading.fields["title"], reading.unsure) == ("On looms: an introduction", frozenset())


@pytest.mark.parametrize(
    ("text", "title", "is_sure"),
    [
        ("<The engine, arXiv e-prints> (2014) arXiv:1402.5143.", "The engine", True),
        ("<The engine, Physical Review D> (accepted) (2020).", "The engine", True),
        ("<Search for pairs in the> hh → bb, γγ <channels with the loom,> Phys. Rev. D92 (2015), 92.",
         "Search for pairs in the hh → bb, γγ channels with the loom", True),
        ("<Search for pairs in the> bblν <state at> √s = 13 TeV.", "Search for pairs in the", False),
        ("<Search for pairs in the> b¯b channel.", "Search for pairs in the", False),
        ("GoSam: <a tool for engines,> Eur. Phys. J. C74 (2014), 3001.", "a tool for engines", False),
        ("<On the random numbers of early looms,> 2018.", "On the random numbers of early looms", True),
    ],
)  # fmt: skip
def test_where_a_title_ends_that_is_in_italics_only_in_part(text, title, is_sure):
    reading = read(f"A. Byron and D. Knuth, {text}".replace("<", "\ue001").replace(">", "\ue002"), "plain")
    assert reading.fields["title"] == title
    assert ("title" not in reading.unsure) == is_sure


def test_the_last_name_of_a_list_may_lack_its_full_stop():
    fields = read(
        "Byron, A. A., Knuth, D., Torres-Jara, E: On looms in notes. Memoirs, 14(1):20, 1943.", "plain"
    ).fields
    assert fields["title"] == "On looms in notes"
    assert fields["author"] == "Byron, A. A. and Knuth, D. and Torres-Jara, E"


@pytest.mark.parametrize(
    ("text", "markup", "title"),
    [
        (r"Common services 2 {(CTS2)}. \newblock http://a.org/spec, 2012.", "tex", "Common services 2 (CTS2)"),
        (r"{GitHub} press page. \newblock http://a.org. \newblock Accessed: 18/03/2013.", "tex", "GitHub press page"),
        ("Ada Byron. 2013. Looms and notes. Retrieved May 27, 2019 from http://a.org", "plain", "Looms and notes"),
        ("\ue001Public license for looms, version 3.\ue002 Nov. 2007. URL: http://example.org.", "plain",
         "Public license for looms, version 3"),
        ("Ada Byron, D. Knuth, et al. Looms: tools for notes, 2001–.", "plain", "Looms: tools for notes"),
    ],
)  # fmt: skip
def test_a_title_before_an_address(text, markup, title):
    assert read(text, markup).fields["title"] == title


def test_the_year_of_an_erratum_is_not_that_of_the_work():
    text = "A. Byron and D. Knuth, Engines at work, Memoirs 12 (1843) 4–5 [Erratum: Memoirs 13, 7 (1844)]."
    assert read(text, "plain").fields["year"] == "1843"


def test_a_number_of_an_issue_may_look_like_a_year():
    text = "A. Byron and D. Knuth. Engines at work. Memoirs, 454(1971):903–995, 1998."
    assert read(text, "plain").fields["year"] == "1998"


@pytest.mark.parametrize(
    ("text", "title", "people"),
    [
        ("Ada Byron et al. \ue001Looms for engines of the past.\ue002 2015. arXiv: 1512.03385 [cs.CV].",
         "Looms for engines of the past", "Ada Byron and others"),
        ("A. Byron, Community structure of the looms (2026). arXiv:2607.03010.",
         "Community structure of the looms", "A. Byron"),
        ("Byron, A. Sketch of the engine, Ed. Wiley, 1990.", "Sketch of the engine", "Byron, A."),
        ("A. Byron. Sketch of the engine, Lovelace Pub. Co., 1990.", "Sketch of the engine", "A. Byron"),
        ("A. Byron, Sketch of the engine, Wiley-Interscience, New York, 2001.", "Sketch of the engine", "A. Byron"),
        ("A. Byron, Engines, and Their Looms, Lecture Notes in Weaving, Lovelace Ltd., Ely, 1989.",
         "Engines, and Their Looms", "A. Byron"),
        ("A. Byron, Sketch of engines, Transactions on Looms, Notes, and Ink 80, 061138 (2009).",
         "Sketch of engines", "A. Byron"),
        ("A. Byron, Looms modulo \ue001m\ue002, The Weavers Monthly 67 (6) (1960) 525–532.",
         "Looms modulo m", "A. Byron"),
        ("Ada Byron, G. Don Knuth. Sketch of the engine. Memoirs of Looms, 12(3):4–15, 1843.",
         "Sketch of the engine", "Ada Byron and G. Don Knuth"),
        ("Leon Ojeda, L. Deep Looms. Wiley, 2016.", "Deep Looms", "Leon Ojeda, L."),
        ("Donald M. J. Knuth und Ada Byron: Drawing by force. Notes, 21(11):1129–1164, 1991.",
         "Drawing by force", "Donald M. J. Knuth and Ada Byron"),
        ("ROE, E. S.; BYRON, F. d. S. M. Looms para todos. 2020.",
         "Looms para todos", "ROE, E. S. and BYRON, F. d. S. M."),
        ("ROE, B. da S. LDAP: uma história de teares. 2010.", "LDAP: uma história de teares", "ROE, B. da S."),
        ("Byron, Ada & Don Knuth. 2024. Is it so? A look at engines and looms. Em Proceedings of Looms, Lisboa.",
         "Is it so? A look at engines and looms", "Byron, Ada and Don Knuth"),
        ("Byron, A. (2022b). Was she right? There is at least a good chance that she was. https://a.org/b.",
         "Was she right? There is at least a good chance that she was", "Byron, A."),
        (".Byron A, Knuth D. Looms for engines. Memoirs of Engines. 2015 Jan;14(01):3-9.",
         "Looms for engines", "Byron, A. and Knuth, D."),
        ("Byron, S. 2013. General looms. looms.example.org. Accessed: 2013-11-14.", "General looms", "Byron, S."),
        ("Byron, Ada (2001). “Comment on the article, ”Looms and engines: an answer””. In: Notes 11.4, pp. 920–936.",
         "Comment on the article, ”Looms and engines: an answer", "Byron, Ada"),
    ],
)  # fmt: skip
def test_where_people_end_and_titles_begin_in_yet_more_habits(text, title, people):
    fields = read(text, "plain").fields
    assert (fields["title"], fields["author"]) == (title, people)


@pytest.mark.parametrize(
    ("text", "author"),
    [
        ("Intel. Looms and their interfaces, 2021.", "{Intel}"),
        ("weavers.org. Looms and their interfaces. 2024. URL: https://a.org/b.", "{weavers.org}"),
        ("Heavy Looms Gov Italy. Plan of the national looms. 2020. URL: https://a.org/b.", "{Heavy Looms Gov Italy}"),
    ],
)
def test_who_is_one_word_before_the_title_is_named_in_doubt(text, author):
    reading = read(text, "plain")
    assert (reading.fields["author"], "author" in reading.unsure) == (author, True)


def test_a_title_before_its_publisher_is_no_author():
    assert "author" not in read("Engines. Cambridge University Press, 1971.", "plain").fields


def test_whoever_calls_himself_by_one_small_word_is_an_author():
    reading = read(r"loom-ml. \newblock Threads: A framework for looms. \newblock GitHub, 2021.", "tex")
    assert (reading.fields["author"], reading.fields["title"]) == ("{loom-ml}", "Threads: A framework for looms")
    assert reading.unsure == {"author"}


@pytest.mark.parametrize(
    "name",
    ["Airbus Defence and Space", "Bain & Company", "Institut National des Métiers et Forestière",
     "Loom-1 Weaving Initiative"],
)  # fmt: skip
def test_an_organisation_is_one_although_a_word_joins(name):
    assert str(people.read(name)) == f"{{{name}}}"


@pytest.mark.parametrize("name", ["The White House", "Airbus Defence and Space", "Bain & Company"])
def test_an_organisation_before_a_year_is_the_author(name):
    assert decode(read(f"{name} (2017). Looms and notes. Technical Sheet.", "plain").fields["author"]) == name


def test_two_names_with_a_word_that_joins_are_two_people():
    assert str(people.read("van der Laan and Byron")) == "van der Laan and {Byron}"
    assert str(people.read("Plato and Ada Byron")) == "{Plato} and Ada Byron"


def test_pages_that_look_like_a_year_are_none():
    text = "D. Knuth and A. Byron. Looms: A review. Memoirs of Looms, 55(8):1397 – 1418, 2013."
    assert read(text, "plain").fields["year"] == "2013"


def test_people_and_year_are_read_where_the_place_is_no_title():
    fields = read("Byron A., Hong S. E., 2016, A&A, 592", "plain").fields
    assert (fields["author"], fields["year"]) == ("Byron, A. and Hong, S. E.", "2016")
    assert "title" not in fields


def test_a_journal_whose_name_holds_commas_is_no_title():
    where = "Transactions of the Society A: Engines, Looms and Notes"
    fields = read(f"Byron, A., Roe, D. 2012, {where}, 370, 2765", "plain").fields
    assert (fields["journal"], fields["volume"]) == (where, "370")
    assert "title" not in fields


def test_an_address_that_lost_its_lines_is_no_part_of_a_title():
    address = "http://www.a.org/reports/rp data-report-2015 en xg.pdf"
    assert read(f"Roe Looms: 2015 report on looms. {address} (2015)", "plain").fields["title"] == "2015 report on looms"


def test_what_is_said_of_another_work_is_no_title():
    text = "Byron, A. Erratum: “Looms in memoirs” [J. Looms 145, 23 (2016)]. J. Looms 2017, 147, 139901."
    assert read(text, "plain").fields.get("title") != "Looms in memoirs"


def test_a_list_of_names_is_no_sure_title():
    text = "A. Byron, D. Roe, CCIT, Patent Office ITS, and House of Looms. \ue001Engines at Work.\ue002 2011."
    assert "title" in read(text, "plain").unsure


@pytest.mark.parametrize(
    ("text", "title", "people"),
    [
        # with nothing but spaces around the year, and without the last full stop of initials
        ("ROE, M, BYRON, B. J & USKI, V 2008 Looms and planets. The Journal of Looms 176 (2), 484–496.",
         "Looms and planets", "ROE, M and BYRON, B. J and USKI, V"),
        ("Byron, G. G. 1851 On the effect of friction. Trans. Camb. Phil. Soc. 9, 8.",
         "On the effect of friction", "Byron, G. G."),
        # spaces that a page lost
        ("Byron, O. N. 2001.Cycles and looms: two experiments. Journal of Looms 69:869–873.",
         "Cycles and looms: two experiments", "Byron, O. N."),
        ("Byron, P., S. N. Roe. 2002. Looms and data to estimate parameters.Biometrics 58:540–547.",
         "Looms and data to estimate parameters", "Byron, P. and S. N. Roe"),
        ("Ada J. Byron andothers. “The Peak in the Function”. inThe Journal of Looms: 633.2 (2005), 560–574.",
         "The Peak in the Function", "Ada J. Byron and others"),
        ("Byron, Ada R. (1997). ?Looms on a chip? inNotes on Engines: 44.10, pages 1689–1698.",
         "Looms on a chip", "Byron, Ada R."),
        # titles that begin small or with a number
        ("Roe, M. D., Byron, D. J. & Knuth, G. K. loomR: A package for engines. Notes. issn: 14602059 (2009).",
         "loomR: A package for engines", "Roe, M. D. and Byron, D. J. and Knuth, G. K."),
        ("Roe, D., Byron, X. & Knuth, B. 3LOOMS, an accurate method. Notes. issn: 14699001 (2016).",
         "3LOOMS, an accurate method", "Roe, D. and Byron, X. and Knuth, B."),
        ("Roe, H. W. et al. cLoom Reveals Many Threads. Notes. issn: 10974199 (2017).",
         "cLoom Reveals Many Threads", "Roe, H. W. and others"),
        ("ROE JR., R. M.; COSTA, L. F. Looms in the plane. Patterns, v. 29, n. 9, p. 1559–1569, Jan 1996. 31, 33, 35",
         "Looms in the plane", "ROE JR., R. M. and COSTA, L. F."),
        ("Roe J. Inferring Looms. Sunderland, MA: Lovelace Associates, Inc.; 2004.", "Inferring Looms", "Roe, J."),
        ("Looms Inc. Flux Pattern. 2022. url: https://a.org/b.", "Flux Pattern", "{Looms Inc}"),
        ("Ada R. Byron en Don J. Knuth. Essential Looms. 2 edition. Lovelace Media, 2005.",
         "Essential Looms", "Ada R. Byron and Don J. Knuth"),
        ("The 1000 Looms Project Consortium (2015): A reference for looms. Nature 526 (7571), 68–74.",
         "A reference for looms", "{The 1000 Looms Project Consortium}"),
        ("Byron, D. I. (1996). From “loom and thread” to “looming for threads.” In J. Roe (Ed.), Looms (pp. 7–9). Ely.",
         "From “loom and thread” to “looming for threads", "Byron, D. I."),
        ("A. Byron. The Looms: Mondays in Ely, 1989–91. World Looms, 47(01):42–101, June 2011.",
         "The Looms: Mondays in Ely, 1989–91", "A. Byron"),
    ],
)  # fmt: skip
def test_where_people_end_and_titles_begin_as_journals_of_many_fields_print_them(text, title, people):
    fields = read(text, "plain").fields
    assert (fields["title"], fields["author"]) == (title, people)


def test_a_title_in_bold_is_set_apart():
    reading = read(r"BYRON, D. \textbf{Looms: A Note on Threads}. 2. ed. Ely: Lovelace, 1993.", "tex")
    assert (reading.fields["title"], reading.fields["author"]) == ("Looms: A Note on Threads", "BYRON, D.")


@pytest.mark.parametrize("volume", ["Vol. 12", "Volume 12(3)", "Ser. A 12"])
def test_a_volume_in_bold_is_no_title_whatever_stands_before_its_number(volume):
    reading = read(rf"D. Knuth, Engines at work, Memoirs \textbf{{{volume}}} (1990) 3--4.", "tex")
    assert (reading.fields["title"], reading.fields["journal"]) == ("Engines at work", "Memoirs")
    assert reading.unsure == frozenset()


@pytest.mark.parametrize(
    "title", ["Comparison of Looms and Libraries", "Loom-SNMP History", "Task Parallel Looms (TPL)"]
)
def test_a_title_alone_before_its_address(title):
    assert read(f"{title}. url: http://www.a.org/about/looms.html.", "plain").fields["title"] == title


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("Ada Byron. Looms. http://a.org/b/, 2011. [Online; Stand 21. August 2012].", "2011"),
        ("Ada Byron. Looms. https://a.org/b. 2010. (Visitado 17-11-2021).", "2010"),
        ("Byron RR. Looms of the past. Transactions B: Looms. 2013;368(1626):2012.", "2013"),
        ("WANG, Z. Looms. In: Advances in Looms. Ely: Wiley, 2000, (Lecture Notes in Looms, v. 1929).", "2000"),
        ("Yarin, A. and Roe, B. Looms in the wild. Memoirs 12(1990), 34–56.", "1990"),
        ("HEUSER, C. A. Projeto de teares. Porto, Brasil: Wiley, 2009. Cited 3 times at pages 35, 56, and 61.", "2009"),
    ],
)
def test_which_number_is_the_year(text, year):
    assert read(text, "plain").fields["year"] == year


def test_what_journals_of_statistics_print_is_read_once():
    text = r"""\begin{barticle}[author]
      \bauthor{\bsnm{Byron},~\bfnm{A.}\binits{A.}}, \bauthor{\bsnm{Knuth},~\bfnm{D.~E.}\binits{D.~E.}} \AND
      \bauthor{\bparticle{van }\bsnm{Dijk},~\bfnm{H.~K.}\binits{H.~K.}}
    (\byear{2008}).
    \btitle{{Engines as weavers of looms}}.
    \bjournal{Memoirs of Looms} \bvolume{3}.
    \end{barticle}"""
    fields = read(text, "tex").fields
    assert fields["author"] == "Byron, A. and Knuth, D. E. and van Dijk, H. K."
    assert (fields["title"], fields["journal"]) == ("Engines as weavers of looms", "Memoirs of Looms")


def test_a_journal_in_italics_in_the_block_of_the_title_is_no_part_of_it():
    text = (
        r"Byron, A. \& Knuth, D., 2018. \newblock {Looms of the rift}, {\it Looms, Notes\/}, {\bf 19}(10), 3793--3810."
    )
    reading = read(text, "tex")
    assert (reading.fields["title"], reading.unsure) == ("Looms of the rift", frozenset())
    assert (reading.fields["journal"], reading.fields["volume"]) == ("Looms, Notes", "19")


@pytest.mark.parametrize(
    ("text", "markup", "pages"),
    [
        (r"A. Byron, ``On engines,'' \emph{Looms}, vol.~7, pp. 61\,883--61\,895, 2019.", "tex", "61883--61895"),
        ("A. Byron, “On engines,” Looms, vol. 7, pp. 61 883–61 895, 2019.", "plain", "61883--61895"),
        ("A. Byron, “On engines,” Looms, vol. 7, p. 161 883, 2019.", "plain", "161883"),
        ("A. Byron, “On engines,” Looms, vol. 7, pp. 12 2019.", "plain", "12"),
    ],
)
def test_pages_whose_thousands_stand_apart_are_whole(text, markup, pages):
    assert read(text, markup).fields["pages"] == pages
