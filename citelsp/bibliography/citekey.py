"""Citekeys made from a work: `{auth}{year}{shorttitle}`, or a Better BibTeX formula.

{auth}{year}{shorttitle}        → vaswani2017attention; a capital, as in {Auth}, keeps capitals: Vaswani
{auth:upper}_{year}             → VASWANI_2017
auth.lower + shorttitle(3,3) + year | title       Better BibTeX: `+` joins, `|` says what to take where nothing comes
[auth:lower][shorttitle3_3][year]                 its older form
"""

import re
from collections.abc import Iterator, Sequence
from itertools import count

from citelsp.bibliography.fold import fold
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record

DEFAULT = "{auth}{year}{shorttitle}"

_BRACED = re.compile(r"\{([^{}]*)\}")
_BRACKETED = re.compile(r"\[([^\[\]]*)\]")
# A function or filter: `auth`, `shorttitle3_3`, `postfix("x")`.
_CALL = re.compile(r"(?P<name>[A-Za-z_]+?)(?P<first>\d+)?(?:_(?P<second>\d+))?\s*(?:\((?P<arguments>[^()]*)\))?")
_TERM = re.compile(r"\"[^\"]*\"|'[^']*'|(?:[^+\"'()]|\([^()]*\))+")  # what `+` joins
_DOT_BETWEEN_CALLS = re.compile(r"\.(?![^(]*\))")
_LETTERS = re.compile(r"[^\W_]+")
_UNSAFE = re.compile(r"[^A-Za-z0-9_:./+-]")
SKIPPED = frozenset(
    """a an the on in of for and or to at by from with without into via as is are be about above against along among
    but der die das ein eine und von zur zum le la les un une des du de et el los las y il lo gli e o nor so than that
    towards toward using over under up upon""".split()
)


def keys(record: Record, pattern: str) -> Iterator[str]:
    """Yield keys in ASCII for the work, without end: the plain one, then the same with letters behind it."""
    key = _UNSAFE.sub("", _fill_pattern(record, pattern.strip() or DEFAULT))
    # A work without authors, and a title in another script, leave nothing but the year, which many keys could be.
    if not any(map(str.isalpha, key)):
        key = f"ref{key or record.year or ''}"
    yield key
    yield from (key + suffix for suffix in _suffixes())


def _suffixes() -> Iterator[str]:
    """Yield a, b, … z, aa, ab, … without end."""
    for number in count(1):
        letters = ""
        while number:
            number, rest = divmod(number - 1, 26)
            letters = chr(ord("a") + rest) + letters
        yield letters


def _fill_pattern(record: Record, pattern: str) -> str:
    """Make the key of a work by a pattern; signs that a key may not have are still in it.

    A pattern with braces, `{auth}{year}`, is citelsp's own; one with brackets, `[auth][year]`, an older one of Better
    BibTeX.  One with neither is a formula of today's Better BibTeX, `auth + year | title`: its first alternative (`|`
    or `;` is between two) that takes anything from the work gives the key, which is "" if none does.
    """
    if "{" in pattern:
        lacks_author = not record.authors and "auth" in pattern.lower()
        return _BRACED.sub(lambda match: _fill_braces(record, match[1], lacks_author=lacks_author), pattern)
    if "[" in pattern:
        return _BRACKETED.sub(lambda match: _call(record, match[1].split(":")), pattern)
    for formula in re.split(r"\||;", pattern):
        key = ""
        takes_anything = False
        for term in map(str.strip, _TERM.findall(formula)):
            is_fixed_text = term.startswith(("'", '"'))
            value = term[1:-1] if is_fixed_text else _call(record, _DOT_BETWEEN_CALLS.split(term))
            takes_anything |= bool(value) and not is_fixed_text  # quoted text alone is no key of this work
            key += value
        if takes_anything:
            return key
    return ""


def _fill_braces(record: Record, inner: str, *, lacks_author: bool) -> str:
    """Return what `{name:filter:…}` in a pattern gives; in small letters, unless the name begins with a capital.

    `inner` is what stands between the braces; its name may hold arguments, as `auth3` does.  `shorttitle` is one word
    of the title: the second one if the work lacks an author, since the first word then stands where the pattern has
    the author.
    """
    first, *filters = inner.split(":")
    name = first.strip()
    if name.lower() == "shorttitle":
        value = _title_words(record, number=1, capitalized=1, skipped=1 if lacks_author else 0)
    else:
        value = _call(record, [name])
    has_capital = name[:1].isupper()
    return _apply_filters(value if has_capital else value.lower(), filters)


