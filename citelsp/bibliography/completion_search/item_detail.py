"""What a list shows of an entry, made quickly: TeX is decoded only if there is any."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from citelsp.bibliography import names
from citelsp.bibliography.completion_search import folded_words
from citelsp.bibliography.entry import Entry
from citelsp.syntax.nodes import EntryNode

_TEX = re.compile(r"[\\$]")
_AND = re.compile(r"(?<!\s)\s+and\s+")
_BRACES_AND_BLANKS = '{}", \t\r\n'
_SPACING = str.maketrans({"{": "", "}": "", "~": " "})


@dataclass(frozen=True, slots=True)
class Shown:
    """Empty strings if nothing is known."""

    title: str
    who_and_when: str  # "Knuth, 1984", "Curry and Howard", "Vaswani et al., 2017"
    aliases: tuple[str, ...]


def shown_entry(node: EntryNode, strings: Mapping[str, str]) -> Shown:
    """Return what an editor's list shows of an entry: title, who and when, further keys.

    `strings` are the @string macros.  Names and titles are parsed only if they are not plainly written: lists are long.
    """
    fields = folded_words.fields(node)
    entry = Entry(node, strings)
    title = fields.get("title", "")
    date = fields.get("year") or fields.get("date") or ""
    year = folded_words.year(date.strip(_BRACES_AND_BLANKS))
    who = _who(fields.get("author") or fields.get("editor") or "", entry)
    return Shown(
        title=entry.title if _TEX.search(title) else _plain(title),
        who_and_when=", ".join(filter(None, (who, str(year or "")))),
        aliases=tuple(folded_words.aliases(fields)),
    )


def _plain(value: str) -> str:
    return " ".join(value.strip(' ",\t\r\n').translate(_SPACING).replace("--", "–").split())


def _who(people: str, entry: Entry) -> str:
    """Return the family names of one or two authors, or the first one with “et al.”; "" if `people` is empty.

    `people` is the list as it is written in `entry`; if it cannot be parsed, its first name is shown as written.
    """
    listed = _AND.split(people.strip(_BRACES_AND_BLANKS)) if people else []
    # Two names at most are shown: if the first two are plainly written as `Family, Given`, nothing need be parsed.
    needs_parsing = any(_TEX.search(name) or "," not in name for name in listed[:2] if name != "others")
    if needs_parsing:
        parsed, _ = names.parse(entry.value("author") or entry.value("editor"))
        families = [name.family for name in parsed] or [_plain(listed[0])]
        if listed[-1] == "others":
            families.append("others")
    else:
        families = [_plain(name.partition(",")[0]) for name in listed]
    if len(families) > 2 or families[1:] == ["others"]:
        return f"{families[0]} et al."
    return " and ".join(families)
