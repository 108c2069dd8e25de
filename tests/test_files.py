import encodings.aliases
import os
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from citelsp import syntax
from citelsp.base import bounds
from citelsp.base.parse_cache import ParseCache
from citelsp.base.settings import Settings
from citelsp.base.splice import difference
from citelsp.base.text import Document, Span
from citelsp.syntax.bibtex import columns
from citelsp.workspace import include_graph
from citelsp.workspace.disk import EmptyDisk, LocalDisk, SteadyDisk, decode
from citelsp.workspace.files import DiskFiles

BIB = "@book{a, title = {A}}\n\n@book{b, title = {B}}\n"


@pytest.fixture
def refs(tmp_path):
    path = tmp_path / "refs.bib"
    path.write_text(BIB, encoding="utf-8")
    return path


def keys(files, path):
    source = files.read(str(path))
    return list(source.keys) if source else None


def written(path, text):
    """As Zotero writes: a new file renamed over the old one."""
    fresh = path.with_suffix(".new")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(path)


def test_unchanged_file_is_the_same_source(refs):
    files = DiskFiles([str(refs.parent)])
    assert files.read(str(refs)) is files.read(str(refs))


def test_file_replaced_by_a_rename_keeps_the_nodes_that_did_not_change(refs):
    files = DiskFiles([str(refs.parent)])
    before = files.read(str(refs))
    written(refs, BIB.replace("{B}", "{C}"))
    after = files.read(str(refs))
    assert after is not before and after.syntax.entries.node(1).raw("title") == "C"
    assert after.syntax.entries.node(0) is before.syntax.entries.node(0)


