"""Who cites whom, where a reference list is only known as printed; and works that are read a second time elsewhere."""

from collections.abc import Sequence
from dataclasses import replace

from citelsp.corpus import pdf_processes, reference_list
from citelsp.corpus.store import Fresh, Store
from citelsp.corpus.work import Work, are_one_work, is_known_by_title


def link(store: Store, fresh: Sequence[Fresh]) -> None:
    """Link works just written with the works that they cite by name, and with those that cite them by name.

    Runs inside their transaction.  A name is `doi:…`, `arxiv:…` or `title:…`; if several works have one, only one of
    them is cited by it.  The names of cited works stay in the store (`want`), so that a work is linked even if it comes
    after those that cite it.
    """
    for added in fresh:
        cited_names: set[str] = set()
        for item in added.work.listed:
            cited_names.update(reference_list.names(item))
        if added.work.listed:  # a changed work that comes without a printed list keeps the names that it had
            store.want(added.n, cited_names)
    if not store.wants():  # no work of the corpus cites any by name
        return
    cited_by_name = store.unlinked_of([added.n for added in fresh])  # (citing work, name of the cited one)
    holder_of = store.holders({name for _, name in cited_by_name})  # by name, the work that has it
    citations = {(citing, holder_of[name]) for citing, name in cited_by_name if name in holder_of}
    # Works that came earlier and cite these by name: their lists are completed now.
    number_of: dict[str, int] = {}  # by name, of the works just written
    for added in fresh:
        number_of |= dict.fromkeys(_list_names(added.work), added.n)
    citations |= {(citing, number_of[name]) for citing, name in store.unlinked_to(list(number_of))}
    # No work cites itself: a name that seems to mean the citing work was misread.
    store.cite({(citing, cited) for citing, cited in citations if citing != cited})


def join_stored(store: Store, work: Work) -> Work:
    """Join a work read from a file with what the corpus has of it; return it as it is if the corpus lacks it.

    It is looked for by its id, then by identifiers, then by its title, and if this is as short as “Introduction” it has
    to be one work with what is found (`are_one_work`); of several works the first counts.  What the corpus has goes
    before what the file says, as that is guessed from the layout; but the text, and the reference list as printed, are
    always the file's.  Only PDF files are read so: they tell no venue and no date.
    """
    by_identifier = list(store.numbers([work.id]).values()) + store.by_identifier(doi=work.doi, arxiv=work.arxiv)
    by_title = store.by_title(work.title)
    row_of = store.rows(by_identifier + by_title)
    read = work.record()
    same_works = [row_of[number] for number in by_identifier if number in row_of]
    same_works += [row_of[number] for number in by_title if are_one_work(row_of[number].work.record(), read)]
    if not same_works:
        return work
    row = same_works[0]
    stored = row.work
    return replace(
        stored,
        abstract=stored.abstract or work.abstract,
        authors=stored.authors or work.authors,
        year=stored.year or work.year,
        doi=stored.doi or work.doi,
        arxiv=stored.arxiv or work.arxiv,
        references=tuple(store.ids(row.cites)),  # the works it is known to cite stay; `link` adds those of `listed`
        text=work.text,
        listed=work.listed,
        file=work.file,
    )


def find_replaced(store: Store, works: Sequence[Work]) -> list[int]:
    """Return the numbers of works to remove: those that an earlier version made of the files that are read anew here.

    A work stays if its id is made of more than its title, as others may have named it so, or if it is read again under
    the same id.  Runs inside a transaction, in which the earlier readings of the files are forgotten.
    """
    earlier = sorted({digest for it in works if it.file for digest in pdf_processes.earlier_digests(it.file)})
    ids = {it.id for it in works}
    rows = store.rows(store.works_of_files(earlier))
    store.forget_files(earlier)
    return [n for n, row in rows.items() if row.work.id not in ids and is_known_by_title(row.work)]


def _list_names(work: Work) -> list[str]:
    named = (("doi", work.doi), ("arxiv", work.arxiv))
    return [*(f"{kind}:{it}" for kind, it in named if it), reference_list.title_name(work.title)]
