r"""The fields of one BibTeX entry: exact places, and what is malformed.

Values are `{braced}`, `"quoted"`, numbers or macro names, joined by `#`.  Braces count even after a backslash.
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Literal

from citelsp.base import bounds
from citelsp.base.text import Span
from citelsp.syntax.nodes import EntryProblem

_BARE = r"[^\s\"#,={}()%@]++"  # a number or a macro's name: `1984`, `jan`
_COMMENT = r"(?:%[^\n]*+)"
_COMMENTS = re.compile(_COMMENT)
_SPACE = rf"(?:\s++|{_COMMENT})*"
_NAME = r"[^\s\"#%'(),={}]++"  # all but the signs that bibtex.web calls illegal; some write `@url =` to drop a field
# `, year = 1984` and `, title = "…"` as a whole; `, title = {…}` up to its brace.
_FAST_FIELD = re.compile(rf"[\s,]*+({_NAME})\s*+=\s*+(?P<value>{_BARE}|\"[^\"{{}}]*+\")?")
_ENDS_FIELD = re.compile(r"\s*+[,}]")  # behind a value
_FIELD_START = re.compile(rf"({_NAME}){_SPACE}={_SPACE}")  # `title = `, up to the value; comments may stand between
# The break before a line that begins with `title = {`.
_NEXT_LINE = re.compile(rf"\n[ \t]*+(?={_NAME}[ \t]*+=[ \t]*+[{{\"\w])")
# The same, or a comma before `title = {` on one line.
_NEXT_FIELD = re.compile(rf"(?:\n[ \t]*+|,\s*+)(?={_NAME}[ \t]*+=[ \t]*+[{{\"\w])")
_END_OF_ENTRY = re.compile(r"[\s,]*+[})]\Z")  # what may follow the last field: `,` and the closing brace
_BETWEEN = re.compile(rf"(?:[\s,]|{_COMMENT})*")  # what may stand between fields
_SPACES = re.compile(_SPACE)
_NO_NUMBER = re.compile(rf"(\d++)(?![\s,}})#]){_BARE}")  # `12th`, which looks like a number and needs braces
_BARE_PART = re.compile(_BARE)
_JOIN = re.compile(rf"{_SPACE}#{_SPACE}")
_BRACE_OR_QUOTE = re.compile(r'[{}"]')
_TWO_COMMAS = re.compile(r",\s*+,")
_KEY_WORD = r"[^\s,{}()=\"#%~\\]++"
# The words behind a key that a space ends, up to a comma, a line's end or the entry's.
_REST_OF_KEY = re.compile(rf"{_KEY_WORD}(?:[ \t]++{_KEY_WORD})*(?=[ \t\r]*+(?:,|\n|\Z))")
_WORD = re.compile(r"[^\s,={}]++")
_UNREADABLE_IN_KEY = re.compile(r"[\"#%'()=]")  # tried with biber 2.18
_COMPARED_FIELDS = frozenset(
    "title subtitle journal journaltitle booktitle howpublished institution school organization publisher".split()
)
# No usual style prints them: publishers and reference managers export several, such as one annote for each note.
_UNPRINTED = frozenset({"abstract", "annotation", "annote", "file", "keyword", "keywords"})
COMMENT = re.compile(r'%(?<=[\s,}"]%)')  # where it stands between fields; not in a key such as `10.1016%2Fj.1`
BRACE_IN_COMMENT = re.compile(rf"{COMMENT.pattern}[^\n{{}}]*+([{{}}]?)")  # each comment up to its first brace

# Groups are repeated without possession, which Python before 3.11.5 matches wrongly.
_GROUP = r"\{(?:[^{}]++|\{(?:[^{}]++|\{(?:[^{}]++|\{[^{}]*+\})*\})*\})*\}"  # braces four deep
_PLAIN_BARE = rf"(?:\d++(?=[\s,}})])|(?!\d){_BARE})"  # `1984` or `jan`, but not `12th`
# From the comma behind the key to the end of the entry, if all its fields are plain.
_PLAIN_FIELDS = re.compile(
    rf",(?:\s*+(?!\d){_NAME}\s*+=\s*+(?:{_GROUP}|{_PLAIN_BARE}|\"[^\"{{}}]*+\")\s*+(?:,|(?=[}})]\Z)))*\s*+[}})]\Z"
)
_LINE_NAMES = re.compile(r"\n[ \t]*+([A-Za-z][\w-]*+)[ \t]*+=").findall  # of the fields that begin a line

LONG = 10_000  # characters of an entry, than which hardly anyone writes a longer one
_NEAR = 1000  # characters in which most braces close

# A field in the source of an entry: its name as written, where that begins, where the value begins and ends.
Place = tuple[str, int, int, int]


def brace_end(text: str, offset: int, limit: int, depth: int = 1) -> int:
    """The offset after the brace that closes the `depth` ones open at `offset`; 0 if none does before `limit`."""
    find = text.find
    count = text.count
    while (closing := find("}", offset, limit)) >= 0:
        depth += count("{", offset, closing) - 1
        offset = closing + 1
        if not depth:
            return offset
    return 0


def scan_fields(source: str, key_end: int, *, closed: bool) -> list[Place]:
    """The fields of an entry's source in their order.  Unreadable stretches are passed over."""
    if closed:
        places, offset = _read_plain_fields(source, key_end)
    else:
        places, offset = [], key_end
    if offset < len(source):
        walk = _Walk(source, offset, closed=closed)
        places += [item for item in walk.items() if isinstance(item, tuple)]
    return places


