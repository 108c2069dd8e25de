"""Extensions that VS Code runs beside citelsp are found, and what both offer is left to them."""

import json
import subprocess
import zipfile

import pytest

from citelsp.base import log
from editors import test_vscode
from editors.test_vscode import code_server, installed

OTHERS = {  # by the names of the setting `beside`, in its order
    "texlab": "efoerster.texlab",
    "latex-workshop": "James-Yu.latex-workshop",
    "quarto": "quarto.quarto",
    "tinymist": "myriad-dreamin.tinymist",
}
MANIFEST = """<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata><Identity Language="en-US" Id="{name}" Version="1.0.0" Publisher="{publisher}"/></Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/></Assets>
</PackageManifest>
"""
TYPES = """<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension=".json" ContentType="application/json"/><Default Extension=".vsixmanifest" ContentType="text/xml"/>
</Types>
"""

pytestmark = pytest.mark.editors
__all__ = ["code_server", "installed"]  # fixtures


def packed(name, folder):
    """An extension of this name that does nothing."""
    publisher, _, short = name.partition(".")
    described = {"publisher": publisher, "name": short, "version": "1.0.0", "engines": {"vscode": "^1.91.0"}}
    path = folder / f"{name}.vsix"
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("extension/package.json", json.dumps(described))
        package.writestr("extension.vsixmanifest", MANIFEST.format(name=short, publisher=publisher))
        package.writestr("[Content_Types].xml", TYPES)
    return path


@pytest.fixture
def others(installed, tmp_path):
    """They are there as long as the test runs, and what was said of them before is forgotten."""
    command, _ = installed
    packages = [word for it in OTHERS.values() for word in ("--install-extension", packed(it, tmp_path))]
    subprocess.run([*command, *packages], check=True, capture_output=True)
    notices = log.directory() / "notices"
    before = notices.read_text(encoding="utf-8")
    yield
    notices.write_text(before, encoding="utf-8")
    for it in OTHERS.values():
        subprocess.run([*command, "--uninstall-extension", it], check=True, capture_output=True)


def test_what_others_offer_is_left_to_them(others, code_server, workspace, programs, tmp_path):
    environment = code_server | {"CITELSP_SUITE": "beside.cjs"}
    assert "FAIL" not in test_vscode.run("api.mjs", environment, workspace, programs, tmp_path / "shots")
    assert f"beside-{'-'.join(OTHERS)}" in (log.directory() / "notices").read_text(encoding="utf-8").splitlines()
