"""Arguments of commands, which a person may have written."""

from collections.abc import Sequence

from lsprotocol import types

from citelsp.server.wire import refusal


def document(command: str, arguments: Sequence[object]) -> str:
    """A URI."""
    match arguments:
        case [str(uri), *_]:
            return uri
    raise refusal.make_refusal(f"{command} needs the URI of a document")


def place(command: str, arguments: Sequence[object]) -> tuple[str, types.Position]:
    """A mapping with "uri" and "position", whatever else it says."""
    match arguments:
        case [{"uri": str(uri), "position": {"line": int(line), "character": int(character)}}]:
            return uri, types.Position(line, character)
    raise refusal.make_refusal(f'{command} needs {{"uri", "position"}}')


def title(arguments: Sequence[object]) -> str:
    """What a mapping says under "title"; "" if it says nothing."""
    match arguments:
        case [{"title": str(title)}]:
            return title.strip()
    return ""


def words(arguments: Sequence[object], default: str) -> str:
    """What a mapping says under "words"."""
    match arguments:
        case [{"words": str(words)}]:
            return words
    return default
