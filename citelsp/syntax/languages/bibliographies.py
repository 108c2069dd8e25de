"""The formats of bibliographies."""

from citelsp.base.text import Document, Span
from citelsp.syntax.languages.language import BibliographyFormat, Editors, Language, Replacement
from citelsp.syntax.languages.markdown.declaring import insert_beside
from citelsp.syntax.languages.markdown.writing import key_problem
from citelsp.syntax.nodes import Entries, Link, Syntax

CSL_ITEMS = "[\n{"  # so begins what was read of a word processor's fields


def _bibtex(document: Document, _commands: tuple[str, ...], _old: Entries | None) -> Syntax:
    from citelsp.syntax.bibtex import parsing

    return parsing.parse(document)


def _bibtex_again(old: Syntax, document: Document, span: Span, new_text: str) -> Syntax:
    from citelsp.syntax.bibtex import parsing

    return parsing.reparse(old, document, span, new_text)


def _json(document: Document, _commands: tuple[str, ...], old: Entries | None) -> Syntax:
    from citelsp.syntax.formats import csl

    return csl.parse_json(document, old)


def _yaml(document: Document, _commands: tuple[str, ...], old: Entries | None) -> Syntax:
    from citelsp.syntax.formats import csl, hayagriva

    found = csl.parse_yaml(document, old)
    if found.entries is None and not found.links and not (found.csl or found.citation_style):
        return hayagriva.parse(document, old)
    return found


def _ris(document: Document, _commands: tuple[str, ...], old: Entries | None) -> Syntax:
    from citelsp.syntax.formats import ris

    return ris.parse(document, old)


def _endnote(document: Document, _commands: tuple[str, ...], old: Entries | None) -> Syntax:
    from citelsp.syntax.formats import endnote

    return endnote.parse(document, old)


def _compiled(document: Document, commands: tuple[str, ...], old: Entries | None) -> Syntax:
    from citelsp.syntax.formats import compiled_list

    return compiled_list.parse(document, commands, old)


def _received(document: Document, _commands: tuple[str, ...], old: Entries | None) -> Syntax:
    from citelsp.syntax.formats import csl, endnote, printed_references

    # The fields of a word processor's reference manager hold CSL.
    if document.text.startswith(CSL_ITEMS):
        return csl.parse_json(document, old)
    if endnote.is_list(document.text):
        return endnote.parse(document, old)
    return printed_references.parse(document, old)


def _sphinx(document: Document, _commands: tuple[str, ...], _old: Entries | None) -> Syntax:
    from citelsp.syntax.formats import sphinx

    return sphinx.parse(document.text)


def _in_python(text: str, link: Link, name: str) -> Replacement:
    end = link.span.end + 1
    return Replacement(Span(end, end), f", {text[end - 1 : end]}{name}{text[end - 1 : end]}")


def _is_endnote(beginning: str) -> bool:
    from citelsp.syntax.formats import endnote

    return endnote.is_list(beginning)


def _json_key(text: str, span: Span, key: str) -> Replacement:
    return Replacement(span, key if text[span.start - 1 : span.start] == '"' else f'"{key}"')  # the key was a number


BIBTEX = Language(
    name="bibtex",
    title="BibTeX",
    endings=("bib", "bibtex", "biblatex"),
    editors=Editors(
        vscode=(("bibtex", "BibTeX", (".bib",)),),
        neovim=("bib",),
        emacs=("bibtex-mode",),
        helix=(("bibtex", "texlab"),),
        sublime=("text.bibtex",),
        kate=("BibTeX",),
    ),
    programs=frozenset({"texlab", "latex-workshop", "vimtex"}),
    parse=_bibtex,
    reparse=_bibtex_again,
    bibliography=BibliographyFormat(written=True, by_field=True, by_ending=True),
)
_NAMED_YAML = tuple(f"{name}.{ending}" for name in ("references", "bibliography", "refs") for ending in ("yaml", "yml"))
_JSON = Language(
    name="csl-json",
    title="CSL-JSON",
    endings=("json", "csljson"),
    editors=Editors(files=("*.csl.json", "*.csljson", "references.json", "bibliography.json")),
    parse=_json,
    key=_json_key,
    bibliography=BibliographyFormat(written=True, by_field=False, declare_beside=insert_beside, parted_by_commas=True),
)
_YAML = Language(
    name="csl-yaml",
    title="CSL and Hayagriva in YAML",
    endings=("yaml", "yml"),
    editors=Editors(files=("*.csl.yaml", "*.csl.yml", *_NAMED_YAML)),
    parse=_yaml,
    key_problem=key_problem,
    bibliography=BibliographyFormat(written=True, by_field=False, declare_beside=insert_beside),
)
_RIS = Language(
    name="ris",
    title="RIS",
    endings=("ris",),
    parse=_ris,
    bibliography=BibliographyFormat(written=False, by_field=False, keyless=True),
)
_ENDNOTE = Language(
    name="endnote",
    title="EndNote's XML",
    endings=("xml",),
    parse=_endnote,
    bibliography=BibliographyFormat(written=False, by_field=False, begins=_is_endnote),
)
_SPHINX = Language(
    name="sphinx",
    title="",
    endings=("py",),
    parse=_sphinx,
    bibliography=BibliographyFormat(written=False, by_field=False, declare_beside=_in_python),
)
COMPILED = Language(
    name="bbl",
    title="Compiled reference lists",
    endings=("bbl",),
    editors=Editors(vscode=(("bbl", "Compiled reference list", (".bbl",)),)),
    parse=_compiled,
    bibliography=BibliographyFormat(written=False, by_field=False, by_ending=True, derived=True),
)
RECEIVED = Language(
    name="references",
    title="Reference lists",
    endings=(),  # a text is one if it is named as such
    parse=_received,
    bibliography=BibliographyFormat(written=False, by_field=False, derived=True),
)
ALL = (BIBTEX, _JSON, _YAML, _RIS, _ENDNOTE, _SPHINX, COMPILED, RECEIVED)
