import pytest

from citelsp.base.text import apply
from citelsp.checks import unescaped_character
from citelsp.checks.foreign_markup import CHECK
from citelsp.knowledge import Knowledge
from finding_fixtures import check
from fixture_projects import project_of
from reading_programs import MAIN


@pytest.mark.parametrize(
    ("value", "better"),
    [
        ("M{&uuml;}ller, A.", "Müller, A."),
        ("M&#252;ller &#xfc; &Uuml;", "Müller ü Ü"),
        ("Q &amp; A", r"Q \& A"),
        (r"Q \&amp; A, Q {\&}amp; A", r"Q \& A, Q \& A"),
        ("a &lt; b &amp;gt; c", "a $<$ b $>$ c"),
        ("the &quot;good&quot; life", "the ``good'' life"),
        ("life (&quot;good&quot;) [{A &quot;b&quot;}]", "life (``good'') [{A ``b''}]"),
        ("five&nbsp;years, so&shy;ber, 5&#37;", r"five~years, sober, 5\%"),
        ("in <i>E. coli</i>, H<sub>2</sub>O<SUP>+</SUP>", r"in \emph{E. coli}, H\textsubscript{2}O\textsuperscript{+}"),
        (
            r"\&lt;sup\&gt;14\&lt;/sup\&gt;C &amp; &lt;i&gt;E. coli&lt;/i&gt;",
            r"\textsuperscript{14}C \& \emph{E. coli}",
        ),
        ('&lt;i class="x"&gt;Bombus&lt;/i&gt; &amp;lt;b&amp;gt;C&amp;lt;/b&amp;gt;', r"\emph{Bombus} \textbf{C}"),
        (r"m{\textless}sup{\textgreater}2{\textless}/sup{\textgreater}", r"m\textsuperscript{2}"),
        (r"Nguy\&\#7877;n, C\&\#xe9;dric", "Nguyễn, Cédric"),
        (r"$\{$NUMA$\}$ and $\{$GPU$\}$s", "{NUMA} and {GPU}s"),
    ],
)
@pytest.mark.parametrize("reader", MAIN)
def test_fixes(reader, value, better):
    text = f"@misc{{k, title = {{{value}}}}}\n"
    main = {"biber": r"\addbibresource{r.bib}", "bibtex": r"\bibliographystyle{plain}\bibliography{r}"}
    files = {"m.tex": r"\documentclass{x}" + main[reader]} if reader in main else {}
    project = project_of({**files, "r.bib": text})
    findings = CHECK.run(project, Knowledge())
    assert {(it.severity, it.fixes[0].safety) for it in findings} == {("warning", "safe")}
    assert apply(text, [edit for it in findings for edit in it.fixes[0].edits]) == text.replace(value, better)
    assert not unescaped_character.CHECK.run(project, Knowledge())
    again = project_of({**files, "r.bib": text.replace(value, better)})
    assert not CHECK.run(again, Knowledge())


def test_tags_without_a_partner_have_no_fix():
    text = "@misc{k, title = {a <i>b</b> c}, note = {<mml:math>x</mml:math>}, booktitle = {a <i> b}}\n"
    assert [it.fixes for it in CHECK.run(project_of({"r.bib": text}), Knowledge())] == [()] * 3
    text = '@misc{k, title = {&lt;i class="x"&gt;Bombus&lt;/i&gt; and Apis</i>}}\n'
    assert [it.fixes for it in CHECK.run(project_of({"r.bib": text}), Knowledge())] == [()]


@pytest.mark.parametrize(
    "fields",
    [
        "title = {AT&T; Q \\& A; R&D; a < b > c, x<y, <a.b@c.de>}",
        "url = {https://example.org/?a=1&amp;b=2}, doi = {10.1000/a&lt;1}, abstract = {<p>a &gt; b</p>}",
        "title = {The mean $<$u$>$ of velocities {\\textless} 1}",
        "title = {The sets $\\{x\\}$ and $\\{$}",
    ],
)
def test_what_is_none(fields):
    check(CHECK, f"{MAIN['biber']}@misc{{k, {fields}}}\n")
