"""Put the wheels of all that the server needs into the extension, which then installs it without a network.

    python scripts/wheels.py TARGET && npx vsce package --target TARGET ...

TARGET is one of vsce's, such as linux-x64.  The wheels are those that `.ci/wheels.txt` names, by hash; the server's own
is made by `npm run contents`, which comes first.
"""

import argparse
import subprocess
import sys
from pathlib import Path

_DIST = Path(__file__).parent.parent / "dist"
_WHEELS = _DIST / "wheels"
_LOCK = Path(__file__).parents[3] / ".ci" / "wheels.txt"
_PYTHONS = ("311", "312", "313", "314")
_PLATFORMS = {  # of wheels, as PyPI names them
    "linux-x64": [f"manylinux{it}_x86_64" for it in ("_2_28", "_2_27", "_2_17", "2014", "_2_5")],
    "linux-arm64": [f"manylinux{it}_aarch64" for it in ("_2_28", "_2_27", "_2_17", "2014")],
    "darwin-x64": [f"macosx_{it}_x86_64" for it in ("13_0", "12_0", "11_0", "10_15", "10_13", "10_12", "10_9")],
    "darwin-arm64": [f"macosx_{it}_arm64" for it in ("14_0", "13_0", "12_0", "11_0")],
    "win32-x64": ["win_amd64"],
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("target", choices=_PLATFORMS)
    target = parser.parse_args().target
    _WHEELS.mkdir(parents=True, exist_ok=True)
    for old in _WHEELS.iterdir():
        old.unlink()
    for python in _PYTHONS:
        fits = ["--implementation", "cp", "--python-version", python, "--abi", f"cp{python}", "--abi", "abi3"]
        fits += [option for it in _PLATFORMS[target] for option in ("--platform", it)]
        download = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
        download += ["--only-binary=:all:", "--abi", "none", *fits, "--dest", str(_WHEELS)]
        download += ["--no-deps", "--require-hashes", "--requirement", str(_LOCK)]
        subprocess.run(download, check=True)  # noqa: S603  the paths are our own
    return 0


if __name__ == "__main__":
    sys.exit(main())
