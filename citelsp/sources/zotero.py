"""The user's own Zotero with its groups through its local API, and Better BibTeX if it is installed."""

import asyncio
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from itertools import chain, zip_longest
from pathlib import Path
from secrets import token_hex
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

from citelsp.bibliography.identifiers import normal_isbn
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.knowledge import Candidate, Lookup, Unavailable
from citelsp.sources import clean, crossref
from citelsp.sources.client import Client
from citelsp.sources.http_request import Ask, encode_segment, parameters
from citelsp.sources.http_response import Missing, Reply
from citelsp.sources.record_identifiers import make_identifiers
from citelsp.sources.reference_query import answer
from citelsp.sources.service_specs import Spec
from citelsp.sources.shape import FormError, dig, number, obj, objects, read_objects, strict_text, text, year

SPEC = Spec("zotero", "http://127.0.0.1:23119", interval=0.0, concurrency=4, attempts=1, timeout=5)

_TYPES = {
    "journalArticle": "article-journal", "conferencePaper": "paper-conference", "preprint": "preprint", "book": "book",
    "bookSection": "chapter", "thesis": "thesis", "report": "report", "dataset": "dataset",
    "computerProgram": "software",
    "webpage": "webpage", "magazineArticle": "article-journal", "standard": "standard", "manuscript": "manuscript",
}  # fmt: skip
OWN = "/api/users/0"  # where the library of the user's own lies
_MOST_HITS = 20  # works of a search
_MOST_GROUPS = 50
_PAGE = 1000  # items of a request: some MB
_MOST_ITEMS = 200_000
_KEY = re.compile(r"""[^\s\\{}()"'#%~,=@][^\s\\{}()"'#%~,=]*""")  # a citekey that every language can cite
# A line of `extra`: `Citation Key: roe2019`.
_KEY_NOTE = re.compile(r"^[ \t]*citation key[ \t]*:[ \t]*(\S+)[ \t]*$", re.IGNORECASE | re.MULTILINE)
_ARXIV_NOTE = re.compile(r"arxiv[:\s]+(\S+)", re.IGNORECASE)  # `arXiv:1905.01234`
_VENUES = (
    "publicationTitle",
    "proceedingsTitle",
    "bookTitle",
    "university",
    "institution",
    "websiteTitle",
    "repository",
)


async def libraries(client: Client) -> Sequence[str] | Unavailable:
    """List the API paths of the user's libraries: their own, then those of their groups, [{"id": 12345, …}, …]."""
    reply = await client.ask(Ask("zotero", f"{OWN}/groups"))
    if isinstance(reply, Unavailable):
        return reply
    numbers = () if isinstance(reply, Missing) else (number(it.get("id")) for it in objects(reply.data))
    groups = [f"/api/groups/{it}" for it in numbers if it is not None and it > 0]
    return (OWN, *groups[:_MOST_GROUPS])


@dataclass(frozen=True, slots=True)
class Item:
    """An item with a title: its work, whose id is the item's key; its citekey, or ""; what shows it in Zotero."""

    record: Record
    citekey: str
    address: str


async def library(client: Client, place: str = OWN) -> Sequence[Record] | Unavailable:
    """The works of every item of a library of the user's that has a title."""
    found = await items(client, place, abstracts=True)
    return found if isinstance(found, Unavailable) else [it.record for it in found]


async def items(client: Client, place: str = OWN, *, abstracts: bool = False) -> Sequence[Item] | Unavailable:
    """List the items with a title of a library or collection, in the order in which they were added.

    `place` is the API path of the library or collection.  Abstracts are read only if they are asked for: no entry of a
    bibliography has one, and of ten thousand works they take long to read.  Unavailable if any page of the list is.
    """
    collected: list[Item] = []

    def collect(raw: Mapping[str, Any]) -> None:
        record = read_record(raw, abstract=abstracts)
        if record.title:
            collected.append(Item(record, citekey_of(raw), _address(place, raw)))

    # `top` leaves notes and annotations out.
    trouble = await _read_pages(client, f"{place}/items/top", "-attachment", collect)
    if trouble is not None:
        return _trouble(trouble, "has no library of yours")
    # Better BibTeX answers for the user's own library alone.
    return await _with_keys_of_better_bibtex(client, collected) if place.startswith(OWN) else collected


