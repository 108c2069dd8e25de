"""Dead links: which addresses of an entry are asked about, and what is said and mended."""

import pytest

from citelsp import checks
from citelsp.base.text import apply
from citelsp.checks import dead_link
from citelsp.knowledge import DeadLink, Knowledge, Verdict
from fixture_projects import project_of

COPY = "20200310120000"


def found(fields, *dead, copy=COPY):
    text = f"@misc{{k, {fields}}}\n"
    knowledge = Knowledge(links={it: DeadLink(404, copy) for it in dead})
    return dead_link.CHECK.run(project_of({"r.bib": text}), knowledge), text


@pytest.mark.parametrize(
    ("fields", "address", "written"),
    [
        ("url = {https://a.org/b}", "https://a.org/b", "https://a.org/b"),
        ('url = " https://a.org/b "', "https://a.org/b", "https://a.org/b"),
        (r"url = {https://a.org/b\_c\%20d\#e}", "https://a.org/b_c%20d#e", r"https://a.org/b\_c\%20d\#e"),
        (r"url = {\url{https://a.org/b}}", "https://a.org/b", "https://a.org/b"),
        (r"howpublished = {\url{https://a.org/b}}", "https://a.org/b", "https://a.org/b"),
        (r"note = {See \href{https://a.org/b}{there} in 2020}", "https://a.org/b", "https://a.org/b"),
    ],
)
def test_the_address_is_marked_and_its_copy_linked(fields, address, written):
    [finding], text = found(fields, address)
    assert finding.span.within(text) == written and finding.severity == dead_link.CHECK.severity
    assert finding.message.startswith("The link leads to no page: its server answers 404.")
    [fix] = finding.fixes
    assert fix.safety == "review" and "2020-03-10" in fix.title
    assert apply(text, fix.edits) == text.replace(written, f"https://web.archive.org/web/{COPY}/{written}")


def test_without_a_copy_there_is_no_fix():
    [finding], _ = found("url = {https://a.org/b}", "https://a.org/b", copy="")
    assert not finding.fixes and "Archive" not in finding.message


@pytest.mark.parametrize(
    "fields",
    [
        "url = {https://a.org/other}",
        "title = {https://a.org/b}",
        "url = {https://a.org/b, https://a.org/c}",
        "url = {https://a.org/\n b}",
        r"url = {https://a.org/\~{}b}",
        "note = {https://a.org/b}",
        "url = part # {https://a.org/b}",
    ],
)
def test_what_is_no_such_address_is_passed_over(fields):
    assert not found(fields, "https://a.org/b", "https://a.org/")[0]


def test_a_comment_about_links_is_not_stale_where_nobody_asked():
    text = "% citelsp: ignore[dead-link] moved\n@misc{k, title = {A}, url = {https://a.org/b}}\n"
    project = project_of({"r.bib": text})
    verdicts = {content: Verdict("verified") for _, content in project.contents}
    codes = {it.code for it in checks.run(project, Knowledge(verdicts=verdicts))}
    assert "stale-suppression" not in codes
    dead = Knowledge(verdicts=verdicts, links={"https://a.org/b": DeadLink(404)})
    assert not codes - {it.code for it in checks.run(project, dead)}
    assert "dead-link" not in {it.code for it in checks.run(project, dead)}
