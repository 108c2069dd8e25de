"""The README and the pages say what the code says, lead to what is there, and the README is short."""

import re
import tomllib
from pathlib import Path
from statistics import mean

import pytest

import readme
from citelsp.base import read_settings

PAGES = {name: path.read_text(encoding="utf-8") for name, path in readme.written().items()}
OTHERS = {
    it.relative_to(readme.ROOT).as_posix(): it.read_text(encoding="utf-8")
    for it in sorted((readme.ROOT / "editors").glob("*/README.md"))
}
README = PAGES["README.md"]
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("name", PAGES)
def test_tables_are_current(name):
    assert readme.generated(PAGES[name], readme.ROOT / name) == PAGES[name], "run python tests/readme.py"


def anchors(text):
    """What a heading is called in a link, as web sites of repositories do it."""
    return {
        re.sub(r"[^\w\- ]", "", it.lower()).replace(" ", "-") for it in re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    }


@pytest.mark.parametrize("name", [*PAGES, *OTHERS])
def test_links_resolve(name):
    text = FENCED.sub("", (PAGES | OTHERS)[name])
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, anchor = target.partition("#")
        if "://" in target:
            continue
        linked = (readme.ROOT / name).parent / path if path else readme.ROOT / name
        assert linked.exists(), f"{name} links to {target}"
        assert not anchor or anchor in anchors(linked.read_text(encoding="utf-8")), f"{name} links to {target}"


@pytest.mark.parametrize("name", sorted(it for it in PAGES if it.startswith("citelsp/docs/")))
def test_pages_lead_to_pages_that_ship(name):
    for path in re.findall(r"\]\(([^)\s#:]+\.md)[^)]*\)", PAGES[name]):
        linked = ((readme.ROOT / name).parent / path).resolve()
        assert linked.is_relative_to(readme.ROOT / "citelsp" / "docs"), f"{name} links to {path}"


@pytest.mark.parametrize(
    "block", [it for text in PAGES.values() for it in re.findall(r"```toml\n(.*?)```", text, re.DOTALL)]
)
def test_settings_shown_are_settings(block):
    raw = tomllib.loads(block)
    if "language-server" not in raw:  # Helix's own file
        _, problems = read_settings.merge(read_settings.Layer(raw))
        assert not problems


def sentences(text):
    """Of the prose: items of lists and paragraphs, without code, tables, headings and pictures."""
    prose = re.sub(r"^(?:#|\||!\[).*$", "", FENCED.sub("", text), flags=re.MULTILINE)
    blocks = re.split(r"\n\s*\n|\n(?=(?:- |\d+\. ))", re.sub(r"\]\([^)]*\)", "]", prose))
    found = [it for block in blocks for it in re.split(r"(?<=[.!?])[)\]*]*\s+(?=[\[`*A-Z])", " ".join(block.split()))]
    return [it.split() for it in found if len(it.split()) > 1]


def test_the_readme_is_short():
    words = re.sub(r"\]\([^)]*\)", "]", README).split()
    assert len(README.splitlines()) <= 150
    assert len(words) <= 1200
    assert mean(map(len, sentences(README))) <= 16


def test_the_first_thing_that_runs_sets_up():
    commands = [it.partition(" #")[0].strip() for it in re.findall(r"^\$ (.*)$", README, re.MULTILINE)]
    assert commands[:2] == ["pip install . && citelsp demo", 'pip install -e ".[test]" && pytest']


def test_the_wheel_holds_the_pages():
    """Whatever lies in the package is packed; nothing that git ignores lies there."""
    build = tomllib.loads(Path(readme.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]
    assert build["targets"]["wheel"]["packages"] == ["citelsp"]
    assert not {"docs", "*.md"} & set((readme.ROOT / ".gitignore").read_text(encoding="utf-8").split())
