"""Rows as one text: words and addresses that are broken at the end of a row are made whole."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from citelsp.bibliography.printed_signs import ITALIC, ROMAN
from citelsp.corpus.pdf_lines import Printed

_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_ADDRESS_ENDS = re.compile(r"(?:https?://|www\.|doi\.org/|\b10\.\d{4,9}/|\bdoi:|arxiv[:.]|/)\S*$", re.IGNORECASE)
_DOI_ENDS = re.compile(r"\b10\.\d{4,9}/\S*\.$")
_FILE_ENDING = re.compile(r"[a-z]{2,5}\d?[.>)]+")  # `pdf.`: a sentence would begin with a capital
_DOI_GOES_ON = re.compile(r"[A-Za-z]{0,6}\d\w{0,20}[./_-]\w")
_OF_ADDRESS = re.compile(r"[\d/_=%&?#]|\w\.\w|\w-\w+-\w")  # what no word has within
_WORD_ENDS = re.compile(r"(?<![^\W\d_-])((?:[^\W\d_]+-)*[^\W\d_]+)-$")  # `learn-`; `state-of-the-` with all before it
_LETTERS_END = re.compile(r"[^\W\d_]+$")
_WORD_STARTS = re.compile(r"^([^\W\d_]+)")
_COMPOUND_STARTS = re.compile(r"^([^\W\d_]+)(?:-[^\W\d_]+)*")  # `to` of `to-end model`, with all that is joined to it
_BETWEEN_COMPOUNDS = frozenset({"and", "or", "to", "und", "oder", "bis", "et", "ou"})


def vocabulary(rows: Iterable[Printed]) -> Counter[str]:
    """The words within the rows of a paper, and its compounds with hyphens."""
    words = Counter[str]()
    is_cut = False  # whether the row before ends within a word, of which this one has the rest
    for row in rows:
        found = re.findall(r"[^\W_]+(?:-[^\W_]+)*", row.text.lower())[is_cut:]
        is_cut = row.text.endswith("-")
        words.update(found[:-1] if is_cut else found)
    return words


def join_rows(rows: Sequence[str], words: Mapping[str, int]) -> str:
    """Return the rows of one item as one line; a word or an address that is broken at the end of a row is made whole.

    `words` has how often the paper has each word, as `vocabulary` counts: it tells `learn-ing` from `semi-supervised`.
    """
    text = ""
    for row in rows:
        if text.endswith(ROMAN) and row.startswith(ITALIC):  # italics that go on: drop both signs
            text = text[:-1]
            row = row[1:]
        if text.endswith("-"):
            text = text[:-1] + _choose_hyphen(text, row, words) + row
        else:
            text += _glue(text, row, words) + row  # a space, or nothing within an address
    return " ".join(text.split())


def _choose_hyphen(text: str, row: str, words: Mapping[str, int]) -> str:
    """Return what stands between `text`, which ends with a hyphen, and `row`, which goes on: see `decide_hyphen`."""
    head = _WORD_ENDS.search(text)
    tail = _COMPOUND_STARTS.match(row)
    # With a capital behind its hyphen it is a compound, `Bose-Einstein`; in an address the hyphen is a part of it.
    if head is None or tail is None or not tail[1].islower() or _ADDRESS_ENDS.search(text):
        return "-"
    return decide_hyphen(head[1], tail[0], words)


def decide_hyphen(head: str, tail: str, words: Mapping[str, int]) -> str:
    """Return what belongs between what ends a row with a hyphen and what begins the next.

    "" if the hyphen only parts a word, `learn-ing`; "-" in a compound, `semi-supervised`, `state-of-the-art`; "- " if a
    word such as `and` follows, `pre- and postprocessing`.  Of a compound, `head` has all that is before the hyphen, and
    `tail` all that is behind it.  `words` has how often the paper has each word, as `vocabulary` counts.
    """
    first = head.lower()
    second, *further = tail.lower().split("-")
    for rest in (tail.lower(), second):
        times_as_word = words.get(first + rest, 0)
        times_as_compound = words.get(f"{first}-{rest}", 0)
        if times_as_word or times_as_compound:
            return "" if times_as_word >= times_as_compound else "-"
    # The paper has neither.
    *others, last = first.split("-")
    if not further and second in _BETWEEN_COMPOUNDS:
        return "- "
    if others:  # a compound goes on behind a whole word of it: `state-of-the-`, but not `self-super-`
        return "" if last not in words or last + second in words else "-"
    if further:  # and before one: `end-` and `to-end`
        return "-" if second in words else ""
    # Two long words that it has each by itself are rather a compound.
    is_rather_compound = len(first) > 3 and len(second) > 3 and words.get(first) and words.get(second)
    return "-" if is_rather_compound else ""


def _glue(text: str, row: str, words: Mapping[str, int]) -> str:
    if not text:
        return ""
    if text.endswith(("–", "—")) and row[:1].isdigit():
        return ""
    if _ADDRESS_ENDS.search(text) and (_continues_address(text, row) or _parts_word(text, row, words)):
        return ""
    if text.endswith(("http:", "https:")) and row.startswith("//"):
        return ""
    return " "


def _continues_address(text: str, row: str) -> bool:
    """True if the first word of `row` can only be the rest of the address that `text` ends with."""
    first = row.split(" ", 1)[0]
    if text.endswith(("/", "_", "=", "&", "?", "%", "#")):
        return True
    if text.endswith((",", ";", ")")):  # the address has ended before that sign
        return False
    # `10.1609/AAAI.` and `V37I4.25668.`: no word has a figure and a full stop within.
    if _DOI_ENDS.search(text) and _DOI_GOES_ON.match(first):
        return True
    if text.endswith(".") and _FILE_ENDING.fullmatch(first):  # `…/paper.` and `pdf.`
        return True
    is_address = _OF_ADDRESS.search(first) is not None and not _YEAR.fullmatch(first.strip("().,;"))
    return is_address and not first[:1].isupper() and not first.startswith(("(", "[", "“"))


def _parts_word(text: str, row: str, words: Mapping[str, int]) -> bool:
    """True if an address is broken within a word that the paper has elsewhere: `…?package=ja` and `nitor.`"""
    head = _LETTERS_END.search(text)
    tail = _WORD_STARTS.match(row)
    if head is None or tail is None or not tail[1].islower():
        return False
    # The row itself begins with what is left of the word.
    return words.get((head[0] + tail[1]).lower(), 0) > 0 and words.get(tail[1], 0) <= 1
