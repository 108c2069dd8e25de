"""What the name of a venue says: its series, whether it is a journal or a conference, of which kind."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from citelsp.base.footprint import MB, remember
from citelsp.bibliography import venue_series
from citelsp.bibliography.fold import fold

_WORKSHOP = re.compile(  # also the symposia that the AAAI holds each season beside its conference
    r"@|\b[Ww]orkshops?\b|\b[Tt]iny [Pp]apers\b|\b(?!WWW)[A-Z]{3,}-?W\b"
    r"|\b(?:[Ss]pring|[Ss]ummer|[Ff]all|[Aa]utumn|[Ww]inter) [Ss]ympos(?:ium|ia)\b"
)
_JOINT = re.compile(  # a workshop that is counted for itself, beside a conference
    r"\bconference\b.*\band (?:the )?(?:\d+(?:st|nd|rd|th)|first|second|third)\b[^,]*\bworkshop\b", re.IGNORECASE
)
_INVERTED = re.compile(  # `Machine Learning, Proceedings of the Tenth International Conference, Amherst`
    r"^([^,]+), (?:proceedings of (?:the )?)?((?:[\w-]+ ){0,3}(?:conference|symposium))\b(?! on\b).*", re.IGNORECASE
)
_FINDINGS = re.compile(r"\bfindings\b", re.IGNORECASE)
_COMPANION = re.compile(
    r"\b(companion|extended abstracts|adjunct|student abstracts?|demonstrations?|demo track)\b", re.IGNORECASE
)
# `2019`, `'19`
_YEAR = re.compile(r"(?<![\s'’])[\s'’]*\b(19|20)?\d\d\b\s*")
# `NeurIPS`, `ICML`, `SIGDIAL`
_ACRONYM = re.compile(r"[A-Z][A-Za-z&/*+-]*[A-Z][A-Za-z]*|[A-Z]{2,}")
_BRACES = str.maketrans("", "", "{}")  # that are printed, as of `\\{SIG\\}dial`


@dataclass(frozen=True, slots=True)
class Venue:
    """What a venue's name says."""

    series: frozenset[str]  # names in venues.toml; several for joint conferences
    words: tuple[str, ...]  # without fill words, years and ordinals
    satellite: str = ""  # "workshop", "findings", "companion"
    gathering: bool = False  # a conference or its proceedings, as far as the name tells
    acronym: str = ""  # the whole name, or one in parentheses


def is_in(venue: Venue, *sections: str) -> bool:
    """True if the name is that of a series of these sections of venues.toml."""
    return any(not venue.series.isdisjoint(venue_series.sections()[section]) for section in sections)


@remember(MB)
def identify(name: str) -> Venue:
    """Read from the name of a venue its series, telling words, acronym, and whether it is a gathering or beside one.

    A satellite is what is held or printed beside a conference: a workshop, its findings, a companion.  TeX must be
    decoded before.
    """
    # `Machine Learning, Proceedings of the Tenth Conference` → `Tenth Conference on Machine Learning`
    name = _INVERTED.sub(r"\2 on \1", name.translate(_BRACES))
    telling = venue_series.significant(name)
    in_brackets = re.findall(r"\(([^()]{2,20})\)", name)
    # `NeurIPS 2017` and `(ICML '20)` are acronyms with a number behind them.
    may_be_acronyms = [_without_year(name), *in_brackets]
    acronyms = [written for written in may_be_acronyms if _ACRONYM.fullmatch(re.sub(r"\W*\d+$", "", written))]
    return Venue(
        series=frozenset(_find_series(name, telling)),
        words=telling,
        satellite=_satellite(name),
        gathering=bool(venue_series.GATHERING.search(fold(name))),
        acronym=acronyms[0] if acronyms else "",
    )


def _satellite(name: str) -> str:
    """Say whether the venue is a part of a conference, "workshop", "findings" or "companion"; "" if it is none."""
    if _WORKSHOP.search(name) and not _JOINT.search(name):
        return "workshop"
    if _FINDINGS.search(name):
        return "findings"
    return "companion" if _COMPANION.search(name) else ""


def _without_year(name: str) -> str:
    return _YEAR.sub(" ", name).strip(" .,:;")


