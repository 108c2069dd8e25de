"""The services as the server holds them, and what the author is told before they are asked for the first time."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Literal

from citelsp.base import atomic, log
from citelsp.base.settings import Settings

if TYPE_CHECKING:
    from citelsp.sources.ask_services import Sources

logger = logging.getLogger(__name__)

Purpose = Literal["verify", "search", "insert", "model", "rank", "corpus"]
# Some editors show the first sentence alone: it says what goes out.
_NOTICES: dict[Purpose, str] = {
    "verify": "citelsp looks up the references that you cite. Their titles, authors and identifiers go to {}."
    " Control this with online.verify (save, command or off).",
    "search": "citelsp sends words of your sentence to scholarly services. They are {}."
    " Control this with online.suggest (command, auto or off).",
    "model": "The text around your placeholders goes to {}. citelsp asks this language model, which you set up,"
    " which work is meant, and lists titles for it.",
    "rank": "citelsp compares works with the endpoints that you set up. Sentences around your placeholders, titles and"
    " abstracts of works go to {}.",
    "corpus": "citelsp searches corpora on servers that you set up. Words around placeholders and numbers of cited"
    " titles go to {}. Control this with online.suggest.",
    "insert": "citelsp looks up works to insert. What you named (an identifier, a title or a citekey) goes to {}.",
}


class Online:
    """The services, opened at first use, once for all settings that treat them alike."""

    def __init__(self, inform: Callable[[str], None]) -> None:
        """`inform` tells the author something."""
        self._inform = inform
        self._open: list[Sources] = []
        self._announced: set[str] = set()

    async def sources(self, settings: Settings) -> "Sources":
        module = await asyncio.to_thread(import_module, "citelsp.sources.ask_services")
        # One client for all folders that treat services alike: their pace and pauses hold for the machine.
        for known in self._open:
            if _read_way_out(known.settings) == _read_way_out(settings):
                return known
        opened: Sources = module.Sources(settings)
        self._open.append(opened)
        return opened

    def wake(self) -> None:
        """Ask again at once whom we let rest: the author says so."""
        for sources in self._open:
            sources.wake()

    def tell(self, purpose: Purpose, services: Sequence[str]) -> None:
        """Say, once for every user, which services are asked and what they get."""
        if services:
            from citelsp.checks.verdicts import title

            names = ", ".join(map(title, services))
            self.say_once(purpose, f"{_NOTICES[purpose].format(names)} offline = true sends nothing.")

    def say_once(self, name: str, text: str) -> None:
        """Inform every user once, in the first session in which there is something to say of this name."""
        if name not in self._announced:
            self._announced.add(name)
            if not _note(name):
                self._inform(text)

    async def aclose(self) -> None:
        while self._open:
            await self._open.pop().aclose()


def _note(purpose: str) -> bool:
    """Note in a file that the user is told of `purpose`; return True if the file said so already.

    False also if the file cannot be read or written: rather told twice than never.
    """
    path = log.directory() / "notices"
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        known = path.read_text(encoding="utf-8", errors="replace").split() if path.exists() else []
        # On disk, not in memory: a notice at every start would be clicked away unread.
        if purpose not in known:
            atomic.write(path, ("\n".join([*known, purpose]) + "\n").encode())
    except OSError as problem:
        logger.info("the notice is not remembered: %s", problem)
        return False
    return purpose in known


def _read_way_out(settings: Settings) -> tuple[object, ...]:
    return settings.services, settings.offline, settings.email, settings.proxy
