"""Citations as people type them, by seed: pieces of keys, words for a claim, slips of the finger."""

import random
from dataclasses import dataclass

LATEX = (
    (r"\cite{%s", "}"),
    (r"\cite<%w", ">"),
    (r"\parencite{vaswani2017attention, %s", "}"),
    (r"\cite{?%w", "}"),
    (r"\citep[see][p. 3]{%s", "}"),
    (r"\citep<%w", ">"),
    (r"\textcite*{%s", ", devlin2019bert}"),
    (r"\autocites[1]{he2016deep}{%s", "}"),
)
MARKDOWN = (
    ("[@%s", "]"),
    ("[@<%w", ">]"),
    ("[see @%s", ", p. 3; @devlin2019bert]"),
    ("[@?%w", "]"),
    ("[-@he2016deep; @%s", "]"),
    ("@%s", " [p. 3]"),
)
PROSE = ("See ", "As the café owners’ survey 😀 shows ", "", "It is known ($a < b$) that ", "Models, by contrast, ")
ENDINGS = ("", ".", " and more.", ", e.g. {so}", " — see also @nobody.")
CLAIMS = (
    "reciprocal rank fusion", "dense retrieval", "attention is all you need", "glacier calving rates", "a",
    "latent imagination dream", "bidirectional encoder", "calibration of neural networks", "überfitting", "R$^2$ {x}",
    "reasoning and acting", "fabricated references", "what the  two spaces say", "pre-training, fine-tuning", "",
)  # fmt: skip
LETTERS = "abcdefghijklmnopqrstuvwxyz"
BACKSPACE = "\x7f"


@dataclass(frozen=True)
class Typing:
    """`before`, then perhaps an item is chosen, then `after`."""

    before: str
    after: str
    chooses: int  # which item is accepted, from 1; 0: none


def typing(seed: int, language: str, keys: list[str]) -> Typing:
    chance = random.Random(f"{seed}: {language}")  # noqa: S311
    key = chance.choice(keys)
    piece = chance.choice((key, key[: chance.randint(1, len(key))], key[:3], key.strip("0123456789")[-5:], "", "zzz"))
    forms = LATEX if language == "latex" else MARKDOWN
    opening, closing = forms[seed // 2 % len(forms)]
    opening = opening.replace("%s", piece).replace("%w", chance.choice(CLAIMS))
    before, after = chance.choice(PROSE) + opening, closing + chance.choice(ENDINGS)
    return Typing(before, after, chance.choice((0, 0, 0, 1, 2, 9)))


def strokes(text: str, seed: int) -> list[str]:
    """The keys of a text one by one, some mistyped and taken back."""
    chance = random.Random(f"{text} {seed}")  # noqa: S311
    keys = []
    for letter in text:
        if letter.isalpha() and chance.random() < 0.04:
            keys += [chance.choice(LETTERS), BACKSPACE]
        keys.append(letter)
    return keys
