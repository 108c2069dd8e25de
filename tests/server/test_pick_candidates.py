"""What editors' own lists of works are told of each."""

from citelsp.bibliography.record import Name, Record, Update
from citelsp.features import complete_placeholder
from citelsp.knowledge import Candidate, Suggestion
from citelsp.server.answers import pick_candidates
from fixture_projects import world

RECORD = Record("crossref", "1", "On Growth and Form", (Name("Thompson"),), years=(1917,))
RETRACTED = Record(
    "crossref", "2", "On Form", (Name("Doe"),), years=(1918,), updates=(Update("retraction", "crossref"),)
)


def test_a_work_that_should_not_be_cited_says_why_and_is_not_cited_together_with_others():
    it = world("%% a.tex\n\\cite<|>\n\\bibliography{r}\n%% r.bib\n@misc{a, title = {A}}\n")
    path, offset = it.cursor
    place = it.project.placeholder_at(path, offset)

    def offer(*records):
        candidates = tuple(Candidate(record, 0.9, ("corpus",)) for record in records)
        suggestion = Suggestion(candidates, together=len(candidates))
        return complete_placeholder.offers(it.project, path, place, offset, suggestion)

    found = offer(RECORD, RETRACTED)
    against = [pick_candidates.work(item)["against"] for item in found.items]
    assert against == ["", "This work was retracted or withdrawn"]
    assert found.joint is None
    assert offer(RECORD, Record("crossref", "3", "On Growth", (Name("Roe"),), years=(1919,))).joint is not None
