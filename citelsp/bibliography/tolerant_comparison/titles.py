"""Titles made comparable, and compared."""

import re
from html import unescape
from typing import Literal, NamedTuple

from citelsp.base.footprint import MB, remember
from citelsp.bibliography.fold import bare_letters, fold, words

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
# `owner/name: release`
_REPOSITORY = re.compile(r"[\w.-]+/(?P<name>[\w.-]+)(?::(?P<release>.*))?", re.DOTALL)
_MATH = re.compile(r"[$^_\\]|\bsub\b|\(solar\)")
_AND = re.compile(r"&(?!#?\w+;)")
_UMLAUT = re.compile(r"[äöü]", re.IGNORECASE)
# `, 1999`, `(1999a).`
_YEAR_BEHIND = re.compile(r"(?<![\s,.])[\s,.]++[(\[]?(?:19|20)\d\d[a-z]?[–-]?[)\]]?\.?$")
_NO_PART_OF_TITLE = re.compile(r"\s*(?:\..*|[(\[][^()\[\]]*[)\]]\.?|,[^\d]*\d.*)")  # what may stand behind it in a list
_FEWEST_WORDS = 3  # of a title that names one work
_FEWEST_LETTERS = 15  # of a title that names one work
_LONG_WORD = 5  # letters
_LETTERS_AT_ENDS = 4  # letters at the beginning and at the end of a title that are compared first
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
# `LII. An Essay`, as volumes of transactions count their papers
_NUMBER_OF_PAPER = re.compile(r"^\s*[IVXLC]+\.\s+(?=\w)")
_ABSTRACT = re.compile(  # a number among abstracts or chapters, or a journal's kind of article
    r"^\s*(?:chapter\s+\d+\b\W?|(?:abstract|poster)\s+(?:no\.?\s*)?[a-z-]{0,4}\d[\w.-]*\s*[:.]"
    r"|(?:colloquium|tutorial|invited (?:article|paper|review)|(?:review|research|perspective) article)\s*:)\s+",
    re.IGNORECASE,
)
_FIGURE = re.compile(r":\s++(?:figure|table)\s++\d+$", re.IGNORECASE)  # which a publisher's deposit took for its end
FOOTNOTE = re.compile(r"(?:\*\*|[†‡☆★])(?=[A-Z][a-z]).*")  # that was taken for the end of the title
_SPELLED = re.compile(r"\b(?:approximately equal to|plus or minus|plus)\b", re.IGNORECASE)  # signs that others drop
# What some registries leave around formulas: `\documentclass…\begin{document}`
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
# `Part II`, `Pt. 2`, `Teil 3`; or a number before a sign: `II.`, `2:`
_PART = re.compile(
    rf"\b(?i:parts?|pts?|teil|tome|partie|parte|deel)\b[\s.]*\b((?i:{'|'.join([*_NUMERALS, *_SPELT])})|\d{{1,2}})\b"
    r"|(?:(?<=[\s(])|^)([IVX]+|\d{1,2})(?=\s*(?:[.:;,)–—]|-\s|$))"
)
# `II`, or `I` before a stop or a colon
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
LONGEST = 1000  # characters of a title that are compared
# Of sixty letters one or two may differ: a typing error, not another word.
LIKE = 0.97  # from this likeness on two titles name one work
_LIKENESS_OF_PARTS = 0.95  # at most, of two parts of one work
_ARTICLES = frozenset("a an the".split())
_TONGUES = {
    "en": "the of and on for with by from to an at as is are how what",
    "de": "der die das und über ueber zur zum von des den dem einer eine für mit bei ist als",
    "fr": "le les du des sur et une dans pour aux par la au",
    "es": "el los las y del una para con sobre en por la",
    "it": "il gli della delle dei sulla nella di per una lo sul",
    "pt": "o os da do das dos e uma sobre para em na no",
}
_FEWEST_LETTERS_OF_MAIN_TITLE = 8  # and digits, of one that may stand without its subtitle
_MAY_BEGIN_SUBTITLE = re.compile(r"(?:(?<!\s)\s+)?[:?!–—]\s+|(?<!\s)\s+[-–—]\s*|[.;]\s+|,\s+(?=chap(?:ter\b|\.))")


