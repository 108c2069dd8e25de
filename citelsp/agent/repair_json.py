"""JSON as language models write it: mended if it can be, an UnreadableError that says what is wrong if not.

Handled: thinking and channel tags, code fences, words around the object, several objects in a row, single and curly
quotes, bare keys, trailing and missing commas, comments, Python's literals, raw line breaks, LaTeX backslashes, quotes
within strings, ends cut off, JSON within a JSON string.
"""

import json
import re
from typing import Any

_LONGEST = 200_000
_DEEPEST = 40
_THINKING = re.compile(r"<(think|thinking|thought|reasoning|analysis)>.*?</\1>", re.DOTALL | re.IGNORECASE)
# The opening tag may be missing, as the endpoint has put it into the prompt.
_THOUGHT_END = re.compile(r"\A.*</(?:think|thinking|thought|reasoning|analysis)>", re.DOTALL | re.IGNORECASE)
_THINKS = re.compile(r"\s*<(?:think|thinking|thought|reasoning|analysis)>", re.IGNORECASE)
# `<|channel|>analysis<|message|>…<|channel|>final<|message|>{…}`: up to the answer
_CHANNEL = re.compile(r"\A.*<\|channel\|>\s*(?:final|commentary)[^<]*(?:<\|(?!message)[a-z_]+\|>[^<{\[]*)*", re.DOTALL)
_SPECIAL = re.compile(r"<\|[a-z_]+\|>")
# What stands between “```json” and “```”; the end may be missing.
_FENCE = re.compile(r"```[A-Za-z0-9_-]*\s*\n?(.*?)(?:```|\Z)", re.DOTALL)
# `\beta` in a string, which JSON would read as an escape `\b` and “eta”.
_BACKSLASH_OF_LATEX = re.compile(
    r"(?<!\\)\\(?=(?:beta|bar|bf|begin|bigl?|binom|boldsymbol|bullet|forall|frac|footnote|nabla|neq?|not|nu|newline|"
    r"rho|rangle|ref|right|rm|tau|text[a-z]*|tfrac|theta|tilde|times|to|top|uparrow|underline|url|upsilon)(?![A-Za-z]))"
)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", '"': '"', "'": "'", "\\": "\\", "/": "/"}
_CLOSING = {'"': '"', "'": "'", "“": "”", "‘": "’", "`": "`"}
_LITERALS: dict[str, Any] = {
    "true": True, "false": False, "null": None, "none": None, "undefined": None, "nan": None, "": None,
}  # fmt: skip
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
# Blanks and comments, `// …`, `/* … */`, `# …`.
_SPACE = re.compile(r"(?:\s++|//[^\n]*|/\*.*?\*/|#[^\n]*)+", re.DOTALL)
_LOW_HALF = re.compile(r"\\u(?P<code>[dD][c-fC-F][0-9a-fA-F]{2})")  # of a sign that two escapes write
_BARE = re.compile(r"[^,\]}\n]*")
_KEY = re.compile(r"[\w.$-]+")
_AFTER_STRING = re.compile(
    r"\s*+(?:[,:;=}\]#]|//|/\*|\Z|[\"'“‘][\w.$-]++[\"'”’]\s*+[:=])"
    r"|[^\S\n]*+\n\s*+[\"'“‘\w]"  # on another line
)


class UnreadableError(Exception):
    """An answer that holds nothing usable; says what is wrong, for the model."""


def visible(text: str) -> str:
    """Return the answer without what the model thought before it."""
    text = _THINKING.sub("", text[:_LONGEST])
    text = _THOUGHT_END.sub("", text)
    text = _CHANNEL.sub("", text) if "<|channel|>" in text else text
    return _SPECIAL.sub(" ", text).strip()


def values(text: str) -> list[Any]:
    """Return the objects and lists of the first fence (```) that holds any, else of the answer; or UnreadableError.

    If the answer is an unfinished thought, the last one of its last fence comes back alone: what stands before it was
    tried and left.
    """
    shown = visible(text)
    if not shown:
        raise UnreadableError("it was empty")
    is_thought = is_unfinished(text)
    fenced = _FENCE.findall(shown)
    if is_thought:
        fenced.reverse()
    # What stands between fences (```) first, as the words around it may hold brackets, too.
    for part in (*fenced, shown):
        # A LaTeX command that JSON would read as an escape: `"\beta"` as `\b` and `eta`.
        read = _read_values(_BACKSLASH_OF_LATEX.sub(r"\\\\", part.strip()))
        if read:
            return read[-1:] if is_thought else read
    raise UnreadableError("it holds no JSON object")


def value(text: str) -> dict[str, Any]:
    """Return the first object of an answer, which may stand in a list; UnreadableError if there is none."""
    for read in values(text):
        for item in read if isinstance(read, list) else [read]:
            if isinstance(item, dict):
                return item
    raise UnreadableError("it holds no JSON object")


