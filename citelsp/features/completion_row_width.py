"""How a work reads as a row of a completion list: its title, then people and year, how likely it is, if it is new.

Two layouts, as editors draw lists in two ways.  Some give a row a width and draw what stands beside the title smaller,
at its end, and cut that first: there the title is fitted to the rest.  Others give each part a column that is as wide
as its widest text: there a bound on titles keeps the other columns on the screen.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from citelsp.bibliography.fold import bare_letters
from citelsp.features.values import fit_title

_SMALL = 0.85  # what a character at the end of a row takes of the width of another
_GAP = 3.0  # characters between a title and what stands at the end
_SPACES_AROUND_TITLE = 2  # behind a key
_TITLE = 30  # characters of a title that people leave it
_NAME = 4  # characters of a name that a title leaves it
_END = " ,;:.–-"  # what no text that was cut ends with
_FURTHER_PEOPLE = re.compile(r" et al\.| and [^,]*")
BAD = "✗"  # marks a work that was retracted, or that nobody has


class Shown(NamedTuple):
    """What a row can show of a work."""

    title: str
    people: str  # "Vaswani+"
    year: str
    chance: str = ""  # "7%", at most four characters
    mark: str = ""  # of a work that should not be cited as it is: "✗"
    new: bool = False  # accepting it adds an entry


class Row(NamedTuple):
    title: str
    beside: str


def lay_out_in_one_width(works: Sequence[Shown], width: int) -> list[Row]:
    """Rows of `width` characters, in which what stands beside a title is smaller."""
    besides = [_write_brief(work, width) for work in works]
    rooms = [int(width - _GAP - _SMALL * len(beside)) for beside in besides]
    titles = _distinguish([work.title for work in works], rooms)
    return [Row(title, beside) for title, beside in zip(titles, besides, strict=True)]


def lay_out_in_columns(works: Sequence[Shown], width: int) -> list[Row]:
    """Rows with titles of `width` characters at most, and beside them all that a row can say."""
    titles = _distinguish([it.title for it in works], [width] * len(works))
    return [Row(title, _write_whole_row(it)) for title, it in zip(titles, works, strict=True)]


def lay_out_behind_key(key: str, title: str, who: str, width: int, *, fitted: bool) -> Row:
    """What stands behind a citekey: `Attention Is All You Need`, and `Vaswani+ 2017` for "Vaswani et al., 2017".

    The title has `width` characters at most; if the row is `fitted`, key, title and people have them together, and
    people are left out if the key says who they are.
    """
    who = _FURTHER_PEOPLE.sub("+", who).replace(", ", " ")
    if not fitted:
        return Row(fit_title(title, width), who)
    beside = "" if _says_who(key, who) else who
    room_of_beside = _GAP + _SMALL * len(beside) if beside else 0
    room = width - len(key) - _SPACES_AROUND_TITLE - room_of_beside
    return Row(title and fit_title(title, int(room), _NAME), beside)


def _says_who(key: str, who: str) -> bool:
    """True if the key holds a single name and the last two digits of its year: “knuth84literate” for “Knuth 1984”."""
    people, _, year = who.rpartition(" ")
    names = bare_letters(people) if people[:1].isalpha() else ""
    return bool(names) and year[-2:].isdigit() and year[-2:] in key and names in bare_letters(key)


def _write_whole_row(work: Shown) -> str:
    """`Vaswani+ 2017 · 7% · ✗ · new`."""
    who = " ".join(filter(None, (work.people, work.year)))
    return " · ".join(filter(None, (who, work.chance, work.mark, "new" if work.new else "")))


def _write_brief(work: Shown, width: int) -> str:
    """`Vaswani+ 2017 ✗7%+`, with a name that leaves the title its due; “+” behind all stands for new."""
    chance = f"{work.mark}{work.chance}{'+' if work.new else ''}"
    behind_name = " ".join(filter(None, (work.year, chance)))
    due_to_title = min(_TITLE, len(work.title))
    room = int((width - _GAP - due_to_title) / _SMALL) - len(behind_name) - 1
    people = work.people
    if len(people) > room:
        people = f"{people[: max(_NAME, room) - 1].rstrip(_END)}…"
    return " ".join(filter(None, (people, behind_name)))


def _distinguish(titles: Sequence[str], rooms: Sequence[int]) -> list[str]:
    """Shorten each title to its room (in characters), and tell apart those that would read alike.

    Two titles read alike if both were cut, and one shows no more than the beginning of the other.  Such titles lose
    words from the middle, of what they share, so that the words by which they differ are still seen.
    """
    shown = [fit_title(title, room) for title, room in zip(titles, rooms, strict=True)]
    cuts = [(title, cut) for title, cut in zip(titles, shown, strict=True) if cut != title]
    for place, title in enumerate(titles):
        was_cut = shown[place] != title
        # Two works of one title stay alike, as no words of theirs differ.
        alike = [other for other, cut in cuts if other != title and _look_alike(cut, shown[place])]
        if was_cut and alike:
            shared = max(_count_shared(other, title) for other in alike)
            word_start = title.rfind(" ", 0, shared + 1) + 1  # of the word in which they begin to differ
            shown[place] = _cut_middle(title, word_start, rooms[place])
    return shown


def _look_alike(one: str, other: str) -> bool:
    """True of two titles that were cut if one of them shows no more than the beginning of the other."""
    one = one.removesuffix("…")
    other = other.removesuffix("…")
    return one.startswith(other) or other.startswith(one)


def _count_shared(one: str, other: str) -> int:
    """How many characters two titles begin with alike."""
    count = 0
    for own, others in zip(one, other, strict=False):
        if own != others:
            break
        count += 1
    return count


def _cut_middle(title: str, start: int, room: int) -> str:
    """Return the title's beginning, “…”, and what begins at `start`; each has half of the room if it needs so much."""
    end = fit_title(title[start:], max(room // 2, room - start), least=0)
    return f"{title[: room - len(end) - 1].rstrip(_END)}…{end}"
