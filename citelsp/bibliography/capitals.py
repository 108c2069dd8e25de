"""Capitals that a bibliography style must not make small: acronyms, names, formulas."""

import re
from collections.abc import Iterator

# A word with what stands at it, `(AT\&T)`.
_WORD = re.compile(r"(?:[^\s{}$\\]|(?<=\w)\\[&%#_](?=\w))+")
# `C++`, `e-Science` without the brackets or commas around them.
_BARE_WORD = re.compile(r"\w(?:[\w'’+#&./\\-]*\w)?[+#]*")
_ENDS_OF_PARTS = (":", "?", "!", ".", "–", "—")
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


def protect_capitals(title: str) -> str:
    """Put braces around the words of a title whose capitals carry meaning: `{BERT} for {iPhone} Users`.

    The title is TeX already.  If most words begin small, any capital carries meaning but the first one of the title or
    of a part; if most begin with a capital, only those of acronyms, symbols and known names do.  What stands in braces
    or in mathematics is left as it is.
    """
    is_sentence = _is_in_sentence_case(title)
    has_groups = "{" in title or "$" in title  # without any there is nothing to count at each word
    parts: list[str] = []
    copied = 0  # the title up to here is in `parts`
    for word, begins in _words_of(title):
        bare = _BARE_WORD.search(word[0])  # without punctuation around it
        if bare is None or not _has_capitals_that_count(bare[0], begins=begins, sentence=is_sentence):
            continue
        is_command = title[word.start() - 1 : word.start()] == "\\"
        is_protected = has_groups and _is_protected(title, word.start())
        if is_command or is_protected:
            continue
        start = word.start() + bare.start()
        end = word.start() + bare.end()
        parts += [title[copied:start], "{", title[start:end], "}"]
        copied = end
    return "".join([*parts, title[copied:]])


def _is_in_sentence_case(title: str) -> bool:
    """True if most of its words begin small, False if most begin with a capital, as in Title Case."""
    words = [match[0] for match in _WORD.finditer(title) if match[0][0].isalpha()]
    # Short words are small in either manner, and the first one is always large: neither tells which it is.
    telling = [word for word in words[1:] if len(word) > 3]
    return sum(word[0].islower() for word in telling) * 2 > len(telling)


def _words_of(title: str) -> Iterator[tuple[re.Match[str], bool]]:
    """Yield each word with its punctuation, and whether it is the first of the title or of a part, as a subtitle is."""
    begins = True
    for word in _WORD.finditer(title):
        yield word, begins
        begins = word[0].endswith(_ENDS_OF_PARTS)


def _is_protected(title: str, offset: int) -> bool:
    """True if the offset stands within braces, which protect already, or in mathematics."""
    before = title[:offset]
    is_in_braces = before.count("{") > before.count("}")
    dollars = before.count("$") - before.count("\\$")
    return is_in_braces or dollars % 2 == 1


def _has_capitals_that_count(word: str, *, begins: bool, sentence: bool) -> bool:
    """True if a word's capitals carry meaning, as those of acronyms, formulas and names do.

    `begins`: it is the first word of a title or subtitle, where any word has a capital; `sentence`: the title is
    written as a sentence, mostly in small letters, so that a capital elsewhere is a name's.
    """
    if word.islower():  # as most are
        return False
    is_name_in_sentence = sentence and not begins and word[0].isupper()
    if word.isalpha() and word[1:].islower():  # as most others are
        return word in _NAMES or is_name_in_sentence
    pieces = [piece for piece in re.split(r"[-–/'’]", word) if piece]
    if any(piece in _NAMES or _has_odd_capital(piece) or _is_numbered(piece) for piece in pieces):
        return True
    # `X-Ray`: a letter alone is a symbol, except at the beginning, where any word has a capital.
    has_symbol = len(pieces) > 1 and any(len(piece) == 1 and piece.isupper() for piece in pieces)
    if has_symbol and not begins:
        return True
    # At the beginning `A` and `I` are words; anywhere else, and any other letter, is a symbol.
    if len(word) == 1:
        is_word = begins and word in "AI"
        return word.isupper() and not is_word
    return is_name_in_sentence


def _has_odd_capital(piece: str) -> bool:
    """True for a capital behind the first letter, as in `BERT` and `iPhone`."""
    behind = piece[1:]
    has_letter = re.search(r"[^\W\d_]", behind) is not None
    return has_letter and behind != behind.lower()


def _is_numbered(piece: str) -> bool:
    """`H2`, `Covid19`"""
    return len(piece) > 1 and piece[0].isupper() and any(map(str.isdigit, piece))
