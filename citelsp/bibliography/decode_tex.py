r"""TeX markup in bibliography fields to Unicode: accents, letters, dashes, quotes, fonts, simple mathematics.

`encode_tex.py` is for writing.  Nothing is expanded: a macro that is not known vanishes and its argument stays; one in
capitals, without arguments, is read as its name.
"""

import re
import unicodedata

from citelsp.base.footprint import MB, remember

COMBINING = dict(
    zip(
        "'`^\"~=.Hckvurdb",
        "\u0301\u0300\u0302\u0308\u0303\u0304\u0307\u030b\u0327\u0328\u030c\u0306\u030a\u0323\u0331",
        strict=True,
    )
)
LETTERS = dict(
    pair.split(":")
    for pair in """ss:ß ae:æ AE:Æ oe:œ OE:Œ aa:å AA:Å o:ø O:Ø l:ł L:Ł i:ı j:ȷ dh:ð DH:Ð th:þ TH:Þ dj:đ DJ:Đ ng:ŋ NG:Ŋ
    SS:ẞ""".split()
)
SYMBOLS = dict(
    pair.split(":")
    for pair in r"""textendash:– textemdash:— textquoteright:’ textquoteleft:‘ textquotedblleft:“ textquotedblright:”
    textquotesingle:' textasciitilde:~ textasciicircum:^ textbackslash:\ textunderscore:_ textbraceleft:{
    textbraceright:} textless:< textgreater:> textbar:| textdollar:$ ldots:… dots:… textellipsis:… slash:/ S:§ P:¶
    pounds:£ texteuro:€ euro:€ copyright:© textregistered:® texttrademark:™ textdegree:° times:× cdot:· pm:± leq:≤ le:≤
    geq:≥ ge:≥ neq:≠ infty:∞ ell:ℓ to:→ rightarrow:→ leftarrow:← in:∈ subset:⊂ cup:∪ cap:∩ sim:∼ approx:≈ sqrt:√ sum:∑
    int:∫ partial:∂ nabla:∇ prime:′ circ:° varepsilon:ε varphi:φ vartheta:ϑ hbar:ℏ star:⋆ ast:∗ TeX:TeX LaTeX:LaTeX
    BibTeX:BibTeX textsuperscript:^ textsubscript:_ guillemotleft:« guillemotright:»""".split()
)
_SPACES = frozenset({"quad", "qquad", "newline", "space", "par"})
TEXT_MACROS = frozenset(
    """emph textit textbf textsc textrm textsf texttt textsl textup textmd textnormal text mbox hbox url path uppercase
    lowercase mathrm mathbf mathit mathsf mathtt mathcal mathbb mathfrak mathscr operatorname bf it em sc rm sf tt sl
    bfseries itshape scshape rmfamily sffamily ttfamily normalfont upshape mdseries relax protect left right big Big
    ensuremath noopsort displaystyle small footnotesize bibinfo natexlab enquote""".split()
)
_GREEK = """
    alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon
    phi chi psi omega"""
_GREEK_NAMES = frozenset([*_GREEK.split(), *_GREEK.title().split()])

_TOKEN = re.compile(
    r"""\\(?P<accent>['`^"~=.])\s*(?:\{\s*+(?:(?P<a1>\\[ij]\b|[^\W\d_])\s*+)?\}|(?P<a2>\\[ij](?![A-Za-z])\s?|[^\W\d_]))
    |\\(?P<mark>[Hckvurdb])(?:\s*\{\s*+(?:(?P<m1>\\[ij]\b|[^\W\d_])\s*+)?\}|\s+(?P<m2>\\[ij](?![A-Za-z])|[^\W\d_]))
    |\\t\{(?P<tie>\w\w)\}
    |\\href\s*\{[^{}]*\}
    |\\(?P<gap>(?:[hvmk]?kern|[hv]skip)\s*-?[\d.]+\s?[a-z]{2}|[hv]space\*?\s*\{[^{}]*\}|rule\s*(?:\[[^][{}]*\]\s*)?\{[^{}]*\}\s*\{[^{}]*\})
    |\\(?P<macro>[A-Za-z]+)\*?[ \t\r\n]*(?P<empty>\{\})?
    |\\(?P<sign>[&%$\#_{}])
    |\\(?P<space>[\s,;:\\~])|\\[^A-Za-z]?
    |(?P<dash>-{2,3})(?!-)
    |(?P<quotes>``|'')
    |(?P<drop>[{}$])
    |(?P<tilde>~)""",
    re.VERBOSE,
)
_STACKED = re.compile(r"(\\[~^'`\"=.Hckvurdb]\s*)\{\{?(\\[~^'`\"=.][A-Za-z]|\\[Hckvurdb]\{[A-Za-z]\})\}?\}")
# What a publisher's export writes for both modes, `\ifmmode \acute{c}\else \'{c}\fi{}`: fields are set as text.
_BOTH_MODES = re.compile(
    r"\\ifmmode\b(?>(?:[^\\]|\\(?!(?:else|fi|ifmmode)\b))*)\\else\b\s*+"
    r"(?P<as_text>(?>(?:[^\\]|\\(?!(?:fi|ifmmode)\b))*))\\fi\b\s*+"
)
_COMMAND_OF_AUTHOR = re.compile(r"(?=(?:.*[A-Z]){2}).{4,}")  # the author's own, called by what it prints: `\POWHEG`
_NOT_PLAIN = re.compile(r"[\\{}$~`]|--|''")  # what has to be decoded


