"""Which manuscripts name a file of which name."""

from citelsp.syntax.nodes import Syntax
from citelsp.workspace import links


class Namers:
    """By their links; kept up to date as documents are read."""

    def __init__(self) -> None:
        self._names: dict[str, frozenset[str]] = {}
        self._namers: dict[str, set[str]] = {}

    def note(self, path: str, outline: Syntax) -> None:
        # By name alone, as directories depend on where TeX is run: the index may offer too much, never too little.
        named = frozenset(filter(None, (links.mention(it, path) for it in outline.links)))
        before = self._names.get(path, frozenset())
        for name in named - before:
            self._namers.setdefault(name, set()).add(path)
        for name in before - named:
            self._namers[name].discard(path)
        self._names[path] = named

    def forget(self, path: str) -> None:
        for name in self._names.pop(path, frozenset()):
            self._namers[name].discard(path)

    def mentions(self, path: str) -> list[str]:
        return sorted({namer for name in links.mentions_of(path) for namer in self._namers.get(name, ())})
