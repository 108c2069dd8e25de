"""What can be looked up at the cursor, and what becomes of the text."""

import pytest

import fixture_projects
from citelsp.base.text import Span
from citelsp.bibliography.identifiers import Identifiers
from citelsp.bibliography.names import Name
from citelsp.bibliography.record import Record
from citelsp.features import lookup_target

RECORD = Record(
    "crossref", "10.1000/x", "Literate Programs", (Name("Knuth"),), years=(1984,), type="article-journal",
    identifiers=Identifiers(doi="10.1000/x"),
)  # fmt: skip
REFS = "\n%% refs.bib\n@book{held, title = {Held}, doi = {10.1000/held}}\n"


def check(text, language="tex", record=RECORD, bib=REFS):
    """The manuscript after the work at its cursor was inserted, and what was added to the bibliography."""
    world = fixture_projects.world(f"\n%% main.{language}\n{text}{bib}")
    path, offset = world.cursor
    found = lookup_target.find_target(world.project, path, Span(offset, offset))
    if found is None:
        return None
    after = world.after(lookup_target.change(world.project, path, found, record).change)
    return after.get(path, world.marked.files[path]).strip(), after.get("refs.bib", "").count("@article{")


@pytest.mark.parametrize(
    ("text", "after"),
    [
        (r"See \cite{knuth|84}.", (r"See \cite{knuth84}.", 1)),
        (r"See \cite{10.1000/|x}.", (r"See \cite{knuth1984literate}.", 1)),
        ("See https://doi.org/10.1000/|x.", (r"See \cite{knuth1984literate}.", 1)),
        ("See (doi:10.1000/|x).", (r"See (\cite{knuth1984literate}).", 1)),
        (r"See \url{https://doi.org/10.1000/|x}.", (r"See \cite{knuth1984literate}.", 1)),
        (r"See \cite<10.1000/|x>.", (r"See \cite{knuth1984literate}.", 1)),
        (r"See \cite{?10.1000/|x}.", (r"See \cite{knuth1984literate}.", 1)),
        (r"See \cite<some wo|rds>.", None),
        (r"See \url{ https://doi.org/10.1000/|x }.", (r"See \cite{knuth1984literate}.", 1)),
        (r"See \nolinkurl{https://doi.org/10.1000/|x}.", (r"See \cite{knuth1984literate}.", 1)),
        (r"See \href{https://doi.org/10.1000/|x}{this}.", None),
        (r"See \href{ https://doi.org/10.1000/|x}{this}.", None),
        (r"See \href[pdfnewwindow]{https://doi.org/10.1000/|x}{this}.", None),
        (r"See \cite{he|ld}.", None),
        ("See not|hing.", None),
        ("See | 10.1000/x", None),
        ("See ([| 10.1000/x ]).", None),
    ],
)
def test_in_latex(text, after):
    assert check(text) == after


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("See [@knuth|84].", ("See [@knuth84].", 1)),
        ("See arXiv:1706.0376|2.", ("See [@knuth1984literate].", 1)),
        ("See <https://doi.org/10.1000/|x>.", ("See [@knuth1984literate].", 1)),
        ("See [@<10.1000/|x>].", ("See [@knuth1984literate].", 1)),
        ("See [this](https://doi.org/10.1000/|x).", None),
        ("See [two words](https://doi.org/10.1000/|x).", None),
        ("[1]: https://doi.org/10.1000/|x", None),
        ('See <a href="https://doi.org/10.1000/|x">it</a>.', None),
    ],
)
def test_in_markdown(text, after):
    assert check(text, "md") == after


def test_in_markdown_of_sphinx():
    settings = "%% _config.yml\nbibtex_bibfiles: [refs.bib]\n"
    text, _ = check("See arXiv:1706.0376|2.", "md", bib=REFS + settings)
    assert text == "See {cite:p}`knuth1984literate`."


@pytest.mark.parametrize(
    ("language", "text", "after"),
    [
        ("org", "See [[https://doi.org/10.1000/|x]].", ("See [cite:@knuth1984literate].", 1)),
        ("org", "See [[https://doi.org/10.1000/|x][this]].", None),
        ("typ", 'See #link("https://doi.org/10.1000/|x")[this].', None),
        ("typ", "See https://doi.org/10.1000/|x there.", ("See @knuth1984literate there.", 1)),
    ],
)
def test_in_other_languages(language, text, after):
    assert check(text, language) == after


@pytest.mark.parametrize(
    ("language", "before", "behind"),
    [("md", "See [this](", ")."), ("tex", r"See \href{", "}{this}."), ("org", "See [[", "][this]].")],
)
def test_the_address_of_a_link_is_left_alone_when_it_is_selected(language, before, behind):
    address = "https://doi.org/10.1000/x"
    world = fixture_projects.world(f"\n%% main.{language}\n|{before}{address}{behind}{REFS}")
    selection = Span(len(before), len(before) + len(address))
    assert lookup_target.find_target(world.project, world.cursor[0], selection) is None


def test_a_work_that_has_an_entry_gets_its_key():
    held = Record("crossref", "x", "Held", identifiers=Identifiers(doi="10.1000/held"))
    assert check(r"See \cite{other|}.", record=held) == (r"See \cite{held}.", 0)
    world = fixture_projects.world(f"\n%% main.tex\nSee \\cite{{other|}}.{REFS}")
    path, offset = world.cursor
    sought = lookup_target.find_target(world.project, path, Span(offset, offset))
    assert lookup_target.change(world.project, path, sought, held).message == "held is this work's entry."


def test_an_identifier_pasted_into_a_bibliography_becomes_an_entry():
    world = fixture_projects.world("\n%% refs.bib\n@book{held, title = {Held}}\n\n10.1000/|x\n")
    path, offset = world.cursor
    found = lookup_target.find_target(world.project, path, Span(offset, offset))
    text = world.after(lookup_target.change(world.project, path, found, RECORD).change)["refs.bib"]
    assert "@article{knuth1984literate" in text
    assert "\n10.1000/x" not in text
