"""A printed reference read again by the light of a record: where its title and venue end shows once they are known.

A reader may cut a title or join it with what follows.  If the record's own words stand there, between signs that can
end a title, that is what the reference says, and nothing differs.
"""

import re
from dataclasses import replace

from citelsp.bibliography.encode_tex import escape
from citelsp.bibliography.entry import Entry
from citelsp.bibliography.fold import bare_letters, fold, words
from citelsp.bibliography.record import Record

# What may stand before and behind a title or venue: signs and words that belong to neither.
_MAY_PRECEDE_NAME = re.compile(r"(?:^|[.,:;?!“„\"«‘'()\[\]]|\b[Ii]n)\s*$")
_MAY_FOLLOW_NAME = re.compile(r"[)\]]?\s*(?:$|[.,;?!”“\"»’(\[]|[Ii]n\b|\d)")
_LONGEST_NAME = 400  # characters of a title or venue that is looked for


def as_recorded(entry: Entry, record: Record) -> Entry:
    """Return the entry with title, place and authors read anew, if it was read from a printed reference.

    Title and venue were cut out of the reference by signs, perhaps at the wrong ones.  If the record's own title or
    venue stands in the reference, it replaces what was read.  The title becomes "" if the record shows that what was
    read as one is the venue.  Pages and a volume with letters that the record has and the reference prints replace what
    was read.  An entry of a .bib file is returned as it is.
    """
    if entry.printed is None:
        return entry
    plain = entry.printed.plain
    before_title = _text_before(record.title, plain) if _may_be_misread(entry, record.title) else None
    stated: dict[str, str] = {}  # field → value that replaces what was read
    if before_title is not None:
        stated |= _state_title(entry, record, before_title)
    elif _is_beginning_of_venue(entry.title, record) and _text_before(record.venue, plain) is not None:
        stated["title"] = ""
    for name in ("journal", "booktitle"):
        written = entry.text(name)
        is_other = bool(written) and bare_letters(written) != bare_letters(record.venue)
        if is_other and _text_before(record.venue, plain) is not None:
            stated[name] = escape(record.venue)
    stated |= _state_place(entry, record, plain)
    return replace(entry, stated=tuple(stated.items())) if stated else entry


def _state_place(entry: Entry, record: Record, plain: str) -> dict[str, str]:
    """Return the record's pages and volume, each if the reference prints it and something was read in its place.

    Pages count if they are a range that begins with a number, a volume if it has a letter, as in `SMC-3`: a bare number
    may well be printed as something else, an issue or a page.
    """
    stated: dict[str, str] = {}
    first, *last = re.findall(r"\w+", record.pages) or [""]
    if len(last) == 1 and first.isdigit() and entry.value("pages"):
        pages = re.search(rf"(?<!\w){re.escape(first)}\s?[-‐–—]{{1,3}}\s?{re.escape(last[0])}(?!\w)", plain)
        if pages:
            stated["pages"] = f"{first}--{last[0]}"
    has_letter = any(map(str.isalpha, record.volume))
    if has_letter and entry.value("volume") and _is_printed_alone(record.volume, plain):
        stated["volume"] = escape(record.volume)
    return stated


def _is_printed_alone(value: str, plain: str) -> bool:
    """True if the value stands in the reference as a word or number of its own."""
    return re.search(rf"(?<![\w-]){re.escape(value)}(?![\w-])", plain) is not None


def _state_title(entry: Entry, record: Record, before_title: str) -> dict[str, str]:
    """Return the fields that change if the record's title stands in the reference, behind the text `before_title`.

    That text names people.  So if part of it was read as a venue, that venue becomes "", and if part of it was read as
    the title, the people that were read are not all: “and others” is added.
    """
    before = bare_letters(before_title)  # its letters and digits alone
    stated = {"title": escape(record.title)}
    title = bare_letters(entry.title)
    # `D. Knuth. Literate programming` was read as the title, or `D. Knuth` alone.
    has_people_in_title = title in before or title.find(bare_letters(record.title)) > 0
    people = entry.value("author")
    if title and people and has_people_in_title:
        stated["author"] = f"{people} and others"
    for name in ("journal", "booktitle"):
        venue = bare_letters(entry.text(name))
        if venue and venue in before:
            stated[name] = ""
    return stated


def _may_be_misread(entry: Entry, title: str) -> bool:
    """True if the title that was read is doubtful, or the beginning or end of the other, or holds it."""
    mine = bare_letters(entry.title)
    other = bare_letters(title)
    if mine == other or not other:
        return False
    return "title" in entry.unsure or not mine or mine in other or other in mine


def _is_beginning_of_venue(title: str, record: Record) -> bool:
    """True if what was read as a title is where the work was printed: lists of astronomers print no titles.

    A comma within a journal's name, as in `Transactions A: Mathematical, Physical and …`, ends what is read.
    """
    if len(words(title)) < 2 or bare_letters(title) == bare_letters(record.title):
        return False
    return bare_letters(record.venue).startswith(bare_letters(title))


def _text_before(name: str, plain: str) -> str | None:
    """Return what stands in a reference before a title or venue, `name`; None if it does not stand there.

    It also counts as absent if it has one word alone, which may stand there by chance, or none, or very many letters,
    or if other words stand beside it without a sign between.  `plain`: the reference as a reader sees it.
    """
    if len(name) > _LONGEST_NAME or len(name.split()) < 2:
        return None
    folded = fold(plain)
    name_words = [re.escape(word) for word in re.findall(r"\w+", fold(name))]
    if not name_words:  # `? ?`
        return None
    # The signs around the name are looked at as they are written, unless folding (“ß” to “ss”) has moved them.
    has_same_places = len(folded) == len(plain)
    around = plain if has_same_places else folded
    for match in re.finditer(r"(?<!\w)" + r"\W{1,4}".join(name_words) + r"(?!\w)", folded):
        before = around[: match.start()]
        if _MAY_PRECEDE_NAME.search(before) and _MAY_FOLLOW_NAME.match(around[match.end() :]):
            return before
    return None
