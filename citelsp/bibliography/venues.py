"""Venues compared: one conference or journal has many names, and many names are nearly another's.

`compare` says "different" only if both sides name something that is recognisably not the same: two known series, or
names that share too few words even when abbreviations (ISO 4), acronyms, ordinals, years and places are allowed for.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from citelsp.base.footprint import MB, remember
from citelsp.bibliography import venue_series
from citelsp.bibliography.fold import fold, words

Outcome = Literal["same", "looser", "preprint", "different", "unknown"]
# looser: the same series less exactly (Findings or a companion volume for the main volume)
# preprint: one side names a preprint server, the other does not

_RUSSIAN = frozenset("akad dokl eksp fiz izv nauk prikl teor uspekhi vestnik zh zhurnal".split())
_ORGANISERS = frozenset(
    "usenix aaai siam acl sigplan sigact sigops sigarch sigcomm sigmod sigsac sigkdd sigir sigmobile sigsoft cvf"
    " symposium meeting congress workshop forum computer society".split()
)
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
_UNDER_TITLE = re.compile(r"\s[-–—]\s[^,]*\bworkshop,.*", re.IGNORECASE)  # of what, the title before it tells
_FINDINGS = re.compile(r"\bfindings\b", re.IGNORECASE)
_COMPANION = re.compile(
    r"\b(companion|extended abstracts|adjunct|student abstracts?|demonstrations?|demo track)\b", re.IGNORECASE
)
# `2019`, `'19`
_YEAR = re.compile(r"(?<![\s'’])[\s'’]*\b(19|20)?\d\d\b\s*")
# `NeurIPS`, `ICML`, `SIGDIAL`
_ACRONYM = re.compile(r"[A-Z][A-Za-z&/*+-]*[A-Z][A-Za-z]*|[A-Z]{2,}")
_BRACES = str.maketrans("", "", "{}")  # that are printed, as of `\\{SIG\\}dial`
_LEAST_SHARE = 0.6  # of the longer name: with a smaller part in common two names differ
_MOST_WORDS = 60  # that tell; a text with more is no venue's name, and comparing it would take long
_ACRONYM_LETTERS = 5  # a single word of so many may be an acronym, as `tacl`


@dataclass(frozen=True, slots=True)
class Venue:
    """What a venue's name says."""

    series: frozenset[str]  # names in venues.toml; several for joint conferences
    words: tuple[str, ...]  # without fill words, years and ordinals
    satellite: str = ""  # "workshop", "findings", "companion"
    gathering: bool = False  # a conference or its proceedings, as far as the name tells
    acronym: str = ""  # the whole name, or one in parentheses


def _is_in(venue: Venue, *sections: str) -> bool:
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
    journals = {series for phrase, series in phrases.items() if _abbreviates(telling, phrase)}
    if not venue_series.GATHERING.search(fold(name)):
        return journals
    gatherings: set[str] = set()
    for phrase, series in venue_series.gatherings().items():
        if _abbreviates(telling, phrase):
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
    return _is_in(identify(name), "hosts", "several") or any(it in folded for it in _HOSTS)


def form(name: str) -> Literal["journal", "conference", "workshop", ""]:
    """Say which kind of venue a name shows, by its words, else by its series; "" if it may be anything.

    The known series stand in venues.toml, in sections such as "journals".  A satellite, such as a companion of a
    conference's proceedings, counts as conference, a workshop as workshop.
    """
    venue = identify(name)
    if venue.satellite == "workshop" or (venue.series and _is_workshop(venue.series)):
        return "workshop"
    # A journal's proceedings are of no year and have no number; a conference's are.
    are_dated_proceedings = _DATED.search(name) and "roceedings" in name
    if _PERIODICAL.search(name) and not are_dated_proceedings:
        return "journal"
    if _JOURNAL.search(fold(name)) or _is_in(venue, "journals", "journals elsewhere"):
        return "journal"
    gathers = venue.gathering or venue.satellite or _is_in(venue, "conferences", "conferences elsewhere")
    return "conference" if gathers else ""


def written_out(name: str) -> str:
    """Return the full name of a series that `name` abbreviates, the first that venues.toml lists; any other as it is.

    Names of satellites (a workshop of a conference) and of preprint servers stay as they are, too.  "" instead of a
    name all in small letters: some indexes store names so, and it should not be written to a file.
    """
    venue = identify(name)
    is_abbreviated = "." in name or " " not in name
    is_one_series = len(venue.series) == 1 and not venue.satellite and not _is_in(venue, "servers")
    if is_abbreviated and is_one_series:
        [series] = venue.series
        full_names = (other for other in venue_series.names()[series] if " " in other)
        return next(full_names, series)
    is_small = name == name.lower()
    return "" if is_small else name


