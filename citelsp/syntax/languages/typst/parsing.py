"""Typst manuscripts: one pass over the text that knows markup, code, mathematics and raw text from each other.

As Typst's own lexer does, and forgiving where it is not: what is half typed takes as little as possible with it.  A
name behind an at sign is a citation unless something has it for a label; the project knows the labels of other parts.
"""

import re
from collections.abc import Iterator

from citelsp.base import effort
from citelsp.base.text import Document, Span
from citelsp.syntax import suppressions
from citelsp.syntax.languages.typst.frames import (
    STRING,
    CitedKey,
    Frame,
    TypstReading,
    close,
    open_math,
    pass_comment,
    pass_raw,
    pass_url,
    skip_space,
    string_end,
)
from citelsp.syntax.nodes import Citation, Entries, Ground, Heading, KeyArgument, Link, Placeholder, Syntax

_LABEL = r"[\w:.\-]"
_WORDS = r"[^<>\n]{0,400}(?:\n(?![ \t\r]*\n)[^<>\n]{0,400}){0,2}"
_HINT = r"[^\[\]\n]{0,400}(?:\n(?![ \t\r]*\n)[^\[\]\n]{0,400}){0,2}"
_AT = re.compile(
    rf"@(?:(?P<key>{_LABEL}*[\w\-])|<(?P<words>{_WORDS})>|\?\[(?P<hint>{_HINT})\]"
    r"|<(?P<open>[^<>\[\]\n@#$]*)|\?(?P<open_hint>\[[^\[\]\n@#$]*)?)?"
)
_MARKUP = re.compile(r"[\\/:`$#<\[\]=]|@+")  # one class of signs, as each further branch is tried at each letter
_CODE = re.compile(r"/[/*]|`|\$|\"|<|[(){}\[\];\n]|(?<![\w.\-])[^\W\d][\w\-]*")
_ELSE = re.compile(r"\s*else\b")
_BLOCKED = frozenset({"if", "for", "while"})  # statements that end with their block
_MATH = re.compile(r"\\|/[/*]|\"|\$|#")
_CODE_LABEL = re.compile(rf"<(?P<name>{_LABEL}*)>?")
_EXPRESSION = re.compile(r"[^\W\d][\w\-]*|(?=[({\[\"$`<])|\d[\d.\w%]*|\.\.")
_FIELD = re.compile(r"\.[^\W\d][\w\-]*")
_STATEMENTS = frozenset("let set show if for while import include return context break continue".split())
_JOINED = re.compile(r"\s*+\+")
_RECOVERY = re.compile(r"(?:#(?:let|set|show|import|include|bibliography|figure|heading|pagebreak)\b|=+[ \t])")
_MARKS = re.compile("=+")
_HEADING = re.compile(r"(?P<marks>=+)[ \t]+(?P<title>[^\n]*)")
_TITLE = re.compile(r"\btitle:\s*(?:\"(?P<text>(?:[^\"\\\n]|\\.)*)\"|\[(?P<content>[^\[\]]*)\])")
_IGNORE = re.compile(rf"//[ \t]*{suppressions.IGNORE}[^\n\r]*")
_TRAILING_LABEL = re.compile(rf"(?:(?<!\s)\s+)?<{_LABEL}+>\s*$")
# Glossaries make labels of their terms' keys: `key: "API", short: …`, `API: (short: …)`.
_TERM = re.compile(
    r"\bkey:\s*\"(?P<key>[^\"\\\n]+)\""
    r"|(?<![\w\-])\"?(?P<name>[^\W\d][\w\-]*)\"?:\s*\(\s*(?:short|long|plural|longplural|description):"
)
_SIGNS = ("key:", "short:", "long:", "plural:", "description:")  # of a term
_CITING = re.compile(r"cite|citation", re.IGNORECASE)
_POINTING = frozenset({"ref", "link", "query", "locate", "counter", "outline", "at", "before", "after", "selector"})
_ARGUMENT = "argument"  # content that a function is called with
_DEEPEST = 2000  # brackets in brackets
_TITLES = 5000  # characters in which a title is looked for


