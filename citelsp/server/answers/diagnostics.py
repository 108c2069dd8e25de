"""Findings on their way to the editor: asked for by it (pull), or sent after a pause in typing (push).

An editor that pulls is sent the findings of a document until it asks for them, so that none is shown twice.
They are written as JSON at once: thousands of objects of the protocol's types would hold up the next keystroke.
"""

from hashlib import blake2b
from typing import TYPE_CHECKING

from lsprotocol import types

from citelsp.base import address, docs
from citelsp.base.text import still
from citelsp.checks.finding import with_key
from citelsp.server.answers import lent_library
from citelsp.server.state import snapshot
from citelsp.server.wire import to_lsp
from citelsp.server.wire.documents import path_of
from citelsp.workspace.disk import identity

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from citelsp.base.text import Span
    from citelsp.checks.finding import Finding
    from citelsp.server.server import Server
    from citelsp.server.wire.client import EditorClient
    from citelsp.server.wire.to_lsp import Places

Json = dict[str, object]

# Longer than between the letters of a word, so that no half-typed key is underlined.
_PAUSE = 0.3  # seconds without a keystroke
_SEVERITIES = {"error": 1, "warning": 2, "information": 3, "hint": 4}
_UNNECESSARY = types.DiagnosticTag.Unnecessary.value


def schedule(ls: "Server") -> None:
    """Send the findings when the author pauses."""
    ls.jobs.later("diagnostics", _PAUSE, lambda: publish(ls))


def refresh(ls: "Server") -> None:
    """What is known changed, though no document did: send or have asked for anew."""
    schedule(ls)
    if ls.client.pulls:
        ls.workspace_diagnostic_refresh(None)


async def publish(ls: "Server") -> None:
    """Send the editor the findings of all documents of the projects that have an open one, such as its bibliographies.

    Findings that the editor still shows of other documents are cleared.  Documents whose findings it asks for itself
    (`pull`) are left out.  If a manuscript wants a library from Zotero or a bibliography from elsewhere, these are
    looked for in the background, and `refresh` is called, which publishes again, if one comes.
    """
    sent: dict[str, str] = {}  # path → URI
    for moment in await snapshot.take_all(ls):  # one of each project
        lent_library.look_for_library(ls, moment, changed=refresh)
        lent_library.fetch_bibliographies(ls, moment, changed=refresh)
        findings_of_project = await ls.findings.findings_of(moment.project, moment.knowledge)
        for path, findings in group_by_path(findings_of_project).items():
            buffer = ls.documents.get(path)
            asks_itself = buffer is not None and buffer.pulled
            if path in sent or asks_itself:  # a document of two projects was sent with the first
                continue
            uri = moment.places.uri(path)
            sent[path] = uri
            ls.shown.add(uri)
            items = written(moment.places, path, findings, ls.client)
            _send_findings(ls, uri, items, version=moment.places.versions.get(path))
    _clear_others(ls, set(sent.values()))


def _clear_others(ls: "Server", sent_uris: set[str]) -> None:
    """Send an empty list of findings for each document that had some before and was sent none now.

    An editor keeps what it was sent until it is sent something else, even after the document was closed.
    """
    sent_files = {identity(path_of(uri)) for uri in sent_uris}
    for uri in ls.shown - sent_uris:
        if identity(path_of(uri)) not in sent_files:  # another spelling of what was sent would clear that
            _send_findings(ls, uri, [])
    ls.shown &= sent_uris


