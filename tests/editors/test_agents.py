"""The plugin for coding agents: its files are what Claude Code and Codex document, and say what citelsp has."""

import inspect
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

import citelsp
from citelsp.cli import parser
from citelsp.cli.mcp_tools import Tools
from citelsp.knowledge import VerdictKind
from citelsp.syntax import languages

AGENTS = Path(__file__).parents[2] / "editors" / "agents"
PLUGIN = AGENTS / "citelsp"
[SKILL] = PLUGIN.glob("skills/*/SKILL.md")
TEXT = SKILL.read_text(encoding="utf-8")
TOOLS = {name for name, it in vars(Tools).items() if inspect.iscoroutinefunction(it) and not name.startswith("_")}
FILES = sorted(it for it in AGENTS.rglob("*.json") if it.is_file())


def data(path):
    return json.loads((AGENTS / path).read_text(encoding="utf-8"))


def test_every_file_is_json():
    assert {it.relative_to(AGENTS).as_posix() for it in FILES} == {
        ".agents/plugins/marketplace.json",
        ".claude-plugin/marketplace.json",
        "citelsp/.claude-plugin/plugin.json",
        "citelsp/.codex-plugin/plugin.json",
        "citelsp/.lsp.json",
        "citelsp/.mcp.json",
        "server.json",
    }
    assert all(isinstance(json.loads(it.read_text(encoding="utf-8")), dict) for it in FILES)


def test_the_lists_of_plugins_lead_to_the_plugin():
    claude, codex = data(".claude-plugin/marketplace.json"), data(".agents/plugins/marketplace.json")
    assert claude["owner"]["name"]
    assert claude["name"] == codex["name"]
    [for_claude], [for_codex] = claude["plugins"], codex["plugins"]
    assert (AGENTS / for_claude["source"]).resolve() == PLUGIN
    assert for_codex["source"]["source"] == "local"
    assert (AGENTS / for_codex["source"]["path"]).resolve() == PLUGIN
    assert set(for_codex["policy"]) == {"installation", "authentication"}


def test_both_manifests_name_the_plugin_and_what_is_there():
    manifests = [data(f"citelsp/.{it}-plugin/plugin.json") for it in ("claude", "codex")]
    assert {it["name"] for it in manifests} == {PLUGIN.name}
    assert len({it["description"] for it in manifests}) == 1
    assert manifests[1]["version"] == citelsp.__version__
    for field in ("skills", "mcpServers"):
        assert manifests[1][field].startswith("./")
        assert (PLUGIN / manifests[1][field]).exists()
    # Claude Code finds skills/, .mcp.json and .lsp.json by their names; naming them in the manifest replaces that.
    assert not {"skills", "mcpServers", "lspServers"} & set(manifests[0])


def test_the_commands_exist():
    [(_, server)] = data("citelsp/.lsp.json").items()
    [(_, tools)] = data("citelsp/.mcp.json")["mcpServers"].items()
    assert server["command"] == tools["command"] == "citelsp"
    assert parser().parse_args(server["args"]).command == "serve"
    assert parser().parse_args(tools["args"]).command == "mcp"


def test_the_registry_is_told_of_the_version_and_the_command_that_there_are():
    entry = data("server.json")
    [package] = entry["packages"]
    assert entry["version"] == package["version"] == citelsp.__version__
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", entry["name"])
    assert len(entry["description"]) <= 100
    needed = next(it for it in package["runtimeArguments"] if it["name"] == "--with")["value"]
    assert needed in (AGENTS.parents[1] / "pyproject.toml").read_text(encoding="utf-8")
    words = [it.get("value") or it["name"] for it in package["packageArguments"]]
    assert parser().parse_args([*words, "."]).folder == Path()


def test_vs_code_is_told_of_the_provider_that_the_extension_registers():
    extension = AGENTS.parent / "vscode"
    [provider] = json.loads((extension / "package.json").read_text(encoding="utf-8"))["contributes"][
        "mcpServerDefinitionProviders"
    ]
    source = (extension / "src" / "tools.ts").read_text(encoding="utf-8")
    assert f'PROVIDER = "{provider["id"]}"' in source
    [words] = re.findall(r"const args = \[([^\]]*)\];", source)
    assert parser().parse_args([*re.findall(r'"([^"]+)"', words), "."]).command == "mcp"


def test_the_language_server_starts_as_the_plugin_starts_it(tmp_path):
    [(_, server)] = data("citelsp/.lsp.json").items()
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}, "processId": None}},
        {"jsonrpc": "2.0", "id": 2, "method": "shutdown"},
        {"jsonrpc": "2.0", "method": "exit"},
    ]
    sent = "".join(f"Content-Length: {len(it)}\r\n\r\n{it}" for it in map(json.dumps, messages))
    command = [sys.executable, "-m", "citelsp", *server["args"]]
    done = subprocess.run(command, input=sent.encode(), capture_output=True, timeout=60, cwd=tmp_path, check=True)
    assert b'"diagnosticProvider"' in done.stdout or b'"textDocumentSync"' in done.stdout


def test_the_files_that_the_language_server_gets_are_files_that_it_reads():
    [(_, server)] = data("citelsp/.lsp.json").items()
    for ending, language_id in server["extensionToLanguage"].items():
        assert ending.startswith(".")
        language = languages.language_of_path(f"x{ending}")
        assert language is not languages.OTHER
        assert languages.language_of_path("untitled", language_id) is language
    assert {".tex", ".bib", ".md", ".qmd", ".typ", ".org"} <= set(server["extensionToLanguage"])


def test_the_skill_has_the_head_that_agents_look_at():
    head = re.match(r"---\nname: ([a-z-]+)\ndescription: (.+)\n---\n", TEXT)
    assert head[1] == SKILL.parent.name
    assert len(head[2]) <= 1024
    assert "Use when" in head[2]


def test_every_tool_that_the_skill_names_exists():
    rows = set(re.findall(r"^\| `(\w+)` \| [^|]*\| (?:`citelsp|\|)", TEXT, re.MULTILINE))
    assert rows == TOOLS
    assert {it for it in re.findall(r"`([a-z_]+)`", TEXT) if "_" in it} <= TOOLS


def test_the_skill_explains_every_verdict():
    rows = re.findall(r"^\| `([\w-]+)` \| [^|]+\| [^|]+\|$", TEXT.partition("## When you check")[2], re.MULTILINE)
    assert sorted(rows) == sorted(get_args(VerdictKind))


@pytest.mark.parametrize("command", re.findall(r"`(citelsp [a-z][^`]*)`", TEXT))
def test_every_command_that_the_skill_shows_is_understood(command):
    parser().parse_args(shlex.split(command)[1:])
