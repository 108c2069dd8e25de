"""Where this user's settings and caches lie."""

import os
from pathlib import Path


def user_file() -> Path:
    """The user's own settings: $XDG_CONFIG_HOME/citelsp/config.toml, else where the system keeps such files."""
    folder = os.environ.get("XDG_CONFIG_HOME")
    if folder:
        return Path(folder) / "citelsp" / "config.toml"
    import platformdirs

    return Path(platformdirs.user_config_dir("citelsp", appauthor=False)) / "config.toml"


def cache_directory() -> Path:
    """The user's cache of answers and indexes; $CITELSP_CACHE_DIR moves it."""
    folder = os.environ.get("CITELSP_CACHE_DIR")
    if folder:
        return Path(folder)
    import platformdirs

    return Path(platformdirs.user_cache_dir("citelsp", appauthor=False))