def test_same_size_and_time_are_noticed_shortly_after_writing(refs):
    files = DiskFiles([str(refs.parent)])
    files.read(str(refs))
    stat = refs.stat()
    refs.write_text(BIB.replace("{b,", "{c,"), encoding="utf-8")
    os.utime(refs, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert keys(files, refs) == ["a", "c"]


def test_deleted_and_created_again(refs):
    files = DiskFiles([str(refs.parent)])
    assert keys(files, refs) == ["a", "b"]
    refs.unlink()
    assert keys(files, refs) is None
    refs.write_text("@book{z}", encoding="utf-8")
    assert keys(files, refs) == ["z"]


def test_buffer_wins_over_the_disk_until_it_is_closed(refs):
    files = DiskFiles([str(refs.parent)])
    node = files.read(str(refs)).syntax.entries.node(0)
    files.open(str(refs), BIB, "bibtex")
    assert files.read(str(refs)).open and files.read(str(refs)).syntax.entries.node(0) is node
    files.change(str(refs), [(Span(len(BIB), len(BIB)), "@book{c}"), (Span(len(BIB) + 6, len(BIB) + 7), "d")])
    assert keys(files, refs) == ["a", "b", "d"]
    assert files.read(str(refs)).syntax.entries.node(0) is node
    files.close(str(refs))
    assert keys(files, refs) == ["a", "b"] and not files.read(str(refs)).open


def test_a_document_that_was_open_leads_to_its_parts_as_before(tmp_path):
    main, part = tmp_path / "main.tex", tmp_path / "part.tex"
    main.write_text(r"\documentclass{article}\begin{document}\input{part}\end{document}")
    part.write_text("A part.")
    files = DiskFiles([str(tmp_path)])
    assert list(files.mentions(str(part))) == [str(main)]
    files.open(str(main), main.read_text())
    files.close(str(main))
    assert list(files.mentions(str(part))) == [str(main)]


def test_buffers_of_the_editor_itself(refs):
    files = DiskFiles()
    files.open(str(refs), BIB)
    text = BIB[:6] + "x" + BIB[7:] + "@book{c}"
    files.note_change(str(refs), Span(6, 7), 1, lambda: pytest.fail("nobody reads this state"))
    files.note_change(str(refs), Span(len(BIB), len(BIB)), 8, lambda: Document(str(refs), text, "bibtex"))
    assert keys(files, refs) == ["x", "b", "c"]


def test_linked_file_and_its_buffer_are_one(refs, tmp_path):
    link = tmp_path / "paper" / "refs.bib"
    link.parent.mkdir()
    try:
        link.symlink_to(refs)
    except OSError:
        pytest.skip("this system makes no symbolic links")
    files = DiskFiles([str(link.parent)])
    assert keys(files, link) == ["a", "b"] and not files.read(str(link)).writable
    files.open(str(refs), "@book{unsaved}")
    assert keys(files, link) == ["unsaved"]
    assert files.read(str(link)).document.path == str(refs)


def test_two_names_of_one_file_are_one_source(refs):
    link = refs.with_name("other.bib")
    try:
        os.link(refs, link)
    except OSError:
        pytest.skip("this system makes no hard links")
    files = DiskFiles([str(refs.parent)])
    assert files.read(str(refs)) is files.read(str(link))


def test_writing_stays_in_the_workspace_unless_the_user_says(refs, tmp_path):
    folder = tmp_path / "paper"
    folder.mkdir()
    assert not DiskFiles([str(folder)]).read(str(refs)).writable
    assert DiskFiles([str(folder)], write_to=[str(refs)]).read(str(refs)).writable


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_pipes_devices_and_directories_are_no_files(tmp_path):
    os.mkfifo(tmp_path / "pipe.bib")
    files = DiskFiles([str(tmp_path)])
    assert keys(files, tmp_path / "pipe.bib") is None
    assert keys(files, "/dev/zero") is None
    assert keys(files, tmp_path) is None


def test_file_that_is_too_large_is_said(tmp_path):
    path = tmp_path / "main.tex"
    with path.open("wb") as file:
        file.truncate((10 << 20) + 1)
    files = DiskFiles([str(tmp_path)])
    assert files.read(str(path)) is None
    assert files.problems() == [f"{path} is larger than 10 MB and was not read."]


@pytest.mark.parametrize(
    ("data", "text", "encoding"),
    [
        ("Müller\r\n".encode(), "Müller\r\n", "utf-8"),
        ("Müller".encode("utf-8-sig"), "Müller", "utf-8-sig"),
        ("Müller".encode("utf-16"), "Müller", "utf-16"),
        ("Müller – “x”".encode("cp1252"), "Müller – “x”", "cp1252"),
        (b"M\xfcller \x81", "Müller \x81", "latin-1"),
        ("% Encoding: ISO8859_2\nŁódź".encode("iso8859-2"), "% Encoding: ISO8859_2\nŁódź", "iso8859-2"),
        ("\\usepackage[koi8-r]{inputenc} Мир".encode("koi8-r"), "\\usepackage[koi8-r]{inputenc} Мир", "koi8-r"),
        (b"% Encoding: utf-8\nM\xfcller", "% Encoding: utf-8\nMüller", "cp1252"),
        (b"% Encoding: rot13\nM\xfcller", "% Encoding: rot13\nMüller", "cp1252"),
        (b"% Encoding: undefined\nM\xfcller", "% Encoding: undefined\nMüller", "cp1252"),
        (b"% Encoding: cp500\nM\xfcller", "% Encoding: cp500\nMüller", "cp1252"),
        (b"% Encoding: mac_arabic\nM\xfcller", "% Encoding: mac_arabic\nMüller", "cp1252"),
        (b"% Encoding: unicode_escape\n\\url{\\u00e9 M\xfcller}", None, "cp1252"),
    ],
)
def test_encodings_come_back_as_the_same_bytes(data, text, encoding):
    text = text or data.decode("cp1252")
    assert decode(data) == (text, encoding)
    assert text.encode(encoding) == data


def test_binary_files_are_no_text():
    assert decode(b"%PDF\0\1") is None and decode(b"\0\0") is None


def test_zero_bytes_that_a_crash_left_behind_a_text():
    data = b"\\end{document}\n\0\0\0"
    assert decode(data) == (data.decode(), "utf-8")


@given(st.binary(max_size=60))
def test_any_bytes_decode_to_themselves(data):
    decoded = decode(data)
    assert decoded is None or decoded[1] == "utf-16" or decoded[0].encode(decoded[1]) == data


@given(st.sampled_from(sorted({*encodings.aliases.aliases, "undefined", "cp1006"})), st.binary(max_size=30))
def test_any_bytes_decode_to_themselves_whatever_encoding_they_name(name, data):
    data = f"% Encoding: {name}\n@book{{a, title = {{\\alpha}}}}\n".encode() + data
    decoded = decode(data)
    assert decoded is None or decoded.text.encode(decoded.encoding) == data
    assert decoded is None or "@book{a, title = {\\alpha}}" in decoded.text


@given(st.text("ab", max_size=12), st.text("ab", max_size=12))
def test_difference_is_the_smallest_edit(before, after):
    span, new_text = difference(before, after)
    assert before[: span.start] + new_text + before[span.end :] == after
    assert not new_text or not span.within(before) or new_text[0] != span.within(before)[0]


def test_scan_skips_what_is_foreign_and_sees_what_comes(tmp_path):
    for path in ("a.tex", ".git/b.tex", "node_modules/c.md", "e/pyvenv.cfg", "e/d.md", "sub/f.qmd", "x.txt"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).touch()
    files = DiskFiles([str(tmp_path)])
    assert [os.path.relpath(it, tmp_path) for it in files.manuscripts()] == ["a.tex", str(Path("sub/f.qmd"))]
    (tmp_path / "new.tex").write_text(r"\input{a}")
    files.refresh()
    assert files.mentions(str(tmp_path / "a.tex")) == [str(tmp_path / "new.tex")]
    (tmp_path / "new.tex").unlink()
    files.refresh()
    assert files.mentions(str(tmp_path / "a.tex")) == []


def test_folders_with_names_of_manuscripts_are_no_manuscripts(tmp_path):
    (tmp_path / "paper.tex").mkdir()
    (tmp_path / "refs.bib").mkdir()
    (tmp_path / "paper.tex" / "main.tex").touch()
    scanned = LocalDisk().scan(str(tmp_path), 3).paths
    assert scanned == [str(tmp_path / "paper.tex" / "main.tex")]


PATHS = ["main.tex", "part.tex", "notes.md", "refs.bib", "more.bib"]
PIECES = st.sampled_from(
    [
        r"\cite{a}",
        r"\input{part}",
        r"\bibliography{refs}",
        r"\documentclass{x}",
        r"\addbibresource{more.bib}",
        "@book{a, title={A}}",
        "@string{s={S}}",
        "---\nbibliography: refs.bib\n---\n",
        "[@a]",
        *"% \n{}x",
    ]
)
TEXTS = st.lists(PIECES, max_size=6).map("\n".join)


@dataclass
class Editor:
    """What an editor holds: the truth with which files are compared."""

    texts: dict[str, str] = field(default_factory=dict)

    def step(self, files, path, text, cut):
        if path not in self.texts:
            files.open(path, text)
            self.texts[path] = text
        elif cut is None:
            files.close(path)
            del self.texts[path]
        else:
            start, end = sorted(it % (len(self.texts[path]) + 1) for it in cut)
            files.change(path, [(Span(start, end), text)])
            self.texts[path] = self.texts[path][:start] + text + self.texts[path][end:]


CUTS = st.none() | st.tuples(st.integers(0, 99), st.integers(0, 99))


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(PATHS), TEXTS, CUTS, st.booleans()), max_size=12))
def test_files_edited_step_by_step_equal_files_opened_afresh(steps):
    files, editor = DiskFiles(environment={}, disk=EmptyDisk()), Editor()
    for path, text, cut, look in steps:
        editor.step(files, path, text, cut)
        if look:
            include_graph.build(files, path, Settings())
    fresh = DiskFiles(environment={}, disk=EmptyDisk())
    for path, text in editor.texts.items():
        fresh.open(path, text)
    for path in PATHS:
        assert seen(include_graph.build(files, path, Settings())) == seen(include_graph.build(fresh, path, Settings()))


