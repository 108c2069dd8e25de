"""The project's public address, which it has not got yet: without one, nothing links to a page of ours.

What names it besides (package.json, pyproject.toml) agrees; `tests/test_address.py` holds the whole tree to that.
"""

HOME = ""  # "https://…", of the README


def of_finding(code: str) -> str:
    """The page that explains this kind of finding; "" if there is none."""
    return f"{HOME}#{code}" if HOME else ""
