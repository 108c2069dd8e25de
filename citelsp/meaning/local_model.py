"""A model's vectors, made by onnxruntime: loaded at first use, one text in any thread at a time."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from citelsp.base import extras
from citelsp.base.settings import Embeddings
from citelsp.base.text import whole
from citelsp.meaning import model_folder
from citelsp.meaning.model_folder import FETCH, ModelError, ModelFolder

if TYPE_CHECKING:
    import onnxruntime
    from tokenizers import Tokenizer

TOGETHER = 16  # texts of about one length that are computed at once
_LONGEST = 256  # tokens of a text; what stands behind them is left out
_LONGEST_TEXT = 4_000  # characters
_AT_ONCE = 1 << 20  # bytes read for a digest
_TINY = 1e-12  # keeps a vector of zeros from a division by zero


class LocalModel:
    """The model that the settings name.  ModelError if it cannot be used; asked again, it looks again."""

    def __init__(self, embeddings: Embeddings, threads: int = 1) -> None:
        """`threads`: how many cores a text may take; an author types beside it."""
        self.embeddings = embeddings
        self._threads = threads
        self._lock = Lock()
        self._folder: ModelFolder | None = None
        self._loaded: tuple[Tokenizer, onnxruntime.InferenceSession] | None = None

    @property
    def is_loaded(self) -> bool:
        return self._loaded is not None

    @property
    def folder(self) -> ModelFolder:
        if self._folder is None:
            self._folder = model_folder.find(self.embeddings)
        return self._folder

    def check(self) -> None:
        """Whether it can be used, without loading it."""
        if extras.is_missing("meaning"):
            raise ModelError(f"a model on this machine needs onnxruntime: {extras.command('meaning')}")
        _ = self._digest

    @cached_property
    def vectors(self) -> str:
        """What its vectors are called: those of other weights, or of another prefix, are not to be compared."""
        return f"{self.folder.name} {self._digest[:16]} {self.folder.work_prefix}".strip()

    @cached_property
    def _digest(self) -> str:
        """Of its files, which are those of the known model if there is one."""
        digests = {it.name: _digest(it) for it in (self.folder.weights, self.folder.tokenizer)}
        for file in self.folder.known.files if self.folder.known else ():
            if digests[file.name] != file.sha256:
                damaged = self.folder.path / file.name
                raise ModelError(f"{damaged} is not that of {self.folder.name}: {FETCH} fetches it again")
        return sha256("".join(digests.values()).encode()).hexdigest()

    def queries(self, texts: Sequence[str]) -> Any:  # noqa: ANN401 - numpy is imported when it is needed
        """A unit vector for each sentence that works are looked for with, float32."""
        return self._embed([f"{self.folder.query_prefix}{it}" for it in texts])

    def works(self, texts: Sequence[str]) -> Any:  # noqa: ANN401
        """A unit vector for each title, float32."""
        return self._embed([f"{self.folder.work_prefix}{it}" for it in texts])

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """Return how well each text answers a query, in the order of the texts; a larger number is better.

        The model has to be a cross-encoder, which reads query and text together; else ModelError.
        """
        query = _make_readable(query)
        scores = [0.0] * len(texts)
        for batch in _batches_by_length(texts):
            pairs = [(query, _make_readable(texts[index])) for index in batch]
            for index, score in zip(batch, self._compare(pairs), strict=True):
                scores[index] = score
        return scores

    def _compare(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Return how well the second text of each pair answers the first; ModelError if it is no cross-encoder."""
        import numpy as np

        output, _ = self._run_model(pairs)
        if output.ndim == 1:  # one number a pair, not in a list of its own
            output = output[:, None]
        is_of_pairs = output.ndim == 2 and len(output) == len(pairs) and output.shape[1] in (1, 2)
        if not is_of_pairs or not np.isfinite(output).all():
            raise ModelError(f"{self.folder.weights} cannot compare two texts: give a cross-encoder")
        # A model with one output says how well; of two outputs the first is for “no” and the second for “yes”.
        against = output[:, 0] if output.shape[1] == 2 else 0.0
        scores: list[float] = (output[:, -1] - against).tolist()
        return scores

    def _embed(self, texts: Sequence[str]) -> Any:  # noqa: ANN401
        """Return a unit vector for each text, in their order; an empty array if there are none."""
        import numpy as np

        batches = _batches_by_length(texts)
        if not batches:
            return np.zeros((0, 0), np.float32)
        readable = list(map(_make_readable, texts))
        vectors = np.concatenate([self._embed_batch([readable[index] for index in batch]) for batch in batches])
        # Texts of like length were computed together: put their vectors back in the order of the texts.
        in_order = np.empty_like(vectors)
        in_order[[index for batch in batches for index in batch]] = vectors
        return in_order

    def _embed_batch(self, texts: Sequence[str]) -> Any:  # noqa: ANN401
        """A unit vector for each text, computed at once; ModelError if the model makes none."""
        import numpy as np

        output, mask = self._run_model(texts)
        vectors = self._pool(output, mask[:, :, None].astype(np.float32))
        if vectors.ndim != 2 or len(vectors) != len(texts) or not np.isfinite(vectors).all():
            raise ModelError(f"{self.folder.weights} makes no vectors of texts")
        return vectors / (np.linalg.norm(vectors, axis=1, keepdims=True) + _TINY)

    def _run_model(self, texts: Sequence[str] | Sequence[tuple[str, str]]) -> tuple[Any, Any]:
        """Return the model's first output for texts or pairs of texts, and a mask of the tokens that it read.

        The mask has a row for each text: 1 for its tokens, 0 for what fills it up to the length of the longest.
        """
        import numpy as np

        with self._lock:
            tokenizer, session = self._load()
            tokens = tokenizer.encode_batch(list(texts))
            array_of = {
                "input_ids": np.array([it.ids for it in tokens], np.int64),
                "attention_mask": np.array([it.attention_mask for it in tokens], np.int64),
                "token_type_ids": np.array([it.type_ids for it in tokens], np.int64),
            }
            with self._translate_errors():
                # Not all models take all three; one that takes anything else raises KeyError here, hence ModelError.
                inputs = {it.name: array_of[it.name] for it in session.get_inputs()}
                # What some models give besides, such as a vector of their own for each text, is not used.
                first_output, *_ = session.run(None, inputs)
                return np.asarray(first_output, np.float32), array_of["attention_mask"]

    def _pool(self, output: Any, mask: Any) -> Any:  # noqa: ANN401
        """One vector for each text, of one for each token: that of the first, or the mean; as it is if it is one."""
        if output.ndim != 3:
            return output
        if self.folder.pooling == "first":
            return output[:, 0]
        return (output * mask).sum(1) / (mask.sum(1) + _TINY)

    def _load(self) -> "tuple[Tokenizer, onnxruntime.InferenceSession]":
        if self._loaded is None:
            self._loaded = self._read_files()
        return self._loaded

    def _read_files(self) -> "tuple[Tokenizer, onnxruntime.InferenceSession]":
        """Read the model's files, with options that save memory; ModelError if they cannot be used.

        The tokenizer cuts texts to `_LONGEST` tokens, and fills them up to the length of the longest.
        """
        self.check()
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self._threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 4  # only what is fatal is logged
        options.enable_mem_pattern = False  # a plan for each length of texts, which would be kept
        options.enable_cpu_mem_arena = False  # it would keep the memory of the longest batch for good
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # threads that wait take no CPU
        options.add_session_config_entry("session.disable_prepacking", "1")  # 20 MB of copies
        with self._translate_errors():
            tokenizer = Tokenizer.from_buffer(self.folder.tokenizer.read_bytes())  # which raises ValueError
            session = onnxruntime.InferenceSession(
                str(self.folder.weights), options, providers=["CPUExecutionProvider"]
            )
        tokenizer.enable_truncation(_LONGEST)
        tokenizer.enable_padding()
        return tokenizer, session

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        """ModelError for what a damaged model makes its libraries raise."""
        try:
            yield
        except _errors_of_libraries() as problem:
            why = " ".join(str(problem).split())[:80] or type(problem).__name__
            raise ModelError(f"{self.folder.path} cannot be used as a model: {why}") from problem


