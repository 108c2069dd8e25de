"""The tables of the documentation, from the code.  `python tests/readme.py` writes them; a test compares them."""

import os
import re
from pathlib import Path

from citelsp import checks
from citelsp.base import docs, settings_page
from citelsp.checks.finding import Check
from citelsp.verification import policy_wording

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"


def written() -> dict[str, Path]:
    """The README, CONTRIBUTING, the page on tests and all pages of the package, by their paths in the repository."""
    every = (README, ROOT / "CONTRIBUTING.md", ROOT / "tests" / "README.md", *docs.topics().values())
    return {it.relative_to(ROOT).as_posix(): it for it in every}


def findings(page: Path) -> str:
    rows = [f"| {_linked(it.code, page)} | {it.severity} | {it.summary.rstrip('.')} |" for it in checks.ALL]
    return "\n".join(["| code | severity | meaning |", "|---|---|---|", *rows])


def _linked(code: str, page: Path) -> str:
    return f"[{code}]({Path(os.path.relpath(docs.finding_page(code), page.parent)).as_posix()})"


def head(check: Check) -> str:
    return f"# {check.code}\n\n{check.summary}\n\n**Severity:** {check.severity}\n"


HEAD = re.compile(r"\A.*?^\*\*Severity:\*\* \w+\n", re.MULTILINE | re.DOTALL)
TABLES = {
    "findings": findings,
    "settings": lambda _: settings_page.table().strip(),
    "rules": lambda _: f"\n{policy_wording.page()}\n",
}


def generated(text: str, page: Path) -> str:
    """A page with its tables as the code says, and with its head if it is about a finding."""
    for check in checks.ALL:
        if page == docs.finding_page(check.code):
            return HEAD.sub(lambda _, check=check: head(check), text, count=1)
    for name, table in TABLES.items():
        pattern = rf"(<!-- {name}: [^>]*-->\n).*?(<!-- end of {name} -->)"
        text = re.sub(
            pattern, lambda it, table=table: f"{it[1]}{table(page)}\n{it[2]}", text, flags=re.DOTALL
        )  # fmt: skip
    return text


if __name__ == "__main__":
    for path in written().values():
        path.write_text(generated(path.read_text(encoding="utf-8"), path), encoding="utf-8")
