"""A language is one value: every one is walked through all that is done in it, and nothing else compares names."""

import ast
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from citelsp.syntax import languages
from language_walk import Manuscripts
from syntax_trees import nodes

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "citelsp"
MANUSCRIPTS = [it for it in languages.ALL if it.manuscript]
STEPS = [it for it in dir(Manuscripts) if it.startswith("step_")]
NAMES = {it.name for it in languages.ALL}


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("language", MANUSCRIPTS, ids=lambda it: it.name)
def test_everything_is_done_in_every_language(language, step):
    getattr(Manuscripts(language), step)()


def test_endings_and_ids_belong_to_one_language():
    counted = Counter(ending for it in languages.ALL for ending in it.endings)
    counted.update(f"id {written.lower()}" for it in languages.ALL for written in {*it.endings, *it.ids})
    assert [it for it, number in counted.items() if number > 1] == []


def test_the_ending_says_more_than_the_editor():
    assert languages.language_of_path("/a/refs.bib", "latex").name == "bibtex"
    assert languages.language_of_path("/a/notes.txt", "latex").name == "latex"
    assert languages.language_of_path("/a/notes.txt", "plaintext").name == "other"


def comparisons(path):
    """What is compared with constants, and the constants; of files in which no name of a language stands, none."""
    if not any(f'"{it}"' in path.read_text(encoding="utf-8") for it in NAMES):
        return
    for node in nodes(path):
        if isinstance(node, ast.Compare):
            yield node, {it.value for it in ast.walk(node) if isinstance(it, ast.Constant)}
        elif isinstance(node, ast.Match):
            patterns = [it for case in node.cases for it in ast.walk(case.pattern)]
            yield node.subject, {it.value for it in patterns if isinstance(it, ast.Constant)}


def test_nothing_compares_the_names_of_languages():
    rooms = (it for it in PACKAGE.rglob("*.py") if "languages" not in it.relative_to(PACKAGE).parts)
    found = [
        f"{path.relative_to(PACKAGE)}: {ast.unparse(node)}"
        for path in sorted(rooms)
        for node, constants in comparisons(path)
        if constants & NAMES and "language" in ast.unparse(node)
    ]
    assert found == []


TOY = """
import re
from dataclasses import replace

from citelsp.base.text import Span
from citelsp.syntax import suppressions
from citelsp.syntax.languages.language import Language, ManuscriptLanguage, Naming, Replacement, plain_names
from citelsp.syntax.nodes import Citation, KeyArgument, Link, Placeholder, Syntax

CITATION = re.compile(r"~(?:(?P<key>[^~<>#\\n]+)|<(?P<words>[^<>\\n]*)>)~|^#[^\\n]*|^use (?P<file>\\S+)", re.MULTILINE)
IGNORE = re.compile(rf"^#[ ]{suppressions.IGNORE}[^\\n]*", re.MULTILINE)


def parse(document, _commands, _old):
    citations, placeholders, links = [], [], []
    for it in CITATION.finditer(document.text):
        whole = Span(*it.span())
        if it["key"]:
            citations.append(Citation(it["key"], Span(*it.span("key")), "~", whole))
        elif it["words"] is not None:
            placeholders.append(Placeholder(it["words"], whole, "~", whole))
        elif it["file"]:
            links.append(Link("bibliography", it["file"], Span(*it.span("file"))))
    arguments = [KeyArgument(it.span, "~", "@") for it in citations]
    comments = tuple(suppressions.find(IGNORE, document.text))
    return Syntax(tuple(citations), tuple(placeholders), tuple(arguments), tuple(links), suppressions=comments)


def naming(text, offset):
    typed = re.search(r"^use (\\S*)\\Z", text[:offset], re.MULTILINE)
    return Naming(typed[1], ("bib",)) if typed else None


def declare(text, _hidden, name, _texts):
    return Replacement(Span(0, 0), f"use {name}\\n\\n")


def beside(text, link, name):
    return Replacement(Span(link.span.end, link.span.end), f"\\nuse {name}")


TOY = Language(
    name="toy",
    title="Toy",
    endings=("toy",),
    parse=parse,
    manuscript=ManuscriptLanguage(
        skim=lambda document: document.text,
        markup=lambda: re.compile(r"(?P<command>^use [^\\n]*)", re.MULTILINE),
        body=lambda _text, start, _end: start,
        reader="pandoc",
        search="document",
        names=plain_names,
        certain=True,
        cite=lambda keys, form: " ".join(f"~{it}~" for it in keys),
        placeholder=lambda words: f"~<{words}>~",
        fill=lambda _placeholder, keys: " ".join(f"~{it}~" for it in keys),
        comment=lambda words: f"# {words}",
        declare=declare,
        declare_beside=beside,
        declared_by="use",
        naming=naming,
    ),
)
"""
WALK = """
from citelsp.syntax import languages
from language_walk import Manuscripts
Manuscripts(languages.language_of_path("paper.toy")).walk()
"""


def test_a_new_language_is_one_module_and_one_row(tmp_path):
    """In a copy of the package, so that nothing but the two is changed; checked by the command, then walked through."""
    copy = tmp_path / "citelsp"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("docs"))
    rows = copy / "syntax" / "languages" / "__init__.py"
    text = rows.read_text(encoding="utf-8")
    assert text.count("    MARKDOWN,\n") == 1
    text = text.replace("    MARKDOWN,\n", "    MARKDOWN,\n    TOY,\n")
    rows.write_text(f"from citelsp.syntax.languages.toy import TOY\n{text}", encoding="utf-8")
    (copy / "syntax" / "languages" / "toy.py").write_text(TOY, encoding="utf-8")
    work = tmp_path / "work"
    work.mkdir()
    (work / "paper.toy").write_text("use refs.bib\n\nAs ~knuth84~ and ~gone~ say.\n", encoding="utf-8")
    (work / "refs.bib").write_text("@misc{knuth84, title = {Literate Programming}}\n", encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (tmp_path, *sys.path)))}

    def run(*command):
        return subprocess.run(
            [sys.executable, *command], cwd=work, env=environment, capture_output=True, encoding="utf-8", check=False
        )

    checked = run("-m", "citelsp", "check", "paper.toy", "--offline", "--format", "json")
    found = [(it["code"], it["key"]) for it in json.loads(checked.stdout)["findings"] if it["path"] == "paper.toy"]
    assert found == [("undefined-citation", "gone")], checked.stderr
    walked = run("-c", WALK)
    assert walked.returncode == 0, walked.stderr
