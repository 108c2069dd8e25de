"""Title, authors and year from the first page of a paper, by the sizes and places of its lines."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from citelsp.bibliography import names
from citelsp.corpus import pdf_line_breaks, pdf_running_heads
from citelsp.corpus.pdf_lines import Line

_NO_TITLE = re.compile(
    r"arxiv:|https?:|www\.|©|copyright|\bdoi\b|\bvol\.|\bissn\b|\S@\S+\.[a-z]|running (?:head|title)"
    r"|^(?:draft|preprint|manuscript)\b(?!:)"
    r"|preprint (?:submitted|typeset)|typeset using|contents lists available|^under review|accepted (?:for|to|by|in)\b"
    r"|^(?:open access|research article|original (?:article|paper)|review article|technical report|article|letter)$"
    r"|^(?:abstract|contents|summary)$"
    # what kind of work a cover calls it: `Dissertação apresentada ao Instituto`, `A thesis submitted to`
    r"|^\W*(?:(?:an?|the|eine?|une?|in)\s)?"
    r"(?:(?:ph\.?\s?d\.?|doctoral|master[’']?s?|bachelor[’']?s?|diploma|final|honou?rs)\s)?"
    r"(?:thesis|dissertation|dissertação|tese|tesis|tesi|thèse|mémoire|monografia|memoria|inaugural-?dissertation"
    r"|masterarbeit|bachelorarbeit|diplomarbeit|trabajo de fin de \w+|trabalho de (?:conclusão|formatura)"
    r"|project report)"
    r"(?:$|\s(?:submitted|presented|apresentad[ao]|presentad[ao]|présentée?|vorgelegt|zur|final|in partial"
    r"|for the degree|de|di (?:laurea|dottorato))\b)",
    re.IGNORECASE,
)
_JUNK = re.compile(r"^(?:untitled|microsoft word|.*\.(?:dvi|docx?|tex|pdf|indd|qxd)\b.*|[\W\d_]*)$", re.IGNORECASE)
_JOURNAL = re.compile(
    r"(?:the |\w+ )?(?:journal|annals|transactions|bulletin|revista|revue|zeitschrift|proceedings) "
    r"(?:of|on|de|für|in)(?: \w+){1,6}",
    re.IGNORECASE,
)
_INSTITUTION = re.compile(
    r"\b(?:univ|instit|depart|facult|school|college|laborator|centre|center|academ|hospital|ministry|group\b|inc\b"
    r"|ltd|gmbh|corporation|research\b|division|hochschule|fachbereich|lehrstuhl|fakult|escuela|facultad|d[eé]partement"
    r"|[eé]cole|dipartimento|observator|pol[iy]te|society|foundation|technolog|sciences?\b|engineering|street|avenue)",
    re.IGNORECASE,
)
_FRONT_ENDS = re.compile(
    r"^\W*(?:abstract|summary|zusammenfassung|r[eé]sum[eé]|resumen|resumo|abstrakt|sommario|riassunto|key ?words"
    r"|index terms|[1i]?\W*(?:introduction|einleitung|introducci[oó]n|introdução|motivation)|(?:table of )?contents"
    r"|inhaltsverzeichnis|table des mati[eè]res|[ií]ndice)\b",
    re.IGNORECASE,
)
_MONTH = (
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|januar|februar|märz|mai|juni|juli|oktober|dezember"
    r"|janvier|février|mars|avril|juin|juillet|août|enero|febrero|marzo|abril|mayo|junio|julio|agosto|fevereiro|março"
    r"|maio|junho|julho|setembro|outubro|novembro|dezembro|diciembre|dicembre|gennaio|maggio|giugno|luglio|settembre"
    r"|ottobre)"
)
_DATE = re.compile(rf"\b{_MONTH}[a-zé]*\.?\b.{{0,12}}?\b((?:19|20)\d\d)\b|\b((?:19|20)\d\d)[-/.]\d\d", re.IGNORECASE)
_PUBLISHED = re.compile(
    r"(?:©|\(c\)|copyright|published|proceedings|proc\.|conference|symposium|workshop|journal|vol(?:ume|\.)|\bISBN\b"
    r"|\bISSN\b|accepted|received|submitted|universi)",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<![\d.:/-])((?:19|20)\d\d)(?![\d/]|[.-]\d)")
_ISSUE_YEAR = re.compile(r"\d[^()]{0,20}\(((?:19|20)\d\d)\)")
_SHORT_YEAR = re.compile(r"[A-Z]{2}\w*\s?[’'](\d\d)\b")
_ARXIV_YEAR = re.compile(r"arXiv:\s*(\d\d)(?:0[1-9]|1[0-2])\.\d{4,5}", re.IGNORECASE)
_SEPARATOR = re.compile(r"\s*(?:[,;\t\v·•&|/]|\b(?:[Aa][Nn][Dd]|und|et|y|e|with)\b)\s*")
_ADDED = re.compile(
    r"\([^()]*\)|\b(?:dr|prof|professor|mr|mrs|ms|ing|dipl)\.(?:-ing\.)?|\b(?:ph\.?\s?d|m\.?d|m\.?sc|b\.?sc|d\.?phil)\b\.?"
    r"|\b(?:(?:graduate )?student |senior |life )?(?:member|fellow)\b|\bIEEE\b"
    r"|\b(?:by|von|par|por)\b:?|^\W*(?:authors?|autor(?:en)?)\s*:|\bet al\b\.?|[\ue000-\uf8ff]|ORCID\S*",
    re.IGNORECASE,
)
_MARKS = re.compile(r"[*∗⋆★†‡§¶∥‖♯♮♭⊥◦⊙✉\d^]+|(?<=\w)\s[a-d](?=\s|$)")
# A line of an address; of a template in which nobody is named; or of what kind of paper it is.
_MENTIONS = re.compile(
    r"@|https?:|\b(?:19|20)\d\d\b|^\d+\s+[A-Z][a-z]+ (?:St|Ave|Road)\b|^\d{3,5}\s|\bboulevard\b|\bauthors?\b"
    r"|^\W*(?:full|short|long|regular|original|review|research|position|demo|poster|conference|working)\s"
    r"(?:paper|article|report|note)\W*$|^\W*an? (?:preprint|manuscript|draft)\W*$",
    re.IGNORECASE,
)
# A date behind the last name of a line.
_DATE_AT_END = re.compile(rf"[.,;\s]+\b{_MONTH}[a-zé]*\.? \d{{1,2}},? (?:19|20)\d\d$", re.IGNORECASE)
_NAME = re.compile(r"(?:[^\W\d_]\.?-?)+(?:['’`-][^\W\d_]+)*\.?")
_ONE_REVERSED = re.compile(r"[^\W\d_a-z][\w’'-]+, [^\W\d_a-z][\w.’'-]*")
_OF_TITLES = frozenset("from for with using via between towards without".split())  # words that no name has
_WITHIN_TITLES = (
    " with",
    " of",
    " the",
    " in",
    " on",
    " for",
    " from",
    " using",
    " via",
    " to",
)  # hardly a name ends so
_FIRST_LINES = 60  # of a page that may name its people
_FIRST_SHORT_YEAR = 50  # of the last century: before it there were no such names of conferences
_EDGE = 4  # lines of a head or a foot
_LARGER = 1.2  # times the size of the text: a title that is set apart
_SHORTEST = 8  # letters of a title
_LONG = 25  # letters of a title that hardly comes by chance


@dataclass(frozen=True, slots=True)
class Front:
    """What the first page says; empty or None means unknown."""

    title: str = ""
    authors: tuple[str, ...] = ()  # "Given Family"
    year: int | None = None


def read(pages: Sequence[Sequence[Line]], named: str = "", author: str = "") -> Front:
    """Return title, authors and year of a paper, from the lines of its first pages.

    The first page is the one with the metadata's title, as a journal's cover may come before it; else the first that
    has any line.  `named` and `author` are title and author as the file's metadata say them, "" if they do not: what
    is printed counts, unless the page agrees with the metadata, which then say it better.
    """
    named = " ".join(named.split())
    first_page = _find_named(pages, named) or next(filter(None, pages), ())
    every_line = [line for page in pages for line in page]
    other_lines = [line for page in pages if page is not first_page for line in page]
    # A running head stands at the same height on another page, give or take a point.
    heads = {(_letters_of(line.text), round(line.base) + shift) for line in other_lines for shift in (-1, 0, 1)}
    without_heads = [line for line in first_page if (_letters_of(line.text), round(line.base)) not in heads]
    (lines,) = pdf_running_heads.drop_line_numbers([without_heads])
    # With heads: a foot of every page may have the date.
    (whole_page,) = pdf_running_heads.drop_line_numbers([first_page])
    printed = _letters_of(" ".join(line.text for line in lines))

    usual_size, usual_is_bold = _usual_style(every_line)
    # The lines of the title: those that say what the metadata say, else what looks most like one.
    block = _find_block(lines, named, usual_size) or _title_block(lines, (usual_size, usual_is_bold))
    # Whether a hyphen at a line's end belongs to the word, the other words of the paper tell.
    joined = _join_lines(block, pdf_line_breaks.vocabulary(every_line))
    title = _title(joined, named, printed)
    below = _lines_below(lines, block)
    # Some journals print the people above the title.
    authors = _authors(below) or _authors([line for line in lines if line not in block])
    return Front(
        _recase(title, pages),
        tuple(_prefer_metadata(authors, author, printed)),
        _year(whole_page, block),
    )


def _find_named(pages: Sequence[Sequence[Line]], named: str) -> Sequence[Line]:
    """The first page on which the metadata's title stands by itself, as behind a journal's cover; () if on none."""
    size, _ = _usual_style(line for page in pages for line in page)
    return next((page for page in pages if _find_block(page, named, size)), ())


def _find_block(lines: Sequence[Line], named: str, usual_size: float) -> list[Line]:
    """The lines that are the metadata's title and nothing else, a short one in large letters; [] if there are none."""
    letters = _letters_of(named)
    if len(letters) < _SHORTEST or _JUNK.match(named):  # none, one too short to be sure of, or a file's name
        return []
    is_long = len(letters) >= _LONG and len(named.split()) > 2
    for group in _groups(lines, usual_size):
        # A cover may print other lines larger than the title; several words in just these letters are it all the same.
        may_be_title = is_long or group[0].size > _LARGER * usual_size
        if may_be_title and _letters_of("".join(line.plain for line in group)) == letters:
            return group
    return []


