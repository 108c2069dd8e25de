import pytest

from citelsp.base.text import apply
from citelsp.checks.malformed_entry import CHECK
from citelsp.knowledge import Knowledge
from finding_fixtures import check, fixed
from fixture_projects import project_of
from reading_programs import MAIN


def test_unclosed_entry_and_missing_comma():
    fixture = """
        %% r.bib
        @misc{a, title = {A},
        ^^^^^^^ malformed-entry
        @misc{b,
          title = {B}
          year = 2000
          ^^^^ malformed-entry
        }
        @misc{c, title = {C}}
    """
    first, second = check(CHECK, fixture)
    assert first.message == "This entry is never closed."
    assert "title = {B},\n  year" in fixed(fixture, second, "Insert “,”")


def test_lines_in_a_value_that_would_begin_entries():
    lines = "".join(f'@String{{s{number} = "S"}}\n' for number in range(9))
    check(CHECK, f"%% r.bib\n@misc{{a, note = {{{lines}}}, year = 2000}}\n@misc{{b, note = {{B}}}}\n")


def test_a_field_twice_is_a_warning():
    [finding] = check(CHECK, "%% r.bib\n@misc{a, year = 1, year = 2}\n                   ^^^^ malformed-entry\n")
    assert finding.severity == "warning"


@pytest.mark.parametrize(("reader", "mark"), [("bibtex", "                     ^^^^ malformed-entry\n"), ("biber", "")])
def test_one_value_twice_matters_to_bibtex_alone(reader, mark):
    check(CHECK, f"{MAIN[reader]}@misc{{a, year = {{1}}, year = {{1}}}}\n{mark}")


def test_bibtex_does_not_see_a_field_that_its_style_does_not_have():
    check(
        CHECK,
        r"""
        %% m.tex
        \documentclass{x}\bibliographystyle{plain}\bibliography{r}\nocite{*}
        %% r.bib
        @misc{a, year = {1}, year = {1}, doi = {10.1000/x}, doi = {10.1000/x}}
                             ^^^^ malformed-entry
        """,
    )


@pytest.mark.parametrize("field", ["number = ", "1st = {x}"])
@pytest.mark.parametrize("reader", ["bibtex", "biber", "pandoc"])
def test_pandoc_reads_fields_without_value_and_with_odd_names(reader, field):
    name = field.partition(" ")[0]
    mark = "" if reader == "pandoc" else f"{' ' * 9}{'^' * len(name)} malformed-entry\n"
    check(CHECK, f"{MAIN[reader]}@misc{{a, {field}, year = 2000}}\n{mark}")


def test_a_field_that_an_at_sign_switches_off_is_read_as_one():
    bib = "@misc{a,\n  @url = {http://x},\n{}  year = 2000\n}\n@misc{b, title = {B}}\n"
    check(CHECK, f"{MAIN['biber']}{bib.replace('{}', '')}")
    check(CHECK, f"{MAIN['bibtex']}{bib.replace('{}', '')}")
    check(CHECK, f"{MAIN['pandoc']}{bib.replace('{}', '  ^^^^ malformed-entry' + chr(10))}")


@pytest.mark.parametrize("block", ["@string{x = {y}", "@preamble{"])
def test_open_blocks(block):
    width = block.index("{")
    check(CHECK, f"%% r.bib\n{block}\n{'^' * width} malformed-entry\n@misc{{b}}\n")


@pytest.mark.parametrize(
    ("manuscript", "mark"),
    [
        ("m.tex\n\\documentclass{x}\\addbibresource{r.bib}", "^^^^^^^^ malformed-entry\n"),
        ("m.md\n---\nbibliography: r.bib\n---", "^^^^^^^^ malformed-entry\n"),
        ('m.typ\n#bibliography("r.bib")', "^^^^^^^^ malformed-entry\n"),
        ("m.tex\n\\documentclass{x}\\usepackage[backend=bibtex]{biblatex}\\addbibresource{r.bib}", ""),
        ("m.tex\n\\documentclass{x}\\bibliography{r}", ""),
        ("m.tex\n\\documentclass{x}", ""),
    ],
)
def test_an_open_comment_where_it_is_read_as_a_block(manuscript, mark):
    check(CHECK, f"%% {manuscript}\n%% r.bib\n@comment{{jabref\n{mark}@misc{{b, title = {{B}}}}\n")


def test_typst_ends_a_comment_at_the_first_brace():
    check(CHECK, '%% m.typ\n#bibliography("r.bib")\n%% r.bib\n@comment{by {JabRef}\n@misc{b, title = {B}}\n')


@pytest.mark.parametrize(
    "comment",
    [
        "@comment{about 50 % of these are unread}",
        "@comment{\n@article{old,\n  title = {O}}\n}",
        "@Comment {\n% }\n",
        "@comment(\n@article(old, title = {O})\n)",
        "@comment{jabref-meta: grouping:\n0 AllEntriesGroup:;\n1 StaticGroup:a % b\\;0\\;;\n}",
        "@comment{x\n\n@comment{y}\n@string{z}}",
    ],
)
@pytest.mark.parametrize("manuscript", [r"\addbibresource{r.bib}", r"\bibliographystyle{plain}\bibliography{r}", ""])
def test_comments_that_are_closed(comment, manuscript):
    fixture = f"%% m.tex\n\\documentclass{{x}}{manuscript}\\cite{{b}}\n%% r.bib\n{comment}\n@misc{{b, title = {{B}}}}\n"
    check(CHECK, fixture)


