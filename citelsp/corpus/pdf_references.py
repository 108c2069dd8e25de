"""The reference list of a paper by its layout: where it begins and ends, and where each item does."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain, groupby, pairwise

from citelsp.bibliography.printed_signs import ITALIC, ROMAN
from citelsp.corpus import list_headings, pdf_line_breaks, pdf_rows
from citelsp.corpus.pdf_lines import cut_marked, usual_size
from citelsp.corpus.pdf_rows import Row

_APPENDIX = re.compile(
    r"^\W*(?:[A-Z\d]{1,3}[.:]?\s+)?(?:appendi(?:x|ces)|supplement(?:ary|al)|supporting information|anhang|annexes?"
    r"|anexos?|ap[eê]ndices?|checklist|author (?:contributions|biograph)|acknowledg|danksagung|index)\b",
    re.IGNORECASE,
)
_CAPTION = re.compile(
    r"^(?:fig(?:ure|\.)|table|tab\.|algorithm|abbildung|tabelle|figura|tableau)\s*[A-Z]?\d+\s*[.:|]", re.IGNORECASE
)
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_DATED = re.compile(rf"{_YEAR.pattern}|https?://|\bwww\.")
_ENDED = re.compile(r"(?:[.)\]}\d/”\"»]|https?://\S+)$")
_STARTS = re.compile(r"^[\W_]*(?:[^\W\d_]|[-—–_]{2,}|\[)")
_PEOPLE = re.compile(
    r"(?!(?:In|Proc\w*|Advances|Journal|Transactions|ACM|IEEE|Springer|Press|Association|Conference)\b)"
    r"(?:[^\W\d_]['’]|(?:van|von|de|der|den|da|di|du|la|le|el|al) )*[^\W\d_a-z][\w'’-]+(?:[ -][^\W\d_a-z][\w'’-]*)*,? "
    r"(?:[^\W\d_a-z]\.|[^\W\d_a-z][\w'’-]+|and |& |\()|(?:[^\W\d_a-z]\.[ -]?)+ ?[^\W\d_a-z]"
)
_SPACED_ADDRESS = re.compile(
    r"\b(?:https? ?: ?/ ?/|10 ?\. ?\d{4,9} ?/) ?[^\s.]\S*(?: (?:[./:_?=&#-]{1,3} |[/-](?=\w))[^\s(]\S*)*"
)
_SPACED = re.compile(r"\w [./:] |: /|\w [/-]\w")
_ROOM_IN_ADDRESS = re.compile(r"(https?://\S*-) (?=[a-z\d][^\s/-]*[/-])")  # `mira- sp/german`
_FOOTNOTE = re.compile(r"(?:\d{1,3}|[*†‡§])\s\S")
_FIRST_LETTER = re.compile(rf"[{ITALIC}{ROMAN}]*\(a\)\s+")
_LETTER = re.compile(rf"(?:(?<=[.;\d)])|(?<=[.;\d)]{ROMAN}))\s+[{ITALIC}{ROMAN}]*\(([b-z])\)\s+")
_OTHERS = re.compile(f"{ITALIC}((?:and )?et al[.,:;]*)\\s*{ROMAN}")
_IN_ITALICS = re.compile(f"{ITALIC}[^{ROMAN}]*")
_FEWEST = 3  # labels that make a labelled list by themselves
_SHORTEST = 15  # characters of an item
_LONGEST, _MOST = 1500, 2000  # characters of an item, items
_FEWEST_HANGING = 5  # items of a column that show a list by their indents
_ROWS_OF_ITEM = 15  # rows at most that the items of a list have on average; papers of collaborations name hundreds
_SAME_SIZE = 0.08  # of the size of letters, by which it may differ within a list
_ROWS_OF_BLOCK = 5  # rows at least of a table within a list: an address may take a few, in smaller letters
_ROWS_OF_LARGE_BLOCK = 2  # the same of text in larger letters
_TRIED = 20  # labels “1” that may begin a list without a heading
_GAP = 3  # labels at most that a list leaves out at once


@dataclass(frozen=True, slots=True)
class Item:
    """One reference as printed, on one line; `label` without its brackets."""

    label: str
    text: str
    page: int
    marked: str = ""  # the text with signs around what is in italics


@dataclass(frozen=True, slots=True)
class _Label:
    """How the items of a list are labelled: `pattern` finds the label in its first group."""

    pattern: "re.Pattern[str]"
    numbered: bool
    aligned: bool  # the label counts only where the items' rows begin


_LABELS = (
    _Label(re.compile(r"^\[(\d{1,4})\][.:]?\s*"), numbered=True, aligned=False),
    _Label(re.compile(r"^(\d(?: ?\d){0,3})\.\s+(?=\D)"), numbered=True, aligned=True),  # some fonts part `1 14.`
    _Label(re.compile(r"^\((\d{1,4})\)\s*"), numbered=True, aligned=True),
    _Label(re.compile(r"^(\d{1,4})\)\s*"), numbered=True, aligned=True),
    _Label(re.compile(r"^(\d{1,4})[\s,]+(?=\W*[^\W\d_])"), numbered=True, aligned=True),
    _Label(re.compile(r"^(\d{1,4})(?=[A-Z])"), numbered=True, aligned=True),
    _Label(re.compile(r"^\[([^\W\d_][\w+*’'.-]{0,12}\d{2,4}[a-z]?)\]\s*"), numbered=False, aligned=False),
    _Label(re.compile(r"^\[([^\W\d_][^\[\]]{2,80}?(?:19|20)\d\d[a-z]?\)?)\]\s*"), numbered=False, aligned=False),
    _Label(re.compile(r"^\[([^\W\d_][\w+]{1,8})\]\s+"), numbered=False, aligned=True),
)
_RAISED = _LABELS[5]
# Labels that show a list without a heading, `[1]`, `1.`, `1` and raised ones, and how many numbers in a row do.
_UNHEADED = (
    (_LABELS[0], _FEWEST),
    (_LABELS[1], 2 * _FEWEST),
    (_LABELS[4], 2 * _FEWEST),
    (_RAISED, 2 * _FEWEST),
)


@dataclass(frozen=True, slots=True)
class Found:
    """The items of a paper's lists, the rows that are no part of them, and how often the paper has each word."""

    items: tuple[Item, ...]
    body: tuple[Row, ...]
    words: Mapping[str, int]


