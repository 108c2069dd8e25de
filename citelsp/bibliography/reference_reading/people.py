"""Lists of people as they are printed in references, in either order of a name's parts, as BibTeX writes them."""

import re
from collections.abc import Sequence
from typing import NamedTuple

# At the end: `, et al.`, ` and 12 others`, ` u. a.`
_OTHERS = re.compile(
    r"[\s,;&]{0,4}(?:\b(?:and|und|et|y|e)\s+)?(?:\bet\s*\.?\s*al\b\.?|(?<=[A-Z])\se\sa$|(?:\band|\bet|\bund|[,;&–-])\s+(?:(?:\d+\s)?others|collaborators|co-?workers)\b|\bu\.\s?a\.|\bet\s+coll\b\.?|\bи\s+др\b\.?|等|\.\.\.|…)[\s.,;]{0,4}$",
    re.IGNORECASE,
)
_BEFORE_LAST_NAME = re.compile(
    r"\s*(?:,\s*)?(?:\b(?:and|und|et|y|e|with|en|och|og|és|ve|oraz)\b|\bu\.|&|＆)\s+|\s*、\s*"
)
# At the end: ` (Eds.)`, `, Hrsg.`
_EDITORS = re.compile(
    r"[\s,]{0,4}\(?\b(?:[Ee]ds?|[Hh]rsg|[Hh]g|[EeÉé]ds?|[Ee]ditors?|[Cc]oords?|[Dd]irs?)\b\.?\)?[\s,.:]{0,4}$"
)
# `D. E.`, `DE`, `D E`, `J.-P.`, `Yu.`
_INITIALS = re.compile(
    r"(?:[^\W\d_a-z]\.[\s~-]*){1,5}[^\W\d_a-z]?|[^\W\d_a-z]{1,3}|[^\W\d_a-z](?:[\s~-]+[^\W\d_a-z])+\.?"
    r"|(?:[^\W\d_]{1,3}\.[\s-]*){1,5}"
)
# `LeCun Y`, `Smith JR`, `Sartre J-P`, `Иванов ИИ`
_INITIALS_WITHOUT_STOPS = re.compile(r"[A-ZÀ-ÞА-ЯЁ](?:-?[A-ZÀ-ÞА-ЯЁ]){0,3}")
_LAST_INITIAL = re.compile(r"\b[^\W\d_a-z]\.$")  # with its full stop at the end of a name
_SMALL_INITIAL = re.compile(r"[a-z]\.")  # an initial that somebody wrote small
_SUFFIX = re.compile(r"(?:Jr|Sr|II|III|IV)\.?")
_WORD = r"(?:[^\W\d_][\w’'‘‐‑.-]*)"
_NAME = re.compile(rf"{_WORD}(?:\s+{_WORD}){{0,5}}")
_MOST_WORDS_OF_NAME = 7  # of a name in several parts at most
_PARTICLE = re.compile(
    r"(?:van|von|der|den|de|des|del|las|los|vom|della|di|da|do|dos|das|du|la|le|ter|ten|zu|zur|al|el|bin|ben|ibn|af|av|y|e|d|l)",
    re.IGNORECASE,
)
_ELIDED = re.compile(
    r"(?:[dl][’'‘]|[a-z]{2}-)[^\W\d_a-z]"
)  # a particle that is a part of its word: `d’Avila`, `ud-Doula`
_GROUP = re.compile(
    r"\b(?:collaborations?|consortium|teams?|group|committee|organi[sz]ation|project|developers?|foundation|institute?"
    r"|university|agency|cent(?:er|re)|association|society|investigators|network|ministry|bundesamt|department|office"
    r"|corporation|corp|company|inc|llc|ltd|gmbh|bureau|council|commission|administration|contributors|collaborators|authors|community|communities|initiative|alliance|federation|nations|parliament|academy|laborator(?:y|ies))\b",
    re.IGNORECASE,
)
_JOINING_IN_GROUP = re.compile(r"\b(?:of|for|and|the|on|in|at|to|by|et|und|für|pour|sur|para|per)\b")
_JOINED_TO_ONE = re.compile(
    r"(?P<before>[^\W\d_]{3}[^,;]{0,60}\s[^,;]{3,60})\s(?:and|et|und|y|e|&)\s[^\W\d_a-z][^\W\d_]{3,}"
    r"|[^\W\d_][^,;]{0,60}\s(?:and|&)\s(?:Company|Co\.?|Sons|Partners|Associates)"
)
_FIELD = re.compile(r" (?:of|for|on) ")  # what an organisation is concerned with
_NICKNAME = re.compile(r"\s[(“\"][^\W\d_][\w.-]{1,20}[)”\"](?=\s[^\W\d_a-z])")  # `Zhenhui (Jack) Jiang`
_TURNED_BEFORE_DASH = re.compile(r",\s[^,;]{1,30}\s[-–/]\s[^\W\d_][^,;]{0,40}(?:,|$)")  # `Byron, A. - Knuth, D.`
_BETWEEN_DASHES = re.compile(r"\s[-–/]\s")
_HAN = re.compile(r"[\u3400-\u9fff·]{2,}")
# `A. Byron,`, `Byron, A.,`, `et al`
_LEADING = re.compile(
    r"(?:(?:and|&)\s)?(?:(?:[^\W\d_]\.[\s-]*)+[^\W\d_][\w’'-]+(?:,|\sand\s)"
    r"|[^\W\d_][\w’' -]{1,30}\.?,\s(?:[^\W\d_]\.[\s-]*)+(?:,|:|\sand\s|$))"
    r"|(?:[^\W\d_a-z]\.[\s-]*)+,|et al\b"
)
_BRACKETED = re.compile(
    r"(?P<family>[^\W\d_][^()]{0,60}?)\s\((?P<given>[^\W\d_][^()]{0,60})\)"
)  # French: `Riguet (Marine)`
# `Byron, A., … Roe, V.`: the dots within a list
_DOTS_IN_LIST = re.compile(r"[\s,]*(?:…|\.\s?\.\s?\.)[\s,&]*(?=[^\W\d_])")
_INITIALS_WITH_STOPS = re.compile(r"(?:[^\W\d_]\.[\s-]?)+")  # initials, whose family name is missing
# `A. Notes`, `Byron; Knuth`: what no organisation has in its name
_PERSON_BEFORE = re.compile(r"\b[^\W\d_a-z]\.[:;]?\s|[;:]\s")
_STATE_IN_INITIALS = re.compile(r"\b(?:[A-Z]\.\s?){2,}(?=\s?[A-Z][a-z])")  # of `U. S. Department of Energy`
# A sentence ends within: `Ada Byron. Engines and notes`; given names are cut short to fewer letters
_TWO_SENTENCES = re.compile(r"\b(?!Collab)[^\W\d_][a-zß-ÿ]{4,}\.\s+[^\W\d_]")
# `A. Byron et al., ATLAS collaboration`: in whose name they wrote
_BEHIND_OTHERS = re.compile(r"(?<=\bal\.),\s(?:[^\W\d_][\w-]{1,20}\s){1,4}[Cc]ollaborations?$")
# `T. A. collaboration`: BibTeX cuts names short, of which a group has none.
_SHORTENED_GROUP = re.compile(r"(?:[^\W\d_a-z]\.[\s~-]?){1,4}(?:[Cc]ollaborations?|[Cc]onsortium)")
_MOST_NAMES = 500


