"""What is named on a command line and is no file of a project: standard input, a PDF, a Word file, a zip, arXiv."""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from citelsp.base import regular_files
from citelsp.base.text import quote_name
from citelsp.bibliography.identifiers import normal_arxiv
from citelsp.knowledge import Unavailable
from citelsp.workspace.disk import decode

if TYPE_CHECKING:
    from citelsp.bibliography.received import ReadPaper
    from citelsp.sources.client import Client

STDIN = "-"
FIELD_OF_ZOTERO = "x-zotero-select"  # the field of an entry with the address that shows its item in Zotero
_ARXIV = re.compile(
    r"(?:https?:/{1,2}(?:[\w.-]+\.)?arxiv\.org/(?:abs|pdf|html|e-print|src)/|arxiv:)(?P<id>\S+)", re.IGNORECASE
)
_LARGEST = 20 << 20  # bytes of a list of references as text, in a file or pasted
_TOO_LARGE = "is larger than any reference list"
_ENTRY = re.compile(r"^[ \t]*@[A-Za-z]+[ \t]*[{(]", re.MULTILINE)
_FEWEST, _NAMED = 3, 8  # references of a numbered list; labels in one sentence
_ABOVE = 3  # by so much a number that is cited may be above the last one of a list
_OFFICE = (".docx", ".odt")
_ZIP = ".zip"
_LARGEST_PDF = 100 << 20  # bytes
_LARGEST_ZIP = 200 << 20  # bytes, with its pictures
ENDINGS = (".pdf", *_OFFICE, ".txt", _ZIP)


@dataclass(frozen=True, slots=True)
class Received:
    """The texts of a paper by their paths, of which none is a file; `problem` says what could not be read, and why."""

    name: str
    texts: Mapping[str, str] = field(default_factory=dict)
    problem: str = ""
    notes: Sequence[str] = ()  # what stands out in the paper and is about no single reference


def is_received(named: str) -> bool:
    return named == STDIN or bool(arxiv_id(named)) or named.lower().endswith(ENDINGS)


def arxiv_id(named: str) -> str:
    """The id in `arXiv:2401.01234` or an address of arXiv; "" if it is neither."""
    match = _ARXIV.fullmatch(named.strip())
    if match is None:
        return ""
    return normal_arxiv(match["id"].removesuffix(".pdf").rstrip("/"))


async def collect_papers(names: Sequence[str], client: "Client | None") -> list[Received]:
    """Read those of the named papers that are no files of a project: standard input, arXiv, PDF, Word, text, zip.

    A name of anything else, such as a manuscript, a bibliography or a folder, is passed over: of such names alone
    the list is empty.

    Without a client nothing is fetched.  With one, services are asked meanwhile, so files are read in threads: a PDF
    takes seconds.
    """
    papers = []
    for name in names:
        arxiv = arxiv_id(name)
        if name == STDIN:
            papers.append(read_input(sys.stdin.buffer))
        elif arxiv and client:
            papers.append(await fetch_arxiv(client, arxiv))
        elif arxiv:
            papers.append(Received(f"arXiv:{arxiv}", problem="cannot be fetched offline"))
        elif is_received(name):
            papers.append(await _read_file_or_ask(client, Path(name)) if client else read_file(Path(name)))
    return papers


async def _read_file_or_ask(client: "Client", path: Path) -> Received:
    """Read a file as `read_file` does, in a thread; a PDF by the user's GROBID, if there is one and it finds a list.

    A note says so if GROBID was asked and could not read the file, but not if it only found no list: nothing failed,
    and citelsp's own reading says whether there is a list.
    """
    from citelsp.sources import grobid, service_specs

    is_refused = bool(service_specs.refusal(client.settings, grobid.NAME))  # by the settings: not set up, or offline
    if path.suffix.lower() != ".pdf" or is_refused:
        return await _read_in_thread(path)
    try:
        data = regular_files.read_whole(path, _LARGEST_PDF)
    except (OSError, ValueError):
        return await _read_in_thread(path)  # which says what is wrong with it
    paper = await grobid.read_pdf(client, data)
    if isinstance(paper, Unavailable):
        read_here = await _read_in_thread(path)
        return replace(read_here, notes=(*read_here.notes, f"GROBID did not read it: {paper.why}; citelsp did"))
    if not paper.references:
        return await _read_in_thread(path)
    return _received_paper(str(path), paper)


