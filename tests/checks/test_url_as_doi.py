import pytest

from citelsp.checks import malformed_identifier
from citelsp.checks.url_as_doi import CHECK
from finding_fixtures import check, fixed


@pytest.mark.parametrize(
    ("written", "better", "safety"),
    [
        ("https://doi.org/10.1016/0041-5553(67)90144-9", "10.1016/0041-5553(67)90144-9", "safe"),
        ("http://dx.doi.org/10.1000/ABC", "10.1000/ABC", "safe"),
        ("http://doi.acm.org/10.1145/ABC", "10.1145/ABC", "review"),
        ("doi.org/10.1000/a\\_b", "10.1000/a_b", "safe"),
        ("https://doi.org/10.1000%2Fabc", "10.1000/abc", "safe"),
    ],
)
def test_an_address_with_a_doi_in_it(written, better, safety):
    fixture = f"%% r.bib\n@misc{{a, doi = {{{written}}}}}\n                {'^' * len(written)} url-as-doi\n"
    [finding] = check(CHECK, fixture)
    assert finding.severity == "warning"
    assert [it.safety for it in finding.fixes] == [safety]
    assert f"doi = {{{better}}}}}" in fixed(fixture, finding, f"Write {better}")


@pytest.mark.parametrize(("style", "marked"), [("ieeetr", False), ("plainnat", True), ("unknown", True)])
def test_a_style_that_prints_no_doi_spoils_none(style, marked):
    head = f"%% m.tex\n\\documentclass{{x}}\\bibliographystyle{{{style}}}\\bibliography{{r}}\\nocite{{*}}\n%% r.bib\n"
    entry = "@article{a, title = {T}, doi = {https://doi.org/10.1000/a}}\n"
    check(CHECK, head + entry + (f"{' ' * 32}{'^' * 25} url-as-doi\n" if marked else ""))


def test_an_address_without_one():
    [finding] = check(
        CHECK,
        """
        %% r.bib
        @misc{a, doi = {https://example.org/paper}}
                        ^^^^^^^^^^^^^^^^^^^^^^^^^ url-as-doi
        """,
    )
    assert not finding.fixes


def test_what_styles_can_use():
    fixture = """
        %% r.bib
        @misc{a, doi = {10.1000/abc}, url = {https://doi.org/10.1000/abc}}
        @misc{b, doi = {DOI: 10.1000/abd}}
        @misc{c, doi = {10.1000/www.doi.org}}
    """
    check(CHECK, fixture)


def test_it_is_said_once():
    check(malformed_identifier.CHECK, "%% r.bib\n@misc{a, doi = {https://doi.org/10.1000/abc}}\n")
