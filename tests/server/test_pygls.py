"""What citelsp overrides of pygls is named, is there, and is what was read."""

import inspect
import re
import tomllib
from pathlib import Path

from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol

from citelsp.server.protocol import OVERRIDDEN, USED, Protocol

ROOT = Path(__file__).parent.parent.parent
READ = "2.1"  # in which the members were read


def test_what_is_overridden_is_named_and_there():
    own = {it for it in vars(Protocol) if not it.startswith(("__", "lsp_"))}
    assert {it for it in own if hasattr(LanguageServerProtocol, it)} == {*OVERRIDDEN}, "name it in OVERRIDDEN"


def test_what_is_used_is_there():
    protocol = LanguageServer("x", "1").protocol
    missing = [it for it in USED if not hasattr(protocol, it)]
    assert not missing, f"pygls has no {', '.join(missing)} any more"
    named = set(re.findall(r"self\.(_[a-z_]+)", inspect.getsource(Protocol)))
    own = {it for it in vars(Protocol) if it not in OVERRIDDEN}
    assert named - own - {*OVERRIDDEN} == {*USED}, "name it in USED"


def test_no_other_pygls_is_installed_than_was_read():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    [bound] = [it for it in project["dependencies"] if it.startswith("pygls")]
    assert bound == f"pygls>={READ},<2.2", "read OVERRIDDEN and USED of server/protocol.py in the new one first"