def parse(document: Document, _commands: tuple[str, ...] = (), _old: Entries | None = None) -> Syntax:
    """Everything that is written in a Typst document."""
    text = document.text
    reading = _read(text)
    # Few documents hold a glossary, and looking for its terms would take as long as all the rest.
    if any(it in text for it in _SIGNS):
        reading.labels.update(it["key"] or it["name"] for it in _TERM.finditer(text))
    labels = frozenset(reading.labels)
    first = next((it.title for it in reading.headings if it.level == 1), "")
    return Syntax(
        citations=tuple(_citation(it) for it in reading.cited if it.key not in labels),
        placeholders=tuple(reading.placeholders),
        arguments=tuple(reading.arguments),
        links=tuple(reading.links),
        headings=tuple(reading.headings),
        suppressions=tuple(suppressions.find(_IGNORE, text)),
        title=_title(text) or first,
        is_root=any(it.kind == "bibliography" for it in reading.links),
        cites_all=reading.cites_all,
        opaque=reading.opaque,
        labels=labels,
        ground=Ground(text, tuple(reading.hidden), (), ()),
    )


def _citation(found: CitedKey) -> Citation:
    return Citation(found.key, found.span, found.command, Span(found.start, found.end), found.narrative)


def _title(text: str) -> str:
    match = _TITLE.search(text, 0, _TITLES)
    return " ".join((match["text"] or match["content"] or "").split()) if match else ""


def _read(text: str) -> TypstReading:
    reading = TypstReading(text)
    for _ in effort.iterate(_steps(reading)):
        pass
    while len(reading.frames) > 1:
        close(reading, len(text))
    return reading


def _steps(reading: TypstReading) -> Iterator[int]:
    offset = 0
    end = len(reading.text)
    # Nobody nests so deep: what follows such a depth is no document any more.
    while offset < end and len(reading.frames) < _DEEPEST:
        yield offset
        match reading.top.mode:
            case "markup" | "plain":
                offset = _markup(reading, offset)
            case "math":
                offset = _math(reading, offset)
            case "expression":
                offset = _expression(reading, offset)
            case _:
                offset = _code(reading, offset)


def _markup(reading: TypstReading, offset: int) -> int:
    text = reading.text
    match = _MARKUP.search(text, offset)
    if match is None:
        return len(text)
    offset = match.start()
    sign = match[0]
    match sign:
        case "\\":
            return offset + 2
        case "/":
            return pass_comment(reading, offset) if text.startswith(("/", "*"), offset + 1) else offset + 1
        case ":":
            return pass_url(text, offset)
        case "`":
            return pass_raw(reading, offset)
        case "$":
            return open_math(reading, offset)
        case "#":
            return _hash(reading, offset)
        case "<":
            label = _CODE_LABEL.match(text, offset)
            if label and label["name"] and label[0].endswith(">"):
                reading.labels.add(label["name"])
                return label.end()
            return offset + 1
        case "[":
            reading.frames.append(Frame("plain", "]", offset))
            return offset + 1
        case "]":
            return _shut(reading, offset) if reading.top.closer == "]" else offset + 1
        case "=":
            return _heading(reading, offset)
    return _read_at_sign(reading, match.end() - 1)


def _heading(reading: TypstReading, offset: int) -> int:
    text = reading.text
    start = offset
    while start and text[start - 1] in " \t":
        start -= 1
    marks = _MARKS.match(text, offset)
    heading = _HEADING.match(text, offset) if not start or text[start - 1] == "\n" else None
    if heading is None:  # all the marks are passed at once: each would look at those behind it again
        return marks.end() if marks else offset + 1
    title = _TRAILING_LABEL.sub("", heading["title"].strip())
    reading.headings.append(Heading(title, len(heading["marks"]), Span(offset, heading.end())))
    return heading.start("title")


def _math(reading: TypstReading, offset: int) -> int:
    match = _MATH.search(reading.text, offset)
    if match is None:
        return len(reading.text)
    match match[0]:
        case "\\":
            return match.start() + 2
        case "//" | "/*":
            return pass_comment(reading, match.start())
        case '"':
            return string_end(reading.text, match.start())
        case "#":
            return _hash(reading, match.start())
    close(reading, match.end())
    return match.end()