async def _read_in_thread(path: Path) -> Received:
    import asyncio

    return await asyncio.to_thread(read_file, path)


def read_input(stream: BinaryIO) -> Received:
    """A bibliography or a reference list that was pasted or piped."""
    data = stream.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        return Received("standard input", problem=_TOO_LARGE)
    decoded = decode(data)
    if decoded is None:
        return Received("standard input", problem="is not text: name the file instead")
    text = decoded[0]
    return Received("standard input", {f"stdin{_ending_of(text)}": text}, "" if text.strip() else "is empty")


def _ending_of(text: str) -> str:
    """Return the file name's ending for a text whose format shows in its content; `.txt` if none does."""
    start = text.lstrip("\ufeff \t\r\n")
    # Before the first entry of these two any text may stand; the other formats show at the start.
    if _ENTRY.search(text):
        return ".bib"
    if "\\bibitem" in text or "\\endentry" in text:
        return ".bbl"
    # JSON begins with an item and its first name, `[{"id": …`; a text may begin with `[1] Roe.`
    if start.startswith(("[", "{")) and '"' in start[:200] and ":" in start[:2000]:
        return ".json"
    if re.match(r"TY  ?- ", start):  # a record of RIS begins with its type, `TY  - JOUR`
        return ".ris"
    return ".xml" if start.startswith(("<?xml", "<xml")) else ".txt"


def read_file(path: Path) -> Received:
    """Read the reference list of a PDF or a text, what a document of Word or OpenDocument cites, or the texts of a zip.

    Nothing is raised: the result's `problem` says what cannot be read.
    """
    if path.suffix.lower() == _ZIP:
        return _read_zip(path)
    if path.suffix.lower() == ".txt":
        return _read_text(path)
    if path.suffix.lower() in _OFFICE:
        from citelsp.received import office

        try:
            return Received(str(path), {str(path): office.read_text(path)})
        except office.OfficeError as problem:
            return Received(str(path), problem=str(problem))
    return _read_pdf(path)  # of ENDINGS only `.pdf` is left


def _read_text(path: Path) -> Received:
    try:
        decoded = decode(regular_files.read_whole(path, _LARGEST))
    except regular_files.TooLargeError:
        return Received(str(path), problem=_TOO_LARGE)
    except (OSError, ValueError):
        return Received(str(path), problem="cannot be opened")
    return Received(str(path), {str(path): decoded[0]}) if decoded else Received(str(path), problem="is not text")


def _read_zip(path: Path) -> Received:
    """A project that was exported, in memory only."""
    try:
        data = regular_files.read_whole(path, _LARGEST_ZIP)
    except regular_files.TooLargeError:
        return Received(str(path), problem=f"has more than {_LARGEST_ZIP >> 20} MB")
    except (OSError, ValueError):
        return Received(str(path), problem="cannot be opened")
    return unpack(str(path), data)


def _read_pdf(path: Path) -> Received:
    from citelsp.corpus import pdf_processes

    _, paper = next(iter(pdf_processes.read_papers([path])))
    if isinstance(paper, str):
        return Received(str(path), problem=paper)
    return _received_paper(str(path), paper)


def _received_paper(name: str, paper: "ReadPaper") -> Received:
    return Received(name, {name: write_list(paper)}, notes=tuple(compare_citations(paper)))


def write_list(paper: "ReadPaper") -> str:
    """A paper's reference list as a text with one reference a line."""
    lines = [f"[{it.label or number}] {it.text}" for number, it in enumerate(paper.references, start=1)]
    return "\n".join(lines)