async def _read_pages(
    client: Client, path: str, item_type: str, collect: Callable[[Mapping[str, Any]], None]
) -> Unavailable | Missing | None:
    """Hand each item of this type, at most _MOST_ITEMS, to `collect`, in the order in which they were added.

    The first page that fails ends the reading, and its trouble is returned; None if none fails.  `-` before a type
    stands for all others.  Without a limit Zotero on this machine sends everything at once, which of a large library is
    more than one answer may have.
    """
    for start in range(0, _MOST_ITEMS, _PAGE):
        ordered = {"itemType": item_type, "sort": "dateAdded", "direction": "asc"}
        query = parameters({**ordered, "start": start, "limit": _PAGE})
        reply = await client.ask(Ask("zotero", path, query))
        if isinstance(reply, Unavailable | Missing):
            return reply
        page = list(objects(reply.data))
        for raw in page:
            collect(raw)
        if len(page) < _PAGE:
            break
    return None


def _trouble(reply: Unavailable | Missing, why_missing: str) -> Unavailable:
    """Say why there is no answer; `why_missing` says it of a 404, to be read behind the word Zotero."""
    return reply if isinstance(reply, Unavailable) else Unavailable("zotero", why_missing)


async def _with_keys_of_better_bibtex(client: Client, found: Sequence[Item]) -> Sequence[Item]:
    """Return the items, with citekeys from Better BibTeX for those without: before Zotero 8 the API does not show them.

    Better BibTeX answers {"ABCD1234": "roe2019", …} to the keys of items.  A citekey that some language cannot cite is
    left out.  If Better BibTeX is not there, the items stay as they are.
    """
    without = [it.record.id for it in found if not it.citekey]
    if not without:
        return found
    # `obj` makes an empty object of anything else, such as Unavailable.
    answer_of = obj(await better_bibtex(client, "item.citationkey", without))
    citekey_of_item: dict[str, str] = {}
    for item_key in without:
        citekey = text(answer_of.get(item_key))
        if _KEY.fullmatch(citekey):
            citekey_of_item[item_key] = citekey
    return [replace(it, citekey=it.citekey or citekey_of_item.get(it.record.id, "")) for it in found]


def _address(place: str, item: Mapping[str, Any]) -> str:
    """The link that shows an item in Zotero: zotero://select/library/items/ABCD1234, or …/groups/12345/items/…"""
    scope = "library" if place.startswith(OWN) else "/".join(place.split("/")[2:4])
    return f"zotero://select/{scope}/items/{encode_segment(text(item.get('key')))}"


async def versions(client: Client, place: str) -> Mapping[str, Any] | Unavailable:
    """Item key → version, which changes with the item; what tells cheaply whether a library is as it was."""
    query = parameters({"itemType": "-attachment", "format": "versions"})
    reply = await client.ask(Ask("zotero", f"{place}/items/top", query))
    if isinstance(reply, Unavailable | Missing):
        return _trouble(reply, "has no library of yours")
    return obj(reply.data)


