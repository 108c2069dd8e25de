"""Citekeys that look like another one."""

from collections.abc import Sequence

_CUTOFF = 0.7  # of the similarity by edits; below it suggestions look arbitrary


def keys(wanted: str, known: Sequence[str], limit: int = 3) -> list[str]:
    """The known keys most like the wanted one, best first, letter case aside; none where none is like it."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    found = process.extract(
        wanted, known, scorer=OSA.normalized_similarity, processor=str.casefold, limit=limit + 1, score_cutoff=_CUTOFF
    )
    return [key for key, _, _ in found if key and key != wanted][:limit]