async def pull(ls: "Server", params: types.DocumentDiagnosticParams) -> Json:
    """Return the findings of one document, which the editor asks for, or “unchanged” if it has them already.

    The first request marks the document as one whose findings the editor asks for: `publish` sends none of it any more,
    and those that it sent before are cleared, or the editor would show them twice.
    """
    buffer = ls.documents.get(ls.documents.path_of(params.text_document.uri))
    if buffer and not buffer.pulled:
        buffer.pulled = True
        if buffer.uri in ls.shown:
            ls.shown.discard(buffer.uri)
            _send_findings(ls, buffer.uri, [])
    moment = await snapshot.take(ls, params.text_document.uri)
    findings = group_by_path(await ls.findings.findings_of(moment.project, moment.knowledge)).get(moment.path, [])
    items = written(moment.places, moment.path, findings, ls.client)
    # The id is a digest of the findings: a keystroke in prose changes none, and the editor need not read them again.
    result_id = blake2b(repr(items).encode(), digest_size=8).hexdigest()
    if result_id == params.previous_result_id:
        return {"kind": "unchanged", "resultId": result_id}
    return {"kind": "full", "items": items, "resultId": result_id}


def group_by_path(findings: "Iterable[Finding]") -> "dict[str, list[Finding]]":
    """The findings of each document; none of citelsp's own pages, which the link of a finding opens."""
    by_path: dict[str, list[Finding]] = {}
    for finding in findings:
        if not docs.is_page(finding.path):
            by_path.setdefault(finding.path, []).append(finding)
    return by_path


def written(places: "Places", path: str, findings: "Sequence[Finding]", client: "EditorClient") -> list[Json]:
    """Return the findings of the document at `path` as Diagnostics in JSON, in their order.

    `places` works out positions in the project's documents.  Members that the editor did not say it can show, such as
    related places, are left out.
    """
    # All positions of a document in one pass: each alone would read a bibliography from its beginning.
    spans_by_path = {path: [finding.span for finding in findings]}
    if client.related:
        for finding in findings:
            for related in finding.related:
                spans_by_path.setdefault(related.path, []).append(related.span)
    ranges: dict[tuple[str, Span], object] = {}
    for document, spans in spans_by_path.items():
        for span, range_ in places.ranges(document, spans).items():
            ranges[document, span] = to_lsp.write_range(range_)
    return [_make_diagnostic(places, path, finding, client, ranges) for finding in findings]


def _make_diagnostic(
    places: "Places",
    path: str,
    finding: "Finding",
    client: "EditorClient",
    ranges: "Mapping[tuple[str, Span], object]",
) -> Json:
    """Return one finding of the document at `path` as a Diagnostic in JSON, with the members that the editor can show.

    `ranges`: the positions of the finding and its related places, by path and span.  `data` tells who reads the JSON
    which entry and field are meant.  `still` takes out characters that move a cursor or turn the direction of writing.
    """
    diagnostic: Json = {
        "range": ranges[path, finding.span],
        "message": still(with_key(finding.message, finding.key)),
        "severity": _SEVERITIES[finding.severity],
        "code": finding.code,
        "source": "citelsp",
    }
    page = _find_page(finding.code, client) if client.code_links else ""
    if page:
        diagnostic["codeDescription"] = {"href": page}
    if finding.faded and client.tags:
        diagnostic["tags"] = [_UNNECESSARY]
    if finding.related and client.related:
        diagnostic["relatedInformation"] = [
            {
                "location": {"uri": places.uri(related.path), "range": ranges[related.path, related.span]},
                "message": still(related.message),
            }
            for related in finding.related
        ]
    if client.diagnostic_data:
        diagnostic["data"] = {"key": finding.key, "field": finding.field}
    return diagnostic


def _find_page(code: str, client: "EditorClient") -> str:
    """Where the editor can open the page about a kind of finding; "" if nowhere.

    On the web if citelsp has an address there, else in the installed package, which only an editor on this machine has.
    """
    on_the_web = address.finding_address(code)
    if on_the_web:
        return on_the_web
    return docs.uri_of_finding(code) if client.same_machine else ""


def _send_findings(ls: "Server", uri: str, items: list[Json], version: int | None = None) -> None:
    """Send these findings instead of all before; `version`: the document's, None if it is not open."""
    params: Json = {"uri": uri, "diagnostics": items}
    if version is not None:
        params["version"] = version
    ls.protocol.notify(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, params)
