"""Whether anything fits a place, how much of it, and why not."""

import pytest

from citelsp.bibliography.record import Record
from citelsp.decision import FITS, Grounds, decide, suggest_chosen
from citelsp.knowledge import Candidate


def works(*chances):
    return [Candidate(Record("corpus", str(at), "A"), it) for at, it in enumerate(chances)]


@pytest.mark.parametrize(
    ("chances", "together"),
    [
        ([0.5, None], 1),
        ([0.5, 0.3], 2),
        ([0.5, 0.05], 1),
        ([0.5, 0.2, 0.05], 2),  # a sixth of what is left
        ([0.3, 0.25, 0.2, 0.15], 3),
        ([1.0, 0.0], 1),
        ([FITS], 1),
    ],
)
def test_what_is_as_likely_as_a_first_would_have_to_be_is_offered_beside_it(chances, together):
    found = decide(works(*chances), Grounds("nothing"))
    assert (found.together, found.abstained, found.reason) == (together, False, "")
    assert len(found.candidates) == len(chances)


@pytest.mark.parametrize(
    ("chances", "grounds", "reason"),
    [
        ([], {}, "nothing"),
        ([FITS - 0.01], {}, "nothing fits, as the nearest work is improbable"),
        ([FITS - 0.01], {"calibrated": False}, ""),
        ([FITS - 0.01], {"calibrated": False, "meets": lambda it: it.record.id == "2"}, "nothing fits, as the nearest"),
        ([0.1, 0.1, 0.1], {"calibrated": False, "meets": lambda it: it.record.id == "2"}, ""),
        ([0.1] * 4, {"calibrated": False, "meets": lambda it: it.record.id == "3"}, "nothing fits, as the nearest"),
        ([None], {}, ""),
        ([None], {"meets": lambda _: False}, "no work found shares enough words with this sentence"),
        ([None], {"meets": lambda _: False, "asked": "“x”"}, "no work found shares enough words with “x”"),
        ([0.2], {"least": 0.3}, "nothing fits, as the nearest"),
    ],
)
def test_why_nothing_fits(chances, grounds, reason):
    found = decide(works(*chances), Grounds("nothing", **grounds))
    assert found.reason.startswith(reason) and found.abstained is bool(reason) is bool(found.reason)


def test_a_search_that_chose_by_itself_may_refuse_and_remark():
    kept = suggest_chosen(works(0.5), "", "both say so", further=True)
    assert (kept.abstained, kept.reason, kept.further) == (False, "both say so", True)
    refused = suggest_chosen(works(0.5), "the model only guesses", "too long", further=False)
    assert (refused.abstained, refused.reason, refused.further) == (True, "the model only guesses; too long", False)
    assert suggest_chosen([], "", "", further=False).abstained