class People(NamedTuple):
    listed: tuple[str, ...]  # each as BibTeX writes it: "Family, Given"
    truncated: bool
    are_editors: bool
    sure: bool  # that all are names, and where each begins

    def __str__(self) -> str:
        return " and ".join((*self.listed, *(("others",) if self.truncated else ())))


NOBODY = People((), truncated=False, are_editors=False, sure=False)


def read(text: str) -> People:
    """Read a printed list of people; NOBODY if the text is empty or has a sentence that ends within it.

    `sure` is False if not all names look like names, if there are more than _MOST_NAMES, or if the list may have been
    parted in the wrong places.
    """
    text = _NICKNAME.sub("", " ".join(text.split())).strip(" ,;:")
    if _TURNED_BEFORE_DASH.search(text):  # `Byron, A. - Knuth, D.`
        text = _BETWEEN_DASHES.sub("; ", text)
    # A full stop at the end is dropped, unless it is an initial's, or the last one of `...`
    if not re.search(r"(?:\b[^\W\d_]|\.)\.$", text):
        text = text.rstrip(".")
    text = _BEHIND_OTHERS.sub("", text)
    without_role = _EDITORS.sub("", text)
    # `Byron, A., Knuth, D., … Roe, V.`: who stands behind the gap is the last of many, and left out.
    before_gap = _DOTS_IN_LIST.split(without_role, maxsplit=1)[0]
    without_others = _OTHERS.sub("", before_gap)
    names = without_others.strip(" ,;")
    if not names or _TWO_SENTENCES.search(names):
        return NOBODY
    listed = _split_names(names)
    is_official = len(listed) == 1 and _is_official(names) and _is_named_in_capitals(names)
    sure = bool(listed) and len(listed) <= _MOST_NAMES and (is_official or all(map(_is_name, listed)))
    if len(listed) > 1 and any(_INITIALS_WITH_STOPS.fullmatch(name.strip("{}")) for name in listed):
        sure = False  # a list that was parted in the wrong places
    # `T. A. collaboration`: a group cut to initials is left out.
    named = tuple(name for name in listed if not is_shortened_group(name.strip("{}")))
    return People(named, truncated=without_others != without_role, are_editors=without_role != text, sure=sure)


