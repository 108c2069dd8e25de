import ctypes

import pytest

import pdf_files
from citelsp.corpus import pdf_letters, pdf_lines

pdfium = pytest.importorskip("pypdfium2")


def opened(folder, content, form=b""):
    """pdfium's text of a page with this content."""
    path = pdf_files.written(folder / "a.pdf", [pdf_files.stream(content)], form=form)
    return pdfium.PdfDocument(path)[0].get_textpage()


@pytest.mark.parametrize(
    "shown",
    [
        pytest.param("1 0 0 1 50 700 Tm (straight) Tj", id="straight"),
        pytest.param("1 0.05 -0.05 1 50 700 Tm (aslant) Tj", id="aslant"),
        pytest.param("1 0 0 1 50 700 Tm (H) Tj 5 Ts (2) Tj 0 Ts (O) Tj", id="raised"),
        pytest.param("1 0 0 1 50 700 Tm (base) Tj 1 0 0 1 50 690 Tm (next) Tj", id="rows"),
        pytest.param("1 0 0 1 50 700 Tm [(kern) -300 (ed) 200 (text)] TJ", id="kerned"),
        pytest.param("2 0 0 3 50 700 Tm (stretched) Tj", id="stretched"),
    ],
)
def test_letters_stand_where_pdfium_has_each(tmp_path, shown):
    words = opened(tmp_path, f"BT /F1 10 Tf {shown} ET".encode())
    x, y = ctypes.c_double(), ctypes.c_double()
    bases = []
    for index in range(words.count_chars()):
        if not chr(pdfium.raw.FPDFText_GetUnicode(words, index)).isspace():
            pdfium.raw.FPDFText_GetCharOrigin(words, index, x, y)
            bases.append(y.value)
    letters = [it for it in pdf_letters.read(words) if it is not None and it.character != " "]
    assert [it.base for it in letters] == bases
    assert letters


def test_what_stands_turned_is_left_out(tmp_path):
    turned = b"0 1 -1 0 20 300 Tm (arXiv:1905.01234) Tj"
    words = opened(tmp_path, b"BT /F1 10 Tf 1 0 0 1 50 700 Tm (A line of the page) Tj %s ET" % turned)
    assert [it.text for it in pdf_lines.read(words, 1)] == ["A line of the page"]


def test_words_on_a_page_drawn_turned_and_printed_upright_keep_their_spaces(tmp_path):
    """pdfium says of the spaces that it generates itself that they stand as the form does, not as its letters do."""
    content = pdf_files.stream(b"BT /F1 10 Tf 0 -1 1 0 100 500 Tm [(Maize) -600 (and) -600 (teosinte)] TJ ET")
    head = b"<< /Type /XObject /Subtype /Form /BBox [0 0 900 900] "
    form = content.replace(b"<< ", head + b"/Resources << /Font << /F1 3 0 R >> >> ", 1)
    (line,) = pdf_lines.read(opened(tmp_path, b"q 0 1 -1 0 600 0 cm /X1 Do Q", form), 1)
    assert line.text == "Maize and teosinte"
