r"""The markup of LaTeX, Markdown and Typst taken out of a text: what is left is prose.

A heading, a list's item, the beginning or end of an environment part paragraphs; displayed mathematics does not, as a
sentence goes on behind it.  Arguments that are no prose (of `\label`, `\bibliographystyle`) go with their commands.
"""

import re
import unicodedata
from functools import cache

PARAGRAPH = "\n\n"  # between two paragraphs of prose

_CALLED = r"\((?:[^()]|\([^()]*\))*\)"
_BRACED = r"\{(?:[^{}]|\{[^{}]*\})*\}"
_OPTION = r"\[[^\[\]]*\]"
_MATH = "equation|align|alignat|gather|multline|eqnarray|displaymath|math|flalign"
_SECTIONS = "part|chapter|section|subsection|subsubsection|paragraph|subparagraph"
_NOTES = "footnote|footnotetext|thanks|todo"  # they interrupt the sentence that they stand in
_WITHOUT_PROSE = (
    "label|(?!hyper|href)[a-zA-Z]*ref|footnotemark|bibliographystyle|bibliography|addbibresource|nocite|input|include|"
    "includegraphics|includesvg|subfile|import|usepackage|RequirePackage|documentclass|hspace|vspace|setlength|"
    "addtolength|setcounter|addtocounter|pagestyle|thispagestyle|pagenumbering|graphicspath|hypersetup|url|index|"
    "newcommand|renewcommand|providecommand|newenvironment|definecolor|color|font(?:encoding|family|series|shape|size)|usefont|selectlanguage|captionsetup|"
    "addcontentsline|markboth|markright|rule|tikzset|lstset"
)
_LAST_IS_PROSE = "href|textcolor|colorbox|scalebox|foreignlanguage"
_TEX = rf"""
    (?P<math>(?:\n[ \t]*)?(?:\\begin\{{(?P<name>(?:{_MATH})\*?)\}}.*?\\end\{{(?P=name)\}}
        |\\\[.*?\\\]|\$\$.*?\$\$)(?:[ \t]*\n(?![ \t]*\n))?)
    | (?P<tex_break>\\(?:begin|end)\s*\{{[^{{}}]*\}}(?:{_OPTION})?(?:{_BRACED})*|\\item(?![a-zA-Z])(?:{_OPTION})?
        |\\par(?![a-zA-Z])|\\(?:{_SECTIONS})\*?(?:{_OPTION})?{_BRACED}|\\caption(?:{_OPTION})?\{{)
    | (?P<void>\\(?:{_WITHOUT_PROSE})(?![a-zA-Z@])\*?(?:{_OPTION})*(?:{_BRACED})*
        |\\(?:{_NOTES})(?:{_OPTION})?{_BRACED}|\\(?:{_LAST_IS_PROSE}){_BRACED})
    | (?P<open_note>\\(?:{_NOTES})(?:{_OPTION})?\{{)
    | (?P<accent>\\(?P<mark>["'`^~=.])\s*(?:\{{\\?(?P<inner>[a-zA-Z])\}}|\\?(?P<letter>[a-zA-Z]))
        |\\(?P<hook>[uvHckr])\{{(?P<under>[a-zA-Z])\}})
    | \\(?P<escaped>[%&_\#])
    | (?P<command>\\[a-zA-Z@]+\*?(?:{_OPTION})?[ \t]?|\\\\(?:\*|{_OPTION})?|\\.)
    | (?P<group>[{{}}$])
    | (?P<quote>``|'')
    | (?P<tie>~)
"""
_COMMENT = (
    r"(?P<comment_line>^[ \t]*%[^\n]*(?:\n|\Z))"
    r"|(?P<comment>(?:(?<![\\\d])|(?<=(?<!\\)\\\\))%[^\n]*)|"  # not "5%", whoever wrote that
)
_MARKDOWN = r"""
    (?P<break>^[ \t]{0,3}\#{1,6}[ \t][^\n]*|^(?:---|\.\.\.|===+|:::[^\n]*)[ \t]*$
        |^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+|^\|[^\n]*\|[ \t]*$)
    | (?P<gone><!--.*?-->|^[ \t]*>[ \t]?|\[\^[^\]\n]+\]:?|\^\[[^\]]*\]
        |(?<=[\w\]"'”)])\{[.\#][^{}\n]*\}|</?[a-zA-Z][^<>\n]*>)
    | !?\[(?P<text>[^\[\]\n]*)\]\([^()\n]*\)
    | (?P<emphasis>`+|\*{1,3}|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)) |
"""
_ORG = r"""
    (?P<break>^\*+[ \t][^\n]*|^[ \t]*(?:[-+]|\d{1,9}[.)])[ \t]+|^[ \t]*\|[^\n]*\|[ \t]*$
        |^[ \t]*(?:-{5,}[ \t]*|\#\+[^\n]*)$)
    | (?P<gone>^[ \t]*\#(?:[ \t][^\n]*)?$|\[fn:[^\[\]\n:]*[\]:]|@@[^@\n]*@@|<<[^<>\n]*>>)
    | \[\[[^\[\]\n]*\]\[(?P<text>[^\[\]\n]*)\]\]
    | (?P<emphasis>(?<!\w)[*/_=~+](?=\S)|(?<=\S)[*/_=~+](?!\w)) |
"""
_TYPST = rf"""
    (?P<math>\$[^$]*\$)
    | (?P<break>^[ \t]*=+[ \t][^\n]*|^[ \t]*(?:[-+/]|\d{{1,9}}\.)[ \t]+
        |^[ \t]*\#(?:set|show|let|import|include|bibliography|outline|pagebreak)\b[^\n]*)
    | (?P<gone>(?<!:)//[^\n]*|/\*.*?\*/|<[\w:.\-]+>)
    | (?P<group>\#[\w.\-]+(?:{_CALLED})?(?=\[)|[\[\]])
    | (?P<command>\#[\w.\-]+(?:{_CALLED})?)
    | \\(?P<escaped>\S)
    | (?P<emphasis>[*_`]+)
    | (?P<tie>~)
"""
_FLAGS = re.VERBOSE | re.MULTILINE | re.DOTALL
_JOINT = r"\\n(?:\"\s*,\s*\")?"  # the end of a line in a notebook's cell
_NOTEBOOK = rf"""
    (?P<parted>(?:{_JOINT}){{2,}}|(?:{_JOINT}|^)(?:[ ]{{0,3}}\#{{1,6}}[ ](?:[^\n\\"]|\\[^n])*(?:{_JOINT})*
        |[ ]*(?:[-*+]|\d{{1,9}}[.)])[ ]+))
    | (?P<joint>{_JOINT}) |
"""
_PATTERNS = {
    "tex": _COMMENT + _TEX,
    "markdown": _MARKDOWN + _TEX,
    "org": _ORG + _TEX,
    "typst": _TYPST,
    "notebook": _NOTEBOOK + _MARKDOWN + _TEX,
}
_ACCENTS = {
    '"': "\u0308", "'": "\u0301", "`": "\u0300", "^": "\u0302", "~": "\u0303", "=": "\u0304", ".": "\u0307",
    "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328", "r": "\u030a",
}  # fmt: skip
_QUOTES = {"``": "“", "''": "”"}
_JOINING = (r"\-", r"\/", r"\@")
_PARTED = re.compile(r"\n\s*\n")


