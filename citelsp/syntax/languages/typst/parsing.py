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
    CONTINUES_CALL,
    CONTINUES_KEY,
    CitedKey,
    Frame,
    TypstReading,
    close,
    open_math,
)
from citelsp.syntax.languages.typst.skipped_text import (
    STRING,
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
_CODE = re.compile(r"/[/*]|`|\$|\"|<|[(){}\[\];\n]|(?<![\w.\-])[^\W\d][\w\-]*")  # signs that matter in code, and names
_ELSE = re.compile(r"\s*else\b")
_BLOCKED = frozenset({"if", "for", "while"})  # statements that end with their block
_MATH_SIGN = re.compile(r"\\|/[/*]|\"|\$|#")
_CODE_LABEL = re.compile(rf"<(?P<name>{_LABEL}*)>?")
# What may follow `#`: a name or number, or the opening sign of something, which is not taken.
_EXPRESSION = re.compile(r"[^\W\d][\w\-]*|(?=[({\[\"$`<])|\d[\d.\w%]*|\.\.")
# `.title` behind an expression.
_FIELD = re.compile(r"\.[^\W\d][\w\-]*")
_STATEMENTS = frozenset("let set show if for while import include return context break continue".split())
_JOINED = re.compile(r"\s*+\+")
# The beginning of a line that can only be markup, so that a bracket before it was forgotten.
_SURE_MARKUP = re.compile(r"(?:#(?:let|set|show|import|include|bibliography|figure|heading|pagebreak)\b|=+[ \t])")
_MARKS = re.compile("=+")
_HEADING = re.compile(r"(?P<marks>=+)[ \t]+(?P<title>[^\n]*)")
# `title: "Words"` or `title: [Words]`
_TITLE = re.compile(r"\btitle:\s*(?:\"(?P<text>(?:[^\"\\\n]|\\.)*)\"|\[(?P<content>[^\[\]]*)\])")
# The call of what prints a list with a title of its own, up to a place among its arguments.
_OF_A_LIST = re.compile(r"\b(?:outline|bibliography)\((?:[^()]|\([^()]*\))*\Z")
_IGNORE = re.compile(rf"//[ \t]*{suppressions.IGNORE}[^\n\r]*")
# ` <sec:methods>` at the end of a heading.
_TRAILING_LABEL = re.compile(rf"(?:(?<!\s)\s+)?<{_LABEL}+>\s*$")
# Glossaries make labels of their terms' keys: `key: "API", short: …`, `API: (short: …)`.
_TERM = re.compile(
    r"\bkey:\s*\"(?P<key>[^\"\\\n]+)\""
    r"|(?<![\w\-])\"?(?P<name>[^\W\d][\w\-]*)\"?:\s*\(\s*(?:short|long|plural|longplural|description):"
)
_TERM_ARGUMENTS = ("key:", "short:", "long:", "plural:", "description:")
_CITING = re.compile(r"cite|citation", re.IGNORECASE)
# Functions that are given the label of something else, and so make none.
_POINTING = frozenset({"ref", "link", "query", "locate", "counter", "outline", "at", "before", "after", "selector"})
_ARGUMENT = "argument"  # the name of a frame of content that a function is called with
_DEEPEST = 2000  # brackets in brackets
_LIST_WITHIN = 300  # characters before a title
_TITLE_WITHIN = 5000  # characters at the beginning
_CONTENT_WITHIN = 2000  # characters: a longer supplement of a citation was not meant to be one


def parse(document: Document, _commands: tuple[str, ...] = (), _old: Entries | None = None) -> Syntax:
    """Read everything that is written in a Typst document.

    Cite commands of the author's own, and entries from before an edit, mean nothing here: Typst has neither.  A text
    that takes too long raises TooLongError (`effort.limit`).
    """
    text = document.text
    reading = _read(text)
    # `@term` refers to a term of a glossary.  Few documents hold one, and looking for terms takes as long as the rest.
    if any(argument in text for argument in _TERM_ARGUMENTS):
        reading.labels.update(term["key"] or term["name"] for term in _TERM.finditer(text))
    labels = reading.labels  # `@fig-1` refers to the figure of that label, and cites nothing
    first_heading = next((heading.title for heading in reading.headings if heading.level == 1), "")
    return Syntax(
        citations=tuple(_citation(cited) for cited in reading.cited if cited.key not in labels),
        placeholders=tuple(reading.placeholders),
        arguments=tuple(reading.arguments),
        links=tuple(reading.links),
        headings=tuple(reading.headings),
        suppressions=tuple(suppressions.find(_IGNORE, text)),
        title=_title(text) or first_heading,
        is_root=any(link.kind == "bibliography" for link in reading.links),
        cites_all=reading.cites_all,
        opaque=reading.opaque,
        labels=frozenset(labels | reading.named),
        ground=Ground(text, tuple(reading.hidden), own=(), verbatim=()),
    )


def _citation(cited: CitedKey) -> Citation:
    return Citation(cited.key, cited.span, cited.command, Span(cited.start, cited.end), cited.narrative)


def _title(text: str) -> str:
    """Return what a template gets as `title:`, a string or content, and no table of contents does; "" if nothing."""
    for match in _TITLE.finditer(text, 0, _TITLE_WITHIN):
        if not _OF_A_LIST.search(text, max(match.start() - _LIST_WITHIN, 0), match.start()):
            return " ".join((match["text"] or match["content"] or "").split())
    return ""


def _read(text: str) -> TypstReading:
    """Read a text to its end, and close what is still open there."""
    reading = TypstReading(text)
    for _ in effort.iterate(_read_steps(reading)):
        pass
    while len(reading.frames) > 1:
        close(reading, len(text))
    return reading


def _read_steps(reading: TypstReading) -> Iterator[int]:
    """Read the text step by step; yield the offset before each step.

    What is open (brackets, mathematics, statements) is stacked as `frames`: each step may open or close some of them.
    """
    offset = 0
    end = len(reading.text)
    # Nobody nests so deep: what follows such a depth is no document any more.
    while offset < end and len(reading.frames) < _DEEPEST:
        yield offset
        offset = _read_step(reading, offset)


def _read_step(reading: TypstReading, offset: int) -> int:
    """Read on at `offset` as the mode of what was opened last says; return the offset to read on at.

    "plain" is markup in brackets that belongs to no code.
    """
    match reading.top.mode:
        case "markup" | "plain":
            return _read_markup(reading, offset)
        case "math":
            return _read_math(reading, offset)
        case "expression":
            return _read_expression(reading, offset)
    return _read_code(reading, offset)  # "code" or "statement"


def find_content_end(text: str, bracket: int) -> int | None:
    """Return the offset behind the content `[…]` whose opening bracket is at `bracket`.

    None if nothing closes it within _CONTENT_WITHIN characters.
    """
    reading = TypstReading(text[bracket : bracket + _CONTENT_WITHIN])
    offset = _read_step(reading, 0)  # opens the content
    while len(reading.frames) > 1:
        if offset >= len(reading.text):
            return None
        offset = _read_step(reading, offset)
    return bracket + offset


def _read_markup(reading: TypstReading, offset: int) -> int:
    """Read markup up to the next sign that means something, and what it begins; return the offset to read on at."""
    text = reading.text
    match = _MARKUP.search(text, offset)
    if match is None:
        return len(text)
    offset = match.start()
    sign = match[0]
    match sign:
        case "\\":
            return offset + len("\\") + 1  # the sign behind it stands for itself
        case "/":
            return pass_comment(reading, offset) if text.startswith(("/", "*"), offset + 1) else offset + 1
        case ":":
            return pass_url(text, offset)
        case "`":
            return pass_raw(reading, offset)
        case "$":
            return open_math(reading, offset)
        case "#":
            return _open_code(reading, offset)
        case "<":
            return _read_markup_label(reading, offset)
        case "[":
            reading.frames.append(Frame("plain", "]", offset))
            return offset + 1
        case "]":
            return _close_top(reading, offset) if reading.top.closer == "]" else offset + 1
        case "=":
            return _read_heading(reading, offset)
    # Of several at signs the last can begin a citation.
    return _read_at_sign(reading, match.end() - 1)


def _read_markup_label(reading: TypstReading, offset: int) -> int:
    """Note a label in markup, `<label>`, which names what stands before it; return where to read on."""
    label = _CODE_LABEL.match(reading.text, offset)
    if label and label["name"] and label[0].endswith(">"):
        reading.labels.add(label["name"])
        return label.end()
    return offset + 1


def _read_heading(reading: TypstReading, offset: int) -> int:
    """Note the heading that begins at `offset`, if it stands first on its line; return where to read on.

    That is at its title, in which something may be cited.
    """
    text = reading.text
    before = offset
    while before and text[before - 1] in " \t":
        before -= 1
    begins_line = before == 0 or text[before - 1] == "\n"
    heading = _HEADING.match(text, offset) if begins_line else None
    if heading is None:
        # `==` within a line: all the marks are passed at once, as each would look at those behind it again.
        marks = _MARKS.match(text, offset)
        return marks.end() if marks else offset + 1
    title = _TRAILING_LABEL.sub("", heading["title"].strip())
    reading.headings.append(Heading(title, len(heading["marks"]), Span(offset, heading.end())))
    return heading.start("title")


def _read_math(reading: TypstReading, offset: int) -> int:
    """Read mathematics up to the next sign that means something; return the offset at which to read on."""
    match = _MATH_SIGN.search(reading.text, offset)
    if match is None:
        return len(reading.text)
    match match[0]:
        case "\\":
            return match.start() + len("\\") + 1  # the sign behind it stands for itself
        case "//" | "/*":
            return pass_comment(reading, match.start())
        case '"':
            return string_end(reading.text, match.start())
        case "#":
            return _open_code(reading, match.start())
    close(reading, match.end())  # at its second `$`
    return match.end()


def _open_code(reading: TypstReading, offset: int) -> int:
    """Open the code that the `#` at `offset` begins in markup; return the offset at which to read on.

    A statement, `#let x = 1`, goes to the end of its line, an expression, `#cite(<doe>)`, to where nothing more of it
    follows.
    """
    text = reading.text
    opened = _EXPRESSION.match(text, offset + 1)
    if opened is None:
        return offset + 1
    if opened[0] == "context":
        # `#context it` shows what `it` is at this place, and is read like `#it`, as if the `#` stood before that.
        shown = _EXPRESSION.match(text, skip_space(text, opened.end()))
        if shown:
            opened = shown
            offset = shown.start() - len("#")
    reading.word = (opened[0], opened.end())  # the last name in code, and where it ends: brackets behind it call it
    if opened[0] in _STATEMENTS:  # read on at its keyword, in the mode of code
        reading.frames.append(Frame("statement", "", offset, opened[0]))
        return offset + 1
    reading.frames.append(Frame("expression", "", offset, opened[0]))
    return opened.end()


def _read_expression(reading: TypstReading, offset: int) -> int:
    """Read what goes on with an expression in markup, and close it if nothing does; return the offset to read on at.

    `reading.word`, the last name and where it ends, is set if a field's name follows.  Arguments, content or a field
    may follow without a space: `#f(x)[y].z`.  Right behind `#` the expression itself may begin here: a block, a string,
    mathematics, raw text or a label.
    """
    text = reading.text
    sign = text[offset : offset + 1]
    is_first = offset == reading.top.start + 1
    if sign in ("(", "[") or (is_first and sign == "{"):
        return _open_bracket(reading, offset, sign)
    if is_first and sign == "$":
        return open_math(reading, offset)
    if is_first and sign == '"':
        offset = _read_string(reading, offset)
    elif is_first and sign == "`":
        offset = pass_raw(reading, offset)
    elif is_first and sign == "<":
        offset = _read_label(reading, offset)
    else:
        access = _FIELD.match(text, offset)
        if access:
            reading.word = (access[0].removeprefix("."), access.end())
            return access.end()
    close(reading, offset)
    return offset


def _open_bracket(reading: TypstReading, offset: int, sign: str) -> int:
    """Open the bracket `sign` of arguments, a list, a block of code or content; return the offset at which to read on.

    What is open is stacked as frames.  The frame of arguments is named after the function that is called, the last word
    of the code if it ends at the bracket; so is a list in the arguments of `bibliography`.
    """
    word, word_end = reading.word
    is_call = word_end == offset  # no space stands between the function's name and the bracket
    if sign == "[":  # content, which may be an argument of the call: `#text[…]`
        reading.frames.append(Frame("markup", "]", offset, _ARGUMENT if is_call else ""))
        return offset + 1
    name = word if sign == "(" and is_call else ""
    outer = reading.top
    # The list in `bibliography(("a.bib", "b.bib"))`.
    if not name and sign == "(" and outer.mode == "code" and outer.name == "bibliography":
        name = outer.name
    closer = ")" if sign == "(" else "}"
    reading.frames.append(Frame("code", closer, offset, name))
    # `#label(name)`: a label that only Typst can compute is given to what stands before it, and may be any `@name`.
    if name == "label" and outer.mode == "expression":
        argument = STRING.match(reading.text, skip_space(reading.text, offset + 1))
        reading.opaque = reading.opaque or argument is None
    return offset + 1


def _read_code(reading: TypstReading, offset: int) -> int:
    """Read code up to the next name or sign that means something, and what it begins; return where to read on."""
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
            return _read_string(reading, start)
        case "<":
            return _read_label(reading, start)
        case "(" | "{" | "[":
            return _open_bracket(reading, start, sign)
        case ")" | "}" | "]":
            return _close_by_sign(reading, start, sign)
        case ";" | "\n":
            return _end_line(reading, match)
    _note_value(reading, value=sign, start=start)
    reading.word = (sign, match.end())  # no sign but a name
    return match.end()


def _note_value(reading: TypstReading, value: str, start: int) -> None:
    """Note what the name `value` at `start` is given to, if that is `bibliography(full: …)` or `cite(form: …)`.

    `full: true` lists every entry, cited or not.  A variable may be true, so only `false` is none.
    """
    argument, argument_end = reading.word
    if reading.text[argument_end:start].strip() != ":":
        return
    frame = reading.top
    if argument == "full" and frame.name == "bibliography" and value != "false":
        reading.cites_all = True
    elif argument == "form" and value == "none":
        frame.form = value


def _end_line(reading: TypstReading, match: re.Match[str]) -> int:
    """End a statement with its line, at a line break or semicolon; return where to read on.

    Brackets go on over lines unless the next one can only be markup: then they were forgotten, and all is closed.
    """
    if reading.top.mode == "statement":
        close(reading, match.start())
    elif match[0] == "\n" and _SURE_MARKUP.match(reading.text, match.end()):
        while len(reading.frames) > 1:
            close(reading, match.start())
    return match.end()


def _close_by_sign(reading: TypstReading, offset: int, sign: str) -> int:
    """Close what the closing `sign` at `offset` in code closes, and the statements in that; return where to read on.

    What is open is stacked as frames, the innermost on top.  A sign that closes nothing is passed over.
    """
    while reading.top.mode == "statement":
        close(reading, offset)
        # The sign belongs to the markup around the statement, which reads it itself.
        if reading.top.mode in ("markup", "plain", "math"):
            return offset
    if reading.top.closer == sign:
        return _close_top(reading, offset)
    # `]` ends content, and with it all that somebody forgot to close within, such as `(`.
    if sign == "]" and any(frame.closer == "]" for frame in reading.frames):
        while reading.top.closer != "]":
            close(reading, offset)
        close(reading, offset + 1)
    return offset + 1


def _close_top(reading: TypstReading, offset: int) -> int:
    """Close a bracket at `offset`; a block ends the statement that it belongs to, too, unless `else` follows."""
    frame = reading.top
    end = offset + 1
    close(reading, end)
    outer = reading.top
    is_block = frame.closer != ")" and frame.name != _ARGUMENT
    ends_with_block = outer.mode == "statement" and outer.name in _BLOCKED
    if is_block and ends_with_block and not _ELSE.match(reading.text, end):
        close(reading, end)
    return end


def _read_string(reading: TypstReading, offset: int) -> int:
    """Read a string in code: the name of a file, a label, or nothing of interest; return where to read on.

    If Typst alone can tell what is named, as of `folder + "a.bib"`, the document becomes `opaque`; so it does if a
    label is given so, `= Head #label("sec-" + number)`, as any `@name` may refer to it.
    """
    text = reading.text
    match = STRING.match(text, offset)
    if match is None:
        return _read_open_string(reading, offset)
    word, word_end = reading.word
    # The signs between the last name and the string; `?`, which nothing expects, if no name came before.
    between = text[word_end:offset].strip() if word_end >= 0 else "?"
    if not between.endswith("+") and not _JOINED.match(text, match.end()):
        _note_string(reading, match["value"], Span(*match.span("value")), between)
        return match.end()
    gives_label = reading.top.name == "label" and reading.frames[-2].mode == "expression"  # as in `_open_bracket`
    reading.opaque = reading.opaque or gives_label
    # Not `import`: it brings names, and prints nothing of what the file cites or lists.
    names_file = reading.top.name in ("bibliography", "include") or word == "include"
    # The file of a style (.csl) holds no entries.
    if names_file and not match["value"].lower().endswith(".csl"):
        reading.opaque = True
    return match.end()


def _note_string(reading: TypstReading, value: str, span: Span, between: str) -> None:
    """Note what the string `value` is; `between` are the signs between it and the last name in code.

    The function that is called, which names the frame, tells what it is (`bibliography("a.bib")`, `cite("doe")`), or
    that last name (`include "a.typ"`).
    """
    frame = reading.top
    word, _ = reading.word
    if word in ("include", "import") and between in ("", "("):
        is_package = value.startswith("@")  # `@preview/name:1.0.0`, which is no file of the author's
        if not is_package:
            reading.links.append(Link("part", value, span))
    elif frame.name == "label":
        _read_label_name(reading, value, span)
    elif _is_bibliography(value.lower(), frame, argument=word.lower() if between == ":" else ""):
        handed_on = frame.name != "bibliography"
        reading.links.append(Link("bibliography", value, span, insert_at=frame.start, handed_on=handed_on))
    elif frame.name == "cite" and value and not between.endswith(":"):
        # `#cite("doe", "roe")`, as it was written before Typst 0.9.  What a colon names is no key: `style: "apa"`.
        _note_key(reading, value, span, frame)
    elif (word, between) == ("form", ":"):  # `#cite(<doe>, form: "prose")`
        frame.form = value


def _read_label_name(reading: TypstReading, name: str, span: Span) -> None:
    """Note the name in `label("name")`: a key within a call that cites, `cite(label("doe"))`, else a label.

    An empty one, `cite(label(""))`, is a place where a key is typed.
    """
    citing = _citing_frame(reading)
    if citing and not name:
        reading.arguments.append(KeyArgument(span, "cite", "{"))
    elif citing is None and reading.frames[-2].mode == "expression":  # `#label("sec")`, given to what stands before it
        reading.labels.add(name)
    elif citing is None:
        reading.named.add(name)
        reading.cited.append(CitedKey(name, span, "nocite", *span))
    else:
        _note_key(reading, name, span, citing)


def _read_open_string(reading: TypstReading, offset: int) -> int:
    """Pass over a string that is not closed; one in `#cite(label("…` is noted as a key that is being typed."""
    end = string_end(reading.text, offset)
    if reading.top.name == "label" and _citing_frame(reading):
        reading.arguments.append(KeyArgument(Span(offset + len('"'), end), "cite", "{"))
    return end


def _citing_frame(reading: TypstReading) -> Frame | None:
    """Return the innermost call of a function that cites; None if no such call is open."""
    return next((frame for frame in reversed(reading.frames) if _is_citing(frame.name)), None)


def _is_bibliography(value: str, frame: Frame, argument: str) -> bool:
    """True for the name of a file that is given to `bibliography`, or to a template that will do so.

    `frame` is the call in which the string stands, `argument` the name of the argument, "" if it has none.  A .yml file
    may be anything: of a template it is a bibliography only by its argument's name.
    """
    is_bibliographys_own = frame.name == "bibliography" and not argument
    if value.endswith((".yml", ".yaml")):
        return is_bibliographys_own or "bib" in argument
    return is_bibliographys_own or value.endswith(".bib")


def _is_citing(name: str) -> bool:
    return _CITING.search(name) is not None


def _read_label(reading: TypstReading, offset: int) -> int:
    """Read `<label>` in code, which is cited, referred to, or the label of something; return where to read on.

    The function around it tells: in `#cite(<doe>)` it is a key, and one half typed is a place for completion (an
    argument); in `#ref(<doe>)` a key too, which `parse` leaves out if it is a label; in others that point to a place
    nothing; else it is a label.
    """
    match = _CODE_LABEL.match(reading.text, offset)
    if match is None:
        return offset + 1
    closed = match[0].endswith(">")
    name = match["name"] if closed else ""
    span = Span(*match.span("name"))
    # The innermost call or content around the label; statements and mathematics between do not count.
    frame = next((it for it in reversed(reading.frames) if it.mode in ("code", "markup")), reading.top)
    if _is_citing(frame.name):
        if name:
            _note_key(reading, name, span, frame)
        else:
            reading.arguments.append(KeyArgument(span, "cite", "{"))
    elif frame.name == "ref" and name:
        _note_key(reading, name, span, frame)
    elif name and frame.name not in _POINTING:
        _note_named(reading, name, span, match)
    return match.end() if closed else offset + 1


def _note_named(reading: TypstReading, name: str, span: Span, label: re.Match[str]) -> None:
    """Note a label that code names as a value, and which may be a key: `#prose(<doe>)`, `if it.key == <doe>`.

    The project tells: what is no entry's key is a label.  `label: <a>` surely is one, as is `#<a>` in markup.
    """
    text = reading.text
    argument, argument_end = reading.word
    is_argument_label = argument == "label" and text[argument_end : label.start()].strip() == ":"
    if is_argument_label or reading.top.mode == "expression":
        reading.labels.add(name)
        return
    reading.named.add(name)
    frame = reading.top
    is_only_argument = bool(frame.name) and text.startswith(f"({label[0]})", frame.start)
    if is_only_argument:
        _note_cited(reading, name, span, frame)
    else:
        reading.cited.append(CitedKey(name, span, "nocite", label.start(), label.end()))


def _note_key(reading: TypstReading, key: str, span: Span, frame: Frame) -> None:
    """Note a citation, and a place where a key is typed, by the function whose arguments are `frame`."""
    _note_cited(reading, key, span, frame)
    reading.arguments.append(KeyArgument(span, frame.name, "{"))


def _note_cited(reading: TypstReading, key: str, span: Span, frame: Frame) -> None:
    """Note a citation by the function whose arguments are `frame`; it goes up to the end of these."""
    start = frame.start - len(frame.name)
    if reading.text[start - 1 : start] == "#":
        start -= 1
    frame.cited.append(len(reading.cited))
    reading.cited.append(CitedKey(key, span, frame.name, start, span.end))


def _read_at_sign(reading: TypstReading, offset: int) -> int:
    """Read `@key`, a placeholder `@<words>`, or an `@` behind which a key is to be typed; return where to read on.

    `reading.arguments` are the places where keys are typed, at which completion offers some.
    """
    text = reading.text
    match = _AT.match(text, offset)
    if match is None:
        return offset + 1
    end = match.end()
    if match["key"]:
        span = Span(*match.span("key"))
        reading.arguments.append(KeyArgument(span, "@", "@"))
        reading.cited.append(CitedKey(match["key"], span, "@", offset, end))
        if text.startswith("[", end):  # `@doe[p. 3]`: what is added to the citation is markup and belongs to it
            reading.frames.append(Frame("markup", "]", end, cited=[len(reading.cited) - 1]))
            return end + 1
        return end
    group = next((name for name in ("words", "hint", "open", "open_hint") if match[name] is not None), None)
    if group:  # `@<words>` or `@?[words]`, or such a one half typed; `@?` alone is none
        hint = " ".join(match[group].strip("[").split())
        whole = Span(offset, end)
        closed = group in ("words", "hint")
        after = ";" if CONTINUES_CALL.match(text, end) else ""  # a key may have to be written as a call
        before = ""
        if closed and CONTINUES_KEY.match(text, end):  # each key has: `@<words>-based`
            before = "#cite("
            after = f"){after}"
        reading.placeholders.append(Placeholder(hint, whole, "@", whole, closed, before, after))
        reading.arguments.append(KeyArgument(Span(*match.span(group)), "@", "<"))
        return end
    # A bare `@` is a place for a key at the end of a word; before any other sign it is text.
    following = text[end : end + 1]
    ends_word = not following or following.isspace() or following in "]).,;"
    if match[0] == "@" and ends_word:
        reading.arguments.append(KeyArgument(Span(end, end), "@", "@"))
    return end
