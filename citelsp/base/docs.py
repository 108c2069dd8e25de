"""The documentation that ships with the package: Markdown files in `docs/`, one for each topic and each finding."""

import os
from pathlib import Path

DOCS = Path(__file__).parent.parent / "docs"
_URI = DOCS.as_uri()
_FOLDER = f"{DOCS}{os.sep}"


def topics() -> dict[str, Path]:
    """The pages by their names, `wrong-year` for `findings/wrong-year.md`, in alphabetical order."""
    return {it.stem: it for it in sorted(DOCS.rglob("*.md"), key=lambda it: it.stem)}


def is_page(path: str) -> bool:
    """Whether a file is one of the pages."""
    return path.startswith(_FOLDER)


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def finding_page(code: str) -> Path:
    """The page that explains this kind of finding."""
    return DOCS / "findings" / f"{code}.md"


def uri_of_finding(code: str) -> str:
    """The `file:` URI of that page, which a program on this machine can open."""
    return f"{_URI}/findings/{code}.md"
