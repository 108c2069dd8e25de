"""`check --explain KEY`: how the verdicts on the entries of one key came about."""

from collections.abc import Sequence

from citelsp.cli.report_parts import UNASKED, Checked, show_on_one_line
from citelsp.cli.reports.naming import reference
from citelsp.features.verdict_story import story


def explain_verdicts(checked: Sequence[Checked], key: str, width: int = 0) -> str:
    """Tell how the verdict on each entry of this key came about, a paragraph each; "" if no entry has the key.

    An entry that two projects share is told once.  `width`: the columns that the entry's reference may take, by which
    its title is cut; 0 leaves the title its usual length.  `checked`: the verdicts of each project.
    """
    paragraphs: dict[str, None] = {}  # a set that keeps its order
    for of_project in checked:
        for place, verdict in of_project.verdicts():
            if place.node.key == key:
                lines = ["It was not looked up."] if verdict == UNASKED else story(verdict)
                head = f"{show_on_one_line(place.source.document.path)}: {reference(place, width)}"
                paragraphs["\n".join([head, *(f"  {line}" for line in lines)])] = None
    return "\n\n".join(paragraphs)
