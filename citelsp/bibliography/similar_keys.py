"""Citekeys that look like another one."""

from collections.abc import Iterable, Mapping, Sequence

_LEAST_SIMILARITY = 0.7  # by edits; below it suggestions look arbitrary

_LETTERS_AN_ERROR = 4  # typed for each that may be wrong, missing, added or swapped with the next one
_LONGEST_TYPED = 64  # characters: the comparison takes a machine word for so many
_MOST_COMPARED = 100  # keys that are looked at more closely

ByLength = Mapping[int, Mapping[str, str]]


def group_by_length(keys: Iterable[str]) -> ByLength:
    """Group keys by length for `find_similar`, each with itself in small letters: `{3: {"Roe": "roe"}}`.

    Keys of unlike length need not be compared.
    """
    by_length: dict[int, dict[str, str]] = {}
    for key in keys:
        folded = key.casefold()
        by_length.setdefault(len(folded), {})[key] = folded
    return by_length


def find_similar(unknown: str, known: ByLength, limit: int = 3) -> list[str]:
    """Return at most `limit` known keys that are like the unknown one, most alike first; letter case does not count.

    Empty if none is like it.  The unknown key itself is left out, but not one that differs from it in case alone.
    `known` has the keys by their length, each as it is written with its form in small letters.
    """
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    folded = unknown.casefold()
    scored: list[tuple[float, str]] = []
    for length, keys in known.items():
        # A letter more or less is an edit: keys of too different a length need not be compared.
        shorter, longer = sorted((length, len(folded)))
        if not length or shorter < _LEAST_SIMILARITY * longer:
            continue
        near = process.extract(
            folded,
            keys,
            scorer=OSA.normalized_similarity,
            limit=limit + 1,  # one of them may be the unknown key itself
            score_cutoff=_LEAST_SIMILARITY,
        )
        scored += [(score, key) for _, score, key in near if key != unknown]
    scored.sort(key=lambda pair: -pair[0])
    return [key for _, key in scored[:limit]]


def begun_like(typed: str, keys: Sequence[str]) -> list[tuple[float, int]]:
    """Find the keys that begin as `typed` does, typing errors allowed; both in small letters.

    Returns pairs of a number and an index into `keys`, the most alike first.  The number has typing errors so far
    before the point, and behind it how far `typed` is from the whole key, so that of equal errors the shorter key comes
    first.  Empty if `typed` is too short to allow an error, or longer than _LONGEST_TYPED.  Looks at every key, about
    0.15 µs each: for when nothing else is found.
    """
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    length = len(typed)
    allowed = length // _LETTERS_AN_ERROR
    if not allowed or length > _LONGEST_TYPED:
        return []
    # Cut to the typed length, a missing letter counts twice, as the cut moves, too: hence twice the errors here.
    beginnings = [key[:length] for key in keys]
    near = process.extract(typed, beginnings, scorer=OSA.distance, score_cutoff=2 * allowed, limit=_MOST_COMPARED)
    scored: list[tuple[float, int]] = []
    for _, _, place in near:
        key = keys[place]
        to_whole_key = OSA.distance(typed, key)  # counts letters swapped with the next as one error
        # Its place in the key ends later by the letters that are missing, and sooner by those that were added.
        ends = range(length - allowed, length + allowed + 1)
        errors = min(to_whole_key, *(OSA.distance(typed, key[:end]) for end in ends))
        if errors <= allowed:
            fraction = to_whole_key / (to_whole_key + 1)
            scored.append((errors + fraction, place))
    return sorted(scored)
