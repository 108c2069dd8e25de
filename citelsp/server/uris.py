"""File URIs and paths.  A document without a file (`untitled:`) has its URI for a path."""

import os
import re
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

_DRIVE = re.compile(r"/?([A-Za-z]):")
_ERRORS = "surrogateescape"  # as Python writes the bytes of a file name that are not UTF-8


def path_of(uri: str) -> str:
    """The normal path of a file URI (RFC 8089); any other URI in the same normal form, which no file has."""
    parts = urlsplit(uri)
    if parts.scheme != "file":
        return os.path.normpath(uri)
    path, host = (unquote(it, errors=_ERRORS) for it in (parts.path, parts.netloc))
    if host not in ("", "localhost"):
        path = f"//{host}{path}"
    if os.name != "nt":
        return os.path.normpath(path)
    if drive := _DRIVE.match(path):
        path = f"{drive[1].upper()}:{path[drive.end() :]}"
    return os.path.normpath(path)


def uri_of(path: str) -> str:
    """The URI of an absolute path; a URI unchanged."""
    if not Path(path).is_absolute():
        return path
    slashed = path.replace("\\", "/") if os.name == "nt" else path
    if slashed.startswith("//"):
        return "file:" + quote(slashed, errors=_ERRORS)
    absolute = slashed if slashed.startswith("/") else f"/{slashed}"
    return "file://" + quote(absolute, safe="/:" if os.name == "nt" else "/", errors=_ERRORS)
