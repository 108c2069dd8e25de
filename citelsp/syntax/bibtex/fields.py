r"""The fields of one BibTeX entry: exact places, and what is malformed.

Values are `{braced}`, `"quoted"`, numbers or macro names, joined by `#`.  Braces count even after a backslash.
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Literal

from citelsp.base import bounds
from citelsp.base.text import Span
from citelsp.syntax.nodes import EntryProblem, Reader

_BARE = r"[^\s\"#,={}()%@]++"
_COMMENT = r"(?:%[^\n]*+)"
_COMMENTS = re.compile(_COMMENT)
_SPACE = rf"(?:\s++|{_COMMENT})*"
_NAME = r"[^\s\"#%'(),={}]++"  # all but the signs that bibtex.web calls illegal; some write `@url =` to drop a field
_FAST_FIELD = re.compile(rf"[\s,]*+({_NAME})\s*+=\s*+(?:({_BARE})|\"[^\"{{}}]*+\")?")
_AFTER = re.compile(r"\s*+[,}]")
_FIELD_START = re.compile(rf"({_NAME}){_SPACE}={_SPACE}")
_NEXT_LINE = re.compile(rf"\n[ \t]*+(?={_NAME}[ \t]*+=[ \t]*+[{{\"\w])")
_NEXT_FIELD = re.compile(rf"(?:\n[ \t]*+|,\s*+)(?={_NAME}[ \t]*+=[ \t]*+[{{\"\w])")
_REST = re.compile(r"[\s,]*+[})]\Z")
_BETWEEN = re.compile(rf"(?:[\s,]|{_COMMENT})*")
_SPACES = re.compile(_SPACE)
_NO_NUMBER = re.compile(rf"(\d++)(?![\s,}})#]){_BARE}")
_BARE_PART = re.compile(_BARE)
_JOIN = re.compile(rf"{_SPACE}#{_SPACE}")
_BRACE_OR_QUOTE = re.compile(r'[{}"]')
_TWO_COMMAS = re.compile(r",\s*+,")
_WORD = re.compile(r"[^\s,={}]++")
_UNREADABLE = re.compile(r"[\"#%'()=]")  # tried with biber 2.18
_COMPARED = frozenset(
    "title subtitle journal journaltitle booktitle howpublished institution school organization publisher".split()
)
_NOTES = frozenset({"abstract", "file", "keyword", "keywords"})  # no style prints them: publishers export several
COMMENT = re.compile(r'%(?<=[\s,}"]%)')  # where it stands between fields; not in a key such as `10.1016%2Fj.1`
BRACE_IN_COMMENT = re.compile(rf"{COMMENT.pattern}[^\n{{}}]*+([{{}}]?)")  # each comment up to its first brace

# Groups are repeated without possession, which Python before 3.11.5 matches wrongly.
_GROUP = r"\{(?:[^{}]++|\{(?:[^{}]++|\{(?:[^{}]++|\{[^{}]*+\})*\})*\})*\}"  # braces four deep
_PLAIN_BARE = rf"(?:\d++(?=[\s,}})])|(?!\d){_BARE})"
_PLAIN_FIELDS = re.compile(
    rf",(?:\s*+(?!\d){_NAME}\s*+=\s*+(?:{_GROUP}|{_PLAIN_BARE}|\"[^\"{{}}]*+\")\s*+(?:,|(?=[}})]\Z)))*\s*+[}})]\Z"
)
_LINE_NAMES = re.compile(r"\n[ \t]*+([A-Za-z][\w-]*+)[ \t]*+=").findall

LONG = 10_000  # characters of an entry, than which hardly anyone writes a longer one
_NEAR = 1000  # characters

Place = tuple[str, int, int, int]  # name, its start, value start, value end


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


def scan(source: str, key_end: int, *, closed: bool) -> list[Place]:
    """The fields of an entry's source in their order.  Unreadable stretches are passed over."""
    places, offset = _well_formed(source, key_end) if closed else ([], key_end)
    if offset < len(source):
        places += [it for it in _Walk(source, offset, closed=closed).items() if isinstance(it, tuple)]
    return places