@remember(MB // 16)
def compare(cited: str, recorded: str) -> Outcome:
    """Compare two titles: "same" if letters and digits agree, "looser" if one lacks a subtitle, remarks or formulas.

    That is, by the rules in SAME and LOOSER.  "different" otherwise, and for two parts of one work; "unknown" if one is
    empty, or for two without letters and digits that are not equal.  The number of a part may be written in any way
    (`Part II.`, `2:`, `Pt. Two`).
    """
    if not cited or not recorded:
        return "unknown"
    if not comparable(cited) and not comparable(recorded):  # `????`, all letters lost
        return "same" if cited == recorded else "unknown"
    if any(rule(cited, recorded) for rule in SAME):
        return "same"
    if _is_section_of(cited, recorded) or _is_section_of(recorded, cited):
        return "looser"
    # Behind the rules that equate `Part II` with `2:`, and before those that pass over remarks: Part II is not Part I.
    if _are_other_parts(cited, recorded):
        return "different"
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
    for shorter, longer in ((cited, recorded), (recorded, cited)):
        if _lacks_subtitle(shorter, longer) or _lacks_name(shorter, longer):
            return True
    return False


def is_about_the_same(cited: str, recorded: str) -> bool:
    """Two notices about one work: `Erratum to: X`, `X (erratum)`."""
    words_of_work = comparable(about(cited))
    return bool(words_of_work) and words_of_work == comparable(about(recorded))


def differ_in_symbols(cited: str, recorded: str) -> bool:
    """All that differs are symbols, which sources drop or spell out."""
    cited_words = comparable(cited)
    recorded_words = comparable(recorded)
    joined = _joined_without_symbols(cited_words)
    if joined and joined == _joined_without_symbols(recorded_words):
        return True
    has_formula = _MATH.search(cited) or _MATH.search(recorded)
    return bool(has_formula) and _without_symbols(cited_words) == _without_symbols(recorded_words)


def differ_in_remarks(cited: str, recorded: str) -> bool:
    """All that differs are remarks of the publisher, numbers of abstracts and editions."""
    return _without_remarks(cited) == _without_remarks(recorded)


def differ_in_formulas(cited: str, recorded: str) -> bool:
    """Formulas are written in another way, or one lost them."""
    cited_words = comparable(cited)
    recorded_words = comparable(recorded)
    if _are_formulas_otherwise(cited_words, recorded_words):
        return True
    return _lacks_formulas(cited_words, recorded_words) or _lacks_formulas(recorded_words, cited_words)


def is_cut_off(cited: str, recorded: str) -> bool:
    """One was cut off on its way and says so, with dots: `The Study of Very …`."""
    return _is_cut_off(cited, recorded) or _is_cut_off(recorded, cited)


def spell_out_an_acronym(cited: str, recorded: str) -> bool:
    """`at the Large Hadron Collider` for `at the LHC`, and all else alike."""
    cited_words = comparable(cited)
    recorded_words = comparable(recorded)
    return _spells_out(cited_words, recorded_words) or _spells_out(recorded_words, cited_words)


SAME = (have_the_same_letters, is_garbled, number_their_part_otherwise, differ_in_umlauts)


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
    """True if `archived` is `owner/name: release`, and the title the name, the release or both."""
    repository = _REPOSITORY.fullmatch(archived.strip())
    if repository is None:
        return False
    name = bare_letters(repository["name"])
    release = bare_letters(repository["release"] or "")
    return bare_letters(title) in {name, release, name + release} - {""}


def _joined_without_symbols(title: tuple[str, ...]) -> str:
    return "".join(word for word in title if word not in _SYMBOLS)


def _is_cut_off(begun: str, whole: str) -> bool:
    """True if `begun` ends in dots and is the beginning of `whole`: `The Study of Very Small T…`.

    The dots may stand within a word or behind one; before them must be five words, to be told from other titles.  False
    if `begun` has all letters of `whole`.
    """
    bare = begun.rstrip().removesuffix("…").removesuffix("...")
    has_dots = bare != begun.rstrip()
    if not has_dots or len(words(bare)) < 5:
        return False
    letters = bare_letters(bare)
    whole_letters = bare_letters(whole)
    return whole_letters.startswith(letters) and len(letters) < len(whole_letters)


def _spells_out(full: tuple[str, ...], short: tuple[str, ...]) -> bool:
    """True if `full` spells out the first word of `short` in which they differ, an acronym, and all else is alike.

    `at the Large Hadron Collider` for `at the LHC`; both are words in small letters.
    """
    start = 0
    while start < min(len(full), len(short)) and full[start] == short[start]:
        start += 1
    if start == len(short):
        return False
    acronym = short[start]
    if len(acronym) < 3:  # two letters are rather a word
        return False
    end = start + len(acronym)
    initials = "".join(word[0] for word in full[start:end])
    return initials == acronym and full[end:] == short[start + 1 :]


def _is_section_of(numbered: str, plain: str) -> bool:
    """True if `numbered` is the other title with its number in an old volume, `LIII. On Lines`, which is no part."""
    if not _NUMBER_OF_PAPER.match(numbered) or _NUMBER_OF_PAPER.match(plain):
        return False
    return comparable(_PART.sub(" ", _NUMBER_OF_PAPER.sub("", numbered))) == comparable(_PART.sub(" ", plain))


def _lacks_subtitle(shorter: str, longer: str) -> bool:
    """True if `shorter` is `longer` without its subtitle: `Deep Learning` for `Deep Learning: An Introduction`.

    Or without an end that adds nothing, as `: Volume 2`.  False if it is too short to name a work.
    """
    if len(bare_letters(shorter)) < _FEWEST_LETTERS_OF_MAIN_TITLE:
        return False
    letters = "".join(comparable(shorter))
    longer = _NUMBER_OF_PAPER.sub("", longer)  # `LII. An Essay`: its first stop is no cut
    cuts = list(_MAY_BEGIN_SUBTITLE.finditer(longer))  # where a subtitle, or something else, may begin
    # A colon may begin the subtitle behind a dash: `Change – The Basis: A Report`.
    first_colon = next((cut for cut in cuts if ":" in cut[0]), None)
    for cut in cuts:
        begins_subtitle = cut in (cuts[0], first_colon)
        if begins_subtitle or _adds_nothing(longer, cut):
            main_title = longer[: cut.start()]
            if letters in ("".join(comparable(main_title)), "".join(_without_remarks(main_title))):
                return True
    return False


def _adds_nothing(title: str, cut: re.Match[str]) -> bool:
    """True if behind the cut stands the number of a volume, or a running head: words that the title has already."""
    if _VOLUME.match(title, cut.end()):
        return True
    head = comparable(title[: cut.start()])
    behind = comparable(title[cut.end() :])
    return len(behind) >= 2 and set(behind) <= set(head)


def _lacks_name(shorter: str, longer: str) -> bool:
    """True if `shorter` is the other title behind its colon, before which a name stands: `FASER: Forward Search`.

    That is the name of a system or a column, of a word or two beside articles.
    """
    head, title = parts(longer)
    if len(comparable(head)) > 2 or len(words(title)) < 4:
        return False
    return comparable(title) == comparable(shorter)


@remember(MB // 16)
def about(title: str) -> str:
    """Return the title that a correction, retraction, comment or reply names: `Erratum to: X` → `X`; "" for others."""
    bare = _NOTED.sub("", _ABOUT.sub("", title))
    if bare == title:
        return ""
    return re.sub(r"\s*\[[^\[\]]*\]\s*$", "", bare)


def _are_other_parts(left: str, right: str) -> bool:
    """True if each has the number of a part that the other has not."""
    left_numbers = _numbers(left)
    right_numbers = _numbers(right)
    return bool(left_numbers - right_numbers) and bool(right_numbers - left_numbers)


def _numbers(title: str) -> set[str]:
    """The numbers of parts, as digits."""
    return {arabic(part[1] or part[2]) for part in _PART.finditer(title)}


def tongue(title: str) -> str:
    """Guess the language of a title by its small words: `the`, "en"; "" if no language has more than all others."""
    title_words = re.findall(r"[^\W\d_]+", title.lower())
    votes: list[tuple[int, str]] = []
    for code, small_words in _TONGUES.items():
        votes.append((sum(word in small_words.split() for word in title_words), code))
    votes.sort()
    (second_count, _), (most, code) = votes[-2:]
    return code if most > second_count else ""


def are_translations(left: str, right: str) -> bool:
    """True if two titles are written in two scripts or languages, so that their letters cannot be compared."""
    if are_in_two_scripts(left, right):
        return True
    left_tongue = tongue(left)
    right_tongue = tongue(right)
    return bool(left_tongue) and bool(right_tongue) and left_tongue != right_tongue


def are_in_two_scripts(left: str, right: str) -> bool:
    """True if only one of the titles has Latin letters."""
    return _is_latin(left) != _is_latin(right)


def _is_latin(title: str) -> bool:
    return any(sign.isascii() and sign.isalpha() for sign in fold(title))


def part_numbers(title: str) -> set[str]:
    """Return the numbers of parts as digits: those behind a word, `Part 2`, and Roman numerals, `II`."""
    roman = {arabic(numeral) for numeral in _ROMAN.findall(title) if numeral.lower() in _NUMERALS}
    called_so = {arabic(part[1]) for part in _PART.finditer(title) if part[1]}
    return roman | called_so


def _numbered(title: str) -> str:
    """Return all letters of a title, with a part's number as digits and without the word before it: `Part II` → `2`."""
    return "".join(comparable(_PART.sub(lambda part: f" {arabic(part[1] or part[2])} ", title)))


def _glued(title: str) -> str:
    """Return all letters run together, as sources lose spaces around formulas, and write `F.A.S.T.` for `FAST`."""
    return bare_letters(_spelled(without_markup(title)))


def _garbled(broken: str, whole: str) -> bool:
    """True if `broken` is the other title with letters beyond ASCII lost or replaced on the way.

    Or with the mark of a footnote left at the end: `A Study of Things*`.
    """
    if "\ufffd" in broken:  # Unicode's sign for a character that could not be read
        pattern = ".{1,2}".join(map(re.escape, broken.split("\ufffd")))
        return re.fullmatch(pattern, whole, re.IGNORECASE) is not None
    broken_letters = bare_letters(broken)
    whole_letters = bare_letters(whole)
    # A quick look, as most titles begin otherwise; and short ones may be alike by chance.
    if len(broken_letters) < 20 or not broken_letters.startswith(whole_letters[:2]):
        return False
    if broken_letters == bare_letters("".join(sign for sign in whole if sign.isascii())):
        return True
    has_mark = broken[-1] in "123abc*" and broken_letters[:-1] == whole_letters
    # A mark that stands alone may number a part: `A Study of Things 2`.
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
    """Return the words of three letters or more that name no symbol; all words if fewer than three are left.

    Letters and digits of a word with digits are sorted: `^171Yb` and `Yb171` are one isotope.
    """
    longer: list[str] = []
    for word in title:
        if len(word) > 2 and word not in _SYMBOLS:
            has_digits = any(map(str.isdigit, word))
            longer.append("".join(sorted(word)) if has_digits else word)
    return tuple(longer) if len(longer) >= 3 else title


def _are_formulas_otherwise(left: tuple[str, ...], right: tuple[str, ...]) -> bool:
    """True if two titles have the same plain words, at least four, and else the same letters: `He-4`, `^4He`."""
    left_words = _plain_words(left)
    right_words = _plain_words(right)
    if len(left_words) < 4 or left_words != right_words:
        return False
    return sorted("".join(left)) == sorted("".join(right))


def _plain_words(title: tuple[str, ...]) -> list[str]:
    """Words of letters alone, of three at least."""
    return [word for word in title if len(word) > 2 and word.isalpha()]


def _lacks_formulas(shorter: tuple[str, ...], longer: tuple[str, ...]) -> bool:
    """True if the longer title has all words of the shorter one in order, and all its other words are symbols.

    Words of one or two letters count as symbols.  A shorter title needs four words, to be told from others, and the
    longer one has at most eight more: more than that is no formula.
    """
    if len(shorter) < 4 or not len(shorter) < len(longer) <= len(shorter) + 8:
        return False
    unmatched = iter(longer)
    added: list[str] = []
    for word in shorter:
        for other in unmatched:
            if other == word:
                break
            added.append(other)
        else:
            return False
    added += unmatched
    return all(len(word) <= 2 or word in _SYMBOLS for word in added)


@remember(MB // 16)
def comparable(title: str) -> tuple[str, ...]:
    """Return the words of a title for comparison: American spelling, numbers as digits, signs by name, no articles.

    If nothing else is left, the articles stay.
    """
    title = _AND.sub(" and ", _SPELLED.sub(" ", RETRACTED.sub("", without_markup(title))))
    all_words = words(_spelled(_NUMERAL.sub(lambda numeral: arabic(numeral[1]), title)))
    telling = tuple(_american(_ORDINALS.get(word, word)) for word in all_words if word not in _ARTICLES)
    return telling or words(title)


def _spelled(title: str) -> str:
    """Greek letters and signs by their names."""
    title = _PERCENT.sub(" percent ", title)
    if title.isascii():
        return title
    return "".join(map(_greek, title))


def _greek(letter: str) -> str:
    """The name of a Greek letter, set off; any other letter as it is."""
    name = _GREEK.get(letter.lower())
    return f" {name} " if name else letter


def arabic(number: str) -> str:
    """A Roman numeral or an English numeral, both small, as digits; anything else as it is."""
    numeral = number.lower()
    for numerals in (_NUMERALS, _SPELT):
        if numeral in numerals:
            return str(numerals.index(numeral) + 1)
    return number


def without_markup(title: str) -> str:
    """The title without the tags, entities and formulas' commands that sources keep."""
    return _MARKUP.sub("", _PREAMBLE.sub("", unescape(title)))


@remember(MB // 16)
def _american(word: str) -> str:
    """A word in American spelling; of short words only some, as others have the same letters by chance."""
    if len(word) < 6:
        return _AMERICAN_SHORT.get(word, word)
    for british, american in _AMERICAN:
        word = word.replace(british, american)
    return _BRITISH.sub(_american_ending, word)


def _american_ending(british: re.Match[str]) -> str:
    """`-ise`, `-our` and `-tre` with what may follow them."""
    return british[0].replace("is", "iz", 1).replace("our", "or").replace("tre", "ter")


def likeness(left: str, right: str) -> float:
    """Say how alike two titles are, 0 to 1, by their letters; 0 also if one has none.

    It is 1 if `compare` finds them the same, and LIKE if it finds one looser, as without its subtitle; two parts of one
    work stay below LIKE.
    """
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
    return min(alike, _LIKENESS_OF_PARTS) if _are_other_parts(left, right) else alike


def are_copies(left: str, right: str) -> bool:
    """True if one title is the other as it comes out of a reference list: with more behind it, twice, or misprinted.

    What stands behind it may follow a full stop or be in brackets, as a venue, or follow a comma if it has digits, as a
    volume; else it belongs to the title.  Short titles, and two parts of one work, are no copies.
    """
    # Of the same letters, `tochange` and `to change`, the one of fewer words counts as shorter in either order.
    bare_titles = (_bare(left), _bare(right))
    shorter, longer = sorted(bare_titles, key=lambda title: (len(title.letters), len(title.words)))
    # A misprint changes a beginning or an end, not both, and what is behind a title only its end: most pairs stop here.
    begins_alike = shorter.letters[:_LETTERS_AT_ENDS] == longer.letters[:_LETTERS_AT_ENDS]
    ends_alike = shorter.letters[-_LETTERS_AT_ENDS:] == longer.letters[-_LETTERS_AT_ENDS:]
    if not begins_alike and not ends_alike:
        return False
    if len(shorter.words) < _FEWEST_WORDS or len(shorter.letters) < _FEWEST_LETTERS:
        return False
    if part_numbers(left) != part_numbers(right):
        return False
    if longer.words in (shorter.words, shorter.words * 2):
        return True
    if longer.words[: len(shorter.words)] == shorter.words:
        return _NO_PART_OF_TITLE.fullmatch(_after(longer.title, len(shorter.letters))) is not None
    return _is_misprint(shorter.words, longer.words)


class _BareTitle(NamedTuple):
    """A title without the year behind it, its words, and its letters and digits."""

    title: str
    words: tuple[str, ...]
    letters: str


@remember(MB // 16)
def _bare(title: str) -> _BareTitle:
    """The title without a year behind it, its words, and these run together."""
    bare = _YEAR_BEHIND.sub("", title)
    bare_words = words(bare)
    return _BareTitle(bare, bare_words, "".join(bare_words))


def _after(title: str, count: int) -> str:
    """Return what stands behind the first `count` letters and digits; "" if there are fewer."""
    offsets = [offset for offset, sign in enumerate(title) if sign.isalnum()]
    return title[offsets[count - 1] + 1 :] if count <= len(offsets) else ""


def _is_misprint(left: tuple[str, ...], right: tuple[str, ...]) -> bool:
    """True if two titles differ in a space, or in one letter of a long word.

    Short words that differ in a letter are words of their own, and digits tell works apart.
    """
    from rapidfuzz.distance import Levenshtein

    left_letters = "".join(left)
    right_letters = "".join(right)
    if left_letters == right_letters:
        return True
    if len(left) != len(right) or Levenshtein.distance(left_letters, right_letters, score_cutoff=1) > 1:
        return False
    differing = [pair for pair in zip(left, right, strict=True) if pair[0] != pair[1]]
    if len(differing) > 1:  # a space and a letter: `un dertthe` for `under the`
        return False
    [(word, other_word)] = differing
    are_long = min(len(word), len(other_word)) >= _LONG_WORD
    return are_long and not any(map(str.isdigit, word + other_word))


def key(title: str) -> str:
    """Letters and digits, folded: equal for titles that differ in case, accents, dashes, quotes and spaces."""
    return bare_letters(title)


def parts(title: str) -> tuple[str, str]:
    """Title and subtitle: "Head: Tail" → ("Head", "Tail"); no subtitle is ""."""
    match = _SUBTITLE.search(title)
    if not match or match.start() == 0:
        return title, ""
    return title[: match.start()].strip(), title[match.end() :].strip()


def join_titles(title: str, subtitle: str) -> str:
    """Both in one, unless the title holds the subtitle already."""
    if not subtitle or key(subtitle) in key(title):
        return title
    return f"{title.rstrip(' .:')}: {subtitle}" if title else subtitle
