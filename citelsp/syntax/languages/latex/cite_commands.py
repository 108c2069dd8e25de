"""The LaTeX commands that matter to citations, and one pattern that finds them all.

Names follow LaTeX, natbib, biblatex, apacite, jurabib, harvard, chicago, multibib, bibentry, csquotes, amsrefs and the
packages that read further files.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from citelsp.base import bounds


@dataclass(frozen=True, slots=True)
class CiteShape:
    """How the arguments of a cite command lie."""

    before: int = 0  # arguments in braces before the keys: the volume of \\volcite, the language of \\foreigntextcquote
    repeats: bool = False  # \\parencites[1]{a}[2]{b}
    narrative: bool = False  # the authors' names stand in the sentence: \\textcite
    opens: bool = False  # makes a key that no bibliography holds

    @property
    def plain(self) -> bool:
        r"""True for `\cite[…][…]{keys}`."""
        return self.before == 0 and not self.repeats


_LIKE_CITE = CiteShape()
_NARRATIVE = CiteShape(narrative=True)

_CITES = """
    cite nocite Cite footcite footcitetext parencite supercite autocite smartcite fullcite footfullcite
    citetitle citedate citeurl notecite pnotecite fnotecite Notecite Pnotecite citefield citename citelist
    Parencite Autocite Smartcite Footcite Footcitetext entrydata entryset fullcitebib parencitetitle ssmartcite
    citep citealp citealt citenum citeyear citeyearpar citetalias citepalias citepos citeposs defcitealias
    Citep Citealp Citealt Citetalias Citepalias
    citeNP citeyearNP citeauthorNP fullciteauthorNP shortciteauthorNP shortcite fullciteNP shortciteNP nocitemeta
    maskcite maskciteNP maskciteyear maskciteyearNP maskfullcite maskshortcite maskfullciteNP maskshortciteNP masknocite
    maskcitealt maskcitealp maskcitep maskcitenum maskcitetalias maskcitepalias maskciteyearpar
    citen onlinecite newcite citeaffixed citeonline citeapud footciteapud citeauthoryear
    citetitleonly citefullfirst citeswithoutentry footcitet footcitetitle nextcite fullcitation bibentry inlinecite
    shortcites mcite pagecite headlesscite headlessfullcite shortrefcite
    citelabel citeyearonly citeyearnp citeonlinealt supercitep citesuper textsupercite bracketcite plaincite
    sidecite sideparencite sidefullcite sideautocite sidesupercite margincite marginparcite marginfullcite sidenotecite
    textcquote blockcquote
""".split()
_NARRATIVES = """
    citet citeauthor citefullauthor Citet Citeauthor Citefullauthor textcite Textcite citeA citeN citeauthorA fullciteA
    shortciteA fullciteauthor shortciteauthor citeasnoun possessivecite maskciteA maskfullciteA maskshortciteA
    maskcitet maskciteauthor maskfullciteauthor maskshortciteauthor posscite posscitet Posscitet citeauthorfull
    citeauthoronline textcitealt sidetextcite sidecitet margintextcite
""".split()
_MULTICITES = """
    cites Cites parencites Parencites footcites Footcites footcitetexts Footcitetexts smartcites Smartcites supercites
    apud autocites Autocites fullcites footfullcites citetitles citeauthors citeyears
