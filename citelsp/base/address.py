"""The project's public address, which it has not got yet: without one, nothing links to a page of ours.

What names it besides (package.json, pyproject.toml) agrees; `tests/test_address.py` holds the whole tree to that.
"""

HOME = ""  # "https://…", of the folder that holds the README: its relative links hold from there


def finding_address(code: str) -> str:
    """The public page that explains this kind of finding; "" if there is none."""
    return f"{HOME}/citelsp/docs/findings/{code}.md" if HOME else ""
