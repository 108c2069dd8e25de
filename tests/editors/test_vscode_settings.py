"""The extension describes exactly the settings that the server has."""

import importlib.util
import json
from pathlib import Path

EXTENSION = Path(__file__).parent.parent.parent / "editors" / "vscode"


def test_package_json_is_as_generated():
    spec = importlib.util.spec_from_file_location("described", EXTENSION / "scripts" / "settings.py")
    described = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(described)
    package = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    assert package["contributes"]["configuration"]["properties"] == described.properties(), "run scripts/settings.py"
