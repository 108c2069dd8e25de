import pytest
from hypothesis import given
from hypothesis import strategies as st

from citelsp.features.popup_markdown import Block, ShownLink, escape_markdown, to_markdown, to_plain, web_address


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("Attention is all you need.", "Attention is all you need."),
        ("![x](http://evil.example/a.png)", r"\!\[x\](http\://evil.example/a.png)"),
        ("<img src=x> & [a](command:rm)", r"\<img src=x\> & \[a\](command:rm)"),
        ("Dagan, G., & Bruni, E., AT&T &lt; &#60;", r"Dagan, G., & Bruni, E., AT\&T \&lt; \&#60;"),
        ("# heading\n- item", r"\# heading - item"),
        ("1. first", r"1\. first"),
        ("2001: a `space` *odyssey*", r"2001: a \`space\` \*odyssey\*"),
        ("mail me@x.org or www.x.org", r"mail me\@x.org or www\.x.org"),
        ("evil\u202egnp", "evilgnp"),
    ],
)
def test_foreign_text_is_shown_as_it_is(text, escaped):
    assert escape_markdown(text) == escaped


@given(st.text())
def test_escaped_text_is_one_line_without_open_markup(text):
    escaped = escape_markdown(text)
    bare = escaped.replace("\\\\", "").split("\\")
    assert "\n" not in escaped
    assert not any(char in piece for piece in [bare[0], *(it[1:] for it in bare[1:])] for char in "`*_[]<>")


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "command:x", "file:///etc/passwd", "//host/x", "http://a@b/", "", "http://[x"]
)
def test_only_web_addresses_become_links(url):
    assert web_address(url) == ""
    assert to_markdown([Block("", links=(ShownLink("here", url),))]) == "here"


def test_blocks_as_markdown():
    blocks = [
        Block("A *title*", "strong"),
        Block("quoted", "quote"),
        Block("aside", "note"),
        Block("", links=(ShownLink("DOI", "https://doi.org/10.1/<x>"),)),
    ]
    assert to_markdown(blocks) == "**A \\*title\\***\n\n> quoted\n\n_aside_\n\n[DOI](<https://doi.org/10.1/%3Cx%3E>)"


def test_blocks_as_plain_text():
    blocks = [
        Block("A *title*", "strong"),
        Block("quoted", "quote"),
        Block("see", links=(ShownLink("DOI", "https://doi.org/10.1/x"),)),
    ]
    assert to_plain(blocks) == "A *title*\n\n“quoted”\n\nsee · DOI https://doi.org/10.1/x"


@pytest.mark.parametrize(
    ("url", "address"),
    [
        (" https://x.org/a b ", "https://x.org/a%20b"),
        ("HTTP://x.org/é?a=1#(b)", "HTTP://x.org/%C3%A9?a=1#%28b%29"),
        ("http:///x", ""),
        ("https://x.org/%20@me", "https://x.org/%20@me"),
    ],
)
def test_an_address_cannot_end_its_link(url, address):
    assert web_address(url) == address


def test_nothing_is_shown_of_what_says_nothing():
    empty = [Block("", it) for it in ("strong", "quote", "note")]
    assert (to_markdown(empty), to_plain(empty)) == ("", "")
    linked = [Block("a\n b", links=(ShownLink("_x_", "https://x.org"), ShownLink("y", "file:///y")))]
    assert to_markdown(linked) == r"a b · [\_x\_](<https://x.org>) · y"
    assert to_plain(linked) == "a b · _x_ https://x.org · y"