async def collections(client: Client, place: str, name: str) -> Sequence[str] | Unavailable:
    """Return the API paths of the collections with this name in a library, and of all below them; empty if none has it.

    `place` is the API path of the library; `name` is compared in any letter case.  Zotero lists all collections:
    [{"key": "ABCD1234", "data": {"name": "Thesis", "parentCollection": false, or the key of the one above}}, …]
    """
    reply = await client.ask(Ask("zotero", f"{place}/collections"))
    if isinstance(reply, Unavailable | Missing):
        return _trouble(reply, "has no library of yours")
    data_of = {text(it.get("key")): obj(it.get("data")) for it in objects(reply.data)}
    chosen = {key for key, data in data_of.items() if text(data.get("name")).casefold() == name.casefold()}
    # One level of collections is added a round; there are no more levels than collections.
    for _ in data_of:
        below = {key for key, data in data_of.items() if text(data.get("parentCollection")) in chosen} - chosen
        if not below:
            break
        chosen |= below
    return [f"{place}/collections/{encode_segment(it)}" for it in sorted(chosen)]


async def name_of(client: Client, place: str) -> str:
    """Name a library as people know it."""
    if place == OWN:
        return "My Library"
    reply = await client.ask(Ask("zotero", place))
    name = text(dig(reply.data, "data", "name")) if isinstance(reply, Reply) else ""
    return name or f"Group {place.rpartition('/')[2]}"


async def attachments(client: Client, place: str = OWN) -> Mapping[str, Sequence[str]] | Unavailable:
    """Return for each item's key the keys of the PDF files attached to it, in the order in which they were added.

    [{"data": {"key": "PQRS5678", "parentItem": "ABCD1234", "contentType": "application/pdf"}}, …]; a file that belongs
    to no item is left out.
    """
    pdfs_of: dict[str, list[str]] = {}

    def collect(attachment: Mapping[str, Any]) -> None:
        data = obj(attachment.get("data"))
        parent = text(data.get("parentItem"))
        if parent and text(data.get("contentType")) == "application/pdf":
            pdfs_of.setdefault(parent, []).append(text(data.get("key")))

    # In the order of adding: the first PDF is the paper as a rule, later ones are supplements.
    trouble = await _read_pages(client, f"{place}/items", "attachment", collect)
    return pdfs_of if trouble is None else _trouble(trouble, "lists no attachments")


async def file_of(client: Client, attachment: str, place: str = OWN) -> Path | None:
    """Return the path of a PDF on this machine; None without an answer, or if it is not here or no PDF."""
    reply = await client.ask(Ask("zotero", f"{place}/items/{encode_segment(attachment)}/file/view/url", want="text"))
    if isinstance(reply, Unavailable | Missing):
        return None
    try:
        address = urlsplit(reply.data.strip())
        path = Path(url2pathname(address.path))
    except (ValueError, OSError):
        return None
    is_here = address.scheme == "file" and address.netloc in {"", "localhost"}
    return path if is_here and path.suffix.lower() == ".pdf" else None


async def better_bibtex(client: Client, method: str, *values: object) -> Any:  # noqa: ANN401  any JSON value
    """The result of a Better BibTeX call; Unavailable if it fails or is not installed."""
    body = {"jsonrpc": "2.0", "method": method, "params": list(values), "id": 1}
    reply = await client.ask(Ask("zotero", "/better-bibtex/json-rpc", body=body))
    if isinstance(reply, Unavailable | Missing):
        return _trouble(reply, "Better BibTeX is not installed")
    error = text(dig(reply.data, "error", "message"))
    if error:
        return Unavailable("zotero", error)
    return obj(reply.data).get("result")


async def search(client: Client, words: str) -> Sequence[Candidate] | Unavailable:
    """Search the user's libraries by words for at most 20 works, whose ids are their citekeys.

    The id of one without a citekey is the item's key, or if it comes from Better BibTeX its DOI.

    Better BibTeX searches all libraries and sends CSL-JSON with "citekey"; if it is not there, or cannot search, each
    library is asked.  Unavailable if the libraries are (`_search_libraries`), or if Better BibTeX sends anything else.
    """
    answered = await better_bibtex(client, "item.search", words)
    if isinstance(answered, Unavailable):
        keyed = await _search_libraries(client, words)
        if isinstance(keyed, Unavailable):
            return keyed
    else:
        try:
            keyed = [(strict_text(it.get("citekey")), crossref.read_record(it)) for it in read_objects(answered)]
        except FormError:
            return Unavailable("zotero", "Better BibTeX answered unexpectedly")
    candidates: list[Candidate] = []
    for key, record in keyed:
        if record.title:
            named = replace(record, source="zotero", id=key or record.id)
            candidates.append(Candidate(named, origins=("zotero",), key=key))
    return candidates[:_MOST_HITS]


