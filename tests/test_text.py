from citelsp.text import language_of


def test_the_ending_says_more_than_the_editor():
    assert language_of("/a/refs.bib", "latex") == "bibtex"
    assert language_of("/a/notes.txt", "latex") == "latex"
    assert language_of("/a/notes.txt", "plaintext") == "other"
