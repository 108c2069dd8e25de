import math

import numpy as np
import pytest

from lab import masking, nearness

REFS = "@misc{ice, title = {How Glaciers Calve}}\n@misc{harps, title = {Harps}}\n"


def weighed(manuscript: str, *, is_draft: bool = False, language: str = "English") -> nearness.Weighed:
    nothing = [[0.0]]
    return nearness.Weighed(manuscript, 50, is_draft, nothing, [], [], 0.0, language)


def test_two_rankings_are_compared_whole_as_drafts_and_by_language():
    places = [weighed("a"), weighed("a"), weighed("b", is_draft=True, language="German")]
    told = nearness.report(places, before=[0, 11, math.inf], after=[0, 0, 3])
    assert "whole text: 2 citations of 1 manuscripts\n  first: 50.0%, then 100.0%: +50.0%" in told
    assert "first draft, in German: 1 citations of 1 manuscripts\n  first: 0.0%, then 0.0%: +0.0%" in told
    assert "in French" not in told


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("English", "Glaciers calve and retreat with the tide, which seals know"),
        ("German", "Gletscher kalben und ziehen sich zurück, wenn sie nicht wachsen; der Winter ist lang"),
        ("Spanish", "Los glaciares y las focas del norte"),
        ("Russian", "Ледники и тюлени на севере"),
    ],
)
def test_a_manuscript_is_in_the_language_of_its_small_words(tmp_path, language, said):
    (tmp_path / "main.tex").write_text(
        rf"\documentclass{{article}}\begin{{document}}{said} \cite{{ice}}.\bibliography{{refs}}\end{{document}}",
        encoding="utf-8",
    )
    (tmp_path / "refs.bib").write_text(REFS, encoding="utf-8")
    assert nearness.tell_language(masking.manuscript(tmp_path, each=9, fewest=2)) == language


def test_a_weight_is_fitted_so_that_right_entries_are_likeliest():
    """At three of four places the due one of two entries is right: it has odds of 3 to 1."""
    features = len(nearness.entries.FEATURES) + len(nearness.entries.VIEWS)
    rows = np.zeros((2, features), np.float32)
    rows[0, nearness.entries.FEATURES.index("due")] = 1.0
    by_words = rows[:, : len(nearness.entries.FEATURES)] @ np.array(nearness.entries.WEIGHTS)
    places = [
        nearness.Weighed("a", 50, False, rows, np.array([is_right, not is_right]), by_words, 0.0)
        for is_right in (True, True, True, False)
    ]
    assert nearness.fit_weight(places, "due") == pytest.approx(math.log(3), abs=0.02)
