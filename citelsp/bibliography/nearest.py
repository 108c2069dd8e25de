"""Citekeys that look like another one."""

from collections.abc import Iterable, Mapping

_CUTOFF = 0.7  # of the similarity by edits; below it suggestions look arbitrary

ByLength = Mapping[int, Mapping[str, str]]


def by_length(keys: Iterable[str]) -> ByLength:
    """Keys as `like` wants them: by length, as two of unlike length need not be compared, with their small letters."""
    found: dict[int, dict[str, str]] = {}
    for key in keys:
        folded = key.casefold()
        found.setdefault(len(folded), {})[key] = folded
    return found


def like(wanted: str, known: ByLength, limit: int = 3) -> list[str]:
    """The known keys most like the wanted one, best first, letter case aside; none where none is like it."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    folded = wanted.casefold()
    found: list[tuple[float, str]] = []
    for length, keys in known.items():
        if length and min(length, len(folded)) >= _CUTOFF * max(length, len(folded)):
            near = process.extract(
                folded, keys, scorer=OSA.normalized_similarity, limit=limit + 1, score_cutoff=_CUTOFF
            )
            found += [(score, key) for _, score, key in near if key != wanted]
    return [key for _, key in sorted(found, key=lambda it: -it[0])[:limit]]
