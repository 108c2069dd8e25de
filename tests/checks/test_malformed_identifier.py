import pytest

from citelsp.checks.malformed_identifier import CHECK
from finding_fixtures import check, fixed


def test_forms_that_a_fix_mends():
    fixture = """
        %% r.bib
        @misc{a, doi = {doi:10.1000/ABC}}
                        ^^^^^^^^^^^^^^^ malformed-identifier
        @misc{b, eprint = "arXiv:1706.03762v2", archiveprefix = {arXiv}}
                           ^^^^^^^^^^^^^^^^^^ malformed-identifier
        @misc{c, pmid = {PMID: 123}}
                         ^^^^^^^^^ malformed-identifier
        @misc{d, eprint = {0608246}, archivePrefix = {arXiv}, primaryClass = {cond-mat.quant-gas}}
                           ^^^^^^^ malformed-identifier
    """
    first, second, third, fourth = check(CHECK, fixture)
    assert "doi = {10.1000/ABC}}" in fixed(fixture, first, "Write 10.1000/ABC")
    assert 'eprint = "1706.03762v2"' in fixed(fixture, second, "Write 1706.03762v2")
    assert "pmid = {123}" in fixed(fixture, third, "Write 123")
    assert "eprint = {cond-mat/0608246}" in fixed(fixture, fourth, "Write cond-mat/0608246")


@pytest.mark.parametrize(
    "field", ["doi = {10.1000}", "doi = {none}", "isbn = {978-0-201-53082-8}", "isbn = {123}", "pmid = {x1}"]
)
def test_what_is_none(field):
    value = field.partition("{")[2].rstrip("}")
    start = len("@misc{a, ") + field.index("{") + 1
    [finding] = check(CHECK, f"%% r.bib\n@misc{{a, {field}}}\n{' ' * start}{'^' * len(value)} malformed-identifier\n")
    assert not finding.fixes


def test_sound_ones():
    check(
        CHECK,
        r"""
        %% r.bib
        @misc{a, doi = {10.1000/a\_b}, isbn = {0-201-53082-1}, eprint = {hep-th/9901001}, archiveprefix = {arXiv}}
        @misc{c, doi = {10/gf29tr}}
        @misc{b, doi = {}, eprint = {123}, eprinttype = {pubmed}, pmid = 123}
    """,
    )


@pytest.mark.parametrize(
    ("field", "said", "better"),
    [
        ("isbn = {0094-8276}", "is the ISSN of a journal", None),
        ("isbn = {0270-6474 (Print)$\\backslash$r0270-6474 (Linking)}", "is the ISSN of a journal", None),
        ("isbn = {08953309}", "is the ISSN of a journal", None),
        ("isbn = {08953308}", "has 10 or 13 digits", None),
        ("isbn = {10.1371/journal.pone.0061505}", "is a DOI, not an ISBN. It belongs in the doi field.", None),
        ("isbn = {doi:10.1098/rspb.2013.2750}", "is a DOI, not an ISBN.", None),
        ("doi = {10.1177/ 154193}", "is not a DOI: it holds a space.", "10.1177/154193"),
        ("doi = {10.1177/ is the publisher}", "four digits or more", None),
        ("archiveprefix = {arXiv}, eprint = {2107.05847v2 [cs, q-fin.ST]}", "arXiv id only", "2107.05847v2"),
        ("isbn = {0094-8276-1}", "has 10 or 13 digits", None),
        ("doi = {10.231/JIM.0b013e3}", "four digits or more", None),
        ("doi = {10.1007%2FBFb0091516}", "with a slash, not with %2F", "10.1007/BFb0091516"),
        ('doi = {"10.6084/m9.Fig.2"}', "without quotes", "10.6084/m9.Fig.2"),
        ("doi = {doi:10.1007%2FBFb0091516}", "without a prefix", "10.1007/BFb0091516"),
        ("pmid = {1000006697}", "nine digits at most", None),
    ],
)
def test_what_is_said(field, said, better):
    value = field.rpartition("{")[2].rstrip("}")
    start = len("@misc{a, ") + field.rindex("{") + 1
    [finding] = check(CHECK, f"%% r.bib\n@misc{{a, {field}}}\n{' ' * start}{'^' * len(value)} malformed-identifier\n")
    assert said in finding.message and finding.recorded == better


@pytest.mark.parametrize(
    "field", ["doi = {10.1", "isbn = {978-0", "archiveprefix = {arXiv}, eprint = {17", "pmid = {x"]
)
def test_an_identifier_that_is_being_written_is_not_judged_yet(field):
    check(CHECK, f"%% r.bib\n@misc{{a, {field}\n\n@misc{{b, title = {{B}}}}\n")
