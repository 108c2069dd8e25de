"""Citekeys made from a work: `{auth}{year}{shorttitle}`, or a Better BibTeX formula.

{auth}{year}{shorttitle}        → vaswani2017attention; a capital, as in {Auth}, keeps capitals: Vaswani
{auth:upper}_{year}             → VASWANI_2017
auth.lower + shorttitle(3,3) + year | title       Better BibTeX: `+` joins, `|` says what to take where nothing comes
[auth:lower][shorttitle3_3][year]                 its older form
"""

import re
from collections.abc import Iterator
from itertools import count

from citelsp.bibliography.fold import fold
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record

DEFAULT = "{auth}{year}{shorttitle}"

_BRACED = re.compile(r"\{([^{}]*)\}")
_BRACKETED = re.compile(r"\[([^\[\]]*)\]")
_CALL = re.compile(r"([A-Za-z_]+?)(\d+)?(?:_(\d+))?\s*(?:\(([^()]*)\))?")
_TERM = re.compile(r"\"[^\"]*\"|'[^']*'|(?:[^+\"'()]|\([^()]*\))+")
_STEP = re.compile(r"\.(?![^(]*\))")
_LETTERS = re.compile(r"[^\W_]+")
_UNSAFE = re.compile(r"[^A-Za-z0-9_:./+-]")
SKIPPED = frozenset(
    """a an the on in of for and or to at by from with without into via as is are be about above against along among
    but der die das ein eine und von zur zum le la les un une des du de et el los las y il lo gli e o nor so than that
    towards toward using over under up upon""".split()
)


def keys(record: Record, pattern: str) -> Iterator[str]:
    """Keys in ASCII for the work, without end: the plain one, then with letters behind it."""
    key = _UNSAFE.sub("", _filled(record, pattern.strip() or DEFAULT))
    # A work without authors, and a title in another script, leave nothing but the year, which many keys could be.
    if not any(map(str.isalpha, key)):
        key = f"ref{key or record.year or ''}"
    yield key
    yield from (key + suffix for suffix in _suffixes())


def _suffixes() -> Iterator[str]:
    for number in count(1):
        letters = ""
        while number:
            number, rest = divmod(number - 1, 26)
            letters = chr(ord("a") + rest) + letters
        yield letters


def _filled(record: Record, pattern: str) -> str:
    # Braces are citelsp's own patterns, brackets Better BibTeX's older ones; what has neither is a formula of today.
    if "{" in pattern:
        named = bool(record.authors) or "auth" not in pattern.lower()
        return _BRACED.sub(lambda it: _braced(record, it[1], named), pattern)
    if "[" in pattern:
        return _BRACKETED.sub(lambda it: _chain(record, it[1].split(":")), pattern)
    for formula in re.split(r"\||;", pattern):
        terms = _TERM.findall(formula)
        key = "".join(_term(record, it.strip()) for it in terms)
        # A formula of fixed texts alone has found nothing: as in Better BibTeX, the next one is tried.
        if any(it.strip()[:1] not in ("'", '"') and _term(record, it.strip()) for it in terms):
            return key
    return ""


def _term(record: Record, term: str) -> str:
    if term[:1] in ("'", '"'):
        return term[1:-1]
    return _chain(record, _STEP.split(term))


def _braced(record: Record, inner: str, named: bool) -> str:
    """`{name:filter}` in small letters and one word of the title, the second if the first is in an author's place.

    A capital keeps capitals.
    """
    first, *filters = inner.split(":")
    name = first.strip()
    word = _words(record, 1, 1, skipped=not named) if name.lower() == "shorttitle" else None
    value = _chain(record, [name]) if word is None else word
    return _chained(value if name[:1].isupper() else value.lower(), filters)


def _chain(record: Record, steps: list[str]) -> str:
    call = _CALL.fullmatch(steps[0].strip())
    if call is None:
        return ""
    arguments = [int(it) for it in re.findall(r"\d+", call[4] or "")] or [int(it) for it in (call[2], call[3]) if it]
    name, rest = call[1].lower(), steps[1:]
    if name in ("auth", "authors") and rest and rest[0].lower() in ("etal", "etal2", "ea"):
        name, rest = "authetal", rest[1:]
    return _chained(_value(record, name, arguments), rest)


def _value(record: Record, name: str, arguments: list[int]) -> str:
    if name.startswith("auth") or name == "inits":
        return _people(record, name, arguments)
    if name in ("shorttitle", "veryshorttitle"):
        number = arguments[0] if arguments else 3 if name == "shorttitle" else 1
        return _words(record, number, arguments[1] if len(arguments) > 1 else 0)
    return _plain(record, name)


