"""*Ignore this finding here*: after it the finding is silenced, and nothing else is changed."""

import pytest

from citelsp import checks
from citelsp.base.text import Span
from citelsp.features import code_actions
from citelsp.knowledge import Knowledge
from fixture_projects import project_of, world

REFS = "%% r.bib\n@misc{a, title = {T}, howpublished = {H}, year = 2000}\n"
COMMENT = "citelsp: ignore[undefined-citation]"


def after(fixture, title="Ignore this finding here"):
    """The text of the document at the cursor after the action, in which the finding is no longer reported."""
    it = world(fixture)
    path, offset = it.cursor
    findings = checks.run(it.project, Knowledge())
    offered = code_actions.actions(it.project, {}, findings, path, Span(offset, offset))
    [action] = [found for found in offered if found.title == title]
    [finding] = action.findings
    texts = it.marked.files | it.after(action.change)
    left = checks.run(project_of(texts), Knowledge())
    assert (path, finding.code, finding.key) not in {(found.path, found.code, found.key) for found in left}
    assert not any(found.code == "stale-suppression" and finding.code in found.message for found in left)
    return texts[path]


@pytest.mark.parametrize(
    ("name", "line", "expected"),
    [
        ("a.tex", "So \\cite{no|ne}, they say", "So \\cite{none}, they say % COMMENT"),
        ("a.tex", "So \\cite{no|ne}% here", "So \\cite{none}% here % COMMENT"),
        ("a.md", "So [@no|ne], they say", "So [@none], they say <!-- COMMENT -->"),
        (
            "a.typ",
            '#bibliography("r.bib")\nSo @no|ne, they say',
            '#bibliography("r.bib")\nSo @none, they say // COMMENT',
        ),
        ("a.org", "  So [cite:@no|ne], they say", "  So [cite:@none], they say @@comment: COMMENT@@"),
        ("a.org", "* [cite:@no|ne], they say :tag:", "* [cite:@none] @@comment: COMMENT@@, they say :tag:"),
        ("a.org", "So [cite:@no|ne;\n@a]", "So @@comment: COMMENT@@ [cite:@none;\n@a]"),
        ("a.org", "#+latex: So \\cite{no|ne}", "@@comment: COMMENT@@\n#+latex: So \\cite{none}"),
        ("a.md", "# [@no|ne] says {#so}", "# [@none] <!-- COMMENT --> says {#so}"),
        ("a.md", "* [@no|ne] says", "* [@none] <!-- COMMENT --> says"),
    ],
)
def test_the_comment_stands_where_the_language_reads_it(name, line, expected):
    found = after(f"%% {name}\n{line}\nand more of it\n{REFS}")
    assert found == f"{expected.replace('COMMENT', COMMENT)}\nand more of it\n"


def test_above_an_entry_as_nothing_inside_it_is_a_comment():
    entry = "  @article{b|,\n    title = {T},\n    year = 2000,\n  }\n"
    found = after(f"%% a.tex\n\\cite{{b}}\n%% r.bib\n@misc{{a, title = {{T2}}}}\n\n{entry}")
    assert "\n\n  % citelsp: ignore[missing-field]\n  @article{b,\n" in found


def test_a_comment_that_is_there_gets_the_code_too():
    found = after("%% a.tex\nSo \\cite{no|ne} % citelsp: ignore[missing-field] for good\n" + REFS)
    assert found == "So \\cite{none} % citelsp: ignore[missing-field, undefined-citation] for good\n"


def test_nothing_is_offered_where_no_comment_can_stand():
    it = world("%% a.md\n---\nbibliography: no|ne.bib\n---\n\nSo.\n")
    path, offset = it.cursor
    findings = checks.run(it.project, Knowledge())
    offered = code_actions.actions(it.project, {}, findings, path, Span(offset, offset))
    assert not [found for found in offered if found.title.startswith("Ignore")]
