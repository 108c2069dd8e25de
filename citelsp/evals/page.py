"""A report as one page: sections of tables and pictures, in Markdown and in HTML that needs no other file."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 78rem; margin: 2rem auto; padding: 0 1rem; color: #1d2430 }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto }
th, td { border-bottom: 1px solid #d5dae3; padding: .25rem .6rem; text-align: right; white-space: nowrap }
th:first-child, td:first-child { text-align: left }
pre { background: #f3f5f9; padding: .5rem .75rem; white-space: pre-wrap }
figure { display: inline-block; margin: 1rem 1rem 1rem 0 }
"""


@dataclass(frozen=True, slots=True)
class Table:
    """The first column names the rows; every row has as many cells as the head."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Figure:
    name: str  # of its file, without a suffix
    title: str
    svg: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A figure and what it is held to: the least that it may be, or the most."""

    what: str
    measured: float
    asked: float
    most: bool = False
    why: str = ""  # it may be short

    @property
    def reached(self) -> bool:
        return self.measured <= self.asked if self.most else self.measured >= self.asked


@dataclass(frozen=True, slots=True)
class Section:
    """One measurement: what made it, what it printed or counted, what it cannot show."""

    title: str
    command: str = ""
    notes: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    output: str = ""  # as it was printed
    bars: tuple[Bar, ...] = ()  # not printed with it: the laboratory lists those of all sections


def percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f} %"


def number(value: float | None, digits: int = 3) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def write(out: Path, title: str, sections: Sequence[Section]) -> None:
    """The page as report.md and report.html, and its figures, in a folder that is made."""
    out.mkdir(parents=True, exist_ok=True)
    for figure in (it for section in sections for it in section.figures):
        (out / f"{figure.name}.svg").write_text(figure.svg, encoding="utf-8")
    (out / "report.md").write_text(markdown(title, sections), encoding="utf-8")
    (out / "report.html").write_text(html(title, sections), encoding="utf-8")


def markdown(title: str, sections: Sequence[Section]) -> str:
    """The page; its figures lie beside it as NAME.svg."""
    return "\n\n".join([f"# {title}", *(part for it in sections for part in _markdown_section(it))]) + "\n"


def _markdown_section(section: Section) -> list[str]:
    command = [f"```console\n$ {section.command}\n```"] if section.command else []
    command += [f"```\n{section.output}\n```"] if section.output else []
    figures = [f"![{it.title}]({it.name}.svg)" for it in section.figures]
    return [f"## {section.title}", *command, *map(_markdown_table, section.tables), *figures, *section.notes]


def _markdown_table(table: Table) -> str:
    rule = ("---", *("--:" for _ in table.head[1:]))
    rows = (tuple(it.replace("|", "\\|") for it in row) for row in (table.head, rule, *table.rows))
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def html(title: str, sections: Sequence[Section]) -> str:
    """The page with its figures in it."""
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{_STYLE}</style>'
    body = "\n".join(_html_section(it) for it in sections)
    return f"<!doctype html>\n<html lang=en><head>{head}</head><body><h1>{escape(title)}</h1>\n{body}\n</body></html>\n"


def _html_section(section: Section) -> str:
    parts = [f"<h2>{escape(section.title)}</h2>"]
    if section.command:
        parts.append(f"<pre>$ {escape(section.command)}</pre>")
    if section.output:
        parts.append(f"<pre>{escape(section.output)}</pre>")
    parts += [_html_table(it) for it in section.tables]
    parts += [f"<figure>{it.svg}</figure>" for it in section.figures]
    parts += [f"<p>{escape(it)}</p>" for it in section.notes]
    return "\n".join(parts)


def _html_table(table: Table) -> str:
    head = "".join(f"<th>{escape(it)}</th>" for it in table.head)
    rows = "\n".join(f"<tr>{''.join(f'<td>{escape(it)}</td>' for it in row)}</tr>" for row in table.rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>\n{rows}\n</tbody></table>"
