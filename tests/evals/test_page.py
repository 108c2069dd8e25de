from citelsp.evals.page import Figure, Section, Table, html, markdown


def test_a_page_holds_every_cell_command_note_and_figure():
    section = Section("Speed", "bench --all", ("On two cores.",), (Table(("set", "a|b"), (("x <y>", "1"),)),))
    drawn = Section("Curves", figures=(Figure("recall", "Recall", "<svg/>"),))
    page = markdown("Report", [section, drawn])
    assert "| set | a\\|b |\n| --- | --: |\n| x <y> | 1 |" in page
    assert "$ bench --all" in page and "On two cores." in page and "![Recall](recall.svg)" in page
    web = html("Report", [section, drawn])
    assert "<td>x &lt;y&gt;</td><td>1</td>" in web and "<figure><svg/></figure>" in web and "<y>" not in web
