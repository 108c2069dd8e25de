"""The title of an entry compared with the record's."""

from citelsp.bibliography import record_quality, titles
from citelsp.bibliography.comparison.outcome import Outcome
from citelsp.bibliography.fold import bare_letters
from citelsp.bibliography.names import Name

LONGEST_TITLE = 1000  # characters that are looked at


def compare_titles(cited: str, recorded: str, *, same_people: bool) -> Outcome:
    """Compare titles; if the authors are the same, even a very short one may lack the subtitle: `GIAnT`.

    "looser" is a title less exact and not wrong.  A translation, or a title that broke on its way to the record, is
    "unknown".  `same_people`: the authors are the same.
    """
    outcome = titles.compare(cited, recorded)
    if outcome != "different":
        return outcome
    cited_main = titles.key(titles.parts(cited)[0])
    recorded_main = titles.key(titles.parts(recorded)[0])
    one_lacks_subtitle = cited_main == recorded_main and cited_main in (titles.key(cited), titles.key(recorded))
    if same_people and one_lacks_subtitle:
        return "looser"
    if titles.are_translations(cited, recorded) or not record_quality.is_whole_title(recorded):
        return "unknown"
    return outcome


def begins_with_house(cited: str, recorded: str, people: tuple[Name, ...]) -> bool:
    """True if a house that is the only author stands before the title on record, where its people may be listed."""
    is_house = len(people) == 1 and not people[0].given
    house = bare_letters(people[0].family) if is_house else ""
    return len(house) >= 3 and house + bare_letters(cited) == bare_letters(recorded)