def _well_formed(source: str, offset: int) -> tuple[list[Place], int]:
    """The fields up to the first that is not plainly `name = value,`; the offset to go on from, or the source's end."""
    places: list[Place] = []
    end = len(source)
    while len(places) < bounds.FIELDS and (match := _FAST_FIELD.match(source, offset, end)):
        value = match.end(1)
        stop = match.end()
        if source[stop] == "{" and (stop := brace_end(source, stop + 1, end)):
            value = match.end()
        else:
            value = source.index("=", value) + 1
            value = stop - len(source[value:stop].lstrip())
        if stop <= value or not (source[stop] in ",}" or _AFTER.match(source, stop)):
            break
        places.append((match[1], match.start(1), value, stop))
        offset = stop
    rest = _REST.match(source, offset)
    return places, end if rest else offset


def stripped(value: str) -> str:
    """A value without its outermost braces or quotes; a `#` concatenation stays as written."""
    if value[:1] not in ("{", '"') or ("#" in value and len(parts(value)) > 1):
        return value
    closing = "}" if value[0] == "{" else '"'
    return value[1:-1] if len(value) > 1 and value[-1] == closing else value[1:]


def parts(value: str) -> list[str]:
    """The parts of a value that `#` joins, each with its braces or quotes."""
    found: list[str] = []
    offset = 0
    braces = Braces(value)
    while offset < len(value):
        end = _part_end(value, offset, braces) or len(value)
        if end == offset:
            break
        found.append(value[offset:end])
        join = _JOIN.match(value, end)
        offset = join.end() if join else len(value)
    return found


def macros_in(source: str, value: Span) -> list[Span]:
    """The macro names in a value, between the `#` that join its parts."""
    written = value.within(source)
    offset = value.start
    if written[:1] in ("{", '"') and "#" not in written:
        return []
    found: list[Span] = []
    for part in parts(written):
        offset = source.index(part, offset)
        if part[0] not in '{"' and not part[0].isdigit():
            found.append(Span(offset, offset + len(part)))
        offset += len(part)
    return found


def trouble(source: str, key: Span, *, closed: bool) -> list[EntryProblem]:
    """What is malformed in an entry."""
    found = []
    odd = _UNREADABLE.search(source, key.start, key.end)
    if odd:
        message = f"biber does not read an entry whose key contains “{odd[0]}”"
        found.append(EntryProblem(message, key, reader="biber"))
    # Nearly all entries end here: a check of 50,000 has no time to walk the fields of each.
    if closed and key.start < key.end and len(source) < LONG and _is_plain(source, key.end):
        return found
    if key.start == key.end and closed:
        found.append(EntryProblem("This entry has no key", Span(0, max(key.start, 1))))
    places, offset = _well_formed(source, key.end) if closed and source[key.end : key.end + 1] == "," else ([], key.end)
    walk = _Walk(source, offset, closed=closed)
    items: list[Place | EntryProblem] = [*places, *walk.items()]
    if not closed:
        found.insert(0, _unclosed(source, key, walk.comments))
    elif walk.comments:
        message = "BibTeX does not allow comments within an entry and skips the rest of it"
        found.append(EntryProblem(message, walk.comments[0], serious=False, reader="bibtex"))
    if closed and _TWO_COMMAS.search(source, key.end):
        found += _commas(source, key.end, [it for it in items if isinstance(it, tuple)])
    if closed and key.start < key.end and not source[key.end : -1].strip():
        message = "biber does not read an entry without a comma after its key"
        found.append(EntryProblem(message, key, mend=(Span(key.end, key.end), ","), reader="biber"))
    written: dict[str, list[str]] = {}
    again: dict[str, Span] = {}  # where a field stands for the second time
    for item in items:
        if isinstance(item, EntryProblem):
            found.append(item)
            continue
        found += _unreadable(source, item)
        name = item[0].lower()
        values = written.setdefault(name, [])
        values.append(source[item[2] : item[3]])
        if len(values) > 1:
            again.setdefault(name, Span(item[1], item[1] + len(name)))
    for name, place in again.items():
        if name not in _NOTES:
            found.append(_repeated(name, place, written[name]))
    return found


def _repeated(name: str, place: Span, values: Sequence[str]) -> EntryProblem:
    """Of one value that stands several times nothing is lost, but BibTeX warns."""
    often = "twice" if len(values) == 2 else f"{len(values)} times"
    reader: Reader = "bibtex" if len(set(values)) == 1 else ""
    return EntryProblem(f"The field {name} appears {often}", place, serious=False, reader=reader)


