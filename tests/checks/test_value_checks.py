r"""What JabRef reports of single values, and what only looks like it."""

import pytest

import marks
from citelsp.base.text import apply
from citelsp.checks import (
    malformed_date,
    malformed_identifier,
    malformed_url,
    reversed_pages,
    unfinished_entry,
    unpaired_bracket,
)
from citelsp.knowledge import Knowledge
from fixture_projects import project_of

MAINS = {
    "bibtex": r"\documentclass{x}\bibliographystyle{plain}\bibliography{r}",
    "biber": r"\documentclass{x}\addbibresource{r.bib}",
    "": "",
}


def found(check, fields, kind="article", reader="bibtex"):
    main = {"m.tex": MAINS[reader]} if MAINS[reader] else {}
    text = f"@{kind}{{k, {fields}}}\n"
    findings = check.run(project_of({**main, "r.bib": text}), Knowledge())
    return findings, text


@pytest.mark.parametrize("reader", MAINS)
@pytest.mark.parametrize(
    ("check", "fields", "cited", "better"),
    [
        (malformed_url, "url = {htp://a.org/b}", "htp://", "http://a.org/b"),
        (malformed_url, "url = {https:/a.org/b}", "https:/", "https://a.org/b"),
        (malformed_url, "url = {http//a.org/b}", "http//", "http://a.org/b"),
        (malformed_url, "url = {http://https://a.org/b}", "http://", "https://a.org/b"),
        (malformed_url, "url = {https://a.org/?a=1&amp;b=2}", "&amp;", "https://a.org/?a=1&b=2"),
        (malformed_url, "url = {https://a.org/b\n   c}", "https://a.org/b\n   c", "https://a.org/bc"),
        (malformed_url, "url = {https://a.org/b and c}", " ", ""),
        (malformed_url, "url = {https://a.org/b\n   http://c.org/d}", "http://c.org/d", ""),
        (malformed_url, "url = {https://a.org/b http://c.org http://e.org}", "http://c.org", ""),
        (malformed_url, "title = {Words https://a.org/b}", "https://a.org/b", ""),
        (reversed_pages, "pages = {150--12}", "150--12", ""),
        (reversed_pages, "pages = {7, 150--12}", "150--12", ""),
        (reversed_pages, "pages = {158--112}", "158--112", "112--158"),
        (reversed_pages, "pages = {{158--112}}", "158--112", "{112--158}"),
        (reversed_pages, "pages = {158-112}", "158-112", "112-158"),
        (reversed_pages, "pages = {S19--S12, 3}", "S19--S12", "S12--S19, 3"),
        (unpaired_bracket, "title = {A study (of cats}", "(", ""),
        (unpaired_bracket, "booktitle = {Proc. of X] 2}", "]", ""),
        (unpaired_bracket, "title = {Mixed (a] b)}", "]", ""),
        (malformed_date, "month = {13}", "13", ""),
        (malformed_date, "year = 20199", "20199", ""),
        (malformed_date, "year = {20XX}", "20XX", ""),
        (malformed_date, "year = {201}", "201", ""),
        (malformed_date, "year = {2O19}", "2O19", ""),
        (malformed_date, "year = {????}", "????", ""),
        (malformed_identifier, "issn = {0028-0837}", "0028-0837", ""),
        (malformed_identifier, "issn = {1234-5679, 00280836}", "1234-5679, 00280836", None),
        (unfinished_entry, "author = {Firstname Lastname and others}", "Firstname Lastname", None),
        (unfinished_entry, "author = {Lastname, Firstname}", "Lastname, Firstname", ""),
        (unfinished_entry, "author = {Author One and Author Two}", "Author One and Author Two", ""),
        (unfinished_entry, "author = {Author A and Author B and others}", "Author A and Author B and others", ""),
        (unfinished_entry, "author = {John Doe and Jane Smith}", "John Doe and Jane Smith", ""),
        (unfinished_entry, "journal = {arXiv:2305.XXXX}", "arXiv:2305.XXXX", ""),
        (unfinished_entry, "title = {TODO: find the paper}", "TODO", ""),
        (unfinished_entry, "pages = {???}", "???", ""),
        (unfinished_entry, "title = {Birds}, journal = {TODO}, volume = {TODO}, pages = {TODO}", "TODO", ""),
        (unfinished_entry, "doi = {10.1145/xxxxxxx.xxxxxxx}", "10.1145/xxxxxxx.xxxxxxx", ""),
        (unfinished_entry, "note = {To be completed}", "To be completed", ""),
    ],
)
def test_faults(check, fields, cited, better, reader):
    findings, text = found(check.CHECK, fields, reader=reader)
    if better is None:
        assert len(findings) <= 1
        return
    [finding] = findings
    assert finding.cited == cited
    assert len(finding.fixes) == bool(better)
    if better:
        mended = apply(text, finding.fixes[0].edits)
        assert better in mended
        assert not check.CHECK.run(project_of({"r.bib": mended}), Knowledge())


