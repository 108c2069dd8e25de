"""The log: a file in the user's state directory, so that standard output stays the protocol's."""

import logging
import os
import re
from contextlib import suppress
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path

_LEVELS = {"error": logging.ERROR, "warning": logging.WARNING, "info": logging.INFO, "debug": logging.DEBUG}
LEVELS = tuple(_LEVELS)
_MOST_BYTES = 2_000_000  # of one file; then another is begun
_SECRET = re.compile(
    r"""(?ix) ( (?: key | token | secret | password | authorization ) ["']? \s* [:=] \s* (?:bearer\s+)? )
    (?: "[^"]*" | '[^']*' | [^\s,;&'"})\]]+ )"""
)


def directory() -> Path:
    """Where the log files lie; $CITELSP_STATE_DIR moves it."""
    chosen = os.environ.get("CITELSP_STATE_DIR")
    if chosen:
        return Path(chosen)
    import platformdirs

    return Path(platformdirs.user_state_dir("citelsp", appauthor=False))


def start(level: str) -> Path | None:
    """Write messages of this level and above to a file private to the user from now on; return its path.

    None if the file cannot be written; then messages go nowhere.  `level`: one of LEVELS.
    """
    path = directory() / "citelsp.log"
    handler: logging.Handler = logging.NullHandler()
    path_used: Path | None = None
    # Messages name files and works that are nobody else's business.
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # Half a character, which JSON may hold and no file can, is written as an escape.
        handler = _PrivateFile(path, maxBytes=_MOST_BYTES, backupCount=2, encoding="utf-8", errors="backslashreplace")
        path_used = path
    # _Discreet leaves keys and tokens out of messages.
    handler.setFormatter(_Discreet("%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(handlers=[handler], level=_LEVELS[level], force=True)
    # At their lower levels they log whole messages and addresses, with texts and keys in them.
    for chatty in ("pygls", "asyncio", "httpx", "httpcore", "openai"):
        logging.getLogger(chatty).setLevel(max(logging.WARNING, _LEVELS[level]))
    return path_used


class _PrivateFile(RotatingFileHandler):
    """Writes files for their owner's eyes alone, also those that are begun when one is full."""

    def _open(self) -> TextIOWrapper:
        file = super()._open()
        Path(self.baseFilename).chmod(0o600)
        return file


class _Discreet(logging.Formatter):
    """Leaves out what follows a name like `key` or `token`; a message is one line, a traceback stands further in."""

    def format(self, record: logging.LogRecord) -> str:
        return _SECRET.sub(r"\1…", super().format(record)).replace("\n", "\n    ")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  logging's name
        return super().formatMessage(record).replace("\r", r"\r").replace("\n", r"\n")
