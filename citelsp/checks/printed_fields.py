"""The fields that bibliography styles print as text."""

NAMES = frozenset("author editor translator bookauthor".split())
CERTAIN = frozenset("author title journal booktitle note school institution".split())  # printed if they are there
BY_BIBTEX = (
    frozenset("author editor address edition howpublished number organization pages publisher series volume".split())
    | CERTAIN
)
BY_BIBLATEX = (
    BY_BIBTEX
    | NAMES
    | frozenset(
        """addendum booksubtitle booktitleaddon eventtitle issuetitle journalsubtitle journaltitle location mainsubtitle
    maintitle subtitle titleaddon venue version""".split()
    )
)
TITLES = frozenset("booktitle issuetitle journal journaltitle maintitle series subtitle title".split())
