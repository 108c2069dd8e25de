"""The entry that a finding is about, and how people know it."""

import re

from citelsp.base.text import still
from citelsp.checks.finding import Finding
from citelsp.features.values import label, shortened
from citelsp.received.inputs import ADDRESS
from citelsp.workspace.project import Place, Project

_ADDRESS = re.compile(r"zotero://select/[\w/%.-]{1,200}", re.ASCII)
_SHORT = 60  # characters of a title
_LEAST = 20


def place_of(project: Project, finding: Finding) -> Place | None:
    """The entry at the finding's place, else the one with its key."""
    source = project.sources.get(finding.path)
    entries = source.syntax.entries if source else None
    index = entries.entry_at(finding.span.start) if entries is not None else None
    if source and entries is not None and index is not None and finding.key in (None, entries.node(index).key):
        return Place(source, index, project)
    return project.find_first(finding.key) if finding.key else None


def reference(place: Place, room: int = 0) -> str:
    """`devlin2019bert (Devlin et al. 2019, “BERT: Pre-training of Deep…”)`, in `room` characters if possible."""
    entry = place.entry
    key = still(place.node.key) or "an entry without a key"
    people = still(label(entry))
    room_for_title = _SHORT
    if room:
        room_for_title = max(room - len(f"{key} ({people}, “”)"), _LEAST)
    title = shortened(still(" ".join(entry.title.split())), room_for_title)
    details = ", ".join(filter(None, (people, f"“{title}”" if title else "")))
    name = f"{key} ({details})" if details else key
    return " ".join(filter(None, (name, address(place))))


def address(place: Place) -> str:
    """What shows the entry in the program that it comes from; "" if that has none."""
    written = place.entry.text(ADDRESS)
    return written if _ADDRESS.fullmatch(written) else ""
