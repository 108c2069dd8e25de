"""The models that can be fetched by name: what they are, and the files that they consist of."""

from dataclasses import dataclass
from typing import Literal

Pooling = Literal["first", "mean"]  # the vector of a text is that of its first token, or the mean of all

WEIGHTS, TOKENIZER = "model.onnx", "tokenizer.json"
_HUB = "https://huggingface.co/Xenova"


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One file of a model, by what it is called in the model's folder; it is used only if its bytes are these."""

    name: str
    address: str
    size: int  # bytes
    sha256: str


@dataclass(frozen=True, slots=True)
class KnownModel:
    name: str
    licence: str
    languages: str  # for people
    files: tuple[ModelFile, ...]
    pooling: Pooling
    query_prefix: str = ""

    @property
    def size(self) -> int:
        return sum(it.size for it in self.files)


def _files(name: str, weights: tuple[int, str], tokenizer: tuple[int, str]) -> tuple[ModelFile, ...]:
    return (
        ModelFile(WEIGHTS, f"{_HUB}/{name}/resolve/main/onnx/model_quantized.onnx", *weights),
        ModelFile(TOKENIZER, f"{_HUB}/{name}/resolve/main/tokenizer.json", *tokenizer),
    )


_ALL = (
    KnownModel(
        "bge-small-en-v1.5",
        "MIT",
        "English",
        _files(
            "bge-small-en-v1.5",
            (34_014_426, "6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4"),
            (711_396, "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66"),
        ),
        "first",
        "Represent this sentence for searching relevant passages: ",
    ),
    KnownModel(
        "all-MiniLM-L6-v2",
        "Apache-2.0",
        "English",
        _files(
            "all-MiniLM-L6-v2",
            (22_972_370, "afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1"),
            (711_661, "da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0"),
        ),
        "mean",
    ),
)
MODELS = {it.name: it for it in _ALL}
