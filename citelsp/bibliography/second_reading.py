"""A written entry read back by another parser than ours: what it cannot read whole never reaches a bibliography."""


def reads(text: str, key: str) -> bool:
    """True if bibtexparser finds exactly one entry in the text, under this key, and nothing that it cannot read."""
    from bibtexparser.entrypoint import parse_string

    library = parse_string(text, parse_stack=[])
    return not library.failed_blocks and len(library.blocks) == 1 and [it.key for it in library.entries] == [key]
