from citelsp.base.text import still


def test_still_text_moves_nothing():
    assert still("On\tnets\n\x1b[2Jno\x9b \u202elive\u202c می\u200cخواهم") == "On\tnets\n[2Jno live می\u200cخواهم"