def _split_names(text: str) -> list[str]:
    """Split a list into names as BibTeX writes them, `Family, Given`; what is not to be divided is put in braces.

    Semicolons part names if there are any, else commas and “and”, unless the whole is one organisation.
    """
    if ";" in text or "；" in text:
        return [_write_name(name) for name in _split_at_semicolons(text)]
    if _is_official(text):  # one organisation: `National Institute of Standards and Technology`
        return [f"{{{text}}}"]
    # `A. Byron, D. Knuth and V. Roe`: “and”, with or without a comma before it, becomes a comma.
    with_commas = _BEFORE_LAST_NAME.sub(", ", text)
    parts = [part.strip() for part in re.split(r"[,，]", with_commas) if part.strip()]
    if _HAN.search(text):  # Chinese names are written without a sign between family and given name
        return [f"{{{part}}}" for part in parts]
    bracketed = [_BRACKETED.fullmatch(part) for part in parts]
    if all(bracketed):
        return [f"{name['family']}, {name['given']}" for name in bracketed if name]
    # Without a comma in the list no name is turned: in `Plato and Ada Byron` the two are no pair.
    paired = _pair_names(parts) if re.search(r"[,，]", text) else []
    return paired or _write_each(parts)


def _write_each(parts: Sequence[str]) -> list[str]:
    """Write each part as a name, and `Jr.` as the suffix of the one before it."""
    names: list[str] = []
    for part in parts:
        if names and _SUFFIX.fullmatch(part):
            names[-1] = _add_suffix(names[-1], part)
        else:
            names.append(_write_name(part))
    return names


def _add_suffix(name: str, suffix: str) -> str:
    """`Martin L. King` and `Jr.` as `King, Jr., Martin L.`"""
    family, _, given = name.partition(", ")
    if not given:
        *before, family = name.split()
        given = " ".join(before)
    return f"{family}, {suffix}, {given}" if given else f"{name}, {suffix}"


def _split_at_semicolons(text: str) -> list[str]:
    """`Byron, A.; Babbage, C. and Hopper, G.`: what stands between two may be names that a word joins."""
    names: list[str] = []
    for part in re.split(r"\s*[;；]\s*(?:(?:and|und|et|y|&)\s+)?", text):
        joined = _BEFORE_LAST_NAME.split(part)
        names += joined if "," not in part or all("," in name for name in joined) else [part]
    return [name for name in names if name]