""".split()
CITE_ENVIRONMENTS = ("displaycquote", "foreigndisplaycquote", "hyphendisplaycquote")
_VOLUMES = tuple("vol pvol fvol ftvol svol avol Vol Pvol Fvol Ftvol Svol Avol".split())
_NARRATIVE_VOLUMES = ("tvol", "Tvol")
_LANGUAGE_QUOTES = "foreigntextcquote hyphentextcquote foreignblockcquote hyphenblockcquote hybridblockcquote".split()

CITES: dict[str, CiteShape] = {
    **dict.fromkeys((*_CITES, "displaycquote"), _LIKE_CITE),
    **dict.fromkeys(_NARRATIVES, _NARRATIVE),
    **dict.fromkeys(_MULTICITES, CiteShape(repeats=True)),
    **dict.fromkeys(("textcites", "Textcites"), CiteShape(repeats=True, narrative=True)),
    **dict.fromkeys((f"{it}cite" for it in _VOLUMES), CiteShape(before=1)),
    **dict.fromkeys((f"{it}cites" for it in _VOLUMES), CiteShape(before=1, repeats=True)),
    **dict.fromkeys((f"{it}cite" for it in _NARRATIVE_VOLUMES), CiteShape(before=1, narrative=True)),
    **dict.fromkeys((f"{it}cites" for it in _NARRATIVE_VOLUMES), CiteShape(before=1, repeats=True, narrative=True)),
    **dict.fromkeys((*_LANGUAGE_QUOTES, *CITE_ENVIRONMENTS[1:], "addtocategory"), CiteShape(before=1)),
    "defbibentryset": CiteShape(before=1, opens=True),
}

PARTS = frozenset(
    "input include subfile subfileinclude includestandalone InputIfFileExists markdownInput loadglsentries".split()
)
IMPORTS = frozenset("import subimport inputfrom includefrom subinputfrom subincludefrom".split())
BIBLIOGRAPHIES = frozenset(
    "bibliography nobibliography addbibresource addglobalbib addsectionbib bibliographyprimary".split()
)
PACKAGES = {
    "usepackage": ".sty", "RequirePackage": ".sty", "RequirePackageWithOptions": ".sty",
    "documentclass": ".cls", "LoadClass": ".cls", "LoadClassWithOptions": ".cls",
}  # fmt: skip
_FILES = frozenset({*PARTS, *IMPORTS, *PACKAGES, *BIBLIOGRAPHIES})
SECTIONS = {
    "part": 0, "chapter": 1, "section": 2, "subsection": 3, "subsubsection": 4, "paragraph": 5, "subparagraph": 6,
}  # fmt: skip
INLINE_VERBATIM = frozenset("verb Verb lstinline mintinline mint spverb".split())
VERBATIM_ENVIRONMENTS = frozenset(
    """verbatim Verbatim BVerbatim LVerbatim SaveVerbatim VerbatimOut spverbatim lstlisting minted tcblisting
    filecontents
    comment Highlighting ltxexample ltxcode rawhtml htmlonly luacode pycode pyblock pyverbatim sagesilent sageblock asy
    verbatimtab verbatimwrite""".split()
)
TITLES = frozenset("title icmltitle Title".split())
DEFINERS = tuple(
    """newcommand renewcommand providecommand newrobustcmd DeclareRobustCommand NewDocumentCommand
    RenewDocumentCommand DeclareCiteCommand DeclareMultiCiteCommand def let""".split()
)
ACRONYMS_OF_PROPERTIES = frozenset({"newglossaryentry", "longnewglossaryentry", "DeclareAcronym"})
NAMED_ACRONYMS = frozenset({"newacronym", "newabbreviation"})  # {key}{name}{words}
ACRONYMS = frozenset({*ACRONYMS_OF_PROPERTIES, *NAMED_ACRONYMS, "acro", "acrodef", "newacro"})  # {key}[name]{words}
_NAMING = "=bibliography"  # behind the name of an own command that hands its argument on to \\bibliography
TELLING = frozenset({"bibliographystyle", "printbibliography"})  # whether BibTeX or biblatex is in use
_OTHERS = frozenset(
    """PassOptionsToPackage putbib newrefsection bibitem bib date documentclass documentstyle endinput
    iffalse iftrue if0 if1 newcites lstnewenvironment DefineVerbatimEnvironment newverbatim newtcblisting newminted
    MakeShortVerb DefineShortVerb lstMakeShortInline""".split()
)
# A definition up to the name that it gives: `\newcommand{`, `\def`, `\let\old=`.
_BEGUN_DEFINITION = re.compile(
    r"\\(?:(?:re|provide|new|Declare|New|Renew|Provide)[a-zA-Z]*(?:[cC]ommand|cmd)|[egx]?def|let)\s*+(?:\*\s*+)?"
    r"(?:\{\s*+|\\[a-zA-Z@]++\s*+(?:=\s*+)?)?\Z"
)
_LONGEST_DEFINITION = 80  # characters, which hold any up to the name that it gives


def shape_of(name: str) -> CiteShape:
    """The shape of a command in the table; a user's own command takes its arguments like \\cite, or \\cites."""
    # Own multicite commands are named as biblatex names its own: \seecites[1]{a}[2]{b}.
    known = CITES.get(name)
    return known or CiteShape(repeats=name.endswith("cites"))


