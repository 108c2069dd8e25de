"""The publisher of an entry compared with the record's."""

from citelsp.bibliography import publishers, venues
from citelsp.bibliography.tolerant_comparison.outcome import Outcome


def compare_publishers(cited: str, recorded: str) -> Outcome:
    """Compare publishers; a server of preprints is that of another version."""
    if venues.is_preprint_server(cited) != venues.is_preprint_server(recorded):
        return "unknown"
    is_same = publishers.same(cited, recorded) if cited and recorded else None
    if is_same is None:
        return "unknown"
    return "same" if is_same else "different"