def _is_official(text: str) -> bool:
    """True for one organisation with a word that joins names: `National Institute of Standards and Technology`.

    Also for `Airbus Defence and Space`, as behind a person's whole name another whole one follows, and for `Bain &
    Company`, in which the second is no name.
    """
    joined = _JOINED_TO_ONE.fullmatch(text)
    if joined:
        if joined["before"] is None:  # `Bain & Company`
            return True
        # Two words before tell an organisation; not `van der Laan and Byron`, which are two family names.
        before = [word for word in joined["before"].split() if not _PARTICLE.fullmatch(word)]
        return len(before) > 1 and not any(map(_are_initials, before))
    head, _, tail = text.partition(" and ")
    if not tail or "," in text or len(tail.split()) > 2 or _GROUP.search(tail):
        return False
    return _GROUP.search(head) is not None and _FIELD.search(head) is not None


def _pair_names(parts: Sequence[str]) -> list[str]:
    """Pair the parts of a list that are family and given names in turn: `Family, I., Family, I.`

    Also if only the first name is turned: `Family, Given, Given Family`.  Empty if the parts cannot be paired: then
    each may be a name.
    """
    if len(parts) < 2:
        return []
    initials = _mark_initials(parts)
    if any(initials):
        return _pair_with_initials(parts, initials)
    if _is_particle_a_name(parts[0]) and len(parts[1].split()) > 1:  # `Le Zhuo, Ada Byron`
        return []
    may_be_family = [len(part.split()) == 1 or _is_with_particle(part) for part in parts]
    if not may_be_family[0]:
        return []
    # `Family, Given, Family, Given`: all are turned.
    if len(parts) % 2 == 0 and all(may_be_family[::2]):
        return [f"{family}, {given}" for family, given in zip(parts[::2], parts[1::2], strict=True)]
    # `Family, Given, Given Family and Given Family`: only the first is.
    if not any(may_be_family[2:]):
        return [f"{parts[0]}, {parts[1]}", *map(_write_name, parts[2:])]
    return []


def _mark_initials(parts: Sequence[str]) -> list[bool]:
    """Say of each part of a list whether it is initials, perhaps with a particle, of the family name before them.

    The form of a part tells, and for short words in capitals what its neighbours are.
    """
    # “Jr.” and “III” are none; some styles turn a name so that they stand where a family name does, `Jr., W. A.`
    initials = [_are_initials(part) and not _SUFFIX.fullmatch(part) for part in parts]
    # `Dijk, H. K. van, Byron, A.`: the initials and particle of Dijk.  In `E. Roe, C. E. van` they are not Roe's, as he
    # has initials already.
    for index, part in enumerate(parts[1:], start=1):
        if _is_particle_behind_initials(part) and "." not in parts[index - 1]:
            initials[index] = True
    # `BYRON, Ada, LEE, Don`: short family names in capitals, LEE, look like initials.  Every other part from the first
    # on is a family name then, as these are in capitals and the given names between them are not.
    are_in_capitals = all(part.isupper() and "." not in part for part in parts[::2])
    if len(parts) % 2 == 0 and are_in_capitals and not any(map(str.isupper, parts[1::2])):
        initials[::2] = [False] * len(parts[::2])
    # `KOB, W., LEE, H. C.`: capitals without full stops are a family name, if initials follow that have full stops or
    # are a single letter.  `following` stands behind `parts[index]`.
    for index, following in enumerate(parts[1:]):
        is_initial = initials[index + 1] and ("." in following or len(following) == 1)
        if initials[index] and "." not in parts[index] and len(parts[index]) > 1 and is_initial:
            initials[index] = False
    return initials


