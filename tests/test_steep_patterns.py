"""Regular expressions that take time by the square of a text: `\\s+and`, which tries each blank of a run in vain.

Texts to attack each pattern are made of its own parts: what comes before an unlimited repetition, what it repeats many
times, and a sign that nothing expects.  Ten times the text may take ten times the time, and by the square a hundred
times; with `--growth`, as it takes a minute.
"""

import re
import time
from itertools import islice, product
from pathlib import Path
from re import _constants as sre  # as Python 3.11 calls it
from re import _parser as parser

import pytest

import citelsp
from test_patterns import patterns

pytestmark = pytest.mark.growth

LENGTH = 4000  # characters
STEEPEST = 40.0  # between 10 and 100
SHORT = 0.005  # seconds in which a text shows nothing
MOST = 12  # texts of one part of a pattern
SIGNS = "a A0\n\t.,;:/-_{}()[]<>\"'`\\$%&#@=~|*+^!?é\0"
REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)
METHODS = "search|finditer|findall|sub|subn|split|match|fullmatch"
ROOT = Path(citelsp.__file__).parent

# What these match is cut before, or comes from nobody else.
BOUNDED = {
    "citelsp.agent": "answers of a model, of so many tokens",
    "citelsp.evals": "our own records",
    "citelsp.cli": "our own pages",
    "citelsp.corpus.place_query": "a sentence, cut",
    "citelsp.corpus.pdf_citations": "a page of up to 60,000 characters, and groups of 200",
    "citelsp.corpus.pdf_front": "lines of up to 2,000 characters",
    "citelsp.corpus.pdf_references": "rows made of such lines, and items cut",
    "citelsp.corpus.pdf_line_breaks": "rows made of lines of up to 2,000 characters, and items cut",
    "citelsp.corpus.pdf_running_heads": "lines of up to 2,000 characters",
    "citelsp.corpus.pdf_extraction._ABSTRACT": "a first page, cut",
    "citelsp.bibliography.bylines": "a name of up to 300 characters",
    "citelsp.bibliography.reference_reading": "a reference of up to 4,000 characters, its spaces single",
    "citelsp.bibliography.tolerant_comparison.venue_names": "a value of up to 10,000 characters",
    "citelsp.bibliography.venues": "a value of up to 10,000 characters",
    "citelsp.syntax.languages.latex.parsing._ROOT": "the first 2,000 characters of a document",
    "citelsp.syntax.languages.markdown.at_sign_context": "some 500 characters before the cursor",
    "citelsp.syntax.languages.typst.empty_places._UP_TO_KEY": "some 400 characters before the cursor",
    "citelsp.syntax.languages.org.parsing._INCLUDED": "the first 5,000 characters of a line",
    "citelsp.syntax.languages.org.parsing._REF_KEY": "matched keys, of which each ends with a letter or a digit",
    "citelsp.syntax.languages.org.parsing._TAGS": "the last 500 characters of a heading",
    "citelsp.syntax.suppressions._HTML": "2,000 characters of each comment",
    "citelsp.syntax.languages.latex.branches._OWNER": "the last 80 characters before a condition",
    "citelsp.syntax.languages.latex.grammar._OPEN_URL": "the last 2,000 characters before a percent sign",
}


def alternatives(code, value):
    """Some texts that one part of a pattern matches."""
    if code is sre.LITERAL:
        return [chr(value)]
    if code in (sre.NOT_LITERAL, sre.ANY, sre.IN):
        return [sign for sign in SIGNS if takes(code, value, sign)] or [chr(bound(value))]
    if code is sre.BRANCH:
        return [text for branch in value[1] for text in texts(branch)]
    if code in (sre.SUBPATTERN, sre.ATOMIC_GROUP):
        return texts(value[3] if code is sre.SUBPATTERN else value)
    if code in REPEATS:
        least, _, body = value
        return [text * least for text in texts(body)] if least else ["", *texts(body)]
    return [""]


def takes(code, value, sign):
    if code is sre.ANY:
        return sign != "\n"
    if code is sre.NOT_LITERAL:
        return ord(sign) != value
    negated = (sre.NEGATE, None) in value
    return any(is_in(sign, *part) for part in value if part[0] is not sre.NEGATE) != negated