def decode(text: str) -> str:
    r"""Return the Unicode text that TeX would set: `{\"o}` → ö, `--` → –, `~` → space; no braces, no `$`.

    White space is single, and none stands at the ends.
    """
    # Most texts have no more than braces, which need not be read.
    without_braces = text.replace("{", "").replace("}", "") if "\\" not in text else text
    if not _NOT_PLAIN.search(without_braces):
        return " ".join(without_braces.split())
    if "\\" in text:
        text = _BOTH_MODES.sub(r"\g<as_text>", text)
        # Vietnamese has two accents a letter, `\'{\^e}`: the inner one first.
        text = _STACKED.sub(lambda stacked: f"{stacked[1]}{{{decode(stacked[2])}}}", text)
    return " ".join(unicodedata.normalize("NFC", _TOKEN.sub(_decoded, text)).split())


def _decoded(match: re.Match[str]) -> str:
    r"""Return the text that a token of TeX stands for: `\"o` → ö, `--` → –; "" for braces, `$` and what prints nothing.

    Accents and macros are asked for first: groups for their letters or braces match after them, so `lastgroup` does not
    name them.
    """
    kind = match.lastgroup
    if match["accent"]:  # `\"{o}` or `\"o`: the letter is in one of two groups
        return _accented(match["accent"], match["a1"] or match["a2"] or "")
    if match["mark"]:  # `\v{c}` or `\v c`
        return _accented(match["mark"], match["m1"] or match["m2"] or "")
    if match["macro"]:
        return _macro(match)
    if kind == "dash":
        return "–" if match["dash"] == "--" else "—"
    if kind == "quotes":
        return "“" if match["quotes"] == "``" else "”"
    if kind in ("tilde", "space", "gap"):
        return " "
    if kind in ("sign", "tie"):
        return match[kind]
    return ""


def _accented(sign: str, letter: str) -> str:
    r"""A letter with the accent of a sign; `\i` and `\j`, without their dot, get it as others do."""
    letter = {"\\i": "i", "\\j": "j"}.get(letter.strip(), letter)
    return letter + COMBINING[sign] if letter else ""


def _macro(match: re.Match[str]) -> str:
    r"""Return the text that a command stands for: `\oe` → `œ`, `\alpha ` → `α `, `\BibTeX` → `BibTeX`.

    An unknown one with two capitals, without an argument, is read as its name: `\POWHEG`.  Any other unknown one has no
    text, and its argument stays behind it.  White space behind a command stays as one space, though TeX takes it:
    without it two words would run together.
    """
    name = match["macro"]
    if name in LETTERS:
        return LETTERS[name]
    if name in TEXT_MACROS:
        return ""
    if name in _SPACES:
        return " "
    text = SYMBOLS.get(name) or find_greek(name) or _looked_up(name)
    if not text:
        has_argument = not match["empty"] and match.string.startswith(("{", "["), match.end())
        text = name if _COMMAND_OF_AUTHOR.fullmatch(name) and not has_argument else ""
    ends_with_space = match[0][-1:].isspace()
    return f"{text} " if ends_with_space else text


def find_greek(name: str) -> str:
    if name not in _GREEK_NAMES:
        return ""
    size = "SMALL" if name.islower() else "CAPITAL"
    return unicodedata.lookup(f"GREEK {size} LETTER {'LAMDA' if name.lower() == 'lambda' else name.upper()}")


def has_own_command(text: str) -> bool:
    """True if a command stands in it that neither TeX nor a package defines, as far as is known here."""
    macros = {token["macro"] for token in _TOKEN.finditer(text) if token["macro"]}
    return any(map(_is_own, macros))


@remember(MB // 16)
def _is_own(name: str) -> bool:
    if name in LETTERS or name in TEXT_MACROS or name in _SPACES or name in SYMBOLS or find_greek(name):
        return False
    from pylatexenc.latex2text import get_default_latex_context_db

    return get_default_latex_context_db().get_macro_spec(name) is None


@remember(MB)
def _looked_up(name: str) -> str:
    """Return the character that pylatexenc has for a macro; "" if it has none, or would need the macro's arguments."""
    from pylatexenc.latex2text import get_default_latex_context_db

    # Only looked up: run by pylatexenc, \input and others would raise or read files.
    macro = get_default_latex_context_db().get_macro_spec(name)
    if not macro or not isinstance(macro.simplify_repl, str):
        return ""
    replacement: str = macro.simplify_repl.strip()
    is_form = "%" in replacement  # to be filled with the argument
    return "" if is_form or len(replacement) > 3 else replacement