def _people(record: Record, name: str, arguments: list[int]) -> str:
    """The functions of Better BibTeX on authors; without any, `auth` and `authorlast` are a word of the title."""
    families = [_family(it) for it in record.authors]
    first, many = arguments[0] if arguments else 0, len(families)
    initials = [it[:1] for it in families]
    match name:
        case "auth" | "authorlast":
            at = arguments[1] if len(arguments) > 1 else 1
            chosen = families[-1:] if name == "authorlast" else families[at - 1 : at]
            found = next(iter(chosen), _words(record, 1, 1) if at == 1 else "")
            return found[:first] if first else found
        case "authetal":
            more, mark = (".", "etal") if first == 2 else ("", "EtAl")
            return more.join(families if many <= 2 else [families[0], mark])
        case "authauthea":
            return ".".join([*families[:2], *(["ea"] if many > 2 else [])])
        case "authors" | "authorsn":
            shown = families[:first] if first else families
            return "".join(shown) + ("EtAl" if len(shown) < many else "")
        case "authini":
            return ".".join(it[:first] if first else it for it in families)
        case "authorini":
            return ".".join([it[:5] for it in families[:1]] + initials[1:])
        # These two differ by the number of authors, as alpha.bst's labels do.
        case "authshort" if many > 1:
            return ".".join(initials[:3]) + ("+" if many > 3 else "")
        case "authorsalpha" if many > 1:
            return "".join(initials if many <= 4 else [*initials[:3], "+"])
        case "authshort" | "authorsalpha":
            return families[0][: 3 if name == "authorsalpha" else None] if families else ""
        case "authforeini" | "authorlastforeini":
            person = record.authors[0 if name == "authforeini" else -1] if record.authors else None
            return _ascii(person.given)[:1] if person else ""
    return "".join(initials) if name in ("inits", "authorinitials") else ""


def _plain(record: Record, name: str) -> str:
    year = str(record.year or "")
    if name == "title":
        return _words(record, len(record.title), len(record.title))
    if name in ("year", "date", "origyear"):
        return year
    if name == "shortyear":
        return year[-2:]
    if name == "month":
        return record.date[5:7]
    if name in ("journal", "venue", "publicationtitle", "booktitle"):
        return "".join(it[:1].upper() + it[1:] for it in _LETTERS.findall(record.venue))
    if name in ("firstpage", "pages", "lastpage"):
        return re.split(r"\W+", record.pages)[-1 if name == "lastpage" else 0]
    others = {"volume": record.volume, "issue": record.issue, "type": record.type, "arxiv": record.identifiers.arxiv}
    return others.get(name, "")


def _chained(value: str, filters: list[str]) -> str:
    for step in filters:
        call = _CALL.fullmatch(step.strip())
        if call:
            value = _filtered(value, call[1].lower(), call[4] or call[2] or "")
    return _ascii(value)


def _filtered(value: str, name: str, argument: str) -> str:
    numbers = [int(it) for it in re.findall(r"\d+", argument)]
    if name in ("lower", "upper", "capitalize"):
        return {"lower": value.lower(), "upper": value.upper()}.get(name, value[:1].upper() + value[1:])
    if name == "abbr":
        return "".join(re.findall(r"[A-Z0-9]", value[:1].upper() + value[1:]))
    if name in ("substring", "select") and numbers:
        length = numbers[1] if len(numbers) > 1 else len(value)
        return value[max(0, numbers[0] - 1) :][:length]
    if name in ("postfix", "prefix") and value:
        fixed = argument.strip().strip("'\"")
        return value + fixed if name == "postfix" else fixed + value
    return value


def _family(name: Name) -> str:
    return "".join(_LETTERS.findall(_ascii(name.family)))


def _words(record: Record, number: int, capitalized: int, *, skipped: int = 0) -> str:
    """The first words of the title that mean something, so many of them beginning with a capital."""
    every = _LETTERS.findall(_ascii(record.title))
    chosen = ([it for it in every if it.lower() not in SKIPPED] or every)[skipped:][:number]
    return "".join(it[:1].upper() + it[1:] if at < capitalized else it for at, it in enumerate(chosen))


def _ascii(text: str) -> str:
    """Accents off and letters spelt out, capitals kept."""
    if text.isascii():
        return text
    folded = "".join(fold(it).upper() if it.isupper() else fold(it) for it in text)
    return folded.encode("ascii", "ignore").decode()
