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
    words = [it[0] for it in _WORD.finditer(title) if it[0][0].isalpha()]
    # Short words are small in either manner, and the first one is always large: neither tells which it is.
    long = [it for it in words[1:] if len(it) > 3]
    sentence = sum(it[0].islower() for it in long) * 2 > len(long)
    begins = True
    parts, end = [], 0
    has_groups = "{" in title or "$" in title
    for match in _WORD.finditer(title):
        is_text = title[match.start() - 1 : match.start()] != "\\"
        core = _CORE.search(match[0]) if is_text and not match[0].islower() else None
        inside = has_groups and _is_protected(title, match.start())
        if core and not inside and _matters(core[0], begins=begins, sentence=sentence):
            start, stop = match.start() + core.start(), match.start() + core.end()
            parts += [title[end:start], "{", title[start:stop], "}"]
            end = stop
        begins = match[0].endswith(_ENDS)
    return "".join([*parts, title[end:]])


def _is_protected(title: str, offset: int) -> bool:
    before = title[:offset]
    return before.count("{") > before.count("}") or before.count("$") - before.count("\\$") & 1 == 1


def _matters(word: str, *, begins: bool, sentence: bool) -> bool:
    if word.islower():  # as most are
        return False
    if word.isalpha() and word[1:].islower():  # as most others are
        return word in _NAMES or (sentence and not begins and word[0].isupper())
    pieces = [it for it in re.split(r"[-–/'’]", word) if it]
    if any(re.search(r"[^\W\d_]", it[1:]) and not it[1:].islower() and it[1:] != it[1:].lower() for it in pieces):
        return True
    if any(len(it) > 1 and it[0].isupper() and any(sign.isdigit() for sign in it) for it in pieces):
        return True
    if any(it in _NAMES or (len(it) == 1 < len(pieces) and it.isupper() and not begins) for it in pieces):
        return True
    # At the beginning `A` and `I` are words; anywhere else, and any other letter, is a symbol.
    if len(word) == 1:
        return word.isupper() and not (begins and word in "AI")
    return sentence and not begins and word[0].isupper()
