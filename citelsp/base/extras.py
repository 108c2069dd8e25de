"""Packages that are installed on request: which are missing, and what installs them into the Python that runs this."""

import re
import sys
from importlib.util import find_spec
from typing import Literal

Extra = Literal["model", "mcp", "meaning"]
PACKAGES: dict[Extra, tuple[str, ...]] = {  # with the bounds in pyproject.toml
    "model": ("openai~=3.50",),
    "mcp": ("mcp~=2.3",),
    "meaning": ("onnxruntime~=1.20", "tokenizers~=0.21", "numpy~=2.0"),
}
_PLAIN = re.compile(r"[\w./:\\~=-]+")


def is_missing(extra: Extra) -> bool:
    return any(find_spec(it.partition("~")[0]) is None for it in PACKAGES[extra])


def command(extra: Extra) -> str:
    """Return what a person types to install an extra; a pip that is found on PATH might install it somewhere else."""
    # What uv made has no pip.
    pip = [sys.executable, "-m", "pip", "install"] if find_spec("pip") else []
    words = [*(pip or ["uv", "pip", "install", "--python", sys.executable]), *PACKAGES[extra]]
    return " ".join(it if _PLAIN.fullmatch(it) else f'"{it}"' for it in words)  # as every shell reads it