def seen(it):
    texts = {path: (source.document.text, source.keys) for path, source in it.sources.items()}
    citations = [(source.document.path, citation) for source, citation in it.citations()]
    return texts, citations, it.manuscript, it.bibliographies, it.unresolved, it.shared, it.closed


@given(TEXTS, st.sampled_from(["a.tex", "a.md", "a.lhs"]))
@example("%include b.lhs\n\\begin{code}", "a.lhs")
def test_an_outline_has_at_least_the_links_of_the_document(text, path):
    from citelsp.syntax import languages
    from citelsp.workspace.link_scan import skim

    document = Document(path, text, languages.language_of_path(path).name)
    full, outline = syntax.parse(document), skim(document)
    assert {(it.kind, it.target) for it in full.links} <= {(it.kind, it.target) for it in outline.links}
    assert (outline.root, outline.is_root) == (full.root, full.is_root)


LARGE = "".join(f"@book{{key{number}, title = {{Title {number}}}, note = {{{'x' * 100}}}}}\n" for number in range(8000))


@pytest.fixture
def cache(tmp_path):
    return ParseCache(tmp_path / "cache")


def test_a_large_bibliography_is_read_once(tmp_path, cache):
    refs = tmp_path / "refs.bib"
    refs.write_text(LARGE, encoding="utf-8")
    first = DiskFiles(cache=cache).read(str(refs)).syntax
    again = DiskFiles(cache=cache).read(str(refs)).syntax
    assert [it.source for it in again.entries] == [it.source for it in first.entries]
    [path] = (tmp_path / "cache").iterdir()
    cache.put(path.name, columns.columns(syntax.parse(Document("", "@misc{planted}", "bibtex")).entries))
    assert [it.key for it in DiskFiles(cache=cache).read(str(refs)).syntax.entries] == ["planted"]
    refs.write_text(LARGE + "@misc{new}", encoding="utf-8")
    assert len(DiskFiles(cache=cache).read(str(refs)).syntax.entries) == 8001