def is_being_defined(text: str, offset: int) -> bool:
    r"""True if a definition names the command at `offset`: `\newcommand{\cite}`, `\def\cite`, `\let\old\cite`."""
    before = text[offset - 1 : offset]
    may_follow_definition = before.isalpha() or before in ("*", "=", " ", "{")  # seen at once, unlike the pattern
    if not may_follow_definition:
        return False
    return _BEGUN_DEFINITION.search(text, max(offset - _LONGEST_DEFINITION, 0), offset) is not None


@lru_cache(maxsize=32)
def pattern(cite_commands: tuple[str, ...] = (), verbatim: tuple[str, ...] = ()) -> re.Pattern[str]:
    r"""Make the pattern that finds every command of interest.

    It has the group `name` of a command, `env` of `\begin{env}`, or `close` of `\end{close}`.

    `cite_commands` are the author's own commands, `verbatim` the environments that the document defines as verbatim.
    """
    known = {*CITES, *_FILES, *SECTIONS, *INLINE_VERBATIM, *TITLES, *DEFINERS, *ACRONYMS, *TELLING, *_OTHERS}
    own = {bare(command) for command in cite_commands} - {""}
    names = _alternatives(known | own)
    environments = _alternatives(VERBATIM_ENVIRONMENTS.union(CITE_ENVIRONMENTS, verbatim, {"refsection", "document"}))
    return re.compile(
        rf"\\(?:(?P<name>{names})(?![a-zA-Z@])|begin[ \t]*\{{(?P<env>{environments}\*?)\}}"
        r"|end[ \t]*\{(?P<close>document|thebibliography)\})"
    )


@lru_cache(maxsize=32)
def cite_pattern(cite_commands: tuple[str, ...] = ()) -> re.Pattern[str]:
    """Like `pattern`, for the cite commands alone: raw TeX inside Markdown."""
    own = {bare(it) for it in cite_commands if not names_bibliographies(it)}
    return re.compile(rf"\\(?P<name>{_alternatives({*CITES, *own} - {''})})(?![a-zA-Z@])")


def bare(name: str) -> str:
    """A command's name as settings may write it, without backslash and star, or as `naming_bibliographies` gave it."""
    return name.removesuffix(_NAMING).strip().removeprefix("\\").removesuffix("*")


def naming_bibliographies(name: str) -> str:
    r"""The name of an own command that is to be read as \bibliography among those that are read as \cite."""
    return name + _NAMING


def names_bibliographies(name: str) -> bool:
    """True for what `naming_bibliographies` gave."""
    return name.endswith(_NAMING)


def _alternatives(words: Iterable[str]) -> str:
    """A pattern for exactly these words, longest first, that reads every character once.

    A word of more letters than any command has is left out: each letter is a level of the pattern.
    """
    return _tree([word for word in words if len(word) <= bounds.LETTERS])


def _tree(words: Iterable[str]) -> str:
    """Write a pattern for these words as a tree of their letters: of `citep` and `citet` it is `cite(?:p|t)`.

    Python tries alternatives one by one, which is slow with hundreds of names at every backslash.
    """
    tails_by_letter: dict[str, list[str]] = {}
    for word in words:
        tails_by_letter.setdefault(word[:1], []).append(word[1:])
    ends_here = tails_by_letter.pop("", None) is not None  # one of the words is no longer than what leads here
    branches = [re.escape(letter) + _tree(tails) for letter, tails in sorted(tails_by_letter.items())]
    if not branches:
        return ""
    joined = branches[0] if len(branches) == 1 and not ends_here else f"(?:{'|'.join(branches)})"
    return f"{joined}?" if ends_here else joined
