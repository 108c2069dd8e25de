"""Where the weights of a model lie, and how it is to be used; what is wrong with them is said in one sentence."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from citelsp.base.settings import Embeddings
from citelsp.meaning.known_models import MODELS, TOKENIZER, WEIGHTS, KnownModel, Pooling

FETCH = "`citelsp corpus embed --fetch`"
_POOLING = Path("1_Pooling", "config.json")  # as sentence-transformers writes it
_LARGEST = 2_000_000_000  # bytes of weights
_LARGEST_TEXT = 64_000_000  # of a tokenizer


class ModelError(Exception):
    """A model that cannot be used; says why, and what to do."""


@dataclass(frozen=True, slots=True)
class ModelFolder:
    name: str
    path: Path
    weights: Path
    tokenizer: Path
    pooling: Pooling
    query_prefix: str
    work_prefix: str
    known: KnownModel | None = None  # whose bytes these must be


def models_directory() -> Path:
    """Where fetched models lie."""
    from platformdirs import user_data_path

    return user_data_path("citelsp") / "models"


def find(embeddings: Embeddings) -> ModelFolder:
    """Return the files of the model that the settings name; ModelError if they are missing or of a wrong size.

    `embeddings.model` is the name of a known model, which `citelsp` fetches, or a folder of the user's own, whose files
    may have any size up to a limit.  Of a folder's own weights those in its subfolder `onnx` count only if there are
    none beside the tokenizer.
    """
    known = MODELS.get(embeddings.model)
    if known:
        return _find_fetched(known, embeddings)
    path = Path(embeddings.model).expanduser()
    if not path.is_dir():
        names = ", ".join(MODELS)
        raise ModelError(f"embeddings.model: {embeddings.model} is neither a folder nor one of {names}")
    weights = next((it for it in (path / WEIGHTS, path / "onnx" / WEIGHTS) if it.is_file()), None)
    if weights is None or not (path / TOKENIZER).is_file():
        raise ModelError(f"{path}: a model's folder needs {WEIGHTS} and {TOKENIZER}")
    # What lies in the folder is the user's affair, but a file that fills the memory would take the server with it.
    for file, most in ((weights, _LARGEST), (path / TOKENIZER, _LARGEST_TEXT)):
        if file.stat().st_size > most:
            raise ModelError(f"{file}: {file.stat().st_size / 1e6:,.0f} MB are too many")
    return ModelFolder(
        path.resolve().name,
        path,
        weights=weights,
        tokenizer=path / TOKENIZER,
        pooling=_read_pooling(path / _POOLING),
        query_prefix=embeddings.query_prefix,
        work_prefix=embeddings.work_prefix,
    )


def _find_fetched(known: KnownModel, embeddings: Embeddings) -> ModelFolder:
    """Return the files of a known model; ModelError if one was not fetched yet, or has another size than it should.

    Whether the bytes are the right ones is checked when the model is loaded.
    """
    path = models_directory() / known.name
    for file in known.files:
        fetched = path / file.name
        if not fetched.is_file():
            raise ModelError(f"{known.name} is not on this machine yet: {FETCH} fetches it ({known.size / 1e6:.0f} MB)")
        size = fetched.stat().st_size
        if size != file.size:
            raise ModelError(f"{fetched} has {size:,} bytes instead of {file.size:,}: {FETCH} fetches it again")
    # The user's own prefix for queries counts, else that which the model was trained with.  No known model was trained
    # with a prefix for works.
    return ModelFolder(
        known.name,
        path,
        weights=path / WEIGHTS,
        tokenizer=path / TOKENIZER,
        pooling=known.pooling,
        query_prefix=embeddings.query_prefix or known.query_prefix,
        work_prefix=embeddings.work_prefix,
        known=known,
    )


def _read_pooling(path: Path) -> Pooling:
    """How sentence-transformers would make one vector of a text; the mean if nothing is said."""
    try:
        config: Any = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return "mean"
    return "first" if isinstance(config, dict) and config.get("pooling_mode_cls_token") else "mean"