def _title_block(lines: Sequence[Line], usual: tuple[float, bool]) -> list[Line]:
    """Return the lines of the title: of all groups of lines that may be one, the first in the largest letters.

    `usual` is the size of the paper's text, and whether that is bold.  An institution's name is taken only if nothing
    else may be the title, a journal's only if nothing else stands in larger letters than the text.  [] if there is
    none.
    """
    usual_size, _ = usual
    candidates: list[list[Line]] = []
    for group in _groups(lines, usual_size):
        # A title in the letters of the text goes on without a break into the names: only the words tell its end.
        stands_out = (group[0].size, group[0].bold) > usual  # larger, or as large and bold while the text is not
        part = group if stands_out else _cut_at_people(group)
        if _may_be_title(part):
            candidates.append(part)
    # Only what begins so is an institution's: a title may have “school” or “research” within.
    own = [group for group in candidates if not _INSTITUTION.match(group[0].text)]
    # A journal may print its own name larger than its papers' titles.
    of_papers = [group for group in own if not _JOURNAL.fullmatch(" ".join(line.text for line in group))]
    if any(group[0].size > _LARGER * usual_size for group in of_papers):
        own = of_papers
    # Sizes in half points: what differs by less is one size, and the first group wins.
    return max(own or candidates, key=lambda group: round(group[0].size * 2), default=[])


