import pytest
from hypothesis import given
from hypothesis import strategies as st

from citelsp.bibliography import identifiers
from citelsp.bibliography.identifiers import (
    Identifiers,
    from_text,
    normal_arxiv,
    normal_doi,
    normal_isbn,
    tell_arxiv_year,
)


@pytest.mark.parametrize(
    ("written", "doi"),
    [
        ("10.1038/NATURE14539", "10.1038/nature14539"),
        ("https://doi.org/10.1038/nature14539", "10.1038/nature14539"),
        ("http://dx.doi.org/10.1038%2Fnature14539.", "10.1038/nature14539"),
        ("doi: 10.1007/978-3-540-77581-2\\_1", "10.1007/978-3-540-77581-2_1"),
        ("10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2",) * 2,
        ("10.1016/S0022-2836(05)80360-2",) * 2,
        ("(10.1000/x)", ""),
        ("nature14539", ""),
        ("10.1038", ""),
    ],
)
def test_doi(written, doi):
    assert normal_doi(written) == doi.lower()


@pytest.mark.parametrize(
    ("written", "arxiv"),
    [
        ("1706.03762v5", "1706.03762"),
        ("arXiv:1706.03762 [cs.CL]", "1706.03762"),
        ("https://arxiv.org/pdf/1706.03762v2.pdf", "1706.03762"),
        ("hep-th/9901001", "hep-th/9901001"),
        ("math.AG/0601001v2", "math/0601001"),
        ("10.48550/arXiv.1706.03762", "1706.03762"),
        ("1799.12345", ""),
        ("17060.3762", ""),
    ],
)
def test_arxiv(written, arxiv):
    assert normal_arxiv(written) == arxiv


@pytest.mark.parametrize(
    ("arxiv", "year"),
    [
        ("0709.2092", 2007),
        ("1706.03762", 2017),
        ("hep-ph/9709356", 1997),
        ("math.GT/0309136", 2003),
        ("0000.1", None),
        ("2513.0001", None),
        ("hep-ph", None),
        ("", None),
    ],
)
def test_the_year_that_an_arxiv_id_tells(arxiv, year):
    assert tell_arxiv_year(arxiv) == year


def test_an_address_is_kept_beside_the_number_in_it():
    address = "https://arxiv.org/abs/1706.03762"
    assert from_text(address) == Identifiers(arxiv="1706.03762", url=address)
    assert from_text("arXiv:1706.03762") == Identifiers(arxiv="1706.03762")


def test_isbn():
    assert normal_isbn("0-201-53082-1") == normal_isbn("978-0-201-53082-7") == "9780201530827"
    assert normal_isbn("080442957X") == "9780804429573"
    assert normal_isbn("ISBN-10: 0-201-53082-1") == normal_isbn("isbn10 0201530821") == "9780201530827"
    assert normal_isbn("ISBN 1000000001") == normal_isbn("1000000001")
    assert normal_isbn("0-201-53082-2") == normal_isbn("1234") == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see https://doi.org/10.1000/xyz123, p. 3", {"doi": "10.1000/xyz123"}),
        ("arXiv preprint arXiv:1706.03762", {"arxiv": "1706.03762"}),
        ("CoRR abs/1706.03762", {"arxiv": "1706.03762"}),
        ("https://pubmed.ncbi.nlm.nih.gov/12345678/", {"pmid": "12345678"}),
        ("PMID: 12345678; PMC123456", {"pmid": "12345678", "pmcid": "PMC123456"}),
        ("https://aclanthology.org/2020.acl-main.1.pdf", {"acl": "2020.acl-main.1"}),
        ("P19-1001", {"acl": "P19-1001"}),
        ("10.18653/v1/P19-1001", {"doi": "10.18653/v1/p19-1001", "acl": "P19-1001"}),
        ("https://openalex.org/W2741809807", {"openalex": "W2741809807"}),
        ("https://dblp.org/rec/conf/nips/VaswaniSPUJGKP17", {"dblp": "conf/nips/VaswaniSPUJGKP17"}),
        ("ISBN 978-0-201-53082-7", {"isbn": "9780201530827"}),
        ("10.48550/arXiv.1706.03762", {"arxiv": "1706.03762"}),
        ("Attention is all you need", {}),
    ],
)
def test_from_text(text, expected):
    found = from_text(text)
    assert {
        name: getattr(found, name) for name in Identifiers.__slots__ if getattr(found, name) and name != "url"
    } == expected


@pytest.mark.parametrize(
    ("value", "doi"),
    [
        ("http://doi.acm.org/10.1145/1456403.1456405", "10.1145/1456403.1456405"),
        ("http://doi.ieeecomputersociety.org/10.1109/MS.2007.85", "10.1109/ms.2007.85"),
        ("https://onlinelibrary.wiley.com/doi/10.1002/anie.201234567/abstract", "10.1002/anie.201234567"),
        ("https://dl.acm.org/doi/10.5555/3666122.3666563", ""),  # a number of the ACM's, not registered
        ("http://adsabs.harvard.edu/abs/2016arXiv160105788H", ""),
        ("see 10.1145/1456403.1456405", ""),
    ],
)
def test_addresses_in_a_doi_field(value, doi):
    assert of(doi=value).doi == doi


def of(**fields):
    return identifiers.from_fields(fields)