def compare_citations(paper: "ReadPaper") -> Iterator[str]:
    """Say which numbers the text cites that the reference list lacks, and which ones of the list it does not cite.

    Nothing is said of a list without numbers, of one too short, or if no citation of anything in it was recognised.
    Nor of numbers far above its last one, nor of the uncited ones if they are half of the list.
    """
    labels = [it.label for it in paper.references]  # "7" for `[7] Vaswani, A. …`
    cited = {it.mark for it in paper.citations}
    has_numbers = len(labels) >= _FEWEST and all(map(str.isdecimal, labels))
    if not has_numbers or not cited & set(labels):
        return
    last = max(map(int, labels))
    # A number far above the last one is no citation, but a year or the like.
    missing = sorted((it for it in cited - set(labels) if it.isdecimal() and int(it) <= last + _ABOVE), key=int)
    if missing:
        yield f"the text cites {_list_labels(missing)}, which the list of references lacks"
    uncited = [it for it in labels if it not in cited]
    # If half of the list seems uncited, it was the reader who missed the citations.
    if uncited and 2 * len(uncited) < len(labels):
        yield f"the text seems not to cite {_list_labels(uncited)}"


def _list_labels(labels: Sequence[str]) -> str:
    more = f" and {len(labels) - _NAMED} more" if len(labels) > _NAMED else ""
    return f"{', '.join(f'[{it}]' for it in labels[:_NAMED])}{more}"


async def fetch_arxiv(client: "Client", arxiv: str) -> Received:
    """Fetch the source of a paper from arXiv, or its PDF if arXiv has no source.

    Nothing stays on the disk: a PDF lies in a temporary folder while it is read.
    """
    from citelsp.sources.http_request import Ask, encode_segment
    from citelsp.sources.http_response import Missing

    name = f"arXiv:{arxiv}"
    # The same address answers with an archive, a single text or a PDF: `unpack` tells them apart.
    reply = await client.ask(Ask("arxiv", f"/e-print/{encode_segment(arxiv)}", want="bytes"))
    if isinstance(reply, Unavailable):
        return Received(name, problem=f"could not be fetched: {reply.why}")
    if isinstance(reply, Missing):
        return Received(name, problem="does not exist")
    return unpack(name, reply.data)


def unpack(name: str, data: bytes) -> Received:
    """Read a PDF, or the texts of an archive; `name` says in messages and paths what `data` is.

    A text that cannot be decoded is left out and named in the notes.  If `data` as a whole cannot be read, `problem` of
    the result says why; if an archive merely holds no texts, `texts` and `problem` are both empty.
    """
    if data.startswith(b"%PDF-"):
        return _read_pdf_bytes(name, data)
    from citelsp.received import archives

    try:
        files = archives.read_texts(data)
    except archives.ArchiveError as problem:
        return Received(name, problem=str(problem))
    texts: dict[str, str] = {}
    notes = []
    for path, content in files.items():
        decoded = decode(content)
        if decoded is None:
            notes.append(f"{quote_name(path)} is not text, and was not read")
            continue
        text, *_ = decoded
        texts[f"{name}/{path}"] = text
    return Received(name, texts, notes=notes)


def _read_pdf_bytes(name: str, data: bytes) -> Received:
    """A PDF that is no file: its reader is another process, which reads it from a folder of its own."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="citelsp-") as folder:
        path = Path(folder) / "paper.pdf"
        path.write_bytes(data)
        found = _read_pdf(path)
    return Received(name, {f"{name}/paper.pdf": text for text in found.texts.values()}, found.problem, found.notes)


def main_texts(received: Received) -> list[str]:
    """Return the paths of the texts to be checked: all manuscripts, if there are some.

    Those with \\documentclass come first, then those in fewer folders.  Without manuscripts they are all `.bib` files,
    which say more of a work than a printed list; else all `.bbl` files; else the only text that there is.  Of
    several other texts none is checked, as nothing tells which of them is a list of references.
    """
    texts = received.texts
    manuscripts = [it for it in texts if it.lower().endswith((".tex", ".ltx", ".md", ".qmd", ".typ", ".org"))]
    if manuscripts:
        return sorted(manuscripts, key=lambda it: ("\\documentclass" not in texts[it], it.count("/"), it))
    for ending in (".bib", ".bbl"):
        found = [it for it in texts if it.lower().endswith(ending)]
        if found:
            return found
    return list(texts) if len(texts) == 1 else []