def _hash(reading: TypstReading, offset: int) -> int:
    """Code in markup: a statement goes on to the end of its line, an expression as far as it is called."""
    found = _EXPRESSION.match(reading.text, offset + 1)
    if found is None:
        return offset + 1
    if found[0] == "context" and (behind := _EXPRESSION.match(reading.text, skip_space(reading.text, found.end()))):
        found = behind
        offset = behind.start() - 1
    if found[0] in _STATEMENTS:
        reading.frames.append(Frame("statement", "", offset, found[0]))
        reading.word = (found[0], found.end())
        return offset + 1
    reading.frames.append(Frame("expression", "", offset, found[0]))
    reading.word = (found[0], found.end())
    return found.end()


def _expression(reading: TypstReading, offset: int) -> int:
    """What may follow an expression in markup without a space: arguments, content, a field; or what it is itself."""
    text = reading.text
    frame = reading.top
    sign = text[offset : offset + 1]
    fresh = offset == frame.start + 1
    if sign == "(" or sign == "[" or (fresh and sign == "{"):
        return _bracket(reading, offset, sign)
    if fresh and sign == '"':
        offset = _string(reading, offset)
    elif fresh and sign == "$":
        return open_math(reading, offset)
    elif fresh and sign == "`":
        offset = pass_raw(reading, offset)
    elif fresh and sign == "<":
        offset = _label(reading, offset)
    elif access := _FIELD.match(text, offset):
        reading.word = (access[0][1:], access.end())
        return access.end()
    close(reading, offset)
    return offset


def _bracket(reading: TypstReading, offset: int, sign: str) -> int:
    """Open arguments, a block of code or content; arguments know what is called, a list in them too."""
    word, end = reading.word
    if sign == "[":
        reading.frames.append(Frame("markup", "]", offset, _ARGUMENT if end == offset else ""))
        return offset + 1
    name = word if sign == "(" and end == offset else ""
    outer = reading.top
    if not name and sign == "(" and outer.mode == "code" and outer.name == "bibliography":
        name = outer.name
    frame = Frame("code", ")" if sign == "(" else "}", offset, name)
    reading.frames.append(frame)
    if name == "label" and STRING.match(reading.text, skip_space(reading.text, offset + 1)) is None:
        reading.opaque = reading.opaque or outer.mode == "expression"  # it labels what stands before it
    return offset + 1


def _code(reading: TypstReading, offset: int) -> int:
    match = _CODE.search(reading.text, offset)
    if match is None:
        return len(reading.text)
    start = match.start()
    sign = match[0]
    match sign:
        case "//" | "/*":
            return pass_comment(reading, start)
        case "`":
            return pass_raw(reading, start)
        case "$":
            return open_math(reading, start)
        case '"':
            return _string(reading, start)
        case "<":
            return _label(reading, start)
        case "(" | "{" | "[":
            return _bracket(reading, start, sign)
        case ")" | "}" | "]":
            return _closing(reading, start, sign)
        case ";" | "\n":
            return _line_end(reading, match)
    reading.word = (sign, match.end())
    return match.end()


def _line_end(reading: TypstReading, match: re.Match[str]) -> int:
    """A statement ends with its line; brackets go on unless what follows can only be markup."""
    if reading.top.mode == "statement":
        close(reading, match.start())
    elif match[0] == "\n" and _RECOVERY.match(reading.text, match.end()):
        while len(reading.frames) > 1:
            close(reading, match.start())
    return match.end()


def _closing(reading: TypstReading, offset: int, sign: str) -> int:
    """Close what the sign closes; statements end with what they stand in."""
    while reading.top.mode == "statement":
        close(reading, offset)
        if reading.top.mode in ("markup", "plain", "math"):
            return offset
    if reading.top.closer == sign:
        return _shut(reading, offset)
    if sign == "]" and any(it.closer == "]" for it in reading.frames):
        while reading.top.closer != "]":
            close(reading, offset)
        close(reading, offset + 1)
    return offset + 1


def _shut(reading: TypstReading, offset: int) -> int:
    """Close a bracket; a block ends the statement that it belongs to, too."""
    frame = reading.top
    end = offset + 1
    close(reading, end)
    outer = reading.top
    block = frame.closer != ")" and frame.name != _ARGUMENT
    if block and outer.mode == "statement" and outer.name in _BLOCKED and not _ELSE.match(reading.text, end):
        close(reading, end)
    return end


