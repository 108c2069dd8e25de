import pytest

from citelsp.features import document_links
from citelsp.features.local_files import attachments
from fixture_projects import world


def links(fixture, path, files=()):
    it = world(fixture)
    text = it.project.sources[path].document.text
    return [
        (link.span.within(text), link.target)
        for link in document_links.find(it.project, path, lambda name: name in files)
    ]


def test_identifiers_of_entries():
    fixture = """%% r.bib
@article{a, doi = {https://doi.org/10.1000/XY<z>}, eprint = "1706.03762", eprinttype = {arxiv}, url = {https://example.org/a_b}}
@misc{c, pmid = { 123 }}
@misc{d, pmid = {１２３}}
@misc{b, url = {javascript:alert(1)}, howpublished = {\\url{http://example.org/}}, note = {10.1/1}}
"""
    assert links(fixture, "r.bib") == [
        ("https://doi.org/10.1000/XY<z>", "https://doi.org/10.1000/xy%3Cz%3E"),
        ("1706.03762", "https://arxiv.org/abs/1706.03762"),
        ("https://example.org/a_b", "https://example.org/a_b"),
        (" 123 ", "https://pubmed.ncbi.nlm.nih.gov/123/"),
        ("\\url{http://example.org/}", "http://example.org/"),
    ]


def test_parts_and_bibliographies_of_a_manuscript():
    fixture = (
        "%% m/a.tex\n\\documentclass{article}\\input{b}\\bibliography{r,none}\n%% m/b.tex\nx\n%% m/r.bib\n@misc{a}\n"
    )
    assert links(fixture, "m/a.tex") == [("b", "m/b.tex"), ("r", "m/r.bib")]


def test_attachments_that_exist_beside_the_bibliography_or_anywhere():
    fixture = """%% lib/r.bib
@misc{a, file = {PDF:papers/x.pdf:application/pdf}}
@misc{b, file = {:home/me/y.pdf:pdf}}
@misc{c, file = {no.pdf}}
"""
    assert links(fixture, "lib/r.bib", {"lib/papers/x.pdf", "/home/me/y.pdf"}) == [
        ("PDF:papers/x.pdf:application/pdf", "lib/papers/x.pdf"),
        (":home/me/y.pdf:pdf", "/home/me/y.pdf"),
    ]


def test_no_programs_and_no_network_paths():
    fixture = "%% r.bib\n@misc{a, file = {x.sh}}\n@misc{b, file = {//host/share/x.pdf}}\n"
    assert links(fixture, "r.bib", {"x.sh", "//host/share/x.pdf", "/host/share/x.pdf"}) == []


@pytest.mark.parametrize(
    ("value", "paths"),
    [
        (r"Full Text:C\:\\Users\\me\\a.pdf:application/pdf", [r"C:\Users\me\a.pdf"]),
        ("C:/Users/me/a.pdf", ["C:/Users/me/a.pdf"]),
        (r":C$\backslash$:/Users/me/a.pdf:pdf", ["C:/Users/me/a.pdf"]),
        (r"a.pdf:/x/a\;b.pdf:application/pdf;Snap:/x/s.html:text/html", ["/x/a;b.pdf", "/x/s.html"]),
        ("/x/a.pdf;/x/b.pdf", ["/x/a.pdf", "/x/b.pdf"]),
        (":/x/a.pdf:PDF", ["/x/a.pdf"]),
        ("", []),
        ("C:/a.pdf:pdf", ["C:/a.pdf"]),
        (r"C\:/a.pdf", ["C:/a.pdf"]),
        ("x.pdf:", ["x.pdf"]),
        (":x.pdf", ["x.pdf"]),
        ("a:b:c:pdf", ["b:c"]),
    ],
)
def test_ways_of_writing_attachments(value, paths):
    assert attachments(value) == paths


def test_items_and_their_pdfs_in_zotero():
    fixture = r"""%% r.bib
% == BibTeX quality report for items: Better BibTeX
@article{doe:20, file = {PDF:C\:\\Users\\me\\Zotero\\storage\\ab12CD34\\x.pdf:application/pdf}}
@book{o/x, file = {/home/me/Zotero/storage/EFGH5678/y.pdf}}
"""
    assert links(fixture, "r.bib") == [
        ("@article", "zotero://select/items/@doe%3A20"),
        ("file", "zotero://open-pdf/library/items/AB12CD34"),
        ("@book", "zotero://select/items/@o%2Fx"),
        ("file", "zotero://open-pdf/library/items/EFGH5678"),
    ]
    assert links("%% r.bib\n@article{a, file = {storage/x.pdf}}\n", "r.bib") == []


@pytest.mark.parametrize(
    ("name", "value", "leads_to"),
    [
        ("doi", "10.1000/X", "https://doi.org/10.1000/x"),
        ("doi", "none", ""),
        ("eprint", "arXiv:1706.03762v2", "https://arxiv.org/abs/1706.03762"),
        ("arxivid", "1706.03762", "https://arxiv.org/abs/1706.03762"),
        ("arxiv", "none", ""),
        ("pmid", "77", "https://pubmed.ncbi.nlm.nih.gov/77/"),
        ("pmid", "PMC77", ""),
        ("howpublished", r" \url{ https://example.org/a\_b } ", "https://example.org/a_b"),
        ("adsurl", "https://example.org/", "https://example.org/"),
        ("note", "https://example.org/", ""),
    ],
)
def test_where_a_field_leads(name, value, leads_to):
    assert document_links.address(name, value) == leads_to


def found(bib, files=(), path="r.bib"):
    it = world(f"%% {path}\n{bib}")
    return document_links.find(it.project, path, lambda name: name in files)


def test_a_link_says_where_it_leads():
    bib = '@misc{a, doi = "10.1000/x", file = {{p/x.pdf}}}\n'
    doi, file = found(bib, {"/lib/p/x.pdf"}, "/lib/r.bib")
    assert (doi.tooltip, doi.is_file, doi.span.within(bib)) == ("https://doi.org/10.1000/x", False, "10.1000/x")
    assert (file.tooltip, file.is_file, file.span.within(bib)) == ("x.pdf", True, "p/x.pdf")
    zotero = "% Exported by Better BibTeX\n@Misc{a, file = {C:/Zotero/storage/ABCD1234/x.pdf}}\n"
    assert [it.tooltip for it in found(zotero)] == ["Show in Zotero", "Open in Zotero"]


def test_of_several_attachments_the_first_one_that_is_there_and_can_be_read():
    bib = "@misc{a, file = {x.html;no.pdf;:y.EPUB:epub;z.pdf}}\n"
    assert [it.target for it in found(bib, {"/lib/x.html", "/lib/y.EPUB", "/lib/z.pdf"}, "/lib/r.bib")] == [
        "/lib/y.EPUB"
    ]
    assert found(bib, {"/lib/x.html"}, "/lib/r.bib") == []


def test_a_thousand_entries_have_links():
    assert len(found("".join(f"@misc{{k{it}, doi = {{10.1000/{it}}}}}\n" for it in range(1001)))) == 1000


def test_a_part_of_a_manuscript_is_a_file():
    it = world("%% a.tex\n\\input{b}\n%% b.tex\nx\n")
    [link] = document_links.find(it.project, "a.tex")
    assert (link.target, link.is_file, link.tooltip) == ("b.tex", True, "")
