"""File URIs and paths.  A document without a file (`untitled:`) has a path that no file has.

Editors spell one file in several ways: `file:///c%3A/a+b.tex`, `file:///C:/a%2Bb.tex`.  Paths are what documents are
known by; what is sent to the editor is its own spelling, wherever it opened the document.
"""

import ntpath
import os
import posixpath
import re
from urllib.parse import quote, unquote, urlsplit

from citelsp.workspace.roots import NOWHERE

_DRIVE = re.compile(r"/*([A-Za-z])[:|](?=/|\Z)")
_ERRORS = "surrogateescape"  # as Python writes the bytes of a file name that are not UTF-8
_WINDOWS = os.name == "nt"


def path_of(uri: str, *, windows: bool = _WINDOWS) -> str:
    """The normal path of a file URI (RFC 8089); any other URI in the same normal form, which no file has."""
    parts = urlsplit(uri)
    norm = ntpath.normpath if windows else posixpath.normpath
    if _is_cell(uri):
        return f"{path_of(f'file://{parts.path}', windows=windows)}#{quote(parts.fragment, safe='')}"
    if parts.scheme != "file":
        return norm(uri)
    path, host = (unquote(it, errors=_ERRORS) for it in (parts.path, parts.netloc))
    if windows and _DRIVE.match(host):  # `file://c:/…`, as some write it
        path, host = f"/{host}{path}", ""
    # VS Code writes drives in small letters and with %3A: one spelling, or a file would be two documents.
    if windows and not host and (drive := _DRIVE.match(path)):
        path = f"{drive[1].upper()}:{path[drive.end() :]}"
    # A share of Windows, `file://server/share`, or WSL's `file://wsl$/`.
    if host not in ("", "localhost"):
        path = f"//{host}{path}"
    return norm(path)


def path_of_opened(uri: str, folder: str = NOWHERE, *, windows: bool = _WINDOWS) -> str:
    """The path of a document as it is opened; one without a file stands in `folder`, or where it is to be saved.

    That is what `untitled:/home/ada/new.tex` says.  Neovim calls a buffer without a name `file://`.
    """
    path, name = path_of(uri, windows=windows), quote(uri, safe=":")
    scheme, _, rest = uri.partition(":")
    if (scheme == "file" and path != ".") or _is_cell(uri):
        return path
    if scheme == "untitled" and rest.startswith("/"):
        folder, name = (ntpath if windows else posixpath).split(path_of(f"file://{rest}", windows=windows))
        name = f"untitled:{name}"
    return ntpath.join(folder, name) if windows else posixpath.join(folder, name)


def _is_cell(uri: str) -> bool:
    """True for a cell of a notebook, `vscode-notebook-cell:/home/ada/a.ipynb#W0s…`, which stands beside its file."""
    return ".ipynb#" in uri.lower()


def uri_of(path: str, *, windows: bool = _WINDOWS) -> str:
    """The URI of an absolute path; a URI unchanged."""
    if not (ntpath if windows else posixpath).isabs(path):
        return path
    slashed = path.replace("\\", "/") if windows else path
    if slashed.startswith("//"):
        return "file:" + quote(slashed, errors=_ERRORS)
    absolute = slashed if slashed.startswith("/") else f"/{slashed}"
    return "file://" + quote(absolute, safe="/:" if windows else "/", errors=_ERRORS)
