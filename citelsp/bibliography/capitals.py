"""Capitals that a bibliography style must not make small: acronyms, names, formulas."""

import re

_WORD = re.compile(r"(?:[^\s{}$\\]|(?<=\w)\\[&%#_](?=\w))+")
_CORE = re.compile(r"\w(?:[\w'’+#&./\\-]*\w)?[+#]*")
_ENDS = (":", "?", "!", ".", "–", "—")
_NAMES = frozenset(
    """
    Abelian Achilles Africa African America American Arabic Asia Asian Australia Banach Bayes Bayesian Bellman
    Bernoulli Boltzmann Boolean Brazil Britain British Brownian Byzantine Cantor Cauchy China Chinese Cox Darwin
    Dirichlet Earth Einstein English Erdős Euclid Euclidean Euler Europe European Fermat Fermi Feynman Fisher
    Fourier France French Galois Gauss Gaussian German Germany Gibbs Gödel Greek Green Hamilton Hamiltonian Hawkes
    Heisenberg Hermitian Hessian Hilbert Hopfield Huffman India Indian Italian Italy Jacobian Japan Japanese
    Kalman Kolmogorov Korea Korean Kullback Lagrange Lagrangian Langevin Laplace Laplacian Latin Lebesgue Leibler
    Levenshtein Lie Lipschitz London Lyapunov Markov Markovian Mars Maxwell Mexico Milky Minkowski Monte Carlo
    Nash Newton Newtonian Nyström Pareto Parkinson Alzheimer Pauli Poisson Python Riemann Riemannian Russia
    Russian Schrödinger Shannon Shapley Spanish Stein Tikhonov Turing Twitter Vapnik Viterbi Wasserstein Weibull
    Wiener Wikipedia Zipf
    """.split()
)


def protected(title: str) -> str:
    """A title, already escaped, with braces around the words whose capitals carry meaning.

    If most words begin small, every other capital is a name's; if most begin with a capital, only acronyms and
    known names are.
    """
    words = [match[0] for match in _WORD.finditer(title) if match[0][0].isalpha()]
    # Short words are small in either manner, and the first one is always large: neither tells which it is.
    telling = [word for word in words[1:] if len(word) > 3]
    is_sentence = sum(word[0].islower() for word in telling) * 2 > len(telling)
    has_groups = "{" in title or "$" in title
    begins = True  # whether a word is the first of the title or of a part of it
    parts: list[str] = []
    end = 0
    for match in _WORD.finditer(title):
        is_command = title[match.start() - 1 : match.start()] == "\\"
        core = None if is_command or match[0].islower() else _CORE.search(match[0])
        is_protected = has_groups and _is_protected(title, match.start())
        if core and not is_protected and _matters(core[0], begins=begins, sentence=is_sentence):
            start = match.start() + core.start()
            stop = match.start() + core.end()
            parts += [title[end:start], "{", title[start:stop], "}"]
            end = stop
        begins = match[0].endswith(_ENDS)
    return "".join([*parts, title[end:]])


def _is_protected(title: str, offset: int) -> bool:
    before = title[:offset]
    return before.count("{") > before.count("}") or before.count("$") - before.count("\\$") & 1 == 1


def _matters(word: str, *, begins: bool, sentence: bool) -> bool:
    """Whether a word's capitals carry meaning.

    `begins`: it is the first of a title or subtitle; `sentence`: the title is written as a sentence, mostly small.
    """
    if word.islower():  # as most are
        return False
    is_name_in_sentence = sentence and not begins and word[0].isupper()
    if word.isalpha() and word[1:].islower():  # as most others are
        return word in _NAMES or is_name_in_sentence
    pieces = [piece for piece in re.split(r"[-–/'’]", word) if piece]
    if any(piece in _NAMES or _has_odd_capital(piece) or _is_numbered(piece) for piece in pieces):
        return True
    # `X-Ray`: a letter alone is a symbol.
    if len(pieces) > 1 and not begins and any(len(piece) == 1 and piece.isupper() for piece in pieces):
        return True
    # At the beginning `A` and `I` are words; anywhere else, and any other letter, is a symbol.
    if len(word) == 1:
        return word.isupper() and not (begins and word in "AI")
    return is_name_in_sentence


def _has_odd_capital(piece: str) -> bool:
    """A capital behind the first letter, as in `BERT` and `iPhone`."""
    behind = piece[1:]
    return re.search(r"[^\W\d_]", behind) is not None and not behind.islower() and behind != behind.lower()


def _is_numbered(piece: str) -> bool:
    """`H2`, `Covid19`"""
    return len(piece) > 1 and piece[0].isupper() and any(map(str.isdigit, piece))
