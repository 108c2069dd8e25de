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
from citelsp.meaning import model_folder
from citelsp.meaning.model_folder import FETCH, ModelError, ModelFolder

if TYPE_CHECKING:
    import onnxruntime
    from tokenizers import Tokenizer

TOGETHER = 16  # texts of about one length that are computed at once
_LONGEST = 256  # tokens of a text; what stands behind them is left out
_LONGEST_TEXT = 4_000  # characters
_AT_ONCE = 1 << 20  # bytes read for a digest


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
        if extras.missing("meaning"):
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
        return self._embedded([f"{self.folder.query_prefix}{it}" for it in texts])

    def works(self, texts: Sequence[str]) -> Any:  # noqa: ANN401
        """A unit vector for each title, float32."""
        return self._embedded([f"{self.folder.work_prefix}{it}" for it in texts])

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers a query, by a cross-encoder, which reads the two beside each other."""
        query = " ".join(query[:_LONGEST_TEXT].split())
        order = sorted(range(len(texts)), key=lambda it: len(texts[it]))
        found = [0.0] * len(texts)
        for start in range(0, len(order), TOGETHER):
            part = order[start : start + TOGETHER]
            pairs = [(query, " ".join(texts[it][:_LONGEST_TEXT].split())) for it in part]
            for at, score in zip(part, self._compared(pairs), strict=True):
                found[at] = score
        return found

    def _compared(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        import numpy as np

        found, _ = self._read_together(pairs)
        if found.ndim == 1:
            found = found[:, None]
        # One number says how well; of two the second is for “yes” and the first for “no”.
        if found.ndim != 2 or len(found) != len(pairs) or found.shape[1] not in (1, 2) or not np.isfinite(found).all():
            raise ModelError(f"{self.folder.weights} cannot compare two texts: give a cross-encoder")
        scores: list[float] = (found[:, -1] - (found[:, 0] if found.shape[1] == 2 else 0.0)).tolist()
        return scores

    def _embedded(self, texts: Sequence[str]) -> Any:  # noqa: ANN401
        import numpy as np

        # Texts of one length share a batch: the others would be filled up to the longest.
        order = sorted(range(len(texts)), key=lambda it: len(texts[it]))
        parts = [order[it : it + TOGETHER] for it in range(0, len(order), TOGETHER)]
        found = [self._together([" ".join(texts[it][:_LONGEST_TEXT].split()) for it in part]) for part in parts]
        if not found:
            return np.zeros((0, 0), np.float32)
        vectors = np.concatenate(found)
        in_order = np.empty_like(vectors)
        in_order[order] = vectors
        return in_order

    def _together(self, texts: Sequence[str]) -> Any:  # noqa: ANN401
        import numpy as np

        found, mask = self._read_together(texts)
        vectors = self._pooled(found, mask[:, :, None].astype(np.float32))
        if vectors.ndim != 2 or len(vectors) != len(texts) or not np.isfinite(vectors).all():
            raise ModelError(f"{self.folder.weights} makes no vectors of texts")
        return vectors / (np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-12)

    def _read_together(self, texts: Sequence[str] | Sequence[tuple[str, str]]) -> tuple[Any, Any]:
        """What the model makes of texts or pairs of them, and which tokens are theirs."""
        import numpy as np

        with self._lock:
            tokenizer, session = self._load()
            tokens = tokenizer.encode_batch(list(texts))
            named = {
                "input_ids": np.array([it.ids for it in tokens], np.int64),
                "attention_mask": np.array([it.attention_mask for it in tokens], np.int64),
                "token_type_ids": np.array([it.type_ids for it in tokens], np.int64),
            }
            with self._unusable():
                asked = {it.name: named[it.name] for it in session.get_inputs()}
                return np.asarray(session.run(None, asked)[0], np.float32), named["attention_mask"]

    def _pooled(self, found: Any, mask: Any) -> Any:  # noqa: ANN401
        """One vector for each text, of one for each token."""
        if found.ndim != 3:
            return found
        return found[:, 0] if self.folder.pooling == "first" else (found * mask).sum(1) / (mask.sum(1) + 1e-12)

    def _load(self) -> "tuple[Tokenizer, onnxruntime.InferenceSession]":
        if self._loaded is None:
            self._loaded = self._read()
        return self._loaded

    def _read(self) -> "tuple[Tokenizer, onnxruntime.InferenceSession]":
        self.check()
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self._threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 4
        options.enable_mem_pattern = False
        options.enable_cpu_mem_arena = False  # it would keep the memory of the longest batch for good
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.add_session_config_entry("session.disable_prepacking", "1")  # 20 MB of copies
        with self._unusable():
            tokenizer = Tokenizer.from_buffer(self.folder.tokenizer.read_bytes())  # which raises ValueError
            session = onnxruntime.InferenceSession(
                str(self.folder.weights), options, providers=["CPUExecutionProvider"]
            )
        tokenizer.enable_truncation(_LONGEST)
        tokenizer.enable_padding()
        return tokenizer, session

    @contextmanager
    def _unusable(self) -> Iterator[None]:
        """ModelError for what a damaged model makes its libraries raise."""
        try:
            yield
        except _errors_of_libraries() as problem:
            why = " ".join(str(problem).split())[:80] or type(problem).__name__
            raise ModelError(f"{self.folder.path} cannot be used as a model: {why}") from problem


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
