"""Where Markdown is not prose: code, comments, display mathematics, scripts, link targets."""

import re
from bisect import bisect_right

from citelsp.text import Span

_OPENER = re.compile(
    r"^(?P<lead>[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(?P<fence>`{3,}(?=[^`\n]*$)|~{3,})(?P<info>[^\n]*)"
    r"|(?P<ticks>`+)|(?P<comment><!--)|(?P<raw><(?:style|script|pre|code)\b)|(?P<math>\$\$)",
    re.MULTILINE | re.IGNORECASE,
)
_BLANK = re.compile(r"\n[ \t\r]*\n")
_RUNS = re.compile(r"`+")
_LIST = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)]|\(?[@\w]{1,6}[.)]|\[\^[^\]\n]+\]:|:|~)[ \t]")
_TARGET = re.compile(r"(?:[a-zA-Z][\w+.-]*://\S*|\]\([^()\s]*|<[a-zA-Z][^<>\n]*|www\.\S*|mailto:\S*)\Z")
_MATH = re.compile(r"(?<![\\$])\$(?=[^\s$])(?:[^$\n\\]|\\.)*(?<=[^\s$])\$(?![\d$])")


class Hidden:
    """Spans that hold no prose, in order and apart."""

    def __init__(self, spans: list[Span]) -> None:
        self.spans = spans
        self._starts = [it.start for it in spans]

    def covers(self, offset: int) -> bool:
        index = bisect_right(self._starts, offset) - 1
        return index >= 0 and offset < self.spans[index].end


def find(text: str, start: int = 0) -> tuple[Hidden, list[tuple[str, int]]]:
    """What is hidden after `start`, and the info string of every fenced block with its offset."""
    spans: list[Span] = [Span(0, start)] if start else []
    infos: list[tuple[str, int]] = []
    at = start
    dead_runs: set[int] = set()
    while match := _OPENER.search(text, at):
        opens = match.start("fence") if match["fence"] else match.start()
        at = match.end() if not match["fence"] else match.end("fence")
        if not match["fence"] and _is_escaped(text, opens):
            at = opens + 1
            continue
        end = _end(text, match, dead_runs)
        if end is None:
            continue
        if match["fence"]:
            infos.append((match["info"], match.start("info")))
        spans.append(Span(opens, end))
        at = end
    return Hidden(spans), infos


def _is_escaped(text: str, at: int) -> bool:
    before = at
    while before > 0 and text[before - 1] == "\\":
        before -= 1
    return (at - before) % 2 == 1


def _end(text: str, match: re.Match[str], dead_runs: set[int]) -> int | None:
    """Where the opened thing ends; None where it is never closed and so is prose."""
    if fence := match["fence"]:
        close = re.compile(rf"^[ \t>]*{re.escape(fence[0])}{{{len(fence)},}}[ \t\r]*$", re.MULTILINE).search(
            text, match.end()
        )
        return close.end() if close else None
    if match["ticks"]:
        return _ticks_end(text, match.end(), len(match["ticks"]), dead_runs)
    if match["raw"]:
        name = match["raw"][1:].lower()
        close = re.compile(rf"</{name}\s*>", re.IGNORECASE).search(text, match.end())
        return close.end() if close else None
    mark = "-->" if match["comment"] else "$$"
    found = text.find(mark, match.end())
    if found < 0 or (mark == "$$" and _BLANK.search(text, match.end(), found)):
        return None
    return found + len(mark)


def _ticks_end(text: str, at: int, length: int, dead_runs: set[int]) -> int | None:
    """The end of a code span, which never leaves its paragraph."""
    if length in dead_runs and text.find("`" * length, at) < 0:
        return None
    blank = _BLANK.search(text, at)
    for run in _RUNS.finditer(text, at, blank.start() if blank else len(text)):
        if run.end() - run.start() == length:
            return run.end()
    dead_runs.add(length)
    return None


def is_indented_code(text: str, at: int) -> bool:
    """True where the line of `at` belongs to an indented code block and to no list or footnote."""
    start = text.rfind("\n", 0, at) + 1
    if not _is_indented(text, start):
        return False
    after_blank = False
    while start > 0:
        previous = text.rfind("\n", 0, start - 1) + 1
        line = text[previous : start - 1]
        if not line.strip():
            after_blank = True
        elif _LIST.match(line):
            return False
        elif not _is_indented(text, previous):
            return after_blank
        else:
            after_blank = False
        start = previous
    return True


def _is_indented(text: str, start: int) -> bool:
    return text.startswith(("    ", "\t", " \t", "  \t", "   \t"), start)


def is_target(text: str, at: int) -> bool:
    """True where `at` stands in an address, in the target of a link, in an HTML tag or in mathematics."""
    start = max(text.rfind("\n", 0, at) + 1, at - 500)
    line = text[start:at]
    if ("://" in line or "](" in line or "<" in line or "www." in line or "mailto:" in line) and _TARGET.search(line):
        return True
    if "$" not in line:
        return False
    end = text.find("\n", at)
    end = min(len(text) if end < 0 else end, at + 500)
    return any(it.start() < at < it.end() for it in _MATH.finditer(text, start, end))
