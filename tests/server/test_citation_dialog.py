"""Insert Citation…: rows from every origin, what would be written, and the citation with its entries in one edit."""

from urllib.parse import parse_qsl, urlsplit

import pytest

import zotero_server
from citelsp.corpus import imports
from citelsp.corpus.index import Corpus
from citelsp.investigate.insert import read_identifiers
from citelsp.workspace import present_works
from fixture_projects import project_of
from online_session import calls, said

MAIN = r"""\documentclass{article}
\usepackage{natbib}
\begin{document}
Attention helps.
\bibliography{refs}
\end{document}
"""
OWN = r"""@article{short, title = {Short Reads}, pmid = {31452104}, pmcid = {PMC6803042}}
@book{taocp, title = {Fundamental Algorithms}, isbn = {0-201-89683-4}, year = 1997}
@misc{strings, title = {Strings}, eprint = {hep-th/9901001}, eprinttype = {arxiv}}
@article{underscore, title = {Lines}, doi = {10.1000/a\_b}, note = {31452105}}
"""
HERE = {"line": 3, "character": len("Attention helps")}
LATER = {
    "citekey": "vaswaniAttentionAllYou2017",
    "type": "paper-conference",
    "title": "Attention Is All You Need",
    "author": [{"family": "Vaswani", "given": "Ashish"}],
    "issued": {"date-parts": [[2017]]},
}
CORPUS = "@article{rush, title = {Attention in Summaries}, author = {Rush, Alexander}, year = 2015}\n"


@pytest.fixture
def zotero():
    running = zotero_server.Zotero(keyed=[LATER])
    yield running
    running.close()


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """Where the one work lies that no bibliography has; nothing is added to it."""
    folder = tmp_path_factory.mktemp("papers")
    (folder / "works.bib").write_text(CORPUS)
    with Corpus(folder / "corpus", create=True) as opened:
        opened.add(imports.read(folder / "works.bib", pytest.fail))
    return str(folder / "corpus")


@pytest.fixture
def dialog(editor, world, zotero, corpus):
    """dialog(text) → a function that runs a command of the dialog at a place of the manuscript."""
    numbers = iter(range(2, 100))

    def open_(text=MAIN, position=HERE, **settings):
        session = editor(
            {"workspace": {"applyEdit": True}, "experimental": {"commands": {"commands": ["citelsp.showAdded"]}}},
            corpus={"path": corpus},
            services=world.settings()["services"] | {"zotero": {"enabled": True, "base_url": zotero.address}},
            **settings,
        )
        change = {"textDocument": {"uri": session.uri, "version": 2}, "contentChanges": [{"text": text}]}
        session.send("textDocument/didChange", change)

        def ask(command, **more):
            argument = {"uri": session.uri, "position": position, **more}
            answer = calls(session, next(numbers), f"citelsp.{command}", argument)
            return answer["result"] if "result" in answer else answer["error"]["message"]

        ask.session = session
        return ask

    return open_


def titles(found):
    return [it["title"] for it in found["works"]]


def changes(dialog):
    [edit] = said(dialog.session, "workspace/applyEdit")
    return {uri.rpartition("/")[2]: it for uri, it in edit["edit"]["changes"].items()}


def test_rows_from_the_own_list_zotero_and_the_corpus(dialog):
    ask = dialog()
    found = ask("findWorks", words="attention")
    rows = {it["title"]: it for it in found["works"]}
    assert rows["Attention Is All You Need"]["key"] == "vaswaniAttentionAllYou2017"
    assert rows["Attention Is All You Need"]["origin"] == "Zotero"
    assert rows["Attention Is All You Need"]["adds"]
    assert "your corpus" in rows["Attention in Summaries"]["origin"]
    [own] = [it for it in ask("findWorks", words="knuth liter")["works"] if it["key"] == "knuth84"]
    assert own["title"] == "Literate Programming in Practice" and not own["adds"]
    assert "your .bib" in own["origin"]


def test_what_holds_every_word_typed_comes_first(dialog):
    assert titles(dialog()("findWorks", words="attention need"))[0] == "Attention Is All You Need"


def test_a_work_of_several_origins_is_one_row_under_the_key_of_zotero(dialog, zotero):
    zotero.keyed = [
        LATER | {"citekey": "rushSummaries", "title": "Attention in Summaries", "author": [{"family": "Rush"}]}
    ]
    [row] = dialog()("findWorks", words="attention summaries")["works"]
    assert (row["key"], row["origin"]) == ("rushSummaries", "your corpus, Zotero")


