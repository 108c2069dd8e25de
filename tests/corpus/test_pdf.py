import pytest

from citelsp.corpus import imports, pdf

pytest.importorskip("pypdfium2")

PAGE = """Zeppelins and Other Airships
Ada Lovelace
doi:10.1000/airship.1
Abstract
Airships float because hydrogen is light, and we show that this has been so for a rather long time already.

1 Introduction
Much has been written on the buoyancy of gases since antiquity, and not all of it was right.

References
[1] C. Babbage. Engines. doi:10.1000/engine.7."""


def written(path, lines, pages=1):
    """A minimal PDF with the same lines of text on every page."""
    shown = "\n".join(f"({it.replace('(', '').replace(')', '')}) Tj T*" for it in lines)
    content = f"BT /F1 10 Tf 50 800 Td 14 TL\n{shown}\nET"
    kids = " ".join(f"{4 + 2 * it} 0 R" for it in range(pages))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {pages} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number in range(pages):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 850] /Contents {5 + 2 * number} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>"
        )
        objects.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
    body, offsets = "%PDF-1.4\n", []
    for number, text in enumerate(objects, 1):
        offsets.append(len(body))
        body += f"{number} 0 obj\n{text}\nendobj\n"
    table = "".join(f"{it:010d} 00000 n \n" for it in offsets)
    size = len(objects) + 1
    trailer = f"trailer << /Size {size} /Root 1 0 R >>\nstartxref\n{len(body)}\n%%EOF"
    path.write_text(f"{body}xref\n0 {size}\n0000000000 65535 f \n{table}{trailer}", encoding="ascii")
    return path


def test_a_folder_of_pdfs_gives_its_works_and_one_line_for_every_other_file(tmp_path):
    written(tmp_path / "a.pdf", PAGE.splitlines())
    written(tmp_path / "b.pdf", [])
    (tmp_path / "c.PDF").write_text("not a PDF")
    written(tmp_path / "d.pdf", ["long"], pages=pdf.PAGES + 1)
    problems = []
    (work,) = imports.read(tmp_path, problems.append)
    assert (work.id, work.title) == ("doi:10.1000/airship.1", "Zeppelins and Other Airships")
    assert work.abstract.startswith("Airships float")
    assert work.references == ("doi:10.1000/engine.7",)
    assert "buoyancy" in work.text
    assert "Babbage" not in work.text
    assert [it.rpartition("/")[2] for it in problems] == [
        "b.pdf: holds no text: a scan?",
        "c.PDF: is not a readable PDF",
        f"d.pdf: has {pdf.PAGES + 1} pages; at most {pdf.PAGES} are read",
    ]