async def _search_libraries(client: Client, words: str) -> list[tuple[str, Record]] | Unavailable:
    """Search each of the user's libraries by words; return the citekeys ("" without one) and works of what was found.

    Unavailable if none of them has a work and one could not be asked.
    """
    limit = str(_MOST_HITS)
    query = parameters({"q": words, "qmode": "titleCreatorYear", "itemType": "-attachment", "limit": limit})
    by_library, trouble = await _ask_libraries(client, query)
    if trouble and not any(by_library):
        return trouble
    # The first of each library, then the second of each: a full library of their own would leave groups no room.
    in_turn = chain.from_iterable(zip_longest(*by_library))
    return [(citekey_of(it), read_record(it)) for it in in_turn if it is not None]


async def _ask_libraries(
    client: Client, query: tuple[tuple[str, str], ...]
) -> tuple[list[Sequence[Mapping[str, Any]]], Unavailable | None]:
    """Ask each of the user's libraries; return the items of each, and the trouble if one could not be asked, else None.

    The user's own library comes first.  If the groups cannot be listed, it is asked alone, and that is the trouble.
    """
    listing = await libraries(client)
    trouble: Unavailable | None = None
    if isinstance(listing, Unavailable):
        trouble = listing
        listing = (OWN,)
    replies = await asyncio.gather(*(client.ask(Ask("zotero", f"{it}/items/top", query)) for it in listing))
    by_library: list[Sequence[Mapping[str, Any]]] = []
    for reply in replies:
        if isinstance(reply, Reply):
            by_library.append(list(objects(reply.data)))
        else:
            by_library.append(())
            trouble = _trouble(reply, "lacks a library of yours")
    return by_library, trouble


async def is_running(client: Client) -> bool:
    """True if Zotero's connector answers, by which browsers save to it."""
    return isinstance(await client.ask(Ask("zotero", "/connector/ping", want="text")), Reply)


async def add(client: Client, entry: str) -> Unavailable | None:
    """Have Zotero import an entry of BibTeX into the collection that is open there; None if it did."""
    query = parameters({"session": token_hex(8)})
    headers = (("X-Zotero-Connector-API-Version", "3"), ("Content-Type", "application/x-bibtex; charset=utf-8"))
    reply = await client.ask(Ask("zotero", "/connector/import", query, "text", body=entry, headers=headers))
    if isinstance(reply, Missing):
        return Unavailable("zotero", "has no connector")
    return reply if isinstance(reply, Unavailable) else None


async def find_by_citekey(client: Client, key: str) -> Lookup:
    """Find the items of this citekey by Better BibTeX, in all libraries, or if it is not there by Zotero's own search.

    That gives the items of groups only if the user's own library has none.
    """
    hits = await better_bibtex(client, "item.search", key)
    # What Better BibTeX does not know no item has: its keys are Zotero's own, and it works with the API switched off.
    if isinstance(hits, Unavailable):
        return await _find_by_own_citekey(client, key)
    return answer("zotero", Reply(HTTPStatus.OK, hits), lambda data: _keyed(data, key))


async def _find_by_own_citekey(client: Client, key: str) -> Lookup:
    """Find a citekey's items by Zotero's own search; Unavailable if none has it and a library could not be asked."""
    # Everything is searched, as `extra` is where Zotero 7 keeps a key.
    query = parameters({"q": key, "qmode": "everything", "itemType": "-attachment"})
    by_library, trouble = await _ask_libraries(client, query)
    own, *groups = [[it for it in items_of_one if citekey_of(it) == key] for items_of_one in by_library]
    meant = own or list(chain.from_iterable(groups))
    if trouble and not meant:
        return trouble
    return answer("zotero", Reply(HTTPStatus.OK, meant), lambda data: (replace(it, id=key) for it in works(data)))


