"""Aggregators make one record of all printings of a work: which place is its own, and which are named beside."""

from citelsp.sources import openalex, semantic_scholar


def located(*sources):
    return [{"source": {"display_name": name, "type": kind}} for name, kind in sources]


def test_openalex_lists_the_printings_of_a_work():
    conference = ("Neural Information Processing Systems", "conference")
    printed = [("Communications of the ACM", "journal"), ("arXiv", "repository"), conference, ("CACM", "journal")]
    record = openalex.read_record({"title": "A", "locations": located(*printed)})
    assert (record.venue, record.also_in) == ("Communications of the ACM", (conference[0],))
    assert openalex.read_record({"title": "A", "locations": located(*printed[1:3])}).also_in == ()


def test_semantic_scholar_makes_one_of_two_printings():
    paper = {
        "title": "A",
        "publicationVenue": {"name": "Neural Information Processing Systems"},
        "journal": {"name": "Communications of the ACM", "volume": "60", "pages": "84-90"},
    }
    record = semantic_scholar.read_record(paper)
    assert (record.venue, record.also_in) == ("Neural Information Processing Systems", ("Communications of the ACM",))
    assert (record.venue_aliases, record.volume, record.pages) == ((), "", "")