def test_zotero_s_own_keys_without_better_bibtex_and_the_items_of_groups(dialog, zotero):
    zotero.keyed = None
    zotero.items = [
        zotero_server.item(str(it), f"Attention, Part {it}", "Own", "Ann", 2000 + it, citationKey=f"own{it}")
        for it in range(30)
    ]
    zotero.groups = {
        7: [zotero_server.item("G", "Attention in Groups", "Lee", "Ann", 2020, citationKey="leeAttention2020")],
        9: [zotero_server.item("H", "Attention Untold", "Ray", "Bo", 2021, extra="PMID: 1\nCitation Key: rayUntold")],
    }
    rows = {it["title"]: it for it in dialog()("findWorks", words="attention")["works"]}
    assert rows["Attention, Part 0"]["key"] == "own0"
    assert (rows["Attention in Groups"]["key"], rows["Attention in Groups"]["origin"]) == ("leeAttention2020", "Zotero")
    assert rows["Attention Untold"]["key"] == "rayUntold"


def test_a_key_of_zotero_that_cannot_be_cited_is_not_taken(dialog, zotero):
    zotero.keyed = None
    zotero.items = [zotero_server.item("A", "Attention Unbound", "Lee", "Ann", 2020, citationKey="a}, @string{x")]
    rows = {it["title"]: it for it in dialog()("findWorks", words="attention")["works"]}
    assert rows["Attention Unbound"]["key"] == "lee2020attention"


def test_what_holds_no_word_typed_is_not_shown(dialog):
    assert titles(dialog()("findWorks", words="attention")) == ["Attention in Summaries", "Attention Is All You Need"]
    assert "Literate Programming in Practice" in titles(dialog()("findWorks", words="literature"[:6]))


def test_the_services_are_asked_only_if_the_author_says_so(dialog, world):
    ask = dialog()
    found = ask("findWorks", words="literate programming practice")
    assert found["outside"] == {"title": "Search online", "words": "literate programming practice"}
    assert not world.asked
    again = ask("findWorks", words="literate programming practice", outside=True)
    assert world.asked
    assert not again["outside"]
    [row] = [it for it in again["works"] if it["key"] == "knuth84"]
    assert "Crossref" in row["origin"]


def test_exactly_the_words_that_are_shown_are_sent_and_none_of_the_sentence(dialog, world):
    ask = dialog()
    shown = ask("findWorks", words="beam search")["outside"]["words"]
    ask("findWorks", words="beam search", outside=True)
    assert shown == "beam search"
    assert world.asked
    for path in world.asked:
        queries = dict(parse_qsl(urlsplit(path).query))
        assert [it for name, it in queries.items() if name.startswith(("query", "search", "term"))] == [shown], path


def test_an_identifier_is_looked_up(dialog, world):
    world.works["10.1000/new"] = {
        **world.works["10.1093/comjnl/27.2.97"],
        "DOI": "10.1000/new",
        "title": ["New Things"],
    }
    ask = dialog()
    assert ask("findWorks", words="10.1000/new")["outside"] == {"title": "Look up", "words": "10.1000/new"}
    assert not world.asked
    found = ask("findWorks", words="10.1000/new", outside=True)
    assert titles(found)[0] == "New Things"
    assert titles(ask("findWorks", words="10.1000/new"))[0] == "New Things"


def test_an_identifier_of_an_own_entry_needs_no_service(dialog, world):
    found = dialog()("findWorks", words="https://doi.org/10.1093/comjnl/27.2.97")
    assert found["works"][0]["key"] == "knuth84"
    assert not world.asked


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("PMID: 31452104", "short"),
        ("978-0-201-89683-1", "taocp"),
        ("0201896834", "taocp"),
        ("PMC6803042", "short"),
        ("hep-th/9901001", "strings"),
        ("10.1000/a_b", "underscore"),
    ],
)
def test_every_kind_of_identifier_finds_the_own_entry_that_has_it(typed, key):
    identifiers = read_identifiers(typed)
    project = project_of({"refs.bib": OWN})
    assert [it.node.key for it in present_works.find_identified(project, identifiers)] == [key]


def test_the_own_entry_with_the_pubmed_id_typed_is_the_first_row(dialog, tmp_path, world):
    (tmp_path / "work" / "refs.bib").write_text(OWN)
    assert dialog()("findWorks", words="PMID: 31452104")["works"][0]["key"] == "short"
    assert not world.asked


def chosen(ask, *words):
    return [ask("findWorks", words=it)["works"][0]["work"] for it in words]


