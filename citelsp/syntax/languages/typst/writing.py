"""What is written into documents in Typst: citations and their keys."""

import re
from collections.abc import Sequence

from citelsp.base.text import Span
from citelsp.syntax.languages.language import Form, Replacement
from citelsp.syntax.languages.typst import frames
from citelsp.syntax.nodes import Placeholder

_PLAIN_KEY = re.compile(r"(?:[\w.\-]|:)*[\w\-]")  # what Typst's lexer takes for a label behind an at sign
_MARKUP_IN_LOCATOR = re.compile(r"[*/]")  # of “p. 3*”: strong text, or a comment
_CITES = re.compile(r"[@<]")  # what stands before a key


def replace_key(text: str, span: Span, key: str) -> Replacement:
    """Return the edit that puts `key` in the place of the key at `span`, behind `@` or in `<…>`.

    A key that no label can hold, as DBLP's with slashes, is written as a string: `#cite(label("conf/x"))` for `@…`,
    with its supplement if one follows, and `label("conf/x")` for `<…>`.  Behind any other sign, as a quotation mark, it
    stands in a string already, and takes the place of the old one alone.
    """
    sign = text[span.start - 1 : span.start]
    if _PLAIN_KEY.fullmatch(key) or sign not in ("@", "<"):
        return Replacement(span, key)
    start = span.start - len(sign)
    label = f'label("{key}")'
    if sign == "<":
        end = span.end + 1 if text.startswith(">", span.end) else span.end
        return Replacement(Span(start, end), label)
    end = _find_supplement_end(text, span.end)
    supplement = text[span.end : end]
    if _CITES.search(supplement):
        # Keys within may be replaced as well, by edits of their own, so this one must not reach over them: it makes a
        # function, of which the supplement that follows becomes the argument.
        return Replacement(Span(start, span.end), f"#(it => cite({label}, supplement: it))")
    call = f"#cite({label}, supplement: {supplement})" if supplement else f"#cite({label})"
    return Replacement(Span(start, end), f"{call};" if frames.CONTINUES_CALL.match(text, end) else call)


def _find_supplement_end(text: str, key_end: int) -> int:
    """Return where the supplement `[…]` ends that begins at `key_end`; `key_end` itself if none is there."""
    if not text.startswith("[", key_end):
        return key_end
    from citelsp.syntax.languages.typst import parsing

    return parsing.find_content_end(text, key_end) or key_end


def key_problem(key: str) -> str:
    if _PLAIN_KEY.fullmatch(key):
        return ""
    return "In Typst, a key can only contain letters, digits, and the signs _ - : . (the last two not at its end)."


def cite(keys: Sequence[str], form: Form) -> str:
    """Cite the works side by side, which Typst itself joins.

    The last is written as a call if Typst would take what follows in the text (`form.follows`) for more of its key; and
    a call at the end is closed by `;` if what follows would be taken for more of the call.
    """
    *others, last = keys
    last_written = _cite_one(last, form.textual, form.locator)
    if last_written == f"@{last}" and frames.CONTINUES_KEY.match(form.follows):
        last_written = f"#cite({_write_label(last)})"
    is_call = last_written.startswith("#")
    end = ";" if is_call and frames.CONTINUES_CALL.match(form.follows) else ""
    return " ".join([*(_cite_one(it, form.textual) for it in others), last_written + end])


def _cite_one(key: str, textual: bool, locator: str = "") -> str:
    locator = _MARKUP_IN_LOCATOR.sub(r"\\\g<0>", locator)
    if _PLAIN_KEY.fullmatch(key) and not textual:
        return f"@{key}[{locator}]" if locator else f"@{key}"
    more = f", supplement: [{locator}]" if locator else ""
    prose = ', form: "prose"' if textual else ""
    return f"#cite({_write_label(key)}{more}{prose})"


def _write_label(key: str) -> str:
    return f"<{key}>" if _PLAIN_KEY.fullmatch(key) else f'label("{key}")'


def fill(placeholder: Placeholder, keys: Sequence[str]) -> str:
    """`@a @b`; a call at the end is closed if the text behind the placeholder would go on with it.

    The last key is written in such a call if the text behind would go on with the key.  The one key of a call that
    stands there already is written as its argument, a label, or within the quotation marks of one.
    """
    if placeholder.before == '"':
        return keys[0]
    if placeholder.before == "<":
        return _write_label(keys[0])
    *others, last = keys
    needs_call = placeholder.before.endswith("(")
    if needs_call:
        last_written = placeholder.before + _write_label(last) + placeholder.after
    else:
        last_written = _cite_one(last, textual=False)
        if last_written.startswith("#"):
            last_written += placeholder.after
    return " ".join([*(_cite_one(it, textual=False) for it in others), last_written])