def _call(record: Record, calls: list[str]) -> str:
    """Return what a function gives after its filters, `["auth3", "lower"]`; "" for an unknown function.

    `calls`: the function and its filters, each with its arguments.
    """
    call = _CALL.fullmatch(calls[0].strip())
    if call is None:
        return ""
    # `shorttitle(3,3)` today, `shorttitle3_3` in older patterns
    digits_in_parentheses = re.findall(r"\d+", call["arguments"] or "")
    digits_behind_name = [digits for digits in (call["first"], call["second"]) if digits]
    arguments = [int(digits) for digits in digits_in_parentheses or digits_behind_name]
    name = call["name"].lower()
    filters = calls[1:]
    # As filters of names, these are what `authetal` is as a function; the 2 of `etal2` counts for nothing.
    if name in ("auth", "authors") and filters and filters[0].lower() in ("etal", "etal2", "ea"):
        name = "authetal"
        filters = filters[1:]
    return _apply_filters(_value(record, name, arguments), filters)


def _value(record: Record, name: str, arguments: list[int]) -> str:
    """Return the value of a function of Better BibTeX with its arguments."""
    if name.startswith("auth") or name == "inits":
        return _people(record, name, arguments)
    if name in ("shorttitle", "veryshorttitle"):
        usual_number = 3 if name == "shorttitle" else 1
        number = arguments[0] if arguments else usual_number
        capitalized = arguments[1] if len(arguments) > 1 else 0
        return _title_words(record, number=number, capitalized=capitalized)
    return _value_of_field(record, name)


def _people(record: Record, name: str, arguments: list[int]) -> str:
    """Return what the function `name` of Better BibTeX makes of the authors' family names; "" for an unknown function.

    Of four authors Roe, Doe, Lee and Ng `auth` is Roe, `authetal` RoeEtAl, `authauthea` Roe.Doe.ea, `authors2`
    RoeDoeEtAl, `authini2` Ro.Do.Le.Ng, `authshort` R.D.L+, `authorini` Roe.D.L.N (of the first author five letters at
    most).  The first argument, if there is one, is a number of letters or of people, 0 for all; of `authetal` it is 2
    for another spelling.  Without any author `auth` and `authorlast` are a word of the title, the others "".
    """
    families = [_family(author) for author in record.authors]
    initials = [family[:1] for family in families]
    several = len(families) > 1
    limit = (arguments[0] or None) if arguments else None  # as the end of a slice: None for all
    match name:
        case "auth" | "authorlast":
            return _one_family(record, families, name, arguments)[:limit]
        case "authetal":  # `authetal2`: Roe.etal
            if len(families) > 2:
                families = [families[0], "etal" if limit == 2 else "EtAl"]
            return ("." if limit == 2 else "").join(families)
        case "authauthea":
            return ".".join(families[:2] + ["ea"] * (len(families) > 2))
        case "authors" | "authorsn":
            shown = families[:limit]
            return "".join(shown) + ("EtAl" if len(shown) < len(families) else "")
        case "authini":
            return ".".join(family[:limit] for family in families)
        case "authorini":
            return ".".join([family[:5] for family in families[:1]] + initials[1:])
        # These two differ by the number of authors, as alpha.bst's labels do.
        case "authshort" if several:
            return ".".join(initials[:3]) + ("+" if len(families) > 3 else "")
        case "authorsalpha" if several:
            return "".join(initials if len(families) <= 4 else [*initials[:3], "+"])
        case "authshort":
            return "".join(families)
        case "authorsalpha":
            return "".join(families)[:3]
        case "authforeini":
            return _given_initial(record.authors[:1])
        case "authorlastforeini":
            return _given_initial(record.authors[-1:])
        case "inits" | "authorinitials":
            return "".join(initials)
    return ""