def test_what_will_be_written_is_shown(dialog):
    ask = dialog()
    names = chosen(ask, "attention is all you need", "literate programming")
    shown = ask("previewCitation", works=names, locator="p. 4")
    keys = "vaswaniAttentionAllYou2017,knuth84"
    assert shown["forms"] == [
        {"textual": False, "text": f"\\citep[p.~4]{{{keys}}}"},
        {"textual": True, "text": f"\\citet[p.~4]{{{keys}}}"},
    ]
    assert shown["adds"] == "Adds vaswaniAttentionAllYou2017 to refs.bib"
    assert shown["entries"].startswith("@") and "Attention Is All You Need" in shown["entries"]
    assert not said(ask.session, "workspace/applyEdit")


def test_several_works_are_written_in_one_edit_with_their_entries(dialog):
    ask = dialog()
    names = chosen(ask, "attention is all you need", "literate programming")
    assert ask("writeCitation", works=names, locator="p. 4", textual=True) == "vaswaniAttentionAllYou2017,knuth84"
    written = changes(ask)
    [citation] = written["main.tex"]
    assert citation["newText"] == " \\citet[p.~4]{vaswaniAttentionAllYou2017,knuth84}"
    assert citation["range"] == {"start": HERE, "end": HERE}
    [entry] = written["refs.bib"]
    assert entry["newText"].count("@") == 1
    [added] = said(ask.session, "citelsp/added")
    assert added["keys"] == ["vaswaniAttentionAllYou2017"]  # the other one has an entry


def test_a_key_of_better_bibtex_that_is_taken_here_is_not_cited_for_another_work(dialog, zotero):
    zotero.keyed = [LATER | {"citekey": "knuth84"}]
    ask = dialog()
    assert ask("writeCitation", works=chosen(ask, "attention is all you need")) == "vaswani2017attention"


def test_without_better_bibtex_zotero_s_own_search_is_used(dialog, zotero):
    zotero.keyed = None
    zotero.items = [zotero_server.item("ABCD2345", "Attention Everywhere", "Doe", "Jane", 2020)]
    [row] = dialog()("findWorks", words="attention every")["works"][:1]
    assert (row["key"], row["origin"]) == ("doe2020attention", "Zotero")


def test_without_zotero_nothing_is_missing_but_its_works(dialog, zotero):
    zotero.close()
    assert "Attention in Summaries" in titles(dialog()("findWorks", words="attention"))


def test_a_placeholder_is_filled(dialog):
    text = MAIN.replace("helps.", "helps \\citep<attention need>.")
    ask = dialog(text, {"line": 3, "character": len("Attention helps \\citep<att")})
    found = ask("findWorks")
    assert found["works"][0]["title"] == "Attention Is All You Need"
    ask("writeCitation", works=[found["works"][0]["work"]], textual=True)
    [citation] = changes(ask)["main.tex"]
    assert citation["newText"] == "\\citet{vaswaniAttentionAllYou2017}"
    assert citation["range"]["start"]["character"] == len("Attention helps ")


def test_behind_the_citation_in_which_the_cursor_stands(dialog):
    text = MAIN.replace("helps.", "helps \\citep{knuth84}.")
    ask = dialog(text, {"line": 3, "character": len("Attention helps \\citep{knu")})
    ask("writeCitation", works=chosen(ask, "attention is all you need"))
    [citation] = changes(ask)["main.tex"]
    assert citation["range"]["start"]["character"] == len("Attention helps \\citep{knuth84}")


def test_a_locator_is_no_markup(dialog):
    ask = dialog()
    works = chosen(ask, "attention need")
    for locator in ("p. 4]{x", "a\nb", "\\input{x}", "@other", "; @x"):
        assert "A locator is as short as" in ask("writeCitation", works=works, locator=locator), locator
    assert not said(ask.session, "workspace/applyEdit")


def test_a_work_that_was_not_shown_is_refused(dialog):
    assert "search again" in dialog()("writeCitation", works=["crossref:10.1000/none"])


def test_why_services_are_not_asked_is_told(dialog):
    nothing = "\\documentclass{article}\n\\begin{document}\n\n\n\\end{document}\n"
    ask = dialog(nothing, {"line": 2, "character": 0})
    assert ask("findWorks", words="", outside=True) == "there are no words here to search with; type some"
    assert "disabled by the settings" in dialog(offline=True)("findWorks", words="attention", outside=True)


def test_offline_nothing_is_asked(dialog, world):
    ask = dialog(offline=True)
    found = ask("findWorks", words="attention")
    assert "Attention in Summaries" in titles(found)
    assert "Attention Is All You Need" not in titles(found)
    assert not found["outside"]
