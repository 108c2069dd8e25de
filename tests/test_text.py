from citelsp.base.text import still, write_count


def test_still_text_moves_nothing():
    assert still("On\tnets\n\x1b[2Jno\x9b \u202elive\u202c می\u200cخواهم") == "On\tnets\n[2Jno live می\u200cخواهم"


def test_one_is_counted_as_one():
    assert [write_count(it, "paper") for it in (0, 1, 1200)] == ["0 papers", "1 paper", "1,200 papers"]
    assert [write_count(it, "entry", "entries") for it in (1, 2)] == ["1 entry", "2 entries"]
