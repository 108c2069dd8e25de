"""A small style in CSL, and a program that stands for pandoc."""

import sys
from pathlib import Path

STYLE = """<?xml version="1.0" encoding="utf-8"?>
<style xmlns="http://purl.org/net/xbiblio/csl" class="in-text" version="1.0" default-locale="en-US">
  <info><title>Small</title><id>small</id><updated>2026-01-01T00:00:00+00:00</updated></info>
  <citation><layout><text variable="citation-number"/></layout></citation>
  <bibliography second-field-align="flush"><layout suffix=".">
    <text variable="citation-number" prefix="(" suffix=")"/>
    <names variable="author"><name initialize-with="." font-variant="small-caps"/></names>
    <text variable="title" prefix=", “" suffix="”" font-style="italic"/>
    <date variable="issued" prefix=" "><date-part name="year"/></date>
    <text term="page" form="short" prefix=", "/>
  </layout></bibliography>
</style>
"""
LINK = '<link href="{}" rel="independent-parent"/><updated>'


def dependent(address: str) -> str:
    """A style that rests on the one at this address."""
    return STYLE.replace("<updated>", LINK.format(address), 1)


def program(folder: Path, body: str, name: str = "pandoc") -> str:
    """A program of this name that runs `body` as Python in the folder where it is started; its directory."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(f"#!{sys.executable}\nimport pathlib, sys, time\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(folder)
