"""The README's tables, from the code.  `python tests/readme.py` writes them; a test holds the README to them."""

import re
from pathlib import Path

from citelsp import checks
from citelsp.base import settings

README = Path(__file__).parent.parent / "README.md"


def findings() -> str:
    rows = [f"| `{it.code}` | {it.severity} | {it.summary.rstrip('.')} |" for it in checks.ALL]
    return "\n".join(["| code | severity | meaning |", "|---|---|---|", *rows])


TABLES = {"findings": findings, "settings": lambda: settings.table().strip()}


def generated(text: str) -> str:
    """The README with its tables as the code says."""
    for name, table in TABLES.items():
        pattern = rf"(<!-- {name}: [^>]*-->\n).*?(<!-- end of {name} -->)"
        text = re.sub(pattern, lambda it, table=table: f"{it[1]}{table()}\n{it[2]}", text, flags=re.DOTALL)
    return text


if __name__ == "__main__":
    README.write_text(generated(README.read_text(encoding="utf-8")), encoding="utf-8")
