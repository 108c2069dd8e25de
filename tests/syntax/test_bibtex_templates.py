"""Bibliographies that a program still has to fill in."""

import pytest

from citelsp import checks
from citelsp.knowledge import Knowledge
from citelsp.syntax.bibtex.templates import is_template
from fixture_projects import project_of


@pytest.mark.parametrize(
    "text",
    [
        "@misc{{ '{' }}https://doi.org/{{ item.doi }},\n  doi = {{ '{' }}{{ item.doi }}{{ '}' }},\n}\n",
        "@misc{ {{ cookiecutter.key }},\n title = {X}}\n",
        "@{{ entry.type }}{{- '{' }}key,\n title = {X}}\n",
        "{% for it in works %}\n@book{a, title = {X}}\n{% endfor %}\n",
        "@article{<%= key %>, title = {X}}\n",
        "@article{${key}, title = {X}}\n",
    ],
)
def test_what_is_filled_in_later(text):
    assert is_template(text)
    assert checks.run(project_of({"r.bib": text}), Knowledge()) == []


@pytest.mark.parametrize(
    "text",
    [
        "@book{{a, title = {X}}\n",
        "@article{% of mine\n  a, title = {X}}\n",
        "@comment{{ x }}\n",
        "@preamble{{\\newcommand{\\x}{}}}\n@book{a, title = {{ Of Braces }}, note = {{% if you like}}}\n",
        "@string{ {x} = {y}}\n@book{a_${x}, title = {50{\\%} of {{ all }}}}\n",
    ],
)
def test_what_authors_write(text):
    assert not is_template(text)
