r"""At which place of the list in `\cite{…}` an entry comes, by what is typed of it.

    python tests/benchmarks/ranks.py LIBRARY.bib [SEEDS]

For each seed (10) a hundred entries are drawn that have a person, a year and two words in their title.  Prints of how
many per cent of them are first, among five and among fifty.  Of an author's name alone, no order can do better than
chance on the average: the last line says how often a first author's work comes first by chance.
"""

import random
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

HERE = Path(__file__).parents[1]
sys.path[:0] = [str(HERE / "support"), str(HERE.parent)]

from citelsp.bibliography.completion_search.libraries import Libraries  # noqa: E402
from citelsp.bibliography.entry import Entry  # noqa: E402
from citelsp.bibliography.fold import fold  # noqa: E402
from citelsp.features import complete_keys  # noqa: E402
from fixture_projects import project_of  # noqa: E402

SAMPLE = 100
HEAD, TAIL = "\\documentclass{article}\n\\begin{document}\n\\cite{", "}\n\\bibliography{refs}\n\\end{document}\n"


def typing(node, rnd):
    """What people may type of an entry, by its kind; {} of one that has not enough to type."""
    entry = Entry(node)
    words = re.findall(r"[A-Za-z]{4,}", entry.title)
    if not entry.authors or len(words) < 2 or not entry.year or len(entry.key) < 5:
        return {}
    author, word = fold(entry.authors[0].family), max(words, key=len)
    typed = {
        "key, first 70 %": entry.key[: int(len(entry.key) * 0.7)],
        "author": author,
        "author year": f"{author} {entry.year}",
        "longest title word": word,
        "two title words": " ".join(rnd.sample(words, 2)),
        "author + title word": f"{author} {word}",
        "year + title word": f"{entry.year} {word}",
        "author + title word with typo": f"{author} {mistyped(word, rnd)}",
        "author with typo + year": f"{mistyped(author, rnd)} {entry.year}",
        "key with typo": mistyped(entry.key, rnd),
        "first four title words": " ".join(entry.title.split()[:4]),
    }
    # A comma begins the next key, so nobody types one to find a work.
    return {kind: re.sub(r"[{},]", "", it) for kind, it in typed.items()} if author else {}


def mistyped(word, rnd):
    """With a letter too few, or two the wrong way round."""
    at = rnd.randrange(1, len(word) - 1) if len(word) > 2 else 0
    if rnd.random() < 0.5 and word[at : at + 1] != word[at + 1 : at + 2]:
        return word[:at] + word[at + 1 : at + 2] + word[at] + word[at + 2 :]
    return word[:at] + word[at + 1 :]


def place(libraries, project, typed, key):
    manuscript = project_of({"main.tex": HEAD + typed + TAIL}).sources["main.tex"]
    asked = project.sources | {"main.tex": manuscript}
    project = type(project)(asked, project.settings, ("main.tex",), project.bibliographies, rooted=True)
    found = complete_keys.complete(project, libraries, "main.tex", len(HEAD + typed))
    return next((at for at, it in enumerate(found.items if found else ()) if it.key == key), 1000)


def main(library, seeds="10"):
    project, libraries = project_of({"refs.bib": Path(library).read_text(encoding="utf-8")}), Libraries()
    nodes = list(project.sources["refs.bib"].syntax.entries)
    works = Counter(fold(it.authors[0].family) for it in map(Entry, nodes) if it.authors)
    places, chance = defaultdict(list), []
    for seed in range(1, int(seeds) + 1):
        rnd = random.Random(seed)  # noqa: S311
        drawn = ((it.key, queries) for it in rnd.sample(nodes, len(nodes)) if (queries := typing(it, rnd)))
        for _, (key, queries) in zip(range(SAMPLE), drawn, strict=False):
            chance.append(1 / works[queries["author"]] if works[queries["author"]] else 0)
            for kind, typed in queries.items():
                places[kind].append(place(libraries, project, typed, key))
    lines = [f"{len(nodes)} entries; per cent first / among 5 / among 50 of {len(chance)}"]
    for kind, found in places.items():
        shares = (100 * sum(it < most for it in found) / len(found) for most in (1, 5, 50))
        lines.append(f"{kind:32}{' / '.join(f'{it:.1f}' for it in shares)}")
    lines.append(f"{'by chance, of an author':32}{100 * sum(chance) / len(chance):.0f}")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
