"""`check --explain KEY`: how the verdicts on the entries of one key came about."""

from collections.abc import Sequence

from citelsp.cli.check_report import UNASKED, Checked, shown
from citelsp.cli.reports.naming import reference
from citelsp.features.verdict_story import story


def explained(checked: Sequence[Checked], key: str, width: int = 0) -> str:
    """A paragraph for each entry of this key; "" if there is none."""
    parts = []
    for one in checked:
        for place, verdict in one.verdicts():
            if place.node.key == key:
                lines = ["It was not looked up."] if verdict == UNASKED else story(verdict)
                head = f"{shown(place.source.document.path)}: {reference(place, width)}"
                parts.append("\n".join([head, *(f"  {line}" for line in lines)]))
    return "\n\n".join(dict.fromkeys(parts))
