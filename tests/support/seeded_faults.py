"""Right entries, and the faults that people make in them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

FAMILIES = ["Smith", "Müller", "García", "O'Neil", "Łukasz", "de~Vries", "{van der Berg}", "Nguyen", "Zhang"]
FAMILIES += ["von der Heide", "{World Health Organization}", "Le Tran", "{\\'E}mile"]
GIVEN = ["Ann", "B.", "C.-D.", "Émile", "J.~K.", "Jean-Paul", "María", "{\\L}ukasz", "Xi"]
WORDS = r"""learning of deep {DNA} $n$-gram networks for the {\"U}ber theory 50\% A\&B {C\#} with on in a{\_}b
graphs cells stars models: data; large-scale analysis (revised) {IEEE} von Neumann {\'e}tudes x\_y""".split()
JOURNALS = ("Nature", "Cell \\& Tissue", "Journal of the {ACM}", "{IEEE} Transactions on X", "jacmx # { B}", "jacmx")
TYPES = {
    "article": "journal volume number pages doi url",
    "inproceedings": "booktitle pages publisher address url",
    "book": "publisher address edition isbn",
    "phdthesis": "school note",
    "misc": "howpublished note url abstract",
}


@dataclass(frozen=True, slots=True)
class Fault:
    name: str
    code: str
    tools: Sequence[str]  # the programs that report it or misprint it
    seed: Callable[[dict[str, str], Random], None]  # changes the fields of an entry


def right_entries(count: int, tool: str, seed: int = 0) -> list[tuple[str, str, dict[str, str]]]:
    """Type, key and fields as written."""
    random = Random(seed)  # noqa: S311
    return [_entry(random, number, tool) for number in range(count)]


def _entry(random: Random, number: int, tool: str) -> tuple[str, str, dict[str, str]]:
    kind = random.choice([*TYPES])
    names = [_name(random) for _ in range(random.randint(1, 5))] + ["others"] * (random.random() < 0.1)
    fields = {"author": f"{{{' and '.join(names)}}}", "title": f"{{{_words(random, 4, 12)}}}"}
    year = random.randint(1950, 2025)
    if tool == "biber" and random.random() < 0.7:
        forms = (
            f"{year}",
            f"{year}-0{random.randint(1, 9)}",
            f"{year}-1{random.randint(0, 2)}-28",
            f"{year}/{year + 1}",
        )
        fields["date"] = f"{{{random.choice(forms)}}}"
    else:
        fields["year"] = random.choice([f"{{{year}}}", f"{year}", f'"{year}"'])
        fields["month"] = random.choice(["jan", "dec", *(["{May}", 'mar # "~1"'] if tool == "bibtex" else ["3"])])
    for name in TYPES[kind].split():
        fields[name] = _value(random, name)
    return kind, f"key_{number}:x", fields


def _name(random: Random) -> str:
    family, given = random.choice(FAMILIES), random.choice(GIVEN)
    forms = (f"{family}, {given}", f"{given} {family}", f"{family}, Jr., {given}")
    return family if family.startswith("{World") else random.choice(forms)


def _words(random: Random, low: int, high: int) -> str:
    return " ".join(random.choice(WORDS) for _ in range(random.randint(low, high)))


def _value(random: Random, name: str) -> str:
    if name == "journal":
        journal = random.choice(JOURNALS)
        return journal if journal.startswith("jacmx") else f"{{{journal}}}"
    if name in ("volume", "number"):
        return random.choice([f"{random.randint(1, 99)}", f"{{{random.randint(1, 99)}}}"])
    values = {
        "pages": f"{{{random.randint(1, 99)}--{random.randint(100, 199)}}}",
        "doi": f"{{10.1000/a_b%2C{random.randint(1, 999)}}}",
        "url": "{https://example.org/a_b%20c?d=e&f#g}",
        "isbn": "{978-3-16-148410-0}",
        "edition": "{Second}",
        "howpublished": "{\\url{https://example.org/a_b}}",
    }
    return values.get(name, f"{{{_words(random, 2, 5)}}}")


def written(kind: str, key: str, fields: dict[str, str]) -> str:
    return f"@{kind}{{{key},\n" + "".join(f"  {name} = {value},\n" for name, value in fields.items()) + "}\n"


def _all(field: str, make: Callable[[Random], str]) -> Callable[[dict[str, str], Random], None]:
    def seed(fields: dict[str, str], random: Random) -> None:
        fields[field] = f"{{{make(random)}}}"

    return seed


def _people(count: int, sign: str, form: str = "{given} {family}") -> Callable[[Random], str]:
    def make(random: Random) -> str:
        plain = [it for it in FAMILIES if it.isalpha()]
        given = [it for it in GIVEN if it.isalpha()]
        return sign.join(form.format(given=random.choice(given), family=random.choice(plain)) for _ in range(count))

    return make


def _within(sign: str) -> Callable[[dict[str, str], Random], None]:
    """The sign between two words of the title."""

    def seed(fields: dict[str, str], random: Random) -> None:
        fields["title"] = f"{{{_words(random, 1, 4)} 5{sign}x {_words(random, 1, 4)}}}"

    return seed


BOTH = ("biber", "bibtex")
FAULTS = (
    Fault("names parted by commas", "malformed-name", BOTH, _all("author", _people(5, ", "))),
    Fault("pairs parted by commas", "malformed-name", BOTH, _all("author", _people(3, ", ", "{family}, J."))),
    Fault("names parted by ;", "malformed-name", BOTH, _all("author", _people(3, "; ", "{family}, {given}"))),
    Fault("names parted by &", "malformed-name", BOTH, _all("author", _people(2, " & "))),
    Fault("and twice", "malformed-name", BOTH, _all("author", _people(3, " and and "))),
    Fault(
        "and at the end", "malformed-name", BOTH, _all("author", lambda random: _people(2, " and ")(random) + " and")
    ),
    Fault("et al.", "malformed-name", BOTH, _all("author", lambda random: _people(1, "")(random) + " et al.")),
    Fault("%", "unescaped-character", BOTH, _within("%")),
    Fault("&", "unescaped-character", BOTH, _within("&")),
    Fault("_", "unescaped-character", BOTH, _within("_")),
    Fault("#", "unescaped-character", BOTH, _within("#")),
    Fault("a macro that is not defined", "undefined-string", BOTH, lambda it, _: it.update(publisher="nobody")),
    Fault("a month in full", "undefined-string", BOTH, lambda it, _: it.update(month="june")),
    Fault("a crossref to nothing", "dangling-reference", BOTH, _all("crossref", lambda _: "nothing")),
    Fault("xdata of nothing", "dangling-reference", ("biber",), _all("xdata", lambda _: "nothing")),
    Fault("a date in words", "malformed-date", ("biber",), _all("date", lambda it: f"May {it.randint(1950, 2025)}")),
    Fault("no such day", "malformed-date", ("biber",), _all("date", lambda it: f"{it.randint(1950, 2025)}-02-30")),
    Fault("pages without braces", "malformed-entry", ("bibtex",), lambda it, _: it.update(pages="12-34")),
)
TEXTUAL = {  # what becomes of an entry as written, and who stumbles over it
    "a lost comma": ("malformed-entry", BOTH, lambda it: it.replace(",\n  title", "\n  title")),
    "a lost brace": ("stray-text", BOTH, lambda it: it.replace("{", " ", 1)),
    "an open value": ("malformed-entry", BOTH, lambda it: it.replace("},\n  title", ",\n  title")),
    "an open entry": ("malformed-entry", BOTH, lambda it: it.removesuffix("}\n") + "\n"),
    "an address before it": ("stray-text", BOTH, lambda it: f"Sent by jane@example.org today.\n{it}"),
    "two commas": ("malformed-entry", BOTH, lambda it: it.replace(",\n  title", ",,\n  title")),
    "no key": ("malformed-entry", BOTH, lambda it: it[: it.index("{") + 1] + it[it.index(",") :]),
    "an open macro before it": ("malformed-entry", BOTH, lambda it: f"@string{{abc = {{x}}\n{it}"),
    "a preamble without quotes": ("malformed-entry", BOTH, lambda it: f"@preamble{{e = mc^2}}\n{it}"),
    "a comment without braces": ("stray-text", ("biber",), lambda it: f"@comment seen by Ann\n{it}"),
    "a % before each line": ("stray-text", ("bibtex",), lambda it: "% " + it.replace("\n  ", "\n%   ")),
    "its key in another case": ("duplicate-entry", ("bibtex",), lambda it: it + it.replace("{key", "{Key", 1)),
    "its key again": ("duplicate-entry", BOTH, lambda it: it + it),
}
STRINGS = "@string{jacmx = {JACM}}\n"
CASES = [(fault, tool) for fault in FAULTS for tool in fault.tools]
TEXTUAL_CASES = [(name, tool) for name, (_, tools, _) in TEXTUAL.items() for tool in tools]
