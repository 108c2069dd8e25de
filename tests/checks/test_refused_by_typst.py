"""What is expected here was compared with Typst 0.15 and its compiler."""

import pytest

from citelsp.checks import malformed_entry, undefined_string
from citelsp.checks.refused_by_typst import CHECK
from finding_fixtures import check, fixed

MAIN = '%% main.typ\n@a @b #bibliography("r.bib")\n%% r.bib\n'


def refusals(bibliography):
    return [finding.message for finding in check(CHECK, MAIN + bibliography)]


@pytest.mark.parametrize(
    "year",
    # The last two have an accent on the first digit, and Typst reads the digit.
    [
        "2019",
        "{2019}",
        "{ 2019 }",
        "{{2019}}",
        '"2019"',
        "{2019a}",
        "{2010--2012}",
        "{-{44}}",
        r"{\~2019}",
        r"{\"2019}",
    ],
)
def test_a_year_that_begins_with_digits(year):
    assert check(CHECK, f"{MAIN}@book{{a, year = {year}}}\n") == []


@pytest.mark.parametrize(
    "year", ["in press", "n.d.", "c1999", "'19", "May 2019", "20199", "[2019]", "~2019", r"\emph{2019}"]
)
def test_a_year_that_does_not(year):
    [finding] = check(
        CHECK, f"{MAIN}@book{{a, year = {{{year}}}}}\n                {'^' * (len(year) + 2)} refused-by-typst\n"
    )
    assert year in finding.message
    assert check(CHECK, f"{MAIN}@book{{a, year = {{{year}}}, date = {{2019}}}}\n") == []


def test_a_year_that_typst_does_not_read():
    parent = "@proceedings{b, date = 2019}\n"
    assert not refusals(f"@inproceedings{{a, year = {{n.d.}}, crossref = {{b}}}}\n{parent}")
    assert not refusals("@book{a, year = {n.d.}, year = 2019}\n")
    check(
        CHECK,
        f"{MAIN}@book{{a, year = 2019, year = {{n.d.}}}}\n                             {'^' * 6} refused-by-typst\n",
    )


@pytest.mark.parametrize(
    "month",
    ["{May--June}", "{July 3}", "{Jan.-Feb.}", "{Juli}", "{12-14 June}", "jul", '"7"', "{7 }", "{ May}", "{May 031}"],
)
def test_a_month(month):
    assert not refusals(f"@book{{a, year = 2019, month = {month}}}\n")


@pytest.mark.parametrize(
    "month", ["May-June", "-", "Spring Summer", "Dec 2019", "July 40", "May - June", "May -- June"]
)
def test_a_month_that_is_none(month):
    carets = "^" * (len(month) + 2)
    [finding] = check(
        CHECK, f"{MAIN}@book{{a, month = {{{month}}}, year = 2019}}\n                 {carets} refused-by-typst\n"
    )
    assert finding.message == f"“{month}” is not a month: Typst refuses the whole file."
    assert not refusals(f"@book{{a, year = 2019, date = 2019, month = {{{month}}}}}\n")
    assert not refusals(f"@book{{a, month = {{{month}}}}}\n")
    assert not refusals(f"@book{{a, year = 2019, month = {{{month}}}, day = 3}}\n")


@pytest.mark.parametrize("month", ["{May }", '" May "', "{{May} }", "{May  }"])
def test_a_space_behind_a_month(month):
    fixture = f"{MAIN}@book{{a, year = 2019, month = {month}}}\n{' ' * 30}{'^' * len(month)} refused-by-typst\n"
    [finding] = check(CHECK, fixture)
    assert finding.message == "A space ends the month: Typst refuses the whole file."
    assert "month = {May}}" in fixed(fixture, finding, "Remove the space")


def test_a_space_behind_the_sign():
    fixture = MAIN + "@ book{a, title = {A}}\n^^ refused-by-typst\n"
    [finding] = check(CHECK, fixture)
    assert fixed(fixture, finding, "Remove the space").startswith("@book{a, title")


def test_an_empty_year():
    [finding] = check(CHECK, MAIN + "@book{a, year = {}}\n                ^^ refused-by-typst\n")
    assert finding.message == "The year is empty: Typst refuses the whole file."


