from citelsp.bibliography.entry import fingerprint
from citelsp.features import code_lens
from citelsp.knowledge import Knowledge, Verdict
from fixture_projects import world

FIXTURE = "%% a.tex\n\\cite{a, b}\n%% r.bib\n@misc{a, title = {A}}\n@misc{b, title = {B}}\n@misc{c, title = {C}}\n"


def summary(path, **verdicts):
    project = world(FIXTURE).project
    learnt = {fingerprint(project.find(key)[0].entry): verdict for key, verdict in verdicts.items()}
    return str(code_lens.find(project, Knowledge(verdicts=learnt), path))


def test_counts_in_the_order_of_the_verdicts():
    known = {"c": Verdict("verified", date="2026-01-01"), "a": Verdict("mismatch", date="2026-02-01")}
    assert summary("r.bib", **known) == "1 verified, 1 mismatch, 1 not yet checked (2026-02-01)"
    assert summary("a.tex", **known) == "1 mismatch, 1 not yet checked (2026-02-01)"


def test_nothing_known_yet():
    assert code_lens.find(world(FIXTURE).project, Knowledge(), "r.bib") is None


def test_no_entries_no_line():
    known = Knowledge(verdicts={"elsewhere": Verdict("verified")})
    assert code_lens.find(world("%% a.tex\nx\n").project, known, "a.tex") is None
