"""Keys in a .bib file that are no entry's own: biblatex's `ids`, and the members of groups."""

import pytest

from citelsp.base.text import Document
from citelsp.syntax.bibtex import further_keys, group_lists, parsing

GROUPS = r"""@misc{k}
@comment{jabref-meta: groupstree:
0 AllEntriesGroup:;
1 ExplicitGroup:A\;0\;k\;b c\;
d\; \;;
1 ExplicitGroup:N\\\;x\;2\;e
f\;g\;;
1 KeywordGroup:no\;0\;no\;;
1 ExplicitGroup:never\;0\;ended\;
}
@comment{BibDesk Static Groups{
<array><dict><key>group name</key><string>no</string><key>keys</key><string>k,l , m</string></dict>
<dict><key>keys</key> <string></string></dict><dict><key>keys</key> <string>n</string></dict></array>
}}
@comment{no, no}
"""


def entries(text):
    return parsing.parse(Document("a.bib", text, "bibtex")).entries


def test_the_members_of_groups():
    found = [*group_lists.read(entries(GROUPS))]
    assert [key for key, _, _ in found] == ["k", "b c", "d", "ef", "g", "k", "l", "m", "n"]
    assert [span.within(GROUPS) for _, span, _ in found] == ["k", "b c", "\nd", "e\nf", "g", "k", "l", "m", "n"]
    assert [block.within(GROUPS).split("{")[1][:7] for _, _, block in found] == 5 * ["jabref-"] + 4 * ["BibDesk"]
    assert all(GROUPS[block.start] == "@" and GROUPS[block.end - 1] == "}" for _, _, block in found)


@pytest.mark.parametrize(
    ("text", "may", "aliases"),
    [
        ("@a{k, ids = {x, y,}}", True, ("x", "y")),
        ("@a{k,IDS={x}}", True, ("x",)),
        ("@a{k, Ids\n= {x}}", True, ("x",)),
        ("@a{k, kids = {x}}", False, ()),
        ("@a{k, kids = {x}, ids = {y}}", True, ("y",)),
        ("@a{k, t = {ids}}", False, ()),
        ("@a{ids}", False, ()),
    ],
)
def test_aliases(text, may, aliases):
    [node] = entries(text)
    assert further_keys.may_hold_aliases(text) == may
    assert further_keys.aliases_of(node) == aliases
