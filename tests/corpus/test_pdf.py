import subprocess
import sys
from dataclasses import replace

import pytest

import pdf_files
from citelsp.corpus import imports, pdf_extraction, pdf_processes, reference_list
from citelsp.corpus.index import Corpus
from citelsp.corpus.work import Work, from_mapping

pytest.importorskip("pypdfium2")

PAGE = """Zeppelins and Other Airships
Ada Lovelace
doi:10.1000/airship.1
Abstract
Airships float because hydrogen is light, and we show that this has been so for a rather long time already.

1 Introduction
Much has been written on the buoyancy of gases since antiquity, and not all of it was right.

References
[1] C. Babbage. Engines. doi:10.1000/engine.7.
[2] L. Menabrea. 1842. Notions of the Analytical Engine. In Bibliotheque Universelle.
[3] B. Franklin, "Balloons and what they are good for," Letters, 1783."""


def paper(path, text=PAGE):
    return pdf_files.written(path, [pdf_files.stream(pdf_files.shown(text.splitlines()))])


def numbered(rows, first):
    """A page's content: rows at 46 or 56 points, before each its number, so near that it is read as its beginning."""
    shown = []
    for at, (left, text) in enumerate(rows):
        number = str(first + at)
        base = 780 - 14 * at
        shown += [f"1 0 0 1 {left} {base} Tm ({text}) Tj"]
        shown += [f"1 0 0 1 {40 - 5.56 * len(number):.2f} {base} Tm ({number}) Tj"]
    return pdf_files.stream(("BT /F1 10 Tf\n" + "\n".join(shown) + "\nET").encode())


def test_numbers_of_lines_near_the_text_leave_the_indents_as_they_are(tmp_path):
    body = [(46, "Much has been written on the buoyancy of gases, and not all of it was right.")] * 30
    item = [(46, "Babbage, C. Of the economy of machinery and"), (56, "manufactures. Charles Knight, 1832.")]
    pages = [numbered(body, 900), numbered([(46, "References"), *item * 10], 993)]
    ((_, read),) = pdf_processes.read_papers([pdf_files.written(tmp_path / "numbered.pdf", pages)])
    text = "Babbage, C. Of the economy of machinery and manufactures. Charles Knight, 1832."
    assert [it.text for it in read.references] == [text] * 10


def told(problems):
    return [it.replace("\\", "/").rpartition("/")[2] for it in problems]


def test_a_folder_of_pdfs_gives_its_works_and_one_line_for_every_other_file(tmp_path):
    paper(tmp_path / "a.pdf")
    pdf_files.written(tmp_path / "b.pdf", [pdf_files.stream(b"")])
    (tmp_path / "c.PDF").write_text("not a PDF")
    pdf_files.written(tmp_path / "d.pdf", (pdf_files.stream(pdf_files.shown(["long"])), 2000))
    pdf_files.written(tmp_path / "e.pdf", [pdf_files.stream(b"")], trailer=pdf_files.ENCRYPTED)
    problems = []
    (work,) = imports.read(tmp_path, problems.append)
    assert (work.id, work.title) == ("doi:10.1000/airship.1", "Zeppelins and Other Airships")
    assert work.abstract.startswith("Airships float")
    assert "buoyancy" in work.text
    assert "Babbage" not in work.text
    assert len(work.listed) == 3
    assert told(problems) == [
        "b.pdf: contains no text; it may be a scan",
        "c.PDF: is not a readable PDF",
        f"d.pdf: has 2000 pages; at most {pdf_extraction.PAGES} are read",
        "e.pdf: is encrypted",
    ]


@pytest.fixture(scope="module")
def read_with_a_bomb(tmp_path_factory):
    """The works and problems of a folder with some kilobytes of which each of 300 pages takes long to draw."""
    folder, problems = tmp_path_factory.mktemp("bomb"), []
    paper(folder / "a.pdf")
    pdf_files.written(folder / "b.pdf", (pdf_files.stream(b" q Q" * 5_000_000, packed=2), 300))
    paper(folder / "c.pdf", PAGE.replace("airship.1", "airship.2"))
    return list(pdf_processes.read(sorted(folder.glob("*.pdf")), problems.append, seconds=1)), problems


@pytest.mark.slow
def test_a_bomb_costs_one_line(read_with_a_bomb):
    found, problems = read_with_a_bomb
    assert [it.doi for it in found] == ["10.1000/airship.1", "10.1000/airship.2"]
    assert len(problems) == 1
    assert told(problems)[0].startswith("b.pdf: ")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the processor's time is not limited there")
def test_a_file_may_take_seconds_of_the_processor_however_long_that_is_on_the_clock(read_with_a_bomb):
    assert told(read_with_a_bomb[1]) == ["b.pdf: took longer than 1 seconds"]


