"""Citekeys that look like another one."""

from collections.abc import Iterable, Mapping, Sequence

_CUTOFF = 0.7  # of the similarity by edits; below it suggestions look arbitrary

_LETTERS_AN_ERROR = 4  # typed for each that may be wrong, missing, added or swapped with the next one
_LONGEST = 64  # typed: the comparison takes a machine word for so many
_COMPARED = 100  # keys that are looked at more closely

ByLength = Mapping[int, Mapping[str, str]]


def group_by_length(keys: Iterable[str]) -> ByLength:
    """Keys as `like` wants them: by length, as two of unlike length need not be compared, with their small letters."""
    found: dict[int, dict[str, str]] = {}
    for key in keys:
        folded = key.casefold()
        found.setdefault(len(folded), {})[key] = folded
    return found


def find_similar(unknown: str, known: ByLength, limit: int = 3) -> list[str]:
    """The known keys most like the wanted one, best first, letter case aside; none if none is like it."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    folded = unknown.casefold()
    scored: list[tuple[float, str]] = []
    for length, keys in known.items():
        # Lengths apart already cost more edits than the cutoff allows, which spares comparing most keys.
        if not length or min(length, len(folded)) < _CUTOFF * max(length, len(folded)):
            continue
        near = process.extract(folded, keys, scorer=OSA.normalized_similarity, limit=limit + 1, score_cutoff=_CUTOFF)
        scored += [(score, key) for _, score, key in near if key != unknown]
    scored.sort(key=lambda pair: -pair[0])
    return [key for _, key in scored[:limit]]


def begun_like(typed: str, keys: Sequence[str]) -> list[tuple[float, int]]:
    """Places of the keys that begin as `typed` does up to typing errors, the most like it first; all in small letters.

    Each with the number of errors up to where typing has come, and as a fraction how far it still is from the whole
    key.  Looks at every key, about 0.15 µs each: for when nothing else is found.
    """
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    length = len(typed)
    allowed = length // _LETTERS_AN_ERROR
    if not allowed or length > _LONGEST:
        return []
    begun = [it[:length] for it in keys]  # a letter too few or too many counts twice in these
    near = process.extract(typed, begun, scorer=OSA.distance, score_cutoff=2 * allowed, limit=_COMPARED)
    found: list[tuple[float, int]] = []
    for _, _, place in near:
        key = keys[place]
        far = OSA.distance(typed, key)
        errors = min(far, *(OSA.distance(typed, key[:end]) for end in (length - 1, length, length + 1)))
        if errors <= allowed:
            found.append((errors + far / (far + 1), place))
    return sorted(found)