def _read_plain_fields(source: str, offset: int) -> tuple[list[Place], int]:
    """Read fields up to the first that is not plainly `name = value,`; return their places, and where to go on reading.

    A place is (name, where that begins, where its value begins and ends).  Reading goes on at the source's end if no
    field is left.  This is quick, as nearly all fields are such; `_Walk` reads the others.  The `source` is closed, so
    that its last sign, a brace or parenthesis, stands behind every value.
    """
    places: list[Place] = []
    end = len(source)
    while len(places) < bounds.FIELDS and (match := _FAST_FIELD.match(source, offset, end)):
        start, stop = match.span("value")  # of a quoted or bare value; the pattern does not take one in braces
        if stop < 0:
            start = match.end()
            stop = brace_end(source, start + 1, end) if source[start] == "{" else 0
        is_plain = stop > start and (source[stop] in ",}" or _ENDS_FIELD.match(source, stop))
        if not is_plain:  # it has no value, its brace is not closed, or something else follows the value
            break
        places.append((match[1], match.start(1), start, stop))
        offset = stop
    nothing_follows = _END_OF_ENTRY.match(source, offset) is not None
    return places, (end if nothing_follows else offset)


def strip_delimiters(value: str) -> str:
    """A value without its outermost braces or quotes; a `#` concatenation stays as written."""
    if value[:1] not in ("{", '"'):
        return value
    is_joined = "#" in value and len(split_value(value)) > 1
    if is_joined:
        return value
    closing = "}" if value[0] == "{" else '"'
    is_closed = len(value) > 1 and value[-1] == closing
    return value[1:-1] if is_closed else value[1:]


def split_value(value: str) -> list[str]:
    """Split a value into the parts that `#` joins, each with its braces or quotes: `jan`, `" 5"` of `jan # " 5"`."""
    return [span.within(value) for span in _find_parts(value)]


def _find_parts(value: str) -> Iterator[Span]:
    """Yield where the parts of a value stand that `#` joins; comments may stand between them."""
    offset = 0
    braces = Braces(value)
    while offset < len(value):
        end = _part_end(value, offset, braces) or len(value)  # one that is never closed is all the rest
        if end == offset:  # no part begins here
            break
        yield Span(offset, end)
        join = _JOIN.match(value, end)
        offset = join.end() if join else len(value)


def macros_in(source: str, value: Span) -> list[Span]:
    """Find the macro names in a value, such as `jan` in `jan # " 5"`; `value` is where it stands in `source`."""
    written = value.within(source)
    is_single_text = written[:1] in ("{", '"') and "#" not in written
    if is_single_text:
        return []
    names: list[Span] = []
    for part in _find_parts(written):
        first_sign = written[part.start]
        is_text = first_sign in '{"'
        if not is_text and not first_sign.isdigit():
            names.append(part.moved(value.start))
    return names