def test_a_large_bibliography_that_is_edited_is_read_anew(tmp_path, cache):
    refs = tmp_path / "refs.bib"
    refs.write_text(LARGE, encoding="utf-8")
    files = DiskFiles(cache=cache)
    files.open(str(refs), LARGE)
    assert files.read(str(refs)).syntax.entries.text_name
    files.replace(str(refs), LARGE + "@misc{new}")
    assert not files.read(str(refs)).syntax.entries.text_name
    files.open(str(tmp_path / "other.bib"), LARGE)
    assert len(files.read(str(tmp_path / "other.bib")).syntax.entries) == 8000
    assert len(list((tmp_path / "cache").iterdir())) == 1


def test_a_small_bibliography_is_not_cached(refs, cache, tmp_path):
    DiskFiles(cache=cache).read(str(refs))
    assert not (tmp_path / "cache").exists()


class Counting(SteadyDisk):
    """Counts what is looked at anew."""

    def __init__(self):
        super().__init__()
        self.looked = Counter()

    def stamp(self, path):
        self.looked[path] += path not in self._known
        return super().stamp(path)


def test_a_command_looks_at_each_file_once(tmp_path):
    for name in ("main", "a", "b", "c"):
        head = r"\documentclass{article}\begin{document}\bibliography{refs}" if name == "main" else ""
        (tmp_path / f"{name}.tex").write_text(head + r"\cite{a}", encoding="utf-8")
    (tmp_path / "refs.bib").write_text(BIB, encoding="utf-8")
    disk = Counting()
    files = DiskFiles([str(tmp_path)], environment={}, disk=disk)
    for path in files.manuscripts():
        assert include_graph.build(files, path, Settings()).bibliographies
    assert set(disk.looked.values()) == {1}
    files.refresh()
    include_graph.build(files, str(tmp_path / "main.tex"), Settings())
    assert max(disk.looked.values()) == 2


MANUSCRIPT = "\\documentclass{x}\\bibliographystyle{plain}\n\\bibliography{refs}\\cite{a}"


