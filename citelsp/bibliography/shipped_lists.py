"""The lists that come with this package, read without what `importlib.resources` brings along."""

from pkgutil import get_data


def read(name: str) -> str:
    """The text of a file beside this one; FileNotFoundError if the installation lacks it."""
    data = get_data(__package__, name)
    if data is None:
        raise FileNotFoundError(name)
    return data.decode()
