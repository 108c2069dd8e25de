"""The links of `citelsp check --links`: each is asked once, at most so many in a run, and what that came to."""

from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from citelsp.base import bounds
from citelsp.base.text import write_count
from citelsp.checks import dead_link
from citelsp.cli import verify_online
from citelsp.sources import dead_links
from citelsp.syntax.bibtex.blocks import BibNode

if TYPE_CHECKING:
    from citelsp.base.settings import Settings
    from citelsp.cli.targets import Target
    from citelsp.knowledge import Knowledge
    from citelsp.sources.ask_services import Sources
    from citelsp.sources.client import Client


@dataclass
class LinkAsking:
    """Who is asked, and what was asked so far."""

    client: "Client"
    asked: set[str] = field(default_factory=set)  # addresses
    dead: int = 0
    silent: int = 0  # without a clear answer
    left: int = 0  # not asked, as a run asks only so many

    async def learnt(self, targets: Iterable["Target"], knowledge: "Knowledge") -> "Knowledge":
        """Ask the servers of these entries' links, and return `knowledge` with the links that were found dead.

        `dead` and `silent` count the links that are gone and those whose servers gave no clear answer.  Shows on a
        terminal how far it is.
        """
        chosen = self._choose_new(targets)
        try:
            answers = await dead_links.ask(self.client, chosen, _show)
        finally:
            verify_online.show("")  # clears the line
        self.dead += len(answers.dead)
        self.silent += len(answers.silent)
        return replace(knowledge, links={**knowledge.links, **answers.dead})

    def _choose_new(self, targets: Iterable["Target"]) -> list[str]:
        """Choose the addresses to ask now, which count as `asked` from here on.

        Left out are those asked earlier in this run, as fixes are followed by further rounds of checks; and links that
        lead to no public page or to the Internet Archive, and identifiers, of which verification asks
        (`may_be_asked`).  A run asks at most `bounds.LINKS`; `left` says how many were too many.
        """
        each_once = dict.fromkeys(_list_addresses(targets))
        new = [it for it in each_once if it not in self.asked and dead_links.may_be_asked(it)]
        allowed = max(0, bounds.LINKS - len(self.asked))
        chosen = new[:allowed]
        self.left = len(new) - len(chosen)  # not added up: these are new again in the next round
        self.asked.update(chosen)
        return chosen

    def summary(self) -> str:
        """Say how many links were asked, and what their servers said."""
        parts = [f"{write_count(len(self.asked), 'link')} asked: {self.dead} dead"]
        if self.silent:
            parts.append(f"{self.silent} without a clear answer and therefore not reported")
        if self.left:
            parts.append(f"{self.left:,} left, because a run asks at most {bounds.LINKS:,}")
        return "; ".join(parts)


@asynccontextmanager
async def open_asking(settings: "Settings", sources: "Sources | None") -> AsyncIterator[LinkAsking]:
    """Asks by the connection of `sources`, or by one of its own if verification is off."""
    async with AsyncExitStack() as stack:
        if sources is None:
            sources = await stack.enter_async_context(verify_online.open_sources(settings))
        yield LinkAsking(sources.client)


def _list_addresses(targets: Iterable["Target"]) -> Iterable[str]:
    """Yield the addresses in the entries that are looked at; none if the project's settings switch the finding off."""
    for target in targets:
        if target.project.settings.checks.severity.get(dead_link.CODE) == "off":
            continue
        for place in target.places:
            if isinstance(place.node, BibNode):
                for _, address, _ in dead_link.find_links(place.node):
                    yield address


def _show(done: int, of: int) -> None:
    verify_online.show(f"{done} of {of} links")
