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
    question = questions.placeholder_question(it.project, "a.tex", it.project.placeholder_at(*it.cursor)).key
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
    duplicate = finding(28, 29, code="duplicate-entry", related=(Related("r.bib", Span(6, 7), "also"),))
    action = offered([duplicate], (28, 28))[0]
    assert (action.title, action.kind, action.safety) == ("Merge b into a", "quickfix", "review")
    assert action.findings == (duplicate,)
    assert world(BIB).after(action.change) == {"r.bib": "@misc{a, year = 1999}\n"}


def test_preview_shows_the_lines_before_and_after():
    project = world(BIB).project
    assert preview.preview_change(project, Change((edit(16, 20, "2000"),))) == (
        "@@ r.bib:1\n-@misc{a, year = 1999}\n+@misc{a, year = 2000}\n @misc{b, year = 1998}\n"
    )
    edits = edit(38, 42, "2001"), edit(16, 20, "2000")
    shown = preview.preview_change(project, Change(edits))
    assert [it for it in shown.splitlines() if it[0] == "+"] == ["+@misc{a, year = 2000}", "+@misc{b, year = 2001}"]


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
    question = questions.placeholder_question(it.project, "a.tex", it.project.placeholder_at(*it.cursor)).key
    works = tuple(Candidate(Record("corpus", str(number), f"Work {number}")) for number in range(2))
    lists = {question: Suggestion(works)}
    cited = code_actions.actions(it.project, lists, [], *at(it))
    assert {action.safety for action in cited} == {"review"}
    tidied = code_actions.actions(it.project, {}, [], "r.bib", Span(0, 0))
    assert tidied and {action.safety for action in tidied} == {"safe"}


def offers(*works, fixture="%% a.tex\nSo \\cite<so|rt>.\n", **more):
    it = world(fixture + BIB)
    question = questions.placeholder_question(it.project, "a.tex", it.project.placeholder_at(*it.cursor)).key
    return it, {question: Suggestion(works, **more)}


LONG = "A very long title of a work on sorting things that nobody would ever want to read in full"
WORKS = [Candidate(Record("corpus", f"{it}", f"Kind {it} of {LONG}")) for it in range(7)]


def test_works_are_offered_by_their_names_up_to_five():
    it, lists = offers(*WORKS)
    titles = [it.title for it in code_actions.actions(it.project, lists, [], *at(it), lazy=True)]
    assert titles == [f"Cite Kind {it} of A very long title of a work on sorting things…" for it in range(5)]


def test_works_that_fit_together_are_named_by_authors_or_short_titles():
    known = Candidate(Record("corpus", "8", "Sorts", (Name("Lee"),), years=(2001,)))
    it, lists = offers(WORKS[0], known, together=2)
    _, _, first, *_ = code_actions.actions(it.project, lists, [], *at(it))
    assert first.title.startswith("Cite 2 works together: Kind 0 of A very…; Lee 2001 (kind0,lee2001sorts)")
    assert (first.kind, first.preferred, first.findings) == ("quickfix", False, ())
    assert code_actions.read_citing_action(first) == (8, ["corpus:0", "corpus:8"])
    change = code_actions.resolve(it.project, lists, "a.tex", first.token)
    assert change == first.change and len(it.after(change)) == 2


def test_what_a_lazy_action_meant_may_be_gone():
    it, lists = offers(*WORKS)
    token = code_actions.actions(it.project, lists, [], *at(it), lazy=True)[0].token
    other = world("%% a.tex\nSo nothing is cited here.\n" + BIB).project
    assert code_actions.resolve(other, lists, "a.tex", token) == Refused("The placeholder has changed.")
    stale = "The list of works has changed. Trigger completion at the placeholder again."
    assert code_actions.resolve(it.project, {}, "a.tex", token) == Refused(stale)
    gone = token.replace('"0"', '"99"')
    assert code_actions.resolve(it.project, lists, "a.tex", gone) == Refused(stale)
    assert code_actions.resolve(it.project, lists, "a.tex", '["fly"]') == Refused("Unknown action.")
    assert code_actions.read_citing_action(offered([], (0, 0))[0]) is None


