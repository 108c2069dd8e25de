"""An entry that stands for no work, replaced by the one the author picks; its key stays, so its citations do."""

from citelsp.bibliography import render
from citelsp.features import exports
from citelsp.features.insert_entry import dialect
from citelsp.features.values import Change, Refused, file_name
from citelsp.knowledge import Record
from citelsp.project import Place, Project
from citelsp.text import Edit


def edits_for(project: Project, place: Place, record: Record) -> Change | Refused:
    """The whole entry rewritten from the record under its own key."""
    document = place.source.document
    if document.language != "bibtex" or not place.source.writable:
        return Refused(f"{file_name(document.path)} cannot be written.")
    if exporter := exports.exporter(place.source):
        return Refused(f"{file_name(document.path)} is exported by {exporter}: replace the item there.")
    style = render.style_of(document)
    text = render.render(record, place.node.key, style, dialect(project, style))
    return Change((Edit(document.path, place.span, text.strip()),))