def is_of_computing(name: str) -> bool:
    """True for a conference or journal that indexes of computer science hold entirely."""
    return _is_in(identify(name), "conferences", "journals", "several")


def is_registered(name: str, year: int) -> bool:
    """True for the proceedings of a conference, itself and no workshop beside it, all of whose papers Crossref has."""
    venue = identify(name)
    if venue.satellite or not venue.series:
        return False
    first_years = venue_series.registered_series()
    return all(series in first_years and first_years[series] <= year for series in venue.series)


def is_preprint_server(name: str) -> bool:
    return _is_in(identify(name), "servers")


def compare(cited: str, recorded: Iterable[str]) -> Outcome:
    """Compare the cited name with each recorded one; the friendliest answer counts, and "unknown" if there is none."""
    outcomes = {_named_alike(cited, name) for name in recorded if name} if cited else set()
    friendliest_first: tuple[Outcome, ...] = ("same", "looser", "unknown", "preprint", "different")
    return next((outcome for outcome in friendliest_first if outcome in outcomes), "unknown")


def _named_alike(cited: str, recorded: str) -> Outcome:
    """Compare two names of venues as they are written; "unknown" if neither likeness nor contradiction is proved.

    If the whole names do not agree, their main parts may: `Science` and `Science (New York, N.Y.)`.
    """
    if "\ufffd" in recorded:  # Unicode's sign for a letter that was lost on the way, here of one or two characters
        pattern = ".{1,2}".join(map(re.escape, recorded.split("\ufffd")))
        return "same" if re.fullmatch(pattern, cited, re.IGNORECASE) else "unknown"

    outcome = _compare(identify(cited), identify(recorded))
    # Springer records LNCS, authors cite the conference: a series of proceedings contradicts no volume in it.
    if outcome == "different" and is_host(cited) != is_host(recorded):
        return "unknown"
    if outcome not in ("different", "unknown"):
        return outcome

    main_cited = _main(cited)
    main_recorded = _main(recorded)
    if words(main_cited) and words(main_cited) == words(main_recorded):
        return "same"
    is_shortened = (main_cited, main_recorded) != (cited, recorded)
    if is_shortened and _is_same(identify(main_cited), identify(main_recorded)):
        return "same"
    if are_original_and_translation(cited, recorded):
        return "unknown"
    return outcome


def are_original_and_translation(one: str, other: str) -> bool:
    """True for a Russian journal and its translation, which has a name, volumes and pages of its own."""
    if not one or not other:
        return False
    return _RUSSIAN.isdisjoint(words(one)) != _RUSSIAN.isdisjoint(words(other))


def _main(name: str) -> str:
    """Return the name without subtitle and place: `Econometrica: Journal of the …`, `Science (New York, N.Y.)`.

    What is held or printed beside a conference keeps these, as they may be all that tells it from others.  Only what
    says behind a dash that it is a workshop goes, with its acronym and place, if the title before it tells one from
    others: `Agents and Robots` of `Agents and Robots - 2nd International Workshop, AR 2020, Rome`.
    """
    if identify(name).satellite:
        title = _UNDER_TITLE.sub("", name)
        # `AR`, or another meeting's name, as `Conference on Robots`, may have had several workshops.
        tells_too_little = len(words(title)) < 3 or venue_series.GATHERING.search(fold(title))
        return name if tells_too_little else title
    without_brackets = re.sub(r"\s*\([^()]*\)", "", name)
    main, *_ = re.split(r"[:;]|\s[-–—]\s", without_brackets)  # up to a colon, a semicolon or a dash
    return main or name


def _is_same(cited: Venue, recorded: Venue) -> bool:
    return bool(cited.words or cited.series) and _compare(cited, recorded) == "same"


def _compare(cited: Venue, recorded: Venue) -> Outcome:
    """Compare two venues by what their names say: by series if both are known, else by abbreviation, acronym and words.

    "preprint" if only one is a preprint server; "unknown" if one says nothing.
    """
    if not (cited.words or cited.series) or not (recorded.words or recorded.series):
        return "unknown"
    if _is_in(cited, "servers") != _is_in(recorded, "servers"):
        return "preprint"
    if cited.series and recorded.series:
        return _compare_series(cited, recorded)
    if cited.words == recorded.words:
        return "same"
    # By cut words (`Phys. Rev.`), initials or an acronym.
    if _is_short_for(cited, recorded) or _is_short_for(recorded, cited):
        return "same"
    one_is_known = bool(cited.series) != bool(recorded.series)
    if cited.acronym and recorded.acronym and one_is_known:
        # An unknown acronym that nearly is the known one's is another conference's: ICMLA beside ICML.
        is_near = cited.acronym in recorded.acronym or recorded.acronym in cited.acronym
        return "different" if is_near else "unknown"
    outcome = _compare_words(cited, recorded)
    # `… on Autonomous Agents and Multi`, the beginning of a series' name
    if outcome == "different" and (_is_cut(cited, recorded) or _is_cut(recorded, cited)):
        return "unknown"
    return outcome