def find_problems(source: str, key: Span, *, closed: bool) -> list[EntryProblem]:
    """List what is malformed in an entry: first that it is never closed, then what is wrong with its key, then comments
    in it, commas too many, and what is wrong with its fields.

    `key` is where its key stands, an empty span if it has none; `closed` says whether its last brace was found.  Of a
    problem `reader` is the only program to which it matters, `ignored_by` the only one to which it does not, `mend` a
    replacement that can only be what was meant, and `serious` False if BibTeX and biber read the entry all the same.
    """
    problems = list(_find_key_problems(source, key, closed=closed))
    has_key = key.start < key.end
    # Nearly all entries end here, all fields being plain: a check of 50,000 has no time to walk the fields of each.
    # A longer one may hold a value that is too long to be compared as a whole, which the quick look does not see.
    if closed and has_key and len(source) < LONG and _has_plain_fields(source, key.end):
        return problems
    places: list[Place] = []
    offset = key.end
    if closed and source.startswith(",", key.end):  # if the comma is missing, only the walk finds that
        places, offset = _read_plain_fields(source, key.end)
    walk = _Walk(source, offset, closed=closed)
    items: list[Place | EntryProblem] = [*places, *walk.items()]
    if not closed:
        problems.insert(0, _tell_unclosed(source, key, walk.comments))
    else:
        problems += _tell_comments(walk.comments, "an entry")
    if closed and _TWO_COMMAS.search(source, key.end):
        problems += _find_extra_commas(source, key.end, [item for item in items if isinstance(item, tuple)])
    problems += _field_problems(source, items)
    return problems


def _find_key_problems(source: str, key: Span, *, closed: bool) -> Iterator[EntryProblem]:
    """Yield what is malformed in the key of an entry: a sign in it, or that it, or the comma behind it, is missing.

    What is missing may still come if the entry is not `closed`, and counts only if it is.  A missing comma is told here
    if nothing follows the key; before a field `_Walk` tells it.
    """
    unreadable = _UNREADABLE_IN_KEY.search(source, key.start, key.end)
    if unreadable:
        message = f"biber does not read an entry whose key contains “{unreadable[0]}”"
        yield EntryProblem(message, key, reader="biber")
    if not closed:
        return
    has_key = key.start < key.end
    if not has_key:
        yield EntryProblem("This entry has no key", Span(0, max(key.start, 1)))
    elif not source.startswith(",", key.end) and not source[key.end : -1].strip():  # `@article{key}`
        message = "biber does not read an entry without a comma after its key"
        yield EntryProblem(message, key, mend=(Span(key.end, key.end), ","), reader="biber")


def _field_problems(source: str, items: Sequence[Place | EntryProblem]) -> Iterator[EntryProblem]:
    """Yield what is malformed in single fields, in their order, then which fields stand several times.

    `items` are the fields by their places (name, where that begins, where the value begins and ends) and the problems
    found between them.  Fields that no usual style prints may be repeated.
    """
    values_by_name: dict[str, list[str]] = {}
    repeated: dict[str, Span] = {}  # where a field stands for the second time
    for item in items:
        if isinstance(item, EntryProblem):
            yield item
            continue
        yield from _find_unreadable(source, item)
        written_name, offset, start, end = item
        name = written_name.lower()
        values = values_by_name.setdefault(name, [])
        values.append(source[start:end])
        if len(values) > 1:
            repeated.setdefault(name, Span(offset, offset + len(name)))
    for name, second in repeated.items():
        if name not in _UNPRINTED:
            yield _tell_repeated(name, second, values_by_name[name])


def _tell_repeated(name: str, second: Span, values: Sequence[str]) -> EntryProblem:
    """Say that a field stands several times, with these `values` as written; shown at its second place.

    If they are all the same nothing is lost, but BibTeX warns.
    """
    often = "twice" if len(values) == 2 else f"{len(values)} times"
    message = f"The field {name} appears {often}"
    if len(set(values)) == 1:
        return EntryProblem(message, second, serious=False, reader="bibtex", equal_field=name)
    return EntryProblem(message, second, serious=False)


