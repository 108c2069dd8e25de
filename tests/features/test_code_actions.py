from citelsp.base.text import Edit, Span
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.checks import duplicate_entry
from citelsp.checks.finding import Finding, Fix, Related
from citelsp.features import code_actions, preview
from citelsp.features.values import Change, Refused
from citelsp.knowledge import Candidate, Suggestion
from citelsp.workspace import question as questions
from fixture_projects import world

BIB = "%% r.bib\n@misc{a, year = 1999}\n@misc{b, year = 1998}\n"


def edit(start, end, text, path="r.bib"):
    return Edit(path, Span(start, end), text)


def finding(start, end, *fixes, code="wrong-year", related=()):
    return Finding(code, "r.bib", Span(start, end), "…", fixes=fixes, related=related)


def offered(findings, span, fixture=BIB, path="r.bib"):
    return code_actions.actions(world(fixture).project, {}, findings, path, Span(*span))


def at(it):
    path, offset = it.cursor
    return path, Span(offset, offset)


SAFE = Fix("Set the year to 2000", "safe", (edit(16, 20, "2000"),))
REVIEW = Fix("Rewrite", "review", (edit(0, 21, "@misc{c}"),))


def test_fixes_of_the_finding_at_the_cursor():
    here, elsewhere = finding(9, 20, SAFE, REVIEW), finding(31, 42, REVIEW)
    found = offered([here, elsewhere], (12, 12))
    assert [(it.title, it.kind, it.safety, it.preferred) for it in found][:3] == [
        ("Set the year to 2000", "quickfix", "safe", True),
        ("Rewrite", "quickfix", "review", False),
        ("Apply all safe fixes", "source.fixAll.citelsp", "safe", False),
    ]


def test_all_safe_fixes_never_overlap():
    other = Fix("Set the year to 2001", "safe", (edit(18, 20, "01"),))
    third = Fix("Set the year to 2002", "safe", (edit(38, 42, "2002"),))
    edits = code_actions.safe_fixes(
        [finding(9, 20, SAFE), finding(9, 20, other), finding(31, 42, third), finding(31, 42, REVIEW)]
    )
    assert edits == (edit(16, 20, "2000"), edit(38, 42, "2002"))


def test_placeholder_offers_its_candidates():
    fixture = "%% a.tex\nSo \\cite<so|rt>.\n" + BIB
    it = world(fixture)
    question = questions.of(it.project, "a.tex", it.project.placeholder_at(*it.cursor)).key
    record = Record(
        "corpus", "1", "Attention Is All You Need", (Name("Vaswani"), Name("Shazeer"), Name("Parmar")), years=(2017,)
    )
    lists = {question: Suggestion((Candidate(record), Candidate(record, key="a")))}
    first, second = code_actions.actions(it.project, lists, [], *at(it))
    assert first.title.startswith("Cite Vaswani et al. 2017: Attention Is All You Need (adds ")
    assert first.title.endswith(" to r.bib)")
    assert second.title == "Cite Vaswani et al. 2017: Attention Is All You Need (a)"
    assert it.after(second.change) == {"a.tex": "So \\cite{a}.\n"}
    lazy = code_actions.actions(it.project, lists, [], *at(it), lazy=True)
    assert [action.change for action in lazy] == [None, None]
    assert code_actions.resolve(it.project, lists, "a.tex", lazy[0].token) == first.change
    assert isinstance(code_actions.resolve(it.project, {}, "a.tex", lazy[0].token), Refused)


def test_duplicates_can_be_merged():
    duplicate = finding(6, 7, code="duplicate-entry", related=(Related("r.bib", Span(28, 29), "also"),))
    action = offered([duplicate], (6, 6))[0]
    assert (action.title, action.safety) == ("Merge b into a", "review")
    assert world(BIB).after(action.change) == {"r.bib": "@misc{a, year = 1999}\n"}


def test_preview_shows_the_lines_before_and_after():
    project = world(BIB).project
    assert preview.of(project, Change((edit(16, 20, "2000"),))) == (
        "@@ r.bib:1\n-@misc{a, year = 1999}\n+@misc{a, year = 2000}\n @misc{b, year = 1998}\n"
    )


def test_nothing_without_findings_or_placeholders():
    assert offered([], (3, 3), fixture="%% a.tex\nSo \\cite{a}.\n" + BIB, path="a.tex") == []


def test_bibliographies_can_be_laid_out_and_sorted():
    it = world("%% r.bib\n@misc{b|,title={B}}\n\n@misc{a,title={A}}\n")
    layout, order = code_actions.actions(it.project, {}, [], *at(it))
    assert (layout.kind, order.kind) == ("source.citelsp.format", "source.citelsp.sort")
    assert it.after(order.change) == {"r.bib": "@misc{a,title={A}}\n\n@misc{b,title={B}}\n"}
    lazy = code_actions.actions(it.project, {}, [], *at(it), lazy=True)
    changes = [code_actions.resolve(it.project, {}, "r.bib", action.token) for action in lazy]
    assert changes == [layout.change, order.change]


def test_the_check_of_duplicates_leads_to_a_merge():
    entry = "@misc{{{}, title = {{A Title Long Enough to Name a Work}}, author = {{Doe, Jane}}, year = 2001{}}}\n"
    it = world("%% r.bib\n" + entry.format("a", ", doi = {10.1/a}") + entry.format("b|", ""))
    findings = duplicate_entry.check(it.project, {})
    action = code_actions.actions(it.project, {}, findings, *at(it))[0]
    assert action.title == "Merge b into a"
    assert it.after(action.change) == {"r.bib": entry.format("a", ", doi = {10.1/a}")}


def test_what_rewrites_no_value_is_safe_and_what_cites_a_work_is_looked_at():
    it = world("%% a.tex\nSo \\cite<so|rt>.\n%% r.bib\n@misc{b,year=1998}\n@misc{a,\nyear = 1999}\n")
    question = questions.of(it.project, "a.tex", it.project.placeholder_at(*it.cursor)).key
    works = tuple(Candidate(Record("corpus", str(number), f"Work {number}")) for number in range(2))
    lists = {question: Suggestion(works)}
    cited = code_actions.actions(it.project, lists, [], *at(it))
    assert {action.safety for action in cited} == {"review"}
    tidied = code_actions.actions(it.project, {}, [], "r.bib", Span(0, 0))
    assert tidied and {action.safety for action in tidied} == {"safe"}
