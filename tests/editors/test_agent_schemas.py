"""The plugin's files by the schemas that are published for them: `CITELSP_SCHEMAS=FOLDER pytest tests/editors`.

FOLDER holds the schemas as they were fetched, under any names: server.schema.json of the MCP registry, which
`server.json` names, and SchemaStore's claude-code-marketplace.json and claude-code-plugin-manifest.json.  They are not
part of this repository.  For Codex's files none is published.
"""

import json
import os
from pathlib import Path

import pytest

FOLDER = os.environ.get("CITELSP_SCHEMAS", "")
AGENTS = Path(__file__).parents[2] / "editors" / "agents"
CLAUDE = "https://json.schemastore.org/claude-code"


def data(path):
    return json.loads((AGENTS / path).read_text(encoding="utf-8"))


SERVER, MARKETPLACE = data("server.json"), data(".claude-plugin/marketplace.json")
# Claude Code reads both files beside the manifest as if they stood in it.
MANIFEST = data("citelsp/.claude-plugin/plugin.json") | {
    "lspServers": data("citelsp/.lsp.json"),
    "mcpServers": data("citelsp/.mcp.json")["mcpServers"],
}


@pytest.fixture(scope="module")
def schemas():
    if not FOLDER:
        pytest.skip("CITELSP_SCHEMAS names no folder with the published schemas")
    read = (json.loads(it.read_text(encoding="utf-8")) for it in sorted(Path(FOLDER).glob("*.json")))
    return {it["$id"]: it for it in read}


@pytest.mark.parametrize(
    ("schema", "document", "wrong"),
    [
        (SERVER["$schema"], SERVER, {"description": "x" * 101}),
        (f"{CLAUDE}-marketplace.json", MARKETPLACE, {"owner": {}}),
        (f"{CLAUDE}-plugin-manifest.json", MANIFEST, {"lspServers": {"citelsp": {"args": ["serve"]}}}),
    ],
    ids=["server", "marketplace", "manifest"],
)
def test_the_published_schema_holds(schemas, schema, document, wrong):
    validators = pytest.importorskip("jsonschema.validators")
    assert schema in schemas, f"{FOLDER} lacks {schema}"
    checked = validators.validator_for(schemas[schema])(schemas[schema])
    assert not [it.message for it in checked.iter_errors(document)]
    assert list(checked.iter_errors(document | wrong))