def _compare_series(cited: Venue, recorded: Venue) -> Outcome:
    """Compare two venues of known series: "different" if they share none, unless one prints the other's papers.

    With a series in common they differ only if the record names a workshop beside the cited conference (its
    satellite); any other satellite on one side alone, such as its findings, is "looser": less exact, not wrong.
    """
    shared = cited.series & recorded.series
    if not shared:
        # Some journals print the papers of a conference.
        is_printed_by = _prints(cited, recorded) or _prints(recorded, cited)
        if is_printed_by:
            return "looser"
        # `Workshop on Structured Prediction for NLP`, `SPNLP@ACL`: what looks like the host may be the topic.
        is_topic = _is_workshop_on_a_topic(cited, recorded) or _is_workshop_on_a_topic(recorded, cited)
        return "unknown" if is_topic else "different"
    if cited.satellite == recorded.satellite or _is_workshop(shared):
        return "same"
    # Indexes often name the host for a paper of its workshop, but never a workshop for a paper of the host.
    return "different" if recorded.satellite == "workshop" else "looser"


def _is_short_for(short: Venue, full: Venue) -> bool:
    """True if a name is the other's by the ways in which people shorten one: cut words, initials, an acronym."""
    return _abbreviates(short.words, full.words) or _has_initials_of(short, full) or _is_spelled(short, full)


def _is_workshop(series: frozenset[str]) -> bool:
    """True for a series that is a workshop itself, so that its acronym alone means no main conference."""
    names = venue_series.names()
    return any(_WORKSHOP.search(name) for one_series in series for name in names[one_series])


def _is_workshop_on_a_topic(named: Venue, hosted: Venue) -> bool:
    """True if what looks like a workshop's host is its topic: `Workshop on Structured Prediction for NLP`.

    That is the name of one, `named`, among whose words stand those of a series: NLP is read as natural language
    processing, of IJCNLP.  `hosted` is a workshop by its acronym and its host alone, as DBLP has it: `SPNLP@ACL`.
    """
    are_workshops = named.satellite == hosted.satellite == "workshop"
    has_one_a_name = named.gathering and not hosted.gathering
    if not are_workshops or not has_one_a_name:
        return False
    # Not all of its words: a name that is a series' own, `Workshop on Semantic Evaluation`, names that series.
    spellings = [spelling for series in named.series for spelling in _spellings(series)]
    return any(set(spelling) < set(named.words) for spelling in spellings)


def _is_spelled(short: Venue, full: Venue) -> bool:
    """True if a conference has the very words of a series but for those of its organisers."""
    if full.series or full.satellite or not full.gathering or len(full.words) < 2:
        return False
    full_words = set(full.words) - _ORGANISERS
    for series in short.series:
        if any(full_words == set(spelling) - _ORGANISERS for spelling in _spellings(series)):
            return True
    return False


def _is_cut(short: Venue, full: Venue) -> bool:
    """True for the beginning of a name of the series, as `… on Autonomous Agents and Multi`, cut at a hyphen."""
    if short.series:
        return False
    return any(_begins(short.words, spelling) for series in full.series for spelling in _spellings(series))


@cache
def _spellings(series: str) -> tuple[tuple[str, ...], ...]:
    """The words of the series' names that are written out."""
    return tuple(venue_series.significant(it) for it in venue_series.names()[series] if " " in it)


def _prints(journal: Venue, conference: Venue) -> bool:
    return any(not conference.series.isdisjoint(venue_series.prints().get(it, ())) for it in journal.series)


