"""References as a reader expects them, of every type; compared with what pandoc's APA says of the same entries."""

import pytest

from citelsp.base.text import Document
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.names import Name
from citelsp.features import popup_reference_line
from citelsp.syntax.bibtex import parsing

REFERENCES = [
    (
        "@article{a, author={Perdew, J. and Wang, Y.}, journal={J. Chem. Phys.}, volume=124, eid={012345}, year=2006}",
        "J. Perdew and Y. Wang (2006). J. Chem. Phys., 124, 012345.",
    ),
    (
        "@book{a, editor={Matuz, Roger}, volume=61, pages={204-208}, publisher={Gale}, location={Detroit}, year=1990}",
        "Roger Matuz (Ed.) (1990). Vol. 61, pp. 204–208. Gale, Detroit.",
    ),
    (
        "@book{a, author={Averroes}, editor={Bland, Kalman P.}, translator={Bland, Kalman P.}, series={Moreshet},"
        " number=7, publisher={Seminary}, date=1982}",
        "Averroes (1982). Kalman P. Bland, Ed. & Trans. Moreshet, No. 7. Seminary.",
    ),
    (
        "@mvbook{a, author={Knuth, Donald E.}, volumes=5, edition=2, publisher={Addison Inc.}, date={1984/1986}}",
        "Donald E. Knuth (1984–1986). 2nd ed., Vols. 1–5. Addison Inc.",
    ),
    (
        "@book{a, author={Knuth}, maintitle={Computers & Typesetting}, volume=A, publisher={AW}, year=1984}",
        "Knuth (1984). Computers & Typesetting: Vol. A. AW.",
    ),
    (
        "@inproceedings{a, author={Devlin, J.}, booktitle={Proceedings}, editor={Burstein, Jill and Doran, C.},"
        " volume=1, pages={4171--4186}, publisher={ACL}, year=2019}",
        "J. Devlin (2019). In Jill Burstein and C. Doran (Eds.), Proceedings (Vol. 1, pp. 4171–4186). ACL.",
    ),
    (
        "@inbook{a, author={Kant, I.}, bookauthor={Kant}, maintitle={Werke}, volume=5, booktitle={Kritik}, pages=3}",
        "I. Kant. In Kant, Werke: Vol. 5. Kritik (p. 3).",
    ),
    (
        "@book{a, author={Coleridge}, maintitle={Works}, volume=7, part=2, publisher={P}, origdate={1817}, year=1983}",
        "Coleridge (1983). Works: Vol. 7.2. P. Original work published 1817.",
    ),
    (
        "@proceedings{a, editor={Doe, J.}, organization={ACM}, publisher={North Press}, year=1983}",
        "J. Doe (Ed.) (1983). ACM; North Press.",
    ),
    ("@manual{a, organization={ACM}, publisher={ACM}, year=1983}", "(1983). ACM."),
    (
        "@article{a, author={Doe}, translator={Roe, R.}, journal={J}, volume=12, number=4, issue={Spring}}",
        "Doe. R. Roe, Trans. J, 12(4, Spring).",
    ),
    ("@inbook{a, author={Doe, J.}, title={A Book}, chapter=2, publisher={P}}", "J. Doe. Chapter 2. P."),
    ("@phdthesis{a, author={Fielding, Roy}, school={UC}, year=2000}", "Roy Fielding (2000). PhD thesis. UC."),
    ("@thesis{a, author={Loh, N.}, type={mathesis}, institution={MIT}}", "N. Loh. Master’s thesis. MIT."),
    ("@techreport{a, author={Bloch}, number={ST-1}, institution={SU}}", "Bloch. Technical report No. ST-1. SU."),
    ("@patent{a, author={Almendro, J.}, number={EU-1}, type={patenteu}}", "J. Almendro. European patent No. EU-1."),
    (
        "@software{a, author={{NumPy Developers}}, version={v2.1}, publisher={Zenodo}, date={2024-08-18}}",
        "NumPy Developers (2024). Computer software. Version 2.1. Zenodo.",
    ),
    (
        "@online{a, author={Itzhaki, N.}, date={1996-03-11}, organization={arXiv}}",
        "N. Itzhaki (1996, March 11). arXiv.",
    ),
    (
        "@booklet{a, author={Doe, J.}, howpublished={Handed out}, address={Bonn}, year=1999}",
        "J. Doe (1999). Handed out, Bonn.",
    ),
    ("@unpublished{a, author={Doe, J.}, note={In preparation}}", "J. Doe. In preparation."),
    (
        "@periodical{a, issuetitle={Media}, volume=35, number=4, date=2011}",
        "(2011). Media, 35(4).",
    ),
    ("@misc{a, author={Doe, J.}, pubstate={forthcoming}}", "J. Doe (forthcoming)."),
    ("@inproceedings{a, author={Doe, J.}, booktitle={Proceedings}}", "J. Doe. In Proceedings."),
    *(
        (f"@book{{a, author={{Doe, J.}}, edition={number}}}", f"J. Doe. {said} ed.")
        for number, said in [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (23, "23rd")]
    ),
    (
        "@periodical{a, issuetitle={Media}, issuesubtitle={A View}, volume=35, number=4}",
        "Media: A View, 35(4).",
    ),
    (
        "@inbook{a, author={Doe, J.}, booktitle={A Book}, booktitleaddon={Proceedings}, pages=3}",
        "J. Doe. In A Book. Proceedings (p. 3).",
    ),
    ("@inbook{a, author={Doe, J.}, maintitle={All Books}, volume=2}", "J. Doe. In All Books (Vol. 2)."),
    (
        "@book{a, author={Doe, J.}, publisher={P}, origyear={1817}, year={in press}}",
        "J. Doe (in press). P. Original work published 1817.",
    ),
    ("@patent{a, author={Doe, J.}, number={1}, holder={Ada}, location={Bonn}}", "J. Doe. Patent No. 1. Ada."),
    ("@article{a, author={Doe, J.}, booktitle={Apidologie}, volume=7}", "J. Doe. Apidologie, 7."),
    (
        "@incollection{a, author={Doe, J.}, translator={Roe, R.}, booktitle={A Book}, edition=2, pages=3}",
        "J. Doe. In A Book (R. Roe, Trans.; 2nd ed., p. 3).",
    ),
    (
        "@incollection{a, author={Doe, J.}, editor={Roe, R. and others}, booktitle={A Book}, pages={B-7}}",
        "J. Doe. In R. Roe et al. (Eds.), A Book (p. B-7).",
    ),
    ("@proceedings{a, editor={Doe, J. and Roe, R.}, year=1983}", "J. Doe and R. Roe (Eds.) (1983)."),
    ("@proceedings{a, editor={Doe, J. and others}, year=1983}", "J. Doe et al. (Eds.) (1983)."),
    ("@misc{a}", ""),
]  # fmt: skip


@pytest.mark.parametrize(("written", "shown"), REFERENCES)
def test_line(written, shown):
    entries = parsing.parse(Document("r.bib", written.replace("{Computers &", r"{Computers \&"))).entries
    assert popup_reference_line.line(Entry(entries.node(0))) == shown


def test_twenty_authors_are_named():
    assert popup_reference_line.people([Name(it) for it in "abcdefghijklmnopqrst"]).endswith(", r, s and t")
    assert popup_reference_line.people([Name(it) for it in "abcdefghijklmnopqrstu"]).endswith(", r, s and 2 others")