def read(rows: Sequence[Row]) -> Found:
    """Return the items of all lists of a paper, in order, at most `_MOST`, and the rows that are in no list."""
    words = pdf_line_breaks.vocabulary(rows)
    regions = list(_find_regions(rows))
    items = [item for start, end in regions for item in _read_items(rows[start:end], words)]
    taken = {index for start, end in regions for index in range(start, end)}
    body = tuple(it for index, it in enumerate(rows) if index not in taken)
    return Found(tuple(items[:_MOST]), body, words)


def _find_regions(rows: Sequence[Row]) -> Iterator[tuple[int, int]]:
    """Yield the first row of each reference list of a paper, and the row behind its last one.

    A list stands behind its heading.  Only if no list does is one looked for by labels that count on, as `[1]`, `[2]`,
    and only if there are none by its indents.
    """
    headings = [at for at, row in enumerate(rows) if list_headings.may_begin_list(row.text)]
    headings = [at for at in headings if at + 1 < len(rows)]  # behind the last row there is no list
    has_headed_list = False
    for heading, next_heading in zip(headings, [*headings[1:], len(rows)], strict=False):
        end = _find_end(rows, heading + 1, next_heading)
        if _looks_listed(rows[heading + 1 : end]):  # a table of contents has the words of a heading, too
            has_headed_list = True
            yield heading + 1, end
    if has_headed_list:
        return
    first_label = _find_unheaded(rows)
    if first_label is not None:
        yield first_label, _find_end(rows, first_label, len(rows))
    else:
        yield from _find_hanging(rows)


def _looks_listed(rows: Sequence[Row]) -> bool:
    """True if a year stands on every few rows, or labels do."""
    if not rows:
        return False
    first = rows[:40]
    years = sum(_YEAR.search(it.text) is not None for it in first)
    labels = sum(_LABELS[0].pattern.match(it.text) is not None for it in first)
    return years * 15 >= len(first) or labels * 15 >= len(first)