def _find_unreadable(source: str, place: Place) -> Iterator[EntryProblem]:
    """Yield what is malformed in the field at `place`, or compared in part only.

    `reader` names the only program to which it matters, `ignored_by` the only one to which it does not.
    """
    name, offset, start, end = place
    name_span = Span(offset, offset + len(name))
    if "@" in name:
        message = f"pandoc reads no file in which a field is called {name}"
        yield EntryProblem(message, name_span, reader="pandoc")
    if end - start > bounds.VALUE and name.lower() in _COMPARED_FIELDS:
        message = f"citelsp compares the first {bounds.VALUE:,} characters of this field only"
        yield EntryProblem(message, name_span, serious=False)
    if name[0].isdigit():
        message = f"A field's name cannot begin with a digit: {name}"
        yield EntryProblem(message, name_span, ignored_by="pandoc")
        return  # BibTeX, for which alone the value is looked at below, reads no further than the name
    bare = _NO_NUMBER.match(source, start, end)
    if bare:
        message = f"BibTeX skips the rest of the entry after “{bare[1]}”: this value needs braces"
        span = Span(*bare.span())
        yield EntryProblem(message, span, mend=(span, f"{{{bare[0]}}}"), reader="bibtex")


def _tell_comments(comments: Sequence[Span], block: str) -> list[EntryProblem]:
    """Say that BibTeX allows no comments within this kind of block, at the first of them; empty if there are none."""
    message = f"BibTeX does not allow comments within {block} and skips the rest of it"
    return [EntryProblem(message, comment, serious=False, reader="bibtex") for comment in comments[:1]]


def find_block_problem(source: str, kind: str, body: int) -> EntryProblem | None:
    """Find the first thing that is malformed in a closed @string or @preamble, whose opening brace ends at `body`.

    A comment in it, which only BibTeX minds, comes last; None if nothing is malformed.  A macro too many is shown at
    the last one.
    """
    walk = _Walk(source, body, closed=True)
    if kind == "preamble":
        return walk.text_problem() or next(iter(_tell_comments(walk.comments, "a @preamble")), None)
    places: list[Place] = []
    for item in walk.items():
        if isinstance(item, EntryProblem):
            return item
        places.append(item)
        problem = next(_find_unreadable(source, item), None)
        if problem:
            return problem
    if not places:
        return EntryProblem("BibTeX needs a name in a @string", Span(0, body), reader="bibtex")
    _, last_name, _, last_value_end = places[-1]
    if len(places) > 1:
        span = Span(last_name, last_value_end)
        return EntryProblem("BibTeX reads only the first macro of a @string", span, reader="bibtex")
    space = _SPACES.match(source, last_value_end)  # with comments, in which a comma may stand
    comma = space.end() if space else last_value_end
    if source.startswith(",", comma):
        span = Span(comma, comma + 1)
        return EntryProblem("BibTeX does not allow a comma after the value", span, mend=(span, ""), reader="bibtex")
    return next(iter(_tell_comments(walk.comments, "a @string")), None)


def _find_extra_commas(source: str, end: int, places: Sequence[Place]) -> Iterator[EntryProblem]:
    """Yield commas too many between fields, at which BibTeX and biber stop; `end` is the end of the key."""
    # The last place stands for the closing brace: one comma before it is fine, two are not.
    closing: Place = ("", len(source) - 1, 0, 0)
    for _, start, _, value_end in (*places, closing):
        gap = source[end:start]
        holds_only_commas = not gap.strip(", \t\r\n")
        if holds_only_commas and gap.count(",") > 1:
            first = end + gap.index(",")
            last = end + gap.rindex(",")
            yield EntryProblem("One comma too many", Span(last, last + 1), mend=(Span(first + 1, last + 1), ""))
        end = value_end


def _tell_unclosed(source: str, key: Span, comments: Sequence[Span]) -> EntryProblem:
    """Say that an entry is never closed; shown at a brace in one of its comments, if any."""
    for comment in comments:
        brace = source.find("}", comment.start, comment.end)
        if brace >= 0:
            message = "This entry is never closed: a brace in a comment does not count"
            return EntryProblem(message, Span(brace, brace + 1))
    return EntryProblem("This entry is never closed", Span(0, max(key.end, 1)))