def _unreadable(source: str, place: Place) -> Iterator[EntryProblem]:
    name, offset, start, end = place
    if "@" in name:
        message = f"pandoc reads no file in which a field is called {name}"
        yield EntryProblem(message, Span(offset, offset + len(name)), reader="pandoc")
    if end - start > bounds.VALUE and name.lower() in _COMPARED:
        message = f"citelsp compares the first {bounds.VALUE:,} characters of this field only"
        yield EntryProblem(message, Span(offset, offset + len(name)), serious=False)
    if name[0].isdigit():
        yield EntryProblem(f"A field's name cannot begin with a digit: {name}", Span(offset, offset + len(name)))
    elif bare := _NO_NUMBER.match(source, start, end):
        message = f"BibTeX skips the rest of the entry after “{bare[1]}”: this value needs braces"
        span = Span(*bare.span())
        yield EntryProblem(message, span, mend=(span, f"{{{bare[0]}}}"), reader="bibtex")


def block_trouble(source: str, kind: str, body: int) -> EntryProblem | None:
    """What is malformed in a closed @string or @preamble, whose delimiter ends at `body`."""
    walk = _Walk(source, body, closed=True)
    if kind == "preamble":
        return walk.text_problem()
    places: list[Place] = []
    for item in walk.items():
        if isinstance(item, EntryProblem):
            return item
        places.append(item)
        problem = next(_unreadable(source, item), None)
        if problem:
            return problem
    whole = Span(0, body)
    if not places:
        return EntryProblem("BibTeX needs a name in a @string", whole, reader="bibtex")
    _, offset, _, end = places[-1]
    if len(places) > 1:
        return EntryProblem("BibTeX reads only the first macro of a @string", Span(offset, end), reader="bibtex")
    if "," in (rest := source[end:-1]):
        comma = end + rest.index(",")
        span = Span(comma, comma + 1)
        return EntryProblem("BibTeX does not allow a comma after the value", span, mend=(span, ""), reader="bibtex")
    return None


def _commas(source: str, end: int, places: Sequence[Place]) -> Iterator[EntryProblem]:
    """Commas too many between fields, at which BibTeX and biber stop."""
    # The last place stands for the closing brace: one comma before it is fine, two are not.
    for _, start, _, following in (*places, ("", len(source) - 1, 0, 0)):
        gap = source[end:start]
        if gap.count(",") > 1 and not gap.strip(", \t\r\n"):
            first = end + gap.index(",")
            last = end + gap.rindex(",")
            yield EntryProblem("One comma too many", Span(last, last + 1), mend=(Span(first + 1, last + 1), ""))
        end = following


def _unclosed(source: str, key: Span, comments: Sequence[Span]) -> EntryProblem:
    """Pointing at the brace in a comment, if there is one."""
    for comment in comments:
        brace = comment.within(source).find("}")
        if brace >= 0:
            place = Span(comment.start + brace, comment.start + brace + 1)
            return EntryProblem("This entry is never closed: a brace in a comment does not count", place)
    return EntryProblem("This entry is never closed", Span(0, max(key.end, 1)))


def _is_plain(source: str, key_end: int) -> bool:
    """True if nothing can be wrong: a quick look at what most entries are, each field on a line of its own."""
    names: list[str] = _LINE_NAMES(source)
    once = len(names) == source.count("=") and len(set(map(str.lower, names))) == len(names)
    return once and _PLAIN_FIELDS.match(source, key_end) is not None


class Braces:
    """Where each opening brace of a text, or parenthesis, closes; found in one pass once it is not near."""

    def __init__(self, text: str, pair: Literal["{}", "()"] = "{}") -> None:
        self._text = text
        self._pair = pair
        self._closing: dict[int, int] | None = None

    def closing(self, opening: int) -> int | None:
        if self._closing is None and self._pair == "{}":
            near = brace_end(self._text, opening + 1, opening + _NEAR)
            if near:
                return near - 1
        if self._closing is None:
            self._closing = {}
            stack: list[int] = []
            for match in re.finditer(rf"[{self._pair}]", self._text):
                if match[0] == self._pair[0]:
                    stack.append(match.start())
                elif stack:
                    self._closing[stack.pop()] = match.start()
        return self._closing.get(opening)


