"""Words of files, services and models in what an editor shows outside documents: messages, titles, labels."""

from citelsp.base.text import still


def line(text: str) -> str:
    """On one line, moving no cursor."""
    return " ".join(still(text).split()) if not text.isprintable() else text


def message(text: str) -> str:
    """The text with its lines, and without the `[…](…)` of which VS Code makes links, also to its commands."""
    return still(text).replace("](", "] (")
