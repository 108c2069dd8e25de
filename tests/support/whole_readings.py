"""All that is read of short documents in each language, as it was when last read by a person.

python tests/support/whole_readings.py     writes tests/syntax/whole_readings.txt anew; read what changed in it
To have a document read there, add a line `## LANGUAGE "its text"`, in which a line's end is \\n.
"""

import json
from dataclasses import fields, is_dataclass
from pathlib import Path

from citelsp.base.text import Document, Span
from citelsp.syntax import languages, parse, prose
from citelsp.syntax.nodes import Ground, Syntax

RECORDED = Path(__file__).parent.parent / "syntax" / "whole_readings.txt"
NOTHING = Syntax()
APART = ("entries", "written", "ground")  # of a Syntax: shown in their own way


def described(language, text):
    endings = next(it for it in languages.ALL if it.name == language).endings
    document = Document(f"/a/a.{endings[0] if endings else 'txt'}", text, language)
    return "\n".join(lines(document, parse(document)))


def lines(document, syntax):
    for it in fields(Syntax):
        value = getattr(syntax, it.name)
        if it.name not in APART and value != getattr(NOTHING, it.name):
            yield from (f"{it.name}: {shown(one)}" for one in (value if isinstance(value, tuple) else [value]))
    if syntax.written:
        yield f"written: {shown(syntax.written.names)} {shown(syntax.written.overwrites)}"
    for entries in (syntax.entries, syntax.written and syntax.written.entries):
        yield from of_entries(entries) if entries is not None else ()
    yield from of_ground(syntax.ground or Ground("", (), own=(), verbatim=()))
    for it in [*syntax.citations, *syntax.placeholders][:1]:
        around = prose.prose_around(document, syntax, it.whole)
        yield f"prose: {shown(around.before)} … {shown(around.after)}, {shown(around[2:])}"


def of_ground(ground):
    found = {"hidden": ground.hidden, "own": ground.own, "verbatim": ground.verbatim}
    yield from (f"{name}: {shown(it)}" for name, it in found.items() if it)


def of_entries(entries):
    for index in range(len(entries)):
        node = entries.node(index)
        yield f"entry: {entries.start(index)} {node.kind} {shown(node.key)} {shown(node.key_span)}"
        for it in node.fields():
            spans = " ".join(map(shown, (it.name_span, it.value_span, it.span)))
            yield f"  {it.name} {shown(node.raw(it.name))} {spans}"
        yield from (f"  problem: {shown(it)}" for it in node.problems())


def shown(value):
    if isinstance(value, Span):
        return f"{value.start}-{value.end}"
    if is_dataclass(value):
        return " ".join(shown(getattr(value, it.name)) for it in fields(value))
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return " ".join(map(shown, value))
    if isinstance(value, tuple | frozenset | list):
        return f"[{', '.join(map(shown, sorted(value) if isinstance(value, frozenset) else value))}]"
    if isinstance(value, dict):
        return shown([f"{name}={it}" for name, it in sorted(value.items())])
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str | bool | None) else str(value)


def recorded():
    """(language, text) → its description."""
    parts = RECORDED.read_text(encoding="utf-8").removeprefix("## ").split("\n## ")
    split = (it.partition("\n") for it in parts)
    return {named(head): text.rstrip("\n") for head, _, text in split}


def named(head):
    language, _, text = head.partition(" ")
    return language, json.loads(text)


def write(known):
    found = sorted(known)
    texts = (f"## {language} {json.dumps(text)}\n{described(language, text)}\n" for language, text in found)
    RECORDED.write_text("".join(texts), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write(recorded())
