"""How long a search by vectors takes, and how many of the exact first hundred it finds.

    python tests/benchmarks/vectors.py [--invented 575000 | VECTORS.npy... --asked QUERIES.npy]

VECTORS and QUERIES are numpy arrays with a row for each text, of one model; without them vectors are invented around
themes, which tells the time, and little of what a model's vectors let be found.  Milliseconds are of the processor.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from citelsp.corpus import dense

_SIZE, _THEMES, _APART = 384, 500, 1.2
_FIRST = 100
_AT_ONCE = 20_000


def invented(count: int) -> tuple[Any, Any]:
    drawn = np.random.default_rng(1)
    themes = drawn.standard_normal((_THEMES, _SIZE)).astype(np.float32)

    def around(rows: int) -> Any:
        apart = _APART * drawn.standard_normal((rows, _SIZE)).astype(np.float32)
        return themes[drawn.integers(0, _THEMES, rows)] + apart

    return around(count), around(40)


def measure(vectors: Any, asked: Any) -> str:
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    took, lists = [], []
    with tempfile.TemporaryDirectory() as name:
        corpus: Any = SimpleNamespace(path=Path(name))  # a search by vectors reads nothing else of it
        beside = dense.Vectors.open_named(corpus, "measured")
        for start in range(0, len(vectors), _AT_ONCE):
            part = vectors[start : start + _AT_ONCE]
            beside.append([(start + at, 0) for at in range(len(part))], part)
        beside.signs(len(beside.read()[2]))  # worked out once, not for each question
        for query in asked:
            began = time.process_time()
            lists.append(dense.Nearest(corpus, dense.Vector("measured", query)).works()[:_FIRST])
            took.append(1000 * (time.process_time() - began))
    shares = []
    for query, found in zip(asked, lists, strict=True):
        # What lies no nearer than halfway to strangers is left out: only as many are compared as were found.
        exact = np.argsort(-(vectors @ query))[: len(found)]
        shares.append(len({*found} & {*exact.tolist()}) / max(1, len(found)))
    return (
        f"{len(vectors):,} vectors of {vectors.shape[1]} numbers, {len(asked)} questions: {np.median(took):.1f} ms, "
        f"{min(took):.1f} at best; {np.mean(shares):.1%} of the exact first {_FIRST} found"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("vectors", nargs="*", type=Path)
    parser.add_argument("--asked", type=Path)
    parser.add_argument("--invented", type=int, default=575_000)
    options = parser.parse_args()
    if options.vectors:
        given = np.concatenate([np.load(it) for it in options.vectors]), np.load(options.asked).astype(np.float32)
    sys.stdout.write(measure(*(given if options.vectors else invented(options.invented))) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