def is_in(sign, code, value):
    if code is sre.LITERAL:
        return ord(sign) == value
    if code is sre.RANGE:
        return value[0] <= ord(sign) <= value[1]
    name = str(value)
    kinds = {"SPACE": sign.isspace(), "DIGIT": sign.isdigit(), "WORD": sign.isalnum() or sign == "_"}
    return kinds[name.rpartition("_")[2]] != ("NOT" in name)


def bound(value):
    """The first sign of a class of which none of SIGNS is one."""
    code, first = next(part for part in value if part[0] in (sre.LITERAL, sre.RANGE))
    return first if code is sre.LITERAL else first[0]


def texts(sequence):
    """Some texts that a sequence matches: those of its first part with choices, each with the shortest of the rest."""
    choices = [alternatives(*part) for part in sequence]
    varied = next((at for at, found in enumerate(choices) if len(found) > 1), 0)
    chosen = [found if at == varied else [min(found, key=len)] for at, found in enumerate(choices)]
    return list(dict.fromkeys("".join(parts) for parts in islice(product(*chosen), MOST)))


def repetitions(sequence, before=""):
    """What comes before each unlimited repetition, and texts that it repeats."""
    for code, value in sequence:
        if code in REPEATS:
            if value[1] >= LENGTH:
                yield from ((before, text) for text in texts(value[2]) if text)
            yield from repetitions(value[2], before)
        for inner in inside(code, value):
            yield from repetitions(inner, before)
        before += next(filter(None, alternatives(code, value)), "") if code not in REPEATS or value[0] else ""


def inside(code, value):
    match code:
        case sre.SUBPATTERN:
            return [value[3]]
        case sre.ATOMIC_GROUP:
            return [value]
        case sre.BRANCH:
            return value[1]
        case sre.ASSERT | sre.ASSERT_NOT:
            return [value[1]]
    return []


def attacks(pattern):
    """Beginning and repeated part."""
    found = list(repetitions(parser.parse(pattern.pattern, pattern.flags)))
    return dict.fromkeys([*found, *(("", before + text) for before, text in found)])


def seconds(pattern, method, text):
    began = time.thread_time()
    if method == "finditer":
        for _ in pattern.finditer(text):
            pass
    elif method == "sub":
        pattern.sub("", text)
    else:
        getattr(pattern, method)(text)
    return time.thread_time() - began


def is_steep(pattern, method, before, repeated):
    def least(length, tries):
        text = before + repeated * (length // len(repeated)) + "\0"
        return min(seconds(pattern, method, text) for _ in range(tries))

    # What one more try makes fast was disturbed.
    if least(LENGTH, 1) < SHORT or (large := least(LENGTH, 3)) < SHORT:
        return False
    return large > STEEPEST * least(LENGTH // 10, 8)


def methods(where):
    """Those by which a pattern is asked for in its module."""
    module, _, name = where.rpartition(".")
    path = ROOT.joinpath(*module.split(".")[1:])
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    found = set(re.findall(rf"\b{name}\.({METHODS})\b", path.read_text(encoding="utf-8"))) or {"match"}
    same = {"findall": "finditer", "split": "search", "subn": "sub"}
    return sorted({same.get(method, method) for method in found})


def steep(pattern, ways):
    return [(way, attack) for way in ways for attack in attacks(pattern) if is_steep(pattern, way, *attack)][:1]


@pytest.mark.parametrize("bad", [r"\s+and", r"a\s*b?\s*c", r"<x>.*?</x>", r"\w+@", r"(?:^|,)\s*(.*\S)\s*;"])
def test_what_grows_by_the_square_is_found(bad):
    assert steep(re.compile(bad), ["search"])


@pytest.mark.parametrize("good", [r"(?<!\s)\s+and", r"a\s*+(?:b\s*+)?c", r"\bx\w*", r"\[[^\[\]]*\]", r"^\s*+a"])
def test_what_does_not_is_left_alone(good):
    assert not steep(re.compile(good), ["search"])


@pytest.mark.parametrize(
    ("text", "flags", "where"),
    [
        pytest.param(*what, where, id=where)
        for what, where in patterns().items()
        if not where.startswith(tuple(BOUNDED))
    ],
)
def test_no_pattern_grows_by_the_square(text, flags, where):
    assert steep(re.compile(text, flags), methods(where)) == []
