"""What of a query goes to services: never so much of the manuscript that its text could be read there."""

import re
import unicodedata
from collections.abc import Sequence

from citelsp.agent.environment import Environment
from citelsp.bibliography.fold import fold
from citelsp.corpus.words import stems, title_key

WORDS = 8  # of one query
TITLE_WORDS = 30  # of a query that is a title as a model knows it
RUN = 4  # words of it that may stand so in the manuscript
_WORD = re.compile(r"[^\W_]{1,30}")  # of what has no spaces, a part


def limit_query(environment: Environment, written: str, *, is_title: bool = False) -> str:
    """Return the words of a query that may be sent to services, whether author or model wrote it; "" if none may.

    They are at most WORDS, or TITLE_WORDS if the query is a title (`is_title`).  Services must not learn what the
    manuscript says.  So words of its title are left out, unless the sentence or the hint, for which is searched, has
    them too; and of more than RUN words that stand one after the other in the manuscript, those that say least.  The
    title of a work that the author's bibliography or the corpus holds is public, and goes out whole, unless it is the
    manuscript's own.
    """
    # Without invisible characters, such as soft hyphens, which would part a word in two.
    plain = "".join(it for it in unicodedata.normalize("NFKC", written) if unicodedata.category(it) != "Cf")
    if _is_public(environment, plain):
        return " ".join(plain.split())
    place = environment.question
    nearby = {fold(it) for it in _WORD.findall(f"{' '.join(place.sentence_parts)} {place.hint}")}
    private = {fold(it) for it in _WORD.findall(place.title)} - nearby
    most = TITLE_WORDS if is_title else WORDS
    sent = [it for it in _WORD.findall(plain) if fold(it) not in private][:most]
    texts = (*environment.before, place.before, place.after, *environment.after, place.title, place.heading)
    manuscript = _join_folded(_WORD.findall(" ".join(texts)))
    run = _find_run(sent, manuscript)  # of words that stand so in the manuscript, RUN + 1, as indices into `sent`
    # Each run that is too long loses the word that says least, until no run is too long.
    while run is not None:
        dullest = min(run, key=lambda index: _word_rarity(environment, sent[index]))
        del sent[dullest]
        run = _find_run(sent, manuscript)
    return " ".join(sent)


def _is_public(environment: Environment, written: str) -> bool:
    key = title_key(written)
    if not key or key == title_key(environment.question.title):
        return False
    if environment.corpus and environment.corpus.store.by_title(written):
        return True
    own = environment.library(written, 3) if environment.library else ()
    return any(title_key(it.record.title) == key for it in own)


def _word_rarity(environment: Environment, word: str) -> float:
    return max(map(environment.rarity, stems(word)), default=-1.0)


def _join_folded(words: Sequence[str]) -> str:
    return f" {' '.join(map(fold, words))} "


def _find_run(words: Sequence[str], manuscript: str) -> range | None:
    """Return where the first RUN + 1 words are that stand in a row in the manuscript, too; None if there are none."""
    starts = range(len(words) - RUN)
    return next(
        (range(it, it + RUN + 1) for it in starts if _join_folded(words[it : it + RUN + 1]) in manuscript), None
    )