def _one_family(record: Record, families: list[str], name: str, arguments: list[int]) -> str:
    """Return the last family name for `authorlast`, else that of the author whom the second argument counts, from 1."""
    number = arguments[1] if len(arguments) > 1 else 1
    chosen = families[-1:] if name == "authorlast" else families[number - 1 : number]
    if not chosen and number == 1:
        return _title_words(record, number=1, capitalized=1)
    return "".join(chosen)


def _given_initial(authors: Sequence[Name]) -> str:
    """Return the initial of the given name of the only author in the list; "" if the list is empty."""
    return "".join(_ascii(author.given)[:1] for author in authors)


def _value_of_field(record: Record, name: str) -> str:
    """Return what the function `name` of Better BibTeX takes from one field.

    "" if the record lacks the field, or for an unknown function.
    """
    year = str(record.year or "")
    pages = re.split(r"\W+", record.pages)
    match name:
        case "title":
            every_word = len(record.title)  # there are no more words than characters
            return _title_words(record, number=every_word, capitalized=every_word)
        case "year" | "date" | "origyear":
            return year  # the one to cite: a record does not say when the work first came out
        case "shortyear":
            return year[-2:]
        case "month":
            return record.date[5:7]  # of `2017-06-12`
        case "journal" | "venue" | "publicationtitle" | "booktitle":
            return " ".join(map(_capitalize, _LETTERS.findall(record.venue)))
        case "firstpage" | "pages":
            return pages[0]
        case "lastpage":
            return pages[-1]
        case "volume":
            return record.volume
        case "issue":
            return record.issue
        case "type":
            return record.type
        case "arxiv":
            return record.identifiers.arxiv
    return ""


def _apply_filters(value: str, filters: list[str]) -> str:
    """Return the value in ASCII after all filters, which are written as `lower`, `postfix("x")` or `abbr3`."""
    for written in filters:
        call = _CALL.fullmatch(written.strip())
        if call:
            value = _apply_filter(value, call["name"].lower(), call["arguments"] or call["first"] or "")
    return _ascii(value)


def _apply_filter(value: str, name: str, argument: str) -> str:
    """Return the value after one filter of Better BibTeX; unchanged by an unknown one, or by one that lacks its number.

    `argument` is what stands in its parentheses: for `substring(1,3)` the first character, counted from 1, and how many
    there are, all that follow if it has one number; so for `select(1,3)`, but of words; for `abbr` how many letters of
    each word, 1 without; a text in quotes for `postfix("x")`.
    """
    words = value.split(" ")  # as of `title`: they are joined when the key is whole
    numbers = [int(digits) for digits in re.findall(r"\d+", argument)]
    start = max(0, numbers[0] - 1) if numbers else 0
    end = start + numbers[1] if len(numbers) > 1 else None
    text = argument.strip().strip("'\"")
    match name:
        case "lower":
            return value.lower()
        case "upper":
            return value.upper()
        case "capitalize":
            return " ".join(map(_capitalize, words))
        case "abbr":
            letters = numbers[0] if numbers else 1
            return "".join(word[:letters] for word in words)
        case "substring" if numbers:
            return value[start:end]
        case "select" if numbers:
            return " ".join(words[start:end])
        # Nothing is put beside an empty value.
        case "postfix" if value:
            return value + text
        case "prefix" if value:
            return text + value
    return value


def _family(name: Name) -> str:
    return "".join(_LETTERS.findall(_ascii(name.family)))


def _title_words(record: Record, number: int, capitalized: int, *, skipped: int = 0) -> str:
    """Return the first `number` words of the title that mean something, the first `capitalized` of them with a capital.

    So many as `skipped` says are left out before them.  A space stands between two of them, by which filters tell them
    apart; a key has none.
    """
    all_words = _LETTERS.findall(_ascii(record.title))
    telling = [word for word in all_words if word.lower() not in SKIPPED] or all_words
    chosen = telling[skipped : skipped + number]
    return " ".join([*map(_capitalize, chosen[:capitalized]), *chosen[capitalized:]])


def _capitalize(word: str) -> str:
    """Return the word with a capital; the other letters stay as they are, unlike by `str.capitalize`."""
    return word[:1].upper() + word[1:]


def _ascii(text: str) -> str:
    """Accents off and letters spelt out, capitals kept."""
    if text.isascii():
        return text
    folded = "".join(fold(it).upper() if it.isupper() else fold(it) for it in text)
    return folded.encode("ascii", "ignore").decode()
