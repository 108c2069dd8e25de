"""A model of a few words, as real ones are written: an ONNX file and a tokenizer.

Each topic is a set of words with a direction of its own; all other words go in one direction together.
"""

import json
import struct

_INT64, _FLOAT = 7, 1


def write_model(folder, *topics, inputs=("input_ids", "attention_mask", "token_type_ids")):
    """Write a model that knows these topics into a folder, and return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    words = ["[PAD]", "[UNK]", *(word for topic in topics for word in sorted(topic))]
    rows = [_row(topics, word) for word in words]
    (folder / "model.onnx").write_bytes(_model(rows, inputs))
    (folder / "tokenizer.json").write_text(json.dumps(_tokenizer(words)), encoding="utf-8")
    return folder


def write_cross_encoder(folder, *words):
    """Write a model that scores a pair of texts by how often it holds these words, and return the folder."""
    write_model(folder, set(words))
    known = ["[PAD]", "[UNK]", *sorted(words)]
    table = b"".join(struct.pack("<f", float(it in words)) for it in known)
    tensor = _number(1, len(known)) + _number(1, 1) + _number(2, _FLOAT) + _text(8, "words") + _part(9, table)
    axis = _number(1, 1) + _number(2, _INT64) + _text(8, "axis") + _part(9, struct.pack("<q", 1))
    looked_up = _text(1, "words") + _text(1, "input_ids") + _text(2, "each") + _text(4, "Gather")
    # Summed over the tokens, which leaves one number for each pair.
    keeps_none = _text(1, "keepdims") + _number(3, 0) + _number(20, 2)
    summed = _text(1, "each") + _text(1, "axis") + _text(2, "logits") + _text(4, "ReduceSum") + _part(5, keeps_none)
    graph = (
        _part(1, looked_up)
        + _part(1, summed)
        + _text(2, "tiny")
        + _part(5, tensor)
        + _part(5, axis)
        + b"".join(_part(11, _value(it, _INT64, ("texts", "tokens"))) for it in ("input_ids", "attention_mask"))
        + _part(12, _value("logits", _FLOAT, ("texts", 1)))
    )
    whole = _number(1, 8) + _part(7, graph) + _part(8, _text(1, "") + _number(2, 13))
    (folder / "model.onnx").write_bytes(whole)
    return folder


def _row(topics, word):
    return [float(word in topic) for topic in topics] + [0.0 if word == "[PAD]" else 0.1]


def _tokenizer(words):
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": None,
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": {word: at for at, word in enumerate(words)}, "unk_token": "[UNK]"},
    }


def _model(rows, inputs):
    """ONNX is protobuf: fields by number; written out here, as the package onnx is large."""
    table = b"".join(struct.pack(f"<{len(it)}f", *it) for it in rows)
    sizes = _number(1, len(rows)) + _number(1, len(rows[0]))
    node = _text(1, "words") + _text(1, "input_ids") + _text(2, "last_hidden_state") + _text(4, "Gather")
    graph = (
        _part(1, node)
        + _text(2, "tiny")
        + _part(5, sizes + _number(2, _FLOAT) + _text(8, "words") + _part(9, table))
        + b"".join(_part(11, _value(it, _INT64, ("texts", "tokens"))) for it in inputs)
        + _part(12, _value("last_hidden_state", _FLOAT, ("texts", "tokens", len(rows[0]))))
    )
    return _number(1, 8) + _part(7, graph) + _part(8, _text(1, "") + _number(2, 13))


def _value(name, kind, shape):
    sizes = b"".join(_part(1, _number(1, it) if isinstance(it, int) else _text(2, it)) for it in shape)
    return _text(1, name) + _part(2, _part(1, _number(1, kind) + _part(2, sizes)))


def _number(field, value):
    return _varint(field << 3) + _varint(value)


def _part(field, data):
    return _varint(field << 3 | 2) + _varint(len(data)) + data


def _text(field, text):
    return _part(field, text.encode())


def _varint(value):
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes([*found, value])
