"""A printed reference read into the fields of an entry, with what was not read for certain.

Nobody can read every reference: what is left out is not compared, and a doubtful title is looked for without accusing.
Considered and left: refextract (GPL), AnyStyle (Ruby) and GROBID (a service in Java, which reads PDFs as it is).
"""

from citelsp.base.footprint import MB, remember
from citelsp.bibliography.reference_reading import printed_fields
from citelsp.bibliography.reference_reading.printed_fields import Reading
from citelsp.syntax.formats.items import ReferenceItem

__all__ = ["Reading", "read", "read_item"]


def read_item(item: ReferenceItem) -> Reading:
    """What an item of a list says."""
    return read(item.text, "tex" if item.kind == "bibitem" else "plain")


@remember(16 * MB)  # checks, reports and hovers ask for the same references in a row
def read(text: str, markup: str) -> Reading:
    """What a reference says; `markup` is "tex" or "plain"."""
    return printed_fields.read(text, markup)