def test_a_fix_asked_for_twice_is_made_once_in_every_document():
    one, other = edit(16, 20, "2000"), edit(3, 3, "x", "a.tex")
    fixes = [finding(9, 20, Fix("x", "safe", it)) for it in ((one,), (one, other), (edit(20, 20, "!"),), ())]
    assert code_actions.safe_fixes(fixes) == (one, other)
    alone = [finding(9, 20, Fix("x", "safe", it)) for it in ((edit(16, 18, "20"),), (edit(18, 20, "00"),))]
    assert code_actions.safe_fixes(alone) == (edit(16, 18, "20"), edit(18, 20, "00"))
    mended = offered([finding(9, 20, REVIEW), finding(9, 20, SAFE)], (12, 12))
    every = next(it for it in mended if it.kind == "source.fixAll.citelsp")
    assert every.findings == (finding(9, 20, SAFE),) and every.change == Change((one,))


def test_duplicates_are_merged_whatever_else_is_found_there():
    duplicate = finding(28, 29, code="duplicate-entry", related=(Related("r.bib", Span(6, 7), "also"),))
    titles = [it.title for it in offered([finding(28, 29, REVIEW), duplicate], (28, 28))]
    assert titles[:2] == ["Rewrite", "Merge b into a"]


def test_of_duplicates_that_are_worth_the_same_the_one_written_first_stays():
    entry = "@misc{{{}, title = {{A Title Long Enough to Name a Work}}, author = {{Doe, Jane}}, year = 2001}}\n"
    it = world("%% r.bib\n" + entry.format("old") + entry.format("new|"))
    action = code_actions.actions(it.project, {}, duplicate_entry.check(it.project, {}), *at(it))[0]
    assert action.title == "Merge new into old"


def test_copies_of_one_key_and_several_duplicates_are_merged():
    bib = "%% r.bib\n@misc{a, year = 1999}\n@misc{b, year = 1998}\n@misc{c}\n"
    related = tuple(Related("r.bib", Span(it, it + 1), "also") for it in (6, 28))
    titles = [it.title for it in offered([finding(50, 51, code="duplicate-entry", related=related)], (50, 50), bib)]
    assert titles[0] == "Merge b, c into a"
    copies = "%% r.bib\n@misc{a, year = 1999}\n@misc{a, year = 1998}\n"
    found = offered([finding(28, 29, code="duplicate-entry", related=related[:1])], (28, 28), copies)
    assert found[0].title == "Merge the copies into a"
    assert not any("Merge" in it.title for it in offered([finding(6, 7, code="duplicate-entry")], (6, 6)))


def test_nothing_is_tidied_where_nothing_can_be_or_has_to_be():
    assert [it.title for it in offered([], (0, 0), "%% r.bib\n@misc{a}\n@misc{b}\n")] == []
    tidy = ["Format entries", "Sort entries by key"]
    assert [it.title for it in offered([], (0, 0), "%% r.bib\n@misc{b,t={1}}\n@misc{a}\n")] == tidy
    read_only = world("%% r.bib\n@misc{b,t={1}}\n@misc{a}\n", read_only=("r.bib",)).project
    assert code_actions.actions(read_only, {}, [], "r.bib", Span(0, 0)) == []
    many = "%% r.bib\n" + "".join(f"@misc{{k{9999 - it},t={{1}}}}\n" for it in range(1001))
    project = world(many).project
    assert code_actions.actions(project, {}, [], "r.bib", Span(0, 0)) == []
    lazy = code_actions.actions(project, {}, [], "r.bib", Span(0, 0), lazy=True)
    assert [it.title for it in lazy] == tidy