@pytest.mark.parametrize("value", ["$x$", "$$x$$", r"\$5", "5 $ or 6 $", r"$5\$", r"\copyright$5", r"\'$"])
def test_dollars_that_are_closed(value):
    assert check(CHECK, f"{MAIN}@book{{a, abstract = {{{value}}}}}\n") == []


def test_a_dollar_that_nothing_closes():
    fixture = MAIN + "@book{b, note = {For $5}, url = {https://a.org/$x}}\n                     ^ refused-by-typst\n"
    [finding] = check(CHECK, fixture)
    assert r"note = {For \$5}" in fixed(fixture, finding, r"Write \$")
    check(CHECK, MAIN + "@book{b, note = {$x\\$ y$}}\n                       ^ refused-by-typst\n")


@pytest.mark.parametrize("field", ["file", "doi", "uri", "eprint", "verba", "pdf", "URL", "urlraw"])
def test_fields_in_which_a_dollar_is_a_sign(field):
    assert not refusals(f"@book{{a, {field} = {{a$}}}}\n")


def test_a_quote_in_a_value_in_quotes():
    fixture = MAIN + '@book{b, note = "\\A {"b"}"}\n                     ^ refused-by-typst\n'
    check(CHECK, fixture)
    # The brace ends the entry then, and Typst goes on behind it.
    [message] = refusals('@book{b, note = "A {"}b{"}", year = {n.d.}}\n                    ^ refused-by-typst\n')
    assert message.endswith(": Typst leaves out the rest.")
    assert not refusals('@book{b, note = "A {\\"a} b", title = {A {"}b{"}}, year = "20" # "19"}\n')


def test_parentheses():
    fixture = MAIN + "@book(a, title = {A (b)})\n     ^ refused-by-typst\n"
    [finding] = check(CHECK, fixture)
    assert "@book{a, title = {A (b)}}" in fixed(fixture, finding, "Write braces")


def test_entries_that_nothing_cites_count():
    check(CHECK, MAIN + "@book{c, year = {n.d.}}\n                ^^^^^^ refused-by-typst\n")
    check(malformed_entry.CHECK, MAIN + "@book{c title = {T}}\n        ^^^^^ malformed-entry\n")
    [finding] = check(undefined_string.CHECK, MAIN + "@book{c, month = sept}\n                 ^^^^ undefined-string\n")
    assert finding.message == "No @string defines “sept”: Typst refuses the whole file."


@pytest.mark.parametrize(
    "main", ["@a", "---\nbibliography: r.bib\n---\n@a", r"\documentclass{x}\bibliography{r}\cite{a}"]
)
def test_others_mind_none_of_this(main):
    ending = "tex" if main.startswith("\\") else "md"
    assert check(CHECK, f"%% main.{ending}\n{main}\n%% r.bib\n@book(a, year = {{n.d.}}, note = {{$5}})\n") == []


@pytest.mark.parametrize(
    "block",
    [
        '@preamble{"a"}',
        '@preamble { "a # b" }',
        r'@preamble{"\newcommand{\x}[1]{\"#{1}}"}',
        '@string{a = "b" # "c"}',
        "@comment{a {b} c}",
        "@string {a = {b}}",
    ],
)
def test_blocks_that_typst_reads(block):
    assert not refusals(f"{block}\n")


@pytest.mark.parametrize(
    ("block", "fault"),
    [
        ('@preamble{"a" # "b"}', "The @preamble is not one text in quotes"),
        ("@preamble{{a}}", "The @preamble is not one text in quotes"),
        ('@preamble{"#1" # "b"}', "The @preamble is not one text in quotes"),
        ('@preamble("a")', "The @preamble is not in braces"),
        ('@string(a = "b")', "The @string is not in braces"),
        ("@comment(a)", "The @comment is not in braces"),
        ('@ string{a = "b"}', "There is a space behind the @"),
    ],
)
def test_blocks_that_typst_does_not_read(block, fault):
    carets = "^" * (block.find("(") if "(" in block else block.find("{"))
    [finding] = check(CHECK, f"{MAIN}{block}\n{carets} refused-by-typst\n")
    assert finding.message == f"{fault}: Typst refuses the whole file."
