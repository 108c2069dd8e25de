"""Small PDF files written by hand."""

import zlib


def shown(lines):
    """A page's content: these lines of text."""
    text = "\n".join(f"({it.translate(str.maketrans('', '', '()'))}) Tj T*" for it in lines)
    return f"BT /F1 10 Tf 50 800 Td 14 TL\n{text}\nET".encode()


def stream(content, *, packed=0):
    """A stream object, compressed so many times."""
    for _ in range(packed):
        content = zlib.compress(content, 9)
    filters = f" /Filter [{'/FlateDecode ' * packed}]" if packed else ""
    return b"<< /Length %d%s >>\nstream\n%s\nendstream" % (len(content), filters.encode(), content)


def written(path, pages, *, trailer="", form=b""):
    """A PDF whose pages are stream objects; where there is one stream, `pages` may be (stream, times).

    `form`: a stream object that pages may draw by `/X1 Do`.
    """
    streams = [pages[0]] * pages[1] if isinstance(pages, tuple) else pages
    unique = list(dict.fromkeys(streams))
    first = 4 + len(streams)
    kids = " ".join(f"{4 + it} 0 R" for it in range(len(streams)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(streams)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 850] /Contents %d 0 R "
    drawn = b"/XObject << /X1 %d 0 R >> " % (first + len(unique)) if form else b""
    page += b"/Resources << /Font << /F1 3 0 R >> %s>> >>"
    objects += [page % (first + unique.index(it), drawn) for it in streams]
    body, offsets = b"%PDF-1.4\n", []
    for number, it in enumerate([*objects, *unique, *filter(None, [form])], 1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, it)
    table = "".join(f"{it:010d} 00000 n \n" for it in offsets)
    end = f"trailer << /Size {len(offsets) + 1} /Root 1 0 R {trailer} >>\nstartxref\n{len(body)}\n%%EOF"
    path.write_bytes(body + f"xref\n0 {len(offsets) + 1}\n0000000000 65535 f \n{table}{end}".encode())
    return path


ENCRYPTED = (
    "/Encrypt << /Filter /Standard /V 1 /R 2 /Length 40 /P -4 "
    f"/O <{'41' * 32}> /U <{'42' * 32}> >> /ID [<{'43' * 16}> <{'43' * 16}>]"
)