def _has_plain_fields(source: str, key_end: int) -> bool:
    """True if nothing can be wrong: a quick look at what most entries are, each field once and on a line of its own."""
    names: list[str] = _LINE_NAMES(source)
    each_on_a_line = len(names) == source.count("=")
    each_once = len(set(map(str.lower, names))) == len(names)
    return each_on_a_line and each_once and _PLAIN_FIELDS.match(source, key_end) is not None


class Braces:
    """Where each opening brace of a text, or parenthesis, closes; found in one pass once it is not near."""

    def __init__(self, text: str, pair: Literal["{}", "()"] = "{}") -> None:
        self._text = text
        self._pair = pair
        self._closing: dict[int, int] | None = None

    def closing(self, opening: int) -> int | None:
        """Return the offset at which what opens at `opening` closes; None if it is never closed."""
        if self._closing is not None:
            return self._closing.get(opening)
        # Most close nearby; for one that does not the whole text is read, once for all.
        near_end = brace_end(self._text, opening + 1, opening + _NEAR) if self._pair == "{}" else 0
        if near_end:
            return near_end - 1
        self._closing = {}
        unclosed: list[int] = []
        for match in re.finditer(rf"[{self._pair}]", self._text):
            if match[0] == self._pair[0]:
                unclosed.append(match.start())
            elif unclosed:
                self._closing[unclosed.pop()] = match.start()
        return self._closing.get(opening)


def _part_end(text: str, offset: int, braces: Braces) -> int | None:
    """Find where the part of a value at `offset` ends; `offset` if none begins there, None if it is never closed."""
    sign = text[offset : offset + 1]
    if sign == "{":
        closing = braces.closing(offset)
        return None if closing is None else closing + 1
    if sign == '"':
        return _quote_end(text, offset + 1, braces)
    bare = _BARE_PART.match(text, offset)
    return bare.end() if bare else offset


def _quote_end(text: str, offset: int, braces: Braces) -> int | None:
    """Return the offset behind the quotation mark that closes a quoted value; None if it is never closed.

    Quotation marks in braces do not close it.  It counts as never closed also if a brace in it is not closed, or if a
    `}` before its end closes nothing in it.
    """
    while match := _BRACE_OR_QUOTE.search(text, offset):
        if match[0] == '"':
            return match.end()
        closing = braces.closing(match.start()) if match[0] == "{" else None
        if closing is None:
            return None
        offset = closing + 1
    return None


