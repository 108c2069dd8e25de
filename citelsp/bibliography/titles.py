"""Titles made comparable, and compared."""

import re
from html import unescape
from typing import Literal

from citelsp.base.footprint import MB, remembered
from citelsp.bibliography.fold import fold, squeezed, words

Outcome = Literal["same", "looser", "different", "unknown"]

_SUBTITLE = re.compile(r"(?:(?<!\s)\s+)?[:?!](?=\s)\s*|(?<!\s)\s+[–—-](?=\s)\s*")
_GREEK_NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma"
    " tau upsilon phi chi psi omega"
)
_GREEK = dict(zip("αβγδεζηθικλμνξοπρστυφχψω", _GREEK_NAMES.split(), strict=True))
_SYMBOLS = frozenset(
    f"{_GREEK_NAMES} ell sub sup part sun solar odot star infty infinity mathcal mathrm textit rm percent sqrt"
    " ev kev mev gev tev".split()  # units are macros that the author's own file explains
)
_REPOSITORY = re.compile(r"[\w.-]+/(?P<name>[\w.-]+)(?::(?P<release>.*))?", re.DOTALL)
_MATH = re.compile(r"[$^_\\]|\bsub\b|\(solar\)")
_AND = re.compile(r"&(?!#?\w+;)")
_UMLAUT = re.compile(r"[äöü]", re.IGNORECASE)
_YEAR_BEHIND = re.compile(r"(?<![\s,.])[\s,.]++[(\[]?(?:19|20)\d\d[a-z]?[–-]?[)\]]?\.?$")
_BEHIND = re.compile(r"\s*(?:\..*|[(\[][^()\[\]]*[)\]]\.?|,[^\d]*\d.*)")  # a title: what is no part of it
_NAMING, _LETTERS, _LONG = 3, 15, 5  # words and letters of a title that names one work; letters of a long word
_ENDS = 4  # letters at the beginning and at the end of a title
RETRACTED = re.compile(  # what publishers put before the title of a work that was retracted
    r"^\W*(?:(?:retracted|withdrawn)(?:\s+(?:article|chapter|paper))?|removed)(?:\s*[:\]–—]|\s+-\s)\s*"
    r"|^\W*notice of retraction(?:\s*[:\]–—]|\s)\s*",
    re.IGNORECASE,
)
_CORRECTION = r"errat(?:um|a)|corrigend(?:um|a)|corrections?|addend(?:um|a)"
_ABOUT = re.compile(  # what notices, comments and replies put before the title of the work that they are about
    rf"^\W*(?:(?:(?:author|publisher)(?:['’]?s)? )?(?:{_CORRECTION}|retraction(?: note| notice)?|expression of concern"
    r"|(?:publisher|editor)['’]?s note)(?: (?:to|on|for)\b:?|\s*[:.–—]| -(?= ))"
    r"|(?:comments?|discussion|commentary|repl(?:y|ies)|rejoinder|response) (?:on|to|of)\b:?)\s*",
    re.IGNORECASE,
)
_NOTED = re.compile(
    rf"(?:(?<!\s)\s+)?[(\[](?:(?:{_CORRECTION})\b|vol\.? \d)[^()\[\]]*[)\]]\s*$", re.IGNORECASE
)  # or behind it
_SIGNED = re.compile(  # a group that PubMed lists behind the title
    r"[.;]\s++(?:on behalf of )?(?:the )?[^.:;]*\b(?:consortium|collaboration|(?:study|working|research) group"
    r"|investigators|network|initiative)\s*+(?:\.\s*+)?$",
    re.IGNORECASE,
)
_EDITION = re.compile(
    r"(?:[,.:]|(?<!\s))\s++(?:\w+(?:\s\w+)?\s+printing(?:\s+edition)?|\w+\s+ed(?:ition|n|\.)?|\d+/e"
    r"|vol(?:ume|\.)\s*(?:[\dIVX]+|one|two|three|four|five))\s*(?=$|[:,.])",
    re.IGNORECASE,
)
_VOLUME = re.compile(r"(?:\w+\s+)?(?:band|bd|tome|tomo|vol|volume|teil|buch)\b", re.IGNORECASE)
_SECTION = re.compile(r"^\s*[IVXLC]+\.\s+(?=\w)")  # `LII. An Essay`, as volumes of transactions count their papers
_ABSTRACT = re.compile(  # a number among abstracts or chapters, or a journal's kind of article
    r"^\s*(?:chapter\s+\d+\b\W?|(?:abstract|poster)\s+(?:no\.?\s*)?[a-z-]{0,4}\d[\w.-]*\s*[:.]"
    r"|(?:colloquium|tutorial|invited (?:article|paper|review)|(?:review|research|perspective) article)\s*:)\s+",
    re.IGNORECASE,
)
_FIGURE = re.compile(r":\s++(?:figure|table)\s++\d+$", re.IGNORECASE)  # which a publisher's deposit took for its end
FOOTNOTE = re.compile(r"(?:\*\*|[†‡☆★])(?=[A-Z][a-z]).*")  # that was taken for the end of the title
_SPELLED = re.compile(r"\b(?:approximately equal to|plus or minus|plus)\b", re.IGNORECASE)  # signs that others drop
_PREAMBLE = re.compile(r"\\documentclass.*?(?:\\begin\{document\}|$)|\\end\{document\}", re.DOTALL)
_MARKUP = re.compile(
    r"\[([A-Z]+)\][^\[\]]*\[/\1\](?=\[\1\])|</?[A-Za-z][\w:]*(?:\s[^<>]*)?>|\[/?[A-Z]{2,6}\]"
    r"|\bsqrt(?=[a-z]\b)|(?:(?<=\))over|(?<=\b\w))-(?:tilde|bar|hat|dot)\b|\\[a-zA-Z]+\s*|(?<!\d)-?\.?\d+(?:\.\d+)?(?:ex|em|pt)\b|[${}]"
)
_PERCENT = re.compile(r"%|\bper cent\b", re.IGNORECASE)
_NUMERALS = "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx".split()
_SPELT = "one two three four five six seven eight nine ten".split()
_TH = "1st:first 2nd:second 3rd:third 4th:fourth 5th:fifth 6th:sixth 7th:seventh 8th:eighth 9th:ninth"
_ORDINALS = dict(it.split(":") for it in _TH.split())
_NUMERAL = re.compile(rf"(?<=\bpart )({'|'.join(_NUMERALS)})\b", re.IGNORECASE)
_PART = re.compile(
    rf"\b(?i:parts?|pts?|teil|tome|partie|parte|deel)\b[\s.]*\b((?i:{'|'.join([*_NUMERALS, *_SPELT])})|\d{{1,2}})\b"
    r"|(?:(?<=[\s(])|^)([IVX]+|\d{1,2})(?=\s*(?:[.:;,)–—]|-\s|$))"
)
_ROMAN = re.compile(r"\b[IVX]{2,}\b|\b[IVX](?=[.:])")
_BRITISH = re.compile(r"(?<=[a-z]{3})(?:is(?:e|ed|es|er|ing|ers)|our(?:s|al|ed|ing)?|tres?)$")
_STEMS = (
    "isation ization judgement judgment ll l analys analyz catalys catalyz paralys paralyz sulph sulf ageing aging"
    " aluminium aluminum programme program defence defense licence license offence offense fibre fiber"
    " catalogue catalog paed ped naesth nesth haem hem kaem kem naem nem oesoph esoph oedem edem foet fet oestr estr"
    " rrhoea rrhea gynaec gynec caesar cesar aetiolog etiolog archaeo archeo palaeo paleo manoeuv maneuv"
    " towards toward amongst among artefact artifact sceptic skeptic enquir inquir connexion connection mould mold"
    " colour color behaviour behavior neighbour neighbor favour favor honour honor labour labor humour humor"
    " tumour tumor vapour vapor flavour flavor harbour harbor rumour rumor endeavour endeavor armour armor"
).split()
_AMERICAN = tuple(zip(_STEMS[::2], _STEMS[1::2], strict=True))
# In short words the letters of the stems are no British spelling: `wise`, `four`; so these are listed whole.
_SHORT = "disc:disk discs:disks fibre:fiber metre:meter litre:liter mould:mold grey:gray tyre:tire tyres:tires"
_AMERICAN_SHORT = dict(it.split(":") for it in _SHORT.split())
# Of sixty letters one or two may differ: a typing error, not another word.
LIKE = 0.97  # from this likeness on two titles name one work
_OTHER_PART = 0.95
_TRIFLES = frozenset("a an the".split())
_TONGUES = {
    "en": "the of and on for with by from to an at as is are how what",
    "de": "der die das und über ueber zur zum von des den dem einer eine für mit bei ist als",
    "fr": "le les du des sur et une dans pour aux par la au",
    "es": "el los las y del una para con sobre en por la",
    "it": "il gli della delle dei sulla nella di per una lo sul",
    "pt": "o os da do das dos e uma sobre para em na no",
}
_CUT = re.compile(r"(?:(?<!\s)\s+)?[:?!–—]\s+|(?<!\s)\s+[-–—]\s*|[.;]\s+|,\s+(?=chap(?:ter\b|\.))")  # before a subtitle


