"""VS Code takes an entry back with its citation, and so looks whether a text still cites it."""

import pytest

from editors.test_vscode_setup import called, node

pytestmark = pytest.mark.editors
__all__ = ["node"]  # a fixture


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        (r"\cite{knuth84}", True),
        ("This is known from @knuth84.", True),
        ("As in @knuth84: see below", True),
        ("cite:knuth84", True),
        ("@knuth84-", True),
        (r"\cite{knuth84b}", False),
        (r"\cite{knuth84-b}", False),
        ("@knuth84:b", False),
        ("@deknuth84", False),
    ],
)
def test_a_text_mentions_a_key_that_is_no_part_of_a_longer_one(node, text, cited):
    assert called(node, "mentions.ts", "mentions", [text, "knuth84"])["answer"] is cited
