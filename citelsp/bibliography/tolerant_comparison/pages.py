"""The pages of an entry compared with the record's."""

import re
from itertools import groupby

from citelsp.bibliography import venues
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.record import Record
from citelsp.bibliography.tolerant_comparison.outcome import Outcome

_WITH_OPEN_EDITION = frozenset({"CVPR", "ICCV", "WACV"})  # of their own, which counts its pages in another order
_MOST_FRONT_MATTER = 60  # pages by which two editions of one volume may differ; else it is another paper


def compare_pages(entry: Entry, record: Record, venue: Outcome) -> Outcome:
    """Compare the pages of an entry and a record; `venue` is how their venues compare.

    Pages that differ may be one work's, and are "looser" then.  An article has pages from 1 on until it is printed: on
    the side that has these there is no volume.  Two editions of one volume of proceedings, such as the conference's and
    the publisher's, count the same pages from different places; an open edition may have another order.
    """
    outcome = compare_written_pages(entry.text("pages"), record.pages)
    if outcome != "different":
        return outcome
    cited = _read_range(entry.text("pages"))
    recorded = _read_range(record.pages)
    # The papers of a conference never have such pages.
    is_early_on_record = recorded[:1] == ["1"] and not record.volume and record.type != "paper-conference"
    is_early_in_entry = cited[:1] == ["1"] and not entry.text("volume")
    if entry.kind == "article" and (is_early_on_record or is_early_in_entry):
        return "looser"
    # `13` for article 579: ACM's own BibTeX gives the number of pages beside it.
    may_be_number_of_pages = len(cited) == 1 and re.fullmatch(r"\d{1,2}", cited[0])
    if len(recorded) == 1 and may_be_number_of_pages:
        return "looser"
    if venue != "same" or entry.kind == "article":
        return outcome
    are_ranges = len(cited) == len(recorded) == 2
    if not are_ranges or not all(map(str.isdigit, (*cited, *recorded))):
        return outcome
    first_shift = int(cited[0]) - int(recorded[0])
    last_shift = int(cited[1]) - int(recorded[1])
    has_open_edition = not _WITH_OPEN_EDITION.isdisjoint(venues.identify(record.venue).series)
    if first_shift == last_shift and (has_open_edition or abs(first_shift) <= _MOST_FRONT_MATTER):
        return "looser"
    return outcome


def compare_written_pages(cited: str, recorded: str) -> Outcome:
    """Compare pages as they are written; "unknown" if one side has none.

    Understood are any dash, shortened ends (`123-30`), first pages alone, article numbers (`e12`, `12:1-12:20`).  Pages
    are "looser", not wrong, if one side gives less of them, or counts them in another way.
    """
    left = _read_range(cited)
    right = _read_range(recorded)
    if not left or not right:
        return "unknown"
    if left == right:
        return "same"
    if left[0] == right[0]:
        # A first page alone; or `12-19; discussion 20`, of which sources give the first part or the whole.
        if len(left) == 1 or len(right) == 1 or _is_interrupted(cited) or _is_interrupted(recorded):
            return "looser"
        return _compare_ends(left[1], right[1])
    # `1-9`, as before an article got its place in print, and `436-444`.
    if _is_early(left, right) or _is_early(right, left):
        return "looser"
    if _drop_letters(left) == _drop_letters(right):  # `e12` and `12`
        return "looser"
    # One page in common, or the number of an article beside its pages.
    if set(left) & set(right) or _is_article_number(left) != _is_article_number(right):
        return "looser"
    if len(left) == len(right) == 1 and _is_long(left[0]) != _is_long(right[0]):  # `107031A` and `42`
        return "looser"
    return "different"


def begin_together(cited: str, recorded: str) -> bool:
    """True if both begin on one page, or are one article's number; some leave out the letter before it: `L9`, `A16`."""
    first = _read_range(cited)[:1]
    recorded_first = _read_range(recorded)[:1]
    if not first or not recorded_first:
        return False
    return first == recorded_first or _drop_letters(first) == _drop_letters(recorded_first)


def _compare_ends(cited: str, recorded: str) -> Outcome:
    """Compare last pages, which may be shortened (`123-30`); some count a blank last page, others do not."""
    if cited.isdigit() and recorded.isdigit() and abs(int(cited) - int(recorded)) == 1:
        return "looser"
    return "same" if cited.endswith(recorded) or recorded.endswith(cited) else "different"


def _is_interrupted(text: str) -> bool:
    """`123-125, 130`, `12-19; discussion 20`: sources give the first part or the whole."""
    return re.search(r"\d[a-z]?\s*[,;+]\s*(?:[a-z]+\s*)?\d", text, re.IGNORECASE) is not None


def _drop_letters(pages: list[str]) -> list[str]:
    """Drop the letters before pages, which many leave out: `e12`, `S103-S115`; leave of `12:1-12:30` the article."""
    bare = [page.lstrip("abcdefghijklmnopqrstuvwxyz0") for page in pages]
    articles = {page.partition(":")[0] for page in bare if ":" in page}
    return list(articles) if len(articles) == 1 else bare


def _is_early(online: list[str], printed: list[str]) -> bool:
    """True for pages counted from 1, as before an article got its place in print: about as many as there."""
    are_ranges = len(online) == len(printed) == 2
    if not are_ranges or online[0] != "1" or not all(map(str.isdigit, (*online, *printed))):
        return False
    printed_count = int(printed[1]) - int(printed[0]) + 1
    return abs(printed_count - int(online[1])) <= 2


def _read_range(text: str) -> list[str]:
    """Return first and last page, one alone if there is no range; `12.1` as `12:1`.

    Without volume and issue before them and pages of a supplement behind.
    """
    bare = re.sub(r"^\s*\d+\s*\(\d+\)\s*[,:]\s*|\.e\d+\b", "", text.lower())
    numbers = re.findall(r"[a-z]{0,2}\d+(?:[a-z]{2}\d+)?(?:[:.]\d+)*", bare)
    # An article, whose number may hold letters: `283rv3-283rv3`; and what some programs export, `759-759-771-771`.
    numbers = [number for number, _ in groupby(numbers)]
    return [number.lstrip("0").replace(".", ":") for number in numbers[:2] if number.strip("0")]


def _is_long(number: str) -> bool:
    """True for the whole number of an article, `107031A`; others have only its number within the volume, `42`."""
    return len(number) >= 5


def _is_article_number(pages: list[str]) -> bool:
    return len(pages) == 1 or ":" in pages[0]
