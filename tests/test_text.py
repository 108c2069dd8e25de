from citelsp.base.text import language_of, still


def test_the_ending_says_more_than_the_editor():
    assert language_of("/a/refs.bib", "latex") == "bibtex"
    assert language_of("/a/notes.txt", "latex") == "latex"
    assert language_of("/a/notes.txt", "plaintext") == "other"


def test_still_text_moves_nothing():
    assert still("On\tnets\n\x1b[2Jno\x9b \u202elive\u202c می\u200cخواهم") == "On\tnets\n[2Jno live می\u200cخواهم"