def _part_end(text: str, offset: int, braces: Braces) -> int | None:
    """Where the part of a value at `offset` ends: `offset` if none begins there, None if it is never closed."""
    sign = text[offset : offset + 1]
    if sign == "{":
        closing = braces.closing(offset)
        return None if closing is None else closing + 1
    if sign == '"':
        return _quote_end(text, offset + 1, braces)
    bare = _BARE_PART.match(text, offset)
    return bare.end() if bare else offset


def _quote_end(text: str, offset: int, braces: Braces) -> int | None:
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
        self.comments: list[Span] = []  # those met between fields

    def items(self) -> Iterator[Place | EntryProblem]:
        for count in itertools.count():
            before = self._offset
            between = _BETWEEN.match(self._source, before, self._end)
            self._offset = at = between.end() if between else before
            self.comments += (Span(*it.span()) for it in _COMMENTS.finditer(self._source, before, at))
            if at >= self._end:
                return
            if count == bounds.FIELDS:
                break
            start = _FIELD_START.match(self._source, at, self._end)
            if start:
                if "," not in self._source[before:at] and not self._opens(before):
                    yield EntryProblem(
                        "A comma is missing before this field", Span(*start.span(1)), mend=(Span(before, before), ",")
                    )
                yield from self._field(start)
            else:
                yield self._skip(at)
        yield EntryProblem(f"This entry has more than {bounds.FIELDS:,} fields, not all of which are read", Span(0, 1))

    def text_problem(self) -> EntryProblem | None:
        """What keeps the text of a @preamble from being a value and nothing else."""
        start = self._past_space(self._offset)
        end = self._value_end(start)
        if end is None or end == start or self._past_space(end) < self._end:
            return EntryProblem("A @preamble has one value, in braces or quotes of its own", Span(0, self._offset))
        return None

    def _past_space(self, offset: int) -> int:
        between = _SPACES.match(self._source, offset, self._end)
        return between.end() if between else offset

    def _opens(self, before: int) -> bool:
        """Whether what stands before an offset, spaces aside, opens the entry."""
        while before > 0 and self._source[before - 1].isspace():
            before -= 1
        return self._source[before - 1 : before] in ("{", "(")

    def _field(self, start: re.Match[str]) -> Iterator[Place | EntryProblem]:
        name = start[1]
        offset = start.start(1)
        value = start.end()
        end = self._value_end(value)
        if end == value:
            yield EntryProblem(f"The field {name} has no value", Span(offset, offset + len(name)))
        elif end is None:
            end = self._recovery(value)
            yield EntryProblem(f"The value of {name} is never closed", Span(offset, min(value + 1, end)))
        self._offset = end
        yield name, offset, value, end

    def _value_end(self, offset: int) -> int | None:
        """The end of a value; `offset` if there is none, None if it is never closed."""
        end = offset
        while True:
            part = _part_end(self._source, offset, self._braces)
            if part is None or part > self._end:
                return None
            if part == offset:
                return end
            end = part
            # A forgotten brace may be closed by a later field's: a value that holds a field's line is not closed.
            if not self._closed and _NEXT_LINE.search(self._source, offset, end):
                return None
            join = _JOIN.match(self._source, end, self._end)
            if not join:
                return end
            offset = join.end()

    def _recovery(self, offset: int) -> int:
        """Where a value that is never closed is taken to end: before what looks like the next field."""
        if self._next_line < offset:
            line = _NEXT_LINE.search(self._source, offset)
            self._next_line = line.start() if line else len(self._source)
        end = self._next_line
        # An entry on a single line has no further lines to go by; then a comma has to do.
        if end == len(self._source):
            following = _NEXT_FIELD.search(self._source, offset)
            end = following.start() if following else self._end
        return offset + len(self._source[offset:end].rstrip().rstrip(","))

    def _skip(self, offset: int) -> EntryProblem:
        following = _NEXT_FIELD.search(self._source, offset, self._end)
        self._offset = following.start() if following else self._end
        word = _WORD.match(self._source, offset, self._offset)
        return EntryProblem("A field `name = value` is expected here", Span(offset, word.end() if word else offset + 1))