def _pair_with_initials(parts: Sequence[str], are_initials: Sequence[bool]) -> list[str]:
    """Join every part with the initials behind it, and with a suffix: `Family, I., Jr.`; a part without any is a name.

    `are_initials` says of each part whether it is initials.  Empty if some have no family name before them.
    """
    names: list[str] = []
    index = 0
    while index < len(parts):
        if are_initials[index]:
            return []
        # `Haisch, Jr., K. E.`: the suffix between family name and initials
        if any(are_initials[index + 2 : index + 3]) and _SUFFIX.fullmatch(parts[index + 1]):
            names.append(f"{parts[index]}, {parts[index + 1]}, {parts[index + 2]}")
            index += 3
            continue
        has_initials = index + 1 < len(parts) and are_initials[index + 1]
        if not has_initials:
            names.append(_write_name(parts[index]))
            index += 1
            continue
        family, given = parts[index : index + 2]
        index += 2
        # `Miller, J., J.D.`: apacite shortens a Jr. as if it were a given name.
        while index < len(parts) and are_initials[index]:
            given += f" {parts[index]}"
            index += 1
        is_suffix = index < len(parts) and _SUFFIX.fullmatch(parts[index])
        # Initials behind a suffix make it the next name, `Jr., W. A.`, as some styles turn one.
        if is_suffix and not any(are_initials[index + 1 : index + 2]):
            names.append(f"{family}, {parts[index]}, {given}")
            index += 1
        else:
            names.append(f"{family}, {given}")
    return names


def _are_initials(text: str) -> bool:
    """`D. E.`, `DE`, `J.-P.`, `Yu.`; not `Lü`, whose second letter is a small one."""
    match = _INITIALS.fullmatch(text)
    return match is not None and (text.endswith(".") or not any(map(str.islower, text)))


def _is_particle_behind_initials(text: str) -> bool:
    """`H. K. van`, `J. van der`: the particle is that of the family name before the initials."""
    words = text.split()
    particles = [word for word in words if len(word) > 1 and word.islower() and _PARTICLE.fullmatch(word)]
    before = words[: len(words) - len(particles)]
    return bool(particles) and [*before, *particles] == words and _are_initials(" ".join(before))


def _is_with_particle(text: str) -> bool:
    words = text.split()
    return all(_PARTICLE.fullmatch(it) for it in words[:-1])


def _is_particle_a_name(text: str) -> bool:
    """True for `Le Zhuo`, who may be called so, and unlike `Le Cun` is a whole name if a whole one follows."""
    words = text.split()
    return len(words) == 2 and words[0][:1].isupper() and _PARTICLE.fullmatch(words[0]) is not None


def _write_name(text: str) -> str:
    """Write one name, `Given Family` or `Family GH` with its initials behind, as BibTeX reads it.

    `Family GH` becomes `Family, G. H.`; `Given Family` stays.  A group, or a single word, gets braces.
    """
    last_stop = "." if _LAST_INITIAL.search(text.strip(" ,;")) else ""  # of a last initial it stays: `Ada B.`
    text = re.sub(r"\s*,\s*", ", ", text.strip(" .,;") + last_stop)
    words = text.split()
    if "," in text:  # as BibTeX has it already
        return text
    if _GROUP.search(text) or len(words) == 1:
        return f"{{{text}}}"
    if not words:
        return text
    # `Byron A A`, `Byron AA`: the words at the end that are nothing but one or two capitals.
    if _INITIALS_WITHOUT_STOPS.fullmatch(words[-1]) and not _are_initials(words[0]) and len(words[0]) > 1:
        first = next(it for it in range(len(words)) if all(map(_INITIALS_WITHOUT_STOPS.fullmatch, words[it:])))
        initials = re.findall(r"-?[^\W\d_]", "".join(words[first:]))
        with_stops = ". ".join(initials).replace(". -", ".-")
        return f"{' '.join(words[:first])}, {with_stops}." if first else text
    # `Byron A. A.`
    if _INITIALS_WITH_STOPS.fullmatch(words[-1]) and not _are_initials(words[0]):
        starts = (index for index in range(len(words)) if _are_initials(" ".join(words[index:])))
        first = next(starts, len(words) - 1)  # the last word, if even that has more initials than `_INITIALS` allows
        return f"{' '.join(words[:first])}, {' '.join(words[first:])}"
    return text


