"""The extension describes exactly the settings that the server has, and lets a workspace set no others."""

import importlib.util
import json
import string
from fnmatch import fnmatch
from pathlib import Path

import pytest

from citelsp.base import docs, read_settings, settings, settings_page
from citelsp.server.answers import verify_entries

EXTENSION = Path(__file__).parent.parent.parent / "editors" / "vscode"


@pytest.fixture(scope="module")
def described():
    spec = importlib.util.spec_from_file_location("described", EXTENSION / "scripts" / "settings.py")
    described = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(described)
    return described


@pytest.fixture(scope="module")
def package():
    return json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))


def test_package_json_is_as_generated(described, package):
    assert package["contributes"]["configuration"]["properties"] == described.properties(), (
        "python editors/vscode/scripts/settings.py"
    )


def test_a_workspace_sets_what_is_shared_and_ghost_text(described, package):
    settings = package["contributes"]["configuration"]["properties"]
    shared = {f"citelsp.{described.camel(row.name)}" for row in settings_page.list_rows() if row.shared}
    scopes = {it["scope"] for it in settings.values()}
    assert scopes == {"machine", "resource"}
    assert {name for name, it in settings.items() if it["scope"] == "resource"} == shared | {"citelsp.inline.enabled"}


def test_vs_code_knows_which_numbers_there_are(package):
    """It says so while they are typed, and does not leave it to the server."""
    settings = package["contributes"]["configuration"]["properties"]
    limit = settings["citelsp.completion.limit"]
    assert (limit["type"], limit["minimum"]) == ("integer", 1)
    seconds = settings["citelsp.model.seconds"]
    assert (seconds["type"], seconds["minimum"]) == ("number", 1)


def test_no_setting_says_what_is_installed(package):
    settings = package["contributes"]["configuration"]["properties"]
    assert {it for it in settings if it.startswith("citelsp.server.")} == {
        "citelsp.server.path",
        "citelsp.server.logLevel",
    }


def test_names_are_words_as_vs_code_shows_them_and_the_server_reads_them(described, package):
    properties = package["contributes"]["configuration"]["properties"]
    assert not [name for name in properties if "_" in name]
    raw = {}
    for name in (it for it in properties if not it.startswith(("citelsp.server.", "citelsp.inline."))):
        *tables, last = name.split(".")[1:]
        table = raw
        for it in tables:
            table = table.setdefault(it, {})
        table[last] = properties[name].get("default")
    assert read_settings.read(raw) == (settings.Settings(), [])


def test_a_fix_is_applied_and_discarded_without_a_mouse(package):
    keys, palette = package["contributes"]["keybindings"], package["contributes"]["menus"]["commandPalette"]
    shown = "resourceScheme == citelsp-fix"
    assert [it["command"] for it in keys if shown in it["when"]] == ["citelsp.acceptFix"]
    assert {it["command"] for it in palette if shown in it["when"]} == {"citelsp.acceptFix", "citelsp.discardFix"}


def test_keys_of_the_evidence_work_in_every_manuscript(package):
    keys = [it["when"] for it in package["contributes"]["keybindings"] if it["command"].endswith("Citation")]
    assert len(keys) == 2
    assert all(f"|{language}" in key for key in keys for language in ("rsweave", "org", "typst"))


def test_the_page_about_a_finding_opens_as_a_page(package):
    """The link of a finding leads to Markdown in the installed package, which nobody wants to read raw."""
    associations = package["contributes"]["configurationDefaults"]["workbench.editorAssociations"]
    page = docs.finding_page("unknown-work").as_posix()
    assert [viewer for glob, viewer in associations.items() if fnmatch(page, glob)] == [
        "vscode.markdown.preview.editor"
    ]


def test_checking_again_has_one_name(package):
    titles = {it["command"]: it["title"] for it in package["contributes"]["commands"]}
    assert titles["citelsp.verifyDocument"] == string.capwords(verify_entries.AGAIN)


@pytest.mark.parametrize("table", ["citelsp.services", "citelsp.corpus.servers"])
def test_the_members_of_a_table_are_described(package, table):
    """VS Code says of a table “Edit in settings.json”, and offers there what the schema names."""
    entry = package["contributes"]["configuration"]["properties"][table]["additionalProperties"]
    assert {"base_url", "key_env"} <= entry["properties"].keys()
    assert all(member["markdownDescription"] for member in entry["properties"].values())


def test_a_model_is_set_member_by_member(package):
    """As one table it had no *Add Item*, and named no member."""
    properties = package["contributes"]["configuration"]["properties"]
    assert "citelsp.model" not in properties
    for member in ("baseUrl", "name"):
        assert properties[f"citelsp.model.{member}"]["type"] == "string"
