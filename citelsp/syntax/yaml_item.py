"""The YAML of one item of a bibliography, with every scalar as text."""

_DEEPEST = 100  # levels: the C loader's stack ends the whole process, and no item has ten


def load(source: str) -> object:
    """None if it is no YAML, or is nested deeper than anyone writes."""
    import yaml

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        # What opens no level needs no second look.
        if sum(map(source.count, "[{-?:")) > _DEEPEST:
            depth = 0
            for event in yaml.parse(source, Loader=loader):
                depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
                if depth > _DEEPEST:
                    return None
        return yaml.load(source, Loader=loader)  # noqa: S506  # a base loader makes strings only
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
