"""Regular expressions that no text makes search for ever.

A repetition of what is itself repeated, with nothing beside it that has to be there, matches a text of n signs in 2^n
ways, all of which are tried before a search fails: `(a+)*`, `(a*b?)+`.  Possessive repetitions and atomic groups keep
what they matched, and are tried one way.  What grows by the square is found by test_growth.py.
"""

import importlib
import pkgutil
import re
from re import _constants as sre  # as Python 3.11 calls it
from re import _parser as parser

import pytest

import citelsp

LEFT_OUT = ("citelsp.__main__",)
REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT)
MANY = 1000  # times: as bad as without end


def patterns():
    """Those at the top of a module, once each, by where they stand."""
    found = {}
    for module in pkgutil.walk_packages(citelsp.__path__, "citelsp."):
        if module.name in LEFT_OUT:
            continue
        for name, value in vars(importlib.import_module(module.name)).items():
            if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
                found.setdefault((value.pattern, value.flags), f"{module.name}.{name}")
    return found


def is_ambiguous(tree):
    """True if a repetition in it repeats another, with nothing beside that one that has to be there."""
    for code, value in tree:
        if code in REPEATS and value[1] >= MANY and repeats_itself(value[2]):
            return True
        if any(is_ambiguous(it) for it in within(code, value)):
            return True
    return False


def repeats_itself(body):
    """True if the body can be one unlimited repetition alone: then two turns of it match what one does."""
    if len(body) == 1 and body[0][0] in (sre.SUBPATTERN, sre.BRANCH):
        return any(repeats_itself(it) for it in within(*body[0]))
    for at, (code, value) in enumerate(body):
        others = [it for place, it in enumerate(body) if place != at]
        if all(can_be_empty(it) for it in others):
            if code in REPEATS and value[1] >= MANY:
                return True
            if code in (sre.SUBPATTERN, sre.BRANCH) and any(repeats_itself(it) for it in within(code, value)):
                return True
    return False


def can_be_empty(item):
    return parser.SubPattern(parser.State(), [item]).getwidth()[0] == 0


def within(code, value):
    """The parts of an item that are sequences themselves and are tried in more than one way."""
    match code:
        case sre.SUBPATTERN:
            return [value[3]]
        case sre.BRANCH:
            return value[1]
        case sre.MAX_REPEAT | sre.MIN_REPEAT:
            return [value[2]]
        case sre.ASSERT | sre.ASSERT_NOT:
            return [value[1]]
    return []


@pytest.mark.parametrize("bad", ["(a+)*", "(a*b?)+", "(?:x|a+)*b", "(?:(?:a+))+$", r"(\w+\s*)*!"])
def test_what_can_go_on_for_ever_is_found(bad):
    assert is_ambiguous(parser.parse(bad))


@pytest.mark.parametrize("good", ["(a+,)*", "(a++)*", "(?>a+)*", "[ab]*", "(?:a{1,3})*", r"(?:[^\\]|\\.)*"])
def test_what_ends_is_left_alone(good):
    assert not is_ambiguous(parser.parse(good))


def test_no_pattern_can_go_on_for_ever():
    found = patterns()
    assert len(found) > 500
    assert {where for (text, flags), where in found.items() if is_ambiguous(parser.parse(text, flags))} == set()