def test_from_fields():
    assert of(eprint="1706.03762", archiveprefix="arXiv").arxiv == "1706.03762"
    assert of(journal="CoRR", volume="abs/1706.03762").arxiv == "1706.03762"
    assert of(journal="arXiv preprint arXiv:1706.03762").arxiv == "1706.03762"
    assert of(eprint="12345", eprinttype="pubmed").pmid == "12345"
    assert of(url="https://doi.org/10.1000/a\\_b").doi == "10.1000/a_b"
    assert of(note="arXiv:1706.03762").arxiv == "1706.03762"
    assert not of(url="https://dl.acm.org/doi/10.5555/3666122.3666563")  # a number of the ACM's, not registered
    assert not of(url="https://dl.acm.org/doi/abs/10.5555/3666122.3666563")
    assert not of(note="Erratum: doi:10.1000/xyz")


@pytest.mark.parametrize(
    ("url", "doi"),
    [
        ("https://www.biorxiv.org/content/10.1101/2020.05.01.123456v2.full.pdf", "10.1101/2020.05.01.123456"),
        ("https://onlinelibrary.wiley.com/doi/10.1002/anie.201234567/abstract", "10.1002/anie.201234567"),
        ("https://dl.acm.org/doi/10.1145/3292500.3330701?download=true", "10.1145/3292500.3330701"),
        ("https://journals.sagepub.com/doi/10.1177/0123456789#abstract", "10.1177/0123456789"),
        ("https://link.springer.com/content/pdf/10.1007/978-3-319-24574-4_28.pdf", "10.1007/978-3-319-24574-4_28"),
        ("https://iopscience.iop.org/article/10.1088/1742-6596/12/1/012001/meta", "10.1088/1742-6596/12/1/012001"),
        ("https://www.frontiersin.org/articles/10.3389/fpsyg.2019.00001/full", "10.3389/fpsyg.2019.00001"),
        ("https://www.euroslajournal.org/articles/10.22599/jesla.39/", "10.22599/jesla.39"),
        ("https://direct.mit.edu/isal/article/doi/10.1162/isal_a_00213/99150/data-standards", "10.1162/isal_a_00213"),
        ("https://direct.mit.edu/tacl/article/doi/10.1162/tacl_a_00676/2461947/tacl_a_00676", "10.1162/tacl_a_00676"),
        ("https://academic.oup.com/mnras/advance-article/doi/10.1093/mnras/stab1234/6123456", "10.1093/mnras/stab1234"),
        ("https://academic.oup.com/mnras/article-pdf/doi/10.1093/mnras/stab1/3812345/stab1.pdf", "10.1093/mnras/stab1"),
        ("https://ashpublications.org/blood/article/doi/10.1182/blood.2019/474646?x=1", "10.1182/blood.2019"),
        ("https://www.taylorfrancis.com/books/10.1201/b11667/fundamentals-of-computing-john-knight", "10.1201/b11667"),
        (
            "https://academic.oup.com/book/10.1093/oso/9780198803195.001.0001/oso-9780198803195",
            "10.1093/oso/9780198803195.001.0001",
        ),
        ("https://www.oxfordscholarship.com/10.1093/oso/9780198803195.001.0001/oso-9780198803195-chapter-2", ""),
        ("https://link.springer.com/article/10.1140/epjb/e2004-00030-4", "10.1140/epjb/e2004-00030-4"),
        ("https://iopscience.iop.org/article/10.1088/0965-0393/23/8/085005", "10.1088/0965-0393/23/8/085005"),
        ("https://www.example.org/doi/10.1234/full", ""),
        ("https://www.oecd-ilibrary.org/doi/10.1787/agr-outl-data-en", "10.1787/agr-outl-data-en"),
    ],
)
def test_addresses_go_on_behind_the_doi(url, doi):
    assert of(url=url).doi == from_text(url).doi == doi


SERIAL = "10.1175/1520-0469(1985)042<0950:acoaws>2.0.co;2"  # with what the standard for parts of serials puts in it


@pytest.mark.parametrize(
    "written",
    [
        "https://journals.ametsoc.org/doi/abs/10.1175/1520-0469(1985)042<0950:ACOAWS>2.0.CO;2",
        "https://journals.ametsoc.org/doi/pdf/10.1175/1520-0469(1985)042%3C0950%3AACOAWS%3E2.0.CO%3B2",
        r"http://journals.ametsoc.org/doi/abs/10.1175/1520-0469(1985)042{\%}3C0950{\%}3AACOAWS{\%}3E2.0.CO{\%}3B2",
        r"http://journals.ametsoc.org/perlserv/?doi=10.1175/1520-0469(1985)042<0950:ACOAWS>2.0.CO;2\&amp;request=get-pdf",
    ],
)
def test_a_doi_with_angle_brackets_is_whole(written):
    assert of(url=written).doi == of(doi=SERIAL).doi == SERIAL


def test_a_tag_ends_a_doi():
    assert from_text("<p>doi:10.1000/xyz<br>10.1000/abc</p>").doi == "10.1000/xyz"


def test_a_version_is_no_part_of_a_doi():
    assert normal_doi("10.1101/2020.05.01.123456v2") == "10.1101/2020.05.01.123456"
    assert normal_doi("10.6084/m9.figshare.1234567.v2") == "10.6084/m9.figshare.1234567.v2"


@given(st.text(max_size=60))
def test_any_text(text):
    from_text(text)
    of(doi=text, eprint=text, url=text, isbn=text, note=text)