@remembered(MB // 16)
def compare(cited: str, recorded: str) -> Outcome:
    """Same if letters and digits agree; looser if one lacks the other's subtitle, remarks or formulas.

    The number of a part may be written in any way (`Part II.`, `2:`, `Pt. Two`), and is never passed over.
    """
    if not cited or not recorded:
        return "unknown"
    if any(rule(cited, recorded) for rule in SAME):
        return "same"
    if _is_section_of(cited, recorded) or _is_section_of(recorded, cited):
        return "looser"
    # After what makes numbers equal: Part II and Part III are alike in all letters but one, and two works.
    if _are_other_parts(cited, recorded):
        return "different"
    if differ_in_umlauts(cited, recorded):
        return "same"
    return "looser" if any(rule(cited, recorded) for rule in LOOSER) else "different"


def have_the_same_letters(cited: str, recorded: str) -> bool:
    """All letters and digits agree, spaces and hyphens aside."""
    return "".join(comparable(cited)) == "".join(comparable(recorded)) or _glued(cited) == _glued(recorded)


def is_garbled(cited: str, recorded: str) -> bool:
    """One lost letters on its way."""
    return _garbled(cited, recorded) or _garbled(recorded, cited)


def number_their_part_otherwise(cited: str, recorded: str) -> bool:
    """The number of a part is written in another way: `Part II.`, `2:`, `Pt. Two`."""
    return _PART.search(cited) is not None and _numbered(cited) == _numbered(recorded)


def differ_in_umlauts(cited: str, recorded: str) -> bool:
    """`ü` is `ue` or `u`."""
    if not _UMLAUT.search(cited + recorded):
        return False
    return _without_umlauts(comparable(cited)) == _without_umlauts(comparable(recorded))


def lacks_the_subtitle(cited: str, recorded: str) -> bool:
    """One lacks the other's subtitle, or the name before it."""
    pairs = ((cited, recorded), (recorded, cited))
    return any(lacks(*pair) for lacks in (_lacks_subtitle, _lacks_name) for pair in pairs)


def is_about_the_same(cited: str, recorded: str) -> bool:
    """Two notices about one work: `Erratum to: X`, `X (erratum)`."""
    return bool(about(cited)) and comparable(about(cited)) == comparable(about(recorded))


def differ_in_symbols(cited: str, recorded: str) -> bool:
    """All that differs are symbols, which sources drop or spell out."""
    mine = comparable(cited)
    its = comparable(recorded)
    if _telling(mine) == _telling(its):
        return True
    has_formula = _MATH.search(cited) or _MATH.search(recorded)
    return bool(has_formula) and _without_symbols(mine) == _without_symbols(its)


def differ_in_remarks(cited: str, recorded: str) -> bool:
    """All that differs are remarks of the publisher, numbers of abstracts and editions."""
    return _without_remarks(cited) == _without_remarks(recorded)


def differ_in_formulas(cited: str, recorded: str) -> bool:
    """Formulas are written in another way, or one lost them."""
    mine = comparable(cited)
    its = comparable(recorded)
    return _are_formulas_otherwise(mine, its) or _lacks_formulas(mine, its) or _lacks_formulas(its, mine)


def is_cut_off(cited: str, recorded: str) -> bool:
    """One was cut off on its way and says so, with dots: `The Study of Very …`."""
    return _is_cut_off(cited, recorded) or _is_cut_off(recorded, cited)


def spell_out_an_acronym(cited: str, recorded: str) -> bool:
    """`at the Large Hadron Collider` for `at the LHC`, and all else alike."""
    mine = comparable(cited)
    its = comparable(recorded)
    return _spells_out(mine, its) or _spells_out(its, mine)


SAME = (have_the_same_letters, is_garbled, number_their_part_otherwise)


def names_a_repository(title: str) -> bool:
    """`owner/name: release`, as Zenodo calls what it archives of GitHub."""
    return _REPOSITORY.fullmatch(title.strip()) is not None


def is_called_as_the_repository(cited: str, recorded: str) -> bool:
    """One is `owner/name: release`, as archives write, the other the name, the release or both."""
    return _is_name_of(cited, recorded) or _is_name_of(recorded, cited)


LOOSER = (
    lacks_the_subtitle,
    is_about_the_same,
    differ_in_symbols,
    differ_in_remarks,
    differ_in_formulas,
    is_cut_off,
    spell_out_an_acronym,
    is_called_as_the_repository,
)


def _is_name_of(title: str, archived: str) -> bool:
    repository = _REPOSITORY.fullmatch(archived.strip())
    if repository is None:
        return False
    name = squeezed(repository["name"])
    release = squeezed(repository["release"] or "")
    return squeezed(title) in {name, release, name + release} - {""}


def _telling(found: tuple[str, ...]) -> str:
    return "".join(it for it in found if it not in _SYMBOLS)


def _is_cut_off(begun: str, whole: str) -> bool:
    """The dots stand within a word or behind one; before them a title must say enough to be told from others."""
    bare = begun.rstrip().removesuffix("…").removesuffix("...")
    if bare == begun.rstrip() or len(words(bare)) < 5:
        return False
    return squeezed(whole).startswith(squeezed(bare)) and len(squeezed(bare)) < len(squeezed(whole))


def _spells_out(full: tuple[str, ...], short: tuple[str, ...]) -> bool:
    """`at the Large Hadron Collider` for `at the LHC`, and all else alike."""
    start = next((i for i, (word, other) in enumerate(zip(full, short, strict=False)) if word != other), len(full))
    acronym = short[start] if start < len(short) else ""
    end = start + len(acronym)
    return (
        len(acronym) >= 3 and "".join(it[0] for it in full[start:end]) == acronym and full[end:] == short[start + 1 :]
    )


def _is_section_of(numbered: str, plain: str) -> bool:
    """Numbered as old volumes number their papers, `LIII. On Lines`, which says nothing of parts."""
    if not _SECTION.match(numbered) or _SECTION.match(plain):
        return False
    return comparable(_PART.sub(" ", _SECTION.sub("", numbered))) == comparable(_PART.sub(" ", plain))


def _lacks_subtitle(shorter: str, longer: str) -> bool:
    """The subtitle is left out, or the number of a volume behind it."""
    if len(squeezed(shorter)) < 8:
        return False
    whole = "".join(comparable(shorter))
    longer = _SECTION.sub("", longer)
    cuts = list(_CUT.finditer(longer))
    first_colon = next((cut for cut in cuts if ":" in cut[0]), None)  # above dashes: `Change – The Basis: A Report`
    for cut in cuts:
        if cut in (cuts[0], first_colon) or _adds_nothing(longer, cut):
            head = longer[: cut.start()]
            if whole == "".join(comparable(head)) or whole == "".join(_without_remarks(head)):
                return True
    return False


def _adds_nothing(title: str, cut: re.Match[str]) -> bool:
    """Behind it stands the number of a volume, or a running head: words that the title has already."""
    head = comparable(title[: cut.start()])
    rest = comparable(title[cut.end() :])
    return bool(_VOLUME.match(title, cut.end())) or (len(rest) >= 2 and set(rest) <= set(head))


def _lacks_name(shorter: str, longer: str) -> bool:
    """The name of a system or a column, one word or two and articles before a colon: `FASER: Forward Search`."""
    head, title = parts(longer)
    if len(comparable(head)) > 2 or len(words(title)) < 4:
        return False
    return comparable(title) == comparable(shorter)


@remembered(MB // 16)
def about(title: str) -> str:
    """The title of the work that this is a correction, retraction, comment or reply of; "" if it is none."""
    bare = _NOTED.sub("", _ABOUT.sub("", title))
    return re.sub(r"\s*\[[^\[\]]*\]\s*$", "", bare) if bare != title else ""


def _are_other_parts(left: str, right: str) -> bool:
    mine = _numbers(left)
    its = _numbers(right)
    return bool(mine - its) and bool(its - mine)


def _numbers(title: str) -> set[str]:
    return {arabic(it[1] or it[2]) for it in _PART.finditer(title)}


def tongue(title: str) -> str:
    """The language that most of the small words are of, "en"; "" if none has more than the others."""
    spoken = re.findall(r"[^\W\d_]+", title.lower())
    votes = sorted((sum(it in known.split() for it in spoken), code) for code, known in _TONGUES.items())
    return votes[-1][1] if votes[-1][0] > votes[-2][0] else ""


def are_translations(left: str, right: str) -> bool:
    """Whether two titles are written in two scripts or languages, so that their letters cannot be compared."""
    mine = tongue(left)
    its = tongue(right)
    return are_in_two_scripts(left, right) or (bool(mine and its) and mine != its)


def are_in_two_scripts(left: str, right: str) -> bool:
    """True if only one of the titles has Latin letters."""
    return _is_latin(left) != _is_latin(right)


def _is_latin(title: str) -> bool:
    return any(it.isascii() and it.isalpha() for it in fold(title))


def part_numbers(title: str) -> set[str]:
    """The numbers of parts as digits: those that the title calls so, and Roman numerals as authors write them."""
    roman = (it for it in _ROMAN.findall(title) if it.lower() in _NUMERALS)
    return {arabic(it) for it in roman} | {arabic(it[1]) for it in _PART.finditer(title) if it[1]}


def _numbered(title: str) -> str:
    return "".join(comparable(_PART.sub(lambda it: f" {arabic(it[1] or it[2])} ", title)))


def _glued(title: str) -> str:
    """All letters, as spaces are lost around formulas, and points after initials kept: `F.A.S.T.`"""
    return squeezed(_spelled(without_markup(title)))


def _garbled(broken: str, whole: str) -> bool:
    """Letters beyond ASCII lost or replaced on the way, or the mark of a footnote left at the end."""
    if "\ufffd" in broken:
        pattern = ".{1,2}".join(map(re.escape, broken.split("\ufffd")))
        return re.fullmatch(pattern, whole, re.IGNORECASE) is not None
    broken_letters = squeezed(broken)
    whole_letters = squeezed(whole)
    if len(broken_letters) < 20 or not broken_letters.startswith(whole_letters[:2]):
        return False
    if broken_letters == squeezed("".join(sign for sign in whole if sign.isascii())):
        return True
    has_mark = broken[-1] in "123abc*" and broken_letters[:-1] == whole_letters
    return has_mark and len(broken.split()) == len(whole.split())


def _without_umlauts(title: tuple[str, ...]) -> str:
    """`Ueber` as `Über`, whose folded form is uber."""
    return re.sub(r"(?<=[aou])e", "", "".join(title))


def _without_remarks(title: str) -> tuple[str, ...]:
    """The words without parentheses, footnotes, edition and volume, and without a number of section or abstract."""
    bare = re.sub(r"\([^()]*(?:\)|$)|\[[^\[\]]*\]|,? in Proceedings of .*", " ", FOOTNOTE.sub("", title))
    bare = _FIGURE.sub("", _SIGNED.sub("", bare).rstrip(" ."))
    bare = _EDITION.sub("", _ABSTRACT.sub("", bare))
    return comparable(re.sub(r"^\s*[IVXLC\d]+(?:\.\d+)*\.?\s*[-–—]\s+", "", bare)) or comparable(title)


def _without_symbols(title: tuple[str, ...]) -> tuple[str, ...]:
    """The longer words, letters of isotopes and the like in alphabetical order: ^171Yb, Yb171."""
    longer = (it for it in title if len(it) > 2 and it not in _SYMBOLS)
    found = tuple("".join(sorted(it)) if any(map(str.isdigit, it)) else it for it in longer)
    return found if len(found) >= 3 else title


def _are_formulas_otherwise(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Four words and more in common, and the very letters and digits beside them: `liquid-He-4`, `liquid ^4He`."""
    mine = _plain_words(one)
    its = _plain_words(other)
    return len(mine) >= 4 and mine == its and sorted("".join(one)) == sorted("".join(other))


def _plain_words(title: tuple[str, ...]) -> list[str]:
    """Words of letters alone, of three at least."""
    return [it for it in title if len(it) > 2 and it.isalpha()]


def _lacks_formulas(shorter: tuple[str, ...], longer: tuple[str, ...]) -> bool:
    """All that the longer title has more are symbols: sources drop them."""
    if len(shorter) < 4 or not len(shorter) < len(longer) <= len(shorter) + 8:
        return False
    remaining = iter(longer)
    added: list[str] = []
    for word in shorter:
        for other in remaining:
            if other == word:
                break
            added.append(other)
        else:
            return False
    added += remaining
    return all(len(word) <= 2 or word in _SYMBOLS for word in added)


@remembered(MB // 16)
def comparable(title: str) -> tuple[str, ...]:
    title = _AND.sub(" and ", _SPELLED.sub(" ", RETRACTED.sub("", without_markup(title))))
    found = words(_spelled(_NUMERAL.sub(lambda it: arabic(it[1]), title)))
    telling = tuple(_american(_ORDINALS.get(it, it)) for it in found if it not in _TRIFLES)
    return telling or words(title)


def _spelled(title: str) -> str:
    """Greek letters and signs by their names."""
    title = _PERCENT.sub(" percent ", title)
    if title.isascii():
        return title
    return "".join(_greek(it) for it in title)


def _greek(letter: str) -> str:
    """The name of a Greek letter, set off; any other letter as it is."""
    name = _GREEK.get(letter.lower())
    return f" {name} " if name else letter


def arabic(number: str) -> str:
    """A Roman numeral or an English numeral, both small, as digits; anything else as it is."""
    numeral = number.lower()
    known = _NUMERALS if numeral in _NUMERALS else _SPELT
    return str(known.index(numeral) + 1) if numeral in known else number


def without_markup(title: str) -> str:
    """The title without the tags, entities and formulas' commands that sources keep."""
    return _MARKUP.sub("", _PREAMBLE.sub("", unescape(title)))


@remembered(MB // 16)
def _american(word: str) -> str:
    if len(word) < 6:
        return _AMERICAN_SHORT.get(word, word)
    for british, american in _AMERICAN:
        word = word.replace(british, american)
    return _BRITISH.sub(lambda it: it[0].replace("is", "iz", 1).replace("our", "or").replace("tre", "ter"), word)


def likeness(left: str, right: str) -> float:
    """How alike two titles are, 0 to 1, by their letters; a missing subtitle costs little, another part much."""
    left_letters = "".join(comparable(left))
    right_letters = "".join(comparable(right))
    if not left_letters or not right_letters:
        return 0.0
    outcome = compare(left, right)
    if outcome == "same":
        return 1.0
    if outcome == "looser":
        return LIKE
    from rapidfuzz import fuzz

    alike = fuzz.ratio(left_letters, right_letters) / 100
    return min(alike, _OTHER_PART) if _are_other_parts(left, right) else alike


def are_copies(left: str, right: str) -> bool:
    """Whether one is the other as it comes out of a reference list: the year or the venue behind it, twice, misprinted.

    What stands behind a full stop or in brackets is no title; behind a comma it may be one, unless it has digits.
    """
    (_, one, letters), (long, other, more) = sorted((_bare(left), _bare(right)), key=lambda it: len(it[2]))
    # One letter changes a beginning or an end, and what is behind a title changes no beginning: most pairs end here.
    if letters[:_ENDS] != more[:_ENDS] and letters[-_ENDS:] != more[-_ENDS:]:
        return False
    if len(one) < _NAMING or len(letters) < _LETTERS or part_numbers(left) != part_numbers(right):
        return False
    if other in (one, one * 2):
        return True
    if other[: len(one)] == one:
        return _BEHIND.fullmatch(_after(long, len(letters))) is not None
    return _is_misprint(one, other)


@remembered(MB // 16)
def _bare(title: str) -> tuple[str, tuple[str, ...], str]:
    """A title without the year behind it, its words, and its letters and digits."""
    bare = _YEAR_BEHIND.sub("", title)
    found = words(bare)
    return bare, found, "".join(found)


def _after(title: str, letters: int) -> str:
    """What stands behind so many letters and digits."""
    places = [index for index, it in enumerate(title) if it.isalnum()]
    return title[places[letters - 1] + 1 :] if letters <= len(places) else ""


def _is_misprint(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """A space, or one letter of a long word: short ones are words of their own, and digits tell works apart."""
    from rapidfuzz.distance import Levenshtein

    letters = "".join(one)
    other_letters = "".join(other)
    if letters == other_letters:
        return True
    if len(one) != len(other) or Levenshtein.distance(letters, other_letters, score_cutoff=1) > 1:
        return False
    [(word, other_word)] = [pair for pair in zip(one, other, strict=True) if pair[0] != pair[1]]
    return min(len(word), len(other_word)) >= _LONG and not any(map(str.isdigit, word + other_word))


def key(title: str) -> str:
    """Letters and digits, folded: equal for titles that differ in case, accents, dashes, quotes and spaces."""
    return squeezed(title)


def parts(title: str) -> tuple[str, str]:
    """Title and subtitle: "Head: Tail" → ("Head", "Tail"); no subtitle is ""."""
    match = _SUBTITLE.search(title)
    if not match or match.start() == 0:
        return title, ""
    return title[: match.start()].strip(), title[match.end() :].strip()


def joined(title: str, subtitle: str) -> str:
    """Both in one, unless the title holds the subtitle already."""
    if not subtitle or key(subtitle) in key(title):
        return title
    return f"{title.rstrip(' .:')}: {subtitle}" if title else subtitle