def _compare_words(cited: Venue, recorded: Venue) -> Outcome:
    """Compare two venues, of which at least one belongs to no known series, by the words of their names.

    They are "same" if all words agree, abbreviated or not, or of two gatherings all words of the shorter name;
    "different" only if both are whole names with few words in common.  If one may be an acronym, or cut, the answer is
    "unknown".  Which of the two is the cited one makes no difference.
    """
    cited_words = set(cited.words)
    recorded_words = set(recorded.words)
    fewer, more = sorted((len(cited_words), len(recorded_words)))
    if not fewer or more > _MOST_WORDS:
        return "unknown"
    shared = _count_pairs(cited_words, recorded_words, _are_one_abbreviated)
    if shared == fewer and (shared == more or (cited.gathering and recorded.gathering)):
        return "same"
    if cited.satellite == recorded.satellite == "workshop" and bool(cited.series) != bool(recorded.series):
        return "unknown"  # one names the workshop, the other its host
    if any(_may_be_acronym(venue) for venue in (cited, recorded) if not venue.series):
        return "unknown"
    has_unresolved_acronym = any(venue.acronym and not venue.series for venue in (cited, recorded))
    if has_unresolved_acronym and fewer == 1:  # an acronym that nothing here explains is no evidence
        return "unknown"
    if _begins(cited.words, recorded.words) or _begins(recorded.words, cited.words):  # one may be cut off
        return "unknown"
    if shared == fewer >= 3:  # place and date may stand behind a name: `… in Computer Science, Budapest, April 4-6`
        return "unknown"
    # Before names contradict each other, a single letter may stand for a word, and stems may differ in their ending.
    may_be_shared = _count_pairs(cited_words, recorded_words, _may_be_one_abbreviated)
    are_all_related = _count_pairs(cited_words, recorded_words, _are_related) == more
    if may_be_shared / more < _LEAST_SHARE and not are_all_related:
        return "different"
    return "unknown"


def _may_be_acronym(venue: Venue) -> bool:
    whole_words = [word for word in venue.words if len(word) > 1]
    return len(whole_words) == 1 and len(whole_words[0]) <= _ACRONYM_LETTERS


def _count_pairs(words: set[str], others: set[str], belong: Callable[[str, str], bool]) -> int:
    """Count the pairs of a word and one of the others that can be made at most, if each is in one pair or none.

    `belong` says of a word and another whether they may be a pair: `Physics` may be paired with `Phys.` or with `Ph.`,
    not with both.  (Kuhn's algorithm for a maximum matching.)
    """
    partner_of: dict[str, str] = {}  # by one of the others, the word that is paired with it

    def pair_up(word: str, tried: set[str]) -> bool:
        """Pair `word` with one of the others; if that one is taken, the word that has it must find a new partner.

        False, and nothing is changed, if that cannot be done.  `tried` are the others that were looked at already for
        the outermost call; it grows.
        """
        for other in others:
            if other in tried or not belong(word, other):
                continue
            tried.add(other)
            if other not in partner_of or pair_up(partner_of[other], tried):
                partner_of[other] = word
                return True
        return False

    return sum(pair_up(word, set()) for word in words)


def _are_one_abbreviated(word: str, other: str) -> bool:
    """True for a word and its abbreviation, whichever of them that is, or for equal words."""
    return shortens(word, other) or shortens(other, word)


def _may_be_one_abbreviated(word: str, other: str) -> bool:
    """As `_are_one_abbreviated`, of an abbreviation that may be a single letter, as `J` for `Journal`."""
    return shortens(word, other, least=1) or shortens(other, word, least=1)


def _begins(short: tuple[str, ...], full: tuple[str, ...]) -> bool:
    """True if `short` has the first words of `full`, abbreviated or not: `Acta Crystallogr.` for `… Foundations`."""
    return 2 <= len(short) < len(full) and _abbreviates(short, full[: len(short)])


def _are_related(left: str, right: str) -> bool:
    """True for forms of one word: `Advanced Materials`, `Advances in Materials`."""
    if left == right:
        return True
    are_long = min(len(left), len(right)) >= 7
    return are_long and left[:6] == right[:6] and abs(len(left) - len(right)) <= 2


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


def _abbreviates(short: tuple[str, ...], full: tuple[str, ...]) -> bool:
    """True if each word in its turn is the other's or its abbreviation: `J. Mach. Learn. Res.`"""
    if len(short) != len(full):
        return False
    return all(word.startswith(cut) or shortens(cut, word) for cut, word in zip(short, full, strict=True))


def _has_initials_of(short: Venue, full: Venue) -> bool:
    """True if `short` is the initials of `full`, `ICDAR`, or begins with them: `JGR Atmospheres`."""
    initials = "".join(word[0] for word in full.words)
    count = len(short.words[0]) if len(short.words) > 1 else 0  # of words that the first one may stand for
    if count >= 3 and short.words[0] == initials[:count]:  # `JGR Atmospheres`
        return _abbreviates(short.words[1:], full.words[count:])
    letters = re.sub(r"[^a-z]", "", fold(short.acronym))
    if len(letters) < 3 or len(full.words) < 2:
        return False
    # Up to two letters may stand before them for the organiser, who is not in the full name.
    return letters.endswith(initials) and len(letters) - len(initials) <= 2