class _Walk:
    """Reads the fields of one entry one after the other, past whatever stands between them."""

    def __init__(self, source: str, offset: int, *, closed: bool) -> None:
        self._source = source
        self._offset = offset
        self._closed = closed
        self._end = len(source) - 1 if closed else len(source)
        self._braces = Braces(source)
        self._next_line = -1  # the first on which a field begins, from where it was last looked for
        self.comments: list[Span] = []  # those met outside of values

    def items(self) -> Iterator[Place | EntryProblem]:
        """Yield the fields in their order, and before each what is wrong with it or stands there instead of a field.

        After bounds.FIELDS fields, or stretches that are none, a problem that says so ends them.  Comments outside of
        values are added to `comments` meanwhile.
        """
        for count in itertools.count():
            before = self._offset
            between = _BETWEEN.match(self._source, before, self._end)
            start = between.end() if between else before
            self._offset = start
            self._note_comments(before, start)
            if start >= self._end:
                return
            if count == bounds.FIELDS:
                break
            field_start = _FIELD_START.match(self._source, start, self._end)
            if field_start is None:
                is_of_key = count == 0 and self._source[before:start].isspace() and not self._opens_entry(before)
                yield self._skip_to_next_field(start, is_of_key=is_of_key)
                continue
            # The first field needs none if the entry has no key: `@article{title = …`.
            comma_missing = "," not in self._source[before:start] and not self._opens_entry(before)
            if comma_missing:
                name = Span(*field_start.span(1))
                yield EntryProblem("A comma is missing before this field", name, mend=(Span(before, before), ","))
            yield from self._read_field(field_start)
        yield EntryProblem(f"This entry has more than {bounds.FIELDS:,} fields, not all of which are read", Span(0, 1))

    def text_problem(self) -> EntryProblem | None:
        """Return what keeps the text of a @preamble from being one value and nothing else; None if nothing does."""
        start = self._past_space(self._offset)
        end = self._value_end(start)
        is_missing = end == start
        if end is None or is_missing or self._past_space(end) < self._end:
            return EntryProblem("A @preamble has one value, in braces or quotes of its own", Span(0, self._offset))
        return None

    def _past_space(self, offset: int) -> int:
        """Return the offset behind white space and comments; these are added to `comments`."""
        between = _SPACES.match(self._source, offset, self._end)
        end = between.end() if between else offset
        self._note_comments(offset, end)
        return end

    def _note_comments(self, start: int, end: int) -> None:
        self.comments += [Span(*comment.span()) for comment in _COMMENTS.finditer(self._source, start, end)]

    def _opens_entry(self, before: int) -> bool:
        """True if what stands before an offset, spaces aside, opens the entry: its fields begin without a key."""
        while before > 0 and self._source[before - 1].isspace():
            before -= 1
        return self._source[before - 1 : before] in ("{", "(")

    def _read_field(self, start: re.Match[str]) -> Iterator[Place | EntryProblem]:
        """Read the field whose name and equals sign are `start`; yield what is wrong with its value, then its place.

        Reading goes on behind it.
        """
        name = start[1]
        offset = start.start(1)
        value = start.end()
        self._note_comments(start.end(1), value)  # beside the equals sign
        end = self._value_end(value)
        if end is None:
            end = self._find_recovery(value)
            yield EntryProblem(f"The value of {name} is never closed", Span(offset, min(value + 1, end)))
        elif end == value:
            name_span = Span(offset, offset + len(name))
            yield EntryProblem(f"The field {name} has no value", name_span, ignored_by="pandoc")
        self._offset = end
        yield name, offset, value, end

    def _value_end(self, offset: int) -> int | None:
        """Find where a value ends that begins at `offset`, with all its parts joined by `#`.

        `offset` itself if there is no value, None if it is never closed.
        """
        end = offset
        while True:
            part_end = _part_end(self._source, offset, self._braces)
            if part_end is None or part_end > self._end:  # perhaps closed by the entry's own brace alone
                return None
            if part_end == offset:  # nothing, perhaps behind a `#`
                return end
            end = part_end
            # A forgotten brace may be closed by a later field's: a value that holds a field's line is not closed.
            if not self._closed and _NEXT_LINE.search(self._source, offset, end):
                return None
            join = _JOIN.match(self._source, end, self._end)
            if not join:
                return end
            offset = join.end()
            self._note_comments(end, offset)

    def _find_recovery(self, offset: int) -> int:
        """Return where a value that is never closed is taken to end: before what looks like the next field."""
        if self._next_line < offset:
            line = _NEXT_LINE.search(self._source, offset)
            self._next_line = line.start() if line else len(self._source)
        end = self._next_line
        # An entry on a single line has no further lines to go by; then a comma has to do.
        if end == len(self._source):
            following = _NEXT_FIELD.search(self._source, offset)
            end = following.start() if following else self._end
        return offset + len(self._source[offset:end].rstrip().rstrip(","))

    def _skip_to_next_field(self, offset: int, *, is_of_key: bool) -> EntryProblem:
        """Go on to the next field, past what is none; shown is its first word.

        `is_of_key`: it stands behind the key with nothing but a space between.  All its words are shown then.
        """
        next_field = _NEXT_FIELD.search(self._source, offset, self._end)
        self._offset = next_field.start() if next_field else self._end
        rest = _REST_OF_KEY.match(self._source, offset, self._offset) if is_of_key else None
        if rest:
            return EntryProblem("A key holds no spaces: join its words, or end it with a comma", Span(*rest.span()))
        word = _WORD.match(self._source, offset, self._offset)
        return EntryProblem("A field `name = value` is expected here", Span(offset, word.end() if word else offset + 1))
