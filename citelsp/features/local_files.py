"""`file = {…}` as JabRef, Zotero, Better BibTeX and Mendeley write it."""

import re

_SEPARATOR = re.compile(r"(?<!\\);")
_DRIVE = re.compile(r"[A-Za-z]$")  # of Windows, before its colon


def attachments(value: str) -> list[str]:
    r"""Paths in the order written.

    JabRef: `description:path:type;…` with `\:` and `\;` escaped.  Zotero: `Full Text:path:application/pdf`, its Windows
    paths as `C\:\\Users\\…`.  Better BibTeX and Mendeley: `:path:pdf` or a bare path, several separated by `;`.
    """
    value = value.replace("$\\backslash$", "\\")
    paths = [_read_path(item.strip()) for item in _SEPARATOR.split(value)]
    return [path for path in paths if path]


def _read_path(item: str) -> str:
    """The path of one attachment: what stands between description and type, before or behind one of them, or all."""
    parts = _split_item(item)
    if len(parts) >= 3:
        _, *middle, _ = parts
        written = ":".join(middle)
    elif len(parts) == 2 and not _DRIVE.match(parts[0]):
        written = parts[0] or parts[1]
    else:
        written = item
    return _unescape(written.strip())


def _split_item(item: str) -> list[str]:
    """At the colons that are not escaped and do not follow a drive letter."""
    pieces: list[str] = []
    start = 0
    for colon in re.finditer(r"(?<!\\):", item):
        piece = item[start : colon.start()]
        if _DRIVE.fullmatch(piece) and item[colon.end() : colon.end() + 1] in ("\\", "/"):
            continue
        pieces.append(piece)
        start = colon.end()
    return [*pieces, item[start:]]


def _unescape(path: str) -> str:
    return re.sub(r"\\([\\:;_&%#{}$~])", r"\1", path)
