"""What is written into documents in Markdown: citations and their keys."""

import re
from collections.abc import Sequence

from citelsp.base.text import Span
from citelsp.syntax.languages.language import Form, Replacement
from citelsp.syntax.languages.latex.writing import fill as fill_tex
from citelsp.syntax.nodes import Placeholder

_PLAIN_KEY = re.compile(r"\w(?:[\w]|[:.#$%&\-+?<>~/](?=\w))*", re.UNICODE)  # pandoc manual, "Citation syntax"
_CONTINUES_KEY = re.compile(r"[:.#$%&\-+?<>~/]?\w")  # what pandoc would read as more of a key that it stands behind


def replace_key(text: str, span: Span, key: str) -> Replacement:
    """In braces if pandoc would otherwise stop reading it too early; not in raw LaTeX, nor in braces already."""
    return Replacement(span, _write_key(key) if text[span.start - 1 : span.start] == "@" else key)


def _write_key(key: str) -> str:
    return key if _PLAIN_KEY.fullmatch(key) else f"{{{key}}}"


def key_problem(key: str) -> str:
    if not (key[0].isalnum() or key[0] == "_"):
        return "In Markdown and YAML, a key must begin with a letter, a digit or an underscore."
    return "In Markdown and YAML, a key cannot end with a colon." if key.endswith(":") else ""


def cite(keys: Sequence[str], form: Form) -> str:
    if form.role:
        return f"{{{form.role}}}`{','.join(keys)}`"
    names = [f"@{_write_key(it)}" for it in keys]
    if form.textual and form.locator:
        return f"{', '.join(names)} [{form.locator}]"
    if form.textual:
        # Else pandoc would take what follows for more of the key.
        last = f"@{{{keys[-1]}}}" if _CONTINUES_KEY.match(form.follows) else names[-1]
        return ", ".join([*names[:-1], last])
    return f"[{'; '.join(names)}{f', {form.locator}' if form.locator else ''}]"


def fill(placeholder: Placeholder, keys: Sequence[str]) -> str:
    """What stands instead of a placeholder of Markdown, or of raw LaTeX, once these keys are cited."""
    if placeholder.before != "@":
        return fill_tex(placeholder, keys)
    return placeholder.before + "; @".join(map(_write_key, keys)) + placeholder.after
