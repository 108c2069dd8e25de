"""citelsp help: the pages of the documentation in a terminal."""

import argparse
import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

from citelsp.base import docs, programs
from citelsp.cli import common, exits

HELP = "show the documentation, or list its topics"
_GROUPS = {"": "Guide", "recipes": "Recipes", "editors": "Editors", "findings": "Findings"}  # by the folder of a page
_COLUMNS = 80  # of a list that no terminal shows


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "topic", metavar="TOPIC", nargs="?", help="a topic, a finding or a command; without it, all are listed"
    )


def run(options: argparse.Namespace) -> int:
    """Show a page of the documentation, a command's help or all topics; return the exit status.

    A page comes before the help of a command of the same name.  USAGE, with similar topics if there are any, for a word
    that is neither.
    """
    from citelsp import cli
    from citelsp.cli import paint

    topics = docs.topics()
    if options.topic is None:
        print("\n".join(_list_topics(topics, paint.width(sys.stdout) or _COLUMNS)))
    elif options.topic in topics:
        _show_page(docs.read(topics[options.topic]))
    elif options.topic in cli.COMMANDS:
        return cli.main([options.topic, "--help"])
    else:
        similar = _suggest_similar(options.topic, topics)
        common.warn(f"there is no topic “{options.topic}”{similar}; `citelsp help` lists all topics")
        return exits.USAGE
    return exits.OK


def _list_topics(topics: dict[str, Path], width: int) -> Iterator[str]:
    """Yield the topics, by their names, in their groups; `topics`: name → page."""
    from citelsp.cli import paint

    for folder, title in _GROUPS.items():
        names = [name for name, page in topics.items() if page.parent == docs.DOCS / folder]
        yield paint.paint(title, "bold")
        yield paint.wrap(f"  {', '.join(names)}", width, indent=2) + "\n"
    yield "`citelsp help TOPIC` shows a page; `citelsp COMMAND --help` shows the options of a command."


def _suggest_similar(topic: str, topics: dict[str, Path]) -> str:
    """`; did you mean …?` of topics that are spelt alike; "" if there is none."""
    from citelsp.bibliography import similar_keys

    names = similar_keys.find_similar(topic, similar_keys.group_by_length(topics))
    return f"; did you mean {' or '.join(names)}?" if names else ""


def _show_page(page: str) -> None:
    """Print a page.

    A terminal gets it wrapped, through PAGER or `less` if there is one and somebody sits at the keyboard.  A pipe gets
    the Markdown as it is written.
    """
    from citelsp.cli import page_text, paint

    width = paint.width(sys.stdout)
    if not width:  # no terminal
        print(page, end="")
        return
    text = page_text.render_page(page, width)
    try:
        pager = shlex.split(os.environ.get("PAGER", "")) or ["less"]
    except ValueError:  # a quotation mark without its end
        pager = ["less"]
    program = programs.find(pager[0], os.environ.get("PATH", ""))
    if not sys.stdin.isatty() or not program:
        print(text)
        return
    # F, R, X: end if the page fits the screen, show colours, leave the text there afterwards.
    # A variable LESS of the user's counts instead.
    programs.show([program, *pager[1:]], text, {"LESS": "FRX", **os.environ})
