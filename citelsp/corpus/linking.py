"""Who cites whom, where a reference list is only known as printed; and works that are read a second time elsewhere."""

from collections.abc import Sequence
from dataclasses import replace

from citelsp.corpus import pdf, reference_list
from citelsp.corpus.store import Fresh, Store
from citelsp.corpus.work import Work, is_known_by_title


def link(store: Store, fresh: Sequence[Fresh]) -> None:
    """Link works just written, inside their transaction, with those they cite by name and with those that named them.

    The names of cited works are kept, so that a work is linked whenever it comes, also after those that cite it.
    """
    for added in fresh:
        cited_names: set[str] = set()
        for item in added.work.listed:
            cited_names.update(reference_list.names(item))
        if added.work.listed:
            store.want(added.n, cited_names)
    if not store.wants():
        return
    unlinked = store.unlinked_of([added.n for added in fresh])
    holders = store.holders({name for _, name in unlinked})
    pairs = {(citing, holders[name]) for citing, name in unlinked if name in holders}
    # Works that came earlier and cite these by name: their lists are completed now.
    own: dict[str, int] = {}
    for added in fresh:
        own |= dict.fromkeys(_names(added.work), added.n)
    pairs |= {(citing, own[name]) for citing, name in store.unlinked_to(list(own))}
    store.cite({(citing, cited) for citing, cited in pairs if citing != cited})


def joined(store: Store, work: Work) -> Work:
    """A work read from a file, or what the corpus knows of it already with the file's text and reference list."""
    numbers = list(store.numbers([work.id]).values()) + store.by_identifier(doi=work.doi, arxiv=work.arxiv)
    rows = store.rows(numbers + store.by_title(work.title))
    row = next((rows[n] for n in (*numbers, *rows) if n in rows), None)
    if row is None:
        return work
    stored = row.work
    return replace(
        stored,
        abstract=stored.abstract or work.abstract,
        authors=stored.authors or work.authors,
        year=stored.year or work.year,
        doi=stored.doi or work.doi,
        arxiv=stored.arxiv or work.arxiv,
        references=tuple(store.ids(row.cites)),
        text=work.text,
        listed=work.listed,
        file=work.file,
    )


def find_replaced(store: Store, works: Sequence[Work]) -> list[int]:
    """The works, made of nothing but files that an earlier version read, of which these are the better readings.

    Inside a transaction, in which it forgets that the files were read so.
    """
    earlier = sorted({digest for it in works if it.file for digest in pdf.earlier_digests(it.file)})
    ids = {it.id for it in works}
    rows = store.rows(store.works_of_files(earlier))
    store.forget_files(earlier)
    return [n for n, row in rows.items() if row.work.id not in ids and is_known_by_title(row.work)]


def _names(work: Work) -> list[str]:
    named = (("doi", work.doi), ("arxiv", work.arxiv))
    return [*(f"{kind}:{it}" for kind, it in named if it), reference_list.title_name(work.title)]
