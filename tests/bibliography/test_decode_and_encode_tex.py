import pytest
from hypothesis import given
from hypothesis import strategies as st

from citelsp.bibliography import decode_tex, encode_tex


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (r"Schr{\"o}dinger", "Schrödinger"),
        (r"G{\"{o}}del and \'{E}mile", "Gödel and Émile"),
        (r"Erd{\H o}s \c{C}elik {\v{Z}}i\v{z}ek", "Erdős Çelik Žižek"),
        (r"{\AA}ngstr{\"o}m \O{}re \L ukasz Stra{\ss}e {\ae}on", "Ångström Øre Łukasz Straße æon"),
        (r"na{\"\i}ve \'{\i}", "naïve í"),
        ("A -- B --- C~D ``x''", "A – B — C D “x”"),
        (r"R\&D 100\% \$5 a\_b \#1 \{x\}", "R&D 100% $5 a_b #1 {x}"),
        ("The {BERT} model for {{GPU}s}", "The BERT model for GPUs"),
        (r"$O(n^{2})$ and $\alpha$-stable", "O(n^2) and α-stable"),
        (r"\emph{In vivo} \textit{x}", "In vivo x"),
        (r"Proc.\ of \url{http://a.b/c_d}", "Proc. of http://a.b/c_d"),
        (r"\noopsort{1973b}1973", "1973b1973"),
        (r"\t{oo}", "oo"),
        (r"a\'{}b \c{}x \~{}y", "ab x y"),
        ("plain\n   text", "plain text"),
        (r"Nguy{\~{\^e}}n", "Nguyễn"),
        (
            r"Perkovi\ifmmode \acute{c}\else \'{c}\fi{} and Kne\ifmmode\check{z}\else\v{z}\fi evi",
            "Perković and Kneževi",
        ),
        (r"T.{\hspace{0.167em}}W. Larsen", "T. W. Larsen"),
        (r"$N\rule{0ex}{0ex}=\rule[1pt]{0ex}{0ex}Z$", "N = Z"),
        (r"a\kern-0.1em b\kern.2em{c}", "a b c"),
        (r"the {\POWHEG} method in \FASTJET{} and \FASTJET", "the POWHEG method in FASTJET and FASTJET"),
    ],
)
def test_decode(written, read):
    assert decode_tex.decode(written) == read


@given(st.text(alphabet=st.sampled_from("abc {}\\$%&#_~^-'`\"éöß–“é中…"), max_size=60))
def test_escaped_text_reads_back(text):
    text = " ".join(text.split())
    escaped = encode_tex.escape(text)
    assert escaped.count("{") == escaped.count("}")
    if not any(it in text for it in ("--", "``", "''", "`", "$")):
        assert decode_tex.decode(escaped) == text


@pytest.mark.parametrize(
    "text", ["Schrödinger", "Erdős", "Žižek", "Øre", "naïve", "Łukasz", "Ångström", "ȷ", "Çelik", "Ą"]
)
def test_encoded_letters_read_back(text):
    encoded = encode_tex.encode(text)
    assert encoded.isascii()
    assert decode_tex.decode(encoded) == text


def test_simple_mathematics_is_kept_and_the_rest_escaped():
    assert encode_tex.escape(r"$k$-means at $\alpha_1$ for $5 and $10") == r"$k$-means at $\alpha_1$ for \$5 and \$10"
    assert encode_tex.escape(r"$\input{/etc/passwd}$").startswith(r"\$")
    assert (
        encode_tex.escape("$a^^5cinput{b}$")
        == r"\$a{\textasciicircum}{\textasciicircum}5cinput{\textbraceleft}b{\textbraceright}\$"
    )
    assert encode_tex.escape("$a_{1}$ and $b_1}$") == r"$a_{1}$ and \$b\_1{\textbraceright}\$"
    assert encode_tex.escape("$a_{1$ b").startswith(r"\$a\_")


MACROS = r"\input \include \href \sqrt \footnote \title \author \date \colorbox \frac \url \begin \end".split()


@given(st.text(max_size=80) | st.lists(st.sampled_from([*MACROS, "{", "}", "[", "]", " ", "x", "$"])).map("".join))
def test_any_text_is_decoded(text):
    decode_tex.decode(text)


@pytest.mark.parametrize(("macro", "read"), [(r"\varnothing", "∅"), (r"\input{x}", "x"), (r"\unheardof{x}", "x")])
def test_macros_that_need_arguments_vanish(macro, read):
    assert decode_tex.decode(macro) == read


@pytest.mark.parametrize("written", [r"$\hat R$", r"$\widehat{R}$", r"\overline{R}", r"\widetilde R"])
def test_what_stands_over_a_letter_in_mathematics_vanishes(written):
    assert decode_tex.decode(written) == "R"


@given(st.lists(st.sampled_from(["a", "5c", " ", "$", "\\", "^", "^^", "{", "}", "\x1c"]), max_size=9))
def test_no_character_is_written_by_its_number(parts):
    assert "^^" not in encode_tex.escape(f"${''.join(parts)}$")