def _is_name(written: str) -> bool:
    """True if it can be the name of a person, or of a group in braces: few words, with capitals except in particles.

    `written`: as BibTeX writes it.
    """
    bare = written.strip("{}")
    if _HAN.fullmatch(bare):
        return True
    words = bare.replace(",", " ").split()
    is_group = written.startswith("{") and _GROUP.search(bare) is not None
    # A group may have digits, `TRAPPIST-1 Initiative`, `The 1000 Looms Project`, but neither begins nor ends with a
    # number: `Council 2011`.
    has_digit = any(map(str.isdigit, (words[0], words[-1]) if is_group and words else bare))
    if not 1 <= len(words) <= _MOST_WORDS_OF_NAME or has_digit:
        return False
    if is_group:  # what begins with a quotation mark or a bracket is a title
        return bare[0].isalpha() and _is_named_in_capitals(bare)
    if not _NAME.fullmatch(" ".join(words)):
        return False
    large = [word for word in words if not (_PARTICLE.fullmatch(word) or _SMALL_INITIAL.fullmatch(word))]
    return bool(large) and all(map(_begins_as_name, large))


def _is_named_in_capitals(group: str) -> bool:
    """False if words of a title go on: `Community structure of the web`, unlike `Rocq community`."""
    bare = _GROUP.sub("", _JOINING_IN_GROUP.sub(" ", group))
    words = [word for word in bare.split() if word[0].isalpha() and not _PARTICLE.fullmatch(word)]
    return all(map(_begins_as_name, words))


def _begins_as_name(word: str) -> bool:
    """True for a capital, for a letter beyond ASCII, whose script may have none, and for `d'Alembert`."""
    return word[:1].isupper() or not word[:1].isascii() or _ELIDED.match(word) is not None


def are_complete(text: str) -> bool:
    """True for a list that is sure, and of which the last and two thirds of all names have more than one part."""
    found = read(text)
    whole = [not it.startswith("{") for it in found.listed]
    return found.sure and bool(whole) and whole[-1] and sum(whole) * 3 >= len(whole) * 2


def read_group(text: str) -> People:
    """Read as one organisation what stands where people are expected; NOBODY if it cannot be one.

    It cannot if it has too many words or a year, if it begins with no letter, or if it looks like people.
    """
    bare = " ".join(text.split()).strip(" ,;:.")
    words = bare.split()
    # More than ten words are a sentence.
    if not 1 <= len(words) <= 10 or re.search(r"\d{4}", bare) or not bare[:1].isalpha():
        return NOBODY
    # `A. J. Bray and M. A. Moore`: two people.
    names = _BEFORE_LAST_NAME.split(bare)
    if len(names) > 1 and not _GROUP.search(bare) and all(len(name.split()) > 1 for name in names):
        return NOBODY
    # `Byron, A. Notes on an “engine”`: a person, and a title that quotes.
    if _PERSON_BEFORE.search(_STATE_IN_INITIALS.sub("", bare)):
        return NOBODY
    return People((f"{{{bare}}}",), truncated=False, are_editors=False, sure=True)


def are_bracketed(text: str) -> bool:
    """True for names with the given ones in brackets: `Clavert (Frédéric) et Legendre (Olivier)`."""
    return all(_BRACKETED.fullmatch(name.strip()) for name in _BEFORE_LAST_NAME.split(text))


def is_group(text: str) -> bool:
    """True for the name of an organisation alone."""
    bare = _OTHERS.sub("", text).strip()
    return len(bare.split()) <= 6 and _GROUP.search(bare) is not None and bare[:1].isupper()


def is_shortened_group(text: str) -> bool:
    """True for a group whose name was cut short as if it were a person's: `T. A. collaboration`."""
    return _SHORTENED_GROUP.fullmatch(text.strip()) is not None


def begins_with_names(text: str) -> bool:
    """True if names stand at the beginning of a text: a list that was cut too early goes on there."""
    return (
        _LEADING.match(text) is not None or re.fullmatch(r"(?:and\s.{2,30}|(?:[A-Z]\.\s?)+\S{2,20})", text) is not None
    )


def are_likely(text: str) -> bool:
    """True for a list that is sure, and of which each name has initials, or that has several names or “et al.”."""
    found = read(text)
    if not found.sure:
        return False
    initials = sum(bool(re.search(r"\b[^\W\d_a-z]\.", it)) for it in found.listed)
    return initials == len(found.listed) or len(found.listed) > 1 or found.truncated