def test_a_reader_that_ends_in_the_middle_of_its_answer_costs_one_line(tmp_path, monkeypatch):
    def start_module(*_):
        program = 'import sys; sys.stdin.readline(); print(end=\'{"title": "Zepp\')'
        return subprocess.Popen(
            [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    monkeypatch.setattr(pdf_processes.programs, "start_module", start_module)
    problems = []
    assert list(pdf_processes.read([paper(tmp_path / "cut.pdf")], problems.append)) == []
    assert len(problems) == 1
    assert "crashed" in problems[0]


def test_files_that_were_read_are_not_read_again(tmp_path):
    paper(tmp_path / "a.pdf")
    with Corpus(tmp_path / "corpus", create=True) as corpus:
        assert corpus.add(pdf_processes.read([tmp_path / "a.pdf"], pytest.fail, corpus.store.has_file)).new == 1
        (tmp_path / "a.pdf").rename(tmp_path / "renamed.pdf")
        assert list(pdf_processes.read([tmp_path / "renamed.pdf"], pytest.fail, corpus.store.has_file)) == []


def test_a_file_that_an_earlier_version_read_is_read_again_in_its_place(tmp_path):
    """Its title was a line at the top of the page then; other works stay, also those known by their title alone."""
    file = paper(tmp_path / "a.pdf")
    with Corpus(tmp_path / "corpus", create=True) as corpus:
        plain = pdf_processes.digest_of(file).partition(":")[2]
        misread = from_mapping({"title": "Last updated in May", "text": "Last updated in May"})
        corpus.add([replace(misread, file=plain), from_mapping({"title": "Another Work"})])
        added = corpus.add(pdf_processes.read([file], pytest.fail, corpus.store.has_file))
        assert (added.new, added.changed) == (0, 1)
        assert corpus.lookup(title="Last updated in May") == []
        assert len(corpus.lookup(doi="10.1000/airship.1")) == 1
        assert len(corpus.lookup(title="Another Work")) == 1
        assert corpus.store.works_of_files([plain]) == []
        assert list(pdf_processes.read([file], pytest.fail, corpus.store.has_file)) == []


def test_the_works_a_pdf_cites_are_linked_whenever_they_come(tmp_path):
    notions, balloons = (
        Work("notions", "Notions of the Analytical Engine"),
        Work("balloons", "Balloons and What They Are Good For"),
    )
    engines = Work("engines", "Engines that Compute", doi="10.1000/engine.7")
    with Corpus(tmp_path / "corpus", create=True) as corpus:
        corpus.add([notions])
        corpus.add(pdf_processes.read([paper(tmp_path / "a.pdf")], pytest.fail))
        corpus.add([balloons, engines])
        number = corpus.store.numbers(["doi:10.1000/airship.1"])["doi:10.1000/airship.1"]
        assert corpus.store.ids(corpus.store.cites([number])[number]) == ["notions", "balloons", "engines"]


def test_a_pdf_completes_what_is_known_of_its_work_already(tmp_path):
    known = Work("mine", "Zeppelins & Other Airships", authors=("Ada Lovelace",), year=1843, doi="10.1000/airship.1")
    with Corpus(tmp_path / "corpus", create=True) as corpus:
        corpus.add([known])
        corpus.add(pdf_processes.read([paper(tmp_path / "a.pdf")], pytest.fail))
        corpus.add([known])
        (work,) = corpus.works()
        assert (work.id, work.year, work.authors) == ("mine", 1843, ("Ada Lovelace",))
        assert "buoyancy" in work.text
        assert corpus.engine.search("passage", {"buoyanc": 1.0}, 5)


def test_a_pdf_with_a_title_that_many_works_have_completes_only_one_of_its_authors(tmp_path):
    mine = Work("mine", "Introduction", authors=("Ada Lovelace",), doi="10.1000/1")
    with Corpus(tmp_path / "corpus", create=True) as corpus:
        corpus.add([mine])
        added = corpus.add([Work("theirs", "Introduction", authors=("Babbage, C.",), text="On wool.", file="3:a")])
        assert (added.new, corpus.fulltext("mine")) == (1, "")
        added = corpus.add([Work("mine too", "Introduction", authors=("Lovelace, A.",), text="On cards.", file="3:b")])
        assert (added.new, corpus.fulltext("mine")) == (0, "On cards.")
        later = Work("later", "Introduction", authors=("Lovelace, A.",), doi="10.1000/2", text="On songs.", file="3:c")
        assert (corpus.add([later]).new, corpus.fulltext("mine")) == (1, "On cards.")


ITEMS = [
    "Vaswani, A., Shazeer, N. (2017). Attention is all you need. Advances in Neural Information Processing Systems.",
    "Devlin, J. and Chang, M. 2019. BERT: Pre-training of deep bidirectional transformers. In Proceedings of NAACL.",
    "Kingma, D. P. and Ba, J. Adam: A method for stochastic optimization. arXiv:1412.6980, 2014.",
]


def test_an_item_of_a_list_may_be_known_by_its_title_and_its_identifier():
    titles = [
        "Attention is all you need",
        "BERT: Pre-training of deep bidirectional transformers",
        "Adam: a method for stochastic optimization",
    ]
    for item, title in zip(ITEMS, titles, strict=True):
        assert reference_list.title_name(title) in reference_list.names(item)
    assert "arxiv:1412.6980" in reference_list.names(ITEMS[2])
