"""Names of venues compared: one conference or journal has many names, and many names are nearly another's.

`compare` says "different" only if both sides name something that is recognisably not the same: two known series, or
names that share too few words even when abbreviations (ISO 4), acronyms, ordinals, years and places are allowed for.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache

from citelsp.bibliography import venue_series
from citelsp.bibliography.fold import fold, words
from citelsp.bibliography.tolerant_comparison.outcome import Outcome
from citelsp.bibliography.venues import Venue, abbreviates, identify, is_host, is_in, is_workshop, shortens

_RUSSIAN = frozenset("akad dokl eksp fiz izv nauk prikl teor uspekhi vestnik zh zhurnal".split())
_ORGANISERS = frozenset(
    "usenix aaai siam acl sigplan sigact sigops sigarch sigcomm sigmod sigsac sigkdd sigir sigmobile sigsoft cvf"
    " symposium meeting congress workshop forum computer society".split()
)
_UNDER_TITLE = re.compile(r"\s[-–—]\s[^,]*\bworkshop,.*", re.IGNORECASE)  # of what, the title before it tells
_LEAST_SHARE = 0.6  # of the longer name: with a smaller part in common two names differ
_MOST_WORDS = 60  # that tell; a text with more is no venue's name, and comparing it would take long
_ACRONYM_LETTERS = 5  # a single word of so many may be an acronym, as `tacl`


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
    if is_in(cited, "servers") != is_in(recorded, "servers"):
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
    if cited.satellite == recorded.satellite or is_workshop(shared):
        return "same"
    # Indexes often name the host for a paper of its workshop, but never a workshop for a paper of the host.
    return "different" if recorded.satellite == "workshop" else "looser"


def _is_short_for(short: Venue, full: Venue) -> bool:
    """True if a name is the other's by the ways in which people shorten one: cut words, initials, an acronym."""
    return abbreviates(short.words, full.words) or _has_initials_of(short, full) or _is_spelled(short, full)


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
    return 2 <= len(short) < len(full) and abbreviates(short, full[: len(short)])


def _are_related(left: str, right: str) -> bool:
    """True for forms of one word: `Advanced Materials`, `Advances in Materials`."""
    if left == right:
        return True
    are_long = min(len(left), len(right)) >= 7
    return are_long and left[:6] == right[:6] and abs(len(left) - len(right)) <= 2


def _has_initials_of(short: Venue, full: Venue) -> bool:
    """True if `short` is the initials of `full`, `ICDAR`, or begins with them: `JGR Atmospheres`."""
    initials = "".join(word[0] for word in full.words)
    count = len(short.words[0]) if len(short.words) > 1 else 0  # of words that the first one may stand for
    if count >= 3 and short.words[0] == initials[:count]:  # `JGR Atmospheres`
        return abbreviates(short.words[1:], full.words[count:])
    letters = re.sub(r"[^a-z]", "", fold(short.acronym))
    if len(letters) < 3 or len(full.words) < 2:
        return False
    # Up to two letters may stand before them for the organiser, who is not in the full name.
    return letters.endswith(initials) and len(letters) - len(initials) <= 2