def test_a_brace_in_a_comment_neither_opens_nor_closes():
    check(
        CHECK,
        """
        %% r.bib
        @misc{a,
          title = {A}, % {
          % }} and "
          year = 2000 # % {
            "",
        }
        @misc(b, title = {B}, % :)
          year = 2000)
        @misc{10.1016%2Fj.c, title = {C}}
        """,
    )


def test_an_entry_closed_in_a_comment_only():
    fixture = """
        %% r.bib
        @misc{a,
          title = {A}, % never {0, 1}
                                    ^ malformed-entry
        @misc{b, title = {B}}
    """
    [finding] = check(CHECK, fixture)
    assert finding.message == "This entry is never closed: a brace in a comment does not count."


@pytest.mark.parametrize(
    ("manuscript", "mark"),
    [
        (r"\bibliographystyle{plain}\bibliography{r}", "^^^^^^^^^^^^ malformed-entry"),
        (r"\addbibresource{r.bib}", ""),
        (r"\bibliography{r}", "^^^^^^^^^^^^ malformed-entry"),
        (r"\usepackage[backend=bibtex]{biblatex}\addbibresource{r.bib}", "^^^^^^^^^^^^ malformed-entry"),
        (r"\bibliography{r}\input{gone}", ""),
        (r"\usepackage{biblatex}\bibliographystyle{plain}\bibliography{r}", ""),
        (r"\bibliography{r}\printbibliography", ""),
    ],
)
def test_comments_in_entries_where_bibtex_reads_them(manuscript, mark):
    lines = ["%% m.tex", r"\documentclass{x}" + manuscript + r"\cite{a}", "%% r.bib", "@misc{a,"]
    lines += ["  % year = 200", *([f"  {mark}"] if mark else []), "  title = {A}}"]
    for finding in check(CHECK, "\n".join(lines)):
        assert finding.severity == "warning"


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("@misc{a,, t = {1}}", "@misc{a, t = {1}}"),
        ("@misc{a, t = {1},,}", "@misc{a, t = {1},}"),
        ("@misc{a,\n  t = {1},\n  ,\n ,\n  u = {2}}", "@misc{a,\n  t = {1},\n  u = {2}}"),
        ("@misc(a, t = {1}, ,\tu = 2)", "@misc(a, t = {1},\tu = 2)"),
    ],
)
def test_a_comma_too_many_can_only_go(text, after):
    project = project_of({"r.bib": text})
    [finding] = CHECK.run(project, Knowledge())
    assert (finding.message, finding.severity) == ("One comma too many.", "error")
    assert apply(text, finding.fixes[0].edits) == after
    assert CHECK.run(project_of({"r.bib": after}), Knowledge()) == []


def test_keys_that_biber_cannot_read():
    manuscript = "%% m.tex\n\\documentclass{x}\\addbibresource{r.bib}\\cite{a}\n%% r.bib\n"
    [finding] = check(CHECK, manuscript + "@misc{Smith(2000), t = {1}}\n      ^^^^^^^^^^^ malformed-entry\n")
    assert finding.message == "biber does not read an entry whose key contains “(”."
    check(CHECK, "%% r.bib\n@misc{Smith(2000), t = {1}}\n")


READERS = {"biber": "\\addbibresource{r.bib}", "bibtex": "\\bibliographystyle{plain}\\bibliography{r}"}


@pytest.mark.parametrize(
    ("block", "mark", "readers"),
    [
        ("@string{a}", "        ^", {"biber", "bibtex"}),
        ("@string{a = }", "        ^", {"biber", "bibtex"}),
        ('@string{"x"}', "        ^^^", {"biber", "bibtex"}),
        ("@string{a = {x} {y}}", "                ^", {"biber", "bibtex"}),
        ("@string{1a = {x}}", "        ^^", {"biber", "bibtex"}),
        ("@string{}", "^^^^^^^^", {"bibtex"}),
        ("@string{a = {x},}", "               ^", {"bibtex"}),
        ("@string{a = {x}, b = {y}}", "                 ^^^^^^^", {"bibtex"}),
        ("@preamble{}", "^^^^^^^^^^", {"biber", "bibtex"}),
        ("@preamble{e = mc^2}", "^^^^^^^^^^", {"biber", "bibtex"}),
        ('@preamble{"a" "b"}', "^^^^^^^^^^", {"biber", "bibtex"}),
        ("@preamble{ {a} # x }", "", set()),
        ('@string(a = "x" # {y})', "", set()),
        ("@misc{k}", "      ^", {"biber"}),
        ("@misc{k,}", "", set()),
        ("@misc{k, 1a = {x}}", "         ^^", {"biber", "bibtex"}),
        ("@misc{k, pages = 1-2}", "                 ^^^", {"bibtex"}),
        ("@misc{k, pages = 1 # {-2}}", "", set()),
    ],
)
@pytest.mark.parametrize("reader", READERS)
def test_to_whom_it_matters(reader, block, mark, readers):
    marked = f"{mark} malformed-entry\n" if reader in readers else ""
    check(CHECK, f"%% m.tex\n\\documentclass{{x}}{READERS[reader]}\n%% r.bib\n{block}\n{marked}")


@pytest.mark.parametrize(
    ("block", "title", "after"),
    [
        ("@misc{k, pages = 1-2}", "Write “{1-2}”", "@misc{k, pages = {1-2}}"),
        ("@string{a = {x}, }", "Remove “,”", "@string{a = {x} }"),
    ],
)
def test_fixes_for_bibtex(block, title, after):
    project = project_of({"m.tex": f"\\documentclass{{x}}{READERS['bibtex']}", "r.bib": block})
    [finding] = CHECK.run(project, Knowledge())
    [fix] = finding.fixes
    assert fix.title == title
    assert apply(block, fix.edits) == after