def _find_series(name: str, telling: tuple[str, ...]) -> set[str]:
    """Return the series of venues.toml that a name stands for: several if it is joint or ambiguous, none if unknown.

    `telling` are the words of the name without those that many names have.  A series that has the whole name counts
    before those whose names merely stand within it.
    """
    acronyms, phrases = venue_series.known()  # the series by their folded acronyms, and by the words of their names
    bare = fold(_without_year(name))
    # Some conferences share the words of their names, with each other or a journal: then all count, unless the name
    # is an acronym, which belongs to one.
    sharing = venue_series.of_gathering(name, telling) if bare not in acronyms else ()
    if sharing:
        return set(sharing)
    whole = acronyms.get(bare) or phrases.get(telling)
    if not whole and len(telling) == 1 and len(telling[0]) > 4:  # `Proc. Interspeech`
        whole = acronyms.get(telling[0])
    if whole:
        return {whole}
    if telling and re.fullmatch(r"arxiv\d+", telling[0]):  # `ArXiv14126980 Cs`
        return {"arXiv"}
    within = _named_within(telling, phrases)
    within |= _named_by_acronyms(name, acronyms)
    within |= _named_servers(telling, acronyms)
    if within or "." not in name:
        return within
    # Last, and only of a name with a full stop, as an abbreviation is compared with every known name.
    return _abbreviated(name, telling, phrases)


def _named_within(telling: tuple[str, ...], phrases: Mapping[tuple[str, ...], str]) -> set[str]:
    """Return the series whose names stand within this one; `phrases` are the series by the words of their names.

    A name must be of three words, or be all words of `telling`, if these are two.
    """
    words_of_series: dict[str, set[int]] = {}  # the indices in `telling` of the words that name a series
    fewest = max(2, min(3, len(telling)))
    for start in range(len(telling)):
        # Of the names that begin here, the longest counts.
        for end in range(len(telling), start + fewest - 1, -1):
            series = phrases.get(telling[start:end])
            if series:
                words_of_series[series] = set(range(start, end))
                break
    all_indices = words_of_series.values()
    # The longest name wins: `Machine Learning` is a journal, and part of several conferences.
    return {series for series, indices in words_of_series.items() if not _is_within_another(indices, all_indices)}


def _is_within_another(place: set[int], places: Iterable[set[int]]) -> bool:
    return any(place < other for other in places)


def _named_by_acronyms(name: str, acronyms: Mapping[str, str]) -> set[str]:
    """Return the series whose acronyms, three capitals at least, stand in the name, also as a part between hyphens.

    `ACL-IJCNLP 2021` names two.  `acronyms` are the series by their folded acronyms.
    """
    tokens = re.findall(r"[A-Za-z0-9*&+-]{3,}", name)
    for token in list(tokens):
        if fold(token) not in acronyms:
            tokens += token.split("-")
    named: set[str] = set()
    for token in tokens:
        is_in_capitals = sum(map(str.isupper, token)) >= 3
        if is_in_capitals and fold(token) in acronyms:
            named.add(acronyms[fold(token)])
    return named


def _named_servers(telling: tuple[str, ...], acronyms: Mapping[str, str]) -> set[str]:
    """Servers of preprints, in any case of letters."""
    servers = [word for word in telling if word in ("arxiv", "corr", "ssrn") or word.endswith("rxiv")]
    return {acronyms[server] for server in servers if server in acronyms}


def _abbreviated(name: str, telling: tuple[str, ...], phrases: Mapping[tuple[str, ...], str]) -> set[str]:
    """Return the series that `name` may abbreviate; if it tells of a gathering, the conferences alone, if any."""
    journals = {series for phrase, series in phrases.items() if abbreviates(telling, phrase)}
    if not venue_series.GATHERING.search(fold(name)):
        return journals
    gatherings: set[str] = set()
    for phrase, series in venue_series.gatherings().items():
        if abbreviates(telling, phrase):
            gatherings.update(series)
    return gatherings or journals


_HOSTS = (
    "lecture notes",
    "communications in computer",
    "proceedings series",
    "proceedings of machine learning research",
    "proceedings of the acm on",
    "ifac-papersonline",
    "ifac proceedings volumes",
    "proceedings of science",
    "aip conference proceedings",
    "journal of physics: conference series",
    "iop conference series",
    "web of conferences",
    "procedia",
    "leibniz international proceedings",
)
_JOURNAL = re.compile(
    r"\b(journal|transactions|letters|review|reviews|annals|magazine|bulletin|notices|quarterly|archive|surveys|trans|j|jama)\b"
    r"|^communications (?:of|on)\b"
)
_PERIODICAL = re.compile(  # journals that are called proceedings
    r"""\b(?:foundations\sand\strends|sigmod\srecord|conference\sseries|procedia)\b
    |^proc(?:eedings|\.)?\s(?:of\s)?(?:the\s)?(?:
        (?:ieee|r\.?\ssoc\b.*|natl\.?\sacad\b.*|institution\sof\b.*|institute\sof\b.*|combustion\sinstitute
        |acm\s(?:on|meas\b|hum|interact|program|manag)\b.*|vldb\b.*)$
        |(?:[\w'’.-]+\s){0,6}(?:society|academy|academies|endowment)\b(?!.*\b(?:meeting|conference|symposium|workshop)\b)
    )
    |^pnas\b|^pvldb\b|^pacmpl\b""",
    re.IGNORECASE | re.VERBOSE,
)
# `2019`, `36th`
_DATED = re.compile(r"\b(?:19|20)\d\d\b|\b\d+(?:st|nd|rd|th)\b")