def _usual_style(lines: Iterable[Line]) -> tuple[float, bool]:
    """Size and weight of most letters."""
    styles = Counter[tuple[float, bool]]()
    for line in lines:
        styles[line.size, line.bold] += len(line.text)
    return max(styles, key=lambda style: styles[style], default=(0.0, False))


def _cut_at_people(block: Sequence[Line]) -> list[Line]:
    rest = block[1:]
    end = next(
        (index for index, it in enumerate(rest, 1) if _FRONT_ENDS.match(it.text) or [*_people(it.plain)]), len(block)
    )
    return list(block[:end])


def _groups(lines: Sequence[Line], usual: float) -> list[list[Line]]:
    """Return the lines in groups: each has lines one below the other in one size and weight, as a title has.

    `usual` is the size of the paper's text.  Lines that are in no title are left out: “arXiv:…”, “© 2019”, numbers.
    """
    groups: list[list[Line]] = []
    for line in lines:
        if _NO_TITLE.search(line.text) or not any(map(str.isalpha, line.text)):
            continue
        last = groups[-1][-1] if groups else None
        if last and _continues(last, line, large=line.size > _LARGER * usual):
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups


def _continues(last: Line, line: Line, *, large: bool) -> bool:
    step = last.base - line.base
    alike = abs(line.size - last.size) <= 0.06 * last.size and (line.bold == last.bold or line.font == last.font)
    if step < 0.3 * line.size:
        return alike and abs(step) < 0.3 * line.size and line.left >= last.right - 1
    overlap = min(last.right, line.right) - max(last.left, line.left)
    # Titles of double-spaced manuscripts; what else stands as far apart is of another size, or not bold.
    most = 3.0 if line.font == last.font and (line.bold or large) else 2.1
    return alike and step < most * line.size and overlap > 0


