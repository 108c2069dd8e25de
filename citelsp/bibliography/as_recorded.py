"""A printed reference read again by the light of a record: where its title and venue end shows once they are known.

A reader may cut a title or join it with what follows.  If the record's own words stand there, between signs that can
end a title, that is what the reference says, and nothing differs.
"""

import re
from dataclasses import replace

from citelsp.bibliography.entry import Entry
from citelsp.bibliography.fold import fold, squeezed
from citelsp.bibliography.record import Record
from citelsp.bibliography.tex import escape

# What may stand before and behind a title or venue: signs and words that belong to neither.
_BEFORE = re.compile(r"(?:^|[.,:;?!“„\"«‘'()\[\]]|\b[Ii]n)\s*$")
_BEHIND = re.compile(r"[)\]]?\s*(?:$|[.,;?!”“\"»’(\[]|[Ii]n\b|\d)")
_LONGEST_NAME = 400  # characters of a title or venue that is looked for


def as_recorded(entry: Entry, record: Record) -> Entry:
    """The entry, of a printed reference with the record's title and venue if it says so."""
    if entry.printed is None:
        return entry
    plain = entry.printed.plain
    stated: dict[str, str] = {}
    if _may_be_misread(entry, record.title) and _says(plain, record.title):
        stated["title"] = escape(record.title)
        # What was read before the title are people: those that were read are not all.
        people = entry.value("author")
        has_words_before = squeezed(entry.title).endswith(squeezed(record.title))
        if people and has_words_before:
            stated["author"] = f"{people} and others"
    for name in ("journal", "booktitle"):
        written = entry.text(name)
        is_other = bool(written) and squeezed(written) != squeezed(record.venue)
        if is_other and _says(plain, record.venue):
            stated[name] = escape(record.venue)
    return replace(entry, stated=tuple(stated.items())) if stated else entry


def _may_be_misread(entry: Entry, title: str) -> bool:
    """True if the title that was read is doubtful, or the beginning or end of the other, or holds it."""
    mine = squeezed(entry.title)
    other = squeezed(title)
    if mine == other or not other:
        return False
    return "title" in entry.unsure or not mine or mine in other or other in mine


def _says(plain: str, name: str) -> bool:
    """True if a name of several words stands in a reference, with nothing around it that could belong to it."""
    if len(name) > _LONGEST_NAME or len(name.split()) < 2:
        return False
    folded = fold(plain)
    parts = [re.escape(word) for word in re.findall(r"\w+", fold(name))]
    # Places are looked up in the reference as it is written, unless folding has moved them.
    if len(folded) != len(plain) or not parts:
        plain = folded
    for match in re.finditer(r"(?<!\w)" + r"\W{1,4}".join(parts) + r"(?!\w)", folded):
        if _BEFORE.search(plain[: match.start()]) and _BEHIND.match(plain[match.end() :]):
            return True
    return False
