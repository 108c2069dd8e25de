"""The YAML of one item of a bibliography, with every scalar as text."""

from citelsp.base import bounds


def load(source: str) -> object:
    """Parse an item into maps, lists and strings; None if it is no YAML, or is nested deeper than anyone writes."""
    import yaml

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        return None if _is_deep(source) else yaml.load(source, Loader=loader)  # noqa: S506  # makes strings only
    except (yaml.YAMLError, ValueError, RecursionError):
        return None


def problem(source: str) -> str:
    """Say why an item is not read; "" if it is."""
    import yaml

    try:
        return f"citelsp reads no item of more than {bounds.LEVELS} levels" if _is_deep(source) else ""
    except (yaml.YAMLError, ValueError, RecursionError):
        return ""


def _is_deep(source: str) -> bool:
    """True if lists and maps are nested more than bounds.LEVELS deep: PyYAML's reader in C would exhaust the stack."""
    # A level needs at least one of these signs: with few of them nothing has to be parsed.
    if sum(map(source.count, "[{-?:")) <= bounds.LEVELS:
        return False
    import yaml

    depth = 0
    # PyYAML's reader in C, where it was built, is the quicker one.
    for event in yaml.parse(source, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader)):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > bounds.LEVELS:
            return True
    return False