def _find_unheaded(rows: Sequence[Row]) -> int | None:
    """Return the index of the row on which a numbered list without a heading begins; None if there is no such list.

    It is the last row labelled 1 from which the labels count on, 2, 3, far enough; they must stand so close that they
    count items of a list, and most rows must have letters of one size, as footnotes and the text between them do not.
    `_UNHEADED` has the kinds of labels, `[1]` first, with how far they must count.  A kind is tried only if the kinds
    before it show no list.
    """
    for label, fewest in _UNHEADED:
        numbers = _find_numbers(rows, label)
        ones = [place for place, (_, number) in enumerate(numbers) if number == 1]
        for place in reversed(ones[-_TRIED:]):
            start = numbers[place][0]
            last, end = _count_on(numbers[place:])
            listed = rows[start : end + 1]
            years = sum(_YEAR.search(row.text) is not None for row in listed)
            # Chapters and steps have bare numbers, too, but hardly years: other labels than `[1]` need one for two.
            is_dated = label is _LABELS[0] or 2 * years >= last
            if last >= fewest and is_dated and len(listed) <= _ROWS_OF_ITEM * last and _is_in_one_size(listed):
                return start
    return None


def _is_in_one_size(rows: Sequence[Row]) -> bool:
    """True if most rows have letters of the size of the first one, as a list has that begins at the foot of a page
    and goes on behind the text of the next column."""
    alike = sum(_has_size(row, rows[0].size) for row in rows)
    return alike >= 0.6 * len(rows)


def _has_size(row: Row, size: float) -> bool:
    return abs(row.size - size) <= _SAME_SIZE * size