def citekey_of(raw: object) -> str:
    """Read the citekey of an item, {"data": {"citationKey": "roe2019", "extra": "Citation Key: roe2019"}}.

    Zotero 8 has a field for it, older versions a line of `extra`.  "" if there is none that every language can cite.
    """
    data = obj(dig(raw, "data"))
    own = data.get("citationKey")
    extra = data.get("extra")
    key = own.strip() if isinstance(own, str) else ""
    note = _KEY_NOTE.search(extra) if isinstance(extra, str) and not key else None
    if note:
        key = note[1]
    return key if _KEY.fullmatch(key) else ""


def _keyed(data: object, key: str) -> Iterator[Record]:
    # The search also finds keys that merely hold this one.
    meant = (it for it in read_objects(data) if strict_text(it.get("citekey")) == key)
    return (replace(crossref.read_record(it), source="zotero", id=key) for it in meant)


def works(data: object) -> Iterator[Record]:
    return (read_record(item) for item in objects(data))


def read_record(raw: object, *, abstract: bool = True) -> Record:
    """Read an item, whose key becomes the record's id; which field has the venue depends on the item's type.

    Without `abstract` the abstract is left out.  What has another form counts as empty, without the FormError of other
    services: no entry is accused by what Zotero has.

    {"data": {"key": "ABCD1234", "itemType": "journalArticle", "title": "…", "creators": [{"creatorType": "author",
    "firstName": "Jane", "lastName": "Roe"}], "publicationTitle": "Nature", "date": "May 2019", "DOI": "10.…",
    "archiveID": "arXiv:1905.01234", "ISBN": "978… 978…"}, "meta": {"parsedDate": "2019-05"}}
    """
    data = obj(dig(raw, "data"))
    published = year(dig(raw, "meta", "parsedDate")) or year(data.get("date"))
    # Zotero has no field for an arXiv id: its preprints name it as archive ID, older items in `extra` or the address.
    archive = f"{text(data.get('archiveID'))} {text(data.get('extra'))} {text(data.get('url'))}"
    note = _ARXIV_NOTE.search(archive.replace(".org/abs/", ":"))
    venues = (text(data.get(name)) for name in _VENUES)
    return Record(
        source="zotero",
        id=text(data.get("key")),
        title=clean.title(text(data.get("title"))),
        authors=tuple(_creators(data)),
        years=(published,) if published else (),
        date=text(dig(raw, "meta", "parsedDate")),
        venue=next(filter(None, venues), ""),
        venue_aliases=tuple(filter(None, [text(data.get("journalAbbreviation")), text(data.get("conferenceName"))])),
        type=_TYPES.get(text(data.get("itemType")), ""),
        identifiers=make_identifiers(
            doi_text=text(data.get("DOI")),
            arxiv_text=note[1] if note else "",
            # Zotero lists the ISBNs of all bindings, with spaces between.
            isbn=normal_isbn(text(data.get("ISBN")).partition(" ")[0]),
        ),
        volume=text(data.get("volume")),
        issue=text(data.get("issue")),
        pages=text(data.get("pages")).replace("–", "-"),
        publisher=text(data.get("publisher")),
        abstract=clean.plain(text(data.get("abstractNote"))) if abstract else "",
        url=text(data.get("url")),
    )


def _creators(data: Mapping[str, Any]) -> Iterator[Name]:
    for creator in objects(data.get("creators")):
        if text(creator.get("creatorType")) in {"author", "presenter", "programmer", ""}:
            name = text(creator.get("name"))
            if name:
                yield Name(name, literal=True)
            elif family := text(creator.get("lastName")):
                yield clean.person(text(creator.get("firstName")), family)
