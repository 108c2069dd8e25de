"""A printed reference read into the fields of an entry, with what was not read for certain.

Nobody can read every reference: what is left out is not compared, and a doubtful title is looked for without accusing.
Considered and left: refextract (GPL), AnyStyle (Ruby) and GROBID (a service in Java, which reads PDFs as it is).
"""

from citelsp.bibliography.reference_reading.printed_fields import Reading, read
from citelsp.syntax.formats.items import ReferenceItem

__all__ = ["Reading", "of", "read"]


def read_item(item: ReferenceItem) -> Reading:
    return read(item.text, "tex" if item.kind == "bibitem" else "plain")
