"""How much is remembered of what came from outside: what is forgotten is looked for again when it is next needed."""

from citelsp.base.footprint import MB, Shelf

_VERDICTS = 200 * MB  # those of 50,000 entries
_ANSWERS = 32 * MB  # a dozen services say up to a megabyte about one placeholder
_PLACEHOLDERS = 32  # of which answers are remembered
_EVIDENCE = 32 * MB


class Learnt:
    """The keys of what knowledge holds, each part with a bound of its own."""

    def __init__(self) -> None:
        self.verdicts = Shelf[str](_VERDICTS)
        self.answers = Shelf[str](_ANSWERS, _PLACEHOLDERS)
        self.evidence = Shelf[str](_EVIDENCE)