@cache
def pattern_of(kind: str) -> re.Pattern[str]:
    """Return the pattern of one kind of markup; each is compiled at its first use, as all would slow down the start."""
    return re.compile(_PATTERNS[kind], _FLAGS)


def take_prose(text: str, pattern: re.Pattern[str]) -> str:
    """Return the prose of a text, with single spaces and PARAGRAPH between paragraphs.

    PARAGRAPH also stands at an end of the text that is in no paragraph.  `pattern` finds the markup.
    """
    first, *others = [" ".join(part.split()) for part in _PARTED.split(pattern.sub(_replacement, text))]
    # An empty part in the middle is no paragraph; an empty one at an end says that none stands there.
    middle = filter(None, others[:-1])
    last = others[-1:]
    return PARAGRAPH.join([first, *middle, *last])


def _replacement(match: re.Match[str]) -> str:
    """Return the text that replaces a piece of markup; the group of the pattern that matched says which kind it is.

    That is the outer one (`lastgroup`) of groups that stand in each other, as `mark` does in `accent`.
    Kept are an escaped sign and the words of a link.  TeX's quotes become typographic ones, what parts paragraphs
    PARAGRAPH, an accent its letter, what only shapes text, and a comment of LaTeX, nothing; any other, such as
    mathematics or a footnote, a space.
    """
    match match.lastgroup:
        # `open_note` begins a footnote whose end is not in the text: its sentences are not those around it.
        case "tex_break" | "break" | "open_note" | "parted":
            return PARAGRAPH
        case "accent":
            mark = match["mark"] or match["hook"]
            letter = match["inner"] or match["letter"] or match["under"]
            return unicodedata.normalize("NFC", letter + _ACCENTS[mark])
        case "escaped" | "text" as name:
            return match[name]
        case "quote":
            return _QUOTES[match[0]]
        case "comment_line" | "comment" | "group" | "emphasis":
            return ""
        # A hyphenation point and a command before its argument leave words whole: `data\-base`, `re\emph{use}`.
        case "command" if match[0] in _JOINING or match.string.startswith("{", match.end()):
            return ""
    return " "