def shallow(value: object, left: int = _DEEPEST) -> bool:
    """True if a value is nested no deeper than a mended answer may be, so that everything can walk it."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return left >= 0 and all(shallow(it, left - 1) for it in inside)


def is_unfinished(text: str) -> bool:
    """True if the answer begins with a thought that does not end."""
    left = _THINKING.sub("", text[:_LONGEST])
    return bool(_THINKS.match(left)) and not _THOUGHT_END.match(left)


def _read_values(text: str) -> list[Any]:
    """Read the object or list that a text is, or if it is no JSON those that can be made out in it."""
    try:
        read = _unwrap(json.loads(text))
    except (ValueError, RecursionError):
        return _mend(text)
    return [read] if isinstance(read, dict | list) and shallow(read) else []


def _unwrap(read: object) -> object:
    """Read JSON that was written as a JSON string; ValueError if it is none.  Anything else comes back as it is."""
    if isinstance(read, str) and read.lstrip()[:1] in ("{", "["):
        return json.loads(read)
    return read


def _mend(text: str) -> list[Any]:
    """Read the objects and lists of objects in a text that is no JSON, as far as they make sense.

    They come in the order of the text, without empty ones.  One that is nested too deep ends the search.
    """
    values: list[Any] = []
    offset = 0
    while True:
        start = _find_opening(text, offset)
        if start is None:
            return values
        reader = _Reader(text, start)
        try:
            value = reader.read(0)
        except RecursionError:
            return values
        is_of_use = isinstance(value, dict) or any(isinstance(item, dict) for item in value)
        if value and is_of_use:
            values.append(value)
        # At least one character on, so that the search comes to an end.
        offset = max(reader.at, start + 1)


def _find_opening(text: str, start: int) -> int | None:
    """Return where the next object or list begins, from `start` on; None if there is none."""
    places = [it for it in (text.find("{", start), text.find("[", start)) if it >= 0]
    return min(places, default=None)


class _Reader:
    """Reads one value from a place in a text, whatever is wrong with it."""

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at

    def read(self, depth: int) -> Any:  # noqa: ANN401  a JSON value
        """Read the value that begins here, so many levels deep; RecursionError if it is too deep to walk through."""
        if depth > _DEEPEST:
            raise RecursionError
        self._skip_blanks()
        sign = self.text[self.at : self.at + 1]
        if sign == "{":
            return self._read_object(depth)
        if sign == "[":
            return self._read_list(depth)
        return self._read_string() if sign in _CLOSING and sign else self._read_bare()

    def _skip_blanks(self) -> None:
        """Move behind spaces and comments."""
        match = _SPACE.match(self.text, self.at)
        if match:
            self.at = match.end()

    def _move_to_item(self, closing: str) -> bool:
        """Move behind commas to the next item; False if the object or list that `closing` ends has no further one.

        There is none either at the end of the text, or before a wrong bracket, as in `{"a": [1}`: this one is not
        passed, but left to the object or list around, which it may end.
        """
        self._skip_blanks()
        while self.text[self.at : self.at + 1] in {",", ";"}:
            self.at += 1
            self._skip_blanks()
        sign = self.text[self.at : self.at + 1]
        if sign == closing:
            self.at += 1
        return sign not in {"", "}", "]"}

    def _read_object(self, depth: int) -> dict[str, Any]:
        """Read the object whose brace stands here, so many levels deep, and move behind it.

        Its keys may stand without quotes, and before `=` or `=>`; what is neither a key nor a value is passed over.
        """
        self.at += 1
        members: dict[str, Any] = {}
        while self._move_to_item("}"):
            start = self.at
            key = self._read_key()
            self._skip_blanks()
            if self.text[self.at : self.at + 1] in {":", "="}:
                self.at += 1
                if self.text[self.at : self.at + 1] == ">":
                    self.at += 1
                members[key] = self.read(depth + 1)
            elif self.at == start:  # nothing was read: without a step the loop would not end
                self.at += 1
        return members

    def _read_key(self) -> str:
        if self.text[self.at : self.at + 1] in _CLOSING:
            return self._read_string()
        match = _KEY.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return match[0] if match else ""

    def _read_list(self, depth: int) -> list[Any]:
        self.at += 1
        items = []
        while self._move_to_item("]"):
            start = self.at
            items.append(self.read(depth + 1))
            if self.at == start:  # nothing could be read there
                self.at += 1
        return items

    def _read_string(self) -> str:
        """Read the string whose opening quote stands here, and move behind it.

        A quote within it, as in `"he said "so" there"`, ends it only if what follows may follow a string.  One that is
        never closed goes on to the end of the text.
        """
        closing = _CLOSING[self.text[self.at]]
        self.at += 1
        parts: list[str] = []
        while self.at < len(self.text):
            sign = self.text[self.at]
            self.at += 1
            if sign == "\\":
                parts.append(self._read_escape())
            elif sign == closing and _AFTER_STRING.match(self.text, self.at):  # a comma, a bracket, the next key …
                break
            else:
                parts.append(sign)
        return "".join(parts)

    def _read_escape(self) -> str:
        """Read an escape, behind whose backslash we stand, and move behind it; return what it means.

        Besides those of JSON, `\\'` is one.  If it is none, return the backslash and stay.
        """
        sign = self.text[self.at : self.at + 1]
        code = self.text[self.at + 1 : self.at + 5]  # of `\u00e9` the four hexadecimal digits
        if sign == "u" and re.fullmatch(r"[0-9a-fA-F]{4}", code):
            self.at += 5
            is_high_half = "d800" <= code.lower() < "dc00"
            low_half = _LOW_HALF.match(self.text, self.at) if is_high_half else None
            if low_half:
                # A character beyond the first 65,536 is written in two halves: `\ud83d\ude00`.
                self.at = low_half.end()
                pair = int(code, 16).to_bytes(2, "big") + int(low_half["code"], 16).to_bytes(2, "big")
                return pair.decode("utf-16-be")
            return chr(int(code, 16))
        if sign and sign in _ESCAPES:
            self.at += 1
            return _ESCAPES[sign]
        return "\\"

    def _read_bare(self) -> Any:  # noqa: ANN401  a JSON value
        match = _BARE.match(self.text, self.at)
        written = match[0].strip() if match else ""
        self.at = match.end() if match else self.at
        if written.lower() in _LITERALS:
            return _LITERALS[written.lower()]
        if _NUMBER.fullmatch(written):
            return float(written) if set(written) & set(".eE") else int(written[:300])
        return written