def _string(reading: TypstReading, offset: int) -> int:
    """A string in code: the name of a file, a label, or nothing of interest."""
    text = reading.text
    frame = reading.top
    match = STRING.match(text, offset)
    if match is None:
        if frame.name == "label" and any(_is_citing(it.name) for it in reading.frames):
            end = string_end(text, offset)
            reading.arguments.append(KeyArgument(Span(offset + 1, end), "cite", "{"))
        return string_end(text, offset)
    value = match["value"]
    span = Span(*match.span("value"))
    word, end = reading.word
    before = text[end:offset].strip() if end >= 0 else "?"
    if before.endswith("+") or _JOINED.match(text, match.end()):
        # A part of a name, which only Typst can tell.  The file of a style holds no entries.
        names_file = frame.name in ("bibliography", "include") or word == "include"
        reading.opaque |= names_file and not value.lower().endswith(".csl")
    elif word in ("include", "import") and before in ("", "("):
        if not value.startswith("@"):  # a package
            reading.links.append(Link("part", value, span))
    elif frame.name == "label":
        citing = next((it for it in reversed(reading.frames) if _is_citing(it.name)), None)
        if citing is None:
            reading.labels.add(value)
        else:
            _note(reading, value, span, citing)
    elif _is_bibliography(value.lower(), frame, word.lower() if before == ":" else ""):
        reading.links.append(Link("bibliography", value, span, insert_at=frame.start))
    elif frame.cited and (word, before, value) == ("form", ":", "prose"):
        for index in frame.cited:
            reading.cited[index].narrative = True
    return match.end()


def _is_bibliography(value: str, frame: Frame, name: str) -> bool:
    """True for what is given to `bibliography`, or to a template that will do so; `name`: of the argument."""
    if value.endswith((".yml", ".yaml")):
        return "bib" in name or (frame.name == "bibliography" and not name)
    return value.endswith(".bib") or (frame.name == "bibliography" and not name)


def _is_citing(name: str) -> bool:
    return _CITING.search(name) is not None


def _label(reading: TypstReading, offset: int) -> int:
    """A label in code: cited, pointed to, or given to something."""
    match = _CODE_LABEL.match(reading.text, offset)
    if match is None:
        return offset + 1
    closed = match[0].endswith(">")
    name = match["name"] if closed else ""
    span = Span(*match.span("name"))
    frame = next((it for it in reversed(reading.frames) if it.mode in ("code", "markup")), reading.top)
    if _is_citing(frame.name):
        if name:
            _note(reading, name, span, frame)
        else:
            reading.arguments.append(KeyArgument(span, "cite", "{"))
    elif frame.name == "ref" and name:
        _note(reading, name, span, frame)
    elif name and frame.name not in _POINTING:
        reading.labels.add(name)
    return match.end() if closed else offset + 1


def _note(reading: TypstReading, key: str, span: Span, frame: Frame) -> None:
    """A citation by a function, up to the end of its arguments."""
    start = frame.start - len(frame.name)
    if reading.text[start - 1 : start] == "#":
        start -= 1
    frame.cited.append(len(reading.cited))
    reading.cited.append(CitedKey(key, span, frame.name, start, span.end))
    reading.arguments.append(KeyArgument(span, frame.name, "{"))


def _read_at_sign(reading: TypstReading, offset: int) -> int:
    """`@key`, with what is added to it in brackets; a placeholder; an at sign behind which a key is to be typed."""
    text = reading.text
    match = _AT.match(text, offset)
    if match is None:
        return offset + 1
    end = match.end()
    if match["key"]:
        span = Span(*match.span("key"))
        reading.arguments.append(KeyArgument(span, "@", "@"))
        reading.cited.append(CitedKey(match["key"], span, "@", offset, end))
        if text[end : end + 1] == "[":
            reading.frames.append(Frame("markup", "]", end, cited=[len(reading.cited) - 1]))
            return end + 1
        return end
    words = next((it for it in ("words", "hint", "open", "open_hint") if match[it] is not None), "")
    if words:
        hint = " ".join(match[words].strip("[").split())
        closed = words in ("words", "hint")
        whole = Span(offset, end)
        reading.placeholders.append(Placeholder(hint, whole, "@", whole, closed))
        reading.arguments.append(KeyArgument(Span(*match.span(words)), "@", "<"))
        return end
    following = text[end : end + 1]
    if match[0] == "@" and (not following or following.isspace() or following in "]).,;"):
        reading.arguments.append(KeyArgument(Span(end, end), "@", "@"))
    return end
