"""Tell a report of a check from a file of somebody else's, by how it begins."""

import re
from pathlib import Path

from citelsp.base import regular_files

_HEAD = 1_000_000  # bytes that are read of a file: one in Markdown begins with the names of all that was checked
# How `render` of each format begins.
_BEGINNINGS = {
    "html": re.compile(r'<!DOCTYPE html>\n<html lang="en">.{,500}\n<title>References\b', re.DOTALL),
    # The heading, and the sentences of the summary, each on a line that ends with two spaces.
    "md": re.compile(r"## References of .*\n\n(?:.+  \n)+(?:\n|\Z)"),
    "csv": re.compile(r"file,key,verdict,differs in,findings,"),
    "json": re.compile(r'\{\n "version": \d+,\n "read": \{"'),
    "sarif": re.compile(r'\{\n "\$schema": .{,500}\n    "driver": \{\n     "name": "citelsp",', re.DOTALL),
}


def is_something_else(path: Path, report_format: str) -> bool:
    """Return True if a file is there, and is neither empty nor a report in a format of _BEGINNINGS.

    False also of what cannot be read: nothing is known of it, and it cannot be replaced either.
    """
    try:
        head = regular_files.read(path, _HEAD)
    except OSError:
        return False
    # git may have given the lines of Windows to a report that was committed.
    text = head.decode(errors="replace").replace("\r\n", "\n")
    return bool(text.strip()) and not _BEGINNINGS[report_format].match(text)
