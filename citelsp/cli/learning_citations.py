"""citelsp corpus embed --from-citations: what the corpus's own citations teach, without a model and a network."""

import argparse
import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from citelsp.cli import common, exits

if TYPE_CHECKING:
    from citelsp.base.settings import Settings
    from citelsp.corpus.citation_words import Description, Gains
    from citelsp.corpus.dense import Array
    from citelsp.corpus.index import Corpus

_SEED = 1  # learning twice from the same corpus gives the same


def arguments(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--from-citations",
        action="store_true",
        help="learn from the corpus's own citations how near papers lie to a text, and use it if it finds more",
    )


def run(corpus: "Corpus", options: argparse.Namespace) -> int:
    """Learn from the corpus' citations which words belong together, and print whether searches gain by it.

    Returns the exit status: UNFINISHED without numpy, or if the model that the settings name cannot be used.
    CorpusError and KeyboardInterrupt are left to the caller; then the corpus is as it was.
    """
    from importlib.util import find_spec

    from citelsp.base import extras
    from citelsp.cli.progress import Progress
    from citelsp.corpus import learn_citations
    from citelsp.meaning.model_folder import ModelError

    if find_spec("numpy") is None:
        return common.fail(f"learning from citations needs numpy: {extras.command('meaning')}")
    settings = common.read_settings(options)
    try:
        with Progress("citations") as progress:
            description = learn_citations.learn(corpus, seed=_SEED, report=progress.step, start=_choose_start(settings))
    except ModelError as problem:
        return common.fail(str(problem))
    print("\n".join(_write_lines(description)))
    return exits.OK


def _choose_start(settings: "Settings") -> "Callable[[Sequence[str]], Array] | None":
    """Return the function that makes the vectors to begin with, which learning then improves.

    It is that of the model on this machine, which knows which words are alike; None if the settings name no model.
    ModelError if the model cannot be used.
    """
    from citelsp.meaning.local_model import LocalModel

    if not settings.embeddings.model:
        return None
    model = LocalModel(settings.embeddings, os.cpu_count() or 1)
    model.check()
    return model.works


def _write_lines(description: "Description") -> Iterator[str]:
    """Tell what was learnt, how much better it finds the works cited, and whether it is used.

    The second is measured on citations that were held out: nothing was learnt from them.  It is used if their works
    come earlier with it, beyond chance, and if no fewer of them come first, and among ten, than without it.
    """
    gains = description.gains
    yield f"learnt {description.words:,} words from the citations of {description.citing:,} papers"
    if not gains.places:  # how many citations were held out
        yield "no citation was left to measure that on: it is not used"
        return
    yield f"of {gains.places:,} citations held out: {tell_gains(gains)}"
    if description.is_used:
        yield "it is used from now on, wherever no model of [embeddings] has vectors here"
    else:  # by chance alone, or fewer works come first or among ten
        yield "it is not used: that is not surely better"


def tell_gains(gains: "Gains") -> str:
    """`the right paper comes first in 20.1% without and 31.5% with it, among ten in …`."""
    first, among_ten = (f"{old:.1%} without and {new:.1%} with it" for old, new in (gains.first, gains.among_ten))
    return f"the right paper comes first in {first}, among ten in {among_ten}"
