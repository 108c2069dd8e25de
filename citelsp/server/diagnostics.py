"""Findings on their way to the editor: asked for by it (pull), or sent after a pause in typing (push).

An editor that pulls is sent only the findings of documents that it has not opened, so that none is shown twice.
"""

from hashlib import blake2b
from typing import TYPE_CHECKING

from lsprotocol import types

from citelsp.server import moment, to_lsp

if TYPE_CHECKING:
    from collections.abc import Iterable

    from citelsp.checks.finding import Finding
    from citelsp.server.server import Server

_PAUSE = 0.3  # seconds without a keystroke


def schedule(ls: "Server") -> None:
    """Send the findings when the author pauses."""
    ls.jobs.later("diagnostics", _PAUSE, lambda: publish(ls))


def refresh(ls: "Server") -> None:
    """What is known changed, though no document did: send or have asked for anew."""
    schedule(ls)
    if ls.client.pull and ls.client.refresh_diagnostics:
        ls.workspace_diagnostic_refresh(None)


async def publish(ls: "Server") -> None:
    """Send the findings of all documents that belong to an open one, and clear those that have none any more."""
    sent: dict[str, str] = {}
    for at in await moment.every(ls):
        for path, findings in by_path(await ls.findings.of(at.project, at.knowledge)).items():
            if path in sent or (ls.client.pull and ls.protocol.documents.get(path)):
                continue
            sent[path] = at.places.uri(path)
            items = to_lsp.diagnostics(at.places, path, findings, ls.client)
            version = at.places.versions.get(path)
            ls.text_document_publish_diagnostics(types.PublishDiagnosticsParams(sent[path], items, version))
    for uri in ls.shown - set(sent.values()):
        ls.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))
    ls.shown = set(sent.values())


async def pull(ls: "Server", params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
    """The findings of one document, or that they are those that the editor has already."""
    at = await moment.at(ls, params.text_document.uri)
    findings = by_path(await ls.findings.of(at.project, at.knowledge)).get(at.path, [])
    items = to_lsp.diagnostics(at.places, at.path, findings, ls.client)
    name = blake2b(repr(items).encode(), digest_size=8).hexdigest()
    if name == params.previous_result_id:
        return types.RelatedUnchangedDocumentDiagnosticReport(name)
    return types.RelatedFullDocumentDiagnosticReport(items, result_id=name)


def by_path(findings: "Iterable[Finding]") -> "dict[str, list[Finding]]":
    found: dict[str, list[Finding]] = {}
    for it in findings:
        found.setdefault(it.path, []).append(it)
    return found
