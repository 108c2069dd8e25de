"""The entry that a finding is about, and how people know it."""

import re

from citelsp.base.text import still
from citelsp.checks.finding import Finding
from citelsp.features.values import label, shorten
from citelsp.received.inputs import FIELD_OF_ZOTERO
from citelsp.workspace.project import Place, Project

_ADDRESS = re.compile(r"zotero://select/[\w/%.-]{1,200}", re.ASCII)
_USUAL_TITLE = 60  # characters of a title, if nothing says how much room there is
_LEAST_TITLE = 20  # that it has in any case


def place_of(project: Project, finding: Finding) -> Place | None:
    """Find the entry that a finding is about: the one around it, else the project's first with its key; None if none.

    The entry around it counts only if the finding has the same key or none.  A finding in a field `crossref` has the
    key that is referred to, and is about the entry of that key.
    """
    source = project.sources.get(finding.path)
    entries = source.syntax.entries if source else None  # None in most manuscripts
    if source and entries is not None:
        index = entries.entry_at(finding.span.start)
        if index is not None and finding.key in (None, entries.node(index).key):
            return Place(source, index, project)
    return project.find_first(finding.key) if finding.key else None


def reference(place: Place, room: int = 0) -> str:
    """Name an entry: `devlin2019bert (Devlin et al. 2019, “BERT: Pre-training of Deep…”)`.

    Its address follows if a program such as Zotero can show it; it is not counted.  The title is cut so that the rest
    fits in `room` characters, but not below `_LEAST_TITLE`; with room 0 it is cut to its usual length.  `still` drops
    characters of the entry that would move a terminal's cursor; an address, as `address` checks it, holds none.
    """
    entry = place.entry
    key = still(place.node.key) or "an entry without a key"
    people = still(label(entry))
    room_for_title = _USUAL_TITLE
    if room:
        room_for_title = max(room - len(f"{key} ({people}, “”)"), _LEAST_TITLE)
    title = shorten(still(" ".join(entry.title.split())), room_for_title)
    details = ", ".join(filter(None, (people, f"“{title}”" if title else "")))
    name = f"{key} ({details})" if details else key
    return " ".join(filter(None, (name, address(place))))


def address(place: Place) -> str:
    """Return the address that shows the entry in the program it comes from, such as Zotero; "" if that has none."""
    written = place.entry.text(FIELD_OF_ZOTERO)
    return written if _ADDRESS.fullmatch(written) else ""