def test_open_document_is_still_a_manuscript_when_its_file_is_deleted(refs):
    main = refs.with_name("main.tex")
    main.write_text(MANUSCRIPT, encoding="utf-8")
    files = DiskFiles([str(refs.parent)])
    files.open(str(main), MANUSCRIPT)
    assert files.project(str(refs), Settings()).manuscript == (str(main),)
    main.unlink()
    files.refresh()
    assert files.project(str(refs), Settings()).manuscript == (str(main),)


def test_manuscript_that_was_moved_away_and_back_names_its_bibliography_again(refs, tmp_path_factory):
    main = refs.with_name("main.tex")
    main.write_text(MANUSCRIPT, encoding="utf-8")
    files = DiskFiles([str(refs.parent)])
    assert files.project(str(refs), Settings()).manuscript == (str(main),)
    away = main.rename(tmp_path_factory.mktemp("away") / "main.tex")
    files.refresh()
    assert files.project(str(refs), Settings()).manuscript == ()
    away.rename(main)
    files.refresh()
    assert files.project(str(refs), Settings()).manuscript == (str(main),)


def test_nothing_is_told_of_a_deleted_file_that_could_not_be_read(refs):
    binary = refs.with_name("chapter.tex")
    binary.write_bytes(b"\0\0")
    files = DiskFiles([str(refs.parent)])
    assert files.manuscripts() and files.problems() == [f"{binary} is not text and was not read."]
    binary.unlink()
    files.refresh()
    assert not files.manuscripts() and files.problems() == []


def test_file_that_grows_while_it_is_read_is_too_large_and_not_binary(refs):
    class Growing(LocalDisk):
        def load(self, _path):
            return b"%" * (bounds.MANUSCRIPT + 1)

    main = refs.with_name("main.tex")
    main.write_text(MANUSCRIPT, encoding="utf-8")
    files = DiskFiles([str(refs.parent)], disk=Growing())
    assert files.read(str(main)) is None and files.unread(str(main)) == "large"


@pytest.mark.parametrize(
    ("old", "new", "style"),
    [("{plain}", "{alpha}", "alpha"), (r"\bibliographystyle", "%\\bibliographystyle", None)],
)
def test_style_that_is_typed_anew_counts_at_once(refs, old, new, style):
    os.utime(refs, (0, 0))  # long ago, so that its project need not be read anew
    main = str(refs.with_name("main.tex"))
    files = DiskFiles([str(refs.parent)])
    files.open(main, MANUSCRIPT)
    assert files.project(main, Settings()).bibtex_style[0] == "plain"
    start = MANUSCRIPT.index(old)
    files.change(main, [(Span(start, start + len(old)), new)])
    in_use = files.project(main, Settings()).bibtex_style
    assert (in_use and in_use[0]) == style


def test_document_in_a_folder_below_is_not_what_a_pattern_means(tmp_path):
    files = DiskFiles([str(tmp_path)])
    below, hidden, beside = tmp_path / "sub" / "x.bib", tmp_path / ".y.bib", tmp_path / "z.bib"
    for path in (below, hidden, beside):
        files.open(str(path), BIB)
    assert files.glob(str(tmp_path / "*.bib")).paths == [str(beside)]
    assert files.glob(str(tmp_path / "**" / "*.bib")).paths == [str(below), str(beside)]
    assert files.glob(str(tmp_path / "s*" / "*.bib")).paths == [str(below)]


def test_label_of_a_bibliography_that_is_typed_anew_counts_at_once(refs):
    os.utime(refs, (0, 0))  # long ago, so that its project need not be read anew
    chapter = refs.with_name("chapter.tex")
    chapter.write_text(r"\begin{refsection}[l]\cite{a}\end{refsection}", encoding="utf-8")
    os.utime(chapter, (0, 0))
    main = str(refs.with_name("main.tex"))
    text = r"\documentclass{x}\addbibresource[label=x]{refs.bib}\input{chapter}"
    files = DiskFiles([str(refs.parent)])
    files.open(main, text)
    assert [it.link.target for it in files.project(main, Settings()).unresolved] == ["l"]
    start = text.index("=x") + 1
    files.change(main, [(Span(start, start + 1), "l")])
    assert files.project(main, Settings()).unresolved == ()