def _count_on(numbers: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return how far the numbers count on from 1, and the row of the last one, of (row, number) pairs from a 1 on.

    Other numbers between them are passed over: 1, 2, 17, 3 count to 3.
    """
    last = 0
    end = numbers[0][0]
    for at, number in numbers:
        if number == last + 1:
            last = number
            end = at
    return last, end


def _find_hanging(rows: Sequence[Row]) -> Iterator[tuple[int, int]]:
    """Yield the first row of each list that only its indents show, and the row behind its last one.

    Such a list fills whole columns with dated items; its headings name subjects (“Primary sources”), and part it.
    The first column must have several items; one that follows it may have a single one.
    """
    columns = list[tuple[int, int]]()  # where those of the list at hand begin and end
    end = 0
    for _, column in groupby(rows, key=lambda row: (row.page, row.column)):
        start = end
        end = start + len(list(column))
        if _is_hanging_list(rows[start:end], fewest=1 if columns else _FEWEST_HANGING):
            columns.append((start, end))
        else:
            yield from _part_at_headings(rows, columns)
            columns = []
    yield from _part_at_headings(rows, columns)


def _is_hanging_list(column: Sequence[Row], fewest: int) -> bool:
    """True if a column has `fewest` items or more, dated and with hanging indents, and nothing else in their letters.

    An item begins at the column's edge; its other rows are indented.  Nearly all items must begin and end as references
    do, and most must have a year or an address.  Rows in letters of another size, as headings have, are passed over.
    """
    size = usual_size(column)
    listed = [row for row in column if _has_size(row, size)]
    edge = min(row.left for row in listed)
    inner = sum(4 < row.left - edge <= 60 for row in listed)  # rows that are indented, by these points
    parted = _part(listed, lambda row: row.left - edge <= 4)
    # In text with indented paragraphs few rows are indented; and rows at the edge, within sentences, would be items.
    if len(parted) < fewest or inner < 0.2 * len(listed):
        return False
    groups = [group for _, group in parted]
    begun = sum(not group[0].text[:1].islower() for group in groups)
    # The last item may go on in the next column.
    ended = sum(_ENDED.search(group[-1].text) is not None for group in groups[:-1])
    dated = sum(any(_DATED.search(row.text) for row in group) for group in groups)
    return begun >= 0.9 * len(groups) and ended >= 0.9 * (len(groups) - 1) and dated >= 0.7 * len(groups)


def _part_at_headings(rows: Sequence[Row], columns: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the stretches of a list between its headings, which are rows in larger letters; none without columns."""
    if not columns:
        return
    start = columns[0][0]
    stop = columns[-1][1]
    size = usual_size(rows[start:stop])
    for is_list, group in groupby(range(start, stop), key=lambda at: rows[at].size <= size * (1 + _SAME_SIZE)):
        places = list(group)
        if is_list:
            yield places[0], places[-1] + 1


def _find_end(rows: Sequence[Row], start: int, stop: int) -> int:
    """Return the row of `rows[start:stop]` on which the list that begins there has ended, `stop` if it goes on.

    The list ends at an appendix, and at a heading behind which no references follow.  A heading is larger than the
    rows of the list, or bold if they are not; a row of a table, or one with a label `[1]` or `1.`, is none.
    """
    listed = rows[start:stop]
    if not listed:
        return stop
    beginning = listed[:60]  # rows that are surely of the list
    size = usual_size(beginning)
    bold = sum(it.bold for it in beginning) > 0.3 * len(beginning)
    of_tables = _find_tables(listed)
    kinds = list(_LABELS[:2])  # `[1]` and `1.`
    raised = _RAISED.pattern.match(listed[0].text)
    if raised and raised[1] == "1":  # `¹Roe` is read as `1Roe`; in lists without such labels a row may begin with `3D`
        kinds.append(_RAISED)
    numbered = [_find_numbers(listed, label) for label in kinds]
    # `1.` may begin any row, such as that of a volume: it is the list's label only if the list begins with one.  Only
    # `_goes_on`, which wants several rows, or one that counts on, looks at the others, too.
    labels = [it for it in numbered if it is numbered[0] or (it and it[0][0] == 0)]
    step = pdf_rows.leading(beginning)
    for index, row in enumerate(listed):
        begins_item = any(label.pattern.match(row.text) for label in _LABELS[:2])
        looks_like_heading = id(row) not in of_tables and not begins_item and _heads(row, size, bold=bold)
        if not looks_like_heading or (index > 0 and _is_within_sentence(listed[index - 1], row, step)):
            continue
        # A title that goes on on a new row may begin as one: `[7] Roe.` “Appendix to …”; then `[8]` follows.
        is_appendix = _APPENDIX.match(row.text) and not any(_numbers_go_on(it, index) for it in labels)
        if is_appendix or not _goes_on(listed, index, numbered):
            return start + index
    return stop


def _find_tables(rows: Sequence[Row]) -> frozenset[int]:
    """Return the ids of the rows of tables that stand at the heads of columns, above rows of a list.

    Such a table begins with a caption, `Table 2:`, and ends at the widest gap of its column, if that is more than twice
    the usual distance of two rows.
    """
    step = pdf_rows.leading(rows)
    of_tables = set[int]()
    for _, group in groupby(rows, key=lambda row: (row.page, row.column)):
        column = list(group)
        if len(column) < _FEWEST or not _CAPTION.match(column[0].text):
            continue
        gaps = [before.base - row.base for before, row in pairwise(column)]
        widest = max(gaps)
        if widest > 2.2 * step:
            of_tables.update(id(row) for row in column[: gaps.index(widest) + 1])
    return frozenset(of_tables)


def _find_numbers(rows: Sequence[Row], label: _Label) -> list[tuple[int, int]]:
    """Where the rows with labels of this kind stand, and their numbers."""
    matches = ((at, label.pattern.match(row.text)) for at, row in enumerate(rows))
    return [(at, _number_of(match[1])) for at, match in matches if match]


def _number_of(label: str) -> int:
    return int(label.replace(" ", ""))


def _numbers_go_on(numbers: Sequence[tuple[int, int]], at: int) -> bool:
    """True if behind this place the numbers, in (place, number) pairs, are counted on from those before it."""
    count_before = bisect_left(numbers, (at,))
    following = [number for _, number in numbers[count_before : count_before + 2]]
    return count_before > 0 and numbers[count_before - 1][1] + 1 in following


def _heads(row: Row, size: float, *, bold: bool) -> bool:
    """True for a row in letters of a heading."""
    letters = sum(map(str.isalpha, row.text))
    if letters < 4 or len(row.text) > 120:
        return False
    if _APPENDIX.match(row.text) and len(row.text) < 60 and not row.text.endswith((".", ",")):
        return True
    return row.size > 1.07 * size or (row.bold and not bold and row.right < row.end - 2 * size)


def _is_within_sentence(last: Row, row: Row, step: float) -> bool:
    """True if a row follows the last one closely, and that one does not end: then it is no heading, bold as it may be.

    `step` is the usual distance of two rows.
    """
    is_close = (row.page, row.column) == (last.page, last.column) and 0 < last.base - row.base < 1.3 * step
    return is_close and _ENDED.search(last.text) is None and not last.text.endswith(",")


def _goes_on(listed: Sequence[Row], at: int, numbered: Sequence[Sequence[tuple[int, int]]]) -> bool:
    """True if references follow the row `at`, which looks like a heading: labels count on, or years stand on many rows.

    Many are a quarter of the next 24 rows; fewer than four rows are too few to tell.  `numbered` has for each kind of
    label the rows that begin with one, as pairs of row and number, in order.
    """
    for numbers in numbered:
        goes_on = _numbers_go_on(numbers, at)
        # Several labels before the row show that the list is labelled so: then these alone decide.
        if goes_on or bisect_left(numbers, (at,)) >= _FEWEST:
            return goes_on
    following = listed[at + 1 : at + 25]
    with_year = sum(_YEAR.search(row.text) is not None for row in following)
    return len(following) > 3 and with_year * 4 >= len(following)


def _read_items(rows: Sequence[Row], words: Counter[str]) -> Iterator[Item]:
    """Yield the items of one list; `words` is the paper's vocabulary, which tells what a hyphen at a row's end means.

    The rows are parted by the surest signs that there are: labels, else indents, else gaps, else first words.  Without
    labels, what can only be text behind the list and footnotes are left out first.
    """
    of_tables = _find_tables(rows)
    rows = [row for row in rows if id(row) not in of_tables]
    rows = _drop_other_sizes(_drop_captions(rows))
    parted = _part_by_labels(rows)
    if not parted:
        rows = _drop_footnotes(_drop_undated_end(rows))
        parted = _part_by_indent(rows) or _part_by_gaps(rows) or _part_by_words(rows)
    for label, group in parted:
        yield from _make_items(label, group, words)


def _make_items(label: str, every_row: Sequence[Row], words: Counter[str]) -> Iterator[Item]:
    """Yield the reference in the rows behind one label, or several if letters part them, `(a) …; (b) …`.

    The rows are cut to `_LONGEST` characters.  Without letters, or with less than `_SHORTEST` characters, they are no
    reference: none is yielded.
    """
    rows = _cut_to_longest(every_row)
    text = _close_addresses(pdf_line_breaks.join_rows([it.text for it in rows], words)[:_LONGEST])
    if len(text) < _SHORTEST or not any(map(str.isalpha, text)):
        return
    marked = _close_addresses(pdf_line_breaks.join_rows([it.marked or it.text for it in rows], words)[:_LONGEST])
    marked = _OTHERS.sub(r"\1", marked)  # “et al.” is in italics whatever stands in a title
    if not _is_partly_italic(marked):
        marked = text
    parts = _part_by_letters(text)
    marked_parts = _part_by_letters(marked)
    if len(parts) != len(marked_parts):  # signs of italics hid an `(a)`: then the references have no italics
        marked_parts = parts
    for part, marked_part in zip(parts, marked_parts, strict=True):
        yield Item(label, part, rows[0].page, marked_part)


def _part_by_letters(text: str) -> list[str]:
    """Return the references under one number, as chemists print them, `(a) …; (b) …`; else the text alone."""
    first = _FIRST_LETTER.match(text)
    if first is None:
        return [text]
    parts = list[str]()
    start = first.end()
    for letter in _LETTER.finditer(text):
        if letter[1] == chr(ord("a") + len(parts) + 1):  # the next letter of the alphabet: others are of the text
            parts.append(text[start : letter.start()])
            start = letter.end()
    if not parts:
        return [text]
    return [part.strip(" ;") for part in (*parts, text[start:])]


def _cut_to_longest(rows: Sequence[Row]) -> list[Row]:
    """Return the first rows of an item, until they have `_LONGEST` characters: no item is longer."""
    lengths = accumulate(len(row.text) + 1 for row in rows)
    return [row for row, length in zip(rows, lengths, strict=True) if length - len(row.text) <= _LONGEST]


def _close_addresses(text: str) -> str:
    """The text without the room that styles leave around the signs of addresses so that rows are filled:
    `https : / / example . org / paper`, `10 . 1000 / 182`."""
    closed = _SPACED_ADDRESS.sub(lambda it: it[0].replace(" ", "") if _SPACED.search(it[0]) else it[0], text)
    return _ROOM_IN_ADDRESS.sub(r"\1", closed)


def _is_partly_italic(marked: str) -> bool:
    """True if italics tell parts of a reference apart; some lists are in italics as a whole."""
    italics = sum(len(it) for it in _IN_ITALICS.findall(marked))
    return 0 < italics < 0.7 * len(marked)


_Parted = list[tuple[str, list[Row]]]


def _drop_other_sizes(rows: Sequence[Row]) -> list[Row]:
    """Return the rows of a list without blocks of rows in letters of another size.

    Such blocks are tables, footnotes, and the paper's text, which a list at the foot of columns surrounds.  A single
    row between two of them is a heading of that text, and left out, too.  Few smaller rows remain: they may be an
    address.
    """
    if not rows:
        return []
    size = usual_size(rows)
    runs = [list(group) for _, group in groupby(rows, key=lambda row: _has_size(row, size))]
    are_blocks = [_is_block_of_other_size(run, size) for run in runs]
    remaining: list[Row] = []
    for at, run in enumerate(runs):
        is_between = 0 < at < len(runs) - 1 and are_blocks[at - 1] and are_blocks[at + 1]
        is_heading = is_between and len(run) == 1
        if not are_blocks[at] and not is_heading:
            remaining.extend(run)
    return remaining


def _is_block_of_other_size(run: Sequence[Row], size: float) -> bool:
    """True for rows that are no part of items: several in other letters, fewer in larger ones, or a footnote."""
    if _has_size(run[0], size) or _find_numbers(run, _LABELS[0]):
        return False
    if run[0].size > size:
        return len(run) >= _ROWS_OF_LARGE_BLOCK
    return len(run) >= _ROWS_OF_BLOCK or _FOOTNOTE.match(run[0].text) is not None


def _drop_captions(rows: Sequence[Row]) -> list[Row]:
    """Return the rows without the captions of figures and tables that stand between items.

    A caption goes on as long as its rows follow closely, and no item begins with its label.  In a list without labels
    an item right behind a caption is lost with it.
    """
    step = pdf_rows.leading(rows)  # the usual distance of two rows
    remaining: list[Row] = []
    last_numbers: dict[_Label, int] = {}
    caption: Row | None = None  # the last row of the caption at hand
    for row in rows:
        if _CAPTION.match(row.text):
            caption = row
            continue
        begins_item = _begins_with_next_label(row, last_numbers)
        if caption is not None and not begins_item:
            is_in_column = (row.page, row.column) == (caption.page, caption.column)
            if is_in_column and 0 < caption.base - row.base < 1.3 * step:
                caption = row
                continue
        caption = None
        remaining.append(row)
    return remaining


def _begins_with_next_label(row: Row, last_numbers: dict[_Label, int]) -> bool:
    """True if the row begins with a label that may be the list's next one; `last_numbers` then gets its number.

    `[12]`, `[Knu84]` and `[Knuth(1984)]` mean labels wherever they stand; `[online]`, without a year, may stand within
    an item.  Another number, as `12.`, may begin any row: it has to count on from the last one of its kind, which is 0
    in the beginning, and may leave some out.
    """
    begins_item = False
    for label in _LABELS:
        match = label.pattern.match(row.text)
        if match is None:
            continue
        if not label.numbered:
            begins_item = begins_item or not label.aligned
            continue
        number = _number_of(match[1])
        last = last_numbers.get(label, 0)
        if not label.aligned or last < number <= last + _GAP:
            last_numbers[label] = number
            begins_item = True
    return begins_item


def _part_by_labels(rows: Sequence[Row]) -> _Parted:
    """Return the items by their labels, of the kind that most items have; [] if the list has no labels.

    Fewer than `_FEWEST` items count only if the list begins with one: what looks like a label may begin any row.
    """
    best: _Parted = []
    for label in _LABELS:
        found = _part_by_label(rows, label)
        if len(found) > len(best) * 1.2:  # the kinds before it are surer
            best = found
    if len(best) >= _FEWEST or (best and _is_first_row(best[0][1][0], rows)):
        return [(label, _drop_tail(group, best)) for label, group in best]
    return []


def _is_first_row(row: Row, rows: Sequence[Row]) -> bool:
    """True if a row, whose label may have been cut off, is the first one of a list."""
    return (row.page, row.column, row.base) == (rows[0].page, rows[0].column, rows[0].base)


def _part_by_label(rows: Sequence[Row], label: _Label) -> _Parted:
    """Return the items that begin with labels of this kind, their labels cut off; rows before the first are dropped.

    An item is its label and its rows.
    """
    items: list[tuple[str, list[Row]]] = []
    edges: dict[tuple[int, int], float] = {}  # where the first label of each column stands, by page and column
    last = 0  # the last number, of numbered labels
    for row in rows:
        match = label.pattern.match(row.text)
        if match and _follows(match[1], last, row, items, label, edges):
            if label.numbered:
                last = _number_of(match[1])
            edges.setdefault((row.page, row.column), row.left)
            name = match[1].replace(" ", "") if label.numbered else match[1]
            items.append((name, [_cut_label(row, match.end())]))
        elif items:
            _, rows_of_last = items[-1]
            rows_of_last.append(row)
    return items


def _follows(
    text: str, last: int, row: Row, items: _Parted, label: _Label, edges: dict[tuple[int, int], float]
) -> bool:
    """True if the label `text` of a row may be the next one behind those of the `items`, the last numbered `last`.

    Numbers count on by 1; `[12]`, which means a label wherever it stands, may leave some out, and a list may begin with
    it at any number.  Other labels, as `12.`, count only at the edge of their column (they are `aligned`), and from 1
    on: such a number may also begin a row of an item.  They leave some out, whose labels could not be read, only behind
    a row with which an item may end.  `edges`: where the first label of each column stands.
    """
    if label.aligned:
        edge = edges.get((row.page, row.column))
        is_indented = edge is not None and row.left > edge + 1.3 * row.size  # by more than a letter is high
        if is_indented:
            return False
    if not label.numbered:
        return True
    number = _number_of(text)
    if not items:  # `[2019]` is no label
        return number <= 1 or (number < 400 and not label.aligned)
    if label.aligned:
        _, rows_of_last = items[-1]
        may_be_lost = len(items) >= _FEWEST and last < number <= last + _GAP and _ENDED.search(rows_of_last[-1].text)
        return number == last + 1 or bool(may_be_lost)
    return last < number <= last + _GAP


def _cut_label(row: Row, start: int) -> Row:
    return replace(row, text=row.text[start:], marked=cut_marked(row.marked, start))


def _drop_tail(group: list[Row], items: _Parted) -> list[Row]:
    """Return the rows of an item, `group`; of the last item of the list only those that may still be part of it.

    Behind a list text may go on without a heading.  What ends the last item is a wide gap, a row in another size, or
    three rows more than any other item has.  Of fewer than `_FEWEST` items nobody knows what is usual.
    """
    is_last = group is items[-1][1]
    if not is_last or len(items) < _FEWEST:
        return group
    others = [rows for _, rows in items[:-1]]
    step = pdf_rows.leading(list(chain.from_iterable(others)))  # the usual distance of two rows
    most = max(map(len, others))
    remaining = group[:1]
    for row in group[1:]:
        last = remaining[-1]
        is_in_column = (row.page, row.column) == (last.page, last.column)
        is_apart = is_in_column and last.base - row.base > 1.8 * step
        # A short row, as the end of an address, may be in other letters.
        is_in_other_size = abs(row.size - last.size) > _SAME_SIZE * last.size and len(row.text) > 20
        if is_apart or is_in_other_size or len(remaining) >= most + 3:
            break
        remaining.append(row)
    return remaining


def _drop_undated_end(rows: Sequence[Row]) -> Sequence[Row]:
    """Return the rows up to the last one with a year or an address, and what goes on behind it without a gap.

    All if no row has a year or an address, as nothing tells then where the list ends.
    """
    last_dated = max((at for at, row in enumerate(rows) if _DATED.search(row.text)), default=len(rows))
    step = pdf_rows.leading(rows)
    for at in range(last_dated + 1, len(rows)):
        before, row = rows[at - 1], rows[at]
        is_beside = (row.page, row.column) == (before.page, before.column)
        if is_beside and before.base - row.base > 1.8 * step:
            return rows[:at]
    return rows


def _drop_footnotes(rows: Sequence[Row]) -> Sequence[Row]:
    """Return the rows without footnotes.

    A footnote begins with a mark, behind a wide gap; all that follows in its column is left out with it.
    """
    step = pdf_rows.leading(rows)  # the usual distance of two rows
    remaining: list[Row] = []
    footnoted: tuple[int, int] | None = None  # the page and column whose foot is reached
    for row in rows:
        place = (row.page, row.column)
        last = remaining[-1] if remaining else None
        is_apart = last is not None and place == (last.page, last.column) and last.base - row.base > 1.8 * step
        if is_apart and _FOOTNOTE.match(row.text):
            footnoted = place
        if place != footnoted:
            remaining.append(row)
    return remaining


def _part_by_indent(rows: Sequence[Row]) -> _Parted:
    """Return the items parted by hanging indents, or by indented first rows, whichever makes the better references.

    The better ones are those of which more begin and end as references do and have a year.  A row within 4 points of
    its column's left edge stands at the edge, one within 60 is indented.  A column whose rows all begin at one place
    has no edge of its own (None): there, rows that begin at another column's edge do.  [] if the rows have no indents.
    """
    columns: dict[tuple[int, int], list[Row]] = {}  # by page and column
    for row in rows:
        columns.setdefault((row.page, row.column), []).append(row)
    edges = {place: _left_edge(column) for place, column in columns.items()}
    known_edges = Counter(round(edge) for edge in edges.values() if edge is not None)
    if not known_edges:
        return []
    inner: set[int] = set()  # ids of rows that are indented
    outer: set[int] = set()  # ids of rows at the edge
    for row in rows:
        edge = edges[row.page, row.column]
        if edge is None:
            continue
        indent = row.left - edge
        if indent <= 4:
            outer.add(id(row))
        elif indent <= 60:
            inner.add(id(row))
    # Too few of either: nothing is indented here, or all is.
    if len(inner) < 0.15 * len(rows) or len(outer) < 0.03 * len(rows):
        return []
    hanging = _part(rows, lambda row: id(row) in outer or _at_known_edge(row, edges, known_edges))
    first_indented = _part(rows, lambda row: id(row) in inner)
    return max((hanging, first_indented), key=_plausibility)


def _left_edge(rows: Sequence[Row]) -> float | None:
    """Where the rows of a column begin, if they begin at two places."""
    lefts = sorted(it.left for it in rows)
    low = lefts[0]
    near = sum(it - low <= 4 for it in lefts)
    return low if near < len(lefts) else None


def _at_known_edge(row: Row, edges: dict[tuple[int, int], float | None], known: Counter[int]) -> bool:
    """True in a column without any indent for a row that begins where the items of other columns do."""
    return edges[row.page, row.column] is None and any(abs(row.left - it) <= 2 for it in known)


def _plausibility(parted: _Parted) -> float:
    """Say how much items look like references, from 0 to 3: the shares that begin so, that end so and that have a year.

    0 if there are no items.
    """
    if not parted:
        return 0.0
    groups = [group for _, group in parted]
    good = sum(_STARTS.match(it[0].text) is not None and not it[0].text[:1].islower() for it in groups)
    ended = sum(_ENDED.search(it[-1].text) is not None for it in groups)
    dated = sum(any(_YEAR.search(row.text) for row in it) for it in groups)
    return (good + ended + dated) / len(groups)


def _part(rows: Sequence[Row], begins: Callable[[Row], bool]) -> _Parted:
    found: _Parted = []
    for row in rows:
        if begins(row) or not found:
            found.append(("", [row]))
        else:
            found[-1][1].append(row)
    return found


def _part_by_gaps(rows: Sequence[Row]) -> _Parted:
    """Return the items parted by wider gaps between rows; [] if hardly any or nearly all gaps are wide.

    A gap is wide if it is an eighth more than the usual distance of two rows.
    """
    step = pdf_rows.leading(rows)
    gaps: dict[int, float] = {}
    for last, row in pairwise(rows):
        if (row.page, row.column) == (last.page, last.column):
            gaps[id(row)] = last.base - row.base
    wide = {key for key, gap in gaps.items() if gap > 1.12 * step}
    if not 0.08 * len(rows) < len(wide) < 0.8 * len(rows):
        return []
    # The first row of a column has no gap above it: it begins an item if its words may, and the row before has ended.
    new_column = {id(it) for it in rows if id(it) not in gaps and _STARTS.match(it.text) and not it.text[:1].islower()}
    rows_before = {id(row): last for last, row in pairwise(rows)}
    begun = {key for key in new_column if key not in rows_before or _ENDED.search(rows_before[key].text)}
    return _part(rows, lambda it: id(it) in wide or id(it) in begun)


def _part_by_words(rows: Sequence[Row]) -> _Parted:
    """The items by their first words, where nothing else parts them: people, behind a row that ended."""
    found: _Parted = []
    for row in rows:
        last = found[-1][1][-1] if found else None
        if last is None or (_ENDED.search(last.text) and _begins_item(row, last, found[-1][1][0])):
            found.append(("", [row]))
        else:
            found[-1][1].append(row)
    return found


def _begins_item(row: Row, last: Row, first: Row) -> bool:
    """True for a row that begins with people, in the order of an alphabetical list or behind a short row."""
    if not _PEOPLE.match(row.text):
        return False
    short = last.right < last.end - 3 * last.size
    return short or first.text[:3].casefold() <= row.text[:3].casefold()