def is_host(name: str) -> bool:
    """True for a series that publishes proceedings of many conferences, and so tells none of them."""
    folded = fold(name)
    return is_in(identify(name), "hosts", "several") or any(it in folded for it in _HOSTS)


def form(name: str) -> Literal["journal", "conference", "workshop", ""]:
    """Say which kind of venue a name shows, by its words, else by its series; "" if it may be anything.

    The known series stand in venues.toml, in sections such as "journals".  A satellite, such as a companion of a
    conference's proceedings, counts as conference, a workshop as workshop.
    """
    venue = identify(name)
    if venue.satellite == "workshop" or (venue.series and is_workshop(venue.series)):
        return "workshop"
    # A journal's proceedings are of no year and have no number; a conference's are.
    are_dated_proceedings = _DATED.search(name) and "roceedings" in name
    if _PERIODICAL.search(name) and not are_dated_proceedings:
        return "journal"
    if _JOURNAL.search(fold(name)) or is_in(venue, "journals", "journals elsewhere"):
        return "journal"
    gathers = venue.gathering or venue.satellite or is_in(venue, "conferences", "conferences elsewhere")
    return "conference" if gathers else ""


def written_out(name: str) -> str:
    """Return the full name of a series that `name` abbreviates, the first that venues.toml lists; any other as it is.

    Names of satellites (a workshop of a conference) and of preprint servers stay as they are, too.  "" instead of a
    name all in small letters: some indexes store names so, and it should not be written to a file.
    """
    venue = identify(name)
    is_abbreviated = "." in name or " " not in name
    is_one_series = len(venue.series) == 1 and not venue.satellite and not is_in(venue, "servers")
    if is_abbreviated and is_one_series:
        [series] = venue.series
        full_names = (other for other in venue_series.names()[series] if " " in other)
        return next(full_names, series)
    is_small = name == name.lower()
    return "" if is_small else name


def is_of_computing(name: str) -> bool:
    """True for a conference or journal that indexes of computer science hold entirely."""
    return is_in(identify(name), "conferences", "journals", "several")


def is_registered(name: str, year: int) -> bool:
    """True for the proceedings of a conference, itself and no workshop beside it, all of whose papers Crossref has."""
    venue = identify(name)
    if venue.satellite or not venue.series:
        return False
    first_years = venue_series.registered_series()
    return all(series in first_years and first_years[series] <= year for series in venue.series)


def is_preprint_server(name: str) -> bool:
    return is_in(identify(name), "servers")


def is_workshop(series: frozenset[str]) -> bool:
    """True for a series that is a workshop itself, so that its acronym alone means no main conference."""
    names = venue_series.names()
    return any(_WORKSHOP.search(name) for one_series in series for name in names[one_series])


def shortens(short: str, word: str, least: int = 3) -> bool:
    """True if `short` abbreviates `word` as ISO 4 has it, or equals it; both without their full stop.

    A word is cut (`comput` of computational), to `least` letters at least, or contracted (`natl` of national), by more
    than one letter.
    """
    if word.startswith(short):
        return len(short) >= least or short == word
    if len(short) < 3 or len(short) >= len(word) - 1 or short[:2] != word[:2]:
        return False
    unmatched = iter(word)
    has_letters_in_order = all(letter in unmatched for letter in short)
    return has_letters_in_order and short[-1] in word[-2:]


def abbreviates(short: tuple[str, ...], full: tuple[str, ...]) -> bool:
    """True if each word in its turn is the other's or its abbreviation: `J. Mach. Learn. Res.`"""
    if len(short) != len(full):
        return False
    return all(word.startswith(cut) or shortens(cut, word) for cut, word in zip(short, full, strict=True))
