"""What is written into documents in LaTeX: citations."""

from collections.abc import Sequence

from citelsp.syntax.languages.language import Form
from citelsp.syntax.nodes import Placeholder


def cite(keys: Sequence[str], form: Form) -> str:
    # TeX would put more space behind the full stop, and break the line there.
    place = f"[{form.locator.replace('. ', '.~')}]" if form.locator else ""
    return f"\\{form.command or 'cite'}{place}{{{','.join(keys)}}}"


def fill(placeholder: Placeholder, keys: Sequence[str]) -> str:
    return placeholder.before + ",".join(keys) + placeholder.after