def _make_readable(text: str) -> str:
    """Put the beginning of a text on one line; half a character, which no tokenizer takes, becomes `?`."""
    return whole(" ".join(text[:_LONGEST_TEXT].split()))


def _batches_by_length(texts: Sequence[str]) -> list[list[int]]:
    """The positions of texts in batches of about one length: shorter ones would be filled up to the longest."""
    order = sorted(range(len(texts)), key=lambda it: len(texts[it]))
    return [order[start : start + TOGETHER] for start in range(0, len(order), TOGETHER)]


def _errors_of_libraries() -> tuple[type[Exception], ...]:
    """What tokenizers and numpy raise, and the dozen classes of onnxruntime, which have only Exception in common."""
    from onnxruntime.capi import onnxruntime_pybind11_state

    members = vars(onnxruntime_pybind11_state).values()
    of_onnxruntime = [it for it in members if isinstance(it, type) and issubclass(it, Exception)]
    return (OSError, LookupError, RuntimeError, TypeError, ValueError, *of_onnxruntime)


def _digest(path: Path) -> str:
    digest = sha256()
    try:
        with path.open("rb") as file:
            while part := file.read(_AT_ONCE):
                digest.update(part)
    except OSError as problem:
        raise ModelError(f"{path}: {problem.strerror or problem}") from problem
    return digest.hexdigest()
