"""How tests speak with a real server."""

import asyncio
import time

from lsprotocol import types

EDITORS = {"neovim@v0.11.0": "utf-8", "visual-studio-code": "utf-16", "emacs": "utf-32"}

MAIN = r"""\documentclass{article}
\addbibresource{refs.bib}
\title{Programs as Literature}
\begin{document}
\section{Weaving}
😀 We weave \cite{knuth84, nope} and more.
As before \textcite{lamport94}.
Attention is all one needs in sequence models \cite<transformer attention>.
\end{document}
"""
REFS = r"""@article{knuth84,
  author = {Knuth, Donald E.},
  title = {Literate Programming},
  journal = {The Computer Journal},
  year = 1984,
  doi = {10.1093/comjnl/27.2.97},
}
@book{lamport94,
  author = {Lamport, Leslie},
  title = {{LaTeX}: A Document Preparation System},
  publisher = {Addison-Wesley},
  year = 1994,
}
"""
NOTES = """---
title: Notes
bibliography: refs.bib
---
😀 Weaving [@knuth84; @nope].
"""
FILES = {"main.tex": MAIN, "refs.bib": REFS, "notes.md": NOTES}


def show(client, name, text, language="latex"):
    """Open a document, which need not be on the disk; its URI."""
    uri = (client.folder / name).as_uri()
    language = {"md": "markdown", "bib": "bibtex"}.get(name.rpartition(".")[2], language)
    item = types.TextDocumentItem(uri, language, 1, text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    return uri


def hide(client, uri):
    client.text_document_did_close(types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)))


def document(client, name):
    return types.TextDocumentIdentifier((client.folder / name).as_uri())


def position(client, text, offset):
    line = text.count("\n", 0, offset)
    before = text[text.rfind("\n", 0, offset) + 1 : offset]
    units = {"utf-8": len(before.encode()), "utf-16": len(before.encode("utf-16-le")) // 2, "utf-32": len(before)}
    return types.Position(line, units[client.encoding])


def behind(client, text, what):
    """The position behind the first mention of `what`."""
    return position(client, text, text.index(what) + len(what))


def around(client, text, what):
    """The range of the first mention of `what`."""
    start = text.index(what)
    return types.Range(position(client, text, start), position(client, text, start + len(what)))


async def until(condition, seconds=60.0):
    """Wait for what the server does of its own accord."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "timed out"
        await asyncio.sleep(0.02)