def _may_be_title(group: Sequence[Line]) -> bool:
    text = " ".join(it.text for it in group)
    letters = sum(map(str.isalpha, text))
    return letters >= _SHORTEST and letters > len(text) / 2 and len(text) < 400 and " " in text


def _join_lines(group: Sequence[Line], words: Mapping[str, int]) -> str:
    """The lines of a title as one, without the marks of its footnotes."""
    parts = (" ".join(re.sub(r"[*∗†‡§¶⋆]+(?=\s|$)", "", it.plain).split()) for it in group)
    return re.sub(r"^title:\s*", "", pdf_line_breaks.join_rows(list(parts), words), flags=re.IGNORECASE)


def _title(title: str, named: str, printed: str) -> str:
    """The title as printed, or as the metadata say it where they agree with the page."""
    folded = _letters_of(named)
    if len(named) < 10 or _JUNK.match(named) or folded not in printed:
        return title
    own = _letters_of(title)
    # Where a manuscript breaks its title by hand, the words on both sides are one word in the metadata.
    if own == folded and len(title.split()) > len(named.split()) and not title.isupper():
        return title
    return named if own in folded or len(own) < _SHORTEST else title


def _letters_of(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _recase(title: str, pages: Sequence[Sequence[Line]]) -> str:
    """Return a title in capitals with each word as the text of the first pages writes it; another title as it is.

    “LEARNING WITH BERT” becomes “Learning with BERT”.
    """
    # A few small letters may stand in a title in capitals: “RETHINKING CNNs FOR SPEECH”.
    if sum(map(str.islower, title)) > max(2, 0.15 * sum(map(str.isalpha, title))):
        return title
    seen: dict[str, Counter[str]] = {}
    for line in (it for page in pages for it in page):
        for word in re.findall(r"[^\W\d_]{2,}", line.text):
            seen.setdefault(word.upper(), Counter())[word] += 1

    def usual_form(match: "re.Match[str]") -> str:
        capitals = match[0].upper()  # the word may be “CNNs”
        forms = seen.get(capitals, Counter())
        with_small_letters = [it for it, _ in forms.most_common() if not it.isupper()]  # the most frequent first
        in_capitals = forms[capitals]
        # A word in capitals twice is no more than the title itself and a running head: an acronym comes more often.
        if not with_small_letters:
            return match[0] if in_capitals > 2 else match[0].capitalize()
        is_acronym = forms[with_small_letters[0]] < in_capitals - 2
        return match[0] if is_acronym else with_small_letters[0]

    text = re.sub(r"[^\W\d_]{2,}", usual_form, title)
    return text[:1].upper() + text[1:]


def _lines_below(lines: Sequence[Line], block: Sequence[Line]) -> list[Line]:
    """What follows the title, to the abstract or the text."""
    if not block:
        return []
    following = [it for it in lines[lines.index(block[-1]) + 1 :] if it not in block][:_FIRST_LINES]
    end = next(
        (index for index, it in enumerate(following) if _FRONT_ENDS.match(it.text) or _is_prose(it)), len(following)
    )
    return following[:end]


def _is_prose(line: Line) -> bool:
    words = line.text.split()
    return len(words) >= 8 and sum(it[0].islower() and len(it) > 3 for it in words) >= 4


def _authors(lines: Sequence[Line]) -> list[str]:
    """Return the people named in these lines, each once; other lines may come before the first name.

    All authors are printed in one size and font, that of the first line of names; lines in others, of addresses and
    e-mail, are passed over.  The search ends at the abstract, and at running text behind the first name.

    The title may stand here once more in another language.  If a line of it breaks off where no name does, behind “of”
    or “using”, the next one goes on with it and names nobody.
    """
    authors: list[str] = []
    style: tuple[float, str] | None = None  # size and font of the names, once there is one
    text = ""  # of the last line that was read, behind the one before if that ends within a name
    breaks_off = False  # the line before ends within a title
    for line in lines:
        if _FRONT_ENDS.match(line.text) or (authors and _is_prose(line)):
            break
        if style and (line.size, line.font) != style:
            continue
        goes_on_with_title = breaks_off
        breaks_off = line.plain.lower().endswith(_WITHIN_TITLES)
        if goes_on_with_title:
            continue
        # A line that ends with a degree or an institution counts as cut, too: then its names come twice.
        text = f"{text} {line.plain}" if _is_cut(text, line.plain) else line.plain
        people = list(_people(text))
        if people:
            breaks_off = False  # `Minh To` ends as a line of a title may
            style = style or (line.size, line.font)
            authors.extend(people)
    return list(dict.fromkeys(authors))


def _is_cut(text: str, following: str) -> bool:
    """True if a line of several people ends within a name, or in another part that the `following` line may go on.

    It is not cut if it ends with a comma, an “and” or a whole name.  A line that ends with an institution may go on
    with its place, `New York, United States`; but not with a line that itself names people with their institution.
    """
    *others, last = _SEPARATOR.split(text)
    if not last.strip() or _is_name(_strip_marks(last)) or not any(_is_name(_strip_marks(part)) for part in others):
        return False
    is_institution = _INSTITUTION.search(last) is not None
    begins_anew = _INSTITUTION.search(following) is not None and any(_people(following))
    return not (is_institution and begins_anew)


def _strip_marks(part: str) -> str:
    """A name without marks of footnotes."""
    return " ".join(_MARKS.sub(" ", part).split()).strip(" .:-–")


def _people(text: str) -> Iterator[str]:
    """Yield the names on a line; none if anything but names is on it.

    An institution may follow them, “Ann Roe, University of X”, and a date; degrees and the marks of footnotes do not
    count.
    """
    text = _DATE_AT_END.sub("", _ADDED.sub(" ", text).strip())
    if _MENTIONS.search(text):  # what no line of names has: “@”, a year, “Research paper”
        return
    parts = [it for it in map(_strip_marks, _SEPARATOR.split(text)) if it.strip(". ")]
    if len(parts) == 2 and _ONE_REVERSED.fullmatch(text.strip()):  # “Roe, Ann”
        parts = [f"{parts[1]} {parts[0]}"]
    people: list[str] = []
    for part in parts:
        if not _is_name(part):
            if people and _INSTITUTION.search(part):
                break  # what follows belongs to it
            return
        people.append(part)
    yield from map(_lower_capitals, people)


def _is_name(part: str) -> bool:
    words = part.split()
    if not 2 <= len(words) <= 6 or _INSTITUTION.search(part) or any(it.lower() in _OF_TITLES for it in words):
        return False
    full = [it for it in words if it.lower().strip("'’") not in names.PARTICLES]
    if not all(_NAME.fullmatch(it) and it[0].isupper() for it in full):
        return False
    # A name has a word in full at its end, or it is all initials and no name.
    return len(full) >= 2 and sum(map(str.isalpha, full[-1])) >= 2


def _lower_capitals(name: str) -> str:
    return (
        " ".join(it if it.lower() in names.PARTICLES else it.title() for it in name.split()) if name.isupper() else name
    )


def _prefer_metadata(authors: list[str], names_of_file: str, printed: str) -> list[str]:
    """The authors as read, or those of the metadata if the page has them all and they are more."""
    parts = [" ".join(it.split()) for it in re.split(r"\s*(?:[,;&]|\band\b)\s*", names_of_file)]
    people = [it for it in parts if _is_name(it) and _letters_of(it) in printed]
    return people if len(people) > len(authors) else authors


def _year(lines: Sequence[Line], block: Sequence[Line]) -> int | None:
    """Return the year of publication, else one of another date on the page, else the preprint's; None if none is there.

    `lines` are those of the first page, `block` those of the title, whose years are none of publication.
    """
    titles = {line.text for line in block}

    def may_tell(line: Line) -> bool:
        # Running text tells years of other works.
        return line.text not in titles and not _is_text(line.text)

    head = [line.text for line in lines if may_tell(line)]
    published = _years_in(_YEAR, filter(_PUBLISHED.search, head))
    if published:
        return max(published)  # of “received 2018, accepted 2019” the last
    by_base = sorted(lines, key=lambda line: line.base)
    edges = [line.text for line in (*by_base[:_EDGE], *by_base[-_EDGE:]) if may_tell(line)]
    # No line says “published 2019”.  Surest first: “12 (2019)” in the page's head or foot, “May 2019”, “NIPS ’19”,
    # “arXiv:1905.01234”.
    for pattern, texts in ((_ISSUE_YEAR, edges), (_DATE, head), (_SHORT_YEAR, head), (_ARXIV_YEAR, head)):
        years = _years_in(pattern, texts)
        if years:
            return years[0]  # the first on the page: what follows may be the date of something else
    return None


def _years_in(pattern: re.Pattern[str], texts: Iterable[str]) -> list[int]:
    return list(chain.from_iterable(_years(pattern, text) for text in texts))


def _is_text(text: str) -> bool:
    return len(text.split()) > 14


def _years(pattern: "re.Pattern[str]", text: str) -> Iterator[int]:
    for match in pattern.finditer(text):
        year = int(next(filter(None, match.groups())))
        if year < 100:  # `’22`, `’98`
            year += 2000 if year < _FIRST_SHORT_YEAR else 1900
        yield year