@pytest.mark.parametrize(
    ("check", "fields"),
    [
        (malformed_url, r"url = {https://a.org/b_c?d=1&e=%20#f}, title = {Of www.a.org and \href{https://a.org}{b}}"),
        (malformed_url, "url = {ftp://a.org/b}, note = {https://a.org}, howpublished = {\\url{https://a.org}}"),
        (malformed_url, "url = {https://web.archive.org/web/2020/http://a.org/b}"),
        (malformed_url, "url = {doi.org/10.1000/x}"),
        (reversed_pages, "pages = {150--2}"),
        (reversed_pages, "pages = {1299-305}"),
        (reversed_pages, "pages = {104501-1}"),
        (reversed_pages, "pages = {10,382--10,393 and 982--1,010}"),
        (reversed_pages, "pages = {104501--1}"),
        (reversed_pages, "pages = {3-1--3-14}"),
        (reversed_pages, "pages = {12.9--12.3, e12-e3, xii--iv, 1:4--1:2}"),
        (reversed_pages, "pages = {12--15, 3--5}"),
        (unpaired_bracket, "title = {On (a) and [b] of 1) one, b) two; $[0, 1)$ and [0,1), \\(x\\) \\[y\\] :-) \\)}"),
        (unpaired_bracket, "booktitle = {Symposium ({USENIX} 21) and (OSDI 2)}"),
        (malformed_date, "month = {Mai}, year = {in press}"),
        (malformed_date, "month = {1-2}, year = {2019a}"),
        (malformed_date, "month = 12, year = 1887"),
        (malformed_date, "month = {06}, year = {2020/2021}"),
        (malformed_date, 'month = jun # "~3", year = {c. 1600}'),
        (malformed_identifier, "issn = {0028-0836, 1476-4687}"),
        (malformed_identifier, "issn = {2049-3630}"),
        (malformed_identifier, "issn = {0378-5955 (print)}"),
        (unfinished_entry, "title = {TODO or not TODO: comments in code}, author = {Doe, John}"),
        (unfinished_entry, "author = {Author A. Brown and C. Author}"),
        (unfinished_entry, "title = {What XXX means}, author = {Smith, Jane and Doe, Jane and Roe, A.}"),
        (unfinished_entry, "title = {The name of the rose}, pages = {1--3}, note = {to be continued}"),
        (unfinished_entry, "title = {Quo vadis??}, series = {Super Bowl XXX}, volume = {XXX}"),
    ],
)
@pytest.mark.parametrize("reader", MAINS)
def test_what_is_none(check, fields, reader):
    assert not found(check.CHECK, fields, reader=reader)[0]


def test_years_of_antiquity_stand():
    assert not found(malformed_date.CHECK, "year = {180}", "book")[0]


OWN = "ENTRY { url } {} {} FUNCTION {article} { URL } FUNCTION {default.type} { article }"


@pytest.mark.parametrize(
    ("files", "number"),
    [
        ({"m.tex": MAINS["biber"]}, 1),
        ({"m.tex": MAINS["bibtex"].replace("plain", "plainnat")}, 1),
        ({"m.tex": MAINS["bibtex"].replace("plain", "own"), "own.bst": OWN.replace("URL", '"\\url{" url "}"')}, 1),
        ({"m.tex": MAINS["bibtex"].replace("plain", "own"), "own.bst": OWN.replace("URL", '"URL: " url')}, 0),
        ({"m.tex": MAINS["bibtex"].replace("plain", "nobody-has-it")}, 0),
    ],
)
def test_a_command_around_a_url_is_wrong_if_the_style_writes_it_again(files, number):
    text = "@article{k, url = {\\url{https://a.org/b}}}\n"
    findings = malformed_url.CHECK.run(marks.project(marks.Marked({**files, "r.bib": text})), Knowledge())
    assert len(findings) == number
    for finding in findings:
        assert apply(text, finding.fixes[0].edits) == "@article{k, url = {https://a.org/b}}\n"


@pytest.mark.parametrize(
    ("pages", "message"),
    [
        ("2023--08", "“2023--08” is a year and a month: no pages, so leave it out."),
        ("2023--17", "“2023--17” ends before it begins: look the pages up."),
        ("12, 2023--08", "“2023--08” ends before it begins: look the pages up."),
    ],
)
def test_a_date_in_the_place_of_pages(pages, message):
    findings, _ = found(reversed_pages.CHECK, f"pages = {{{pages}}}")
    assert [it.message for it in findings] == [message]
