"""Full texts as services send them, made plain."""

import pytest

from citelsp.agent import plain_fulltexts
from citelsp.sources.fulltext import FullText


def html(text):
    return plain_fulltexts.read_text(FullText("html", text.encode(), ""))


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("one <b>two</b>\nthree", "one two three"),
        ("<p>one</p><p>two</p>", "one\n\ntwo"),
        ("<DIV>one<BR/>two</DIV>", "one\n\ntwo"),
        ("<h1>One</h1>two", "## One\n\ntwo"),
        ("<h6 class='x'>One</h6>two", "## One\n\ntwo"),
        ("one<script>if (a < b) { hide() }</script> two", "one two"),
        ("one<script>write('<script>no'); x = '<p>no'</script> two", "one two"),
        ("one<style>/* <nav> */</style> two", "one two"),
        ("<nav>a<script>'</nav>'</script>b</nav>two", "two"),
        ("one<script>'<SCRIPT>'</SCRIPT > two", "one two"),
        ("<p>one</p><svg width=1 /><p>two</p>", "one\n\ntwo"),
        ("one <math alttext=\"x\"/> two", "one x two"),
        ("one<svg/> two", "one two"),
        ("one<svg><g><svg id=\"a\" /></g></svg> two", "one two"),
        ("one<svg><style/><script href='a'/></svg> two", "one two"),
        ("one<svg><style>no</style>no</svg> two", "one two"),
        ("one<svg href=a/>no</svg> two", "one two"),
        ("one<nav/>menu</nav> two", "one two"),
        ("one<script src='a'/>no</script> two", "one two"),
        ("one<nav><p>menu</p><h2>more</h2></nav>two", "onetwo"),
        ("one<aside>a<nav>b</nav>c</aside>two", "onetwo"),
        ("one</nav>two", "onetwo"),
        ("one<header>a<svg>b</header>two", "onetwo"),
        ("one<nav>a</footer>b</nav>two", "onetwo"),
        ("one<nav>never closed", "one"),
        ("a <math alttext=\"x &lt; 1\"><mi>x</mi></math> b", "a x < 1 b"),
        ("a <math><mi>x</mi></math> b", "a b"),
        ("<nav><math alttext=\"x\"></math></nav>b", "b"),
        ("a<svg alttext=\"x\"></svg>b", "ab"),
        ("one<!-- two <p> -->three", "onethree"),
        ("one<!-- two", "one"),
        ("one<!-- a --><!-- b -->two<!-- c -->", "onetwo"),
        ("a &amp; b &#8212; c", "a & b — c"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("<p>one</p>  \t <p> </p><p>two\u00a0\u00a0three</p> ", "one\n\ntwo three"),
        ("", ""),
    ],
)  # fmt: skip
def test_of_a_page_what_a_reader_sees_is_read(page, text):
    assert html(page) == text


def test_of_a_page_so_much_is_read():
    assert len(html("x" * 2_000_001)) == 2_000_000
    assert plain_fulltexts.read_text(FullText("html", b"caf\xe9 and more", "")) == "caf\ufffd and more"


@pytest.mark.parametrize(
    ("xml", "text"),
    [
        ("<article><body><title> A  title </title><p>One <b>two</b>\nthree</p><p> </p></body></article>",
         "## A title\n\nOne two three"),
        ("<article><front><p>x</p></front><body><sec><sec><p>One</p></sec></sec></body></article>", "One"),
        ("<article><front><p>x</p></front></article>", ""),
        ("<article>", ""),
    ],
)  # fmt: skip
def test_of_an_article_in_xml_titles_and_paragraphs_of_its_body_are_read(xml, text):
    assert plain_fulltexts.read_text(FullText("jats", xml.encode(), "")) == text
