"""What `check --fix review` writes into references of which the verdicts are known."""

import argparse
import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from citelsp import syntax
from citelsp.base.text import Document
from citelsp.bibliography.entry import Entry, fingerprint
from citelsp.cli.run_checks import Checking
from citelsp.cli.targets import Workplace
from citelsp.knowledge import Knowledge, Verdict
from citelsp.sources.ask_services import Sources


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field of one reference before and after, with its braces; "" where there is none."""

    field: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.field}: {self.before or '–'}\n   {' ' * len(self.field)}→ {self.after or '–'}"


def changes(judged: Sequence[tuple[Entry, Verdict]]) -> list[tuple[FieldChange, ...]]:
    """Every field that is written, of each reference by itself."""
    texts = [entry.node.source for entry, _ in judged]
    # The entry as it stands alone in its file: macros of its own bibliography stay names.
    verdicts = {fingerprint(_read(text)): verdict for text, (_, verdict) in zip(texts, judged, strict=True)}
    with TemporaryDirectory() as place:
        after = asyncio.run(_mended(texts, verdicts, Path(place)))
    return [_changes(*it) for it in zip(texts, after, strict=True)]


async def _mended(texts: Sequence[str], verdicts: dict[str, Verdict], place: Path) -> list[str]:
    """The texts after `--fix review`, with nothing known but these verdicts."""
    # A file for each, as several entries of one work would be duplicates.
    paths = [place / f"{count}.bib" for count in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_bytes(text.encode())
    settings = place / "offline.toml"
    settings.write_text("offline = true\n", encoding="utf-8")
    workplace = Workplace(argparse.Namespace(paths=paths, config=settings))
    sources = Sources(workplace.settings(), directory=place / "cache")
    checking = Checking(workplace, sources, knowledge=Knowledge(verdicts=verdicts))
    try:
        mended = (await checking.mend(await checking.check(), "review"))[1].texts
    finally:
        await sources.aclose()
    return [mended.get(str(path), text) for path, text in zip(paths, texts, strict=True)]


def _read(text: str) -> Entry:
    parsed = syntax.parse(Document("refs.bib", text, "bibtex"))
    return Entry(parsed.entries.node(0), parsed.strings)  # type: ignore[union-attr]  # it has been read before


def _changes(before: str, after: str) -> tuple[FieldChange, ...]:
    old, new = (_written(_read(it)) for it in (before, after))
    names = dict.fromkeys((*old, *new))
    return tuple(FieldChange(it, old.get(it, ""), new.get(it, "")) for it in names if old.get(it) != new.get(it))


def _written(entry: Entry) -> dict[str, str]:
    """The values with their braces, by their names."""
    return {it.name: entry.node.source[it.value_span.start : it.value_span.end] for it in entry.fields}
