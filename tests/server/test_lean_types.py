"""Types that are completed when they are used are those that lsprotocol defines."""

import json
import subprocess
import sys
from pathlib import Path

import attrs
from lsprotocol import types
from pygls.protocol import default_converter

LEAN = "from citelsp.server.wire import lean_types; lean_types.load()\n"
FIELDS = """
import json, sys
import test_lean_types
sys.stdout.write(json.dumps(test_lean_types.fields()))
"""
THREADS = """
import threading
from lsprotocol import types
together, made = threading.Barrier(8), []
def make():
    together.wait()
    made.append(types.Range(types.Position(1, 2), end=types.Position(3, 4)))
threads = [threading.Thread(target=make) for _ in range(8)]
for it in threads: it.start()
for it in threads: it.join()
print([(it.start.line, it.end.character) for it in made])
"""
MESSAGE = """
import sys, json
from lsprotocol import types
from pygls.protocol import default_converter
converter = default_converter()
structured = converter.structure(json.load(sys.stdin), types.InitializeRequest)
sys.stdout.write(json.dumps(converter.unstructure(structured)))
"""


def fields():
    """Of every type that has any, as this process has them."""
    default_converter()
    return {
        name: [[it.name, str(it.type), str(it.default), it.kw_only] for it in attrs.fields(one)]
        for name, one in types.ALL_TYPES_MAP.items()
        if isinstance(one, type) and attrs.has(one)
    }


def in_process(script, given=""):
    done = subprocess.run(
        [sys.executable, "-c", script],
        input=given,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        cwd=Path(__file__).parent,
    )
    assert not done.stderr
    return done.stdout


def test_every_type_has_its_fields():
    lean = json.loads(in_process(LEAN + FIELDS))
    assert lean == fields()
    assert len(lean) == sum(isinstance(it, type) and attrs.has(it) for it in types.ALL_TYPES_MAP.values()) > 500


def test_a_message_survives_reading_and_writing():
    folders = [{"uri": "file:///w", "name": "w"}]
    completion = {"completionItem": {"snippetSupport": True, "resolveSupport": {"properties": ["documentation"]}}}
    abilities = {"textDocument": {"completion": completion}, "workspace": {"workspaceEdit": {"documentChanges": True}}}
    params = {"capabilities": abilities, "workspaceFolders": folders, "trace": "off"}
    message = {"id": 1, "jsonrpc": "2.0", "method": "initialize", "params": params}
    expected = default_converter().unstructure(default_converter().structure(message, types.InitializeRequest))
    assert json.loads(in_process(LEAN + MESSAGE, json.dumps(message))) == expected
    assert expected["params"]["capabilities"] == abilities


def test_threads_may_use_a_type_first_together():
    assert in_process(LEAN + THREADS).strip() == str([(1, 4)] * 8)
